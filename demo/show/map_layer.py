"""PlateArtist: the GPU side of the map's scene: its lines, its dots of rain and rhombi, and its names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..geometry.forms import forms_of, swollen
from ..geometry.frame_state import Moment
from ..geometry.label_layout import facing, projected, settled
from ..geometry.view import View
from ..render.glow import GlowBatch
from ..render.height_textures import Land
from ..render.map_lines import MapLines, MapLinesPass
from ..render.map_names import MapNames, MapNamesPass
from ..render.shared_textures import SharedTextures
from ..render.text import Line
from ..scenes.map_timing import MapMoment, drops
from ..story.story import Story
from ..tables.looks import Look

if TYPE_CHECKING:
    # Brings numba along.
    from ..mapping.shown.map_labels import Label

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
    """Draws the maps of stories whose scene shows a map. Main thread only."""

    def __init__(self, batch: GlowBatch) -> None:
        self._batch = batch
        self._artist, self._signs = MapLinesPass(), MapNamesPass()
        self._ink: dict[Story, MapLines] = {}
        self._names: dict[Story, _Names] = {}

    def drop(self, story: Story) -> None:
        """Free what belongs to a story."""
        if story in self._names:
            self._names.pop(story).signs.free()
        if story in self._ink:
            self._ink.pop(story).free()

    def draw_lines(
        self,
        story: Story,
        plate: MapMoment,
        view: View,
        look: Look,
        moment: Moment,
        land: Land,
        palette: dict,
        textures: SharedTextures,
        height: int,
    ) -> None:
        """Rivers and divides, over the surface."""
        if story not in self._ink:
            shown = story.prepared.map
            lines = shown.rivers, shown.far_rivers, shown.divides
            self._ink[story] = MapLines(self._artist, *lines, story.scene.size_m, story.scene.relief_m)
        shown = {"reached": plate.reached, "ink": plate.ink, "divides": 0.45 * plate.borders}
        self._ink[story].draw(view, look, moment, land, palette, textures, height, **shown)

    def add_marks(self, story: Story, t: float, plate: MapMoment, view: View, moment: Moment, height: int) -> None:
        """Rain and rhombi into the batch."""
        scene = story.scene
        if plate.rain > 0.0:
            forms = story.prepared.map.rain
            lit = 0.25 + 3.0 * (forms[1] @ view.uniforms["sun"])
            # Those on the night side give no light.
            seen = np.flatnonzero(lit > 0.0)
            heights, bright = drops(seen, t)
            colours = np.empty((len(seen), 4))
            colours[:, :3] = RAIN_COLOUR
            colours[:, 3] = 0.42 * plate.rain * (bright * np.minimum(lit[seen], 1.0))
            lifted, pixels = heights + scene.relief_m, max(1.6, height / 330.0)
            self._add(forms.take(seen, axis=1), lifted, colours, view, moment, scene.size_m, pixels)
        if plate.rhombi > 0.0:
            colour = np.array([*RHOMBI_COLOUR, 0.5 * plate.rhombi])
            lifted = 1.3 * scene.relief_m
            self._add(story.prepared.outline, lifted, colour, view, moment, scene.size_m, max(1.5, height / 300.0))

    def _add(
        self,
        forms: np.ndarray,
        height_m: np.ndarray | float,
        colours: np.ndarray,
        view: View,
        moment: Moment,
        size_m: float,
        pixels: float,
    ) -> None:
        self._batch.points(_formed(forms, height_m, moment, size_m) - view.eye, colours, pixels)

    def draw_names(self, story: Story, plate: MapMoment, view: View, moment: Moment, width: int, height: int) -> None:
        """Names over the developed picture."""
        if max(plate.names, plate.way) <= 0.0 or moment.swell < 1.0 or not story.prepared.map.labels:
            return
        names = self._names_of(story, height)
        at, above = _formed(names.forms, names.heights_m, moment, story.scene.size_m) - view.eye
        up = above - at
        up /= np.sqrt((up * up).sum(axis=1, keepdims=True))
        # Where it is night there is nothing to name.
        lit = np.minimum(np.maximum(0.4 + 3.0 * (up @ view.uniforms["sun"]), 0.0), 1.0)
        wanted = np.array([plate.names, plate.way, max(plate.names, plate.way)])[names.when] * lit * facing(at, up)
        near = np.sqrt((at * at).sum(axis=1)) / story.scene.size_m
        far = np.minimum(np.maximum((near - LAND_NEAR) / (LAND_FAR - LAND_NEAR), 0.0), 1.0)
        wanted = np.where(names.lands, wanted * far, wanted)
        middle = projected(at, np.asarray(view.uniforms["view_projection"]), width, height)
        there = np.flatnonzero((wanted > 0.0) & np.isfinite(middle).all(axis=1))
        size = names.signs.sizes(there)
        corner = middle[there] - names.lean(there, size)
        seen = settled(np.hstack([corner, corner + size]), wanted[there], width, height)
        shown = np.flatnonzero(seen > 0.0)
        names.signs.draw(there[shown], corner[shown], seen[shown], width)

    def _names_of(self, story: Story, height: int) -> _Names:
        if story in self._names and self._names[story].signs.height != height:
            self._names.pop(story).signs.free()
        if story not in self._names:
            labels = story.prepared.map.labels
            signs = MapNames(self._signs, [_lines(label) for label in labels], height)
            self._names[story] = _Names.of(labels, story.prepared.metres, signs)
        return self._names[story]

    def free(self) -> None:
        for story in list(self._ink):
            self.drop(story)
        self._artist.free()
        self._signs.free()


@dataclass(frozen=True)
class _Names:
    """What of a map's k names does not change: `forms` (2, k, 3); `heights_m` (2, k) of their places and of points over
    those; `when` (k,): 0 on the map, 1 on the flight's way, 2 on both; `lands`, `peaks` and `lifted`: bool (k,)."""

    signs: MapNames
    forms: np.ndarray
    heights_m: np.ndarray
    when: np.ndarray
    lands: np.ndarray
    peaks: np.ndarray
    lifted: np.ndarray

    @staticmethod
    def of(labels: tuple[Label, ...], metres: float, signs: MapNames) -> _Names:
        """Those of labels whose heights are so many `metres` of the show in a unit."""
        kinds = np.array([label.kind for label in labels])
        heights = np.array([label.height_m for label in labels]) * metres
        return _Names(
            signs,
            forms_of(np.stack([label.place for label in labels])),
            np.stack([heights, heights + 1000.0]),
            np.select([np.isin(kinds, ("landmass", "river")), kinds == "way"], [0, 1], 2),
            kinds == "landmass",
            kinds == "peak",
            np.isin(kinds, ("river", "way")),
        )

    def lean(self, chosen: np.ndarray, size: np.ndarray) -> np.ndarray:
        """How far the places of the chosen names are to the right of and above the corners of their texts of `size`, pixels
        (k, 2): peaks' begin at their place, the others stand around or above it."""
        wide, high = size.T
        right = np.where(self.peaks[chosen], 0.6 * high, 0.5 * wide)
        return np.stack([right, np.where(self.lifted[chosen], 0.1, 0.5) * high], axis=1)


def _formed(forms: np.ndarray, height_m: np.ndarray | float, moment: Moment, size_m: float) -> np.ndarray:
    """World coordinates (..., k, 3) of places, by their `forms_of`, at heights (..., k) on the planet's present form."""
    if moment.sheet is not None:
        return moment.sheet.place(forms[1], height_m)
    return swollen(forms, moment.swell) * np.asarray(size_m + height_m)[..., None]


def _lines(label: Label) -> tuple[Line, ...]:
    size, colour, font = STYLES[label.kind]
    text = "  ".join(label.name.upper()) if label.kind == "landmass" else label.name
    return (Line("^ " + text if label.kind == "peak" else text, size, colour, font=font),)
