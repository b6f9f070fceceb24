"""Fine bends: where the flight passes low, rivers have points enough for the bends of real rivers.

Elsewhere the points of courses are too far apart for bends of eleven widths, and rivers swing in longer and flatter ones.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ..maths.easing import smoothstep
from ..maths.vectors import lengths, unit
from ..worlds.carving.river_ways import Courses, curve
from .meanders import WAVE, bends, evened, joined

# Within so many metres of a place that the flight looks from rivers have fine bends, and whole ones from this share of it:
# narrow ones; wide ones, by so many half widths, up to so many times as far away.
NEAR_M, WHOLLY, BY_HALF_M, FARTHER = 6_500.0, 0.7, 12.0, 3.0
# Points of two bends, which are at least so many metres long; into how many parts a way between two points is divided.
BEND_POINTS, SHORTEST_M, MOST_PARTS = 54.0, 300.0, 8
# No two points of a fine bend turn by more, radians.
MOST_TURN = 0.05
# How level the ground is where fine bends begin and where they are whole.
BEGIN, WHOLE = 0.55, 0.85
# They come and go over so many points of the courses, and their length is evened over so many.
EASED, EVENED = 6, 12
# Added to the world's seed: fine bends are not copies of the coarse ones.
OTHER_SEED = 9_001


class Winding(NamedTuple):
    """Courses, the places of their points, unit (p, 3), half their widths in metres, and how level the ground is, 0..1,
    float64 (p,) each."""

    courses: Courses
    place: np.ndarray
    half_m: np.ndarray
    flat: np.ndarray


def finely_bent(wide: Winding, eyes: np.ndarray, size_m: float, seed: int) -> tuple[Winding, np.ndarray]:
    """(the same rivers of a planet, with more points and fine bends near `eyes`; where its points are among those of `wide`,
    float64 (q,)).

    `eyes`: float64 (m, 3), positions in metres; `size_m`: the radius.
    """
    free = _free(wide, eyes, size_m)
    parts = _parts(wide, free, size_m)
    if parts.max(initial=1) < 2:
        return wide, np.arange(float(len(wide.place)))
    fine, at = _divided(wide, parts)
    loose = np.interp(at, np.arange(len(free)), free)
    moved = bends(fine.courses, fine.place, fine.half_m / size_m, loose, seed + OTHER_SEED, BEND_POINTS, MOST_TURN)
    return fine._replace(place=unit(fine.place + joined(fine.courses, moved))), at


def _free(wide: Winding, eyes: np.ndarray, size_m: float) -> np.ndarray:
    """How freely rivers bend at each point, 0..1, float64 (p,): near the flight and on level ground."""
    apart = np.full(len(wide.place), np.inf)
    for eye, high in zip(eyes, (lengths(eyes) - size_m).tolist(), strict=True):
        np.minimum(apart, np.hypot(lengths(wide.place - unit(eye)) * size_m, high), out=apart)
    reach = NEAR_M * np.clip(evened(wide.half_m, wide.courses, EVENED) / BY_HALF_M, 1.0, FARTHER)
    near = smoothstep(np.clip((reach - apart) / (reach * (1.0 - WHOLLY)), 0.0, 1.0))
    level = smoothstep(np.clip((wide.flat - BEGIN) / (WHOLE - BEGIN), 0.0, 1.0))
    # Arms keep to their deltas.
    return evened(near * level * ~wide.courses.on_delta[wide.courses.of_point], wide.courses, EASED)


def _parts(wide: Winding, free: np.ndarray, size_m: float) -> np.ndarray:
    """Into how many parts the way from each point to the next is divided, int (p,); 1 from the last points of lines."""
    step_m = np.append(lengths(np.diff(wide.place, axis=0)), 0.0) * size_m
    step_m[wide.courses.first[1:] - 1] = 0.0
    step_m = evened(step_m, wide.courses, EVENED)
    long_m = np.maximum(2.0 * WAVE * evened(wide.half_m, wide.courses, EVENED), SHORTEST_M)
    parts = np.clip(np.ceil(BEND_POINTS * step_m / long_m), 1, MOST_PARTS).astype(np.intp)
    parts[free < 0.02] = 1
    parts[wide.courses.first[1:] - 1] = 1
    return parts


def _divided(wide: Winding, parts: np.ndarray) -> tuple[Winding, np.ndarray]:
    """The same rivers with points between the points, and where these are among the old ones, float64 (q,)."""
    courses, place = wide.courses, wide.place
    first, last = courses.first[:-1], courses.first[1:] - 1
    start = np.concatenate([[0], np.cumsum(parts)])
    edge = np.repeat(np.arange(len(parts)), parts)
    share = (np.arange(start[-1]) - start[edge]) / parts[edge]
    whole = np.isin(edge, last)
    inner = np.where(whole, edge - 1, edge)
    at = curve(place, inner, np.isin(inner, first), np.isin(inner + 1, last), np.where(whole, 1.0, share))
    at = np.where((share == 0.0)[:, None], place[edge], unit(at))
    where = edge + share

    def along(values: np.ndarray) -> np.ndarray:
        found: np.ndarray = np.interp(where, np.arange(len(values)), values)
        return found

    def moved_on(points: np.ndarray) -> np.ndarray:
        return np.where(points >= 0, start[points], -1)

    lake = courses.lake_m[edge]
    between = share > 0.0
    lake[between] = np.minimum(lake, courses.lake_m[np.minimum(edge + 1, len(parts) - 1)])[between]
    fine = replace(
        courses,
        place=at,
        flow_m3_s=along(courses.flow_m3_s),
        lake_m=lake,
        first=start[courses.first],
        joined=moved_on(courses.joined),
        parted=moved_on(courses.parted),
    )
    return Winding(fine, at, along(wide.half_m), along(wide.flat)), where
