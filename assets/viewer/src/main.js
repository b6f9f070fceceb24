// The viewer: one map, one state, and what connects them. Everything that can be shared is in the address.

import { Map as View, setWorkerUrl } from "../vendor/maplibre-gl.mjs";
import * as archives from "./archives.js";
import { cardIn } from "./card.js";
import { placeWords } from "./geo.js";
import { heightAt } from "./heights.js";
import { keysOn } from "./keyboard.js";
import * as link from "./link.js";
import { measureOn } from "./measure.js";
import { nightOf } from "./night.js";
import { climateAt, pickAt } from "./pick.js";
import { VIEWS, planeOf } from "./planes.js";
import * as scale from "./scale.js";
import * as search from "./search.js";
import { styleOf } from "./style.js";
import * as things from "./things.js";
import { toolsIn } from "./tools.js";

const FORM = 1;
const FOLDER = new URL("../", import.meta.url).href;
const $ = (id) => document.getElementById(id);
const darkness = matchMedia("(prefers-color-scheme: dark)");

setWorkerUrl(`${FOLDER}vendor/maplibre-gl-worker.mjs`);

function note(words, seconds = 6) {
  $("note").textContent = words;
  clearTimeout(note.timer);
  if (words && seconds) note.timer = setTimeout(() => ($("note").textContent = ""), 1000 * seconds);
}

// A triangle as a mark, with soft edges: the alpha of a distance field.
function triangle(side) {
  const data = new Uint8Array(4 * side * side);
  for (let k = 0; k < side * side; k++) {
    const x = Math.abs((k % side) + 0.5 - side / 2), y = Math.floor(k / side) + 0.5;
    const inside = Math.min((y - 2) * 0.45 - x * 0.9 + 0.2, side - 3 - y);
    data[4 * k + 3] = Math.max(0, Math.min(255, 191 + 24 * inside));
  }
  return { width: side, height: side, data };
}

async function start() {
  const answer = await fetch(`${FOLDER}tiles/world.json`);
  if (!answer.ok) throw new Error("there are no tiles here: make them with landfall map OUTDIR --formats tiles");
  const world = await answer.json();
  if (world.form !== FORM) throw new Error("these tiles are of another version of Landfall: make them again");
  archives.install(["", "polar-"].flatMap((plane) => ["world", "tints", "relief"].map((name) => `${FOLDER}tiles/${plane}${name}.pmtiles`)));
  new Viewer(world);
}

class Viewer {
  constructor(world) {
    this.world = world;
    document.title = `${world.name} · Landfall`;
    $("title").innerHTML = "<span></span><small></small>";
    $("title").children[0].textContent = world.name;
    $("title").children[1].textContent = world.code;
    this.state = this.stateOf(link.read(location.hash));
    this.plane = planeOf(this.state.view, world.polar);
    document.documentElement.dataset.theme = this.state.dark ? "dark" : "light";
    this.map = this.mapOf();
    this.card = cardIn($("card"), { choose: (kind, id, fly) => this.choose(kind, id, fly), show: (thing) => this.show(thing), mark: (place) => this.mark(place), closed: (inside) => this.unchoose(inside) });
    this.measure = measureOn({ map: this.map, plane: () => this.plane, radius_m: world.radius_m, tell: (words) => note(words, 0) });
    this.tools = toolsIn($("tools"), $("panel"), this);
    this.drawScale = scale.install(this.map, $("scale"), world, () => this.plane);
    search.install($("query"), $("found"), (thing) => this.choose(thing.kind, thing.id, true));
    keysOn(this);
    this.listen();
    if (this.wanted.code && this.wanted.code !== world.code) note(`This link is to another world, ${this.wanted.code}`, 0);
  }

  stateOf(wanted) {
    this.wanted = wanted;
    const dark = wanted.theme === "dark" || (wanted.theme === "auto" && darkness.matches);
    return { view: wanted.view, layers: wanted.layers, sun: wanted.sun, theme: wanted.theme, dark, chosen: null, camera: wanted.camera };
  }

  // The camera in the words of the map library; null: the whole of what the view shows.
  cameraOf(camera) {
    const { disc } = VIEWS[this.state.view];
    const side = Math.min(innerWidth, innerHeight);
    const whole = disc === undefined ? Math.log2((side * (this.state.view === "globe" ? 3.1 : 1.9)) / 512) : Math.log2((side * 0.9) / (512 * 2 * this.world.polar.radius));
    const zoom = camera?.zoom ?? whole;
    const place = camera?.place ?? this.world.middle;
    const inside = this.plane.holds(place) ? this.plane.toMap(place) : this.plane.middle;
    return { center: inside, zoom, bearing: camera?.bearing ?? 0, pitch: camera?.pitch ?? 0 };
  }

  mapOf() {
    return new View({
      container: "map", style: styleOf(this.world, this.state), ...this.cameraOf(this.state.camera), ...this.limits(),
      attributionControl: false, maxPitch: 60, maxZoom: this.world.zooms.vector + 3, minZoom: 0, fadeDuration: 150,
      renderWorldCopies: this.plane.middle === undefined, refreshExpiredTiles: false,
    });
  }

  limits() {
    return { maxBounds: this.plane.bounds ?? null };
  }

  listen() {
    const { map } = this;
    map.on("style.load", () => this.dress());
    map.on("moveend", () => this.write());
    map.on("click", (event) => this.click(event.lngLat.toArray(), event.point));
    map.on("mousemove", ({ lngLat, point }) => ($("place").textContent = this.beside(lngLat.toArray(), point) ? "" : placeWords(this.plane.toPlace(lngLat.toArray()))));
    map.on("error", (event) => note(`${event.error?.message ?? event.error}`));
    // The first picture with tiles in it.
    const first = () => {
      if (!map.isSourceLoaded("tints")) return;
      document.body.dataset.drawn = "yes";
      map.off("render", first);
    };
    map.on("render", first);
    map.once("idle", async () => {
      performance.mark("idle");
      document.body.dataset.idle = "yes";
      await things.load();
      if (this.wanted.thing) this.choose(this.wanted.thing.kind, this.wanted.thing.id, !this.wanted.camera);
    });
    addEventListener("hashchange", () => this.follow());
    darkness.addEventListener("change", () => this.state.theme === "auto" && this.setDark(darkness.matches));
  }

  // Puts what is not in the style into its own sources.
  dress() {
    const { map, plane } = this;
    if (!map.getSource("night")) return;
    if (!map.hasImage("peak")) map.addImage("peak", triangle(20), { sdf: true });
    if (plane.edge) {
      const square = [plane.bounds[0], [plane.bounds[1][0], plane.bounds[0][1]], plane.bounds[1], [plane.bounds[0][0], plane.bounds[1][1]], plane.bounds[0]];
      const far = square.map(([x, y]) => [plane.middle[0] + 3 * (x - plane.middle[0]), Math.max(-84, Math.min(84, 2 * y))]);
      const feature = (type, coordinates) => ({ type: "Feature", properties: {}, geometry: { type, coordinates } });
      map.getSource("mask").setData({ type: "FeatureCollection", features: [feature("Polygon", [far, plane.edge]), feature("LineString", plane.edge)] });
    }
    this.drawNight();
    this.measure?.draw();
    this.highlight();
    this.write();
  }

  restyle() {
    // Only what differs is changed; what is not in the style is put back at once.
    this.map.setStyle(styleOf(this.world, this.state), { diff: true });
    this.dress();
  }

  setView(view) {
    if (view === this.state.view) return;
    const camera = this.camera();
    const files = VIEWS[this.state.view].files;
    this.state.view = view;
    this.plane = planeOf(view, this.world.polar);
    if (files || VIEWS[view].files) {
      this.map.setMaxBounds(null);
      this.map.setRenderWorldCopies(this.plane.middle === undefined);
      this.restyle();
      const { disc } = VIEWS[view];
      const kept = disc === undefined ? { ...camera, place: files ? [camera.place[0], Math.sign(camera.place[1]) * Math.min(Math.abs(camera.place[1]), 70)] : camera.place } : this.plane.holds(camera.place) ? camera : null;
      this.map.jumpTo({ ...this.cameraOf(kept), bearing: 0, pitch: 0 });
      this.map.setMaxBounds(this.plane.bounds ?? null);
    } else {
      this.restyle();
    }
    this.drawScale();
    this.tools.refresh();
    this.write();
  }

  setLayer(key, on) {
    this.state.layers[on ? "add" : "delete"](key);
    this.restyle();
    if (key === "climate") this.tools.refresh();
    this.write();
  }

  setSun(sun, refresh = false) {
    this.state.sun = sun;
    this.drawNight();
    if (refresh) this.tools.refresh();
    this.tools.pressed("sun", sun !== null);
    this.write();
  }

  drawNight() {
    const data = this.state.sun ? nightOf(this.state.sun, this.plane) : { type: "FeatureCollection", features: [] };
    this.map.getSource("night")?.setData(data);
  }

  setTheme() {
    const other = this.state.dark ? "light" : "dark";
    // Back to what the system has, where that is the same.
    this.state.theme = (other === "dark") === darkness.matches ? "auto" : other;
    this.setDark(other === "dark");
  }

  setDark(dark) {
    this.state.dark = dark;
    document.documentElement.dataset.theme = dark ? "dark" : "light";
    this.restyle();
  }

  toggleMeasure() {
    this.tools.pressed("measure", this.measure.toggle());
  }

  async copyLink() {
    this.write();
    try {
      await navigator.clipboard.writeText(location.href);
      note("The link is copied");
    } catch {
      note("Copy the link from the address bar");
    }
  }

  async click(lngLat, point) {
    const place = this.plane.toPlace(lngLat);
    if (this.beside(lngLat, point)) return undefined;
    if (this.measure.on) return this.measure.add(place);
    await things.load();
    const found = pickAt(this.map, point);
    if (found && things.thing(found.kind, found.id)) return this.choose(found.kind, found.id);
    const url = `${FOLDER}tiles/${VIEWS[this.state.view].files}relief.pmtiles`;
    const height = await heightAt(url, this.world.zooms.raster, lngLat).catch(() => null);
    this.unchoose();
    this.card.place(place, { height, climate: climateAt(this.map, point) });
    return this.mark(place);
  }

  // Whether a point of the screen is beside the planet: in space, or beyond the cap of a pole.
  beside(lngLat, point) {
    const back = this.map.project(lngLat);
    const off = Math.hypot(back.x - point.x, back.y - point.y) > 4;
    return off || (this.plane.edge !== undefined && !this.plane.holds(this.plane.toPlace(lngLat)));
  }

  choose(kind, id, fly = false) {
    const thing = things.thing(kind, id);
    if (!thing) return;
    this.state.chosen = { kind, id };
    this.mark(null);
    this.card.open(thing);
    this.highlight();
    if (fly) this.show(thing);
    this.write();
  }

  unchoose(focus = false) {
    this.state.chosen = null;
    this.highlight();
    if (focus) this.map.getCanvas().focus();
    this.write();
  }

  show(thing) {
    const place = [thing.longitude, thing.latitude];
    if (this.plane.holds(place)) {
      const polar = this.plane.middle === undefined && Math.abs(place[1]) > 82;
      if (!polar) return this.map.flyTo({ center: this.plane.toMap(place), zoom: Math.min(Math.max(thing.whole + 0.4, 1), this.world.zooms.vector + 1), padding: this.padding() });
    }
    this.setView(Math.abs(place[1]) > 82 ? (place[1] > 0 ? "north" : "south") : "globe");
    return this.map.jumpTo({ center: this.plane.toMap(place), zoom: Math.max(thing.whole + 0.4, 1) });
  }

  padding() {
    const beside = !$("card").hidden && innerWidth > 700;
    const below = !$("card").hidden && innerWidth <= 700;
    return { left: beside ? 340 : 0, bottom: below ? innerHeight * 0.4 : 0, top: 0, right: 0 };
  }

  mark(place) {
    const point = { type: "Feature", properties: {}, geometry: { type: "Point", coordinates: place ? this.plane.toMap(place) : [0, 0] } };
    this.map.getSource("chosen")?.setData({ type: "FeatureCollection", features: place ? [point] : [] });
  }

  highlight() {
    if (!this.map.getLayer("chosen-river")) return;
    const { kind, id } = this.state.chosen ?? {};
    const only = (...kinds) => ["all", ["==", ["id"], kinds.includes(kind) ? id : -1]];
    this.map.setFilter("chosen-river", only("river"));
    this.map.setFilter("chosen-area", kind === "lake" ? [...only("lake"), ["==", ["get", "kind"], "lake"]] : ["==", ["id"], -1]);
    const thing = kind === "peak" && things.thing(kind, id);
    if (thing) this.mark([thing.longitude, thing.latitude]);
  }

  camera() {
    const { map } = this;
    return { zoom: map.getZoom(), place: this.plane.toPlace(map.getCenter().toArray()), bearing: map.getBearing(), pitch: map.getPitch() };
  }

  write() {
    this.state.camera = this.camera();
    const hash = link.written(this.state, this.world.code);
    if (hash !== location.hash) history.replaceState(null, "", hash);
    this.hash = hash;
  }

  // Goes to what the address says, where somebody else has changed it.
  follow() {
    if (location.hash === this.hash) return;
    location.reload();
  }
}

start().catch((error) => {
  $("note").textContent = `The map cannot be shown: ${error.message}`;
  document.body.classList.add("failed");
});
