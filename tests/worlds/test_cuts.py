"""Plane cuts against brute force, and what the article and the cure of its defects promise of them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from demo.catalogue.generators import GENERATORS
from demo.worlds.atlas import CUBE, CUBE_RIGHT, DOUBLE_CONE, LATLONG, Atlas
from demo.worlds.cuts import growth as cuts
from demo.worlds.cuts.growth import shown_share
from demo.worlds.cuts.rows import CubeRows, ParallelRows
from demo.worlds.land_share import area_weights
from demo.worlds.parameters import ParameterError

CUTS = GENERATORS["cuts"]
ATLASES = ("cube", "latlong", "doublecone")
OFFSETS = ("off", "on", "full")


def grown(seed: int, to: int | None = None, **given_parameters) -> cuts.CutsGrowth:
    growth = CUTS.grow(seed, given_parameters)
    growth.advance(growth.total if to is None else to)
    return growth


def brute_counts(positions: np.ndarray, normals: np.ndarray, offsets: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Sum of +weight where n.p > d and -weight elsewhere, int64, by testing every position against every plane."""
    total = np.zeros(len(positions), np.int64)
    x, y, z = (positions[:, axis, None] for axis in range(3))
    for k in range(0, len(offsets), 256):
        n, d, w = normals[k : k + 256], offsets[k : k + 256], weights[k : k + 256].astype(np.int64)
        total += np.where(n[:, 0] * x + n[:, 1] * y + n[:, 2] * z > d, w, -w).sum(axis=1)
    return total


def brute_steps(seed: int, to: int, values: dict, positions: np.ndarray) -> np.ndarray:
    """What each cut adds to each position, int64 (to, k), in units of weight: a slab lifts what lies between two planes."""
    normals, offsets, signs = cuts.planes(seed, 0, to, values)
    weights, _ = cuts.weights(0, to, values)
    slab = cuts.slabs(0, to, values)[:, None]
    along = (normals[:, :1] * positions[:, 0] + normals[:, 1:2] * positions[:, 1]) + normals[:, 2:] * positions[:, 2]
    lifted = np.where(slab, (along > -offsets[:, None]) & (along <= offsets[:, None]), along > offsets[:, None])
    return np.where(lifted, 1, -1) * (weights.astype(np.int64) * signs)[:, None]


def brute_heights(seed: int, to: int | None = None, **given_parameters) -> np.ndarray:
    values = CUTS.complete(given_parameters)
    to = values["cuts"] if to is None else to
    _, per_step = cuts.weights(0, to, values)
    positions = cuts.ATLASES[values["atlas"]].positions(values["cells"] + 1)
    counts = brute_steps(seed, to, values, positions.reshape(-1, 3)).sum(axis=0)
    return (values["step"] / per_step * counts).astype(np.float32).reshape(positions.shape[:3])


def antipodes(atlas: Atlas, n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Index (face, row, column) of the sample opposite to each sample."""
    face, u, v, _ = atlas.invert(-atlas.positions(n))
    return face, np.rint(v * (n - 1)).astype(np.intp), np.rint(u * (n - 1)).astype(np.intp)


def areas(atlas: Atlas, n: int) -> np.ndarray:
    """Shares of the sphere's area, float64 (faces, n, n)."""
    one = area_weights(atlas, n, np.arange(n), np.arange(n))
    return np.broadcast_to(one, (atlas.faces, n, n)) / (atlas.faces * one.sum())


@pytest.mark.parametrize("atlas", ATLASES)
@pytest.mark.parametrize("cells", [1, 2, 7, 32, 45])
@pytest.mark.parametrize("offset", OFFSETS)
def test_heights_are_those_of_brute_force(atlas, cells, offset):
    for seed in (1, 2**63 + 5):
        given_parameters = {"atlas": atlas, "cells": cells, "cuts": 1200, "offset": offset}
        assert np.array_equal(grown(seed, **given_parameters).heights, brute_heights(seed, **given_parameters))


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    st.integers(0, 2**64 - 1),
    st.sampled_from(ATLASES),
    st.integers(1, 40),
    st.integers(1, 90),
    st.sampled_from(["off", "on", "full"]),
    st.sampled_from(["fixed", "falling"]),
    st.sampled_from(["default", "as-printed"]),
    st.floats(0, 1),
)
def test_any_step_of_any_planet_is_that_of_brute_force(seed, atlas, cells, count, offset, weights, method, part):
    given_parameters = {"atlas": atlas, "cells": cells, "cuts": count, "offset": offset, "weights": weights}
    given_parameters["method"] = method if offset != "full" else "default"
    to = int(part * count)
    assert np.array_equal(grown(seed, to, **given_parameters).heights, brute_heights(seed, to, **given_parameters))


def _planes_through_vertices(atlas: Atlas, n: int, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Planes within a few roundings of a vertex: random ones, and others that touch the vertex's row or parallel."""
    rng = np.random.default_rng(5)
    positions = atlas.positions(n).reshape(-1, 3)
    index = rng.integers(0, len(positions), count)
    vertex = positions[index]
    beside = positions[rng.integers(0, len(positions), count)]
    normals = rng.normal(size=(count, 3))
    normals[: count // 4] = beside[: count // 4]
    axes = np.concatenate([np.eye(3), -np.eye(3)])
    normals[count // 4 : count // 2] = axes[rng.integers(0, 6, count // 4)]
    # Normals a hair beside an axis or a diagonal make planes nearly parallel to the rows of a face.
    beside_axes = rng.choice([-1.0, 0.0, 1.0], (count // 4, 3)) + rng.normal(0, 1e-9, (count // 4, 3))
    normals[count // 2 : 3 * count // 4] = beside_axes
    touching = slice(7 * count // 8, count)
    right = CUBE_RIGHT[index // n**2] if atlas is CUBE else np.cross(vertex, [0.0, 1.0, 0.0])
    along = np.cross(right[touching], vertex[touching])
    normals[touching] = vertex[touching] + rng.normal(size=(count - touching.start, 1)) * along
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    # Rings compute their vertices anew, to the last bit or two.
    distances = [5e-16 if atlas is CUBE else 5e-15, 1e-13, 1e-11, 1e-9, 1e-8]
    offsets = (normals * vertex).sum(axis=1) + rng.choice([-1.0, 1.0], count) * rng.choice(distances, count)
    return normals, offsets


@pytest.mark.parametrize("atlas", ATLASES)
@pytest.mark.parametrize("cells", [4, 33])
def test_planes_that_graze_a_vertex_or_a_row(atlas, cells):
    n = cells + 1
    mesh = CubeRows(n) if atlas == "cube" else ParallelRows(cuts.ATLASES[atlas], n)
    normals, offsets = _planes_through_vertices(cuts.ATLASES[atlas], n, 2000)
    weights = np.arange(1, 2001, dtype=np.int32)
    mesh.add(normals, offsets, weights, np.zeros(2000, bool))
    heights = np.empty((cuts.ATLASES[atlas].faces, n, n), np.float32)
    mesh.write(heights, 1.0)
    positions = cuts.ATLASES[atlas].positions(n).reshape(-1, 3)
    differ = heights.ravel() != brute_counts(positions, normals, offsets, weights)
    assert not differ.any()


@pytest.mark.parametrize("atlas", ATLASES)
def test_without_offset_the_far_side_is_the_mirror(atlas):
    heights = grown(3, atlas=atlas, cells=24, cuts=500, offset="off").heights
    assert np.array_equal(heights, -heights[antipodes(cuts.ATLASES[atlas], 25)])
    assert np.ptp(heights) > 0.02


def far_side(offset: str) -> tuple[float, float]:
    """Over 200 planets: the correlation of heights at antipodes about each planet's mean; the share of land that has land
    at its antipode."""
    opposite, shared = antipodes(CUBE, 13), areas(CUBE, 13)
    products = squares = land = both = 0.0
    for seed in range(200):
        growth = grown(seed, cells=12, cuts=700, offset=offset)
        heights = growth.heights.astype(np.float64)
        heights -= (shared * heights).sum()
        products += (shared * heights * heights[opposite]).sum()
        squares += (shared * heights * heights).sum()
        dry = growth.heights > growth.sea_level
        land += shared[dry].sum()
        both += shared[dry & dry[opposite]].sum()
    return products / squares, both / land


def test_far_sides_that_mirror_the_near_one_that_hardly_do_and_that_do_not():
    """The planet's mean is taken away, because the sea level is: it moves with every cut that is not through the centre."""
    assert far_side("off")[0] == pytest.approx(-1.0, abs=1e-6)
    correlation, shared = far_side("on")
    assert correlation == pytest.approx(-0.25, abs=0.03) and 0.26 < shared < 0.33
    correlation, shared = far_side("full")
    assert correlation == pytest.approx(0.0, abs=0.03) and 0.35 < shared < 0.41


@pytest.mark.parametrize("offset", OFFSETS)
def test_no_direction_is_preferred(offset):
    positions, shared = CUBE.positions(9), areas(CUBE, 9)
    moments = np.zeros((3, 3))
    for seed in range(200):
        heights = grown(seed, cells=8, cuts=200, offset=offset).heights.astype(np.float64)
        moments += np.einsum("fji,fjia,fjib->ab", shared * heights**2, positions, positions)
    assert np.allclose(moments / np.trace(moments), np.eye(3) / 3, atol=0.03)


def test_normals_are_uniform_on_the_sphere_and_offsets_in_the_ball():
    normals, offsets, signs = cuts.planes(1, 0, 40_000, CUTS.complete({}))
    assert np.allclose((normals**2).sum(axis=1), 1.0, atol=1e-14)
    assert np.allclose(normals.mean(axis=0), 0.0, atol=0.015)
    assert np.allclose(normals.T @ normals / len(normals), np.eye(3) / 3, atol=0.01)
    # The fourth moments tell the sphere, 3/5, from normals drawn in a cube, 0.54.
    assert (normals**4).sum(axis=1).mean() == pytest.approx(0.6, abs=0.005)
    # As far from the centre as points of the ball: the cubes of their distances are uniform.
    assert np.abs(np.histogram(offsets**3, 10, (0, 1))[0] - 4000).max() < 250
    assert abs(signs.mean()) < 0.02 and set(np.unique(signs)) == {-1, 1}


def test_draws_depend_on_the_seed_and_the_cut_alone():
    for method in ("default", "as-printed"):
        values = CUTS.complete({"method": method})
        whole, part = cuts.planes(7, 0, 50, values), cuts.planes(7, 20, 50, values)
        assert all(np.array_equal(a[20:], b) for a, b in zip(whole, part, strict=True))
        assert not np.array_equal(whole[0], cuts.planes(8, 0, 50, values)[0])


def test_as_printed_draws_normals_from_a_cube():
    normals, offsets, signs = cuts.planes(1, 0, 40_000, CUTS.complete({"method": "as-printed"}))
    assert (normals**4).sum(axis=1).mean() == pytest.approx(0.54, abs=0.01)
    assert not offsets.any() and (signs == 1).all()


def test_as_printed_cure_mostly_misses_the_sphere():
    normals, offsets, signs = cuts.planes(1, 0, 40_000, CUTS.complete({"method": "as-printed", "offset": "on"}))
    assert (np.abs(offsets) < 1).mean() == pytest.approx(0.031, abs=0.004)
    zero = ~normals.any(axis=1)
    assert 0 < zero.sum() < 20 and (offsets[zero] == -1).all() and (signs[zero] == 1).all()
    growth = grown(1, method="as-printed", offset="on", cells=8, cuts=3000)
    assert growth.sea_level == 0.0
    assert abs(growth.heights.mean()) > 2 * growth.heights.std()


def test_as_printed_is_land_and_sea_unless_its_own_cure_is_asked_for():
    """Most planes of that cure miss the sphere, and the planet is of one colour; `land` may set its sea all the same."""
    shared = areas(CUBE, 9)

    def one_colour(**given_parameters) -> int:
        planets = [grown(seed, method="as-printed", cells=8, cuts=1000, **given_parameters) for seed in range(40)]
        shares = [shared[planet.heights > planet.sea_level].sum() for planet in planets]
        return sum(not 0.01 < share < 0.99 for share in shares)

    assert one_colour() == 0
    assert one_colour(offset="on") > 20
    assert one_colour(offset="on", land=0.38) == 0


def test_as_printed_knows_no_full_cure():
    with pytest.raises(ParameterError, match="offset=full"):
        CUTS.complete({"method": "as-printed", "offset": "full"})


def test_the_radius_is_the_unit_of_the_printed_cure():
    for radius, share in ((2, 0.875), (20, 0.031)):
        values = CUTS.complete({"method": "as-printed", "offset": "on", "radius": radius})
        normals, offsets, _ = cuts.planes(1, 0, 20_000, values)
        meets = (np.abs(offsets) < 1) & normals.any(axis=1)
        assert meets.mean() == pytest.approx(share, rel=0.3)
    assert CUTS.complete({})["radius"] == 20


@pytest.mark.parametrize("offset", OFFSETS)
@pytest.mark.parametrize("weights", ["fixed", "falling"])
def test_the_highest_is_the_highest_so_far(offset, weights):
    given_parameters = {"cells": 16, "cuts": 300, "offset": offset, "weights": weights}
    values = CUTS.complete(given_parameters)
    steps = brute_steps(7, 300, values, CUBE.positions(17).reshape(-1, 3))
    ever = np.maximum.accumulate(np.cumsum(steps, axis=0).max(axis=1))
    growth = CUTS.grow(7, given_parameters)
    unit = 1e-3 / cuts.weights(0, 1, values)[1]
    assert growth.highest == 0.0
    for to in (1, 2, 40, 300):
        growth.advance(to)
        assert growth.highest == pytest.approx(unit * max(ever[to - 1], 0))
    # It is not the highest now, nor does it depend on how the growth got here.
    assert any(
        grown(seed, 60, **given_parameters).highest > grown(seed, 60, **given_parameters).heights.max() for seed in range(9)
    )
    assert grown(7, **given_parameters).highest == growth.highest


def test_falling_weights_start_as_printed_and_fall():
    weights, per_step = cuts.weights(0, 10_000, CUTS.complete({"weights": "falling"}))
    assert weights[0] == per_step and (np.diff(weights) <= 0).all()
    assert weights[10_000 - 1] / per_step == pytest.approx(0.1, abs=0.001)
    fixed, falling = (grown(1, cells=32, cuts=4000, weights=word).heights.std() for word in ("fixed", "falling"))
    assert 0.1 < falling / fixed < 0.6


@pytest.mark.parametrize("atlas", ATLASES)
def test_advancing_by_parts_leaves_the_same_bits(atlas):
    given_parameters = {"atlas": atlas, "cells": 19, "cuts": 700, "weights": "falling"}
    growth = CUTS.grow(4, given_parameters)
    copies, owners = growth.atlas.seams(20)
    for to in (0, 1, 2, 5, 300, 699, 700):
        growth.advance(to)
        assert np.array_equal(growth.heights, grown(4, to, **given_parameters).heights)
        assert np.array_equal(growth.heights.ravel()[copies], growth.heights.ravel()[owners])
    assert len(np.unique(growth.heights)) > 500


def test_a_block_of_cuts_too_many_is_drawn_in_parts(monkeypatch):
    whole = grown(5, cells=8, cuts=300).heights
    monkeypatch.setattr(cuts, "CHUNK", 70)
    assert np.array_equal(grown(5, cells=8, cuts=300).heights, whole)


@pytest.mark.parametrize("atlas", [CUBE, LATLONG, DOUBLE_CONE], ids=ATLASES)
@pytest.mark.parametrize("cells", [1, 16, 41])
def test_areas_cover_the_sphere_evenly(atlas, cells):
    shared = areas(atlas, cells + 1)
    copies, owners = atlas.seams(cells + 1)
    point = shared.copy().ravel()
    np.add.at(point, owners, point[copies])
    point[copies] = 0.0
    positions = atlas.positions(cells + 1)
    moments = np.einsum("fji,fjia,fjib->ab", point.reshape(shared.shape), positions, positions)
    # For one cell the bound is that of eight corners, two poles, or an octahedron.
    assert np.allclose(moments, np.eye(3) / 3, atol=1.0 if atlas is LATLONG and cells == 1 else 0.6 / cells**2)
    interior = point[point > 0]
    assert interior.sum() == pytest.approx(1.0)
    if atlas is not LATLONG and cells > 1:
        assert interior.max() / interior.min() < 7


@pytest.mark.parametrize("atlas", ATLASES)
@pytest.mark.parametrize("land", [0.1, 0.38, 0.85])
@pytest.mark.parametrize("weights", ["fixed", "falling"])
def test_land_is_the_wanted_share_of_the_area(atlas, land, weights):
    growth = grown(6, atlas=atlas, cells=64, cuts=2000, land=land, weights=weights)
    shared, level = areas(growth.atlas, 65), growth.sea_level
    # With fixed weights, heights come in steps of a few thousandths of the area: the level lies in the nearest one.
    step = 1e-3 if weights == "fixed" else 2e-5
    around = shared[np.abs(growth.heights - level) <= step * 1.01].sum()
    assert abs(shared[growth.heights > level].sum() - land) <= 0.5 * around + 1e-3
    assert around < 0.05


def test_land_as_printed_has_the_sea_at_the_datum():
    assert grown(1, cells=8, cuts=200, land="printed").sea_level == 0.0
    assert grown(1, cells=8, cuts=200, method="as-printed").sea_level == 0.0
    assert grown(1, cells=8, cuts=200).sea_level != 0.0


def test_the_sea_rises_smoothly_from_the_datum():
    growth = CUTS.grow(2, {"cells": 128, "cuts": 400, "land": 0.2})
    levels = []
    for k in range(401):
        growth.advance(k)
        levels.append(growth.sea_level)
    assert levels[:4] == [0.0] * 4 and abs(levels[-1]) > 5e-3
    # No step moves the sea by more than the cut itself moves the ground; the last one also by what rough was wrong.
    assert np.abs(np.diff(levels)).max() < 1.2e-3


def test_the_shown_share_rises_from_three_cuts_to_a_hundred():
    shares = [shown_share(k) for k in range(200)]
    assert shares[3] == pytest.approx(0.0) and shares[100] == pytest.approx(1.0) and shares[199] == 1.0
    assert (np.diff(shares) >= 0).all() and 0.4 < shares[17] < 0.6


def test_a_planet_of_few_cuts_ends_with_the_wanted_land():
    growth = grown(9, cells=64, cuts=20, land=0.3)
    shared = areas(CUBE, 65)
    around = shared[np.abs(growth.heights - growth.sea_level) <= 1.01e-3].sum()
    assert growth.sea_level != 0.0
    assert abs(shared[growth.heights > growth.sea_level].sum() - 0.3) <= 0.5 * around + 1e-3


def test_marks_are_the_planes_of_the_cuts():
    growth = CUTS.grow(3, {"cuts": 500, "cells": 4})
    normals, offsets, _ = cuts.planes(3, 0, 500, CUTS.complete({}))
    rings = growth.marks(10, 14).rings
    assert rings.dtype == np.float32 and rings.shape == (4, 4)
    assert np.allclose(rings, np.column_stack([normals, offsets])[10:14])
    assert np.array_equal(growth.marks(0, 500).rings, growth.marks(0, 64).rings)
    assert growth.marks(10, 14).steps.tolist() == [11, 12, 13, 14]
    assert growth.marks(5, 5).rings.shape == (0, 4) and len(growth.marks(0, 5).points) == 0


def test_marks_of_a_slab_are_both_its_planes():
    marks = CUTS.grow(3, {"cuts": 500, "cells": 4, "offset": "full"}).marks(0, 8)
    assert marks.steps.tolist() == [1, 2, 3, 4, 5, 6, 7, 8, 6]
    assert np.array_equal(marks.rings[8], marks.rings[5] * np.float32([1, 1, 1, -1]))
