// What lies under a point of the screen: the smallest things first.

const REACH = 6;
// [layers of the style, kind of thing]; a kind of null: that of the feature.
const ORDER = [
  [["peaks"], "peak"],
  [["names-lake", "names-sea", "names-land"], null],
  [["river-names", "rivers"], "river"],
  [["lake"], "lake"],
];

// The name of the climate zone under a point of land.
export const climateAt = (map, { x, y }) => map.queryRenderedFeatures([x, y], { layers: ["climate"] })[0]?.properties.name;

export function pickAt(map, { x, y }) {
  const box = [[x - REACH, y - REACH], [x + REACH, y + REACH]];
  for (const [layers, kind] of ORDER) {
    const shown = layers.filter((name) => map.getLayer(name));
    const [feature] = map.queryRenderedFeatures(kind === "lake" ? [x, y] : box, { layers: shown });
    // Tiles leave out the id 0.
    if (feature) return { kind: kind ?? feature.properties.kind, id: feature.id ?? 0 };
  }
  return null;
}
