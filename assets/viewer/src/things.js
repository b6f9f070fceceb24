// The objects of the world: fetched once, found by kind and id or by name, and the courses of rivers.

import { bytes } from "./archives.js";

const TILES = new URL("../tiles/", import.meta.url).href;
const FIELDS = 5;

export const KINDS = {
  land: { one: "Land", name: (thing) => thing.name },
  ocean: { one: "Ocean", name: (thing) => `${thing.name} Ocean` },
  sea: { one: "Sea", name: (thing) => `Sea of ${thing.name}` },
  lake: { one: "Lake", name: (thing) => `Lake ${thing.name}` },
  river: { one: "River", name: (thing) => thing.name },
  peak: { one: "Peak", name: (thing) => thing.name },
};

let loading;
let tables;
let names = [];

// Letters without their marks, small.
export const folded = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

export function load() {
  loading ??= fetch(`${TILES}objects.json`).then((answer) => answer.json()).then((found) => {
    tables = {};
    for (const [kind, { fields, rows }] of Object.entries(found)) {
      tables[kind] = { fields, rows: new Map(rows.map((row) => [row[0], row])) };
      rows.forEach((row, rank) => row[1] && names.push({ kind, id: row[0], rank, whole: row[fields.indexOf("zoom")], text: folded(KINDS[kind].name({ id: row[0], name: row[1] })) }));
    }
    names.sort((a, b) => a.whole - b.whole || a.rank - b.rank);
  });
  return loading;
}

export function thing(kind, id) {
  const table = tables?.[kind];
  const row = table?.rows.get(id);
  return row && { kind, ...Object.fromEntries(table.fields.map((field, k) => [field, row[k]])) };
}

// Things whose names begin with the words, then those of which a later word does, then those that have them anywhere.
export function search(query, most = 12) {
  const wanted = folded(query.trim());
  if (!wanted) return [];
  const classes = [[], [], []];
  for (const entry of names) {
    const at = entry.text.indexOf(wanted);
    if (at < 0) continue;
    classes[at === 0 ? 0 : entry.text.includes(` ${wanted}`) ? 1 : 2].push(entry);
    if (classes[0].length >= most) break;
  }
  return classes.flat().slice(0, most).map(({ kind, id }) => thing(kind, id));
}

// The course of a river: a list of { place, km, height, discharge }, downstream.
export async function courseOf(river) {
  const size = 4 * FIELDS;
  const data = await bytes(`${TILES}courses.bin`, river.course * size, river.points * size);
  const view = new DataView(data);
  const value = (point, field) => view.getFloat32(size * point + 4 * field, true);
  return Array.from({ length: river.points }, (_, k) => ({ place: [value(k, 0), value(k, 1)], km: value(k, 2), height: value(k, 3), discharge: value(k, 4) }));
}
