"""Plasma: bit for bit against slow references, the shapes of its edges, its steps, no creases."""

from __future__ import annotations

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.plasma import levels_numpy, recursion_python
from demo.catalogue.generators import GENERATORS, generator
from demo.worlds.growth import RELIEF
from demo.worlds.plasma import growth as plasma

CELLS = st.sampled_from([1, 2, 4, 8, 16, 32])
SEEDS = st.integers(-(2**63), 2**64)
EDGES = ["low", "free", "tile"]


def growth_of(seed, at=None, **values):
    growth = generator("plasma").grow(seed, values)
    growth.advance(growth.total if at is None else at)
    return growth


def field_of(seed, at=None, **values):
    return growth_of(seed, at, **values).heights[0]


@settings(max_examples=25)
@given(SEEDS, CELLS | st.integers(1, 40))
def test_as_printed_is_the_articles_recursion_bit_for_bit(seed, cells):
    assert np.array_equal(field_of(seed, cells=cells, method="as-printed"), recursion_python(seed, cells))


@pytest.mark.parametrize("cells", [128, 255])
def test_as_printed_is_the_recursion_where_it_saturates(cells):
    """255 cells are the article's map of 256 by 256."""
    field = field_of(3, cells=cells, method="as-printed")
    assert np.array_equal(field, recursion_python(3, cells))
    assert (field == 0).any() and field.max() <= 255 and np.array_equal(field, np.round(field))


@settings(max_examples=15)
@given(SEEDS, CELLS, st.sampled_from(EDGES), st.floats(0.0, 2.0))
def test_default_is_the_reference_in_numpy_bit_for_bit(seed, cells, edges, roughness):
    field = field_of(seed, cells=cells, edges=edges, roughness=roughness)
    assert np.array_equal(field, levels_numpy(seed, cells, edges, roughness))


@pytest.mark.parametrize("edges", EDGES)
def test_strips_and_threads_do_not_show(edges, monkeypatch):
    reference = levels_numpy(5, 128, edges)
    monkeypatch.setattr(plasma, "PARALLEL_FROM", 8)
    before = numba.get_num_threads()
    try:
        for threads in {1, before}:
            numba.set_num_threads(threads)
            assert np.array_equal(field_of(5, cells=128, edges=edges), reference)
    finally:
        numba.set_num_threads(before)


@pytest.mark.parametrize("method", ["default", "as-printed"])
@pytest.mark.parametrize("step", range(6))
def test_a_step_is_a_lattice_and_bilinear_between(method, step):
    cells = 32
    field = field_of(11, at=step, cells=cells, method=method).astype(np.float64)
    stride = cells >> step
    lattice = field[::stride, ::stride]
    line = np.arange(cells + 1) / stride
    rows = np.stack([np.interp(line, np.arange(len(lattice)), row) for row in lattice])
    expected = np.stack([np.interp(line, np.arange(len(lattice)), column) for column in rows.T]).T
    assert np.allclose(field, expected, atol=1e-6 if method == "default" else 1e-3)


@pytest.mark.parametrize("edges", EDGES)
@pytest.mark.parametrize("cells", [1, 3, 100, 129])
def test_any_width_holds_the_same_world(edges, cells):
    """The lattice has the next power of two of cells; the samples lie on it, and its edges are theirs."""
    growth = growth_of(8, cells=cells, edges=edges)
    field, larger = growth.heights[0], field_of(8, cells=1 << growth.total, edges=edges)
    assert field.shape == (cells + 1, cells + 1) and cells <= 1 << growth.total < 2 * cells
    assert np.array_equal(field[[0, 0, -1, -1], [0, -1, 0, -1]], larger[[0, 0, -1, -1], [0, -1, 0, -1]])
    if edges == "tile":
        assert np.array_equal(field[0], field[-1]) and np.array_equal(field[:, 0], field[:, -1])
    if edges == "low":
        assert not rim_of(field).any()
    if cells > 64:
        step = (len(larger) - 1) / cells
        nearest = np.rint(np.arange(cells + 1) * step).astype(int)
        assert np.corrcoef(field.ravel(), larger[np.ix_(nearest, nearest)].ravel())[0, 1] > 0.99


def test_steps_of_any_width_are_bilinear_between_their_vertices():
    """Halves go to the even number: the article cuts 37 cells at 18, and its halves at 9 and 28."""
    growth = growth_of(11, at=2, cells=37, method="as-printed")
    vertices, field = [0, 9, 18, 28, 37], growth.heights[0]
    assert np.allclose(field[0], np.interp(np.arange(38), vertices, field[0, vertices]), atol=1e-3)
    growth.advance(growth.total)
    assert np.array_equal(growth.heights[0], field_of(11, cells=37, method="as-printed"))


def test_new_vertices_start_at_the_mean_of_their_neighbours():
    before, stride = field_of(11, at=3, cells=32), 4
    corners, middles = before[::stride, ::stride], before[stride // 2 :: stride, stride // 2 :: stride]
    assert np.allclose(middles[0, 0], corners[:2, :2].mean(), atol=1e-6)
    after = field_of(11, at=4, cells=32)
    moved = np.abs(after[2:-2:4, 2:-2:4] - before[2:-2:4, 2:-2:4])
    assert moved.max() > 0.001


@pytest.mark.parametrize("method", ["as-printed"])
def test_as_printed_keeps_its_vertices(method):
    for step in range(5):
        stride = 32 >> step
        now, then = field_of(4, step, cells=32, method=method), field_of(4, step + 1, cells=32, method=method)
        assert np.array_equal(now[::stride, ::stride], then[::stride, ::stride])


@pytest.mark.parametrize("edges", EDGES)
def test_more_cells_refine_the_same_world(edges):
    coarse, fine = field_of(8, at=4, cells=16, edges=edges), field_of(8, at=4, cells=128, edges=edges)
    assert np.array_equal(fine[::8, ::8], coarse)


def rim_of(field):
    return np.concatenate([field[0], field[-1], field[:, 0], field[:, -1]])


@pytest.mark.parametrize("seed", range(12))
def test_the_default_is_mountainous_land_in_a_sea(seed):
    growth = growth_of(seed, cells=128)
    field, sea = growth.heights[0], growth.sea_level
    land = (field > sea).mean()
    assert 0.4 < land <= 0.67
    assert 0.04 < field.max() - sea < 0.2
    assert sea - field.min() > 0.015
    assert rim_of(field).max() <= sea


def test_no_seed_makes_one_cone_only():
    """High land, above half of the relief, is no single disc: its spread is that of several summits or a range."""
    spreads = []
    for seed in range(12):
        growth = growth_of(seed, cells=64)
        field = growth.heights[0]
        high = np.argwhere(field > growth.sea_level + 0.5 * (field.max() - growth.sea_level))
        covariance = np.cov(high.T)
        disc = np.sqrt(len(high) / np.pi) / 2.0  # standard deviation along an axis of a disc of this area
        spreads.append(np.sqrt(np.linalg.eigvalsh(covariance)[-1]) / disc)
    assert np.median(spreads) > 1.25


@pytest.mark.parametrize("land", [0.2, 0.5, 0.9])
def test_land_is_the_wanted_share(land):
    growth = growth_of(2, cells=64, edges="free", land=land)
    assert (growth.heights[0] > growth.sea_level).mean() == pytest.approx(land, abs=2 / 64**2)


@pytest.mark.parametrize("step", range(7))
def test_tiles_fit_bit_for_bit_at_every_step(step):
    field = field_of(6, at=step, cells=64, edges="tile")
    assert np.array_equal(field[0], field[-1]) and np.array_equal(field[:, 0], field[:, -1])


def bends(field, axis):
    """Mean absolute second difference across each line of the lattice but the outermost."""
    return np.abs(np.diff(field.astype(np.float64), 2, axis=axis)).mean(axis=1 - axis)


def test_no_crease_where_tiles_meet():
    ratios = []
    for seed in range(8):
        tile = field_of(seed, cells=64, edges="tile")[:-1, :-1]
        for axis in (0, 1):
            bend = bends(np.roll(tile, 32, axis), axis)
            ratios.append(bend[31] / np.median(bend))
    assert 0.8 < np.mean(ratios) < 1.25


def crease(**values):
    """How much more the field bends across the lines of the 8-cell lattice than across other lines."""
    ratios = []
    for seed in range(8):
        for axis in (0, 1):
            bend = bends(field_of(seed, cells=128, **values), axis)
            coarse = np.arange(1, 128) % 16 == 0
            ratios.append(bend[coarse].mean() / bend[~coarse].mean())
    return np.mean(ratios)


@pytest.mark.parametrize("roughness", [0.5, 0.8, 1.2])
def test_the_default_has_no_creases(roughness):
    assert crease(roughness=roughness, edges="free") < 1.15


def test_the_articles_rule_has_creases():
    assert crease(method="as-printed") > 1.3


def pimples(**values):
    """How much the vertices of the 8-cell lattice stand out from the mean around them, against all others."""
    ratios = []
    for seed in range(8):
        field = field_of(seed, cells=128, **values).astype(np.float64)
        around = (field[:-2, 1:-1] + field[2:, 1:-1] + field[1:-1, :-2] + field[1:-1, 2:]) / 4.0
        excess = np.abs(field[1:-1, 1:-1] - around)
        ratios.append(excess[15::16, 15::16].mean() / excess.mean())
    return np.mean(ratios)


@pytest.mark.parametrize("roughness", [0.5, 0.8, 1.2])
def test_the_default_has_no_pimples_at_coarse_vertices(roughness):
    assert pimples(roughness=roughness, edges="free") < 1.3


@pytest.mark.parametrize("roughness", [0.0, 0.8, 1.5])
def test_displacement_falls_by_roughness(roughness):
    growth = plasma.Plasma(1, 512, roughness, "free", 0.5)
    falls = [growth.amplitude(level + 1) / growth.amplitude(level) for level in range(len(plasma.LAYOUT), 9)]
    assert np.allclose(falls, 2.0**-roughness)


def test_smaller_roughness_is_rougher():
    rough = [np.abs(np.diff(field_of(3, cells=128, roughness=h), axis=0)).mean() for h in (0.3, 0.8, 1.3)]
    assert rough[0] > 1.2 * rough[1] > 1.44 * rough[2]


def test_as_printed_knows_no_sea_and_is_four_wide():
    growth = growth_of(1, cells=32, method="as-printed")
    assert growth.size == 4.0 and growth.sea_level == 0.0 and growth.unit == "byte"
    corners = growth.heights[0][[0, 0, -1, -1], [0, -1, 0, -1]]
    assert (corners < 64).all()


def test_marks_are_the_lattices_vertices_on_land_and_sea():
    growth = plasma.grow(3, GENERATORS["plasma"].complete({"cells": 128}))
    for step in (1, 3, 5):
        growth.advance(step)
        points = growth.marks(step, step).points
        assert len(points) == (2**step - 1) ** 2
        i, j = (np.round((points[:, k] + 0.5) * 128).astype(int) for k in (0, 2))
        height = np.maximum(growth.heights[0, j, i], growth.sea_level)
        assert np.abs(points[:, 1] - RELIEF * height).max() < 1e-6
    growth.advance(7)
    assert len(growth.marks(7, 7).points) == 0
