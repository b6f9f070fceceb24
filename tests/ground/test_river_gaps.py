"""No river breaks off: short gaps are cut through, and above long ones nothing is seen."""

from __future__ import annotations

import numpy as np
import pytest

from demo.ground.river_gaps import DEEPEST_M, DEEPEST_WIDE, HIDDEN, LONGEST, SCRAP, without_gaps
from demo.worlds.carving.river_ways import RIVER, SEA, Courses

POINTS, STEP_M, HALF_M = 400, 10.0, 4.0
# What is deeper is not cut through, metres.
MOST_M = DEEPEST_M + DEEPEST_WIDE * HALF_M


def lines(*joined: int, parted: tuple[int, ...] = ()) -> Courses:
    """Rivers of POINTS points that end at these points of others, or in the sea, and begin at those, or at sources."""
    count = len(joined)
    place = np.zeros((count * POINTS, 3))
    begins = np.array(parted or [-1] * count)
    ends = np.array([RIVER if other >= 0 else SEA for other in joined])
    none = np.full(len(place), -np.inf, np.float32)
    return Courses(place, np.ones(len(place)), none, POINTS * np.arange(count + 1), ends, np.array(joined), begins)


def seen(courses: Courses, left: np.ndarray, deep_m: np.ndarray | float = 0.0, wet: np.ndarray | None = None) -> np.ndarray:
    along_m = np.tile(STEP_M * np.arange(POINTS), len(courses))
    wet = np.zeros(len(left), bool) if wet is None else wet
    return without_gaps(courses, along_m, np.full(len(left), HALF_M), np.broadcast_to(deep_m, left.shape), wet, left)


def hidden_in(*spans: tuple[int, int], count: int = 1) -> np.ndarray:
    left = np.ones(count * POINTS)
    for begin, end in spans:
        left[begin:end] = 0.0
    return left


def test_a_short_gap_is_cut_through():
    left = hidden_in((100, 200), (300, 330))
    left[90:100] = np.linspace(1.0, 0.0, 10)
    assert (seen(lines(-1), left) == 1.0).all()


@pytest.mark.parametrize("long", [True, False])
def test_above_a_gap_that_is_too_long_or_too_deep_nothing_is_seen(long):
    end = 101 + int(100 * LONGEST) + 5 if long else 130
    out = seen(lines(-1), hidden_in((100, end)), np.where(np.arange(POINTS) == 110, MOST_M + (0.0 if long else 1.0), 0.0))
    assert (out[:end] == 0.0).all() and (out[end:] == 1.0).all()


def test_what_a_gap_is_shorter_than_may_be_tributaries():
    joins = lines(POINTS + 90, -1)
    gap = POINTS + 100, POINTS + 100 + int(150 * LONGEST)
    assert (seen(joins, hidden_in(gap, count=2)) == 1.0).all()
    # What of the tributary is hidden does not count.
    assert (seen(joins, hidden_in((0, POINTS), gap, count=2))[: gap[1]] == 0.0).all()


def test_what_joins_or_leaves_a_river_where_it_is_hidden_is_hidden():
    # A tributary of a tributary, and an arm.
    hidden = 3 * POINTS + 100
    courses = lines(POINTS + 50, hidden, -1, -1, parted=(-1, -1, hidden, -1))
    deep = np.full(4 * POINTS, 2.0 * MOST_M)
    out = seen(courses, hidden_in((hidden - 20, hidden + 20), count=4), deep)
    assert (out[: hidden + 20] == 0.0).all() and (out[hidden + 20 :] == 1.0).all()


def test_under_a_lake_a_river_goes_on():
    left, lake = hidden_in((50, 380)), np.arange(POINTS)
    assert (seen(lines(-1), left)[:380] == 0.0).all()
    assert (seen(lines(-1), left, wet=(lake >= 50) & (lake < 380)) == 1.0).all()
    # What comes into it is seen, even if what leaves it is not.
    out = seen(lines(-1), left, wet=(lake >= 50) & (lake < 80))
    assert (out[:80] == 1.0).all() and (out[80:380] == 0.0).all() and (out[380:] == 1.0).all()


def test_an_arm_goes_on_from_the_river_that_it_leaves():
    courses = lines(-1, -1, parted=(POINTS + 200, -1))
    left = hidden_in((0, 300), count=2)
    assert (seen(courses, left) == 1.0).all()
    assert (seen(courses, left, 2.0 * MOST_M)[:POINTS] == 0.0).all(), "no arm begins in the land"


def test_no_stray_piece_is_left_at_the_end_of_a_hidden_river():
    short = int(0.8 * SCRAP * 2.0 * HALF_M / STEP_M)
    assert (seen(lines(-1), hidden_in((0, POINTS - short))) == 0.0).all()
    assert (seen(lines(-1), hidden_in((0, POINTS - 2 * short)))[-2 * short :] == 1.0).all()


def test_no_river_breaks_off():
    rng, shares = np.random.default_rng(3), []
    for _ in range(30):
        joined = [int(rng.integers((k + 1) * POINTS, 12 * POINTS)) for k in range(11)]
        courses = lines(*joined, -1)
        left = np.clip(np.repeat(rng.uniform(-2.0, 3.0, 12 * POINTS // 20), 20), 0.0, 1.0)
        wet = np.repeat(rng.random(12 * POINTS // 40) < 0.1, 40)
        deep = np.repeat(rng.uniform(0.0, 1.3 * MOST_M, 12 * POINTS // 80), 80)
        out = seen(courses, left, deep, wet)
        goes_on = np.append(np.arange(1, len(out)), -1)
        goes_on[courses.first[1:] - 1] = courses.joined
        there = (out >= HIDDEN) & ~wet & (goes_on >= 0)
        assert ((out[goes_on] >= HIDDEN) | wet[goes_on])[there].all()
        shares.append((out >= HIDDEN).mean())
    assert 0.1 < np.mean(shares) < 0.9
