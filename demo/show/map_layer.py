"""MapLayer: what a map's story draws over its relief: lines, dots of rain and rhombi, and names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..geometry.forms import forms_of, swollen
from ..geometry.label_layout import facing, projected, settled
from ..maths.vectors import unit
from ..render.map_lines import MapLines
from ..render.map_names import MapNames, MapNamesPass
from ..render.strip_pass import StripPass
from ..render.text import Line
from ..scenes.map_timing import MapMoment, drops
from ..worlds.atlas import DOUBLE_CONE, Atlas

if TYPE_CHECKING:
    from ..geometry.frame_state import Moment
    from ..mapping.shown.map_labels import Label
    from ..render.glow import GlowBatch
    from ..render.height_textures import Land
    from ..render.shader_switches import LineSwitches
    from ..render.shared_textures import SharedTextures
    from ..scenes.scene import Scene
    from ..story.prepared import PreparedMap
    from .frame import Frame

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


class MapPasses:
    """What all maps share on the GPU: the programs of their lines and of their names."""

    def __init__(self) -> None:
        self.lines: StripPass[LineSwitches] = StripPass()
        self.names = MapNamesPass()

    def free(self) -> None:
        """Free everything; idempotent."""
        self.lines.free()
        self.names.free()


class MapLayer:
    """One story's map over its relief: lines, dots of rain and of rhombi, and names. Main thread only."""

    def __init__(
        self, passes: MapPasses, shown: PreparedMap, scene: Scene, metres: float, atlas: Atlas = DOUBLE_CONE
    ) -> None:
        """`metres`: of the show in a unit of the world's heights. `atlas`: the planet's."""
        self._passes, self._shown, self._scene, self._metres = passes, shown.without_points(), scene, metres
        self._lines = MapLines(passes.lines, shown.divides, scene.size_m, scene.relief_m, atlas)
        self._names: _Names | None = None
        self.lay(shown)

    def lay(self, shown: PreparedMap) -> None:
        """Take the rivers and the names of the map if they are known by now; once is enough."""
        if shown.rivers and shown.far_rivers and not self._lines.has_rivers:
            self._lines.lay(shown.rivers, shown.far_rivers)
            self._shown = shown.without_points()

    def draw_lines(
        self,
        frame: Frame,
        shown: MapMoment,
        land: Land,
        palette: dict[str, Any],
        textures: SharedTextures,
        height: int,
    ) -> None:
        """Rivers and divides, over the surface of a picture `height` pixels high."""
        self._lines.draw(
            frame.view,
            frame.look,
            frame.moment,
            land,
            palette,
            textures,
            height,
            reached=shown.reached,
            ink=shown.ink,
            divides=0.45 * shown.borders,
            rivers=1.0 - frame.bedded,
        )

    def add_marks(self, batch: GlowBatch, frame: Frame, shown: MapMoment, height: int) -> None:
        """Rain and rhombi into the batch."""
        if shown.rain > 0.0:
            self._add_rain(batch, frame, shown.rain, height)
        if shown.rhombi > 0.0 and frame.prepared.outline is not None:
            colour = np.array([*RHOMBI_COLOUR, 0.5 * shown.rhombi])
            at = _formed(frame.prepared.outline, 1.3 * self._scene.relief_m, frame.moment, self._scene.size_m)
            batch.points(at - frame.view.eye, colour, max(1.5, height / 300.0))

    def _add_rain(self, batch: GlowBatch, frame: Frame, strength: float, height: int) -> None:
        forms = self._shown.rain
        lit = 0.25 + 3.0 * (forms[1] @ frame.view.uniforms["sun"])
        # Those on the night side give no light.
        seen = np.flatnonzero(lit > 0.0)
        heights_m, bright = drops(seen, frame.t)
        colours = np.empty((len(seen), 4))
        colours[:, :3] = RAIN_COLOUR
        colours[:, 3] = 0.42 * strength * (bright * np.minimum(lit[seen], 1.0))
        at = _formed(forms.take(seen, axis=1), heights_m + self._scene.relief_m, frame.moment, self._scene.size_m)
        batch.points(at - frame.view.eye, colours, max(1.6, height / 330.0))

    def draw_names(self, frame: Frame, shown: MapMoment, width: int, height: int) -> None:
        """Names over the developed picture, width x height pixels."""
        if max(shown.names, shown.way) <= 0.0 or frame.moment.swell < 1.0 or not self._shown.labels:
            return
        view, size_m, names = frame.view, self._scene.size_m, self._names_for(height)
        at, above = _formed(names.forms, names.heights_m, frame.moment, size_m) - view.eye
        up = unit(above - at)
        # Where it is night there is nothing to name.
        lit = np.minimum(np.maximum(0.4 + 3.0 * (up @ view.uniforms["sun"]), 0.0), 1.0)
        wanted = np.array([shown.names, shown.way, max(shown.names, shown.way)])[names.when] * lit * facing(at, up)
        near = np.sqrt((at * at).sum(axis=1)) / size_m
        far = np.minimum(np.maximum((near - LAND_NEAR) / (LAND_FAR - LAND_NEAR), 0.0), 1.0)
        wanted = np.where(names.lands, wanted * far, wanted)
        middle = projected(at, np.asarray(view.uniforms["view_projection"]), width, height)
        there = np.flatnonzero((wanted > 0.0) & np.isfinite(middle).all(axis=1))
        size = names.signs.sizes(there)
        corner = middle[there] - names.lean(there, size)
        seen = settled(np.hstack([corner, corner + size]), wanted[there], width, height)
        drawn = np.flatnonzero(seen > 0.0)
        names.signs.draw(there[drawn], corner[drawn], seen[drawn], width)

    def _names_for(self, height: int) -> _Names:
        """The names as they are written in a picture `height` pixels high."""
        if self._names is None or self._names.signs.height != height:
            if self._names is not None:
                self._names.signs.free()
            labels = self._shown.labels
            signs = MapNames(self._passes.names, [_lines(label) for label in labels], height)
            self._names = _Names.of(labels, self._metres, signs)
        return self._names

    def free(self) -> None:
        """Free everything; idempotent."""
        self._lines.free()
        if self._names is not None:
            self._names.signs.free()


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
        """Those of labels; `metres`: of the show in a unit of their heights."""
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
