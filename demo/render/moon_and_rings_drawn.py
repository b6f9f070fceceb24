"""The moon and the rings in the sky of a world."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..maths.vectors import cross
from .gl import gl_context, uniform_buffer
from .gl import opengl as GL
from .gl.meshes import Mesh
from .gl.programs import Program
from .gl.textures import FLAT, RGBA8, Texture
from .uniform_blocks import MOON, RING_PLANE, RINGS, VIEW

if TYPE_CHECKING:
    from ..geometry.view import View
    from ..scenes.moon_and_rings import Moon, Rings
    from .shared_textures import SharedTextures

CORNER = np.dtype([("corner", np.float32, 2)])
PLACE = np.dtype([("place", np.float32, 3)])
SEGMENTS = 160


@dataclass(frozen=True)
class RingsShown:
    """Rings as a frame shows them. `bands`: their texture; `shown`: how much of them is there, 0..1."""

    rings: Rings
    bands: Texture
    shown: float

    @property
    def block(self) -> dict[str, object]:
        """The block RINGS: for the rings themselves and for their shadow."""
        return {
            "ring_axis": self.rings.axis,
            "ring": (self.rings.inner, self.rings.outer),
            "ring_shown": self.shown,
        }


class MoonPass:
    """Draws the moon of a world."""

    def __init__(self) -> None:
        self._program = Program("moon.vert", "moon.frag", (VIEW, MOON))
        self._square = Mesh({"corner": 0}, CORNER)
        corners = np.zeros(4, CORNER)
        corners["corner"] = [(-1, -1), (1, -1), (-1, 1), (1, 1)]
        self._square.fill(corners)

    def draw(self, moon: Moon, textures: SharedTextures, stars: float, shown: float = 1.0) -> None:
        """Draw it behind everything else. `stars`: how far it is night for the eye, 0..1; `shown`: 0..1."""
        right, up = _across(moon.direction)
        size = float(np.tan(moon.radius))
        values = {
            "moon": moon.direction,
            "moon_right": right * size,
            "moon_up": up * size,
            "moon_face": moon.face,
            "shown": shown,
            "stars": stars,
        }
        uniform_buffer.fill(MOON, values)
        self._program.use(**textures.units())
        gl_context.drawing(gl_context.NEARER_OR_AS_FAR, blend=gl_context.OVER)
        self._square.draw(GL.GL_TRIANGLE_STRIP, 4)

    def free(self) -> None:
        self._program.free()
        self._square.free()


class RingsPass:
    """Draws the rings of a planet."""

    def __init__(self) -> None:
        self._program = Program("ring.vert", "ring.frag", (VIEW, RINGS, RING_PLANE))
        self._annulus = Mesh({"place": 0}, PLACE)
        angle = np.repeat(np.arange(SEGMENTS + 1) * (2.0 * np.pi / SEGMENTS), 2)
        places = np.zeros(len(angle), PLACE)
        places["place"] = np.stack([np.cos(angle), np.sin(angle), np.arange(len(angle)) % 2], axis=1)
        self._annulus.fill(places)

    def draw(self, shown: RingsShown, view: View, textures: SharedTextures, size_m: float, stars: float) -> None:
        """Draw them before and behind their planet. `size_m`: its radius; `stars`: how far it is night for the eye."""
        right, ahead = _across(shown.rings.axis)
        plane = {"world_eye": view.eye, "ring_right": right, "ring_ahead": ahead, "size": size_m, "stars": stars}
        uniform_buffer.fill(RINGS, shown.block)
        uniform_buffer.fill(RING_PLANE, plane)
        self._program.use(bands=shown.bands.bind(), **textures.units())
        gl_context.drawing(gl_context.NEARER, blend=gl_context.OVER)
        self._annulus.draw(GL.GL_TRIANGLE_STRIP, 2 * (SEGMENTS + 1))

    def free(self) -> None:
        self._program.free()
        self._annulus.free()


def bands_texture(rings: Rings) -> Texture:
    """The bands of rings as a texture one texel high."""
    texture = Texture(FLAT, RGBA8, (1, len(rings.bands)))
    texture.upload(np.ascontiguousarray(rings.bands[None]))
    return texture


def _across(axis: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Two unit vectors at right angles to a unit vector and to each other."""
    hint = np.array([0.0, 1.0, 0.0]) if abs(axis[1]) < 0.7 else np.array([1.0, 0.0, 0.0])
    right = cross(hint, axis)
    right /= np.sqrt(right @ right)
    return right, cross(axis, right)
