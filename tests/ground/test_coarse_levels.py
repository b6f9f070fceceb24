"""Coarse levels: means of groups, outliers that stay, one height where faces meet, and bounds that cover them."""

import numpy as np
import pytest

from demo.geometry.patch_tree import PatchTree, height_bounds
from demo.ground.coarse_levels import CoarseLevels
from demo.worlds.atlas import ATLASES

EDGE_M = 32_000.0
ATLAS = pytest.mark.parametrize("atlas", ATLASES.values(), ids=ATLASES)
RULE = pytest.mark.parametrize("rule", ["mean", "similar"])


def rough(atlas, n):
    """Heights of 0 to 6000 m, float32 (faces, n, n), equal where faces meet."""
    heights = np.random.default_rng(3).uniform(0.0, 6000.0, (atlas.faces, n, n)).astype(np.float32)
    copies, owners = atlas.seams(n)
    heights.reshape(-1)[copies] = heights.reshape(-1)[owners]
    return heights


def plain(rows):
    return np.array(rows, np.float32)[None]


def test_a_group_becomes_its_mean():
    [level, whole] = CoarseLevels("mean", 4, EDGE_M, 8).of(plain(np.arange(25.0).reshape(5, 5) ** 2))
    inner = np.array([[6, 7, 8], [11, 12, 13], [16, 17, 18]]) ** 2.0
    assert level[0, 1, 1] == pytest.approx((inner * np.outer([1, 2, 1], [1, 2, 1])).sum() / 16)
    assert level[0, 0, 1] == pytest.approx((1 + 2 * 4 + 9) / 4), "an edge's group lies on the edge"
    assert whole.shape == (1, 2, 2) and whole[0].tolist() == [[0, 16], [400, 576]], "corners keep their height"


@RULE
def test_an_even_slope_stays_what_it_is(rule):
    slope = plain(np.add.outer(np.arange(17.0) * 3000.0, np.arange(17.0) * 800.0))
    for level in CoarseLevels(rule, 16, EDGE_M, 8).of(slope):
        step = 16 // (level.shape[-1] - 1)
        np.testing.assert_allclose(level, slope[:, ::step, ::step], rtol=1e-6)


def test_an_outlier_stays_and_a_hill_among_its_like_does_not():
    heights = np.full((1, 17, 17), 100.0, np.float32)
    heights[0, 5, 9], heights[0, 11, 3] = 3000.0, 140.0
    mean, similar = (CoarseLevels(rule, 16, EDGE_M, 8).of(heights) for rule in ("mean", "similar"))
    assert [level.max() for level in similar[:2]] == [3000.0] * 2
    assert [(level > 1000.0).sum() for level in similar[:2]] == [1, 1], "a peak grows no broader"
    assert mean[0].max() < 1000.0
    assert 100.0 < similar[0][0, 4:7, 0:4].max() < 140.0


def test_what_is_under_the_sea_is_drawn_at_its_level():
    assert CoarseLevels("mean", 4, EDGE_M, 8).of(plain(np.full((5, 5), -500.0)))[0].max() == 0.0


@ATLAS
@RULE
@pytest.mark.parametrize("n", [17, 13])
def test_faces_meet_at_one_height(atlas, rule, n):
    for level in CoarseLevels(rule, 16, EDGE_M, 8).of(rough(atlas, n)):
        copies, owners = atlas.seams(level.shape[-1])
        flat = level.reshape(-1)
        np.testing.assert_allclose(flat[copies], flat[owners], atol=0.01)


@RULE
def test_levels_lie_below_one_another_as_the_shader_counts_their_rows(rule):
    coarse, heights = CoarseLevels(rule, 16, EDGE_M, 8), rough(ATLASES["cube"], 17)
    packed = coarse.packed(heights)
    assert packed.shape == (6, 16 - 1 + 4, 9)
    for k, level in enumerate(coarse.of(heights), 1):
        row, side = 16 - (16 >> (k - 1)) + k - 1, (16 >> k) + 1
        assert (packed[:, row : row + side, :side] == level).all()


@RULE
def test_bounds_of_patches_cover_their_groups_and_those_they_morph_into(rule):
    atlas = ATLASES["cube"]
    heights = rough(atlas, 65)
    tree = PatchTree(atlas, heights, 8, 1e6, coarse=rule)
    levels = tree.coarse.of(heights)
    for number, level in enumerate(tree.levels):
        finest = len(tree.levels) - 1 - number
        for grid in levels[max(finest - 1, 0) : finest + 1]:
            low, high = height_bounds(grid, number)[number]
            assert (level.low <= low).all() and (level.high >= high).all()
    assert PatchTree(atlas, heights, 8, 1e6).coarse is None


@pytest.mark.parametrize(("rule", "cells"), [("mean", 12), ("sample", 16), ("mean", 1)])
def test_others_are_refused(rule, cells):
    with pytest.raises(ValueError, match=r"not possible|no rule"):
        CoarseLevels(rule, cells, EDGE_M, 8)
