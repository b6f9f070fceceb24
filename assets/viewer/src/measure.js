// Measuring: great circles from click to click, in kilometres on this planet.

import { distance, greatCircle, kilometres } from "./geo.js";

// `host`: { map, plane(), radius_m, tell(words) }.
export function measureOn(host) {
  let places = [], on = false;
  const draw = () => {
    const source = host.map.getSource("measure");
    if (!source) return;
    const plane = host.plane();
    const line = places.slice(1).flatMap((place, k) => greatCircle(places[k], place));
    const feature = (type, coordinates) => ({ type: "Feature", properties: {}, geometry: { type, coordinates } });
    const features = places.map((place) => feature("Point", plane.toMap(place)));
    if (line.length) features.push(feature("LineString", joined(line).map(plane.toMap)));
    source.setData({ type: "FeatureCollection", features });
    const km = places.slice(1).map((place, k) => (distance(places[k], place) * host.radius_m) / 1000);
    const total = km.reduce((sum, part) => sum + part, 0);
    const last = km.length > 1 ? `, the last leg ${kilometres(km.at(-1))}` : "";
    if (on) host.tell(km.length ? `${kilometres(total)}${last}` : places.length ? "Click where to measure to" : "Click where to measure from");
  };
  return {
    get on() {
      return on;
    },
    draw,
    add(place) {
      places.push(place);
      draw();
    },
    undo() {
      places.pop();
      draw();
    },
    toggle() {
      on = !on;
      places = [];
      draw();
      if (!on) host.tell("");
      host.map.getCanvas().classList.toggle("measuring", on);
      return on;
    },
  };
}

// One line whose longitudes go on beyond 180 where it crosses that meridian.
function joined(line) {
  let turn = 0;
  return line.map(([longitude, latitude], k) => {
    if (k) {
      const step = longitude - line[k - 1][0];
      if (Math.abs(step) > 180) turn -= 360 * Math.round(step / 360);
    }
    return [longitude + turn, latitude];
  });
}
