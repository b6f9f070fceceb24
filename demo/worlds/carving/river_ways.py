"""Courses: the rivers of carved land as smooth lines from source to mouth.

A river follows the samples from neighbour to neighbour, in eight directions; a course is that way, eased so that the
directions do not show. All rivers are eased together, so a tributary ends where its river runs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ...maths.lines import chunks
from ...maths.vectors import lengths, unit
from ..atlas import Atlas
from ..drainage import largest_feeders
from ..runoff import Runoff

# Points between two samples of a course. On a planet, whose samples are far apart, there are more of them, so that bends are
# round: of rivers with at least this share of the largest one's water, and of those that an eye comes so many cells near to.
STEPS, LARGE_STEPS, LARGE, NEAR_STEPS, NEAR_CELLS = 13, 40, 0.2, 80, 1.6
# A sample is drawn towards the middle of its two neighbours on the river by DRAWN, EASINGS times over.
DRAWN, EASINGS = 0.5, 8
# In between it is led back towards the bottom of its valley, by the share LED of the way there after those easings, within
# BESIDE of a cell to either side.
LED, LED_IN, BESIDE = 0.6, (0, 2, 4), 0.4
# About so many samples have rivers: the largest ones of a world.
MOST_SAMPLES = 2600
# No river has less water, m^3/s: it would be a metre or two wide.
LEAST_M3_S = 0.05
# What a course ends in.
SEA, RIVER, PIT = range(3)


@dataclass(frozen=True)
class Courses:
    """Rivers as lines downstream; the points of line k are first[k] .. first[k + 1] - 1. Tributaries come before the river
    that they join, and arms before what they leave.

    By point: `place`, float64 (p, 3), as `Atlas.place` has it; `flow_m3_s`, float64 (p,), which grows downstream until arms
    leave; `lake_m`, float32 (p,), the level of a lake, metres above the sea, minus infinity elsewhere. By line: `end`, int
    (lines,), one of SEA, RIVER, PIT; `joined`, int (lines,), the point of another line at which it ends, -1 for none;
    `parted`, int (lines,), the point of another line at which it begins, -1 for a source.
    """

    place: np.ndarray
    flow_m3_s: np.ndarray
    lake_m: np.ndarray
    first: np.ndarray
    end: np.ndarray
    joined: np.ndarray
    parted: np.ndarray

    def __len__(self) -> int:
        return len(self.end)

    def line(self, k: int) -> slice:
        """The points of line k."""
        return slice(int(self.first[k]), int(self.first[k + 1]))

    @property
    def of_point(self) -> np.ndarray:
        """The line of each point, int (p,)."""
        return np.repeat(np.arange(len(self)), np.diff(self.first))

    @property
    def step(self) -> np.ndarray:
        """How many points of its line come before each point, int (p,)."""
        return np.arange(len(self.place)) - np.repeat(self.first[:-1], np.diff(self.first))

    @property
    def has_source(self) -> np.ndarray:
        """Whether the line of each point begins at a source, bool (p,): arms begin at other lines."""
        return (self.parted < 0)[self.of_point]

    @property
    def on_delta(self) -> np.ndarray:
        """Whether a line is an arm or has arms, bool (lines,)."""
        found = self.parted >= 0
        found[self.of_point[self.parted[found]]] = True
        return found


def courses_of(
    runoff: Runoff,
    ground: Callable[[np.ndarray], np.ndarray],
    atlas: Atlas,
    size_m: float,
    metres: float,
    eyes: np.ndarray | None = None,
) -> Courses:
    """The courses of a world's largest rivers.

    `ground`: heights (k,) at places (k, 3) in any unit; `size_m`: the radius or the extent; `metres`: in a unit of the
    runoff's heights. `eyes`: (m, 3), metres in the world: what is near them counts as larger; None: size alone
    counts.
    """
    chosen = _chosen(runoff, atlas, size_m, metres, eyes)
    if not len(chosen):
        return _none()
    # Nodes that only end a river follow the others.
    receiver = runoff.receiver[chosen]
    mouths = np.setdiff1d(receiver, chosen)
    mouths = mouths[runoff.sample[mouths] >= 0]
    nodes = np.concatenate([chosen, mouths])
    flow = np.concatenate([runoff.discharge_m3_s(size_m, chosen), np.zeros(len(mouths))])
    down = np.where(receiver == chosen, -1, _numbers(receiver, nodes))
    feeder = largest_feeders(down, flow, np.flatnonzero(down >= 0))
    cell = atlas.edge / (runoff.n - 1)
    place = _eased(_places(runoff, atlas, nodes), down, feeder, ground, cell, atlas.spherical)
    chains, end = _chains(down, feeder, len(chosen), flow)
    lake = ((runoff.level[nodes] - np.float32(runoff.sea)) * np.float32(metres)).astype(np.float32)
    near = np.zeros(len(nodes), bool)
    if eyes is not None and atlas.spherical:
        high = (runoff.height[nodes].astype(np.float64) - runoff.sea) * metres
        near = _nearest(_metres_of(place, high, size_m, True), eyes) < (NEAR_CELLS * cell * size_m) ** 2
    return _drawn(chains, end, place, flow, lake, len(chosen), near, atlas.spherical)


def _numbers(values: np.ndarray, among: np.ndarray) -> np.ndarray:
    """Where each value (k,) is `among` others (m,), none of which is there twice; -1 where it is not, int (k,)."""
    order = np.argsort(among)
    found = order[np.minimum(np.searchsorted(among, values, sorter=order), len(among) - 1)]
    return np.where(among[found] == values, found, -1)


def _none() -> Courses:
    whole = np.zeros(0, np.intp)
    return Courses(np.zeros((0, 3)), np.zeros(0), np.zeros(0, np.float32), np.zeros(1, np.intp), whole, whole, whole)


def _chosen(runoff: Runoff, atlas: Atlas, size_m: float, metres: float, eyes: np.ndarray | None) -> np.ndarray:
    """The nodes whose rivers look widest from the nearest of `eyes`, or are widest, and all nodes that those flow to."""
    # Of a fine terrain there are a million nodes: an array for all of them is 8 MB.
    found = np.flatnonzero((runoff.discharge_m3_s(size_m) >= LEAST_M3_S) & runoff.land)
    if len(found) > MOST_SAMPLES:
        looks = runoff.discharge_m3_s(size_m, found)
        if eyes is not None:
            high = (runoff.height[found].astype(np.float64) - runoff.sea) * metres
            looks = looks / _nearest(_metres_of(_places(runoff, atlas, found), high, size_m, atlas.spherical), eyes)
        # Places of one and the same look all count, or none does.
        found = found[looks > np.partition(looks, -MOST_SAMPLES)[-MOST_SAMPLES]]
    chosen = np.zeros(len(runoff.land), bool)
    while len(found):
        chosen[found] = True
        found = runoff.receiver[found]
        found = np.unique(found[runoff.land[found] & ~chosen[found]])
    return np.flatnonzero(chosen)


def _metres_of(place: np.ndarray, high: np.ndarray, size_m: float, spherical: bool) -> np.ndarray:
    """Positions in metres of places (k, 3) at heights (k,)."""
    if spherical:
        return place * (size_m + high)[:, None]
    at = place * size_m
    at[:, 1] = high
    return at


def _nearest(at: np.ndarray, eyes: np.ndarray) -> np.ndarray:
    """The squared distance (k,) from each position (k, 3) to the nearest of `eyes` (m, 3)."""
    x, y, z = np.ascontiguousarray(at.T)
    least = np.full(len(at), np.inf)
    for eye in eyes:
        # Axis by axis: rows of three are far slower.
        square, away = (x - eye[0]) ** 2, y - eye[1]
        square += away * away
        away = z - eye[2]
        square += away * away
        np.minimum(least, square, out=least)
    return np.maximum(least, 1.0)


def _places(runoff: Runoff, atlas: Atlas, nodes: np.ndarray) -> np.ndarray:
    face, rest = np.divmod(runoff.sample[nodes], runoff.n * runoff.n)
    j, i = np.divmod(rest, runoff.n)
    return atlas.place(face, i / (runoff.n - 1), j / (runoff.n - 1))


def _eased(
    place: np.ndarray,
    down: np.ndarray,
    feeder: np.ndarray,
    ground: Callable[[np.ndarray], np.ndarray],
    cell: float,
    spherical: bool,
) -> np.ndarray:
    """Places drawn towards those of their neighbours on the river and kept in the valley; sources and mouths stay.

    `cell`: the edge of a cell, in radii or extents.
    """
    inner = np.flatnonzero((down >= 0) & (feeder[: len(down)] >= 0))
    for number in range(EASINGS):
        before, after = place[feeder[inner]], place[down[inner]]
        place[inner] += DRAWN * (0.5 * (before + after) - place[inner])
        if number in LED_IN:
            place[inner] += LED * _to_bottom(place[inner], after - before, ground, BESIDE * cell, spherical)
    return unit(place) if spherical else place


def _to_bottom(
    place: np.ndarray, along: np.ndarray, ground: Callable[[np.ndarray], np.ndarray], reach: float, spherical: bool
) -> np.ndarray:
    """The way (k, 3) from each place to the lowest ground across `along`, no longer than `reach`.

    It is that of a parabola through three heights.
    """
    up = unit(place) if spherical else np.broadcast_to([0.0, 1.0, 0.0], place.shape)
    across = np.cross(up, along)
    across *= reach / np.maximum(lengths(across), 1e-12)[:, None]
    left, middle, right = (ground(place + side * across) for side in (-1.0, 0.0, 1.0))
    bent, lean = left - 2.0 * middle + right, left - right
    bottom = np.where(bent > 0.0, np.clip(0.5 * lean / np.maximum(bent, 1e-9), -1.0, 1.0), np.sign(lean))
    return bottom[:, None] * across


def _chains(down: np.ndarray, feeder: np.ndarray, rivers: int, flow: np.ndarray) -> tuple[list[list[int]], np.ndarray]:
    """Nodes of each river downstream, and what each one ends in.

    A river goes on through a node where it is the largest that flows there.
    """
    chains, end = [], []
    ahead, largest = down.tolist(), feeder.tolist()
    heads = np.flatnonzero(feeder[:rivers] < 0)
    for head in heads.tolist():
        chain, what = [head], PIT
        while chain[-1] < rivers and ahead[chain[-1]] >= 0:
            here = chain[-1]
            chain.append(ahead[here])
            if chain[-1] >= rivers:
                what = SEA
            elif largest[chain[-1]] != here:
                what = RIVER
                break
        if len(chain) > 1:
            chains.append(chain)
            end.append(what)
    # A river has more water at its end than any that joins it has.
    order = np.argsort([flow[chain[-2]] for chain in chains], kind="stable") if chains else np.zeros(0, np.intp)
    return [chains[k] for k in order], np.array(end, np.intp)[order]


def curve(at: np.ndarray, edge: np.ndarray, begins: np.ndarray, ends: np.ndarray, s: np.ndarray) -> np.ndarray:
    """Catmull-Rom curves from the points at[edge] to the next ones, (p, 3), at the shares `s` (p,) of the way.

    `begins`, `ends`: bool (p,), whether a line begins or ends there.
    """
    curves = np.empty((len(edge), 3))
    for few in chunks(len(edge)):
        curves[few] = _curve(at, edge[few], begins[few], ends[few], s[few, None])
    return curves


def _curve(at: np.ndarray, edge: np.ndarray, begins: np.ndarray, ends: np.ndarray, s: np.ndarray) -> np.ndarray:
    before, after = at[np.maximum(edge - 1, 0)], at[np.minimum(edge + 2, len(at) - 1)]
    before[begins] = 2.0 * at[edge[begins]] - at[edge[begins] + 1]
    after[ends] = 2.0 * at[edge[ends] + 1] - at[edge[ends]]
    b, c = at[edge], at[edge + 1]
    curve: np.ndarray = b + 0.5 * s * (
        c - before + s * (2 * before - 5 * b + 4 * c - after + s * (3 * (b - c) + after - before))
    )
    return curve


def _drawn(
    chains: list[list[int]],
    end: np.ndarray,
    place: np.ndarray,
    flow: np.ndarray,
    lake: np.ndarray,
    rivers: int,
    near: np.ndarray,
    spherical: bool,
) -> Courses:
    """Curves through the nodes of chains. `near`: by node, whether the flight comes near."""
    if not chains:
        return _none()
    nodes = np.concatenate([np.array(chain) for chain in chains])
    counts = np.array([len(chain) for chain in chains])
    begin = np.concatenate([[0], np.cumsum(counts)])
    last = begin[1:] - 1
    water = flow[nodes]
    # What a river joins, or the sea, says nothing of its own water.
    water[last] = water[last - 1]
    own = np.delete(np.arange(len(nodes)), last)
    large = (water[last] >= LARGE * water.max(initial=0.0)) & spherical
    steps = np.where(large, LARGE_STEPS, STEPS)
    steps[np.logical_or.reduceat(near[nodes], begin[:-1])] = NEAR_STEPS
    # Each edge gives its points but for the last; the last edge of a line gives that too.
    first = np.concatenate([[0], np.cumsum(steps * (counts - 1) + 1)])
    line = np.repeat(np.arange(len(chains)), counts - 1)
    steps = steps[line]
    start = np.cumsum(steps) - steps + line
    of_edge = np.repeat(np.arange(len(own)), steps)
    part = np.arange(len(of_edge)) - (start - line)[of_edge]
    edge, s, where = own[of_edge], part / steps[of_edge], start[of_edge] + part
    ends = first[1:] - 1
    out, values, level = np.empty((first[-1], 3)), np.empty(first[-1]), np.empty(first[-1], np.float32)
    out[where] = curve(place[nodes], edge, np.isin(own, begin[:-1])[of_edge], np.isin(own + 1, last)[of_edge], s)
    values[where] = water[edge] + s * (water[edge + 1] - water[edge])
    level[where] = _lake_along(lake[nodes[own]], lake[nodes[own + 1]])[of_edge]
    out[ends], values[ends] = place[nodes[last]], water[last]
    level[ends] = np.minimum(lake[nodes[last - 1]], lake[nodes[last]])
    # Where each node lies on the river that goes on through it.
    point = np.full(len(flow), -1)
    point[nodes[own]] = start
    joined = np.where(end == RIVER, point[nodes[last]], -1)
    return Courses(unit(out) if spherical else out, values, level, first, end, joined, np.full(len(end), -1))


def _lake_along(here: np.ndarray, after: np.ndarray) -> np.ndarray:
    """The level of the lake on edges between nodes with these levels, (k,): an outlet is at its lake's level."""
    return np.where(after > -np.inf, np.minimum(here, after), here)
