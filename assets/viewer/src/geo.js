// Places and distances on a sphere; [longitude, latitude] in degrees, distances in radians unless said.

const RAD = Math.PI / 180;

export function distance([a, b], [c, d]) {
  const h = Math.sin(((d - b) / 2) * RAD) ** 2 + Math.cos(b * RAD) * Math.cos(d * RAD) * Math.sin(((c - a) / 2) * RAD) ** 2;
  return 2 * Math.asin(Math.min(1, Math.sqrt(h)));
}

function direction([longitude, latitude]) {
  const ring = Math.cos(latitude * RAD);
  return [ring * Math.cos(longitude * RAD), ring * Math.sin(longitude * RAD), Math.sin(latitude * RAD)];
}

// The great circle from one place to another, a vertex every two degrees; longitudes go on beyond 180 where it does.
export function greatCircle(from, to) {
  const angle = distance(from, to);
  const steps = Math.max(1, Math.ceil(angle / (2 * RAD)));
  const [p, q] = [direction(from), direction(to)];
  const line = [];
  for (let k = 0; k <= steps; k++) {
    const [u, v] = angle < 1e-9 ? [1, 0] : [Math.sin((1 - k / steps) * angle), Math.sin((k / steps) * angle)];
    const [x, y, z] = p.map((value, i) => u * value + v * q[i]);
    let longitude = Math.atan2(y, x) / RAD;
    const before = k ? line[k - 1][0] : from[0];
    longitude += 360 * Math.round((before - longitude) / 360);
    line.push([longitude, Math.atan2(z, Math.hypot(x, y)) / RAD]);
  }
  return line;
}

export const wrapped = (longitude) => ((((longitude + 180) % 360) + 360) % 360) - 180;

const parts = (value, positive, negative) => {
  const minutes = Math.round(Math.abs(value) * 60);
  return `${Math.floor(minutes / 60)}°${String(minutes % 60).padStart(2, "0")}′ ${value < 0 ? negative : positive}`;
};

export const placeWords = ([longitude, latitude]) => `${parts(latitude, "N", "S")}, ${parts(wrapped(longitude), "E", "W")}`;

const grouped = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });

// A number with a space between thousands, and one decimal where it is small.
export function figure(value) {
  const small = Math.abs(value) < 10 && value !== Math.round(value);
  return small ? value.toFixed(1) : grouped.format(Math.round(value)).replaceAll(",", "\u202f");
}

export const kilometres = (km) => (km < 1 ? `${figure(km * 1000)} m` : `${figure(km)} km`);
