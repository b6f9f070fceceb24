"""Text over the picture: captions, figures and help. Pygame's font module draws it into small textures."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import pygame
from OpenGL import GL

from ..process.assets import assets
from .gl import gl_context, uniform_buffer
from .gl.meshes import Mesh
from .gl.programs import Program
from .gl.textures import FLAT, RGBA8, Texture
from .uniform_blocks import TEXT

CORNER = np.dtype([("corner", np.float32, 2), ("uv", np.float32, 2)])
OVERSIZE = 3
LINES_KEPT = 16
FONTS = assets() / "fonts"
WHITE, GREY = (245, 246, 250), (176, 184, 198)


@dataclass(frozen=True)
class Line:
    """One line of text.

    `size`: a share of the picture's height. `colour`: sRGB bytes. `column`: 1 beside the line before it. `font`: a file in
    assets/fonts; empty for pygame's own.
    """

    text: str
    size: float = 0.024
    colour: tuple[int, int, int] = WHITE
    column: int = 0
    font: str = ""


class Overlay:
    """Blocks of text. Each is kept as a texture until its lines or the picture's size change."""

    def __init__(self) -> None:
        self._program = Program("text.vert", "text.frag", (TEXT,))
        self._mesh = Mesh({"corner": 0, "uv": 1}, CORNER)
        self._blocks: dict[str, tuple[object, Texture]] = {}
        # The rectangle that the mesh is at present.
        self._filled: tuple[int, int, int, int] | None = None

    def draw(
        self, name: str, lines: tuple[Line, ...], alpha: float, place: str, width: int, height: int, panel: bool = False
    ) -> None:
        """Draw `lines` at `place` of a picture, smaller where room is short.

        `place`: `bottom left`, `top left`, `top right` or `middle`.
        """
        if alpha <= 0.003 or not lines:
            return
        texture = self._texture(name, lines, height, panel)
        h, w = texture.shape
        margin = round(0.035 * height)
        fit = min(1.0, (width - 2 * margin) / w, (height - 2 * margin) / h)
        w, h = round(w * fit), round(h * fit)
        x = {"middle": (width - w) // 2, "top right": width - w - margin}.get(place, margin)
        y = {"middle": (height - h) // 2, "bottom left": margin}.get(place, height - h - margin)
        self._quad(texture, x, y, w, h, alpha, width, height)

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
        self._program.free()
        self._mesh.free()


_fonts: dict[tuple[str, int], pygame.font.Font] = {}


def _font(file: str, pixels: int) -> pygame.font.Font:
    if (file, pixels) not in _fonts:
        pygame.font.init()
        _fonts[file, pixels] = pygame.font.Font(FONTS / file if file else None, pixels)
    return _fonts[file, pixels]


@lru_cache(maxsize=LINES_KEPT)
def _line(line: Line, height: int) -> tuple[np.ndarray, np.ndarray]:
    """A line for a picture `height` pixels high: premultiplied RGBA uint8 (h, w, 4), and how its letters darken what is
    around them, float32 (h + 6 reach, w + 6 reach). Kept, because only one line of a caption that counts changes."""
    # Drawn larger and shrunk: at the size of captions, hinting spaces letters unevenly.
    font = _font(line.font, OVERSIZE * max(11, round(line.size * height * 1.35)))
    image = font.render(line.text or " ", True, line.colour)
    width, high = image.get_size()
    image = pygame.transform.smoothscale(image, (max(1, width // OVERSIZE), max(1, high // OVERSIZE)))
    width, high = image.get_size()
    raw = np.frombuffer(pygame.image.tobytes(image, "RGBA"), np.uint8).reshape(high, width, 4)
    letters = raw.copy()
    letters[..., :3] = np.round(raw[..., :3] * (raw[..., 3:] / np.float32(255.0)))
    shade = raw[..., 3] / np.float32(255.0)
    for _ in range(3):
        for axis in (0, 1):
            shade = _averaged(shade, _reach(height), axis)
    return letters, shade


def foresee_lines(lines: tuple[Line, ...], height: int) -> None:
    """Write lines ahead that a picture `height` pixels high will soon show: letters take time when they are new."""
    for line in lines:
        _line(line, height)


def _reach(height: int) -> int:
    return max(1, height // 300)


def _averaged(values: np.ndarray, reach: int, axis: int) -> np.ndarray:
    """Means over 2 reach + 1 neighbours along an axis, which becomes 2 reach longer. Beyond the rim there are zeros."""
    if axis == 1:
        return _averaged(values.T, reach, 0).T
    count, high = 2 * reach + 1, len(values)
    sums = np.zeros((high + 2 * count - 1, values.shape[1]), values.dtype)
    np.cumsum(values, axis=0, out=sums[count : count + high])
    sums[count + high :] = sums[count + high - 1]
    return (sums[count:] - sums[:-count]) / np.float32(count)


def text_pixels(lines: tuple[Line, ...], height: int, panel: bool = False) -> np.ndarray:
    """Lines under one another as premultiplied RGBA uint8 (h, w, 4), with a soft dark shade so that they read on snow.

    `height`: of the picture in pixels. `panel`: on an even dark ground.
    """
    written = [_line(line, height) for line in lines]
    column = max((w.shape[1] for (w, _), line in zip(written, lines, strict=True) if not line.column), default=0)
    pad = max(4, round((0.022 if panel else 0.008) * height))
    rows = _rows(lines, [letters.shape[0] for letters, _ in written])
    offset = column + round(0.03 * height) if any(line.column for line in lines) else 0
    across = [pad + (offset if line.column else 0) for line in lines]
    wide = max(x + letters.shape[1] for x, (letters, _) in zip(across, written, strict=True)) + pad
    block = np.zeros((rows[-1] + written[-1][0].shape[0] + 2 * pad, wide, 4), np.uint8)
    dark = np.zeros(block.shape[:2], np.float32)
    rim = 3 * _reach(height)
    for x, y, (letters, shade) in zip(across, rows, written, strict=True):
        high, width = letters.shape[:2]
        block[y + pad : y + pad + high, x : x + width] = letters
        top, left = y + pad - rim, x - rim
        within = dark[max(top, 0) : top + shade.shape[0], max(left, 0) : left + shade.shape[1]]
        within += shade[max(-top, 0) :, max(-left, 0) :][: within.shape[0], : within.shape[1]]
    # Names in a map stand on snow as well as on the sea.
    strength, most = (4.0, 0.80) if any(line.font for line in lines) else (0.9, 0.55)
    dark = np.minimum(strength * dark, np.float32(most)) if not panel else np.full_like(dark, 0.62)
    alpha = block[..., 3]
    alpha += np.round(dark * (255 - alpha)).astype(np.uint8)
    return block


def _rows(lines: tuple[Line, ...], heights: list[int]) -> list[int]:
    """Top of each line in pixels. A line of column 1 stands beside the line before it."""
    rows: list[int] = []
    y = 0
    for index, (line, height) in enumerate(zip(lines, heights, strict=True)):
        if line.column and index:
            rows.append(rows[-1])
        else:
            rows.append(y)
        y = rows[-1] + round(height * 1.12)
    return rows
