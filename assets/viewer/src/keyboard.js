// Keys beside those of the map itself.

const VIEW_KEYS = { g: "globe", f: "flat", n: "north", s: "south" };

export function keysOn(viewer) {
  const { map, tools } = viewer;
  const middle = () => {
    const { clientWidth, clientHeight } = map.getContainer();
    const point = { x: clientWidth / 2, y: clientHeight / 2 };
    viewer.click(map.unproject([point.x, point.y]).toArray(), point);
  };
  const verbs = {
    "/": () => document.getElementById("query").focus(),
    "?": () => tools.show("help"),
    l: () => tools.show("layers"),
    d: () => tools.show("sun"),
    m: () => viewer.toggleMeasure(),
    t: () => viewer.setTheme(),
    c: () => viewer.copyLink(),
    Backspace: () => viewer.measure.on && viewer.measure.undo(),
    Escape: () => {
      if (tools.open) tools.show(null);
      else if (viewer.measure.on) viewer.toggleMeasure();
      else if (!document.getElementById("card").hidden) viewer.card.close();
    },
  };
  addEventListener("keydown", (event) => {
    const typing = event.target.matches?.("input[type=text]");
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (key === "Enter" && event.target === map.getCanvas()) return void (event.preventDefault(), middle());
    if (VIEW_KEYS[key]) viewer.setView(VIEW_KEYS[key]);
    else if (verbs[key]) {
      event.preventDefault();
      verbs[key]();
    }
  });
}
