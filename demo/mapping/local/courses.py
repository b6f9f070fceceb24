"""Courses of rivers through the local mesh, strip by strip: chains of local points through one cell after another."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...worlds.doublecone import global_mesh as meshes
from ...worlds.doublecone.local_mesh import displacement_m
from ...worlds.hashing import stream_key
from ...worlds.shapes import check_shape
from ..waters.hydrology import Hydrology
from ..waters.landmasses import EARTH_RADIUS_M
from .course_kernels import CellCourses, lay
from .divide_kernels import divide
from .fine_mesh import LAND, FineMesh, Strip
from .fine_mesh_kernels import numbers
from .outlet_kernels import gates
from .shore_kernels import crossings

NONE = -1
COURSE_STREAM = 3200
# A river that falls by less than this, in metres a metre, wanders.
EVEN = 3e-3
# The floor of a valley is as wide as this, in metres, times the square root of the discharge in m^3/s: as 15 rivers.
FLOOR_WIDTH = 105.0


@dataclass(frozen=True)
class Network:
    """The planet's rivers from global point to global point.

    `cell`: int32 (c,), land points with a river, ascending. `feeder`: int32 (f,), the points that flow to each of them, the
    greatest first; those of cell k are first[k] .. first[k + 1] - 1. `first`: int64 (c + 1,). `flow_m3_s`: float64
    (points,), what a point passes on. `runs`: bool (points,), whether a course leaves a point for its receiver; it also
    leaves a lake that is too small for a river. `own`: int64 (points,), the points' numbers in the local mesh. `relief_m`:
    float32 (points,), the greatest displacement of the local relief.
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
    """Courses within cells: one chain for each feeder, in the network's order, and one for each source; k chains in all.

    `cell`: int64 (k,), index into the network's cells. `slot`: int64 (k,), the number of the chain within its cell.
    `joins`: int32 (k,), the slot that it ends in, NONE where it leaves the cell. `vertex`: int64 (v,), local mesh numbers
    downstream; those of chain k are first[k] .. first[k + 1] - 1. `level_m`: float32 (v,). `toward`: int64 (v,), `part`:
    float32 (v,): the line runs through this part of the edge to that neighbour. `first`: int64 (k + 1,). `gate_of`:
    int32 (g,), points with a gate to or from water; `shore`: float64 (g, 2), where the shore is crossed there, degrees;
    `wet`: int64 (g,), the local point under water beside it.
    """

    cell: np.ndarray
    slot: np.ndarray
    joins: np.ndarray
    vertex: np.ndarray
    level_m: np.ndarray
    toward: np.ndarray
    part: np.ndarray
    first: np.ndarray
    gate_of: np.ndarray
    shore: np.ndarray
    wet: np.ndarray


def taken(chains: Chains, which: np.ndarray, gates: np.ndarray) -> Chains:
    """Some of the chains and of the gates, by their indices, int64, in this order."""
    at, first = _runs(chains.first, which)
    lines = (chains.vertex[at], chains.level_m[at], chains.toward[at], chains.part[at])
    crossed = (chains.gate_of[gates], chains.shore[gates], chains.wet[gates])
    return Chains(chains.cell[which], chains.slot[which], chains.joins[which], *lines, first, *crossed)


def network_of(mesh: FineMesh, waters: Hydrology) -> Network:
    """The rivers of a planet."""
    lake, receiver, order = waters.lake_of_point, waters.receiver_of_point, waters.order_of_point
    points = np.arange(len(lake), dtype=np.int32)
    land = mesh.body == LAND
    to = np.maximum(receiver, 0)
    leaves = (receiver >= 0) & (lake >= 0) & (lake[to] != lake)
    flow = waters.passed_m3_s
    river = order > 0
    runs = (land & river & (receiver >= 0)) | leaves
    feeds = (receiver >= 0) & land[to] & river[to] & ((land & river) | (leaves & (flow > 0.0)))
    cell = points[land & river]
    feeder = points[feeds]
    feeder = feeder[np.lexsort((feeder, -flow[feeder], receiver[feeder]))]
    first = np.searchsorted(receiver[feeder], np.append(cell, len(points)))
    return Network(cell, feeder, first.astype(np.int64), flow, runs, _own(mesh, points), displacement_m(mesh.planet))


def _own(mesh: FineMesh, points: np.ndarray) -> np.ndarray:
    """The numbers of global points in the local mesh, int64."""
    n, coarse, fine = mesh.steps, meshes.ring_starts(mesh.cells), meshes.ring_starts(mesh.fine_cells)
    ring = np.searchsorted(coarse, points, side="right") - 1
    return fine[ring * n] + (points - coarse[ring]) * n


def owners_of(mesh: FineMesh, network: Network, strip: Strip) -> np.ndarray:
    """The global point in whose cell each dry local point lies, int32 (m,).

    NONE under water, and in triangles where there are neither rivers nor borders of catchments.
    """
    place, corner = strip.triangles(mesh)
    busy = network.runs.copy()
    busy[network.cell] = True
    kind = mesh.catchment[corner]
    some = busy[corner].any(axis=1) | (kind[:, 0] != kind[:, 1]) | (kind[:, 0] != kind[:, 2])
    some &= (mesh.body[corner] == LAND).any(axis=1)
    owner = np.full(len(strip.heights_m), NONE, np.int32)
    divide(place[some], corner[some], strip.points(mesh), mesh.waters, owner)
    return owner


def chains_of(
    mesh: FineMesh,
    network: Network,
    strip: Strip,
    owner: np.ndarray,
    first: int,
    last: int,
    floor_width: float = FLOOR_WIDTH,
) -> Chains:
    """The courses in the cells of the global rings first .. last - 1; cuts their valleys into the strip.

    The strip must hold the belts on both sides of these rings. `owner`: as `owners_of` returns it; raises ValueError for
    one of another length. `floor_width`: metres of the floor of a valley with 1 m^3/s, by whose root it grows.
    """
    check_shape("owner", owner, len(strip.heights_m))
    gate, level = _gates(mesh, network, strip, owner)
    gate_of, shore, wet = _shores(mesh, network, strip, gate, first, last)
    a, b = np.searchsorted(network.cell, meshes.ring_starts(mesh.cells)[[first, last]])
    which = np.arange(a, b)
    if strip.cells is not None:
        which = which[strip.cells[network.cell[a:b]]]
    cells = network.cell[which]
    at, first_feeder = _runs(network.first, which)
    step_m = 0.5 * np.pi * EARTH_RADIUS_M / mesh.fine_cells
    courses = CellCourses(
        point=cells,
        feeder=network.feeder[at],
        first=first_feeder,
        own=network.own[cells],
        root_m=level[cells],
        in_m=level[network.feeder[at]],
        relief_m=network.relief_m[cells],
        floor=np.minimum(0.5 * floor_width * np.sqrt(network.flow_m3_s[cells]) / step_m, 1.0).astype(np.float32),
        even_m=np.float32(EVEN * 0.5 * np.pi * EARTH_RADIUS_M / mesh.cells),
        key=np.uint32(stream_key(mesh.planet.seed, COURSE_STREAM) & 0xFFFFFFFF),
    )
    starts, joins, vertex, level_m, toward, part = lay(courses, gate, strip.points(mesh), owner)
    count = np.maximum(np.diff(first_feeder), 1)
    cell = np.repeat(which, count)
    slot = np.arange(len(cell)) - np.repeat(np.cumsum(count) - count, count)
    return Chains(cell, slot, joins, vertex, level_m, toward, part, starts, gate_of, shore, wet)


def _runs(first: np.ndarray, which: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(the indices in some of the runs that begin at `first`, one after the other; where these begin there), int64."""
    count = np.diff(first)[which]
    begins = np.concatenate([[0], np.cumsum(count)]).astype(np.int64)
    return np.repeat(first[which] - begins[:-1], count) + np.arange(begins[-1]), begins


def _gates(mesh: FineMesh, network: Network, strip: Strip, owner: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Each point's gate, int64 (points, 2), as `outlet_kernels.gates` fills it, and its level, float32 (points,) metres."""
    place, corner = strip.triangles(mesh)
    some = network.runs[corner].any(axis=1)
    gate, gate_m = np.full((len(mesh.body), 2), NONE, np.int64), np.full(len(mesh.body), np.inf, np.float32)
    gates(place[some], corner[some], strip.points(mesh), mesh.waters, network.runs, owner, gate, gate_m)
    return gate, gate_levels(mesh, gate_m)


def gate_levels(mesh: FineMesh, gate_m: np.ndarray) -> np.ndarray:
    """The level of each point's course at its gate, float32 metres, from the heights `gate_m` of the passes.

    A pass is cut or filled until it lies between the point and its receiver, and it stays above the water beside the point.
    The end of a basin keeps its own level. Raises ValueError unless `gate_m` has a pass for each point.
    """
    check_shape("gate_m", gate_m, len(mesh.body))
    behind = np.where(mesh.receiver >= 0, mesh.surface_m[np.maximum(mesh.receiver, 0)], mesh.surface_m)
    lowest = np.where(mesh.body == LAND, np.maximum(behind, mesh.level_m), mesh.level_m)
    level = np.maximum(np.where(np.isfinite(gate_m), gate_m, -np.inf), lowest)
    return np.minimum(level, mesh.surface_m).astype(np.float32)


def _shores(
    mesh: FineMesh, network: Network, strip: Strip, gate: np.ndarray, first: int, last: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Where courses of the global rings first .. last - 1 cross a shore: `gate_of`, `shore` and `wet` of `Chains`."""
    to = np.maximum(mesh.receiver, 0)
    crosses = network.runs & ((mesh.body == LAND) != (mesh.body[to] == LAND))
    a, b = meshes.ring_starts(mesh.cells)[[first, last]]
    # A gate belongs to the land point's cell: only that one is certain to lie in the strip.
    land = np.where(mesh.body == LAND, np.arange(len(to)), to)
    here = crosses & (land >= a) & (land < b)
    if strip.cells is not None:
        here &= strip.cells[land]
    points = np.flatnonzero(here)
    swap = mesh.body[points] != LAND
    pairs = gate[points]
    pairs[swap] = pairs[swap, ::-1]
    water = np.where(swap, mesh.level_m[points], mesh.level_m[to[points]])
    return points.astype(np.int32), crossings(pairs, strip.points(mesh), water), numbers(pairs[:, 1], strip.points(mesh))
