"""Gaps: stretches where land hides a river between two that are seen. None is left, because a river that breaks off in the
middle of the land and goes on farther down is no river.

A short gap is cut through: the river has a gorge there. Above a long one nothing is seen, so the river begins below it, at a
spring, and what would join it above is not seen either.
"""

from __future__ import annotations

import numpy as np

from ..worlds.carving.river_ways import Courses

# A gap is cut through where it is no longer than so many times all rivers that are seen above it, and nowhere deeper than so
# many metres and half widths: great rivers have cut deep.
LONGEST, DEEPEST_M, DEEPEST_WIDE = 2.0, 300.0, 20.0
# Where land leaves less of a river than this share it is hidden, and where it leaves so much it is whole.
HIDDEN, WHOLE = 0.35, 0.98
# Where a river is hidden above, stretches of fewer widths than this are not seen either: they would lie on a slope as stray
# pieces.
SCRAP = 15.0


def without_gaps(
    courses: Courses, along_m: np.ndarray, half_m: np.ndarray, deep_m: np.ndarray, wet: np.ndarray, left: np.ndarray
) -> np.ndarray:
    """The shares that are seen of rivers, 0..1, float64 (p,), of which `left` (p,) is what land leaves where it is.

    Every river that is seen is seen on its whole way from there to the next water, and what it joins is seen there.
    `along_m`: (p,), metres from the source; `half_m`: (p,), half the width; `deep_m`: (p,), how far land stands above the
    water; `wet`: bool (p,), under a lake or the sea.
    """
    out = _cut_through(courses, along_m, half_m, deep_m, np.where(wet, 1.0, left))
    joined, parted = courses.joined.tolist(), courses.parted.tolist()
    # The rivers that others join or leave come last.
    for k in reversed(range(len(joined))):
        line = courses.line(k)
        own = out[line]
        # A lake or the sea is an end.
        for part in np.split(own, np.flatnonzero(wet[line]) + 1):
            np.minimum.accumulate(part[::-1], out=part[::-1])
        ends = [other for other in (joined[k], parted[k]) if other >= 0]
        hangs = any(out[other] < HIDDEN and not wet[other] for other in ends)
        if hangs or (own[0] < HIDDEN and (parted[k] >= 0 or _is_scrap(own > 0.0, along_m[line], half_m[line]))):
            own[:] = 0.0
    return out


def _is_scrap(seen: np.ndarray, along_m: np.ndarray, half_m: np.ndarray) -> bool:
    """Whether what is `seen` of a river, bool (m,), is a stray piece."""
    return not seen.any() or float(np.ptp(along_m[seen])) < SCRAP * 2.0 * float(half_m[seen].mean())


def _cut_through(
    courses: Courses, along_m: np.ndarray, half_m: np.ndarray, deep_m: np.ndarray, left: np.ndarray
) -> np.ndarray:
    """What land leaves of rivers that have cut through their short gaps, float64 (p,); all else as for `without_gaps`."""
    out, joining_m = left.copy(), np.zeros(len(left))
    too_deep = deep_m > DEEPEST_M + DEEPEST_WIDE * half_m
    joined, parted = courses.joined.tolist(), courses.parted.tolist()
    # Tributaries come before what they join.
    for k in range(len(joined)):
        line = courses.line(k)
        own, along = out[line], along_m[line]
        # The length of all rivers above each point, and of those above the last gap, which is left out.
        above_m, before_m = along + np.cumsum(joining_m[line]), 0.0
        edges = np.flatnonzero(np.diff(own < WHOLE, prepend=False, append=False)).tolist()
        for begin, end in zip(edges[::2], edges[1::2], strict=True):
            hidden = bool((own[begin:end] < HIDDEN).any())
            most_m = LONGEST * (above_m[begin - 1] - before_m) if begin else np.inf if parted[k] >= 0 else -1.0
            short = along[end - 1] - along[begin] <= most_m and not too_deep[line][begin:end].any()
            if short or (begin and not hidden):
                own[begin:end] = 1.0
            elif hidden:
                before_m = above_m[end - 1]
        if joined[k] >= 0:
            joining_m[joined[k]] += above_m[-1] - before_m
    return out
