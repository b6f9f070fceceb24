"""The lamps of one world's towns, drawn where its night is seen."""

from __future__ import annotations

import numpy as np
from OpenGL import GL

from ..geometry.lamp_parts import sorted_by_part
from ..geometry.view import View
from .gl import gl_context, programs
from .gl.meshes import Mesh


class TownsArtist:
    """What the towns of all worlds share: the program."""

    def __init__(self) -> None:
        self.programs = programs.Variants("lamp.vert", "lamp.frag")

    def free(self) -> None:
        self.programs.free()


class Towns:
    """One world's lamps on the GPU, sorted by parts of the planet."""

    def __init__(self, artist: TownsArtist, lamps: np.ndarray, spherical: bool) -> None:
        """`lamps`: records (k,) of `position` in metres in the world, `colour`, `spread` in metres and `late`."""
        self._artist, self._spherical = artist, spherical
        order, self._parts = sorted_by_part(lamps["position"].astype(np.float64), spherical)
        self._mesh = Mesh({"position": 0, "colour": 1, "spread": 2, "late": 3}, lamps.dtype)
        self._mesh.fill(np.ascontiguousarray(lamps[order]))

    def draw(self, view: View, sun: np.ndarray, radius_m: float, shown: float, height: int, **clouds: object) -> None:
        """Add the light of what is lit and above the horizon. `shown`: 0..1; `clouds`: their uniforms, if there are any."""
        parts = self._parts.dark(view.eye, sun, radius_m) if shown > 0.0 else ()
        if not len(parts):
            return
        pixels = 0.5 * height / float(np.sqrt(view.uniforms["up"] @ view.uniforms["up"]))
        program = self._artist.programs.get(SPHERICAL=self._spherical, CLOUDS=bool(clouds))
        program.use(
            **view.uniforms,
            world_eye=view.eye,
            pixels=pixels,
            least=max(1.5, height / 430.0),
            shown=shown,
            height=height,
            **clouds,
        )
        gl_context.drawing(gl_context.NEARER, blend=gl_context.ADD)
        self._mesh.draw_parts(GL.GL_POINTS, self._parts.first[parts], self._parts.count[parts])

    def free(self) -> None:
        self._mesh.free()
