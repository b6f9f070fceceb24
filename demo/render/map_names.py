"""The names of a map, each written once into a sheet of many, so that one call draws all that are seen.

A texture and a draw for each name took longer than all else in a frame.
"""

from __future__ import annotations

import numpy as np

from .gl import gl_context, uniform_buffer
from .gl import opengl as GL
from .gl.meshes import Mesh
from .gl.programs import Variants
from .gl.textures import FLAT, RGBA8, Texture
from .shader_switches import NameSwitches
from .text import Line, text_pixels
from .uniform_blocks import TEXT

CORNER = np.dtype([("corner", np.float32, 2)])
NAME = np.dtype([("place", np.float32, 4), ("texel", np.float32, 2), ("alpha", np.float32)])
# Width and height of a sheet in heights of the picture: most maps need one sheet.
WIDE, TALL = 2, 0.4


class MapNamesPass:
    """What the names of all maps share: the program and the rectangle."""

    def __init__(self) -> None:
        self.programs: Variants[NameSwitches] = Variants()
        locations = {"place": 1, "texel": 2, "alpha": 3}
        self._mesh = Mesh({"corner": 0}, CORNER, locations, NAME, np.arange(4, dtype=np.uint16))
        corners = np.zeros(4, CORNER)
        corners["corner"] = [(0, 0), (1, 0), (0, 1), (1, 1)]
        self._mesh.fill(corners)

    def draw(self, sheet: Texture, names: np.ndarray, width: int, height: int) -> None:
        """Draw `names`, NAME (k,), from a sheet over a picture of width x height pixels."""
        self._mesh.fill_instances(names)
        gl_context.drawing(blend=gl_context.OVER)
        uniform_buffer.fill(TEXT, {"picture": (width, height), "alpha": 1.0})
        self.programs.get(NameSwitches()).use(sheet=sheet.bind())
        self._mesh.draw_instanced(GL.GL_TRIANGLE_STRIP, len(names))

    def free(self) -> None:
        self.programs.free()
        self._mesh.free()


class MapNames:
    """The names of one map, written for pictures of one height. A name is known by its number."""

    def __init__(self, names_pass: MapNamesPass, texts: list[tuple[Line, ...]], height: int) -> None:
        """`height`: of the pictures, in pixels."""
        self._pass, self._texts, self.height = names_pass, texts, height
        self._sizes = np.zeros((len(texts), 2), np.intp)
        self._texel = np.zeros((len(texts), 2), np.intp)
        self._sheet_of = np.full(len(texts), -1)
        self._sheets: list[Texture] = []
        # Where the next name goes in the last sheet, and the first row below the names beside it.
        self._x = self._y = self._below = 0

    def sizes(self, numbers: np.ndarray) -> np.ndarray:
        """Widths and heights of names in pixels, (k, 2). Names that have not been written yet are written now."""
        for number in numbers[self._sheet_of[numbers] < 0].tolist():
            self._write(number)
        return self._sizes[numbers]

    def draw(self, numbers: np.ndarray, corners: np.ndarray, alphas: np.ndarray, width: int) -> None:
        """Draw names in a picture of that width, with their lower left corners at `corners` (k, 2), in pixels.

        Their `sizes` must have been asked for before.
        """
        names = np.empty(len(numbers), NAME)
        names["place"][:, :2], names["place"][:, 2:] = np.round(corners), self._sizes[numbers]
        names["texel"], names["alpha"] = self._texel[numbers], alphas
        for sheet, texture in enumerate(self._sheets):
            chosen = names[self._sheet_of[numbers] == sheet]
            if len(chosen):
                self._pass.draw(texture, chosen, width, self.height)

    def _write(self, number: int) -> None:
        pixels = text_pixels(self._texts[number], self.height)
        high, wide = pixels.shape[:2]
        rows, columns = self._sheets[-1].shape if self._sheets else (0, 0)
        if self._x + wide > columns:
            self._x, self._y = 0, self._below
        if self._y + high > rows or wide > columns:
            shape = max(round(TALL * self.height), high), max(WIDE * self.height, wide)
            self._sheets.append(Texture(FLAT, RGBA8, shape, linear=False))
            self._x = self._y = self._below = 0
        self._sheets[-1].upload_part(pixels, self._x, self._y)
        self._sheet_of[number] = len(self._sheets) - 1
        self._texel[number], self._sizes[number] = (self._x, self._y), (wide, high)
        self._x, self._below = self._x + wide, max(self._below, self._y + high)

    def free(self) -> None:
        for sheet in self._sheets:
            sheet.free()
        self._sheets.clear()
