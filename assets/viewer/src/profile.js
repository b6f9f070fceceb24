// A river's profile: its height and its discharge along its course, drawn as SVG.

import { figure } from "./geo.js";

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [320, 150, 42, 46, 12, 24];

function ticks(low, high, count) {
  const raw = (high - low) / count || 1;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].find((digit) => digit * power >= raw) * power;
  const found = [];
  for (let value = Math.ceil(low / step) * step; value <= high + 1e-9; value += step) found.push(value);
  return found;
}

// An element with the drawing; `tell(point)` is called with the point under the pointer, or null.
export function profileOf(course, tell) {
  const length = course.at(-1).km || 1;
  const heights = course.map((point) => point.height);
  const [low, high] = [Math.min(...heights), Math.max(...heights, Math.min(...heights) + 1)];
  const most = Math.max(...course.map((point) => point.discharge)) || 1;
  const x = (km) => LEFT + (km / length) * (WIDTH - LEFT - RIGHT);
  const y = (height) => HEIGHT - BOTTOM - ((height - low) / (high - low)) * (HEIGHT - TOP - BOTTOM);
  const w = (discharge) => HEIGHT - BOTTOM - (discharge / most) * (HEIGHT - TOP - BOTTOM);
  const path = (value) => course.map((point, k) => `${k ? "L" : "M"}${x(point.km).toFixed(1)} ${value(point).toFixed(1)}`).join("");
  const floor = HEIGHT - BOTTOM;
  const ground = `${path((point) => y(point.height))}L${x(length)} ${floor}L${LEFT} ${floor}Z`;
  const box = document.createElement("figure");
  box.className = "profile";
  box.innerHTML = `
    <svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" tabindex="0" aria-label="Profile: from ${figure(heights[0])} m down to ${figure(heights.at(-1))} m over ${figure(length)} km; discharge grows to ${figure(most)} cubic metres a second">
      <path class="ground" d="${ground}"/>
      ${ticks(low, high, 3).map((value) => `<path class="tick" d="M${LEFT} ${y(value)}H${WIDTH - RIGHT}"/><text class="h" x="${LEFT - 5}" y="${y(value) + 3}" text-anchor="end">${figure(value)}</text>`).join("")}
      ${ticks(0, most, 2).slice(1).map((value) => `<text class="q" x="${WIDTH - RIGHT + 5}" y="${w(value) + 3}">${figure(value)}</text>`).join("")}
      ${ticks(0, length, 4).map((value) => `<text x="${x(value)}" y="${HEIGHT - 9}" text-anchor="middle">${figure(value)}</text>`).join("")}
      <path class="height" d="${path((point) => y(point.height))}"/>
      <path class="discharge" d="${path((point) => w(point.discharge))}"/>
      <path class="here" d=""/>
    </svg>
    <figcaption><span class="h">height, m</span><span>km from the source</span><span class="q">discharge, m³/s</span></figcaption>
    <output class="here-words"></output>`;
  const svg = box.querySelector("svg"), mark = box.querySelector(".here"), words = box.querySelector("output");
  const point = (k) => {
    const here = course[k];
    mark.setAttribute("d", here ? `M${x(here.km)} ${TOP}V${floor}` : "");
    words.textContent = here ? `${figure(here.km)} km: ${figure(here.height)} m, ${figure(here.discharge)} m³/s` : "";
    tell(here ?? null);
  };
  let at = -1;
  const nearest = (km) => course.reduce((best, here, k) => (Math.abs(here.km - km) < Math.abs(course[best].km - km) ? k : best), 0);
  svg.addEventListener("pointermove", (event) => {
    const { left, width } = svg.getBoundingClientRect();
    const km = ((((event.clientX - left) / width) * WIDTH - LEFT) / (WIDTH - LEFT - RIGHT)) * length;
    point((at = nearest(Math.min(Math.max(km, 0), length))));
  });
  svg.addEventListener("pointerleave", () => point((at = -1)));
  svg.addEventListener("blur", () => point((at = -1)));
  svg.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const stride = Math.max(1, Math.round(course.length / 40));
    point((at = Math.min(Math.max(at + step * stride, 0), course.length - 1)));
  });
  return box;
}
