"""Coasts: how winding they are, by the lengths that rulers of several lengths find.

The dimension D is that of length ~ ruler^(1 - D) (L. F. Richardson; B. Mandelbrot, Science 156, 1967: 1.02 for South
Africa, 1.25 for the west of Britain). A ruler's end is the first point of the line so far from its beginning.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from benchmarks.map_stages import coasts_of, stages_of
from demo.mapping.degrees import directions
from demo.mapping.objects.outlines import closed

RULERS_KM = (20.0, 40.0, 80.0, 150.0, 300.0)
# The longest ruler says nothing of coasts that are not several of it wide.
LEAST_KM = 2.0 * RULERS_KM[-1]
RADIUS_KM = 6371.0


def coast_dimension(seeds: Sequence[int], gn: int, ln: int) -> float:
    """The dimension of the larger coasts of some planets together, between the shortest and the longest of RULERS_KM."""
    coasts = [coast.vertices for seed in seeds for coast in coasts_of(stages_of(seed, {"gn": gn, "ln": ln}))]
    places = [directions(closed(coast)) * RADIUS_KM for coast in coasts]
    lengths = [
        sum(walked_km(line, ruler) for line in places if np.ptp(line, axis=0).max() > LEAST_KM) for ruler in RULERS_KM
    ]
    return float(1.0 - np.polyfit(np.log(RULERS_KM), np.log(lengths), 1)[0])


def walked_km(line: np.ndarray, ruler_km: float) -> float:
    """The length of a line, float64 (k, 3) in km, by a ruler; the rest beyond the last whole one counts as it is."""
    end, at, walked = line[0], 1, 0.0
    while (beyond := _first_beyond(line, at, end, ruler_km)) >= 0:
        begin, way = (line[beyond - 1] if beyond > at else end), line[beyond]
        off, step = begin - end, way - begin
        # Where the segment leaves the sphere of the ruler's length around its beginning.
        a, b, c = step @ step, off @ step, off @ off - ruler_km * ruler_km
        end = begin + step * ((np.sqrt(max(b * b - a * c, 0.0)) - b) / a)
        at, walked = beyond, walked + ruler_km
    return walked + float(np.linalg.norm(line[-1] - end))


def _first_beyond(line: np.ndarray, at: int, end: np.ndarray, ruler_km: float, block: int = 1 << 12) -> int:
    """The first vertex from `at` on that is at least a ruler away from `end`, or -1."""
    for first in range(at, len(line), block):
        far = np.flatnonzero(((line[first : first + block] - end) ** 2).sum(axis=1) >= ruler_km * ruler_km)
        if far.size:
            return first + int(far[0])
    return -1
