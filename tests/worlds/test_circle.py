"""Sines, cosines and angles that are the same on every machine."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from demo.worlds.circle import MANY, circle, turns_of

LENGTHS = st.floats(-1e6, 1e6)
# Of a direction: axes, diagonals, and what is hardly one.
EDGES = np.array([0.0, -0.0, 1.0, -1.0, 0.5, 2.0**0.5 - 1.0, 1e-300, -5e-324, 1e300])


def test_sine_and_cosine():
    turns = np.linspace(-2.0, 2.0, 8001)
    cosine, sine = circle(turns)
    assert np.allclose(cosine, [math.cos(2 * math.pi * t) for t in turns], rtol=0, atol=4e-15)
    assert np.allclose(sine, [math.sin(2 * math.pi * t) for t in turns], rtol=0, atol=4e-15)


def test_quarters_are_exact():
    cosine, sine = circle(np.array([0.0, 0.25, 0.5, 0.75, 1.0]))
    assert np.array_equal(cosine, [1, 0, -1, 0, 1]) and np.array_equal(sine, [0, 1, 0, -1, 0])
    assert np.array_equal(turns_of(sine[:4], cosine[:4]), [0.0, 0.25, 0.5, -0.25])


@given(LENGTHS, LENGTHS)
def test_the_angle_of_a_direction(y, x):
    turns = float(turns_of(np.array(y), np.array(x)))
    wanted = math.atan2(y, x) / (2.0 * math.pi)
    # Half a turn to the left and to the right is the same direction.
    apart = (turns - wanted + 0.5) % 1.0 - 0.5
    assert abs(apart) < 1e-15


def test_many_at_once_have_the_bits_that_few_have():
    """Compiled loops work them out."""
    rng = np.random.default_rng(3)
    turns = np.concatenate([rng.uniform(-3.0, 3.0, MANY), np.arange(-16, 17) / 8.0, [0.0, -0.0, 1e-300, 5e-324, 1e9]])
    y, x = (np.concatenate([rng.normal(size=MANY), axis.ravel()]) for axis in np.meshgrid(EDGES, EDGES))
    parts = range(0, len(turns), MANY // 2)
    for few, many in (
        (np.concatenate([circle(turns[k : k + MANY // 2]) for k in parts], axis=1), np.stack(circle(turns))),
        (np.concatenate([turns_of(y[k : k + MANY // 2], x[k : k + MANY // 2]) for k in parts]), turns_of(y, x)),
    ):
        assert few.tobytes() == many.tobytes()


def test_many_of_any_shape_and_order():
    turns = np.linspace(-1.0, 1.0, 2 * MANY).reshape(2, 2, -1)
    cosine, sine = circle(turns[:, ::-1])
    assert cosine.shape == turns.shape and np.array_equal(cosine[1, 0], circle(turns[1, 1])[0])
    assert np.array_equal(turns_of(sine.T, cosine.T), turns_of(sine, cosine).T)


def test_no_direction_has_the_angle_nought():
    assert turns_of(np.zeros(1), np.zeros(1)) == 0.0


def test_an_angle_is_found_again():
    turns = np.linspace(-0.4999, 0.5, 4001)
    cosine, sine = circle(turns)
    assert np.abs(turns_of(sine, cosine) - turns).max() < 1e-15
