"""The view of a frame, for all passes that follow."""

from __future__ import annotations

from ..geometry.view import View
from .gl import uniform_buffer
from .uniform_blocks import VIEW


def look_through(view: View) -> None:
    """Draw as this view sees it from now on: fills the block VIEW, which nearly all shaders read."""
    uniform_buffer.fill(VIEW, view.uniforms)
