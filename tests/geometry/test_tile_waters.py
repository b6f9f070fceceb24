"""Tile waters: a patch that is said to be dry has no water, by the heights of its own detail."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from demo.geometry.tile_waters import DRY, FAR_FROM_LAKES, LOW, SEA, SHORE, lowest_ground, tile_waters
from demo.ground.detail import detail_of
from demo.ground.standing_water import DRY_M, Lakes
from demo.worlds.atlas import ATLASES

INLAND_M = 10.0


def _world(cells: int = 64):
    """A slope from the deep sea to high land, with hills."""
    rng = np.random.default_rng(0)
    slope = np.linspace(-900.0, 2400.0, cells + 1, dtype=np.float32)
    heights = slope[None, None, :] + rng.normal(0.0, 20.0, (1, cells + 1, cells + 1)).astype(np.float32)
    return detail_of(ATLASES["plane"], heights, 40_000.0, 7)


def _patches(count: int = 400) -> np.ndarray:
    rng = np.random.default_rng(1)
    edge = 0.5 ** rng.integers(3, 9, count)
    u, v = ((np.floor(rng.uniform(size=count) / edge) + 0.5) * edge for _ in range(2))
    return np.stack([np.zeros(count), u, v, edge], axis=1).astype(np.float32)


def _told(detail, lakes, patches, lowest, highest=None) -> np.ndarray:
    count = len(patches)
    bounds = np.broadcast_to(lowest, count), np.broadcast_to(np.inf if highest is None else highest, count)
    return tile_waters(detail, lakes, patches, *bounds, INLAND_M)


def _heights(detail, patch: np.ndarray) -> np.ndarray:
    step = np.linspace(-0.5, 0.5, 9)
    u, v = np.meshgrid(patch[1] + step * patch[3], patch[2] + step * patch[3])
    return detail.height(np.zeros(u.shape, np.intp), u, v)


def test_bounds_hold_for_the_detail_of_every_patch() -> None:
    detail, patches = _world(), _patches()
    bounds = lowest_ground(detail, patches, np.full(len(patches), -np.inf))
    found = _told(detail, None, patches, bounds)
    assert {SHORE, DRY, FAR_FROM_LAKES} == set(found.tolist())
    for kind, bound, patch in zip(found, bounds, patches.astype(np.float64), strict=True):
        lowest = _heights(detail, patch).min()
        assert lowest >= bound
        if kind != SHORE:
            assert lowest > (LOW * detail.top_m if kind == FAR_FROM_LAKES else 0.0)


def test_what_is_known_of_the_lowest_ground_counts() -> None:
    detail, patches = _world(), _patches()
    bounds = lowest_ground(detail, patches, np.full(len(patches), 50.0))
    assert (bounds >= 50.0).all() and (bounds > 50.0).any()


def test_lakes_are_no_dry_land() -> None:
    detail, patches = _world(), _patches()
    known = _told(detail, None, patches, 50.0)
    assert (known != SHORE).all()
    padded = np.full(detail.padded_m.shape, DRY_M, np.float32)
    lakes = Lakes(padded, np.zeros(0, np.intp))
    assert (_told(detail, lakes, patches, 50.0) == known).all()
    full = replace(lakes, padded_m=padded + np.float32(1.0e6))
    assert (_told(detail, full, patches, 50.0) == SHORE).all()
    smooth = replace(detail, rough_m=0.0 * detail.rough_m)
    assert FAR_FROM_LAKES not in _told(smooth, None, patches, 50.0)


def test_ground_that_is_known_tells_sea_from_shores() -> None:
    detail, patches = _world(), _patches()
    known = [_heights(detail, patch) for patch in patches.astype(np.float64)]
    lowest, highest = (np.array([pick(heights) for heights in known]) for pick in (np.min, np.max))
    found = _told(detail, None, patches, lowest, highest)
    assert {SHORE, SEA} < set(found.tolist())
    assert ((found == SEA) == (highest < -INLAND_M)).all() and ((found == SHORE) <= (lowest <= INLAND_M)).all()
