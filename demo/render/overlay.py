"""Words over the picture: captions, figures and help. Text is drawn by pygame's font module into small textures."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pygame
from OpenGL import GL

from demo.render import gpu, programs, state

CORNER = np.dtype([("corner", np.float32, 2), ("uv", np.float32, 2)])
OVERSIZE = 3
FONTS = Path(__file__).resolve().parents[2] / "assets" / "fonts"
WHITE, GREY = (245, 246, 250), (176, 184, 198)


@dataclass(frozen=True)
class Line:
    """One line of text: size as a share of the picture's height, colour as sRGB bytes, a column for tables, and a font's
    file in assets/fonts where it is not the plain one."""

    text: str
    size: float = 0.024
    colour: tuple[int, int, int] = WHITE
    column: int = 0
    font: str = ""


class Overlay:
    """Blocks of text, each kept as a texture until its lines or the picture's size change."""

    def __init__(self) -> None:
        self._program = programs.Program("overlay.vert", "overlay.frag")
        self._mesh = gpu.Mesh({"corner": 0, "uv": 1}, CORNER)
        self._blocks: dict[str, tuple[object, gpu.Texture]] = {}

    def draw(
        self, name: str, lines: tuple[Line, ...], alpha: float, place: str, width: int, height: int, panel: bool = False
    ) -> None:
        """Draw `lines` at `place` (`bottom left`, `top left`, `middle`) of a picture so large; smaller if they must be."""
        if alpha <= 0.003 or not lines:
            return
        texture = self._texture(name, lines, height, panel)
        h, w = texture.shape
        margin = round(0.035 * height)
        fit = min(1.0, (width - 2 * margin) / w, (height - 2 * margin) / h)
        w, h = round(w * fit), round(h * fit)
        x = (width - w) // 2 if place == "middle" else margin
        y = {"middle": (height - h) // 2, "bottom left": margin, "top left": height - h - margin}[place]
        self._quad(texture, x, y, w, h, alpha, width, height)

    def _quad(self, texture: gpu.Texture, x: int, y: int, w: int, h: int, alpha: float, width: int, height: int) -> None:
        corners = np.zeros(4, CORNER)
        corners["corner"] = [(x, y), (x + w, y), (x, y + h), (x + w, y + h)]
        corners["uv"] = [(0, 1), (1, 1), (0, 0), (1, 0)]
        self._mesh.fill(corners, stream=True)
        state.drawing(blend=state.OVER)
        self._program.use(text=texture.bind(), alpha=alpha, picture=(width, height))
        self._mesh.draw(GL.GL_TRIANGLE_STRIP, 4)

    def _texture(self, name: str, lines: tuple[Line, ...], height: int, panel: bool) -> gpu.Texture:
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
            texture = gpu.Texture(gpu.FLAT, gpu.RGBA8, pixels.shape[:2])
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


def _line(line: Line, height: int) -> pygame.Surface:
    """Drawn larger and shrunk: hinting at the size of captions sets letters unevenly."""
    font = _font(line.font, OVERSIZE * max(11, round(line.size * height * 1.35)))
    image = font.render(line.text or " ", True, line.colour)
    width, high = image.get_size()
    return pygame.transform.smoothscale(image, (max(1, width // OVERSIZE), max(1, high // OVERSIZE)))


def text_pixels(lines: tuple[Line, ...], height: int, panel: bool = False) -> np.ndarray:
    """Lines under one another as premultiplied RGBA uint8 (h, w, 4), with a soft dark shade so that they read on snow.

    `height`: of the picture that they are for, in pixels; `panel`: on an even dark ground.
    """
    images = [_line(line, height) for line in lines]
    column = max((i.get_width() for i, line in zip(images, lines, strict=True) if not line.column), default=0)
    pad = max(4, round((0.022 if panel else 0.008) * height))
    rows = _rows(lines, images)
    offset = column + round(0.03 * height) if any(line.column for line in lines) else 0
    size = (
        max(image.get_width() + (offset if line.column else 0) for image, line in zip(images, lines, strict=True)) + 2 * pad,
        rows[-1] + images[-1].get_height() + 2 * pad,
    )
    letters = pygame.Surface(size, pygame.SRCALPHA, 32)
    for image, line, y in zip(images, lines, rows, strict=True):
        letters.blit(image, (pad + (offset if line.column else 0), y + pad))
    raw = np.frombuffer(pygame.image.tobytes(letters, "RGBA"), np.uint8).reshape(size[1], size[0], 4)
    # Names in a map stand on snow as well as on the sea.
    most = 0.80 if any(line.font for line in lines) else 0.55
    return _with_shade(raw.astype(np.float32) / 255.0, max(1, height // 300), panel, most)


def _rows(lines: tuple[Line, ...], images: list[pygame.Surface]) -> list[int]:
    """Top of each line; lines of column 1 stand beside the line before them."""
    rows, y = [], 0
    for index, (line, image) in enumerate(zip(lines, images, strict=True)):
        if line.column and index:
            rows.append(rows[-1])
        else:
            rows.append(y)
        y = rows[-1] + round(image.get_height() * 1.12)
    return rows


def _with_shade(rgba: np.ndarray, reach: int, panel: bool, most: float) -> np.ndarray:
    alpha = rgba[..., 3]
    shade = alpha.copy()
    for _ in range(3):
        for axis in (0, 1):
            shade = sum(np.roll(shade, k, axis) for k in range(-reach, reach + 1)) / (2 * reach + 1)
    dark = np.full_like(alpha, 0.62) if panel else np.clip(shade * (4.0 if most > 0.6 else 0.9), 0, most)
    out = np.empty_like(rgba)
    out[..., :3] = rgba[..., :3] * alpha[..., None]
    out[..., 3] = alpha + dark * (1 - alpha)
    return np.ascontiguousarray(np.round(out * 255).astype(np.uint8))
