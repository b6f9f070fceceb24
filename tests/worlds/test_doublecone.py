"""The double cone: its mesh and packing, the two-level relief, refinement of single rhombi."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from demo.catalogue.generators import generator
from demo.worlds.atlas import DOUBLE_CONE, EVEN_CONE
from demo.worlds.doublecone import global_mesh as meshes
from demo.worlds.doublecone.global_relief import RingWindow, displace, roughness_field, sea_level_of
from demo.worlds.doublecone.growth import refine, refine_block, rhombus_lines
from demo.worlds.parameters import ParameterError

SIZES = [1, 2, 4, 8, 16]


def grown(seed, at=None, **parameters):
    growth = generator("doublecone").grow(seed, parameters)
    growth.advance(growth.total if at is None else at)
    return growth


def mesh_positions(cells):
    return meshes.from_faces(DOUBLE_CONE.positions(cells + 1))


def area_share(mesh, level):
    cells = meshes.cells_of(mesh)
    weights = np.repeat(meshes.ring_weights(cells), meshes.ring_counts(cells))
    return float(weights[mesh > level].sum())


def landmass_areas(mesh, neighbours):
    """Areas, as shares of the sphere, of the connected parts of the mesh above 0."""
    cells = meshes.cells_of(mesh)
    weights = np.repeat(meshes.ring_weights(cells), meshes.ring_counts(cells)).tolist()
    dry = [*(mesh > 0).tolist(), False]  # the last one answers for the fill-in number -1
    areas = []
    for seed in np.flatnonzero(mesh > 0).tolist():
        if not dry[seed]:
            continue
        dry[seed], stack, area = False, [seed], 0.0
        while stack:
            point = stack.pop()
            area += weights[point]
            for other in neighbours[point]:
                if dry[other]:
                    dry[other] = False
                    stack.append(other)
        areas.append(area)
    return areas


@pytest.mark.parametrize("cells", SIZES)
def test_mesh_has_4_n2_plus_2_distinct_points(cells):
    xyz = mesh_positions(cells)
    assert len(xyz) == meshes.point_count(cells) == 4 * cells**2 + 2
    assert len(np.unique(np.round(xyz, 9), axis=0)) == len(xyz)


@pytest.mark.parametrize("cells", SIZES)
def test_rings_are_evenly_spaced_along_meridians_and_in_longitude(cells):
    xyz, starts, counts = mesh_positions(cells), meshes.ring_starts(cells), meshes.ring_counts(cells)
    colatitude = np.arccos(np.clip(xyz[:, 1], -1, 1))
    for ring, count in enumerate(counts):
        here = slice(starts[ring], starts[ring + 1])
        np.testing.assert_allclose(colatitude[here], 0.5 * np.pi * ring / cells, atol=1e-7)
        longitude = np.arctan2(xyz[here, 2], xyz[here, 0]) % (2 * np.pi)
        if count > 1:
            np.testing.assert_allclose(longitude, 2 * np.pi * np.arange(count) / count, atol=1e-9)


@pytest.mark.parametrize("cells", SIZES)
def test_parallels_are_stretched_by_one_to_half_pi(cells):
    length_on_cone = meshes.ring_counts(cells)[1:-1] * (0.5 * np.pi / cells)
    stretch = 2 * np.pi * meshes.ring_sines(cells)[1:-1] / length_on_cone
    assert stretch.min() >= 1 - 1e-12 and stretch.max() <= 0.5 * np.pi
    assert stretch[cells - 1] == pytest.approx(1.0)


@pytest.mark.parametrize("cells", SIZES)
def test_areas_are_kept_when_asked_for(cells):
    """All points but those of the poles and of the equator stand for the same area, and rings lie where that puts them."""
    weights = meshes.ring_weights(cells, EVEN_CONE)
    assert (weights * meshes.ring_counts(cells)).sum() == pytest.approx(1.0)
    others = np.delete(weights, [0, cells, 2 * cells])
    np.testing.assert_allclose(others, 0.25 / cells**2)
    xyz, starts = meshes.from_faces(EVEN_CONE.positions(cells + 1)), meshes.ring_starts(cells)
    share = np.arange(cells + 1) / cells
    np.testing.assert_allclose(xyz[starts[: cells + 1], 1], 1.0 - share**2, atol=1e-12)
    sines = np.hypot(xyz[starts[:-1], 0], xyz[starts[:-1], 2])
    np.testing.assert_allclose(meshes.ring_sines(cells, EVEN_CONE), sines, atol=1e-12)


def test_the_sea_settles_points_and_areas_alike_where_areas_are_kept():
    growth = grown(3, gn=6, land=0.4, keeps="areas")
    mesh = meshes.from_faces(growth.heights)
    assert growth.atlas is EVEN_CONE
    assert (mesh > growth.sea_level).mean() == pytest.approx(0.4, abs=1e-3)
    assert grown(3, gn=6, land=0.4).atlas is DOUBLE_CONE


@pytest.mark.parametrize("cells", SIZES)
def test_ring_sines_and_weights(cells):
    np.testing.assert_allclose(meshes.ring_sines(cells), np.sin(np.linspace(0, np.pi, 2 * cells + 1)), atol=1e-14)
    assert (meshes.ring_weights(cells) * meshes.ring_counts(cells)).sum() == pytest.approx(1.0)


def test_packing_as_the_article_lays_it_out():
    assert meshes.pack(np.arange(18), 2).tolist() == [[13, 14, 15, 16, 4, 3, 2, 1], [5, 6, 7, 8, 9, 10, 11, 12]]


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 40))
def test_packing_is_a_bijection(cells):
    mesh = np.arange(meshes.point_count(cells), dtype=np.float32)
    packed = meshes.pack(mesh, cells)
    assert packed.shape == (cells, 4 * cells)
    np.testing.assert_array_equal(np.sort(packed.ravel()), mesh[1:-1])
    np.testing.assert_array_equal(meshes.from_faces(meshes.to_faces(mesh, cells)), mesh)


def test_no_mesh_has_another_number_of_points():
    with pytest.raises(ValueError, match="no double-cone mesh"):
        meshes.cells_of(np.zeros(7))


@pytest.mark.parametrize("cells", SIZES)
def test_rhombi_number_the_cells(cells):
    corners = meshes.rhombus_points(cells)
    for rhombus in range(4 * cells**2):
        face, row, column = meshes.rhombus_cell(cells, rhombus)
        assert meshes.rhombus_of(cells, face, row, column) == rhombus == corners[rhombus, 0] - 1
    with pytest.raises(ValueError, match="outside"):
        meshes.rhombus_cell(cells, 4 * cells**2)


@pytest.mark.parametrize("cells", SIZES)
def test_neighbours_are_mutual_and_near(cells):
    table, xyz = meshes.neighbours(cells), mesh_positions(cells)
    assert len(meshes.edges(cells)) == 12 * cells**2
    degree = (table >= 0).sum(axis=1)
    assert sorted(set(degree)) == ([4] if cells == 1 else [4, 6]) and (degree == 4).sum() == 6
    for point, row in enumerate(table):
        for other in row[row >= 0]:
            assert point in table[other]
            assert np.linalg.norm(xyz[point] - xyz[other]) < 3.0 / cells


@pytest.mark.parametrize("poles", ["ocean", "any"])
@pytest.mark.parametrize(("gn", "ln"), [(1, 0), (1, 2), (3, 0), (4, 2), (5, 1)])
def test_contract_of_growth(gn, ln, poles):
    growth = generator("doublecone").grow(5, {"gn": gn, "ln": ln, "poles": poles})
    copies, owners = DOUBLE_CONE.seams(growth.n)
    for step in range(growth.total + 1):
        growth.advance(step)
        flat = growth.heights.reshape(-1)
        assert growth.heights.shape == (4, 2 ** (gn + ln) + 1, 2 ** (gn + ln) + 1)
        assert np.isfinite(flat).all() and np.isfinite(growth.sea_level)
        np.testing.assert_array_equal(flat[copies], flat[owners])
        np.testing.assert_array_equal(growth.heights, grown(5, at=step, gn=gn, ln=ln, poles=poles).heights)
        assert np.abs(flat).max() < 12_000


def test_steps_keep_the_points_of_the_mesh():
    """While it grows, the faces hold the coarse mesh at its own points and stay linear between them."""
    coarse, fine = grown(2, gn=3), generator("doublecone").grow(2, {"gn": 6})
    fine.advance(3)
    np.testing.assert_array_equal(fine.heights[:, ::8, ::8], coarse.heights)
    row = fine.heights[1, 8, :9].astype(np.float64)
    np.testing.assert_allclose(np.diff(row, 2), 0, atol=1e-2)


@settings(max_examples=12, deadline=None)
@given(st.integers(-(2**70), 2**70), st.integers(1, 4), st.integers(1, 3))
def test_refined_rhombi_are_the_grown_planet_in_any_order(seed, gn, ln):
    growth = grown(seed, gn=gn, ln=ln)
    cells, step = 2**gn, 2**ln
    order = np.random.default_rng(gn).permutation(4 * cells**2)
    for rhombus in order[:64]:
        face, row, column = meshes.rhombus_cell(cells, int(rhombus))
        part = growth.heights[face, row * step :, column * step :][: step + 1, : step + 1]
        np.testing.assert_array_equal(refine(growth.planet, ln, int(rhombus)), part)


def test_refined_edges_are_shared_bit_for_bit():
    planet, cells, ln = grown(3, gn=3).planet, 8, 4
    edges = {}
    for rhombus in range(4 * cells**2):
        west, north, east, south = meshes.rhombus_points(cells)[rhombus]
        heights = refine(planet, ln, rhombus)
        assert heights.shape == (2**ln + 1, 2**ln + 1)
        np.testing.assert_array_equal(heights[[0, 0, -1, -1], [-1, 0, 0, -1]], planet.heights_m[[west, north, east, south]])
        rims = {(north, west): heights[0], (north, east): heights[:, 0]}
        rims |= {(west, south): heights[:, -1], (east, south): heights[-1]}
        for ends, rim in rims.items():
            edges.setdefault(ends, []).append(rim)
    assert len(edges) == 8 * cells**2
    for first, second in edges.values():
        np.testing.assert_array_equal(first, second)


def test_blocks_are_their_rhombi():
    growth = grown(9, gn=4, ln=3)
    for face, row, column, rows, columns in [(0, 0, 0, 16, 16), (3, 5, 2, 3, 7), (2, 12, 13, 4, 3), (1, 0, 15, 1, 1)]:
        part = growth.heights[face, row * 8 : (row + rows) * 8 + 1, column * 8 : (column + columns) * 8 + 1]
        np.testing.assert_array_equal(refine_block(growth.planet, 3, face, row, column, rows, columns), part)
    with pytest.raises(ValueError, match="not possible"):
        refine_block(growth.planet, 3, 0, 10, 0, 7, 1)


def test_planet_needs_the_global_mesh():
    growth = grown(1, at=2, gn=3, ln=1)
    with pytest.raises(ValueError, match="from step 3 on"):
        _ = growth.planet
    growth.advance(4)
    assert growth.planet.heights_m.shape == (258,)


def test_most_seeds_have_four_landmasses():
    neighbours = meshes.neighbours(64).tolist()
    counts = [sum(a > 0.003 for a in landmass_areas(grown(s, gn=6).planet.heights_m, neighbours)) for s in range(100)]
    assert np.mean(np.array(counts) >= 4) >= 0.8


@settings(max_examples=20, deadline=None)
@given(
    st.integers(0, 2**32),
    st.floats(0.05, 0.95),
    st.sampled_from([(6, 0), (5, 2), (4, 3)]),
    st.sampled_from(["ocean", "any"]),
)
def test_land_is_the_wanted_share_of_area(seed, land, levels, poles):
    growth = grown(seed, gn=levels[0], ln=levels[1], land=land, poles=poles)
    assert area_share(meshes.from_faces(growth.heights), growth.sea_level) == pytest.approx(land, abs=1e-3)
    if levels[1] == 0:
        assert growth.sea_level == 0.0


@pytest.mark.parametrize("land", [0.01, 0.3, 0.8, 0.99])
def test_poles_lie_in_a_sea(land):
    for seed in range(10):
        faces = grown(seed, gn=6, land=land).heights
        assert faces[:, 0, 0].max() < 0 and faces[:, -1, -1].max() < 0
        # 4 of 64 steps: everything within 5.6 degrees of a pole.
        if land <= 0.8:
            assert faces[:, :3, :3].max() < 0 and faces[:, -3:, -3:].max() < 0


def test_any_poles_may_be_land():
    assert any(grown(seed, gn=4, poles="any").heights[0, 0, 0] > 0 for seed in range(40))


def test_sea_level_splits_a_known_field():
    cells = 8
    heights = mesh_positions(cells)[:, 1].astype(np.float32)
    assert sea_level_of(heights, 0.5) == pytest.approx(0.0, abs=0.2)
    assert area_share(heights, sea_level_of(heights, 0.01)) == pytest.approx(0.01, abs=0.01)
    assert np.isfinite(sea_level_of(np.zeros(18, np.float32), 0.3))


def test_roughness_varies_slowly_over_the_planet():
    field = roughness_field(4)
    pairs = meshes.edges(meshes.cells_of(field))
    assert 0.3 < field.min() < 0.75 and 1.25 < field.max() < 1.8
    assert np.abs(np.diff(field[pairs], axis=1)).mean() < 0.1 * (field.max() - field.min())


@pytest.mark.parametrize("atlas", [DOUBLE_CONE, EVEN_CONE])
def test_land_that_rises_evenly_across_a_pole_still_does_on_finer_meshes(atlas):
    """Means along parallels, which bend, would flatten it, and land near the poles would be wider than high."""
    field = meshes.from_faces(atlas.positions(5))[:, 0].astype(np.float32)
    for level in (3, 4, 5):
        rings = RingWindow.whole(2 ** (level - 1)), RingWindow.whole(2**level)
        field = displace(field, *rings, 1, 0, 0.0, np.ones(6, np.float32), atlas=atlas)
    place = meshes.from_faces(atlas.positions(33))
    for near in (place[:, 1] > 0.9, place[:, 1] < -0.9):
        assert np.polyfit(place[near, 0], field[near], 1)[0] == pytest.approx(1.0, abs=0.07)


def test_no_crease_along_mesh_lines():
    """Second differences across the lines of the global mesh are no larger than those half-way between the lines."""
    heights = grown(7, gn=5, ln=4).heights[:, 1:-1].astype(np.float64)
    bend = np.abs(np.diff(heights, 2, axis=2)).mean(axis=(0, 1))
    column = np.arange(1, 2**9)
    on, between = bend[column % 16 == 0].mean(), bend[column % 16 == 8].mean()
    assert 0.7 < on / between < 1.4


def test_marks_are_rhombus_outlines_of_the_early_levels():
    growth = grown(1, gn=5, ln=1)
    for step, count in [(1, 8 * 4 * 16), (2, 8 * 16 * 15), (3, 8 * 64 * 3), (5, 8 * 64 * 3), (6, 0)]:
        lines = growth.marks(step - 1, step).lines
        assert lines.shape == (count, 2, 3) and lines.dtype == np.float32 and count <= 2000
        assert np.allclose(np.linalg.norm(lines, axis=-1), 1.0, atol=1e-6)
        assert len(np.unique(np.round(lines.mean(axis=1), 5), axis=0)) == count
    with pytest.raises(ValueError, match="more than 2000"):
        rhombus_lines(16)


@pytest.mark.parametrize("name, value", [("gn", 0), ("gn", 11), ("ln", 6), ("ln", -1), ("land", 0.0), ("poles", "ice")])
def test_ranges_are_enforced(name, value):
    with pytest.raises(ParameterError, match=f"{name}="):
        generator("doublecone").grow(1, {name: value})


def test_too_fine_together():
    with pytest.raises(ParameterError, match="take ln=2"):
        generator("doublecone").grow(1, {"gn": 10, "ln": 3})
