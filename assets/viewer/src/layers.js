// The layers that can be switched on and off. `layers`: beginnings of the ids in the style. `off`: off at first.

export const LAYERS = [
  { key: "relief", label: "Hill shade", layers: ["shade"] },
  { key: "tints", label: "Tints of heights and climate", layers: ["tints"] },
  { key: "depths", label: "Depths of the sea", layers: ["depths"] },
  { key: "climate", label: "Climate zones", layers: ["climate"], off: true },
  { key: "contours", label: "Contours", layers: ["contour", "isobaths"], off: true },
  { key: "rivers", label: "Rivers", layers: ["rivers", "river-names"] },
  { key: "names", label: "Names", layers: ["names"] },
  { key: "peaks", label: "Peaks", layers: ["peaks"] },
  { key: "graticule", label: "Meridians and parallels", layers: ["graticule"] },
];

export const FIRST = new Set(LAYERS.filter((row) => !row.off).map((row) => row.key));
