"""River courses: the chains of the local mesh joined from source to mouth, with their discharge and their places."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..local.chain_ways import ChainEnds, chain_ends, ways_of
from ..local.courses import NONE, Chains, Network
from ..local.fine_mesh import FineMesh
from ..local.mesh_places import place_of
from ..waters.hydrology import Hydrology
from .records import MOUTHS


@dataclass(frozen=True)
class RiverWay:
    """The way of one river: the numbers of its `chains` downstream, and global points.

    `head`: the point at which it begins. `source_lake`: the lake that it flows out of, or NONE. `mouth`: one of
    `records.MOUTHS`. `last`: the last point that it flows through. `end`: the last point that no other river flows through.
    `order`: Strahler's, at its end.
    """

    head: int
    source_lake: int
    chains: tuple[int, ...]
    mouth: str
    last: int
    end: int
    order: int


@dataclass(frozen=True)
class RiverCourse:
    """A river: its `way`; `into`, the number of the river that it flows into, or NONE; and its k vertices downstream.

    `place`: float64 (k, 2), degrees. `flow_m3_s`: float64 (k,). `top_m`, `bottom_m`: the levels at which its first and its
    last chain begin and end.
    """

    way: RiverWay
    into: int
    place: np.ndarray
    flow_m3_s: np.ndarray
    top_m: float
    bottom_m: float


@dataclass(frozen=True)
class Meeting:
    """A confluence: `place` float64 (2,) degrees, the numbers of two rivers, and the discharge of `river` below it."""

    place: np.ndarray
    river: int
    tributary: int
    flow_m3_s: float


@dataclass(frozen=True)
class RiverSystem:
    """All rivers of a planet, in the order of their first chains, and where they meet.

    `shore`: where the course of a global point crosses a shore, float64 (2,) degrees.
    """

    courses: tuple[RiverCourse, ...]
    meetings: tuple[Meeting, ...]
    shore: dict[int, np.ndarray]


@dataclass(frozen=True)
class _Links:
    """How the chains of a planet are linked.

    `first_chain`: int64 (cells + 1,), the first chain of each cell of the network. `ends`: where each chain comes from.
    `shore`: as in `RiverSystem`.
    """

    mesh: FineMesh
    waters: Hydrology
    network: Network
    chains: Chains
    first_chain: np.ndarray
    ends: ChainEnds
    shore: dict[int, np.ndarray]

    def vertices(self, k: int) -> slice:
        """The vertices of chain k."""
        return slice(int(self.chains.first[k]), int(self.chains.first[k + 1]))

    def joined_chain(self, k: int) -> int:
        """The chain in which chain k ends."""
        return int(self.first_chain[self.chains.cell[k]] + self.chains.joins[k])


@dataclass(frozen=True)
class _Flow:
    """Discharge along chains, m^3/s.

    `of_vertex`: float64 (v,). `late`: float64 by chain, what joins it only behind its last vertex. `junctions`: (vertex,
    chain, tributary chain, discharge of the former below it).
    """

    of_vertex: np.ndarray
    late: np.ndarray
    junctions: list[tuple[int, int, int, float]]


def river_system_of(mesh: FineMesh, waters: Hydrology, network: Network, chains: Chains) -> RiverSystem:
    """The rivers of a planet, from the chains of all its strips."""
    links = _linked(mesh, waters, network, chains)
    ways, way_of_chain = _ways(links)
    flow = _flow(links)
    where = place_of(mesh, chains.vertex, chains.toward, chains.part)
    met = np.array(sorted({vertex for vertex, *_ in flow.junctions}), np.int64)
    joint = np.isin(chains.vertex, met)
    point = dict(zip(chains.vertex[joint].tolist(), where[joint], strict=True))
    courses = []
    for way in ways:
        into = int(way_of_chain[links.joined_chain(way.chains[-1])]) if way.mouth == "river" else NONE
        ends = chains.level_m[[chains.first[way.chains[0]], chains.first[way.chains[-1] + 1] - 1]].tolist()
        courses.append(RiverCourse(way, into, *_line(links, way, flow, where, joint), *ends))
    meetings = [
        Meeting(point[vertex], int(way_of_chain[river]), int(way_of_chain[tributary]), below)
        for vertex, river, tributary, below in flow.junctions
    ]
    return RiverSystem(tuple(courses), tuple(meetings), links.shore)


def _linked(mesh: FineMesh, waters: Hydrology, network: Network, chains: Chains) -> _Links:
    first_chain = np.concatenate([[0], np.cumsum(np.maximum(np.diff(network.first), 1))])
    shore = dict(zip(chains.gate_of.tolist(), chains.shore, strict=True))
    return _Links(mesh, waters, network, chains, first_chain, chain_ends(network, chains), shore)


def _ways(links: _Links) -> tuple[list[RiverWay], np.ndarray]:
    """(ways, the number of the way of each chain); every source and every outlet of a lake begins a way."""
    found = ways_of(links.mesh, links.waters, links.chains, links.ends)
    way_of_chain = np.full(len(links.chains.cell), NONE, np.int32)
    way_of_chain[found.chain] = np.repeat(np.arange(len(found)), np.diff(found.first))
    last = links.ends.cell[found.chain[found.first[1:] - 1]]
    lake, order = links.waters.lake_of_point, links.waters.order_of_point
    ways = [
        RiverWay(
            head=int(found.head[k]),
            source_lake=int(lake[found.out_of[k]]) if found.out_of[k] != NONE else NONE,
            chains=tuple(found.chain[found.first[k] : found.first[k + 1]].tolist()),
            mouth=MOUTHS[found.kind[k]],
            last=int(last[k]),
            end=int(found.own[k]),
            order=int(order[found.own[k]]),
        )
        for k in range(len(found))
    ]
    return ways, way_of_chain


def _flow(links: _Links) -> _Flow:
    """Discharge at the vertices of all chains, and where chains meet."""
    chains, network = links.chains, links.network
    of_vertex = np.zeros(len(chains.vertex))
    late, total = np.zeros(len(chains.cell)), np.zeros(len(chains.cell))
    own = _own_water(links)
    waiting: dict[int, list[int]] = {}
    junctions: list[tuple[int, int, int, float]] = []
    for k in range(len(chains.cell) - 1, -1, -1):
        feeder, c = int(links.ends.feeder[k]), int(chains.cell[k])
        span = links.vertices(k)
        flow = of_vertex[span]
        flow[:] = network.flow_m3_s[feeder] if feeder >= 0 else 0.0
        ends = [(other, int(chains.vertex[chains.first[other + 1] - 1])) for other in waiting.pop(k, [])]
        met = [(other, at, int(np.flatnonzero(chains.vertex[span] == at)[0])) for other, at in ends]
        if chains.slot[k] == 0:
            # The cell's own water joins where no river does, so that no water appears at a confluence.
            busy = {place for _, _, place in met}
            quiet = next((place for place in range(len(flow)) if place not in busy), None)
            if quiet is not None:
                flow[quiet:] += own[c]
            elif links.mesh.receiver[network.cell[c]] >= 0:
                late[k] = own[c]
            else:
                flow += own[c]
        for other, _, place in met:
            flow[place:] += total[other]
        total[k] = flow[-1]
        junctions += [(at, k, other, float(flow[place])) for other, at, place in met]
        if chains.joins[k] != NONE:
            waiting.setdefault(links.joined_chain(k), []).append(k)
    return _Flow(of_vertex, late, junctions)


def _own_water(links: _Links) -> np.ndarray:
    """What each cell of the network adds to what its feeders bring, m^3/s: float64 (cells,)."""
    network = links.network
    own = links.waters.discharge_m3_s[network.cell].copy()
    has = np.diff(network.first) > 0
    own[has] -= np.add.reduceat(np.append(network.flow_m3_s[network.feeder], 0.0), network.first[:-1][has])
    return own


def _line(
    links: _Links, way: RiverWay, discharge: _Flow, where: np.ndarray, joint: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """(degrees, discharge) along a way. `where`: degrees of all vertices; `joint`: where chains meet."""
    chains, late = links.chains, discharge.late[way.chains[-1]]
    index = np.concatenate([np.arange(chains.first[k], chains.first[k + 1]) for k in way.chains])
    place, flow = where[index], discharge.of_vertex[index]
    if abs(place[0, 1]) == 90.0 and not joint[index[0]]:
        # At a pole any longitude will do; this one draws a straight line.
        place[0, 0] = place[1, 0]
    if way.source_lake != NONE:
        place = np.concatenate([links.shore[way.head][None], place])
        flow = np.concatenate([links.network.flow_m3_s[[way.head]], flow])
    if way.mouth in ("sea", "lake"):
        place = np.concatenate([place, links.shore[way.last][None]])
        flow = np.concatenate([flow, flow[-1:] + late])
    return place, flow
