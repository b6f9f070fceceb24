"""Tile waters: a patch that is said to be dry has no water, by the heights of its own detail."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from demo.geometry.tile_waters import DRY, FAR_FROM_LAKES, LOW, SHORE, tile_waters
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


def test_bounds_hold_for_the_detail_of_every_patch() -> None:
    detail, patches = _world(), _patches()
    found = tile_waters(detail, None, patches, np.full(len(patches), -np.inf), INLAND_M)
    assert {SHORE, DRY, FAR_FROM_LAKES} == set(found.tolist())
    step = np.linspace(-0.5, 0.5, 9)
    for kind, patch in zip(found, patches.astype(np.float64), strict=True):
        u, v = np.meshgrid(patch[1] + step * patch[3], patch[2] + step * patch[3])
        heights = detail.height(np.zeros(u.shape, np.intp), u, v)
        if kind != SHORE:
            assert heights.min() > (LOW * detail.top_m if kind == FAR_FROM_LAKES else 0.0)


def test_what_is_known_of_the_lowest_ground_counts_and_lakes_are_no_dry_land() -> None:
    detail, patches = _world(), _patches()
    known = tile_waters(detail, None, patches, np.full(len(patches), 50.0), INLAND_M)
    assert (known[patches[:, 3] * 64 <= 16] != SHORE).all()
    padded = np.full(detail.padded_m.shape, DRY_M, np.float32)
    lakes = Lakes(padded, np.zeros(0, np.intp))
    assert (tile_waters(detail, lakes, patches, np.full(len(patches), 50.0), INLAND_M) == known).all()
    full = replace(lakes, padded_m=padded + np.float32(1.0e6))
    assert (tile_waters(detail, full, patches, np.full(len(patches), 50.0), INLAND_M) == SHORE).all()
    smooth = replace(detail, rough_m=0.0 * detail.rough_m)
    assert FAR_FROM_LAKES not in tile_waters(smooth, None, patches, np.full(len(patches), 50.0), INLAND_M)
