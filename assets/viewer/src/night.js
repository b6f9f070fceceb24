// Night and twilight as areas: where the sun stands lower than each of a few depths, as strips along meridians.

const RAD = Math.PI / 180;
// From the upper edge of the sun at the horizon to the end of astronomical twilight.
const DEPTHS = [-0.83, -3, -6, -9, -12, -15, -18];
// Degrees. Closer to the equinox the strips could not follow the line between day and night past the poles.
const STRIP = 1.5, LEAST_TILT = 1.5;

// The latitudes, [south, north], at which the sun is lower than `depth` on the meridian `hour` degrees from the sun's.
function dark(hour, season, depth) {
  const [a, b] = [Math.sin(season * RAD), Math.cos(season * RAD) * Math.cos(hour * RAD)];
  const share = Math.sin(depth * RAD) / Math.hypot(a, b);
  const lit = Math.acos(Math.min(1, Math.max(-1, share))) / RAD;
  const middle = Math.atan2(a, b) / RAD + (season > 0 ? -180 : 180);
  const half = 180 - lit;
  return [-360, 0, 360].map((turn) => [middle + turn - half, middle + turn + half].map((value) => Math.min(90, Math.max(-90, value))));
}

// GeoJSON of the night at an hour of the prime meridian, with the sun `season` degrees north of the equator.
export function nightOf({ hour, season }, plane) {
  const tilt = Math.abs(season) < LEAST_TILT ? (season < 0 ? -LEAST_TILT : LEAST_TILT) : season;
  const sun = 180 - 15 * hour;
  const features = DEPTHS.map((depth) => ({ type: "Feature", properties: {}, geometry: { type: "MultiPolygon", coordinates: strips(sun, tilt, depth, plane) } }));
  return { type: "FeatureCollection", features };
}

function strips(sun, season, depth, plane) {
  const found = [];
  for (let longitude = -180; longitude < 180; longitude += STRIP) {
    const west = dark(longitude - sun, season, depth), east = dark(longitude + STRIP - sun, season, depth);
    west.forEach(([south, north], k) => {
      const [low, high] = east[k];
      if (north - south < 1e-6 && high - low < 1e-6) return;
      const ring = [[longitude, south], [longitude + STRIP, low], [longitude + STRIP, high], [longitude, north], [longitude, south]];
      found.push([ring.map(([x, y]) => plane.toMap([x, Math.min(89.9, Math.max(-89.9, y))]))]);
    });
  }
  return found;
}
