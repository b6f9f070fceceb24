"""PlateArtist: the GPU side of the map's scene: its lines, its dots of rain and rhombi, and its names."""

from __future__ import annotations

import numpy as np

from demo.plate import PlateMoment, drops
from demo.render.ink import Ink, InkArtist
from demo.render.labels import facing, projected, settled
from demo.render.marks import Batch
from demo.render.overlay import Line, Overlay
from demo.render.ribbons import INK, Ribbons
from demo.render.sheet import on_cone
from demo.render.sky import Lamps, Look
from demo.render.surface import Moment, Surface
from demo.render.view import View
from demo.story import Story

RHOMBI_COLOUR, RAIN_COLOUR = np.array([1.0, 0.85, 0.55]), np.array([0.55, 0.78, 1.0])
# How names are written: size as a share of the picture's height, colour, font.
STYLES = {
    "landmass": (0.034, (250, 246, 232), "EBGaramond12-Regular.ttf"),
    "river": (0.0220, (214, 236, 255), "EBGaramond12-Italic.ttf"),
    "way": (0.0250, (226, 240, 252), "EBGaramond12-Italic.ttf"),
    "lake": (0.0220, (196, 228, 255), "EBGaramond12-Italic.ttf"),
    "peak": (0.0205, (250, 238, 220), "EBGaramond12-Regular.ttf"),
}
# Landmasses are named from afar, in radii of distance from the ground: gone, and fully there.
LAND_NEAR, LAND_FAR = 0.12, 0.5


class PlateArtist:
    """Draws the maps of stories whose scene has a plate. Main thread only."""

    def __init__(self, batch: Batch) -> None:
        self._batch = batch
        self._artist = InkArtist()
        self._ink: dict[Story, Ink] = {}
        self._names: dict[Story, list[tuple[str, tuple[Line, ...]]]] = {}

    def drop(self, story: Story) -> None:
        """Free what belongs to a story."""
        self._names.pop(story, None)
        if story in self._ink:
            self._ink.pop(story).free()

    def draw_lines(
        self,
        story: Story,
        plate: PlateMoment,
        view: View,
        look: Look,
        moment: Moment,
        palette: dict,
        lamps: Lamps,
        height: int,
        surface: Surface,
    ) -> None:
        """Rivers and divides, over the surface."""
        if story not in self._ink:
            self._ink[story] = Ink(self._artist, *story.take_ribbons(), story.scene.size_m, story.scene.relief_m)
        lines = {"reached": plate.reached, "ink": plate.ink, "divides": 0.45 * plate.borders, "waters": surface.waters()}
        self._ink[story].draw(view, look, moment, palette, lamps, height, **lines)

    def add_marks(self, story: Story, t: float, plate: PlateMoment, view: View, moment: Moment, height: int) -> None:
        """Rain and rhombi into the batch."""
        scene = story.scene
        if plate.rain > 0.0:
            places = story.prepared.rain
            heights, bright = drops(places, t)
            bright = bright * np.clip(0.25 + 3.0 * (places @ view.uniforms["sun"]), 0.0, 1.0)
            lifted = heights + scene.relief_m
            colours = np.empty((len(places), 4))
            colours[:, :3], colours[:, 3] = RAIN_COLOUR, 0.42 * plate.rain * bright
            self._add(places, lifted, colours, view, moment, scene.size_m, max(1.6, height / 330.0))
        if plate.rhombi > 0.0:
            on_sphere = story.prepared.outline[1]
            colour = np.array([*RHOMBI_COLOUR, 0.5 * plate.rhombi])
            self._add(on_sphere, 1.3 * scene.relief_m, colour, view, moment, scene.size_m, max(1.5, height / 300.0))

    def _add(
        self,
        places: np.ndarray,
        height_m: object,
        colours: np.ndarray,
        view: View,
        moment: Moment,
        size_m: float,
        pixels: float,
    ) -> None:
        self._batch.points(_formed(places, height_m, moment, size_m) - view.eye, colours, pixels)

    def draw_names(
        self, story: Story, plate: PlateMoment, view: View, moment: Moment, overlay: Overlay, width: int, height: int
    ) -> None:
        """Names over the developed picture."""
        labels, size_m = story.prepared.labels, story.scene.size_m
        if max(plate.names, plate.way) <= 0.0 or moment.swell < 1.0 or not labels:
            return
        if story not in self._names:
            self._names[story] = [(f"{label.kind} {k}", _lines(label)) for k, label in enumerate(labels)]
        places = np.stack([label.place for label in labels])
        heights = np.array([label.height_m for label in labels]) * story.metres
        relative = _formed(places, heights, moment, size_m) - view.eye
        up = _formed(places, heights + 1000.0, moment, size_m) - view.eye - relative
        shares = {"landmass": plate.names, "river": plate.names, "way": plate.way}
        wanted = np.array([shares.get(label.kind, max(plate.names, plate.way)) for label in labels])
        up /= np.sqrt((up * up).sum(axis=1, keepdims=True))
        # Where it is night there is nothing to name.
        lit = np.clip(0.4 + 3.0 * (up @ view.uniforms["sun"]), 0.0, 1.0)
        wanted = wanted * lit * facing(relative, up)
        near = np.sqrt((relative * relative).sum(axis=1)) / size_m
        lands = np.array([label.kind == "landmass" for label in labels])
        wanted = np.where(lands, wanted * np.clip((near - LAND_NEAR) / (LAND_FAR - LAND_NEAR), 0.0, 1.0), wanted)
        at = projected(relative, np.asarray(view.uniforms["view_projection"]), width, height)
        names = self._names[story]
        boxes = np.full((len(names), 4), np.nan)
        for k in np.flatnonzero((wanted > 0.0) & np.isfinite(at).all(axis=1)):
            boxes[k] = _box(at[k], overlay.size_of(*names[k], height), labels[k].kind)
        for k, seen in enumerate(settled(boxes, wanted, width, height)):
            if seen > 0.0:
                overlay.draw_at(*names[k], float(seen), boxes[k, :2], width, height)

    def rehearse(self, view: View, look: Look, moments: list[Moment], palette: dict, lamps: Lamps, surface: Surface) -> None:
        """Draw every kind of line once, from made-up ones."""
        one = np.ones(1, np.intp)
        line = Ribbons(np.zeros(6, INK), 0 * one, 6 * one, np.ones((1, 3)), 4.0 * one)
        ink = Ink(self._artist, line, line, line, 1.0, 1.0)
        for moment in moments:
            ink.draw(view, look, moment, palette, lamps, 720, 1.0, 1.0, 1.0, surface.waters())
        ink.free()

    def free(self) -> None:
        for story in list(self._ink):
            self.drop(story)
        self._artist.free()


def _formed(places: np.ndarray, height_m: object, moment: Moment, size_m: float) -> np.ndarray:
    """World coordinates of unit vectors on the planet's present form."""
    heights = np.broadcast_to(np.asarray(height_m, np.float64), len(places))
    if moment.sheet is not None:
        return moment.sheet.place(places, heights)
    return on_cone(places, moment.swell) * (size_m + heights)[:, None]


def _lines(label: object) -> tuple[Line, ...]:
    size, colour, font = STYLES[label.kind]
    text = "  ".join(label.name.upper()) if label.kind == "landmass" else label.name
    return (Line("^ " + text if label.kind == "peak" else text, size, colour, font=font),)


def _box(at: np.ndarray, size: tuple[int, int], kind: str) -> np.ndarray:
    """Left, bottom, right and top of a name: peaks' begin at their place, the others stand around or above it."""
    w, h = size
    x = at[0] - (0.6 * h if kind == "peak" else 0.5 * w)
    y = at[1] - (0.1 * h if kind in ("river", "way") else 0.5 * h)
    return np.array([x, y, x + w, y + h])
