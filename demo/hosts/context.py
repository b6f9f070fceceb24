"""A pygame window with an OpenGL 3.3 core context, and PyOpenGL told which platform that context belongs to."""

from __future__ import annotations

import os
import sys
import warnings

import pygame

from . import display
from .errors import HostError

TITLE = "Landfall"


def open_window(size: tuple[int, int], *, fullscreen: bool = False, title: str = TITLE) -> None:
    """Opens a window of `size` (width, height) pixels and makes its OpenGL 3.3 core context current on this thread.

    A `fullscreen` window has the desktop's size instead, so that it fills it even where no window manager enlarges it.
    Raises HostError.
    """
    try:
        driver = display.start()
    except pygame.error as error:
        raise HostError(f"no display: {error}: run it in a desktop session, or use 'still' or 'film'") from None
    _choose_platform(driver)
    _ask_for_core_profile()
    flags = pygame.OPENGL | pygame.DOUBLEBUF | pygame.RESIZABLE
    try:
        _set_mode(pygame.display.get_desktop_sizes()[0] if fullscreen else size, flags)
    except pygame.error as error:
        raise HostError(_no_context(driver, str(error))) from None
    pygame.display.set_caption(title)
    if fullscreen:
        toggle_fullscreen()
    # This imports OpenGL, which may be imported from here on and no earlier: PyOpenGL chooses its platform only once.
    from ..render.gl import gl_context

    gl_context.begin()


def toggle_fullscreen() -> None:
    """Switches between window and full screen. SDL changes the window in place, so the context and all it owns survive."""
    pygame.display.toggle_fullscreen()


def _choose_platform(driver: str) -> None:
    """Tells PyOpenGL its platform, which it would guess from the environment. It reads this when it is first imported."""
    if sys.platform.startswith("linux"):
        os.environ["PYOPENGL_PLATFORM"] = "glx" if driver == "x11" else "egl"


def _ask_for_core_profile() -> None:
    attributes = (
        (pygame.GL_CONTEXT_MAJOR_VERSION, 3),
        (pygame.GL_CONTEXT_MINOR_VERSION, 3),
        (pygame.GL_CONTEXT_PROFILE_MASK, pygame.GL_CONTEXT_PROFILE_CORE),
        (pygame.GL_CONTEXT_FLAGS, pygame.GL_CONTEXT_FORWARD_COMPATIBLE_FLAG),
        (pygame.GL_DOUBLEBUFFER, 1),
        # Worlds are drawn on pictures that have depths of their own.
        (pygame.GL_DEPTH_SIZE, 0),
        (pygame.GL_MULTISAMPLEBUFFERS, 0),
        (pygame.GL_FRAMEBUFFER_SRGB_CAPABLE, 0),
    )
    for name, value in attributes:
        pygame.display.gl_set_attribute(name, value)


def _set_mode(size: tuple[int, int], flags: int) -> None:
    """Opens the window with vertical sync where the driver has it.

    Where it has not, asking for it is an error of pygame-ce and a warning of pygame, which has opened the window by then.
    """
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "regular vsync for OpenGL not available")
        try:
            pygame.display.set_mode(size, flags, vsync=1)
        except pygame.error:
            pygame.display.set_mode(size, flags)


def _no_context(driver: str, reason: str) -> str:
    if driver == "offscreen" and "EGL library" in reason:
        return f"no OpenGL without a display ({reason}): install libegl1 and libgl1 (Debian's names), or your system's EGL"
    if "GL library" in reason or "libGL" in reason:
        return f"no OpenGL library ({reason}): install libgl1 and libegl1 (Debian's names), or your graphics driver"
    return f"no OpenGL 3.3 core context ({reason}): update the graphics driver, or install Mesa's"
