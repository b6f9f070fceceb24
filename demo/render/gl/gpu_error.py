"""The error that everything in this folder raises."""

from __future__ import annotations


class GpuError(RuntimeError):
    """The graphics driver cannot do what Landfall needs; the message says what."""
