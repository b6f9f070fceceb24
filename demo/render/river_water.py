"""The water of a world's rivers, drawn over its surface in one call."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..geometry.river_strips import RIVER_POINT, RiverStrips, seen_strips
from ..maths.vectors import length
from .gl import uniform_buffer
from .gl.meshes import Mesh
from .shader_switches import RiverSwitches, has_tiles, river_switches
from .strip_pass import StripPass
from .uniform_blocks import RINGS, RIVERS

if TYPE_CHECKING:
    from ..geometry.frame_state import Moment
    from ..geometry.view import View
    from ..tables.looks import Look
    from .height_textures import Land
    from .moon_and_rings_drawn import RingsShown
    from .shared_textures import SharedTextures

LOCATIONS = {"place": 0, "along": 1, "at": 2, "water": 3, "form": 4, "kind": 5}


class RiverWater:
    """One world's rivers on the GPU."""

    def __init__(self, strip_pass: StripPass[RiverSwitches], strips: RiverStrips) -> None:
        self._pass = strip_pass
        self._mesh = Mesh(LOCATIONS, RIVER_POINT)
        self._mesh.fill(strips.points)
        # The points are on the GPU now.
        self._strips = strips.without_points()

    def draw(
        self,
        view: View,
        look: Look,
        moment: Moment,
        land: Land,
        size_m: float,
        textures: SharedTextures,
        height: int,
        reached: float,
        shown: float = 1.0,
        rings: RingsShown | None = None,
    ) -> None:
        """Draw over the surface of a land that has just been drawn, in a picture `height` pixels high.

        `size_m`: the radius or the extent. `rings`: what throws its shadow. All in 0..1: `reached`: how far rivers have
        gathered; `shown`: how much of all.
        """
        if look.printed or min(reached, shown) <= 0.0 or moment.swell < 1.0 or moment.sheet is not None:
            return
        pixel = 2.0 * length(view.uniforms["up"]) / height
        parts = seen_strips(self._strips, view.eye, view.planes, size_m, land.relief_m, pixel)
        if not len(parts):
            return
        values = {
            "world_eye": view.eye,
            "pixel": pixel,
            "bold": max(1.0, height / 720.0),
            "reached": reached,
            "shown": shown,
            "fine_ground": moment.detail if has_tiles(look, moment) else 0.0,
        }
        uniform_buffer.fill(RIVERS, values)
        switches = river_switches(self._strips.spherical, look, moment.clouds, rings is not None)
        units = land.units() | textures.units()
        if rings is not None:
            uniform_buffer.fill(RINGS, rings.block)
            units["bands"] = rings.bands.bind()
        self._pass.draw(switches, self._mesh, self._strips.first[parts], self._strips.count[parts], units)

    def free(self) -> None:
        self._mesh.free()
