"""The lines of a map on its planet: rivers that run to their mouths, and the divides between catchments."""

from __future__ import annotations

import numpy as np
from OpenGL import GL

from demo.render import gpu, programs, state
from demo.render.ribbons import INK
from demo.render.sky import Lamps, Look
from demo.render.surface import Moment
from demo.render.view import View

LOCATIONS = {"place": 0, "along": 1, "line": 2, "width": 3}


class InkArtist:
    """What all charts share: the program."""

    def __init__(self) -> None:
        self.programs = programs.Variants("ink.vert", "ink.frag")

    def program(self, look: Look, moment: Moment) -> programs.Program:
        """The one for a look and the planet's present form."""
        return self.programs.get(LOOK=look.code, CONE=moment.swell < 1.0, SHEET=moment.sheet is not None)

    def free(self) -> None:
        self.programs.free()


class Ink:
    """A chart's lines on the GPU."""

    def __init__(self, artist: InkArtist, rivers: np.ndarray, divides: np.ndarray, size_m: float) -> None:
        """`rivers`, `divides`: as demo/render/ribbons.py makes them; `size_m`: the planet's radius."""
        self._artist, self._size_m = artist, size_m
        self._rivers, self._river_count = _filled(rivers)
        self._divides, self._divide_count = _filled(divides)

    def draw(
        self,
        view: View,
        look: Look,
        moment: Moment,
        palette: dict,
        lamps: Lamps,
        height: int,
        reached: float,
        ink: float,
        divides: float,
    ) -> None:
        """Draw over the surface, in a picture `height` pixels high. `reached`: how far rivers have run, `ink`: how blue they
        are for the map's sake, `divides`: how much of those is seen, all 0..1."""
        program = self._artist.program(look, moment)
        state.drawing(state.NEARER_OR_AS_FAR, blend=state.INK)
        up = view.uniforms["up"]
        lines = ((self._rivers, self._river_count, reached, 1.0), (self._divides, self._divide_count, 2.0, divides))
        for mesh, count, run, shown in lines:
            if not count or run <= 0.0 or shown <= 0.0:
                continue
            program.use(
                **view.uniforms,
                **palette,
                **(moment.sheet.uniforms(view.eye) if moment.sheet else {}),
                printed_water=palette["printed"][0],
                size=self._size_m,
                pixel=2.0 * float(np.sqrt(up @ up)) / height,
                swell=moment.swell,
                reached=run,
                shown=shown,
                ink=ink,
                bold=max(1.0, height / 720.0),
                sunlight=lamps.sunlight.bind(),
            )
            mesh.draw(GL.GL_TRIANGLE_STRIP, count)

    def free(self) -> None:
        self._rivers.free()
        self._divides.free()


def _filled(ribbons: np.ndarray) -> tuple[gpu.Mesh, int]:
    mesh = gpu.Mesh(LOCATIONS, INK)
    mesh.fill(ribbons)
    return mesh, len(ribbons)
