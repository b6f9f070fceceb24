"""Truth: do the scenes' carved worlds drain as land does? Slopes, lengths, orders, closed basins and directions of rivers.

Channels drain CRITICAL cells or more. Bars are those of real land: concavity theta of slope ~ area^-theta, Hack's exponent
of length ~ area^h, the ratio of the numbers of streams of one Strahler order and of the next, in basins of order HIGH, and
the share of land that drains inwards, into lakes whose inflow evaporates. Directions of reaches of REACH cells are taken
against the grid of the samples.

Slopes are taken from node to node, and their medians in bins of the logarithm of area (Tarboton et al. 1989; Montgomery and
Foufoula-Georgiou 1993). Concavity is that of one basin's rivers, which share an uplift (Wobus et al. 2006; Mudd et al.
2018): bins of all basins together would compare large basins, which reach high mountains, with small ones along coasts. All
basins of a world have one theta and a steepness each. A world of fewer than FEWEST basins tells too little. The ratio of
bifurcation is Strahler's weighted mean (1953): that of two orders counts as the number of their streams does. Directions are
of more worlds than the rest: few planets have few continents, and these lie one way or another.
"""

from __future__ import annotations

from dataclasses import dataclass

import numba
import numpy as np

from benchmarks.harness import Report
from demo.catalogue.generators import generator
from demo.scenes.scenes import ROTATION, SCENES
from demo.worlds.carving.carver import Carver
from demo.worlds.carving.node_graph import NodeGraph, node_graph
from demo.worlds.climate.laws import EVAPORATION_C, EVAPORATION_MM
from demo.worlds.growth import Growth
from demo.worlds.layers import layers_of
from demo.worlds.parameters import Value

SEEDS, WORLDS, CRITICAL, REACH, BINS, HIGH, ORDERS = 5, 20, 30, 12, 16, 3, 12
# Bins of area in a tenfold of it and up to how many critical areas; at least: slopes in a bin, bins of a basin, and basins,
# or rivers in a bin.
TENTH, FARTHEST, SLOPES, SPAN, FEWEST = 5, 1000.0, 8, 3, 8
THETA, HACK, BIFURCATION, CLOSED, UNEVEN = (0.35, 0.6), (0.5, 0.65), (3.0, 5.0), 0.2, 1.5
# Atlases that no scene has.
MORE: dict[str, tuple[str, dict[str, Value]]] = {
    "cuts, latlong": ("cuts", {"atlas": "latlong"}),
    "doublecone, areas": ("doublecone", {"keeps": "areas"}),
}


@dataclass(frozen=True)
class Rivers:
    """The rivers of one world: its figures, `streams`, their numbers by Strahler order, from 1, int64 (ORDERS,), and
    `directions`, the numbers of reaches in BINS directions, float64 (BINS,). `theta` is NaN for fewer than FEWEST basins."""

    theta: float
    hack: float
    streams: np.ndarray
    closed: float
    directions: np.ndarray


def run(report: Report) -> None:
    """Worlds of each scene that is carved, and of two atlases more."""
    cases = {name: (name, dict[str, Value]()) for name in ROTATION if SCENES[name].is_carved} | MORE
    seeds, worlds = report.rounds(SEEDS), report.rounds(WORLDS)
    for title, (name, more) in cases.items():
        every = [rivers_of(grown(name, more, seed), name) for seed in range(1, worlds + 1)]
        found = every[:seeds]
        _within(report, f"{title}: theta", [one.theta for one in found if not np.isnan(one.theta)], *THETA)
        _within(report, f"{title}: Hack's exponent", [one.hack for one in found], *HACK)
        streams = np.sum([one.streams for one in found], axis=0)
        _within(report, f"{title}: bifurcation", [_bifurcation(streams)], *BIFURCATION)
        closed = max(one.closed for one in found)
        report.figure(f"{title}: closed basins", f"{closed:.1%} of land", f"at most {CLOSED:.0%}", closed <= CLOSED)
        together = np.sum([one.directions for one in every], axis=0)
        most = float(together.max() / together.mean())
        report.figure(f"{title}: directions", f"{most:.2f} times the mean", f"at most {UNEVEN:g}", most <= UNEVEN)
    report.note(f"Worlds of fewer than {FEWEST} basins have no theta.")
    report.note(f"Of {seeds} seeds the least and the greatest; streams of {seeds} together, directions of {worlds}.")


def _bifurcation(streams: np.ndarray) -> float:
    """The weighted mean ratio of the numbers of streams of one order and of the next, up to HIGH: above it the sea ends most
    rivers before they meet another as large, and numbers would count coasts."""
    upper, lower = streams[: HIGH - 1].astype(np.float64), streams[1:HIGH].astype(np.float64)
    return float(np.average(upper / lower, weights=upper + lower))


def _within(report: Report, what: str, values: list[float], low: float, high: float) -> None:
    if not values:
        report.figure(what, "too few basins")
        return
    least, most = min(values), max(values)
    said = f"{least:.2f} to {most:.2f}" if len(values) > 1 else f"{least:.2f}"
    report.figure(what, said, f"{low:g} to {high:g}", low <= least and most <= high)


def grown(name: str, more: dict[str, Value], seed: int) -> Growth:
    """A scene's world, carved to its end."""
    growth = generator(name).grow(seed, {**SCENES[name].parameters, **more})
    growth.advance(growth.total)
    return growth


def rivers_of(growth: Growth, name: str) -> Rivers:
    """The figures of a carved world."""
    nodes = node_graph(growth.atlas, growth.n)
    sea = float(growth.sea_level)
    work = Carver(nodes, nodes.of_samples(growth.heights, outside=sea), sea, sea, growth.seed)
    work.drain(0, np.ones(nodes.count, np.float32))
    land = work.height > work.sea
    area, receiver = np.where(land, work.flow, 0.0), work.receiver.copy()
    # Upstream first: the area of a receiver is greater than those of its donors.
    order = np.argsort(area, kind="stable")
    order = order[land[order]]
    place = nodes.places(growth.atlas)
    way = np.sqrt(((place - place[receiver]) ** 2).sum(axis=1))
    least = CRITICAL * float(np.median(nodes.area[land]))
    channel = land & (area >= least)
    dry = channel & land[receiver] & (work.level <= work.height) & (way > 0.0)
    slope = (work.height - work.height[receiver])[dry] / way[dry]
    longest = np.zeros(nodes.count)
    _lengths(order, receiver, way, longest)
    return Rivers(
        theta=_concavity(area[dry], slope, _mouths(order, receiver, land)[dry], least),
        hack=_hack(area, longest, channel, receiver, least),
        streams=_streams(order, receiver, channel),
        closed=_closed(growth, name, nodes, work, order, receiver),
        directions=_directions(growth, nodes, receiver, channel, place),
    )


def _concavity(area: np.ndarray, slope: np.ndarray, mouth: np.ndarray, least: float) -> float:
    """Theta of slope ~ area^-theta with one factor for each basin, by least squares of the logarithms of the medians in
    bins of area; `mouth`: the number of each one's basin. NaN for fewer than FEWEST basins with SPAN bins."""
    bins = np.floor(np.log10(area / least) * TENTH).astype(np.int64)
    kept = (bins >= 0) & (area < FARTHEST * least)
    key = np.unique(mouth[kept], return_inverse=True)[1] * 100 + bins[kept]
    order = np.argsort(key, kind="stable")
    number, counts = np.unique(key, return_counts=True)
    groups = np.split(order, np.cumsum(counts)[:-1])
    middles = np.array([[np.median(values[kept][one]) for one in groups] for values in (area, slope)])
    used = (counts >= SLOPES) & (middles[1] > 0.0)
    basin, (x, y) = number[used] // 100, np.log(middles[:, used])
    _, basin, bins_of_it = np.unique(basin, return_inverse=True, return_counts=True)
    wide = bins_of_it[basin] >= SPAN
    if np.unique(basin[wide]).size < FEWEST:
        return float("nan")
    x, y = (v - (np.bincount(basin, v) / bins_of_it)[basin] for v in (x, y))
    return float(-(x[wide] * y[wide]).sum() / (x[wide] ** 2).sum())


def _mouths(order: np.ndarray, receiver: np.ndarray, land: np.ndarray) -> np.ndarray:
    """The last node on land of each node's way to the sea, int64 (nodes,)."""
    mouth = np.arange(land.size)
    _lead(order, receiver, land, mouth)
    return mouth


@numba.njit
def _lead(order, receiver, land, mouth):
    for k in range(order.size - 1, -1, -1):
        p = order[k]
        if land[receiver[p]]:
            mouth[p] = mouth[receiver[p]]


def _hack(area: np.ndarray, longest: np.ndarray, channel: np.ndarray, receiver: np.ndarray, least: float) -> float:
    """The exponent of the medians of `longest` in ten bins of area, from `least` to 100 times as much, those through which
    FEWEST rivers flow: the nodes of one river say the same many times."""
    bins = np.where(channel, np.digitize(area, least * np.geomspace(1.0, 100.0, 11)), 0)
    rivers = np.bincount(bins[bins != bins[receiver]], minlength=12)
    kept = [bins == k for k in range(1, 11) if rivers[k] >= FEWEST]
    middles = [[np.log(np.median(values[one])) for one in kept] for values in (area, longest)]
    return float(np.polyfit(*middles, 1)[0])


@numba.njit
def _lengths(order, receiver, way, longest):
    for p in order:
        r = receiver[p]
        if r != p:
            longest[r] = max(longest[r], longest[p] + way[p])


def _streams(order: np.ndarray, receiver: np.ndarray, channel: np.ndarray) -> np.ndarray:
    """The numbers of streams of each Strahler order, from 1, in basins of order HIGH: int64 (ORDERS,)."""
    strahler, begins = np.zeros(channel.size, np.int64), np.zeros(channel.size, bool)
    _orders(order, receiver, channel, strahler, begins)
    return np.bincount(strahler[begins], minlength=ORDERS + 1)[1 : ORDERS + 1]


@numba.njit
def _orders(order, receiver, channel, strahler, begins):
    """Fill `strahler` with orders of channels, and `begins` with where streams begin, in basins of order HIGH."""
    twice, mouth = np.zeros(strahler.size, np.bool_), np.zeros(strahler.size, np.int64)
    for p in order:
        if not channel[p]:
            continue
        # So far `strahler` is the highest order of donors, and `twice` says whether two of them have it.
        if strahler[p] == 0 or twice[p]:
            strahler[p] += 1
            begins[p] = True
        r = receiver[p]
        if r == p or not channel[r]:
            mouth[p] = strahler[p]
        elif strahler[p] == strahler[r]:
            twice[r] = True
        elif strahler[p] > strahler[r]:
            strahler[r] = strahler[p]
            twice[r] = False
    for k in range(order.size - 1, -1, -1):
        p = order[k]
        if mouth[p] == 0:
            mouth[p] = mouth[receiver[p]]
        begins[p] = begins[p] and mouth[p] >= HIGH


def _closed(growth: Growth, name: str, nodes: NodeGraph, work: Carver, order: np.ndarray, receiver: np.ndarray) -> float:
    """The share of land that drains into lakes whose inflow evaporates before they are full."""
    size_m = SCENES[name].size_m
    layers = layers_of(growth, size_m, 1.0)
    lake = work.level > work.height
    if not lake.any():
        return 0.0
    level, number = np.unique(work.level[lake], return_inverse=True)
    # A cubic metre a second over a square metre is so many mm a year.
    per_year = 3.156e10
    evaporation = np.interp(nodes.of_samples(layers.temperature_c)[lake], EVAPORATION_C, EVAPORATION_MM)
    lost = np.bincount(number, evaporation * nodes.area[lake] * size_m**2 / per_year)
    inflow = np.zeros(level.size)
    np.maximum.at(inflow, number, nodes.of_samples(layers.discharge_m3_s)[lake])
    inwards = np.zeros(nodes.count, bool)
    inwards[np.flatnonzero(lake)] = (inflow < lost)[number]
    _upstream(order, receiver, inwards)
    land = work.height > work.sea
    return float(nodes.area[land & inwards].sum(dtype=np.float64) / nodes.area[land].sum(dtype=np.float64))


@numba.njit
def _upstream(order, receiver, marked):
    for k in range(order.size - 1, -1, -1):
        p = order[k]
        marked[p] = marked[p] or marked[receiver[p]]


def _directions(
    growth: Growth, nodes: NodeGraph, receiver: np.ndarray, channel: np.ndarray, place: np.ndarray
) -> np.ndarray:
    """Numbers of reaches by their direction from the rows of the samples, weighted by nothing: float64 (BINS,)."""
    start = np.flatnonzero(channel)
    end = start.copy()
    for _ in range(REACH):
        end = receiver[end]
    whole = channel[end]
    start, end = start[whole], end[whole]
    xyz = growth.atlas.positions(growth.n)
    along = np.gradient(xyz, axis=2)
    east = np.stack([nodes.of_samples(np.ascontiguousarray(along[..., axis])) for axis in range(3)], axis=-1)[start]
    up = place[start] if growth.atlas.spherical else np.array([0.0, 1.0, 0.0])
    north = np.cross(np.broadcast_to(up, east.shape), east)
    reach = place[end] - place[start]
    angle = np.arctan2((reach * north).sum(axis=1), (reach * east).sum(axis=1))
    bins = np.floor(angle / (2.0 * np.pi) * BINS + 0.5).astype(np.int64) % BINS
    return np.bincount(bins, minlength=BINS).astype(np.float64)
