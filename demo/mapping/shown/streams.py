"""Rivers of the map as lines on the sphere, for the show: smooth, from source to mouth, ending at the shore.

They are those of the map's files, laid through the local mesh that the scene has: line and valley are one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...maths.vectors import unit
from ...worlds.atlas import DOUBLE_CONE, Atlas
from ...worlds.carving.river_ways import curve
from ...worlds.doublecone import global_mesh as meshes
from ...worlds.heightfield import sample
from ...worlds.shapes import check_shape, check_square
from ..degrees import directions
from ..local.chain_ways import LAKE, RIVER, SEA, ChainEnds, RiverWays, chain_ends, ways_of
from ..local.courses import NONE, Chains, Network
from ..local.fine_mesh import FineMesh
from ..local.mesh_places import place_of
from ..objects.records import MOUTHS
from ..waters.hydrology import Hydrology
from . import streams_kernels as kernels
from .stream_values import flows_of, runs_of

# A vertex is drawn towards its two neighbours by this part of their distance: the mesh has six directions, a river has more.
DRAWN = 0.2
# Points on every edge of the global mesh, on a smooth curve.
STEPS = 8
# Rivers go on into seas and lakes for this many points, and fade: shores are drawn with more detail than is known here.
BEYOND = 2


@dataclass(frozen=True)
class Streams:
    """Rivers as lines downstream; the p points of line k are first[k] .. first[k + 1] - 1.

    By point, float64: `place` (p, 3), unit vectors; `height_m` (p,), of the water above the sea, never rising downstream;
    `flow_m3_s` (p,); `run` (p,), radians of way from the farthest source; `shown` (p,), 1 on land, less under water, and 0
    where a line ends under water. `first`: int64 (lines + 1,). By line: `mouth`, one of `records.MOUTHS`; `head`, `end` and
    `own`, int32 (lines,), the mesh points at which it begins and ends, and the last one that no other river runs through,
    which gives the river its name.
    """

    place: np.ndarray
    height_m: np.ndarray
    flow_m3_s: np.ndarray
    run: np.ndarray
    shown: np.ndarray
    first: np.ndarray
    mouth: tuple[str, ...]
    head: np.ndarray
    end: np.ndarray
    own: np.ndarray

    def __len__(self) -> int:
        return len(self.mouth)

    def line(self, k: int) -> slice:
        """The points of line k, as a slice."""
        return slice(int(self.first[k]), int(self.first[k + 1]))

    @property
    def of_point(self) -> np.ndarray:
        """The number of the line that each point is on: int64 (p,)."""
        return np.repeat(np.arange(len(self)), np.diff(self.first))


def streams_of(mesh: FineMesh, waters: Hydrology, network: Network, chains: Chains, above: np.ndarray) -> Streams:
    """All rivers of a planet.

    `chains`: of the whole planet, on `mesh`. `above`: float32 (4, n, n), heights above the water that stands there, metres.
    Raises ValueError for arrays of other shapes.
    """
    check_square("above", above, DOUBLE_CONE.faces)
    check_shape("receiver_of_point", waters.receiver_of_point, len(mesh.body))
    atlas = mesh.planet.atlas
    ends = chain_ends(network, chains)
    ways = ways_of(mesh, waters, chains, ends)
    vertices, first, joined = _vertices(mesh, waters, chains, ends, ways)
    steps = max(STEPS // mesh.steps, 1)
    vertices[:, :3] = _eased(vertices[:, :3], first, joined)
    columns, starts = _lines(vertices, first, steps)
    face, u, v, _ = atlas.invert(columns[:, :3])
    span = kernels.shown(first, starts, sample(above, face, u, v) <= 0.0, joined, ways.kind, steps, BEYOND)
    kept = np.flatnonzero(span[:, 2] > span[:, 1])
    begin, dry, last, end = span[kept].T
    starts = np.concatenate([[0], np.cumsum(end - begin)])
    line = np.repeat(np.arange(len(kept)), end - begin)
    index = np.arange(starts[-1]) - starts[line] + begin[line]
    # It rises from 0 at an end under water to 1 at the shore.
    shown = np.minimum((index - begin[line]) / np.maximum(dry - begin, 1)[line] + (dry == begin)[line], 1.0)
    shown = np.minimum(shown, (end[line] - 1 - index) / np.maximum(end - 1 - last, 1)[line] + (end - 1 == last)[line])
    columns = columns[index]
    mouth = tuple(MOUTHS[k] for k in ways.kind[kept].tolist())
    height, flow, way = columns[:, 3:].T
    return Streams(columns[:, :3], height, flow, way, shown, starts, mouth, ways.head[kept], ways.end[kept], ways.own[kept])


def _vertices(
    mesh: FineMesh, waters: Hydrology, chains: Chains, ends: ChainEnds, ways: RiverWays
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The vertices of all rivers: (float64 (v, 6): place, height, flow, run; where each river begins; which are joined).

    In waters that a river comes out of or ends in it has one vertex more, beyond the shore. `joined`: bool (v,), whether
    another river ends at a vertex.
    """
    place = places(mesh.cells, mesh.planet.atlas)
    run = kernels.longest(waters.receiver_of_point, place)
    own = np.column_stack(
        [
            directions(place_of(mesh, chains.vertex, chains.toward, chains.part)),
            chains.level_m,
            flows_of(waters, chains, ends),
            runs_of(mesh, chains, ends, run, place),
        ]
    )
    count = np.diff(chains.first)[ways.chain]
    index = np.arange(count.sum()) + np.repeat(chains.first[ways.chain] - (np.cumsum(count) - count), count)
    lead, tail = ways.out_of != NONE, (ways.kind == SEA) | (ways.kind == LAKE)
    inner = np.add.reduceat(count, ways.first[:-1])
    first = np.concatenate([[0], np.cumsum(inner + lead + tail)])
    river = np.repeat(np.arange(len(ways)), inner)
    at = np.arange(len(index)) + (first[:-1] + lead - (np.cumsum(inner) - inner))[river]
    out, number = np.empty((first[-1], 6)), np.full(first[-1], NONE, np.int64)
    out[at], number[at] = own[index], chains.vertex[index]
    for which, extra, beside, water in (
        (lead, first[:-1], 1, ways.out_of),
        (tail, first[1:] - 1, -1, ways.end),
    ):
        here, point = extra[which], water[which]
        gate = np.where(beside > 0, water, ways.own)[which]
        out[here] = out[here + beside]
        out[here, :3] = directions(place_of(mesh, _wet(chains, gate)))
        out[here, 3] = mesh.level_m[point]
    kernels.lower(first, out[:, 3])
    met = number[first[1:] - 1][ways.kind == RIVER]
    return out, first, np.isin(number, met)


def _wet(chains: Chains, gate: np.ndarray) -> np.ndarray:
    """The local points beyond the shores that the courses of the global points `gate` (k,) cross, int64 (k,)."""
    order = np.argsort(chains.gate_of, kind="stable")
    return chains.wet[order[np.searchsorted(chains.gate_of[order], gate)]]


def _eased(place: np.ndarray, first: np.ndarray, joined: np.ndarray) -> np.ndarray:
    """Places (v, 3) drawn towards their neighbours on the river, but for those at which rivers meet, begin or end."""
    fixed = joined.copy()
    fixed[first[:-1]] = fixed[first[1:] - 1] = True
    inner = np.flatnonzero(~fixed)
    eased = place.copy()
    eased[inner] = (1.0 - 2.0 * DRAWN) * place[inner] + DRAWN * (place[inner - 1] + place[inner + 1])
    return unit(eased)


def _lines(vertices: np.ndarray, first: np.ndarray, steps: int) -> tuple[np.ndarray, np.ndarray]:
    """Smooth lines through vertices, as `_vertices` has both: (float64 (k, 6), where each line begins).

    `steps`: the count of points on each edge.
    """
    last = first[1:] - 1
    edge = np.delete(np.arange(len(vertices)), last)
    line = np.repeat(np.arange(len(last)), np.diff(first) - 1)
    of_edge, part = np.repeat(edge, steps), np.tile(np.arange(steps) / steps, len(edge))
    out = np.empty((steps * len(edge) + len(last), 6))
    where = (steps * np.arange(len(edge)) + line)[:, None] + np.arange(steps)
    begins, ends = np.isin(of_edge, first[:-1]), np.isin(of_edge + 1, last)
    place = unit(curve(vertices[:, :3], of_edge, begins, ends, part))
    between = vertices[of_edge, 3:] + part[:, None] * (vertices[of_edge + 1, 3:] - vertices[of_edge, 3:])
    out[where.reshape(-1)] = np.column_stack([place, between])
    starts = steps * (first - np.arange(len(first))) + np.arange(len(first))
    out[starts[1:] - 1] = vertices[last]
    return out, starts


def places(cells: int, atlas: Atlas = DOUBLE_CONE) -> np.ndarray:
    """Unit vectors to the points of a mesh: float64 (points, 3)."""
    return meshes.from_faces(atlas.positions(cells + 1))
