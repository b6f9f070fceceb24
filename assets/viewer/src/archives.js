// The tiles' archives. Where a server knows no ranges, an archive is fetched once as a whole.

import { addProtocol } from "../vendor/maplibre-gl.mjs";
import { PMTiles, Protocol } from "../vendor/pmtiles.mjs";

const wholes = new Map();

// Bytes from `offset` on, as many as `length`.
export async function bytes(url, offset, length, signal) {
  if (!wholes.has(url)) {
    const answer = await fetch(url, { headers: { Range: `bytes=${offset}-${offset + length - 1}` }, signal });
    if (!answer.ok) throw new Error(`${url} cannot be read: ${answer.status}`);
    if (answer.status === 206) return answer.arrayBuffer();
    if (!wholes.has(url)) wholes.set(url, answer.arrayBuffer());
  }
  return (await wholes.get(url)).slice(offset, offset + length);
}

class Archive {
  constructor(url) {
    this.url = url;
  }

  getKey() {
    return this.url;
  }

  async getBytes(offset, length, signal) {
    return { data: await bytes(this.url, offset, length, signal) };
  }
}

const protocol = new Protocol();
const archives = new Map();

export function archive(url) {
  if (!archives.has(url)) {
    archives.set(url, new PMTiles(new Archive(url)));
    protocol.add(archives.get(url));
  }
  return archives.get(url);
}

export function install(urls) {
  urls.forEach(archive);
  addProtocol("pmtiles", protocol.tile);
}
