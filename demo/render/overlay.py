"""Overlay: blocks of text over a picture: captions, figures, help and notices."""

from __future__ import annotations

import numpy as np

from .gl import gl_context, uniform_buffer
from .gl import opengl as GL
from .gl.meshes import Mesh
from .gl.programs import Program
from .gl.textures import FLAT, RGBA8, Texture
from .text import MARGIN, Line, fitted, text_pixels, words_height
from .uniform_blocks import TEXT

# Of the line that shows a share, in shares of the picture's height: how thick it is.
THICK = 0.004
_LEFT_OPEN = 0.25
CORNER = np.dtype([("corner", np.float32, 2), ("uv", np.float32, 2)])


class Overlay:
    """Blocks of text. Each is kept as a texture until its lines or the picture's size change."""

    def __init__(self) -> None:
        self._program = Program("text.vert", "text.frag", (TEXT,))
        self._mesh = Mesh({"corner": 0, "uv": 1}, CORNER)
        self._blocks: dict[str, tuple[object, Texture]] = {}
        self._white: Texture | None = None
        # The rectangle that the mesh is at present.
        self._filled: tuple[int, int, int, int] | None = None

    def draw(
        self,
        name: str,
        lines: tuple[Line, ...],
        alpha: float,
        place: str,
        width: int,
        height: int,
        panel: bool = False,
        moved: tuple[float, float] = (0.0, 0.0),
    ) -> None:
        """Draw `lines` at `place` of a picture, broken and at last smaller where room is short.

        `place`: `bottom left`, `top left`, `top right` or `middle`. `moved`: to the right and upwards from there, in parts
        of the room that there is.
        """
        if alpha <= 0.003 or not lines:
            return
        texture = self._texture(name, lines if panel else fitted(lines, width, height), words_height(width, height), panel)
        h, w = texture.shape
        margin = round(MARGIN * height)
        fit = min(1.0, (width - 2 * margin) / w, (height - 2 * margin) / h)
        w, h = round(w * fit), round(h * fit)
        x = {"middle": (width - w) // 2, "top right": width - w - margin}.get(place, margin)
        y = {"middle": (height - h) // 2, "bottom left": margin}.get(place, height - h - margin)
        x += round(moved[0] * max(width - margin - w - x, 0))
        y += round(moved[1] * max(height - margin - h - y, 0))
        self._quad(texture, x, y, w, h, alpha, width, height)

    def draw_line(self, share: float, alpha: float, width: int, height: int) -> None:
        """Draw a thin line along the lower edge of a picture, bright for a `share` of its length and faint for the rest."""
        if self._white is None:
            self._white = Texture(FLAT, RGBA8, (1, 1))
            self._white.upload(np.full((1, 1, 4), 255, np.uint8))
        margin, thick = round(MARGIN * height), max(round(THICK * height), 2)
        long = width - 2 * margin
        done = round(share * long)
        for x, w, part in ((margin, done, alpha), (margin + done, long - done, _LEFT_OPEN * alpha)):
            if w > 0:
                self._quad(self._white, x, margin // 2, w, thick, part, width, height)

    def _quad(self, texture: Texture, x: int, y: int, w: int, h: int, alpha: float, width: int, height: int) -> None:
        if self._filled != (x, y, w, h):
            corners = np.zeros(4, CORNER)
            corners["corner"] = [(x, y), (x + w, y), (x, y + h), (x + w, y + h)]
            corners["uv"] = [(0, 1), (1, 1), (0, 0), (1, 0)]
            self._mesh.fill(corners, stream=True)
            self._filled = x, y, w, h
        gl_context.drawing(blend=gl_context.OVER)
        uniform_buffer.fill(TEXT, {"picture": (width, height), "alpha": alpha})
        self._program.use(text=texture.bind())
        self._mesh.draw(GL.GL_TRIANGLE_STRIP, 4)

    def _texture(self, name: str, lines: tuple[Line, ...], height: int, panel: bool) -> Texture:
        key = (lines, height, panel)
        known = self._blocks.get(name)
        if known and known[0] == key:
            return known[1]
        pixels = text_pixels(lines, height, panel)
        if known and known[1].shape == pixels.shape[:2]:
            texture = known[1]
        else:
            if known:
                known[1].free()
            texture = Texture(FLAT, RGBA8, pixels.shape[:2])
        texture.upload(pixels)
        self._blocks[name] = (key, texture)
        return texture

    def free(self) -> None:
        for _, texture in self._blocks.values():
            texture.free()
        self._blocks.clear()
        if self._white:
            self._white.free()
        self._program.free()
        self._mesh.free()
