"""Parts of the double cone's local mesh that are no blocks of one face: any run of belts, each over its own longitudes.

A belt lies between two neighbouring rings of the global mesh. Heights have the bits of `local_mesh.refine`: a point's height
does not depend on what is refined with it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from . import global_mesh as meshes
from .global_relief import RingWindow
from .local_mesh import HALO, Planet, local_level

# Points kept beyond either end of a row, for the rounding of its turns.
SPARE = 2
# A part that is wider than this, in turns, takes whole rings.
WIDEST = 0.5


@dataclass(frozen=True)
class RingSpans:
    """The belts first .. first + b - 1 of the global mesh, each from turn `west` to `east`, float64 (b,).

    Turns are 0..1 along a ring and may lie beyond that: those of neighbouring belts are continuous. A belt with whole rings
    has -inf and inf.
    """

    first: int
    west: np.ndarray
    east: np.ndarray


def spans_of(cells: int, belt: np.ndarray, corner: np.ndarray) -> RingSpans:
    """The least spans that hold triangles of the global mesh: `belt` int (t,), `corner` int (t, 3), its points."""
    starts, counts = meshes.ring_starts(cells), meshes.ring_counts(cells)
    ring = np.searchsorted(starts, corner, side="right") - 1
    turn = (corner - starts[ring]) / counts[ring]
    usual = counts[ring] > 1
    if not usual.any():
        raise ValueError("a pole has no longitude: give whole triangles")
    about = turn[usual][len(turn[usual]) // 2]
    turn = turn - np.rint(turn - about)
    first, last = int(belt.min()), int(belt.max())
    west, east = np.full(last - first + 1, np.inf), np.full(last - first + 1, -np.inf)
    np.minimum.at(west, belt - first, np.where(usual, turn, np.inf).min(axis=1))
    np.maximum.at(east, belt - first, np.where(usual, turn, -np.inf).max(axis=1))
    # Belts between, without triangles, are held too.
    empty = west > east
    west, east = np.where(empty, about, west), np.where(empty, about, east)
    # A pole has every longitude. Near poles what is wider than a quarter either way may have been turned the wrong way.
    polar = np.isin(np.arange(first, last + 1), belt[~usual.all(axis=1)])
    wide = polar | (west < about - 0.5 * WIDEST) | (east > about + 0.5 * WIDEST)
    return RingSpans(first, np.where(wide, -np.inf, west), np.where(wide, np.inf, east))


def window_of(spans: RingSpans, cells: int, k: int, halo: int) -> RingWindow:
    """The window of local level k around spans of a global mesh of `cells`, with a margin of `halo` rings."""
    step, last = 2**k, spans.first + len(spans.west)
    fine = cells * step
    ring = np.arange(max(spans.first * step - halo, 0), min(last * step + halo, 2 * fine) + 1)
    count = meshes.ring_counts(fine)[ring]
    west, east = np.full(len(ring), np.inf), np.full(len(ring), -np.inf)
    for off in range(-max(halo, 1), max(halo, 0) + 1):
        belt = np.clip((ring + off) // step - spans.first, 0, len(spans.west) - 1)
        west, east = np.minimum(west, spans.west[belt]), np.maximum(east, spans.east[belt])
    spare = SPARE + 2 * halo
    # Rings beside a pole count beyond it too.
    whole = (east - west > WIDEST) | (np.minimum(ring, 2 * fine - ring) <= halo)
    west, east = np.where(whole, 0.0, west), np.where(whole, 0.0, east)
    low = np.floor(west * count).astype(np.int64) - spare
    width = np.ceil(east * count).astype(np.int64) + spare - low + 1
    whole |= width >= count
    low, width = np.where(whole, 0, low % count), np.where(whole, count, width)
    return RingWindow(fine, int(ring[0]), np.concatenate([[0], np.cumsum(width)]), low)


def refine_spans(planet: Planet, ln: int, spans: RingSpans) -> tuple[RingWindow, np.ndarray]:
    """(the window of local level `ln`, its heights float32, metres); a new array."""
    cells = 2**planet.gn
    source, values = RingWindow.whole(cells), planet.heights_m
    for k in range(1, ln + 1):
        target = window_of(spans, cells, k, 0 if k == ln else HALO)
        values = local_level(planet, values, source, target, k)
        source = target
    if ln == 0:
        source = window_of(spans, cells, 0, 0)
        values = values[_numbers(source)]
    return source, values


def _numbers(window: RingWindow) -> np.ndarray:
    """The mesh numbers of a window's points, int64."""
    width = np.diff(window.start)
    ring = np.repeat(np.arange(window.first, window.first + len(width)), width)
    along = np.arange(window.start[-1]) - np.repeat(window.start[:-1] - window.low, width)
    counts: np.ndarray = meshes.ring_counts(window.cells)[ring]
    return meshes.ring_starts(window.cells)[ring] + along % counts
