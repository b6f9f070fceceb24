"""The lines of a map on its planet: rivers that run to their mouths, and the divides between catchments."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from OpenGL import GL

from ..geometry.frame_state import Moment
from ..geometry.ribbons import RIBBON_POINT, Ribbons, visible_parts
from ..geometry.view import View
from .gl import gl_context, programs
from .gl.meshes import Mesh
from .sky import Lamps, Look
from .surface import NOISE_PERIOD, surface_clouds

# From so many radii above the ground on the bends of rivers are smaller than pixels.
FAR = 0.8
LOCATIONS = {"place": 0, "along": 1, "line": 2, "width": 3}


class InkArtist:
    """What all charts share: the program."""

    def __init__(self) -> None:
        self.programs = programs.Variants("ink.vert", "ink.frag")

    def program(self, look: Look, moment: Moment) -> programs.Program:
        """The one for a look and the planet's present form."""
        clouds = moment.clouds > 0.0 and look.code == 0
        return self.programs.get(
            LOOK=look.code, CONE=moment.swell < 1.0, SHEET=moment.sheet is not None, CLOUDS=clouds, FINE=look.fine
        )

    def free(self) -> None:
        self.programs.free()


class Ink:
    """A chart's lines on the GPU."""

    def __init__(
        self, artist: InkArtist, rivers: Ribbons, far: Ribbons, divides: Ribbons, size_m: float, relief_m: float
    ) -> None:
        """`rivers`, `far`: for a look from near and from afar; `size_m`: the planet's radius; `relief_m`: highest land."""
        self._artist, self._size_m, self._relief_m = artist, size_m, relief_m
        self._lines = [_Lines(ribbons) for ribbons in (rivers, far, divides)]

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
        waters: dict,
    ) -> None:
        """Draw over the surface, whose `waters` are given, in a picture `height` pixels high. `reached`: how far rivers have
        run, `ink`: how blue they are for the map's sake, `divides`: how much of those is seen, all 0..1."""
        away = float(np.sqrt(view.eye @ view.eye)) / self._size_m
        rivers = self._lines[1 if away > 1.0 + FAR or moment.sheet is not None else 0]
        drawn = []
        for lines, run, shown in ((rivers, reached, 1.0), (self._lines[2], 2.0, divides)):
            seen = self._seen(lines.ribbons, view, moment) if min(run, shown) > 0.0 else ()
            if len(seen):
                drawn.append((lines, seen, {"reached": run, "shown": shown, "divide": lines is not rivers}))
        if not drawn:
            return
        program = self._artist.program(look, moment)
        gl_context.drawing(gl_context.NEARER_OR_AS_FAR, blend=gl_context.INK)
        up, noise_m = view.uniforms["up"], self._size_m * NOISE_PERIOD
        uniforms = {
            **view.uniforms,
            **palette,
            **waters,
            **(moment.sheet.uniforms(view.eye) if moment.sheet else {}),
            **surface_clouds(lamps, moment, self._size_m),
            "printed_water": palette["printed"][0],
            "size": self._size_m,
            "pixel": 2.0 * float(np.sqrt(up @ up)) / height,
            "swell": moment.swell,
            "ink": ink,
            "noise": lamps.noise.bind(),
            "origin": np.mod(view.eye / noise_m, 1.0),
            "noise_metres": noise_m,
            "bold": max(1.0, height / 720.0),
            "sunlight": lamps.sunlight.bind(),
        }
        for lines, seen, own in drawn:
            program.use(**uniforms, **own)
            lines.mesh.draw_parts(GL.GL_TRIANGLE_STRIP, lines.ribbons.first[seen], lines.ribbons.count[seen])
            # The others are there from the first time.
            uniforms = {}

    def _seen(self, ribbons: Ribbons, view: View, moment: Moment) -> np.ndarray:
        """Numbers of the parts to draw: all of them while the planet's form is not the sphere."""
        if moment.sheet is not None or moment.swell < 1.0:
            return np.flatnonzero(ribbons.count > 0)
        return np.flatnonzero(visible_parts(ribbons, view.eye, view.planes, self._size_m, self._relief_m))

    def free(self) -> None:
        for lines in self._lines:
            lines.mesh.free()


class _Lines:
    """Ribbons on the GPU, and what is kept of them here."""

    def __init__(self, ribbons: Ribbons) -> None:
        self.mesh = Mesh(LOCATIONS, RIBBON_POINT)
        self.mesh.fill(ribbons.points)
        self.ribbons = replace(ribbons, points=ribbons.points[:0])
