"""The stage of the outlines of catchments: a piece has those of some catchments, by their numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np

from ..local.catchments import Borders, rings_of
from ..local.engines import Engine, Numbers
from ..local.kept_parts import Arrays, Keeper, key_of
from ..local.shared_arrays import Shared, arrays_of
from . import outlines
from .records import Polygons

# Catchments whose outlines are made at once.
AT_ONCE = 512


@dataclass(frozen=True)
class CatchmentGround:
    """`borders`: those of a planet's `count` catchments, in degrees. `digest`: of what they are made from."""

    borders: Borders
    count: int
    digest: str

    kind: ClassVar[str] = "catchments"

    def shared(self) -> Shared:
        """As in `Stage`."""
        return Shared(arrays_of("borders", self.borders), {"count": self.count, "digest": self.digest})

    @classmethod
    def of(cls, shared: Shared) -> CatchmentGround:
        """The stage whose `shared` has returned this."""
        return cls(shared.parts("borders", Borders), shared.facts["count"], shared.facts["digest"])

    def pieces(self) -> list[Numbers]:
        """The first catchment of each piece, and the first one beyond it."""
        return [(begin, min(begin + AT_ONCE, self.count)) for begin in range(0, self.count, AT_ONCE)]

    def piece(self, numbers: Numbers, keep: Keeper) -> Arrays:
        """The areas of catchments, for `unpacked_areas`."""

        def make() -> Arrays:
            return packed_areas(list(outlines.areas_of_all(rings_of(self.borders, self.count, numbers))))

        return keep(key_of(self.digest, self.kind, np.array(numbers, np.int64)), make)


def areas_by(engine: Engine, digest: str, borders: Borders, count: int) -> list[Polygons]:
    """The areas of all catchments, by those who make an engine's pieces."""
    stage = CatchmentGround(borders, count, digest)
    return [area for arrays in engine.made(stage, stage.pieces(), lambda done: None) for area in unpacked_areas(arrays)]


def packed_areas(areas: Sequence[Polygons]) -> Arrays:
    """Areas as plain arrays: `vertices` float64 (v, 2); int64, how many of them each ring has, how many rings each polygon,
    and how many polygons each area."""
    polygons = [polygon for area in areas for polygon in area]
    rings = [ring for polygon in polygons for ring in polygon]
    counts = [np.array([len(one) for one in things], np.int64) for things in (rings, polygons, areas)]
    vertices = np.concatenate([np.zeros((0, 2)), *rings])
    return {"vertices": vertices, "rings": counts[0], "polygons": counts[1], "areas": counts[2]}


def unpacked_areas(arrays: Arrays) -> Iterator[Polygons]:
    """What `packed_areas` took apart."""
    rings = [ring.copy() for ring in _divided(arrays["vertices"], arrays["rings"])]
    polygons = _divided(rings, arrays["polygons"])
    return (tuple(tuple(polygon) for polygon in area) for area in _divided(polygons, arrays["areas"]))


def _divided(things: Any, counts: np.ndarray) -> list[Any]:
    """Runs of things, so many in each."""
    return [things[a:b] for a, b in pairwise([0, *np.cumsum(counts).tolist()])]
