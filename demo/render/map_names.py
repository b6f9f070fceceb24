"""Signs: the names of one map, each written once into a sheet of many, so that one call draws all that are seen.

A texture and a draw for each name were more of a frame than all else in it.
"""

from __future__ import annotations

import numpy as np
from OpenGL import GL

from .gl import gl_context, programs
from .gl.meshes import Mesh
from .gl.textures import FLAT, RGBA8, Texture
from .text import Line, text_pixels

CORNER = np.dtype([("corner", np.float32, 2)])
SIGN = np.dtype([("place", np.float32, 4), ("texel", np.float32, 2), ("alpha", np.float32)])
# Width and height of a sheet by the height of the picture: most maps need one.
WIDE, TALL = 2, 0.4


class SignArtist:
    """What the signs of all maps share: the program and the rectangle."""

    def __init__(self) -> None:
        self._program = programs.Program("sign.vert", "sign.frag")
        locations = {"place": 1, "texel": 2, "alpha": 3}
        self._mesh = Mesh({"corner": 0}, CORNER, locations, SIGN, np.arange(4, dtype=np.uint16))
        corners = np.zeros(4, CORNER)
        corners["corner"] = [(0, 0), (1, 0), (0, 1), (1, 1)]
        self._mesh.fill(corners)

    def draw(self, sheet: Texture, signs: np.ndarray, width: int, height: int) -> None:
        """Draw `signs`, a SIGN array, from a sheet over a picture of width x height pixels."""
        self._mesh.fill_instances(signs)
        gl_context.drawing(blend=gl_context.OVER)
        self._program.use(sheet=sheet.bind(), picture=(width, height))
        self._mesh.draw_instanced(GL.GL_TRIANGLE_STRIP, len(signs))

    def rehearse(self, width: int, height: int) -> None:
        """Draw once, from a made-up sheet."""
        sheet = Texture(FLAT, RGBA8, (1, 1), linear=False)
        self.draw(sheet, np.ones(1, SIGN), width, height)
        sheet.free()

    def free(self) -> None:
        self._program.free()
        self._mesh.free()


class Signs:
    """Names as they are written in pictures of one height, by number."""

    def __init__(self, artist: SignArtist, texts: list[tuple[Line, ...]], height: int) -> None:
        """`height`: of the pictures, in pixels."""
        self._artist, self._texts, self.height = artist, texts, height
        self._sizes = np.zeros((len(texts), 2), np.intp)
        self._texel = np.zeros((len(texts), 2), np.intp)
        self._sheet_of = np.full(len(texts), -1)
        self._sheets: list[Texture] = []
        # Where the next name is put into the last sheet, and the first row below all that are beside it.
        self._x = self._y = self._below = 0

    def sizes(self, numbers: np.ndarray) -> np.ndarray:
        """Widths and heights in pixels of names, (k, 2); those that have not been written yet are."""
        for number in numbers[self._sheet_of[numbers] < 0].tolist():
            self._write(number)
        return self._sizes[numbers]

    def draw(self, numbers: np.ndarray, corners: np.ndarray, alphas: np.ndarray, width: int) -> None:
        """Draw names, whose `sizes` have been asked for, with their lower left corners at `corners` (k, 2), pixels of a
        picture of that width."""
        signs = np.empty(len(numbers), SIGN)
        signs["place"][:, :2], signs["place"][:, 2:] = np.round(corners), self._sizes[numbers]
        signs["texel"], signs["alpha"] = self._texel[numbers], alphas
        for sheet, texture in enumerate(self._sheets):
            chosen = signs[self._sheet_of[numbers] == sheet]
            if len(chosen):
                self._artist.draw(texture, chosen, width, self.height)

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
