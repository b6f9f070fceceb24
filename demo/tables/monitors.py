"""MONITORS: what several monitors show. Plain data."""

from __future__ import annotations

MONITORS = ("span", "same", "each")
"""One world across all of them; the same picture on each; a world of its own on each."""
