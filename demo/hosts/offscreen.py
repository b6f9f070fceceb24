"""The show without a window or display: single pictures and films, and an OpenGL context for tests and `doctor`.

SDL's `offscreen` driver gives a real context through EGL and touches no display, not even the user's own; its `dummy`
driver gives none.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np
import pygame

from . import context as contexts
from .errors import HostError

if TYPE_CHECKING:
    from ..show.options import ShowOptions
    from ..show.show import Show

# The compiling child of a show in another program's window inherits the number of that window.
ENVIRONMENT = {"SDL_VIDEODRIVER": "offscreen", "SDL_WINDOWID": None}

_depth = 0


@contextmanager
def context(size: tuple[int, int] = (64, 64)) -> Iterator[None]:
    """An OpenGL 3.3 core context, current on the main thread inside the block; raises HostError when there is none.

    `size` is (width, height) in pixels. A block within a block shares the outer one's context and its size.
    """
    global _depth
    if not _depth:
        _open(size)
    _depth += 1
    try:
        yield
    finally:
        _depth -= 1
        if not _depth:
            _close()


def _open(size: tuple[int, int]) -> None:
    # Another driver may be running, started to see whether there is a display.
    pygame.display.quit()
    before = {name: os.environ.get(name) for name in ENVIRONMENT}
    _set_environment(ENVIRONMENT)
    try:
        contexts.open_window(size)
    finally:
        _set_environment(before)


def _set_environment(values: Mapping[str, str | None]) -> None:
    """Sets variables; None: removes them."""
    for name, value in values.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value


def _close() -> None:
    pygame.display.quit()


def gl_info() -> dict[str, str]:
    """`vendor`, `renderer` and `version` of the OpenGL that draws without a display; raises HostError."""
    with context():
        # Imports OpenGL, which must come after the context.
        from ..render.gl import gl_context

        return gl_context.describe()


def still(options: ShowOptions, seconds: float, size: tuple[int, int]) -> np.ndarray:
    """The picture at `seconds` of the show's story: uint8 (height, width, 3), top row first. `size` is (width, height)."""
    with _show(options, size) as show:
        return _picture(show, seconds, size)


def frames(options: ShowOptions, seconds: float, fps: float, size: tuple[int, int]) -> Iterator[np.ndarray]:
    """The pictures of the first `seconds`, `fps` per second and at least one; each is like that of `still`."""
    with _show(options, size) as show:
        for number in range(max(round(seconds * fps), 1)):
            yield _picture(show, number / fps, size)


@contextmanager
def _show(options: ShowOptions, size: tuple[int, int]) -> Iterator[Show]:
    with context(size):
        # Imports OpenGL, which must come after the context.
        from ..show.show import Show

        show = Show(options, *size)
        try:
            yield show
        finally:
            show.close()


def _picture(show: Show, seconds: float, size: tuple[int, int]) -> np.ndarray:
    show.seek(seconds)
    picture = show.read()
    if picture.shape != (size[1], size[0], 3) or picture.dtype != np.uint8:
        raise HostError(f"the renderer gave {picture.shape[1]}x{picture.shape[0]} pixels instead of {size[0]}x{size[1]}")
    return picture
