"""Rivers of the global mesh as lines on the sphere, for the show: from source to mouth, smooth, cut off at the shore.

The map's own courses follow the local relief rhombus by rhombus (`courses`), which takes longer than a scene may. These run
along the global mesh's edges, and the scene's relief is cut along them instead.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from demo.mapping.hydrology import NONE, Hydrology
from demo.mapping.rivers import chances
from demo.worlds import doublecone_mesh as meshes
from demo.worlds.atlas import DOUBLE_CONE
from demo.worlds.heightfield import sample

# Points put on every edge of the mesh, on a smooth curve.
STEPS = 6
# How far a point is drawn towards its two neighbours on the river, and by how much of an edge rivers meander beside it.
DRAWN, MEANDER = 0.22, 0.20
MEANDER_STREAM = 3210


@dataclass(frozen=True)
class Streams:
    """Lines downstream, those of line k being first[k] .. first[k + 1] - 1.

    `place`: float64 (p, 3), unit; `height_m`: float64 (p,), of the water above the sea, never rising; `flow_m3_s`: float64
    (p,); `run`: float64 (p,), radians of way from the farthest source above. `first`: int64 (lines + 1,). `mouth`: per line
    "sea", "lake", "river" or "basin". `head`: int32 per line, the mesh point that it begins at, `end`: the last one.
    """

    place: np.ndarray
    height_m: np.ndarray
    flow_m3_s: np.ndarray
    run: np.ndarray
    first: np.ndarray
    mouth: tuple[str, ...]
    head: np.ndarray
    end: np.ndarray

    def __len__(self) -> int:
        return len(self.mouth)

    def line(self, k: int) -> slice:
        """The points of line k."""
        return slice(int(self.first[k]), int(self.first[k + 1]))

    @property
    def of_point(self) -> np.ndarray:
        """The line of each point: int64 (p,)."""
        return np.repeat(np.arange(len(self)), np.diff(self.first))


def streams_of(waters: Hydrology, above: np.ndarray, place: np.ndarray, seed: int) -> Streams:
    """All rivers; `above`: float32 (4, n, n), heights above the water standing there; `place`: float64 (points, 3)."""
    run = runs(waters, place)
    kinds, chains, largest = _chains(waters)
    eased = _eased(place, waters.receiver_of_point, largest)
    bend = MEANDER * (2.0 * chances(seed, MEANDER_STREAM, np.arange(len(place))) - 1.0)
    lines = [_line(waters, np.array(chain), eased, run, bend) for chain in chains]
    whole = np.concatenate([np.zeros((0, 6)), *lines])
    face, u, v, _ = DOUBLE_CONE.invert(whole[:, :3])
    wet = sample(above, face, u, v) <= 0.0
    starts = np.concatenate([[0], np.cumsum([len(line) for line in lines])])
    spans = [_dry(wet[a:b], kind) for a, b, kind in zip(starts[:-1], starts[1:], kinds, strict=True)]
    kept = [k for k, span in enumerate(spans) if span.stop - span.start > 1]
    parts = [lines[k][spans[k]] for k in kept]
    whole = np.concatenate([np.zeros((0, 6)), *parts])
    first = np.concatenate([[0], np.cumsum([len(part) for part in parts])]).astype(np.int64)
    heads, ends = (np.array([chains[k][at] for k in kept], np.int32) for at in (0, -1))
    columns = whole[:, :3], whole[:, 3], whole[:, 4], whole[:, 5]
    return Streams(*columns, first, tuple(kinds[k] for k in kept), heads, ends)


def runs(waters: Hydrology, place: np.ndarray) -> np.ndarray:
    """Radians of way to each point from the farthest one that flows to it: float64 (points,)."""
    receiver = waters.receiver_of_point
    land = np.flatnonzero(receiver >= 0)
    apart = place[land] - place[receiver[land]]
    step = np.zeros(len(receiver))
    step[land] = np.sqrt((apart * apart).sum(axis=1))
    # Upstream first: the longest way is found in as many rounds as rivers branch one after another.
    run = np.zeros(len(receiver))
    ahead = land
    while len(ahead):
        target, value = receiver[ahead], run[ahead] + step[ahead]
        longer = value > run[target] + 1e-12
        np.maximum.at(run, target[longer], value[longer])
        ahead = np.unique(target[longer])
        ahead = ahead[receiver[ahead] >= 0]
    return run


def _eased(place: np.ndarray, receiver: np.ndarray, largest: np.ndarray) -> np.ndarray:
    """Places of points drawn towards the rivers' neighbours: the mesh has six directions, a river has more."""
    eased = place.copy()
    inner = np.flatnonzero((largest >= 0) & (receiver >= 0))
    beside = place[largest[inner]] + place[receiver[inner]]
    eased[inner] = (1.0 - 2.0 * DRAWN) * place[inner] + DRAWN * beside
    return eased


def _chains(waters: Hydrology) -> tuple[list[str], list[list[int]], np.ndarray]:
    """Mesh points of every river, downstream; the last one is of the sea, of a lake, of a larger river, or a basin's bottom.
    And for each point the one that brings it most water, int64, or NONE.

    A river goes on through confluences where it is the largest; lakes end it, and another begins at their outlets.
    """
    receiver, flow, lake = waters.receiver_of_point, waters.discharge_m3_s, waters.lake_of_point
    runs_ = np.flatnonzero((waters.order_of_point > 0) & (receiver >= 0))
    # Within one lake there is no river.
    runs_ = runs_[(lake[runs_] < 0) | (lake[runs_] != lake[receiver[runs_]])]
    rising = runs_[np.lexsort((-runs_, flow[runs_]))]
    largest = np.full(len(receiver), NONE, np.int64)
    largest[receiver[rising]] = rising
    fed = np.zeros(len(receiver), bool)
    fed[receiver[runs_]] = True
    is_run = np.zeros(len(receiver), bool)
    is_run[runs_] = True
    kinds, chains = [], []
    # Lake points begin rivers whatever flows into the lake, if enough of it flows out.
    begins = np.where(lake[runs_] >= 0, is_run[receiver[runs_]], ~fed[runs_])
    for head in runs_[begins].tolist():
        chain, kind = [head], ""
        while not kind:
            p, q = chain[-1], int(receiver[chain[-1]])
            chain.append(q)
            if waters.landmasses.landmass_of_point[q] < 0:
                kind = "sea"
            elif lake[q] >= 0:
                kind = "lake"
            elif largest[q] != p:
                kind = "river"
            elif not is_run[q]:
                kind = "basin"
        kinds.append(kind)
        chains.append(chain)
    return kinds, chains, largest


def _line(waters: Hydrology, points: np.ndarray, place: np.ndarray, run: np.ndarray, bend: np.ndarray) -> np.ndarray:
    """A smooth line through mesh points, downstream: float64 (k, 6), place, height, flow, run.

    `bend`: of each point, how far the river meanders to the side on the edge below it, in edges.
    """
    at = place[points]
    flow = waters.discharge_m3_s[points].copy()
    # A lake's outlet carries what the lake has not lost.
    flow[0] = min(flow[0], flow[1])
    flow[-1] = flow[-2]
    height = np.minimum.accumulate(np.maximum(waters.surface_m[points].astype(np.float64), waters.sea_level_m))
    share = np.arange(STEPS) / STEPS
    padded = np.concatenate([2 * at[:1] - at[1:2], at, 2 * at[-1:] - at[-2:-1]])
    a, b, c, d = (padded[k : k + len(at) - 1, None, :] for k in range(4))
    s = share[None, :, None]
    # Catmull and Rom's curve.
    curve = b + 0.5 * s * (c - a + s * (2 * a - 5 * b + 4 * c - d + s * (3 * (b - c) + d - a)))
    # Nothing at either end, where tributaries come in.
    swing = bend[points[:-1], None, None] * np.sin(np.pi * s) ** 2
    curve = curve + np.cross(b, c - b) * swing
    curve = np.concatenate([curve.reshape(-1, 3), at[-1:]])
    curve /= np.sqrt((curve * curve).sum(axis=1, keepdims=True))
    x = np.append(np.arange(len(at) - 1)[:, None] + share, len(at) - 1.0)
    values = [np.interp(x, np.arange(len(at)), column) for column in (height, flow, run[points])]
    return np.column_stack([curve, *values])


def _dry(wet: np.ndarray, kind: str) -> slice:
    """Of a line's points those to draw: from the last one under water on its first edge to the first one at its mouth."""
    first = np.flatnonzero(wet[:STEPS])
    start = int(first[-1]) if len(first) else 0
    if kind not in ("sea", "lake"):
        return slice(start, len(wet))
    # Only the last edges lead into the water: what is wet before them is another lake's shore.
    tail = max(len(wet) - 1 - 2 * STEPS, start + 1)
    under = np.flatnonzero(wet[tail:])
    return slice(start, tail + int(under[0]) + 1 if len(under) else len(wet))


def places(cells: int) -> np.ndarray:
    """Unit vectors to the points of a mesh: float64 (points, 3)."""
    return meshes.from_faces(DOUBLE_CONE.positions(cells + 1))
