// The search field: names as they are typed, chosen by pointer or by the arrow keys.

import { KINDS, load, search } from "./things.js";

export function install(query, list, choose) {
  let found = [], at = -1;
  const mark = () => {
    [...list.children].forEach((item, k) => item.setAttribute("aria-selected", String(k === at)));
    if (at >= 0) {
      query.setAttribute("aria-activedescendant", `found-${at}`);
      list.children[at].scrollIntoView({ block: "nearest" });
    } else query.removeAttribute("aria-activedescendant");
  };
  const close = () => {
    list.hidden = true;
    at = -1;
    query.setAttribute("aria-expanded", "false");
    query.removeAttribute("aria-activedescendant");
  };
  const take = (k) => {
    if (!found[k]) return;
    query.value = KINDS[found[k].kind].name(found[k]);
    close();
    choose(found[k]);
  };
  const update = async () => {
    await load();
    const before = performance.now();
    found = search(query.value);
    at = -1;
    list.replaceChildren(...found.map((thing, k) => {
      const item = Object.assign(document.createElement("li"), { id: `found-${k}` });
      item.setAttribute("role", "option");
      item.append(
        Object.assign(document.createElement("span"), { textContent: KINDS[thing.kind].name(thing) }),
        Object.assign(document.createElement("small"), { textContent: KINDS[thing.kind].one.toLowerCase() }),
      );
      // Before the field loses the focus.
      item.addEventListener("pointerdown", (event) => event.preventDefault());
      item.addEventListener("click", () => take(k));
      return item;
    }));
    if (!found.length && query.value.trim()) {
      const none = Object.assign(document.createElement("li"), { textContent: "No such name", className: "none" });
      none.setAttribute("role", "option");
      none.setAttribute("aria-disabled", "true");
      list.append(none);
    }
    list.hidden = !list.children.length;
    query.setAttribute("aria-expanded", String(!list.hidden));
    mark();
    performance.measure("search", { start: before, end: performance.now() });
  };
  query.addEventListener("input", update);
  query.addEventListener("focus", () => load());
  query.addEventListener("blur", close);
  query.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (list.hidden) return void update();
      const step = event.key === "ArrowDown" ? 1 : -1;
      at = found.length ? (at + step + found.length + (at < 0 && step < 0 ? 1 : 0)) % found.length : -1;
      mark();
    } else if (event.key === "Enter") take(Math.max(at, 0));
    else if (event.key === "Escape") {
      if (list.hidden) query.blur();
      query.value = "";
      close();
    }
  });
}
