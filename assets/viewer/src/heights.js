// The height of the ground at a place, from the tiles of heights.

import { archive } from "./archives.js";

const SIDE = 512, MOST = 12;
const pictures = new Map();

async function pixels(url, zoom, column, row) {
  const key = `${url}/${zoom}/${column}/${row}`;
  if (!pictures.has(key)) {
    if (pictures.size >= MOST) pictures.delete(pictures.keys().next().value);
    const read = async () => {
      const found = await archive(url).getZxy(zoom, column, row);
      if (!found) return null;
      const picture = await createImageBitmap(new Blob([found.data]), { colorSpaceConversion: "none", premultiplyAlpha: "none" });
      const context = new OffscreenCanvas(SIDE, SIDE).getContext("2d", { willReadFrequently: true });
      context.drawImage(picture, 0, 0);
      return context.getImageData(0, 0, SIDE, SIDE).data;
    };
    pictures.set(key, read());
  }
  return pictures.get(key);
}

// Metres at what the map library calls a place; null where there is no tile.
export async function heightAt(url, zoom, [lng, lat]) {
  const y = 0.5 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / (2 * Math.PI);
  const across = 2 ** zoom * SIDE;
  const column = Math.min(Math.max(Math.floor((lng / 360 + 0.5) * across), 0), across - 1);
  const row = Math.min(Math.max(Math.floor(y * across), 0), across - 1);
  const data = await pixels(url, zoom, Math.floor(column / SIDE), Math.floor(row / SIDE));
  if (!data) return null;
  const at = 4 * ((row % SIDE) * SIDE + (column % SIDE));
  return data[at] * 256 + data[at + 1] + data[at + 2] / 256 - 32768;
}
