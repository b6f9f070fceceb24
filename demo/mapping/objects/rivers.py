"""Rivers as objects: the chains of their courses joined from source to mouth, with widths by discharge, and smoothed."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ...worlds.doublecone import global_mesh as meshes
from ...worlds.hashing import uniforms_at
from ..degrees import longitude_of
from ..local.courses import NONE, Chains, Network
from ..local.fine_mesh import LAND, FineMesh
from ..local.fine_mesh_kernels import BESIDE, DEGREE
from ..waters.hydrology import Hydrology

# A river's width in metres is this times the root of its discharge in m^3/s, after Leopold and Maddock.
WIDTH = 7.0
JITTER_STREAM = 3201
# Vertices away from water and confluences are moved by up to this part of a local step.
JITTER = 0.3
# Up to this ln another vertex is put between two, on a smooth curve.
FINE_LN = 4


@dataclass
class Course:
    """A river: `chains` it runs through; `mouth` as in `objects.MOUTHS`; `into`: the course of a receiving river, or NONE.

    `place`: float64 (k, 2), degrees; `flow_m3_s`: float64 (k,). `last`: the global point that it last belonged to, `head`:
    the one it began at, `end`: the last one that no other river runs through.
    """

    head: int
    source_lake: int
    chains: list[int] = field(default_factory=list)
    mouth: str = "basin"
    into: int = NONE
    last: int = NONE
    end: int = NONE
    order: int = 0
    place: np.ndarray = field(default_factory=lambda: np.zeros((0, 2)))
    flow_m3_s: np.ndarray = field(default_factory=lambda: np.zeros(0))


@dataclass(frozen=True)
class Meeting:
    """A confluence: local mesh number, courses, and the discharge of `river` below it."""

    vertex: int
    place: np.ndarray
    river: int
    tributary: int
    flow_m3_s: float


class Assembly:
    """Joins chains to courses, by the number of the point they begin at."""

    def __init__(self, mesh: FineMesh, waters: Hydrology, network: Network, chains: Chains) -> None:
        self.mesh, self.waters, self.network, self.chains = mesh, waters, network, chains
        count = np.maximum(np.diff(network.first), 1)
        self.chain_of_cell = np.concatenate([[0], np.cumsum(count)])
        self.feeder_of_chain = np.full(len(chains.cell), NONE, np.int32)
        fed = np.repeat(np.diff(network.first) > 0, count)
        self.feeder_of_chain[fed] = network.feeder
        self.chain_of_feeder = dict(zip(network.feeder.tolist(), np.flatnonzero(fed).tolist(), strict=True))
        self.shore = dict(zip(chains.gate_of.tolist(), chains.shore, strict=True))
        self.courses: list[Course] = []
        self.meetings: list[Meeting] = []
        self._follow()
        self._flow()
        self._place()

    def _vertices(self, k: int) -> slice:
        return slice(int(self.chains.first[k]), int(self.chains.first[k + 1]))

    def _follow(self) -> None:
        """Every source and lake outlet starts a course."""
        lake = self.waters.lake_of_point
        cell = self.network.cell[self.chains.cell]
        feeder = self.feeder_of_chain
        # Water that springs at the bottom of its basin runs nowhere.
        springs = (feeder < 0) & (self.mesh.receiver[cell] >= 0)
        heads = np.flatnonzero(springs | ((feeder >= 0) & (lake[feeder] >= 0)))
        self.course_of_chain = np.full(len(cell), NONE, np.int32)
        for k in heads.tolist():
            out_of = int(feeder[k])
            head = int(cell[k]) if out_of < 0 else out_of
            course = Course(head, int(lake[out_of]) if out_of >= 0 else NONE)
            number = len(self.courses)
            self.courses.append(course)
            while k >= 0:
                course.chains.append(k)
                self.course_of_chain[k] = number
                k = self._next(course, k)

    def _next(self, course: Course, k: int) -> int:
        """The chain after k, or NONE at a mouth."""
        p = int(self.network.cell[self.chains.cell[k]])
        course.last = course.end = p
        feeder = int(self.feeder_of_chain[k])
        whole = self.chains.joins[k] == NONE
        course.order = int(self.waters.order_of_point[p if whole or feeder < 0 else feeder])
        if not whole:
            course.mouth, course.end = "river", feeder
            return NONE
        r = int(self.mesh.receiver[p])
        if r < 0:
            return NONE
        if self.mesh.body[r] != LAND:
            course.mouth = "sea" if self.waters.lake_of_point[r] < 0 else "lake"
            return NONE
        return self.chain_of_feeder[p]

    def _flow(self) -> None:
        """Discharge at every chain's vertices; meetings."""
        chains, network = self.chains, self.network
        self.flow = np.zeros(len(chains.vertex))
        # What joins a chain only behind its last vertex.
        self.late = np.zeros(len(chains.cell))
        total = np.zeros(len(chains.cell))
        own = self.waters.discharge_m3_s[network.cell].copy()
        has = np.diff(network.first) > 0
        sums = np.add.reduceat(np.append(network.flow_m3_s[network.feeder], 0.0), network.first[:-1][has])
        own[has] -= sums
        waiting: dict[int, list[int]] = {}
        for k in range(len(chains.cell) - 1, -1, -1):
            feeder, c = int(self.feeder_of_chain[k]), int(chains.cell[k])
            span = self._vertices(k)
            flow = self.flow[span]
            flow[:] = network.flow_m3_s[feeder] if feeder >= 0 else 0.0
            ends = [(other, int(chains.vertex[chains.first[other + 1] - 1])) for other in waiting.pop(k, [])]
            met = [(other, at, int(np.flatnonzero(chains.vertex[span] == at)[0])) for other, at in ends]
            if chains.slot[k] == 0:
                # The cell's own water joins where no river does, so that none is made at a confluence.
                quiet = np.setdiff1d(np.arange(len(flow)), [place for _, _, place in met])
                if len(quiet):
                    flow[quiet[0] :] += own[c]
                elif self.mesh.receiver[network.cell[c]] >= 0:
                    self.late[k] = own[c]
                else:
                    flow += own[c]
            for other, _, place in met:
                flow[place:] += total[other]
            total[k] = flow[-1]
            self.meetings += [Meeting(at, np.zeros(2), k, other, float(flow[place])) for other, at, place in met]
            if chains.joins[k] != NONE:
                waiting.setdefault(int(self.chain_of_cell[c] + chains.joins[k]), []).append(k)

    def _place(self) -> None:
        """Vertices in degrees."""
        chains = self.chains
        where = place_of(self.mesh, chains.vertex, chains.free)
        met = np.array(sorted({meeting.vertex for meeting in self.meetings}), np.int64)
        joint = np.isin(chains.vertex, met)
        still = ~chains.free | joint
        point = dict(zip(chains.vertex[joint].tolist(), where[joint], strict=True))
        for course in self.courses:
            spans = [np.arange(chains.first[k], chains.first[k + 1]) for k in course.chains]
            index = np.concatenate(spans)
            place, flow, fixed = where[index], self.flow[index], still[index]
            if abs(place[0, 1]) == 90.0 and not joint[index[0]]:
                # At a pole every longitude is right; this one draws a straight line.
                place[0, 0] = place[1, 0]
            if course.source_lake != NONE:
                place = np.concatenate([self.shore[course.head][None], place])
                flow, fixed = np.concatenate([self.network.flow_m3_s[[course.head]], flow]), np.concatenate([[True], fixed])
            if course.mouth in ("sea", "lake"):
                place = np.concatenate([place, self.shore[course.last][None]])
                flow = np.concatenate([flow, flow[-1:] + self.late[course.chains[-1]]])
                fixed = np.concatenate([fixed, [True]])
            if course.mouth == "river":
                course.into = int(self.course_of_chain[self._joined_chain(course.chains[-1])])
            course.place, course.flow_m3_s = smoothed(place, flow, fixed, self.mesh.ln <= FINE_LN)
        of = self.course_of_chain
        self.meetings = [
            Meeting(m.vertex, point[m.vertex], int(of[m.river]), int(of[m.tributary]), m.flow_m3_s) for m in self.meetings
        ]

    def _joined_chain(self, k: int) -> int:
        return int(self.chain_of_cell[self.chains.cell[k]] + self.chains.joins[k])


def place_of(mesh: FineMesh, vertex: np.ndarray, free: np.ndarray) -> np.ndarray:
    """Degrees, float64 (k, 2), multiples of DEGREE, of local mesh numbers, those that are `free` moved a little."""
    fine = mesh.fine_cells
    start, count = meshes.ring_starts(fine), meshes.ring_counts(fine)
    ring = np.searchsorted(start, vertex, side="right") - 1
    chance = np.stack([uniforms_at(mesh.planet.seed, JITTER_STREAM + k, vertex) for k in range(2)])
    chance = np.where(free & (ring > 0) & (ring < 2 * fine), JITTER * (2.0 * chance - 1.0), 0.0)
    longitude = longitude_of((vertex - start[ring] + chance[0]) / count[ring])
    latitude = 90.0 - (ring + chance[1]) * (90.0 / fine)
    return whole(np.stack([longitude, latitude], axis=1))


def whole(place: np.ndarray) -> np.ndarray:
    """The places in degrees as `local_kernels.rounded` has them."""
    out = np.rint(place / DEGREE) * DEGREE
    out[:, 0] -= 360.0 * np.ceil((out[:, 0] - 180.0) / 360.0)
    out[:, 0] = np.clip(out[:, 0], BESIDE - 180.0, 180.0 - BESIDE)
    return out


def smoothed(place: np.ndarray, flow: np.ndarray, fixed: np.ndarray, denser: bool) -> tuple[np.ndarray, np.ndarray]:
    """A course with rounded bends (degrees, discharge); fixed vertices and the ends stay, bit for bit."""
    from .outlines import unwrapped

    line, hold = unwrapped(place), fixed.copy()
    hold[[0, -1]] = True
    if len(line) > 2:
        mean = 0.25 * line[:-2] + 0.5 * line[1:-1] + 0.25 * line[2:]
        line[1:-1] = np.where(hold[1:-1, None], line[1:-1], mean)
    if denser and len(line) > 3:
        middle = (9.0 * (line[1:-2] + line[2:-1]) - (line[:-3] + line[3:])) / 16.0
        wanted = ~fixed[1:-2] | ~fixed[2:-1]
        at = np.flatnonzero(wanted) + 2
        line = np.insert(line, at, middle[wanted], axis=0)
        flow = np.insert(flow, at, flow[at - 1])
    return whole(line), flow
