"""Easing: how one value passes into another. Pure arithmetic on numbers and on arrays of any shape."""

from __future__ import annotations

from typing import TypeVar

import numpy as np

# (begin, end) of a span of time, seconds.
Span = tuple[float, float]
Number = TypeVar("Number", float, np.ndarray)


def smoothstep(x: Number) -> Number:
    """0 to 1 over 0..1 with no slope at either end; `x` must be within 0..1."""
    return x * x * (3.0 - 2.0 * x)


def smootherstep(x: np.ndarray) -> np.ndarray:
    """0 to 1 over 0..1 with no slope and no curvature at either end (Perlin's quintic); constant beyond the ends."""
    return _quintic(np.clip(x, 0.0, 1.0))


def ease(x: float) -> float:
    """`smootherstep` of one number, without numpy's overhead: a frame calls it dozens of times."""
    return _quintic(min(max(x, 0.0), 1.0))


def even(x: float, soft: float) -> float:
    """0 to 1 over 0..1 at a constant rate, which grows from 0 and falls back to it over `soft` (0..0.5) at either end."""
    x = min(max(x, 0.0), 1.0)
    total = 1.0 - soft
    if x < soft:
        return 0.5 * x * x / soft / total
    if x > 1.0 - soft:
        return 1.0 - 0.5 * (1.0 - x) ** 2 / soft / total
    return (x - 0.5 * soft) / total


def rise(t: float, span: Span) -> float:
    """`ease` over a span of time: 0 before it, 1 after it."""
    return ease((t - span[0]) / (span[1] - span[0]))


def during(t: float, span: Span, fade_s: float) -> float:
    """1 within a span of time and 0 outside, with a fade of `fade_s` seconds inside either end."""
    return ease((t - span[0]) / fade_s) * ease((span[1] - t) / fade_s)


def _quintic(x: Number) -> Number:
    return x * x * x * (x * (6.0 * x - 15.0) + 10.0)
