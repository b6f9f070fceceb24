"""The rules by which a group of vertices far away becomes one. Plain data; what they do is in `ground.coarse_levels`."""

from __future__ import annotations

MEAN, SIMILAR, SAMPLE = RULES = ("mean", "similar", "sample")
"""The mean height; the mean of groups of similar height alone; every second vertex as it is, which costs nothing."""
