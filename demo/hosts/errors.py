"""The error of a host that cannot give the show a place to draw."""

from __future__ import annotations


class HostError(RuntimeError):
    """No window, display or OpenGL to draw with; the message says what is wrong and what to do (exit status 1)."""
