"""The air as it is seen from the eye: a table that sky, haze, sun, moon and stars read instead of integrating by pixel."""

from __future__ import annotations

import numpy as np

from ..geometry.view import View
from .gl import gl_context
from .gl import opengl as GL
from .gl.meshes import screen_triangle
from .gl.programs import Program
from .gl.targets import Target
from .gl.textures import RGBA16F, Texture
from .uniform_blocks import VIEW

# Texels, as in sky_view.glsl.
WIDTH, HEIGHT = 72, 56
# What the table depends on, of a view.
_OF_AIR = (
    "table_eye",
    "table_sun",
    "air",
    "scale_height",
    "rayleigh",
    "absorption",
    "ozone",
    "mie",
    "mie_extinction",
    "mie_forward",
)


class SkyView:
    """Draws the table whenever the eye's height, the sun's, or the air is another one. One serves all worlds."""

    def __init__(self) -> None:
        self._program = Program("screen.vert", "sky_view.frag", (VIEW,))
        self._triangle = screen_triangle()
        self._target = Target(WIDTH, HEIGHT, RGBA16F, depth=False)
        self._drawn_for: object = None

    @property
    def texture(self) -> Texture:
        """The table as it was last drawn."""
        return self._target.colour

    def draw(self, view: View, sunlight: Texture) -> None:
        """Draw it for the view that is looked through, unless it is drawn; another framebuffer may be bound afterwards.

        `sunlight`: the tables of the view's air.
        """
        wanted = tuple(tuple(np.ravel(view.uniforms[name])) for name in _OF_AIR)
        if wanted == self._drawn_for:
            return
        self._drawn_for = wanted
        self._target.bind()
        self._program.use(sunlight=sunlight.bind())
        gl_context.drawing()
        self._triangle.draw(GL.GL_TRIANGLES, 3)

    def free(self) -> None:
        for thing in (self._program, self._triangle, self._target):
            thing.free()
