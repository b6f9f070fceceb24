"""The heads of beds: no cut takes the ground from under the water upstream of it, and none is steeper than that takes."""

from __future__ import annotations

import numpy as np
import pytest

from demo.geometry.bed_heads import NEAR_M, NOTCH, SHEER, steepness

SIZE_M, HALF_M, REACH_M = 1_000.0, 3.0, 120.0


def winding(seed: int, falls: tuple[int, ...] = (), slope: float = 0.05) -> tuple[np.ndarray, np.ndarray]:
    """(places (p, 3) of a river on a plane, a point every ten metres, and its levels)."""
    rng = np.random.default_rng(seed)
    count = 60
    turned = np.cumsum(rng.normal(0.0, 0.25, count))
    place = np.cumsum(np.stack([np.cos(turned), np.zeros(count), np.sin(turned)], axis=1), axis=0) * 10.0 / SIZE_M
    level = 500.0 - slope * 10.0 * np.arange(count)
    for fall in falls:
        level[fall + 1 :] -= 40.0
    return place, level


def heads(place: np.ndarray, level: np.ndarray, first: np.ndarray | None = None) -> tuple[np.ndarray, ...]:
    """(first points of stretches, the levels to which they are cut, what `steepness` says)."""
    first = np.zeros(len(place), np.intp) if first is None else first
    begin = np.flatnonzero(first[:-1] == first[1:])
    # At a fall a stretch is cut to the foot.
    fall = level[begin] - level[begin + 1] > 20.0
    cut = np.where(fall, level[begin + 1], level[begin])
    width = np.full(len(begin), HALF_M)
    return begin, cut, steepness(place, level, first, begin, cut, width, np.full(len(begin), REACH_M), SIZE_M)


@pytest.mark.parametrize("seed", range(4))
def test_a_cut_rises_just_so_steeply_that_all_water_upstream_keeps_its_ground(seed):
    place, level = winding(seed, falls=(17, 33))
    begin, cut, steep = heads(place, level)
    for k, point in enumerate(begin):
        way = (place[point + 1] - place[point]) / np.linalg.norm(place[point + 1] - place[point])
        needed = [SHEER] if level[point] - cut[k] > NEAR_M else [0.0]
        for above in range(point):
            at = (place[above] - place[point]) * SIZE_M
            aside = max(float(np.linalg.norm(at - (at @ way) * way)) - HALF_M, 0.0)
            behind = NOTCH * aside - at @ way
            # A bend that has left the reach of the banks ends what is looked at.
            if (np.linalg.norm((place[above:point] - place[point]) * SIZE_M, axis=1) >= HALF_M + REACH_M).any():
                continue
            if behind > 0.0:
                needed.append((level[above] - cut[k]) / max(behind, NEAR_M))
        assert steep[k] == pytest.approx(min(max(needed), SHEER), abs=1e-9)


def test_a_fall_is_sheer_and_stretches_below_it_are_less_and_less_steep():
    place, level = winding(0, falls=(20,), slope=0.0)
    place[:, 2], place[:, 0] = 0.0, np.arange(len(place)) * 10.0 / SIZE_M
    _, _, steep = heads(place, level)
    assert steep[20] == SHEER and not steep[:20].any()
    assert steep[21:27] == pytest.approx([40.0 / (10.0 * n) for n in range(1, 7)])
    assert not steep[40:].any(), "the fall is farther away than banks reach"


def test_rivers_know_nothing_of_each_other():
    place, level = winding(1, falls=(10,))
    first = np.repeat([0, 30], 30)
    _, _, both = heads(place, level, first)
    _, _, second = heads(place[30:], level[30:])
    assert np.array_equal(both[29:], second) and second[0] == 0.0
