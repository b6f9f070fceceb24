"""Cover: the climate of every kind of world as a texture without seams, moist before mountains and dry behind them."""

import numpy as np
import pytest

from demo.catalogue.generators import generator
from demo.ground.cover import MOST_CELLS, cover_parts
from demo.ground.relief import GUTTER
from demo.worlds.atlas import ATLASES, PLANE
from demo.worlds.carving.parts import Parts
from demo.worlds.carving.rainfall import winds
from demo.worlds.growth import Growth

WORLDS = {
    "plane": ("plasma", {"cells": 64, "carve": 1.0}),
    "cube": ("simplex", {"cells": 24, "carve": 0.5}),
    "latlong": ("cuts", {"cells": 20, "cuts": 300, "atlas": "latlong"}),
    "doublecone": ("doublecone", {"gn": 4}),
    "evencone": ("map", {"gn": 3}),
}
MOIST, FLOOR, HARD, VALLEY = range(4)


class Land(Growth):
    """Land that is there from the beginning."""

    atlas, unit, total = PLANE, "extent", 0

    def __init__(self, heights, seed=5):
        super().__init__(seed, len(heights))
        self.heights = heights.astype(np.float32)[None]

    def _advance(self, to):
        raise AssertionError

    @property
    def sea_level(self):
        return 0.0


def covered(growth):
    return Parts(cover_parts(growth)).result()


def inside(cover):
    return cover[:, GUTTER:-GUTTER, GUTTER:-GUTTER].astype(int)


@pytest.mark.parametrize("name", WORLDS)
def test_faces_share_their_cover(name):
    scene, given = WORLDS[name]
    growth = generator(scene).grow(3, given)
    growth.keeps_ground = True
    growth.advance(growth.total)
    cover = covered(growth)
    n = growth.n
    assert cover.shape == (growth.atlas.faces, n + 2 * GUTTER, n + 2 * GUTTER, 4) and cover.dtype == np.uint8
    copies, owners = growth.atlas.seams(n)
    flat = inside(cover).reshape(-1, 4)
    assert np.array_equal(flat[copies], flat[owners])
    land = growth.heights > growth.sea_level
    assert inside(cover)[..., MOIST][land].std() > 8.0, "some land is drier than other"
    assert ("carve" in given) == (len(np.unique(inside(cover)[..., HARD])) > 2)


def test_every_atlas_has_a_world():
    assert set(ATLASES) <= set(WORLDS)


def test_it_is_dry_behind_a_range_and_moist_before_it():
    n = 129
    z, x = np.mgrid[0:n, 0:n] / (n - 1) - 0.5
    wx, _, wz = winds(PLANE, np.zeros((1, 3)), 5)[0] / np.linalg.norm(winds(PLANE, np.zeros((1, 3)), 5)[0])
    along = x * wx + z * wz
    heights = 0.02 + 0.1 * np.exp(-((along / 0.06) ** 2))
    heights[np.maximum(abs(x), abs(z)) > 0.42] = -0.02
    moist = inside(covered(Land(heights)))[0, ..., MOIST]
    middle = (heights > 0.0) & (abs(x * wz - z * wx) < 0.15)
    before, behind = (moist[middle & (abs(along - at) < 0.05)].mean() for at in (-0.18, 0.18))
    assert before > behind + 20.0


def test_a_river_waters_its_banks_and_valleys_are_told_from_ridges():
    n = 129
    z, x = np.mgrid[0:n, 0:n] / (n - 1) - 0.5
    # Valleys that fall towards one side, between ranges.
    heights = 0.04 + 0.02 * (0.5 - z) + 0.02 * np.cos(16.0 * np.pi * x + np.pi)
    heights[-3:] = -0.01
    cover = inside(covered(Land(heights)))[0, n // 2]
    valley, ridge = n // 2, n // 2 + n // 16
    assert cover[valley, VALLEY] > 150 and cover[ridge, VALLEY] < 105
    assert cover[valley, FLOOR] > cover[ridge, FLOOR] + 60
    assert cover[valley, MOIST] > cover[ridge, MOIST]


def test_large_worlds_have_fewer_texels():
    z, x = np.mgrid[0 : 2 * MOST_CELLS + 1, 0 : 2 * MOST_CELLS + 1] / (2.0 * MOST_CELLS)
    cover = covered(Land(0.1 * np.sin(9.0 * x) * np.sin(7.0 * z)))
    assert cover.shape[1] == MOST_CELLS + 1 + 2 * GUTTER


def test_waves_come_in_from_open_sea_and_ponds_are_still():
    n = 129
    z, x = np.mgrid[0:n, 0:n] / (n - 1) - 0.5
    pond = np.hypot(x - 0.2, z) < 0.012
    heights = np.where((x < -0.2) | pond, -0.03, 0.05)
    cover = inside(covered(Land(heights)))[0, ..., FLOOR]
    beach = (x < -0.2) & (x > -0.22) & (abs(z) < 0.2)
    assert cover[beach].min() > 150, "a straight coast lies open"
    assert cover[pond].max() < 50
