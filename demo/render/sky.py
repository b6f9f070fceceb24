"""What lies behind the surface: air, sun, Milky Way, stars, and the sea around a terrain."""

from __future__ import annotations

from dataclasses import dataclass

from ..geometry.stars import STAR, STARS, star_field
from ..geometry.view import View
from ..tables.looks import Look
from .gl import gl_context, uniform_buffer
from .gl import opengl as GL
from .gl.meshes import Mesh, screen_triangle
from .gl.programs import Variants
from .shader_switches import LEAST_STARS, SkySwitches, StarSwitches
from .shared_textures import SharedTextures
from .uniform_blocks import CLOUDS, SKY

PRINTED = SkySwitches(printed=True)


@dataclass(frozen=True)
class Background:
    """What is behind everything.

    `stars`: 0 by day to 1 in space. `sea_colour`: of the open sea beyond a terrain; None without one. `air`: False in empty
    space, where there is nothing to light. `clouds`: the block CLOUDS; None where none are seen. `below_clouds`: a planet's
    clouds are above the eye. `air_there`: how much of the air is there, 0..1.
    """

    stars: float
    sea_colour: tuple[float, float, float] | None = None
    air: bool = True
    clouds: dict[str, object] | None = None
    below_clouds: bool = False
    air_there: float = 1.0


class SkyPass:
    """Draws the background and its star field."""

    def __init__(self) -> None:
        self.programs: Variants[SkySwitches] = Variants()
        self.star_programs: Variants[StarSwitches] = Variants()
        self._triangle = screen_triangle()
        self._stars = Mesh({"direction": 0, "colour": 1}, STAR)
        self._stars.fill(star_field())

    def draw(self, background: Background, view: View, look: Look, textures: SharedTextures, height: int) -> None:
        """Fill what no surface covers in a picture `height` pixels high, which is seen through `view`."""
        sea_colour = background.sea_colour
        sky = {
            "stars": background.stars,
            "air_there": background.air_there * background.air,
            "sea_colour": sea_colour or (0.0, 0.0, 0.0),
            "sea": float(sea_colour is not None),
            "star_pixels": max(1.5, height / 480.0),
        }
        uniform_buffer.fill(SKY, sky)
        if background.clouds is not None:
            uniform_buffer.fill(CLOUDS, background.clouds)
        printed, starry = look.printed, background.stars > LEAST_STARS
        shell, sea = background.below_clouds, sea_colour is not None
        self.paint(PRINTED if printed else SkySwitches(air=background.air, shell=shell, sea=sea, stars=starry), textures)
        if starry and not printed:
            self.draw_stars(textures)

    def paint(self, switches: SkySwitches, textures: SharedTextures) -> None:
        """Draw the background with the blocks as they are filled."""
        self.programs.get(switches).use(**textures.units())
        # Drawn last, at the far plane: no pixel of sky is worked out that land then covers.
        gl_context.drawing(gl_context.NEARER_OR_AS_FAR)
        self._triangle.draw(GL.GL_TRIANGLES, 3)

    def draw_stars(self, textures: SharedTextures) -> None:
        """Draw the stars with the blocks as they are filled."""
        self.star_programs.get(StarSwitches()).use(**textures.units())
        gl_context.drawing(gl_context.NEARER_OR_AS_FAR, blend=gl_context.ADD)
        self._stars.draw(GL.GL_POINTS, STARS)

    def free(self) -> None:
        for thing in (self.programs, self.star_programs, self._triangle, self._stars):
            thing.free()
