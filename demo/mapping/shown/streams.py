"""Rivers of the global mesh as lines on the sphere, for the show: smooth, from source to mouth, ending at the shore.

The courses in the map's files follow the local relief rhombus by rhombus (`courses`), which takes longer than a scene may.
These lines run along the edges of the global mesh, and the scene's relief is cut along them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...maths.circle import circle
from ...maths.vectors import unit
from ...worlds.atlas import DOUBLE_CONE, Atlas
from ...worlds.doublecone import global_mesh as meshes
from ...worlds.hashing import uniforms_at
from ...worlds.heightfield import sample
from ...worlds.shapes import check_shape, check_square
from ..objects.records import MOUTHS
from ..waters.hydrology import Hydrology
from ..waters.stems import largest_feeders, running
from . import streams_kernels as kernels

# Points on every edge of the mesh, on a smooth curve.
STEPS = 8
# A point is drawn towards its two neighbours on the river by DRAWN of their distance, EASINGS times over. Rivers meander
# beside an edge by MEANDER of its length to one side and by BENDS to both; on the last edge JOINING times that, fading.
DRAWN, EASINGS, MEANDER, BENDS, JOINING = 0.20, 3, 0.15, 0.10, 1.8
# Rivers go on into seas and lakes for this many points, and fade: shores are drawn with more detail than is known here.
BEYOND = 2
MEANDER_STREAM = 3210


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


def streams_of(waters: Hydrology, above: np.ndarray, place: np.ndarray, seed: int, atlas: Atlas = DOUBLE_CONE) -> Streams:
    """All rivers of a planet.

    `above`: float32 (4, n, n), heights above the water that stands there, metres. `place`: float64 (points, 3), unit
    vectors to the mesh points. `atlas`: how the cones are laid on the sphere. Raises ValueError for arrays of other shapes.
    """
    check_square("above", above, DOUBLE_CONE.faces)
    check_shape("place", place, len(waters.receiver_of_point), 3)
    run = kernels.longest(waters.receiver_of_point, place)
    points, first, kind, largest = _chains(waters)
    eased = _eased(place, waters, largest)
    chance = [2.0 * uniforms_at(seed, MEANDER_STREAM + k, np.arange(len(place))) - 1.0 for k in (0, 1)]
    bend = np.stack([MEANDER * chance[0], BENDS * chance[1]])
    columns, starts = _lines(waters, points, first, eased, run, bend)
    face, u, v, _ = atlas.invert(columns[:, :3])
    joined = np.zeros(len(place), bool)
    joined[points[first[1:] - 1][kind == kernels.RIVER]] = True
    span = kernels.shown(first, starts, sample(above, face, u, v) <= 0.0, joined[points], kind, STEPS, BEYOND)
    kept = np.flatnonzero(span[:, 2] > span[:, 1])
    begin, dry, last, end = span[kept].T
    starts = np.concatenate([[0], np.cumsum(end - begin)])
    line = np.repeat(np.arange(len(kept)), end - begin)
    index = np.arange(starts[-1]) - starts[line] + begin[line]
    # It rises from 0 at an end under water to 1 at the shore.
    shown = np.minimum((index - begin[line]) / np.maximum(dry - begin, 1)[line] + (dry == begin)[line], 1.0)
    shown = np.minimum(shown, (end[line] - 1 - index) / np.maximum(end - 1 - last, 1)[line] + (end - 1 == last)[line])
    columns = columns[index]
    mouth = tuple(MOUTHS[k] for k in kind[kept].tolist())
    heads, ends = points[first[kept]], points[first[kept + 1] - 1]
    own = np.where(kind[kept] == kernels.BASIN, ends, points[first[kept + 1] - 2])
    height, flow, way = columns[:, 3:].T
    return Streams(columns[:, :3], height, flow, way, shown, starts, mouth, heads, ends, own)


def _eased(place: np.ndarray, waters: Hydrology, largest: np.ndarray) -> np.ndarray:
    """Places of points drawn towards their neighbours on the river: the mesh has six directions, a river has more.

    Lakes stay where they are, because rivers end in them.
    """
    eased, receiver = place.copy(), waters.receiver_of_point
    inner = np.flatnonzero((largest >= 0) & (receiver >= 0) & (waters.lake_of_point < 0))
    for _ in range(EASINGS):
        beside = eased[largest[inner]] + eased[receiver[inner]]
        eased[inner] = (1.0 - 2.0 * DRAWN) * eased[inner] + DRAWN * beside
    return eased


def _chains(waters: Hydrology) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """(points, first, kind) of every river, as `streams_kernels.follow` returns them, and the largest feeder of each point.

    The last point of a river is in the sea, in a lake, on a larger river, or a basin's bottom. A river goes on through
    confluences where it is the largest. A lake ends it, and another river begins at the lake's outlet.
    """
    receiver, lake, runs, largest = waters.receiver_of_point, waters.lake_of_point, running(waters), largest_feeders(waters)
    fed, is_run = np.zeros((2, len(receiver)), bool)
    fed[receiver[runs]] = True
    is_run[runs] = True
    # A lake's last point begins a river, whatever flows into the lake, if enough flows out.
    begins = np.where(lake[runs] >= 0, is_run[receiver[runs]], ~fed[runs])
    landmass = waters.landmasses.landmass_of_point
    return *kernels.follow(runs[begins], receiver, lake, landmass, largest, is_run), largest


def _lines(
    waters: Hydrology, points: np.ndarray, first: np.ndarray, place: np.ndarray, run: np.ndarray, bend: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Smooth lines through mesh points, downstream: (float64 (k, 6): place, height, flow, run; where each line begins).

    `bend`: float64 (2, points), how far the river meanders to one side and to both on the edge below each point, in edges.
    """
    at, head, last = place[points], first[:-1], first[1:] - 1
    flow = waters.discharge_m3_s[points]
    # A lake's outlet carries only what the lake has not lost.
    flow[head] = np.minimum(flow[head], flow[head + 1])
    flow[last] = flow[last - 1]
    height = np.maximum(waters.surface_m[points].astype(np.float64), waters.sea_level_m)
    kernels.lower(first, height)
    edge = np.delete(np.arange(len(points)), last)
    line = np.repeat(np.arange(len(head)), np.diff(first) - 1)
    before, after = at[edge - 1], at[np.minimum(edge + 2, len(points) - 1)]
    begins, ends = edge == head[line], edge + 1 == last[line]
    before[begins] = 2.0 * at[edge[begins]] - at[edge[begins] + 1]
    after[ends] = 2.0 * at[edge[ends] + 1] - at[edge[ends]]
    a, b, c, d = (x[:, None, :] for x in (before, at[edge], at[edge + 1], after))
    s = (np.arange(STEPS) / STEPS)[None, :, None]
    # A Catmull-Rom curve.
    curve = b + 0.5 * s * (c - a + s * (2 * a - 5 * b + 4 * c - d + s * (3 * (b - c) + d - a)))
    # Meanders vanish, with their slope, at either end of an edge, where tributaries come in. They fade along the last edge,
    # where the other river comes from nearly the same side and would be crossed.
    fading = np.where(ends[:, None, None], JOINING * (1.0 - s) ** 2, 1.0)
    one, both = (amount[points[edge], None, None] for amount in bend)
    wave, arc = circle(s)[1], circle(0.5 * s)[1]
    curve += np.cross(b, c - b) * ((one + both * wave) * arc**2 * fading)
    curve = unit(curve)
    values = np.column_stack([height, flow, run[points]])
    between = values[edge, None, :] + s * (values[edge + 1] - values[edge])[:, None, :]
    out = np.empty((STEPS * len(edge) + len(head), 6))
    where = STEPS * np.arange(len(edge))[:, None] + line[:, None] + np.arange(STEPS)
    out[where, :3], out[where, 3:] = curve, between
    starts = STEPS * (first - np.arange(len(first))) + np.arange(len(first))
    out[starts[1:] - 1, :3], out[starts[1:] - 1, 3:] = unit(at[last]), values[last]
    return out, starts


def places(cells: int, atlas: Atlas = DOUBLE_CONE) -> np.ndarray:
    """Unit vectors to the points of a mesh: float64 (points, 3)."""
    return meshes.from_faces(atlas.positions(cells + 1))
