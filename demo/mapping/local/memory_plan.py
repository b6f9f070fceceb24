"""How a whole planet is made within a budget of memory: what is in memory at once. Imports neither numba nor numpy.

The figures are those that `benchmarks/scale.py` measures.
"""

from __future__ import annotations

from typing import NamedTuple

from ...worlds.parameters import ParameterError

# The margins of a part of a run of belts, in belts and in global steps, of both sides.
PART_BELTS, PART_STEPS = 4, 6
# Bytes of a process with its libraries and kernels; of a point of the drained mesh, with all that is settled there; of a
# local step along the lines of such a point; and of a local point while its section is made.
PROCESS, SETTLED, LINE, POINT = 3.4e8, 500.0, 25.0, 60.0
# With more points a section gains nothing: runs of single belts would be mostly margin. With fewer points parts would be, so
# fewer are made at once.
MOST_POINTS, GOOD_POINTS = 1 << 20, 1 << 19
# The part of what is left that heights take which are kept while they are read, and the most of it.
KEPT_PART, MOST_KEPT = 0.25, 1 << 27


class MemoryPlan(NamedTuple):
    """`points`: local points of a section with its margin. `threads`: sections at once. `kept_bytes`: of heights that are
    kept while they are read."""

    points: int
    threads: int
    kept_bytes: int


USUAL_PLAN = MemoryPlan(MOST_POINTS, 64, MOST_KEPT)
"""Whatever memory there is: runs of whole belts on all meshes but the finest."""


def plan_of(gn: int, ln: int, drained: int, megabytes: int, threads: int, writing: float) -> MemoryPlan:
    """The plan of a planet with `gn` global levels, `ln` local ones and a drained mesh of level `drained`.

    `threads`: how many there are. `writing`: bytes that writing the files takes beside the planet. Raises ParameterError
    where `megabytes` are too few.
    """
    steps, points = 2 ** (gn + ln - drained), 4.0 ** (drained + 1)
    standing = PROCESS + points * (SETTLED + LINE * steps)
    # A section of one rhombus, with its margin.
    least = (1 + PART_BELTS) * (1 + PART_STEPS) * steps * steps
    left, needed = megabytes * 1e6 - standing, max(least * POINT, writing)
    if left < needed:
        raise ParameterError(
            f"--memory={megabytes} is too little for gn={gn} with ln={ln} in these formats: it takes"
            f" {-int(-(standing + needed) // 1e6)} MB: give more, a coarser mesh or fewer --formats"
        )
    at_once = max(min(threads, int(left / (POINT * max(GOOD_POINTS, least)))), 1)
    kept = min(int(KEPT_PART * left), MOST_KEPT)
    # A raster is read by its rows: the heights of a run around the planet should be kept together.
    side = max(kept // (16 * 2 ** (gn + ln) * steps), 1) + PART_STEPS
    points = min(int(left / (POINT * at_once)), side * side * steps * steps, MOST_POINTS)
    return MemoryPlan(max(points, int(least)), at_once, kept)
