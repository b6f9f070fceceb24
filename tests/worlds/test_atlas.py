"""The atlases: place and invert, shared samples, what lies beyond an edge, and the double cone's distances."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from demo.worlds.atlas import ATLASES, CUBE, DOUBLE_CONE, LATLONG, PLANE, double_cone_angles, double_cone_place
from demo.worlds.heightfield import sample

SPHERES = [LATLONG, DOUBLE_CONE, CUBE]
SIZES = [2, 3, 4, 5, 8, 17, 33]
UNIT = st.floats(0.0, 1.0)
INSIDE = st.floats(0.02, 0.98)

by_name = {"ids": lambda value: getattr(value, "name", str(value))}


def lattice(atlas, n):
    line = np.arange(n) / (n - 1)
    return np.broadcast_arrays(np.arange(atlas.faces)[:, None, None], line[None, None, :], line[None, :, None])


@pytest.mark.parametrize("atlas", ATLASES.values(), **by_name)
@given(data=st.data())
def test_invert_undoes_place(atlas, data):
    face = data.draw(st.integers(0, atlas.faces - 1))
    u, v, height = data.draw(INSIDE), data.draw(INSIDE), data.draw(st.floats(-0.5, 2.0))
    found = atlas.invert(atlas.place(face, u, v, height))
    assert found[0] == face
    assert np.allclose([float(value) for value in found[1:]], [u, v, height], atol=1e-9)


@pytest.mark.parametrize("atlas", SPHERES, **by_name)
@given(longitude=st.floats(-7.0, 7.0), y=st.floats(-1.0, 1.0), radius=st.floats(0.1, 9.0))
def test_place_undoes_invert_everywhere_on_a_sphere(atlas, longitude, y, radius):
    ring = np.sqrt(1.0 - y * y)
    xyz = radius * np.array([ring * np.cos(longitude), y, ring * np.sin(longitude)])
    face, u, v, height = atlas.invert(xyz)
    assert 0 <= face < atlas.faces
    assert -1e-9 <= u <= 1 + 1e-9 and -1e-9 <= v <= 1 + 1e-9
    assert np.allclose(atlas.place(face, u, v, height), xyz, atol=1e-8 * radius)


@pytest.mark.parametrize("atlas", SPHERES, **by_name)
@given(data=st.data())
def test_directions_are_unit_vectors_and_height_is_radial(atlas, data):
    face, u, v = data.draw(st.integers(0, atlas.faces - 1)), data.draw(UNIT), data.draw(UNIT)
    direction = atlas.direction(face, u, v)
    assert np.isclose((direction**2).sum(), 1.0, atol=1e-12)
    assert np.allclose(atlas.place(face, u, v, 0.25), 1.25 * direction)


def test_the_plane_is_the_unit_square():
    assert np.array_equal(PLANE.place(0, [0.0, 1.0], [0.0, 1.0], 0.5), [[-0.5, 0.5, -0.5], [0.5, 0.5, 0.5]])
    assert PLANE.seams(9)[0].size == 0


def test_the_poles_are_where_they_belong():
    north, south = np.array([0.0, 1.0, 0.0]), np.array([0.0, -1.0, 0.0])
    for face in range(4):
        assert np.allclose(DOUBLE_CONE.direction(face, 0.0, 0.0), north)
        assert np.allclose(DOUBLE_CONE.direction(face, 1.0, 1.0), south)
    for face in range(2):
        assert np.allclose(LATLONG.direction(face, [0.0, 0.3, 1.0], 0.0), north)
        assert np.allclose(LATLONG.direction(face, [0.0, 0.3, 1.0], 1.0), south)
    assert np.allclose(CUBE.direction(2, 0.5, 0.5), north) and np.allclose(CUBE.direction(3, 0.5, 0.5), south)


UNIQUE = {
    "cube": lambda n: 6 * n * n - 12 * n + 8,
    "latlong": lambda n: 2 * (n - 1) * (n - 2) + 2,
    "doublecone": lambda n: 4 * (n - 1) ** 2 + 2,
}


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("atlas", SPHERES, **by_name)
def test_seams_leave_the_right_count_of_points(atlas, n):
    copies, owners = atlas.seams(n)
    assert atlas.faces * n * n - copies.size == UNIQUE[atlas.name](n)
    assert np.unique(copies).size == copies.size
    assert not np.isin(owners, copies).any()
    assert (owners < copies).all()


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("atlas", SPHERES, **by_name)
def test_seams_join_what_is_the_same_point(atlas, n):
    exact = atlas.place(*lattice(atlas, n)).reshape(-1, 3)
    copies, owners = atlas.seams(n)
    assert np.abs(exact[copies] - exact[owners]).max() < 1e-12
    flat = atlas.positions(n).reshape(-1, 3)
    assert np.array_equal(flat[copies], flat[owners])
    distinct = np.delete(flat, copies, axis=0)
    assert np.unique(np.round(distinct / 1e-7).astype(np.int64), axis=0).shape == distinct.shape


@pytest.mark.parametrize("n", [*SIZES, 321])
@pytest.mark.parametrize("atlas", ATLASES.values(), **by_name)
def test_positions_of_one_face_are_the_bits_of_all_of_them(atlas, n):
    for face, wanted in enumerate(atlas.positions(n)):
        assert np.array_equal(atlas.positions_on(face, n), wanted)


@pytest.mark.parametrize("n", [8, 9, 16])
@pytest.mark.parametrize("atlas", SPHERES, **by_name)
def test_beyond_an_edge_lies_a_neighbour(atlas, n):
    for i, j in [(-1, 2), (n, 2), (2, -1), (2, n), (-2, n - 3), (n + 1, 1)]:
        for face in range(atlas.faces):
            other, u, v = atlas.beyond(face, i, j, n)
            assert -1e-12 <= u <= 1 + 1e-12 and -1e-12 <= v <= 1 + 1e-12
            assert other != face
            there, here = atlas.direction(other, u, v), atlas.direction(face, i / (n - 1), j / (n - 1))
            assert np.allclose(there, here, atol=1e-12)


@pytest.mark.parametrize("n", [4, 9, 16])
@pytest.mark.parametrize("atlas", [LATLONG, DOUBLE_CONE], **by_name)
def test_beyond_an_edge_lies_a_neighbours_lattice(atlas, n):
    inner = np.arange(2, n - 2) if atlas is LATLONG else np.arange(3, n - 3)
    for face in range(atlas.faces):
        for i in (-1, n):
            _, u, v = atlas.beyond(face, i, inner, n)
            on_lattice = np.stack([u, v]) * (n - 1)
            assert np.allclose(on_lattice, np.round(on_lattice), atol=1e-9)


def test_across_an_edge_of_the_cube_the_first_line_runs_close_to_the_neighbours():
    n = 33
    j = np.arange(4, n - 4)
    for face in range(6):
        other, u, v = CUBE.beyond(face, -1, j, n)
        inward = np.minimum.reduce([u, v, 1 - u, 1 - v]) * (n - 1)
        assert np.unique(other).size == 1
        assert np.allclose(inward, 1.0, atol=0.2)


@pytest.mark.parametrize("atlas", ATLASES.values(), **by_name)
def test_beyond_stays_where_it_is_on_the_face(atlas):
    n = 9
    i, j = np.meshgrid(np.arange(1, n - 1), np.arange(1, n - 1))
    for face in range(atlas.faces):
        other, u, v = atlas.beyond(face, i, j, n)
        assert (other == face).all()
        assert np.allclose(u * (n - 1), i) and np.allclose(v * (n - 1), j)


def test_the_plane_goes_on_as_its_edge():
    _, u, v = PLANE.beyond(0, np.array([-2, 3, 12]), np.array([4, -1, 12]), 9)
    assert np.array_equal(u * 8, [0, 3, 8]) and np.array_equal(v * 8, [4, 0, 8])


def test_spacing_along_meridians_of_the_double_cone_is_equal():
    n = 17
    k = np.arange(2 * n - 1)
    # Down the middle of a face, over the equator: from one parallel of the lattice to the next.
    middle = k / (2 * (n - 1))
    colatitude, longitude = double_cone_angles(0, middle, middle)
    assert np.allclose(np.diff(colatitude), 0.5 * np.pi / (n - 1))
    assert np.allclose(longitude[1:-1], longitude[n])


def test_parallels_of_the_double_cone_are_stretched_by_1_to_half_pi():
    n = 65
    for m in range(1, n):
        k = np.arange(m + 1)
        colatitude, longitude = double_cone_angles(1, (m - k) / (n - 1), k / (n - 1))
        assert np.allclose(colatitude, 0.5 * np.pi * m / (n - 1))
        spacing = np.diff(longitude) * np.sin(colatitude[1:])  # on the sphere
        assert np.allclose(spacing, spacing[0])
        stretch = spacing[0] / (0.5 * np.pi / (n - 1))  # against the spacing along the meridian
        assert 1.0 - 1e-9 <= stretch <= 0.5 * np.pi + 1e-9


def test_the_unrolled_cones_meet_the_sphere_at_the_equator():
    u = np.linspace(0.0, 1.0, 9)
    for face in range(4):
        assert np.allclose(double_cone_place(face, u, 1.0 - u), DOUBLE_CONE.direction(face, u, 1.0 - u), atol=1e-12)
    apex = double_cone_place(0, 0.0, 0.0)
    rim = double_cone_place(0, 0.5, 0.5)
    assert np.isclose(np.linalg.norm(apex - rim), 0.5 * np.pi)


@given(st.integers(2, 9), st.data())
def test_sample_is_bilinear(n, data):
    heights = np.arange(2 * n * n, dtype=np.float32).reshape(2, n, n) ** 2
    face, i, j = data.draw(st.integers(0, 1)), data.draw(st.integers(0, n - 2)), data.draw(st.integers(0, n - 2))
    at = sample(heights, face, np.array([i, i + 0.5]) / (n - 1), np.array([j, j + 0.5]) / (n - 1))
    corners = heights[face, j : j + 2, i : i + 2].astype(np.float64)
    assert np.allclose(at, [corners[0, 0], corners.mean()])
    assert sample(heights, face, 5.0, -3.0) == heights[face, 0, n - 1]
