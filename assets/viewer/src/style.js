// The style of the map: sources and layers for a view, a palette and the layers that are on.

import { LAYERS } from "./layers.js";
import { PALETTES, watery, withAlpha } from "./palette.js";
import { VIEWS } from "./planes.js";

const FONT = ["EB Garamond Regular"], ITALIC = ["EB Garamond Italic"];
const FOLDER = new URL("../", import.meta.url).href;
// Where the printed sheets have their lamps, and how strong these are.
const LAMPS = [315, 270, 0, 225], STRENGTHS = [1, 0.35, 0.35, 0.25];

const archive = (name) => `pmtiles://${FOLDER}tiles/${name}.pmtiles`;
const byZoom = (...stops) => ["interpolate", ["exponential", 1.4], ["zoom"], ...stops];
const kind = (...names) => ["in", ["get", "kind"], ["literal", names]];

export function styleOf(world, state) {
  const palette = PALETTES[state.dark ? "dark" : "light"];
  const view = VIEWS[state.view];
  const layers = [...ground(world, palette), ...lines(palette), ...(view.files ? [...mask(palette)] : []), ...words(palette)];
  for (const layer of layers) {
    const part = LAYERS.find((row) => row.layers.some((name) => layer.id.startsWith(name)));
    if (!part || state.layers.has(part.key)) continue;
    // What is asked for under the pointer is there, if unseen.
    if (layer.id === "climate") layer.paint["fill-opacity"] = 0;
    else layer.layout = { ...layer.layout, visibility: "none" };
  }
  return {
    version: 8,
    transition: { duration: 0, delay: 0 },
    projection: { type: view.projection },
    glyphs: `${FOLDER}glyphs/{fontstack}/{range}.pbf`,
    sky: { "atmosphere-blend": 0, "sky-color": palette.atmosphere, "horizon-color": palette.atmosphere, "fog-color": palette.atmosphere },
    sources: sources(view.files, world),
    layers,
  };
}

const EMPTY = { type: "FeatureCollection", features: [] };

function sources(files, world) {
  const local = Object.fromEntries(["night", "measure", "chosen", "mask"].map((name) => [name, { type: "geojson", data: EMPTY }]));
  return {
    world: { type: "vector", url: archive(`${files}world`) },
    tints: { type: "raster", url: archive(`${files}tints`), tileSize: 512 },
    relief: { type: "raster-dem", url: archive(`${files}relief`), tileSize: 512, encoding: "terrarium" },
    ...local,
  };
}

function ground(world, palette) {
  const depths = world.depths.filter(([metres]) => metres < 0);
  const clear = watery(palette, world.depths.at(-1)[1]);
  const ramp = depths.flatMap(([metres, colour]) => [metres, metres > -200 ? withAlpha(watery(palette, colour), 0.75) : watery(palette, colour)]);
  const water = { source: "world", "source-layer": "water" };
  return [
    { id: "paper", type: "background", paint: { "background-color": palette.land } },
    {
      id: "tints", type: "raster", source: "tints",
      paint: { "raster-brightness-max": palette.dim, "raster-saturation": palette.saturation, "raster-fade-duration": 0 },
    },
    {
      id: "climate", type: "fill", source: "world", "source-layer": "climate",
      paint: { "fill-color": ["match", ["get", "biome"], ...world.biomes.flatMap(([, colour], k) => [k + 1, colour]), "#888888"], "fill-opacity": palette.mix ? 0.6 : 0.8, "fill-antialias": false },
    },
    {
      id: "shade", type: "hillshade", source: "relief",
      paint: {
        "hillshade-method": "multidirectional",
        "hillshade-illumination-direction": LAMPS,
        "hillshade-illumination-altitude": LAMPS.map(() => 40),
        "hillshade-shadow-color": STRENGTHS.map((part) => withAlpha(palette.shadow, 0.75 * part)),
        "hillshade-highlight-color": STRENGTHS.map((part) => withAlpha(palette.light, (palette.mix ? 0.25 : 0.7) * part)),
        "hillshade-exaggeration": ["interpolate", ["linear"], ["zoom"], 0, 0.9, 5, 0.6, 9, 0.4],
      },
    },
    { id: "land", type: "fill", source: "world", "source-layer": "land", paint: { "fill-opacity": 0 } },
    { id: "sea", type: "fill", ...water, filter: kind("ocean", "sea"), paint: { "fill-color": clear } },
    {
      id: "depths", type: "color-relief", source: "relief",
      paint: { "color-relief-color": ["interpolate", ["linear"], ["elevation"], ...ramp, 0, withAlpha(clear, 0)], "color-relief-opacity": ["interpolate", ["linear"], ["zoom"], 0, 0.72, 5, 0.95] },
    },
    { id: "lake", type: "fill", ...water, filter: kind("lake"), paint: { "fill-color": watery(palette, world.lake) } },
  ];
}

function lines(palette) {
  const contour = { type: "line", source: "world", "source-layer": "contours" };
  return [
    { ...contour, id: "isobaths", filter: ["<", ["get", "height"], 0], paint: { "line-color": palette.isobath, "line-width": 0.6, "line-opacity": 0.45 } },
    {
      ...contour, id: "contours", filter: [">", ["get", "height"], 0],
      paint: { "line-color": palette.contour, "line-width": ["case", ["==", ["get", "index"], 1], 0.9, 0.5], "line-opacity": 0.55 },
    },
    {
      id: "graticule", type: "line", source: "world", "source-layer": "graticule",
      paint: { "line-color": palette.line, "line-width": ["case", ["==", ["get", "degree"], 0], 0.9, 0.5], "line-opacity": 0.35 },
    },
    {
      id: "coast-glow", type: "line", source: "world", "source-layer": "coast",
      paint: { "line-color": palette.glow, "line-opacity": palette.glowing, "line-width": byZoom(0, 2, 6, 10), "line-offset": byZoom(0, 1, 6, 5), "line-blur": byZoom(0, 2, 6, 8) },
    },
    { id: "coast", type: "line", source: "world", "source-layer": "coast", paint: { "line-color": palette.coast, "line-width": byZoom(0, 0.5, 8, 1.3) } },
    { id: "shore", type: "line", source: "world", "source-layer": "water", filter: kind("lake"), paint: { "line-color": palette.coast, "line-width": 0.6, "line-opacity": 0.8 } },
    {
      id: "rivers", type: "line", source: "world", "source-layer": "rivers",
      layout: { "line-cap": "round", "line-join": "round" },
      paint: { "line-color": palette.river, "line-width": ["interpolate", ["linear"], ["zoom"], 0, width(0.4), 5, width(0.65), 9, width(1.6)] },
    },
    { id: "chosen-area", type: "line", source: "world", "source-layer": "water", filter: ["==", ["id"], -1], paint: { "line-color": palette.mark, "line-width": 2 } },
    { id: "chosen-river", type: "line", source: "world", "source-layer": "rivers", filter: ["==", ["id"], -1], layout: { "line-cap": "round" }, paint: { "line-color": palette.mark, "line-width": 2.4 } },
    { id: "chosen", type: "circle", source: "chosen", paint: { "circle-radius": 6, "circle-color": "transparent", "circle-stroke-color": palette.mark, "circle-stroke-width": 2 } },
    { id: "night", type: "fill", source: "night", paint: { "fill-color": palette.night, "fill-opacity": 0.11, "fill-antialias": false } },
    { id: "measure", type: "line", source: "measure", layout: { "line-cap": "round" }, paint: { "line-color": palette.mark, "line-width": 2, "line-dasharray": [2, 1.6] } },
    { id: "measure-points", type: "circle", source: "measure", filter: ["==", ["geometry-type"], "Point"], paint: { "circle-radius": 4, "circle-color": palette.halo, "circle-stroke-color": palette.mark, "circle-stroke-width": 2 } },
  ];
}

// Twice as wide where a river has eleven times the water.
const width = (narrow) => ["*", narrow, ["interpolate", ["linear"], ["log10", ["max", ["get", "discharge"], 8]], 1, 0.9, 3, 1.8, 5, 4.2]];

function mask(palette) {
  return [
    { id: "mask", type: "fill", source: "mask", filter: ["==", ["geometry-type"], "Polygon"], paint: { "fill-color": palette.paper } },
    { id: "mask-edge", type: "line", source: "mask", filter: ["==", ["geometry-type"], "LineString"], paint: { "line-color": palette.line, "line-width": 1.4 } },
  ];
}

function words(palette) {
  const text = (colour, halo, width = 1.3) => ({ "text-color": colour, "text-halo-color": halo, "text-halo-width": width, "text-halo-blur": 0.4 });
  const names = { type: "symbol", source: "world", "source-layer": "names" };
  // From `low` at the zoom from which a name has room to `high` four zooms on.
  const at = (zoom, low, high) => ["interpolate", ["linear"], ["-", zoom, ["get", "size"]], 0, low, 4, high];
  const sized = (low, high) => ["interpolate", ["linear"], ["zoom"], ...[0, 2, 4, 6, 8, 10].flatMap((zoom) => [zoom, at(zoom, low, high)])];
  return [
    {
      id: "river-names", type: "symbol", source: "world", "source-layer": "river_names", minzoom: 2,
      layout: { "symbol-placement": "line", "text-field": ["get", "name"], "text-font": ITALIC, "text-size": ["interpolate", ["linear"], ["zoom"], 3, 11, 8, 14], "text-letter-spacing": 0.06, "text-max-angle": 32, "symbol-spacing": 340, "text-offset": [0, -0.5], "symbol-sort-key": ["get", "rank"] },
      paint: text(palette.water, palette.halo),
    },
    {
      id: "contour-heights", type: "symbol", source: "world", "source-layer": "contours", minzoom: 5.5, filter: ["==", ["get", "index"], 1],
      layout: { "symbol-placement": "line", "text-field": ["to-string", ["get", "height"]], "text-font": FONT, "text-size": 10.5, "text-max-angle": 25, "symbol-spacing": 420 },
      paint: text(palette.contour, palette.halo, 1),
    },
    {
      id: "peaks", type: "symbol", source: "world", "source-layer": "peaks", minzoom: 2.6,
      layout: { "icon-image": "peak", "icon-size": 0.5, "icon-padding": 1, "text-field": ["concat", ["get", "name"], " ", ["to-string", ["get", "height"]]], "text-font": FONT, "text-size": ["interpolate", ["linear"], ["zoom"], 2, 10.5, 7, 13], "text-variable-anchor": ["top", "left", "right", "bottom"], "text-radial-offset": 0.5, "symbol-sort-key": ["get", "rank"], "text-padding": 6 },
      paint: { ...text(palette.peak, palette.halo, 1.1), "icon-color": palette.peak },
    },
    {
      ...names, id: "names-lake", filter: kind("lake"),
      layout: { "text-field": ["get", "name"], "text-font": ITALIC, "text-size": sized(11, 15), "text-max-width": 7, "symbol-sort-key": ["get", "size"] },
      paint: text(palette.water, palette.waterHalo),
    },
    {
      ...names, id: "names-sea", filter: kind("sea", "ocean"),
      layout: { "text-field": ["case", ["==", ["get", "kind"], "ocean"], ["upcase", ["get", "name"]], ["get", "name"]], "text-font": ITALIC, "text-size": ["case", ["==", ["get", "kind"], "ocean"], 20, 13], "text-letter-spacing": ["case", ["==", ["get", "kind"], "ocean"], 0.3, 0.1], "text-max-width": 12, "symbol-sort-key": ["get", "size"] },
      paint: text(palette.ocean, palette.waterHalo, 1),
    },
    {
      ...names, id: "names-land", filter: kind("land"), maxzoom: 9,
      layout: { "text-field": ["upcase", ["get", "name"]], "text-font": FONT, "text-size": sized(11, 25), "text-letter-spacing": 0.32, "text-max-width": 9, "symbol-sort-key": ["get", "size"] },
      paint: text(palette.text, palette.halo, 1.6),
    },
  ];
}
