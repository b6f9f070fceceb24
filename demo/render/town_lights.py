"""The lights of one world's towns, drawn where its night is seen."""

from __future__ import annotations

import numpy as np

from ..geometry.lamp_parts import sorted_by_part
from ..geometry.view import View
from ..maths.vectors import length
from .gl import gl_context, uniform_buffer
from .gl import opengl as GL
from .gl.meshes import Mesh
from .gl.programs import Variants
from .shader_switches import TownSwitches
from .shared_textures import SharedTextures
from .uniform_blocks import CLOUDS, TOWN_LIGHTS


class TownLightsPass:
    """What the towns of all worlds share: the programs."""

    def __init__(self) -> None:
        self.programs: Variants[TownSwitches] = Variants()

    def draw(
        self, switches: TownSwitches, mesh: Mesh, first: np.ndarray, count: np.ndarray, textures: SharedTextures
    ) -> None:
        """Draw runs of points of `mesh`: `first`, `count` (k,)."""
        self.programs.get(switches).use(**textures.units())
        gl_context.drawing(gl_context.NEARER, blend=gl_context.ADD)
        mesh.draw_parts(GL.GL_POINTS, first, count)

    def free(self) -> None:
        self.programs.free()


class TownLights:
    """One world's lights on the GPU, sorted by parts of the world. `there`: whether there are any."""

    def __init__(self, towns_pass: TownLightsPass, lamps: np.ndarray, spherical: bool) -> None:
        """`lamps`: records (k,) of `position` in metres in the world, `colour`, `spread` in metres and `late`."""
        self._pass, self._spherical = towns_pass, spherical
        self.there = bool(len(lamps))
        order, self._parts = sorted_by_part(lamps["position"].astype(np.float64), spherical)
        self._mesh = Mesh({"position": 0, "colour": 1, "spread": 2, "late": 3}, lamps.dtype)
        self._mesh.fill(np.ascontiguousarray(lamps[order]))

    def draw(
        self,
        view: View,
        sun: np.ndarray,
        radius_m: float,
        shown: float,
        height: int,
        textures: SharedTextures,
        clouds: dict[str, object] | None = None,
        night: float = 0.0,
    ) -> None:
        """Add the light of what is lit and above the horizon to a picture `height` pixels high.

        `sun`: unit vector towards it. `radius_m`: the planet's. `shown`: 0..1. `clouds`: the block CLOUDS over a planet, or
        None. `night`: 1 where all lamps are lit, wherever that light comes from.
        """
        if night > 0.0:
            sun = -(view.eye / length(view.eye) if self._spherical else np.array([0.0, 1.0, 0.0]))
        parts = self._parts.dark(view.eye, sun, radius_m) if shown > 0.0 else ()
        if not len(parts):
            return
        values = {
            "world_eye": view.eye,
            "pixels": 0.5 * height / length(view.uniforms["up"]),
            "least": max(1.5, height / 430.0),
            "shown": shown,
            "night": night,
            "height": height,
        }
        uniform_buffer.fill(TOWN_LIGHTS, values)
        if clouds is not None:
            uniform_buffer.fill(CLOUDS, clouds)
        switches = TownSwitches(self._spherical, clouds is not None)
        self._pass.draw(switches, self._mesh, self._parts.first[parts], self._parts.count[parts], textures)

    def free(self) -> None:
        self._mesh.free()
