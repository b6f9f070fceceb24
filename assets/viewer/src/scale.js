// A scale bar that knows the planet's radius, in the black and white of the printed sheets.

import { distance, figure } from "./geo.js";

const PARTS = 4, WIDEST = 150;

export function install(map, box, world, plane) {
  const draw = () => {
    const { clientWidth, clientHeight } = map.getContainer();
    const y = clientHeight / 2, x = clientWidth / 2;
    const place = (shift) => plane().toPlace(map.unproject([x + shift, y]).toArray());
    const km = (distance(place(-20), place(20)) * world.radius_m) / 1000 / 40;
    if (!(km > 0)) return;
    const most = km * WIDEST;
    const power = 10 ** Math.floor(Math.log10(most));
    const length = [5, 4, 2, 1].find((digit) => digit * power <= most) * power;
    const unit = length < 1 ? ["m", 1000] : ["km", 1];
    const width = (length / km).toFixed(1);
    const cells = Array.from({ length: PARTS }, (_, k) => `<rect x="${(k * width) / PARTS}" y="0" width="${width / PARTS}" height="5" class="${k % 2 ? "b" : "a"}"/>`);
    box.innerHTML = `<svg width="${+width + 2}" height="7" viewBox="-1 -1 ${+width + 2} 7">${cells.join("")}</svg><span>${figure(length * unit[1])} ${unit[0]}</span>`;
    box.setAttribute("aria-label", `Scale: the bar is ${figure(length * unit[1])} ${unit[0]} long`);
  };
  map.on("move", draw);
  map.on("resize", draw);
  draw();
  return draw;
}
