// The state of the viewer in the address: #code=...&view=globe&at=zoom/latitude/longitude/bearing/pitch&layers=...

import { FIRST, LAYERS } from "./layers.js";
import { VIEWS } from "./planes.js";

const KEYS = LAYERS.map((row) => row.key);
const number = (text, low, high, other) => (text !== null && text !== "" && +text >= low && +text <= high ? +text : other);

export function written(state, code) {
  const { zoom, place, bearing, pitch } = state.camera;
  const at = [zoom.toFixed(2), place[1].toFixed(4), place[0].toFixed(4), Math.round(bearing * 10) / 10, Math.round(pitch)];
  while (at.length > 3 && !+at.at(-1)) at.pop();
  const words = [`code=${code}`, `view=${state.view}`, `at=${at.join("/")}`];
  const changed = KEYS.some((key) => state.layers.has(key) !== FIRST.has(key));
  if (changed) words.push(`layers=${KEYS.filter((key) => state.layers.has(key)).join(",")}`);
  if (state.sun) words.push(`sun=${state.sun.hour},${state.sun.season}`);
  if (state.theme !== "auto") words.push(`theme=${state.theme}`);
  if (state.chosen) words.push(`thing=${state.chosen.kind}-${state.chosen.id}`);
  return `#${words.join("&")}`;
}

// What an address says, with defaults for what it does not; `code` is that of its world, or null.
export function read(hash) {
  const words = new URLSearchParams(hash.replace(/^#/, "").replaceAll("+", "%2B"));
  const [zoom, latitude, longitude, bearing, pitch] = (words.get("at") ?? "").split("/");
  const [hour, season] = (words.get("sun") ?? "").split(",");
  const [kind, id] = (words.get("thing") ?? "").split("-");
  const view = words.get("view");
  return {
    code: words.get("code"),
    view: Object.hasOwn(VIEWS, view ?? "") ? view : "globe",
    camera: latitude === undefined ? null : {
      zoom: number(zoom, -2, 22, 1.5),
      place: [number(longitude ?? null, -180, 180, 0), number(latitude ?? null, -90, 90, 0)],
      bearing: number(bearing ?? null, -360, 360, 0),
      pitch: number(pitch ?? null, 0, 85, 0),
    },
    layers: words.has("layers") ? new Set(words.get("layers").split(",").filter((key) => KEYS.includes(key))) : new Set(FIRST),
    sun: words.has("sun") ? { hour: number(hour, 0, 24, 12), season: number(season ?? null, -23.4, 23.4, 0) } : null,
    theme: ["light", "dark"].includes(words.get("theme")) ? words.get("theme") : "auto",
    thing: kind && /^\d+$/.test(id ?? "") ? { kind, id: +id } : null,
  };
}
