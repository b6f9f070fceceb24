"""The view of a frame, for all passes that follow."""

from __future__ import annotations

from dataclasses import replace

from ..geometry.view import View
from .gl import uniform_buffer
from .uniform_blocks import VIEW


def look_through(view: View) -> None:
    """Draw as this view sees it from now on: fills the block VIEW, which nearly all shaders read."""
    uniform_buffer.fill(VIEW, view.uniforms)


def dimmed(view: View, share: float) -> View:
    """The view with `share` of the sun's light, 0..1."""
    return replace(view, uniforms={**view.uniforms, "sun_colour": view.uniforms["sun_colour"] * share})
