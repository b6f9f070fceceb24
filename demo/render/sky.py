"""What lies behind the surface: air, sun, Milky Way, stars, and the sea around a terrain."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from OpenGL import GL

from ..geometry.noise_volume import noise_volume
from ..geometry.stars import STAR, STARS, star_field
from ..geometry.sunlight import sunlight_table
from ..geometry.view import View
from ..ground.air import Air
from ..tables.looks import LOOKS
from .gl import gl_context, programs
from .gl.meshes import Mesh, screen_triangle
from .gl.textures import FLAT, R8, RGBA8, RGBA16F, VOLUME, Texture


@dataclass(frozen=True)
class Look:
    """How a frame is to be shown.

    `fine` is for machines that can afford it; with more than `triangles` patches are drawn with half their cells, and
    `coarse` halves them anyway; `effects`: False for a machine that is short of time; `isosceles`: the mesh; `borders`: of
    rhombi and catchments are asked for; `levels`: of detail are coloured.
    """

    name: str = "natural"
    flat: bool = False
    wireframe: bool = False
    fine: bool = True
    triangles: float = float("inf")
    coarse: bool = False
    effects: bool = True
    isosceles: bool = False
    borders: bool = False
    levels: bool = False

    @property
    def code(self) -> int:
        return LOOKS.index(self.name)


@dataclass(frozen=True)
class Lamps:
    """Textures that light and vary everything: noise, the table of sunlight in the air, and plasma as clouds."""

    noise: Texture
    sunlight: Texture
    clouds: Texture


# Samples along a ray through the air: for machines that can afford them, for others, and for those that are late.
FINE_STEPS, STEPS, FEWEST_STEPS = 16, 4, 3


class Sky:
    """The background and its star field."""

    def __init__(self) -> None:
        self._programs = programs.Variants("screen.vert", "sky.frag")
        self._star_program = programs.Program("star.vert", "star.frag")
        self._triangle = screen_triangle()
        self._stars = Mesh({"direction": 0, "colour": 1}, STAR)
        self._stars.fill(star_field())

    def draw(
        self,
        view: View,
        look: Look,
        stars: float,
        lamps: Lamps,
        sea_colour: tuple | None,
        height: int,
        air: bool = True,
        clouds: tuple[float, float, float] = (0.0, 0.0, 0.0),
        shell: dict | None = None,
    ) -> None:
        """Fill what no surface covers. `stars`: 0 by day to 1 in space; `sea_colour`: open sea beyond a terrain, or None;
        `air`: False in empty space, where there is nothing to light; `clouds`: over a terrain, how thick they are and
        where over their texture the eye is; `shell`: the uniforms of a planet's clouds that are above the eye."""
        program = self._programs.get(
            PRINTED=look.code == 1,
            AIR=air,
            SHELL=bool(shell),
            SEA=sea_colour is not None,
            STARS=stars > 0.01,
        )
        program.use(
            **view.uniforms,
            stars=stars,
            steps=FINE_STEPS if look.fine else STEPS if look.effects else FEWEST_STEPS,
            noise=lamps.noise.bind(),
            sunlight=lamps.sunlight.bind(),
            **(shell or {"clouds": lamps.clouds.bind(), "cloudy": clouds}),
            sea_colour=sea_colour or (0, 0, 0),
        )
        # Drawn last, at the far plane: no pixel of sky is worked out that land then covers.
        gl_context.drawing(gl_context.NEARER_OR_AS_FAR)
        self._triangle.draw(GL.GL_TRIANGLES, 3)
        if stars > 0.01 and look.name != "as-printed":
            self._draw_stars(view, stars, height, sea_colour is not None)

    def _draw_stars(self, view: View, stars: float, height: int, sea: bool) -> None:
        gl_context.drawing(gl_context.NEARER_OR_AS_FAR, blend=gl_context.ADD)
        self._star_program.use(**view.uniforms, pixel=max(1.6, height / 420.0), stars=stars, sea=float(sea))
        self._stars.draw(GL.GL_POINTS, STARS)

    def free(self) -> None:
        for thing in (self._programs, self._star_program, self._triangle, self._stars):
            thing.free()


def noise_texture() -> Texture:
    """The volume of noise as one repeating texture: variation of colour anywhere is one fetch."""
    volume = noise_volume()
    texture = Texture(VOLUME, RGBA8, volume.shape[:3], repeat=True)
    texture.upload(volume)
    return texture


def sunlight_texture(air: Air) -> Texture:
    """The table of `airlight` as a texture."""
    table = sunlight_table(air)
    texture = Texture(FLAT, RGBA16F, table.shape[:2])
    texture.upload(table)
    return texture


def clouds_texture(field: np.ndarray | None) -> Texture:
    """Plasma in 0..1, float32 (k, k), as a repeating texture; clear sky for None."""
    pixels = np.zeros((2, 2), np.uint8) if field is None else np.round(field * 255).astype(np.uint8)
    texture = Texture(FLAT, R8, pixels.shape, repeat=True)
    texture.upload(pixels)
    return texture
