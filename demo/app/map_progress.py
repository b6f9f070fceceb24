"""How the progress bar of `map` is shared out between growing the map and writing its files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..export.maps import formats
from ..tables.map_formats import MAP_EFFORT, size_of

# The steps of the bar.
STEPS = 1000
# The part of the map by which most of its kernels have been compiled. The rest have been when it is grown.
COMPILED = 0.2


class Shares(NamedTuple):
    """`growing`: the part of the work that growing all maps takes, 0..1. `settles`: as `Progress` takes them."""

    growing: float
    settles: tuple[int, ...]


def shares_of(names: Sequence[str], gn: int, ln: int, maps: int = 1) -> Shares:
    """For a planet of this size that is grown `maps` times, and then written in the formats `names`."""
    return shares_for(names, size_of(gn, ln), maps)


def shares_for(names: Sequence[str], size: float, maps: int = 1) -> Shares:
    """The same for a map of a size as `map_formats` has them."""
    one = MAP_EFFORT.of(size)
    growing = maps * one / (maps * one + formats.effort(names, size))
    return Shares(growing, (int(STEPS * growing / maps * COMPILED), int(STEPS * growing / maps)))
