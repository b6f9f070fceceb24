"""What lies behind the surface: air, sun, Milky Way, stars, and the sea around a terrain."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from OpenGL import GL

from ..geometry.sunlight import sunlight_table
from ..geometry.view import View
from ..ground.air import Air
from ..tables.looks import LOOKS
from ..worlds import hashing
from .gl import gl_context, gpu, programs


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

    noise: gpu.Texture
    sunlight: gpu.Texture
    clouds: gpu.Texture


STAR = np.dtype([("direction", np.float32, 3), ("colour", np.float32, 3)])
STARS = 2600
# Samples along a ray through the air: for machines that can afford them, for others, and for those that are late.
FINE_STEPS, STEPS, FEWEST_STEPS = 16, 4, 3
STAR_SEED = 20_071_201


class Sky:
    """The background and its star field."""

    def __init__(self) -> None:
        self._programs = programs.Variants("screen.vert", "sky.frag")
        self._star_program = programs.Program("star.vert", "star.frag")
        self._triangle = gpu.screen_triangle()
        self._stars = gpu.Mesh({"direction": 0, "colour": 1}, STAR)
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


def star_field() -> np.ndarray:
    """STARS stars, the same everywhere: many faint, few bright, white with a tint of blue or orange."""
    z = hashing.uniforms(STAR_SEED, 0, STARS) * 2 - 1
    angle = hashing.uniforms(STAR_SEED, 1, STARS) * 2 * np.pi
    ring = np.sqrt(1 - z * z)
    stars = np.zeros(STARS, STAR)
    stars["direction"] = np.stack([ring * np.cos(angle), z, ring * np.sin(angle)], axis=1)
    # Counts rise about fourfold a magnitude: brightness is a power of a uniform number.
    brightness = 0.055 * np.minimum(hashing.uniforms(STAR_SEED, 2, STARS) + 1e-4, 1.0) ** -0.62
    warm = hashing.uniforms(STAR_SEED, 3, STARS)[:, None]
    tint = np.array([0.75, 0.85, 1.0]) * (1 - warm) + np.array([1.0, 0.86, 0.7]) * warm
    stars["colour"] = tint * np.minimum(brightness, 2.2)[:, None]
    return stars


def noise_texture(side: int = 32) -> gpu.Texture:
    """Four independent fields of smooth noise in one repeating volume: colour variation everywhere is one fetch."""
    count = side**3 * 4
    values = hashing.uniforms(STAR_SEED, 9, count).reshape(side, side, side, 4)
    for axis in range(3):
        values = 0.5 * values + 0.25 * (np.roll(values, 1, axis) + np.roll(values, -1, axis))
    low, high = values.min(), values.max()
    texture = gpu.Texture(gpu.VOLUME, gpu.RGBA8, (side, side, side), repeat=True)
    texture.upload(np.round((values - low) / (high - low) * 255).astype(np.uint8))
    return texture


def sunlight_texture(air: Air) -> gpu.Texture:
    """The table of `airlight` as a texture."""
    table = sunlight_table(air)
    texture = gpu.Texture(gpu.FLAT, gpu.RGBA16F, table.shape[:2])
    texture.upload(table)
    return texture


def clouds_texture(field: np.ndarray | None) -> gpu.Texture:
    """Plasma in 0..1, float32 (k, k), as a repeating texture; clear sky for None."""
    pixels = np.zeros((2, 2), np.uint8) if field is None else np.round(field * 255).astype(np.uint8)
    texture = gpu.Texture(gpu.FLAT, gpu.R8, pixels.shape, repeat=True)
    texture.upload(pixels)
    return texture
