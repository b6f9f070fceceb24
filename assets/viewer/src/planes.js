// What the map library takes for longitude and latitude, in each view. Globe and flat map show the tiles of the world.
// Tiles of the world end at 85 degrees. The views of the poles show tiles of another square: it has a stereographic disc for
// each polar cap, and the library draws it as if it were a flat map.

import { wrapped } from "./geo.js";

const RAD = Math.PI / 180;

const toSquare = ([lng, lat]) => [lng / 360 + 0.5, 0.5 - Math.asinh(Math.tan(lat * RAD)) / (2 * Math.PI)];
const fromSquare = ([x, y]) => [360 * x - 180, Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) / RAD];

export const VIEWS = {
  globe: { label: "Globe", files: "", projection: "globe" },
  flat: { label: "Flat map", files: "", projection: "mercator" },
  north: { label: "North pole", files: "polar-", projection: "mercator", disc: 0 },
  south: { label: "South pole", files: "polar-", projection: "mercator", disc: 1 },
};

// The plane of a view: `toMap` takes a place to what the library calls it, `toPlace` back.
export function planeOf(view, polar) {
  const { disc } = VIEWS[view];
  if (disc === undefined) {
    return { toMap: (place) => place, toPlace: ([lng, lat]) => [wrapped(lng), lat], holds: () => true };
  }
  const [sign, x0, y0] = polar.discs[disc];
  const scale = polar.radius / Math.tan((0.5 * (90 - polar.cap)) * RAD);
  const square = ([longitude, latitude]) => {
    const reach = scale * Math.tan(0.5 * (90 - sign * latitude) * RAD);
    return [x0 + reach * Math.sin(longitude * RAD), y0 + sign * reach * Math.cos(longitude * RAD)];
  };
  return {
    toMap: ([longitude, latitude]) => fromSquare(square([longitude, sign * Math.max(sign * latitude, -80)])),
    toPlace: (lngLat) => {
      const [x, y] = toSquare(lngLat);
      const [east, south] = [x - x0, sign * (y - y0)];
      const latitude = 90 - 2 * Math.atan(Math.hypot(east, south) / scale) / RAD;
      return [Math.atan2(east, south) / RAD, sign * latitude];
    },
    holds: ([, latitude]) => sign * latitude >= polar.cap,
    middle: fromSquare([x0, y0]),
    bounds: [fromSquare([x0 - 1.5 * polar.radius, y0 + 1.5 * polar.radius]), fromSquare([x0 + 1.5 * polar.radius, y0 - 1.5 * polar.radius])],
    // The edge of the disc, and a square around it from which the disc is left out.
    edge: Array.from({ length: 181 }, (_, k) => fromSquare([x0 + polar.radius * Math.cos(2 * k * RAD), y0 + polar.radius * Math.sin(2 * k * RAD)])),
  };
}
