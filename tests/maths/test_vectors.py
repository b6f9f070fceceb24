"""Vectors: lengths, directions and rotations against numpy's own and against what defines them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from demo.maths.vectors import cross, crosses, length, lengths, rotation, slerp, tangents, unit

numbers = st.floats(-1e3, 1e3).map(lambda x: round(x, 6))
vectors = arrays(np.float64, 3, elements=numbers)
long_ones = vectors.filter(lambda v: np.abs(v).max() > 1e-3)
directions = long_ones.map(unit)
angles = st.floats(-10.0, 10.0)
shares = st.floats(0.0, 1.0)


@given(v=vectors)
def test_the_length_of_one_and_of_many(v):
    assert length(v) == pytest.approx(np.linalg.norm(v), rel=1e-14)
    np.testing.assert_allclose(lengths(np.stack([v, 2.0 * v])), [length(v), 2.0 * length(v)], rtol=1e-14)
    assert lengths(np.zeros((2, 5, 3))).shape == (2, 5)


@given(v=arrays(np.float64, (2, 4, 3), elements=numbers), scale=st.floats(1e-3, 1e3))
def test_unit_keeps_the_direction_and_forgets_the_length(v, scale):
    assume((np.abs(v).max(axis=-1) > 1e-3).all())
    u = unit(v)
    np.testing.assert_allclose(lengths(u), 1.0, rtol=1e-14)
    np.testing.assert_allclose(u * lengths(v)[..., None], v, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(unit(scale * v), u, rtol=1e-12, atol=1e-14)


@given(a=vectors, b=vectors)
def test_cross_is_numpys_and_at_right_angles(a, b):
    np.testing.assert_array_equal(cross(a, b), np.cross(a, b))
    np.testing.assert_array_equal(cross(a, b), -cross(b, a))
    assert abs(cross(a, b) @ a) <= 1e-9 * (1.0 + length(a) ** 2 * length(b))


@given(n=directions)
def test_tangents_complete_a_right_handed_frame(n):
    side, ahead = tangents(n)
    frame = np.stack([side, ahead, n])
    np.testing.assert_allclose(frame @ frame.T, np.eye(3), atol=1e-12)
    assert np.linalg.det(frame) == pytest.approx(1.0)


def test_tangents_of_many_are_those_of_each():
    n = unit(np.random.default_rng(0).normal(size=(4, 5, 3)))
    many = tangents(n)
    for at in np.ndindex(4, 5):
        for axis, one in zip(many, tangents(n[at]), strict=True):
            np.testing.assert_array_equal(axis[at], one)


@given(axis=directions, angle=angles, v=vectors)
def test_a_rotation_turns_about_its_axis_by_its_angle(axis, angle, v):
    turn = rotation(axis, angle)
    np.testing.assert_allclose(turn @ turn.T, np.eye(3), atol=1e-12)
    assert np.linalg.det(turn) == pytest.approx(1.0)
    np.testing.assert_allclose(turn @ axis, axis, atol=1e-12)
    assert np.trace(turn) == pytest.approx(1.0 + 2.0 * np.cos(angle), abs=1e-12)
    assert length(turn @ v) == pytest.approx(length(v), abs=1e-9)
    # Right-handed: a positive turn leads from side to ahead.
    side, ahead = tangents(axis)
    np.testing.assert_allclose(turn @ side, np.cos(angle) * side + np.sin(angle) * ahead, atol=1e-12)


@given(axis=directions, first=angles, second=angles)
def test_rotations_about_one_axis_add_up(axis, first, second):
    np.testing.assert_allclose(rotation(axis, first) @ rotation(axis, second), rotation(axis, first + second), atol=1e-11)
    np.testing.assert_allclose(rotation(axis, -first), rotation(axis, first).T, atol=1e-14)


@given(a=directions, b=directions, w=shares)
def test_slerp_stays_on_the_great_circle_and_divides_the_angle(a, b, w):
    assume(a @ b > -0.9999)
    at = slerp(a, b, w)
    angle = np.arctan2(length(cross(a, b)), a @ b)
    assert length(at) == pytest.approx(1.0, abs=1e-9)
    assert np.arctan2(length(cross(a, at)), a @ at) == pytest.approx(w * angle, abs=1e-4)
    assert abs(at @ cross(a, b)) < 1e-6
    np.testing.assert_allclose(slerp(b, a, 1.0 - w), at, atol=1e-4)


@given(a=directions, b=directions)
def test_slerp_ends_at_both_of_its_ends(a, b):
    assume(a @ b > -0.9999)
    np.testing.assert_allclose(slerp(a, b, 0.0), a, atol=1e-12)
    np.testing.assert_allclose(slerp(a, b, 1.0), b, atol=1e-6)


@given(a=directions, w=shares)
def test_slerp_between_equal_and_between_opposite_vectors(a, w):
    np.testing.assert_allclose(slerp(a, a, w), a, atol=1e-12)
    at = slerp(a, -a, w)
    assert length(at) == pytest.approx(1.0, abs=1e-6)
    assert a @ at == pytest.approx(np.cos(np.pi * w), abs=1e-6)


@given(a=arrays(np.float64, (2, 4, 3), elements=numbers), b=arrays(np.float64, (4, 3), elements=numbers))
def test_cross_products_are_those_of_numpy_bit_for_bit(a, b):
    np.testing.assert_array_equal(crosses(a, b), np.cross(a, b))
    np.testing.assert_array_equal(crosses(b[0], a), np.cross(b[0], a))
