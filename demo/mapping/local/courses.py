"""Courses of rivers through the local mesh, strip by strip: chains of local points, cell by cell, from gate to gate."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...worlds.doublecone import global_mesh as meshes
from ...worlds.doublecone.local_mesh import displacement_m
from ...worlds.hashing import stream_key
from ..waters.hydrology import Hydrology
from ..waters.landmasses import EARTH_RADIUS_M
from . import course_kernels as kernels
from .divide_kernels import divide
from .fine_mesh import LAND, Ground, Strip
from .fine_mesh_kernels import crossings
from .outlet_kernels import gates

NONE = -1
COURSE_STREAM = 3200
# Where a river falls less than so much, in metres a metre, it wanders.
EVEN = 3e-3


@dataclass(frozen=True)
class Network:
    """The planet's rivers from global point to global point.

    `cell`: int32 (c,), land points with a river, ascending. `feeder`: int32 (f,), those that flow to each one, the greatest
    first, of cell k first[k] .. first[k + 1] - 1. `flow_m3_s`: float64 (points,), what a point passes on. `runs`: bool
    (points,), where a course leaves a point for its receiver: also where a lake does that is too small for a river. `own`:
    int64 (points,), the points' numbers in the local mesh. `relief_m`: float32 (points,), how far the local relief goes.
    """

    cell: np.ndarray
    feeder: np.ndarray
    first: np.ndarray
    flow_m3_s: np.ndarray
    runs: np.ndarray
    own: np.ndarray
    relief_m: np.ndarray


@dataclass(frozen=True)
class Chains:
    """Courses within cells: a chain a feeder, in the network's order, and one a source.

    `cell`: index into the network's cells; `slot`: which of the cell's chains; `joins`: the slot it ends in, NONE where it
    leaves the cell. `vertex`: int64 local mesh numbers downstream, those of chain k being first[k] .. first[k + 1] - 1;
    `level_m`: float32; `free`: bool, far from water. `gate_of`: int32, points whose gate to or from water was found, and
    where the shore is crossed there: `shore` float64 (g, 2).
    """

    cell: np.ndarray
    slot: np.ndarray
    joins: np.ndarray
    vertex: np.ndarray
    level_m: np.ndarray
    free: np.ndarray
    first: np.ndarray
    gate_of: np.ndarray
    shore: np.ndarray


def network_of(ground: Ground, waters: Hydrology) -> Network:
    """The rivers of a planet, whatever its local mesh."""
    lake, receiver, order = waters.lake_of_point, waters.receiver_of_point, waters.order_of_point
    points = np.arange(len(lake), dtype=np.int32)
    land = ground.body == LAND
    to = np.maximum(receiver, 0)
    leaves = (receiver >= 0) & (lake >= 0) & (lake[to] != lake)
    flow = waters.passed_m3_s
    river = order > 0
    runs = (land & river & (receiver >= 0)) | leaves
    feeds = (receiver >= 0) & land[to] & river[to] & ((land & river) | (leaves & (flow >= waters.river_m3_s)))
    cell = points[land & river]
    feeder = points[feeds]
    feeder = feeder[np.lexsort((feeder, -flow[feeder], receiver[feeder]))]
    first = np.searchsorted(receiver[feeder], np.append(cell, len(points)))
    return Network(cell, feeder, first.astype(np.int64), flow, runs, _own(ground, points), displacement_m(ground.planet))


def _own(ground: Ground, points: np.ndarray) -> np.ndarray:
    """Numbers of global points in the local mesh."""
    n, coarse, fine = ground.steps, meshes.ring_starts(ground.cells), meshes.ring_starts(ground.fine_cells)
    ring = np.searchsorted(coarse, points, side="right") - 1
    return fine[ring * n] + (points - coarse[ring]) * n


def owners_of(ground: Ground, network: Network, strip: Strip) -> np.ndarray:
    """The global point whose cell each dry local point is in, int32, where rivers or borders of catchments may be; NONE."""
    place, corner = strip.triangles(ground, strip.first, strip.last)
    busy = network.runs.copy()
    busy[network.cell] = True
    kind = ground.catchment[corner]
    some = busy[corner].any(axis=1) | (kind[:, 0] != kind[:, 1]) | (kind[:, 0] != kind[:, 2])
    some &= (ground.body[corner] == LAND).any(axis=1)
    owner = np.full(len(strip.heights_m), NONE, np.int32)
    mesh = (ground.steps, ground.fine_cells, strip.start, strip.base)
    divide(place[some], corner[some], *mesh, ground.body, ground.level_m, strip.heights_m, strip.wet, owner)
    return owner


def chains_of(ground: Ground, network: Network, strip: Strip, owner: np.ndarray, first: int, last: int) -> Chains:
    """The courses in the cells of the global rings first .. last - 1, whose belts a strip holds; it cuts their valleys."""
    n, fine, base = ground.steps, ground.fine_cells, strip.base
    place, corner = strip.triangles(ground, strip.first, strip.last)
    some = network.runs[corner].any(axis=1)
    place, corner = place[some], corner[some]
    mesh = (n, fine, strip.start, base)
    gate, gate_m = np.full((len(ground.body), 2), NONE, np.int64), np.full(len(ground.body), np.inf, np.float32)
    gates(place, corner, *mesh, ground.body, ground.receiver, network.runs, strip.heights_m, strip.wet, owner, gate, gate_m)
    gate_of, shore = _shores(ground, network, strip, gate, first, last)
    a, b = np.searchsorted(network.cell, meshes.ring_starts(ground.cells)[[first, last]])
    cells = network.cell[a:b]
    feeders = network.feeder[network.first[a] : network.first[b]]
    first_feeder = network.first[a : b + 1] - network.first[a]
    level = gate_levels(ground, gate_m)
    starts, joins, vertex, level_m, free = kernels.lay(
        cells,
        feeders,
        first_feeder,
        network.own[cells],
        level[cells],
        level[feeders],
        network.relief_m[cells],
        np.float32(EVEN * 0.5 * np.pi * EARTH_RADIUS_M / ground.cells),
        gate,
        n,
        fine,
        strip.start,
        base,
        strip.ring,
        np.uint32(stream_key(ground.planet.seed, COURSE_STREAM) & 0xFFFFFFFF),
        strip.heights_m,
        strip.wet,
        owner,
    )
    count = np.maximum(np.diff(first_feeder), 1)
    cell = np.repeat(np.arange(a, b), count)
    slot = np.arange(len(cell)) - np.repeat(np.cumsum(count) - count, count)
    return Chains(cell, slot, joins, vertex, level_m, free.astype(bool), starts, gate_of, shore)


def gate_levels(ground: Ground, gate_m: np.ndarray) -> np.ndarray:
    """Level of each point's course at its gate, float32: the pass, cut or filled to lie between the point and its receiver.

    It stays above the water beside the point. The end of a basin has its own level.
    """
    behind = np.where(ground.receiver >= 0, ground.surface_m[np.maximum(ground.receiver, 0)], ground.surface_m)
    lowest = np.where(ground.body == LAND, np.maximum(behind, ground.level_m), ground.level_m)
    return np.minimum(np.maximum(np.where(np.isfinite(gate_m), gate_m, -np.inf), lowest), ground.surface_m).astype(
        np.float32
    )


def _shores(
    ground: Ground, network: Network, strip: Strip, gate: np.ndarray, first: int, last: int
) -> tuple[np.ndarray, np.ndarray]:
    """Where the courses of the points of the global rings first .. last - 1 cross a shore: (points, degrees)."""
    to = np.maximum(ground.receiver, 0)
    crosses = network.runs & ((ground.body == LAND) != (ground.body[to] == LAND))
    a, b = meshes.ring_starts(ground.cells)[[first, last]]
    # A gate is that of the land point's cell, which alone is certain to lie in the strip.
    land = np.where(ground.body == LAND, np.arange(len(to)), to)
    points = np.flatnonzero(crosses & (land >= a) & (land < b))
    swap = ground.body[points] != LAND
    pairs = gate[points] - strip.base
    pairs[swap] = pairs[swap, ::-1]
    water = np.where(swap, ground.level_m[points], ground.level_m[to[points]])
    shore = crossings(pairs, ground.fine_cells, strip.start, strip.base, strip.ring, strip.heights_m, water)
    return points.astype(np.int32), shore
