// The buttons beside the map and their panels: views, layers, the sun, keys.

import { LAYERS } from "./layers.js";
import { VIEWS } from "./planes.js";

const icon = (name) => `<svg class="icon" aria-hidden="true"><use href="icons.svg#${name}"/></svg>`;

export const KEYS = [
  ["/", "search"], ["+ −", "zoom"], ["arrows", "move; with Shift turn and tilt"], ["Enter", "details of what is in the middle; a point while measuring"],
  ["G, F, N, S", "globe, flat map, north pole, south pole"], ["L", "layers"], ["D", "day and night"], ["M", "measure; Backspace takes a point back"],
  ["T", "light or dark"], ["C", "copy a link to this view"], ["Esc", "close"],
];

// `host`: { map, state, world, setView, setLayer, setSun, setTheme, toggleMeasure, copyLink }.
export function toolsIn(box, panel, host) {
  let open = null;
  const buttons = {};
  const add = (name, picture, label, action) => {
    const button = document.createElement("button");
    button.innerHTML = icon(picture);
    button.title = label;
    button.setAttribute("aria-label", label);
    button.addEventListener("click", action);
    buttons[name] = button;
    box.append(button);
  };
  const show = (name) => {
    const closing = open === name || name === null;
    if (open) buttons[open].setAttribute("aria-expanded", "false");
    const from = open;
    open = closing ? null : name;
    panel.hidden = closing;
    document.body.classList.toggle("panelled", !closing);
    if (closing) return from && panel.contains(document.activeElement) && buttons[from].focus();
    buttons[name].setAttribute("aria-expanded", "true");
    panel.replaceChildren(...PANELS[name](host));
    const heading = panel.querySelector("h2");
    panel.setAttribute("aria-label", heading.textContent);
    panel.focus();
  };
  add("in", "plus", "Zoom in", () => host.map.zoomIn());
  add("out", "minus", "Zoom out", () => host.map.zoomOut());
  add("north", "north", "Turn north up", () => host.map.easeTo({ bearing: 0, pitch: 0 }));
  add("view", "globe", "View", () => show("view"));
  add("layers", "layers", "Layers", () => show("layers"));
  add("sun", "sun", "Day and night", () => show("sun"));
  add("measure", "ruler", "Measure", () => host.toggleMeasure());
  add("link", "link", "Copy a link to this view", () => host.copyLink());
  add("theme", "theme", "Light or dark", () => host.setTheme());
  add("help", "help", "Keys", () => show("help"));
  for (const name of Object.keys(PANELS)) buttons[name].setAttribute("aria-expanded", "false");
  host.map.on("rotate", () => (buttons.north.firstChild.style.transform = `rotate(${-host.map.getBearing()}deg)`));
  return { show, get open() { return open; }, pressed: (name, on) => buttons[name].setAttribute("aria-pressed", String(on)), refresh: () => open && panel.replaceChildren(...PANELS[open](host)) };
}

const heading = (words) => Object.assign(document.createElement("h2"), { textContent: words });

function choice(type, name, label, checked, change) {
  const row = document.createElement("label");
  row.className = "choice";
  const input = Object.assign(document.createElement("input"), { type, name, checked });
  input.addEventListener("change", () => change(input.checked));
  row.append(input, Object.assign(document.createElement("span"), { textContent: label }));
  return row;
}

function slider(label, low, high, step, value, words, change) {
  const row = document.createElement("label");
  row.className = "slider";
  const input = Object.assign(document.createElement("input"), { type: "range", min: low, max: high, step, value });
  const says = Object.assign(document.createElement("em"), { textContent: words(value) });
  input.setAttribute("aria-valuetext", words(value));
  input.addEventListener("input", () => {
    says.textContent = words(+input.value);
    input.setAttribute("aria-valuetext", words(+input.value));
    change(+input.value);
  });
  row.append(Object.assign(document.createElement("span"), { textContent: label }), says, input);
  return row;
}

const clock = (hour) => `${String(Math.floor(hour) % 24).padStart(2, "0")}:${String(Math.round((hour % 1) * 60)).padStart(2, "0")}`;
const season = (tilt) => (Math.abs(tilt) < 0.5 ? "equinox" : `sun ${Math.abs(tilt).toFixed(0)}° ${tilt > 0 ? "north" : "south"}`);

const PANELS = {
  view: (host) => [heading("View"), ...Object.entries(VIEWS).map(([name, row]) => choice("radio", "view", row.label, host.state.view === name, () => host.setView(name)))],
  layers: (host) => [
    heading("Layers"),
    ...LAYERS.map((row) => choice("checkbox", row.key, row.label, host.state.layers.has(row.key), (on) => host.setLayer(row.key, on))),
    ...(host.state.layers.has("climate") ? [legend(host.world)] : []),
  ],
  sun: (host) => {
    const { sun } = host.state;
    const set = (change) => host.setSun({ ...host.state.sun, ...change });
    const rows = [heading("Day and night"), choice("checkbox", "night", "Show the night", sun !== null, (on) => host.setSun(on ? { hour: 12, season: 0 } : null, true))];
    if (sun) {
      rows.push(slider("Hour at longitude 0", 0, 24, 0.25, sun.hour, clock, (hour) => set({ hour })));
      rows.push(slider("Season", -23.4, 23.4, 0.9, sun.season, season, (tilt) => set({ season: tilt })));
    }
    return rows;
  },
  help: () => {
    const list = document.createElement("dl");
    list.className = "keys";
    for (const [key, words] of KEYS) list.append(Object.assign(document.createElement("dt"), { textContent: key }), Object.assign(document.createElement("dd"), { textContent: words }));
    return [heading("Keys"), list];
  },
};

function legend(world) {
  const list = document.createElement("ul");
  list.className = "legend";
  for (const [name, colour] of world.biomes) {
    const item = document.createElement("li");
    const patch = document.createElement("i");
    patch.style.background = colour;
    item.append(patch, name);
    list.append(item);
  }
  return list;
}
