"""Parts of lamps and of lines: what is left out of a frame could not have been seen in it."""

from __future__ import annotations

import numpy as np
import pytest

from demo.flight.camera import frustum_planes, look_at
from demo.geometry.lamp_parts import DUSK, PARTS, sorted_by_part
from demo.geometry.ribbons import divide_ribbons, visible_parts
from demo.maths.vectors import lengths, unit

RADIUS_M, RELIEF_M = 500_000.0, 9_000.0
EYES = [np.array([1.002, 0.0, 0.1]), np.array([0.6, 1.1, -0.4]), np.array([-0.5, 0.2, 3.0])]


def places(count: int, seed: int = 0) -> np.ndarray:
    return unit(np.random.default_rng(seed).normal(size=(count, 3)))


def hidden(points: np.ndarray, eye: np.ndarray) -> np.ndarray:
    """Whether the planet's sphere stands before points (k, 3) on or above it."""
    ray = points - eye
    along = np.clip(-(ray @ eye) / (ray * ray).sum(axis=1), 0.0, 1.0)
    return lengths(eye + ray * along[:, None]) < RADIUS_M * (1.0 - 1e-9)


def test_every_lamp_is_in_one_part_and_within_its_reach():
    at = places(3000) * RADIUS_M
    order, parts = sorted_by_part(at, spherical=True)
    assert sorted(order.tolist()) == list(range(3000))
    assert parts.count.sum() == 3000 and 6 * PARTS**2 // 2 < len(parts.first) <= 6 * PARTS**2
    np.testing.assert_array_equal(parts.first, np.cumsum(parts.count) - parts.count)
    for first, count, middle, radius in zip(parts.first, parts.count, parts.middle, parts.radius, strict=True):
        inside = unit(at[order[first : first + count]])
        assert np.arccos(np.clip(inside @ middle, -1.0, 1.0)).max() <= radius + 1e-7


@pytest.mark.parametrize("eye", EYES)
def test_a_part_that_is_left_out_has_no_lamp_that_is_lit_and_in_sight(eye):
    at, sun = places(3000) * RADIUS_M * 1.001, unit(np.array([0.3, -0.2, 1.0]))
    order, parts = sorted_by_part(at, spherical=True)
    kept = parts.dark(eye * RADIUS_M, sun, RADIUS_M)
    assert 0 < len(kept) < len(parts.first)
    seen = ~hidden(at[order], eye * RADIUS_M) & (unit(at[order]) @ sun < DUSK)
    for part in set(range(len(parts.first))) - set(kept.tolist()):
        assert not seen[parts.first[part] : parts.first[part] + parts.count[part]].any()


def test_a_terrain_is_one_part_and_dark_when_the_sun_is_low():
    _, parts = sorted_by_part(places(50) * 1000.0, spherical=False)
    assert parts.count.tolist() == [50]
    for height, seen in ((0.5, 0), (0.0, 1), (-0.5, 1)):
        assert len(parts.dark(np.zeros(3), unit(np.array([1.0, height, 0.0])), 1.0)) == seen


@pytest.mark.parametrize("eye", EYES)
def test_a_part_of_a_line_that_is_left_out_is_out_of_the_picture_or_beyond_the_horizon(eye):
    start = places(400, 1)
    lines = np.stack([start, unit(start + 0.01 * places(400, 2))], axis=1)
    ribbons = divide_ribbons(lines)
    eye = eye * RADIUS_M
    pose = look_at(eye, RADIUS_M * np.array([0.2, 0.3, -0.5]), np.array([0.0, 1.0, 0.0]))
    planes = frustum_planes(pose, 1.6)
    kept = visible_parts(ribbons, eye, planes, RADIUS_M, RELIEF_M)
    assert 0 < kept.sum() < len(kept)
    assert ribbons.count.sum() == len(ribbons.points)
    for part in np.flatnonzero(~kept):
        points = ribbons.points["place"][ribbons.first[part] :][: ribbons.count[part]].astype(np.float64)
        points = points * (RADIUS_M + RELIEF_M)
        inside = ((points - eye) @ planes[:, :3].T + planes[:, 3] >= 0.0).all(axis=1)
        assert not (inside & ~hidden(points, eye)).any()
