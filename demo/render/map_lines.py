"""The lines of a map on its planet: rivers that run to their mouths, and the divides between catchments."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..geometry.frame_state import Moment
from ..geometry.ribbons import RIBBON_POINT, Ribbons, visible_parts
from ..geometry.view import View
from ..maths.vectors import length
from ..tables.looks import Look
from ..worlds.atlas import DOUBLE_CONE, Atlas
from .clouds import planet_clouds
from .gl import uniform_buffer
from .gl.meshes import Mesh
from .height_textures import Land
from .shader_switches import LineSwitches, line_switches
from .shared_textures import SharedTextures
from .strip_pass import StripPass
from .surface import ground_block
from .uniform_blocks import CLOUDS, GROUND, LINES, PALETTE, SHEET

# Higher above the ground than this, in radii, the bends of rivers are smaller than pixels.
FAR = 0.8
LOCATIONS = {"place": 0, "along": 1, "height": 2, "width": 3}
# Divides have no mouth to run to: all of them are reached.
ALL_REACHED = 2.0


class MapLines:
    """One map's lines on the GPU."""

    def __init__(
        self,
        strip_pass: StripPass[LineSwitches],
        divides: Ribbons,
        size_m: float,
        relief_m: float,
        atlas: Atlas = DOUBLE_CONE,
    ) -> None:
        """`size_m`: the planet's radius. `relief_m`: metres of its highest land.

        `atlas`: how the cones are laid on the sphere.
        """
        self._pass, self._size_m, self._relief_m, self._atlas = strip_pass, size_m, relief_m, atlas
        self._divides = _Lines(divides)
        # Those seen from near and those seen from afar.
        self._rivers: tuple[_Lines, _Lines] | None = None

    def lay(self, rivers: Ribbons, far: Ribbons) -> None:
        """The rivers are known now; `far`: those seen from afar."""
        self._rivers = _Lines(rivers), _Lines(far)

    @property
    def has_rivers(self) -> bool:
        """Whether the rivers are known."""
        return self._rivers is not None

    def draw(
        self,
        view: View,
        look: Look,
        moment: Moment,
        land: Land,
        palette: dict[str, object],
        textures: SharedTextures,
        height: int,
        reached: float,
        ink: float,
        divides: float,
        rivers: float = 1.0,
    ) -> None:
        """Draw over the surface of a land in a picture `height` pixels high.

        All in 0..1: `reached`: how far rivers have run. `ink`: how blue they are, as in an atlas. `divides`,
        `rivers`: how visible those are.
        """
        drawn = list(self._visible(view, moment, reached, divides, rivers))
        if not drawn:
            return
        self._fill_blocks(view, moment, land, palette)
        switches, units = line_switches(look, moment, self._atlas), {"shade_a": land.a.shade.bind(), **textures.units()}
        values = {
            "pixel": 2.0 * length(view.uniforms["up"]) / height,
            "bold": max(1.0, height / 720.0),
            "printed_water": np.asarray(palette["printed"])[0],
            "ink": ink,
        }
        for lines, parts, run, shown in drawn:
            uniform_buffer.fill(LINES, {**values, "reached": run, "shown": shown, "divide": lines is self._divides})
            self._pass.draw(switches, lines.mesh, lines.ribbons.first[parts], lines.ribbons.count[parts], units)

    def _visible(
        self, view: View, moment: Moment, reached: float, divides: float, rivers: float
    ) -> Iterator[tuple[_Lines, np.ndarray, float, float]]:
        """Lines of which parts are seen, numbers of those (k,), how far the lines have run, and how visible they are."""
        afar = length(view.eye) / self._size_m > 1.0 + FAR or moment.sheet is not None
        for lines, run, shown in (
            (self._rivers and self._rivers[afar], reached, rivers),
            (self._divides, ALL_REACHED, divides),
        ):
            if lines is not None and min(run, shown) > 0.0:
                parts = self._parts(lines.ribbons, view, moment)
                if len(parts):
                    yield lines, parts, run, shown

    def _fill_blocks(self, view: View, moment: Moment, land: Land, palette: dict[str, object]) -> None:
        uniform_buffer.fill(GROUND, ground_block(view, moment, land, self._size_m, land.a.height_scale))
        uniform_buffer.fill(PALETTE, palette)
        uniform_buffer.fill(CLOUDS, planet_clouds(moment, self._size_m))
        if moment.sheet is not None:
            uniform_buffer.fill(SHEET, moment.sheet.uniforms(view.eye))

    def _parts(self, ribbons: Ribbons, view: View, moment: Moment) -> np.ndarray:
        """Numbers of the parts to draw: all of them while the planet's form is not the sphere."""
        if moment.sheet is not None or moment.swell < 1.0:
            return np.flatnonzero(ribbons.count > 0)
        return np.flatnonzero(visible_parts(ribbons, view.eye, view.planes, self._size_m, self._relief_m))

    def free(self) -> None:
        for lines in (*(self._rivers or ()), self._divides):
            lines.mesh.free()


class _Lines:
    """Ribbons on the GPU, and what is kept of them here."""

    def __init__(self, ribbons: Ribbons) -> None:
        self.mesh = Mesh(LOCATIONS, RIBBON_POINT)
        self.mesh.fill(ribbons.points)
        self.ribbons = ribbons.without_points()
