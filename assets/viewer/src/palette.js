// The colours of the map, light and dark. Those of water come with the world, from the printed sheets.

export const PALETTES = {
  light: {
    paper: "#f3eee2", land: "#ece4cb", coast: "#5f8aa8", river: "#3f7fae", text: "#463d32", halo: "#fbf8ee", water: "#21618c",
    waterHalo: "#dcebf2", ocean: "#2f6790", contour: "#8a6a45", isobath: "#4f86ac", line: "#6b7a80", peak: "#54402c",
    mark: "#b3261e", night: "#0d1633", dim: 1, saturation: 0, mix: null, glow: "#ffffff", glowing: 0.5,
    shadow: "#57536f", light: "#fff9e2", atmosphere: "#cfe3ef",
  },
  dark: {
    paper: "#0e131a", land: "#3d3c35", coast: "#7ea3bb", river: "#79b2d6", text: "#efe7d6", halo: "#262520", water: "#a9d1ea",
    waterHalo: "#14283a", ocean: "#8fbcd8", contour: "#b59a74", isobath: "#4d7a99", line: "#93a4ac", peak: "#f0dfc6",
    mark: "#ff8a78", night: "#02040d", dim: 0.56, saturation: -0.12, mix: "#0b2c4c", glow: "#9cc6de", glowing: 0.16,
    shadow: "#0b0d18", light: "#fff3cf", atmosphere: "#2c4a63",
  },
};

export function mixed(colour, other, share) {
  const channel = (text, k) => parseInt(text.slice(k, k + 2), 16);
  return "#" + [1, 3, 5].map((k) => Math.round(channel(colour, k) * (1 - share) + channel(other, k) * share).toString(16).padStart(2, "0")).join("");
}

export const withAlpha = (colour, alpha) => colour + Math.round(255 * alpha).toString(16).padStart(2, "0");

// A colour of a sheet's water, in this palette.
export const watery = (palette, colour) => (palette.mix ? mixed(colour, palette.mix, 0.76) : colour);
