"""Easing: every curve runs from 0 to 1 without a jump or a turn back, and numbers and arrays agree."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from demo.maths.easing import during, ease, even, rise, smootherstep, smoothstep

X = np.linspace(0.0, 1.0, 4001)
STEP = X[1]
CURVES: dict[str, Callable[[float], float]] = {
    "smoothstep": smoothstep,
    "ease": ease,
    "even": lambda x: even(x, 0.12),
    "even, soft throughout": lambda x: even(x, 0.5),
}
CURVE = pytest.mark.parametrize("curve", CURVES.values(), ids=CURVES)
inside = st.floats(0.0, 1.0)
anywhere = st.floats(-1e6, 1e6)


@CURVE
def test_a_curve_runs_from_0_to_1_and_never_back(curve):
    y = np.array([curve(x) for x in X])
    assert y[0] == 0.0 and y[-1] == pytest.approx(1.0, abs=1e-12)
    assert np.diff(y).min() >= -1e-15
    assert np.diff(y).max() < 2.01 * STEP


@CURVE
def test_a_curve_is_its_own_mirror_image_and_rests_at_both_ends(curve):
    y = np.array([curve(x) for x in X])
    np.testing.assert_allclose(y + y[::-1], 1.0, atol=1e-12)
    assert y[1] / STEP < 0.01


@given(x=inside, soft=st.floats(0.01, 0.5))
def test_even_is_straight_between_its_soft_ends(x, soft):
    slope = (even(min(x + 1e-4, 1.0), soft) - even(x, soft)) / 1e-4
    assert slope <= 1.0 / (1.0 - soft) + 1e-6
    if soft < x < 1.0 - soft - 1e-4:
        assert slope == pytest.approx(1.0 / (1.0 - soft), rel=1e-6)


@pytest.mark.parametrize("curve", [ease, lambda x: even(x, 0.2)], ids=["ease", "even"])
@given(x=anywhere)
def test_beyond_the_ends_nothing_moves(curve, x):
    assert 0.0 <= curve(x) <= 1.0 + 1e-12
    if x <= 0.0 or x >= 1.0:
        assert curve(x) == pytest.approx(float(x >= 1.0), abs=1e-12)


@given(x=anywhere)
def test_one_number_and_an_array_are_eased_alike(x):
    assert ease(x) == smootherstep(np.array([x]))[0]


def test_smootherstep_has_no_curvature_at_its_ends():
    """Perlin's quintic; the cubic has."""
    for curve, least, most in ((smootherstep, 0.0, 0.05), (smoothstep, 5.9, 6.1)):
        bend = np.diff(curve(X), 2) / STEP**2
        assert least <= abs(bend[0]) <= most and least <= abs(bend[-1]) <= most


@given(t=anywhere, begin=st.floats(-100.0, 100.0), length=st.floats(0.1, 100.0))
def test_rise_is_an_ease_over_its_span(t, begin, length):
    span = begin, begin + length
    assert rise(span[0], span) == 0.0 and rise(span[1], span) == 1.0
    assert rise(begin + 0.5 * length, span) == pytest.approx(0.5, abs=1e-9)
    assert rise(t, span) == (0.0 if t <= span[0] else 1.0 if t >= span[1] else rise(t, span))


@given(t=st.floats(-50.0, 150.0), fade_s=st.floats(0.1, 20.0))
def test_during_is_1_inside_its_span_and_0_outside(t, fade_s):
    shown = during(t, (0.0, 100.0), fade_s)
    assert 0.0 <= shown <= 1.0
    if not 0.0 < t < 100.0:
        assert shown == 0.0
    if fade_s <= t <= 100.0 - fade_s:
        assert shown == 1.0
