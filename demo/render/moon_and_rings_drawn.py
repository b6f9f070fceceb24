"""The moon and the rings in the sky of a world."""

from __future__ import annotations

import numpy as np
from OpenGL import GL

from ..geometry.view import View
from ..maths.vectors import cross
from ..scenes.moon_and_rings import Moon, Rings
from .gl import gl_context, programs
from .gl.meshes import Mesh
from .gl.textures import FLAT, RGBA8, Texture
from .sky import Lamps

CORNER = np.dtype([("corner", np.float32, 2)])
PLACE = np.dtype([("place", np.float32, 3)])
SEGMENTS = 160
# Where the bands of a planet's rings are bound while its surface is drawn.


class HeavenArtist:
    """What the moons and rings of all worlds share: programs and meshes."""

    def __init__(self) -> None:
        self._moon = programs.Program("moon.vert", "moon.frag")
        self._ring = programs.Program("ring.vert", "ring.frag")
        self._square = Mesh({"corner": 0}, CORNER)
        corners = np.zeros(4, CORNER)
        corners["corner"] = [(-1, -1), (1, -1), (-1, 1), (1, 1)]
        self._square.fill(corners)
        self._annulus = Mesh({"place": 0}, PLACE)
        angle = np.repeat(np.arange(SEGMENTS + 1) * (2.0 * np.pi / SEGMENTS), 2)
        places = np.zeros(len(angle), PLACE)
        places["place"] = np.stack([np.cos(angle), np.sin(angle), np.arange(len(angle)) % 2], axis=1)
        self._annulus.fill(places)

    def draw_moon(self, moon: Moon, view: View, lamps: Lamps, stars: float, shown: float = 1.0) -> None:
        """Behind everything that has been drawn; `stars`: how far it is night for the eye; `shown`: 0..1."""
        right, up = _across(moon.direction)
        size = float(np.tan(moon.radius))
        self._moon.use(
            **view.uniforms,
            moon=moon.direction,
            moon_right=right * size,
            moon_up=up * size,
            moon_face=moon.face,
            shown=shown,
            stars=stars,
            noise=lamps.noise.bind(),
            sunlight=lamps.sunlight.bind(),
        )
        gl_context.drawing(gl_context.NEARER_OR_AS_FAR, blend=gl_context.OVER)
        self._square.draw(GL.GL_TRIANGLE_STRIP, 4)

    def draw_rings(self, rings: Rings, uniforms: dict, view: View, lamps: Lamps, size_m: float, stars: float) -> None:
        """Before and behind the planet; `uniforms`: those of `ring_uniforms`."""
        right, ahead = _across(rings.axis)
        self._ring.use(
            **view.uniforms,
            **uniforms,
            world_eye=view.eye,
            ring_right=right,
            ring_ahead=ahead,
            size=size_m,
            stars=stars,
            sunlight=lamps.sunlight.bind(),
        )
        gl_context.drawing(gl_context.NEARER, blend=gl_context.OVER)
        self._annulus.draw(GL.GL_TRIANGLE_STRIP, 2 * (SEGMENTS + 1))

    def free(self) -> None:
        for thing in (self._moon, self._ring, self._square, self._annulus):
            thing.free()


def bands_texture(rings: Rings) -> Texture:
    """The bands of rings as a texture one texel high."""
    texture = Texture(FLAT, RGBA8, (1, len(rings.bands)))
    texture.upload(np.ascontiguousarray(rings.bands[None]))
    return texture


def ring_uniforms(rings: Rings, bands: Texture, shown: float) -> dict:
    """What `rings.glsl` takes, for the rings themselves and for their shadow."""
    return {
        "bands": bands.bind(),
        "ring_axis": rings.axis,
        "ring": (rings.inner, rings.outer),
        "ring_shown": shown,
    }


def _across(axis: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Two unit vectors at right angles to a unit vector and to each other."""
    hint = np.array([0.0, 1.0, 0.0]) if abs(axis[1]) < 0.7 else np.array([1.0, 0.0, 0.0])
    right = cross(hint, axis)
    right /= np.sqrt(right @ right)
    return right, cross(axis, right)
