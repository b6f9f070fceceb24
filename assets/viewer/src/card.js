// The card: what is known of the thing that was clicked, found or linked to.

import { figure, kilometres, placeWords } from "./geo.js";
import { profileOf } from "./profile.js";
import { KINDS, courseOf, thing } from "./things.js";

const metres = (value) => `${figure(value)} m`;
const area = (value) => `${figure(value)} km²`;
const flow = (value) => `${figure(value)} m³/s`;
const ENDS = { sea: "the sea", lake: "a lake", river: "a river", basin: "a dry basin" };

const named = (kind, id) => {
  const found = thing(kind, id);
  return found && (KINDS[kind].name(found) || "without a name");
};

// Rows of each kind: a label and a function to its text, or to { kind, id } of another thing.
const ROWS = {
  land: [["Area", (x) => area(x.area_km2)], ["Highest point", (x) => metres(x.highest_m)]],
  ocean: [["Area", (x) => area(x.area_km2)]],
  sea: [["Area", (x) => area(x.area_km2)]],
  lake: [
    ["Area", (x) => area(x.area_km2)], ["Depth", (x) => metres(x.depth_m)], ["Volume", (x) => `${figure(x.volume_km3)} km³`],
    ["Level", (x) => metres(x.level_m)], ["Inflow", (x) => flow(x.inflow_m3_s)], ["Evaporation", (x) => flow(x.evaporation_m3_s)],
    ["Outflow", (x) => flow(x.outflow_m3_s)], ["On", (x) => ({ kind: "land", id: x.landmass })],
  ],
  river: [
    ["Length", (x) => kilometres(x.length_km)], ["Discharge at the mouth", (x) => flow(x.discharge_m3_s)], ["Width at the mouth", (x) => metres(x.width_m)],
    ["Drains", (x) => area(x.upstream_km2)], ["Falls", (x) => `from ${figure(x.source_m)} to ${metres(x.mouth_m)}`], ["Order", (x) => `${x.order}`],
    ["Comes from", (x) => (x.source_lake >= 0 ? { kind: "lake", id: x.source_lake } : null)],
    ["Ends in", (x) => (["lake", "river"].includes(x.mouth) ? { kind: x.mouth, id: x.mouth_id } : ENDS[x.mouth])],
  ],
  peak: [["Height", (x) => metres(x.height_m)], ["Prominence", (x) => metres(x.prominence_m)], ["On", (x) => ({ kind: "land", id: x.landmass })]],
};

// `host`: { choose(kind, id), show(thing), mark(place or null), closed() }.
export function cardIn(box, host) {
  const element = (name, words, className) => Object.assign(document.createElement(name), { textContent: words ?? "", className: className ?? "" });
  const head = (over, title) => {
    const close = element("button", "", "close");
    close.innerHTML = '<svg class="icon" aria-hidden="true"><use href="icons.svg#close"/></svg>';
    close.setAttribute("aria-label", "Close details");
    close.addEventListener("click", api.close);
    box.replaceChildren(close, element("p", over, "over"), element("h2", title));
  };
  const row = (list, label, value) => {
    if (value === null || value === undefined) return;
    const cell = element("dd");
    if (typeof value === "string") cell.textContent = value;
    else {
      const button = element("button", named(value.kind, value.id) ?? "unknown", "inline");
      button.addEventListener("click", () => host.choose(value.kind, value.id, true));
      cell.append(button);
    }
    list.append(element("dt", label), cell);
  };
  const api = {
    open(found) {
      head(KINDS[found.kind].one, KINDS[found.kind].name(found) || "Without a name");
      const list = element("dl");
      for (const [label, value] of ROWS[found.kind]) row(list, label, value(found));
      row(list, "Place", placeWords([found.longitude, found.latitude]));
      box.append(list);
      const whole = element("button", "Show all of it", "wide");
      whole.addEventListener("click", () => host.show(found));
      box.append(whole);
      box.hidden = false;
      if (found.kind === "river") courseOf(found).then((course) => course.length > 1 && whole.before(profileOf(course, (point) => host.mark(point?.place ?? null))));
    },
    place(place, { height, climate }) {
      head("Place", placeWords(place));
      const list = element("dl");
      row(list, height < 0 ? "Depth" : "Height", height === null ? null : metres(Math.abs(height)));
      row(list, "Climate", height >= 0 ? climate : null);
      box.append(list);
      box.hidden = false;
    },
    close() {
      const inside = box.contains(document.activeElement);
      box.hidden = true;
      host.mark(null);
      host.closed(inside);
    },
  };
  return api;
}
