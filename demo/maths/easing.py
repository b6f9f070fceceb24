"""Easing: how one value passes into another over time. Pure arithmetic."""

from __future__ import annotations

from typing import TypeVar

import numpy as np

Span = tuple[float, float]
Number = TypeVar("Number", float, np.ndarray)


def smoothstep(x: Number) -> Number:
    """0 to 1 over 0..1 with no slope at either end; `x` must be within 0..1."""
    return x * x * (3.0 - 2.0 * x)


def smootherstep(x: np.ndarray | float) -> np.ndarray | float:
    """0 to 1 over 0..1 with no slope and no curvature at either end (Perlin's quintic)."""
    return _quintic(np.clip(x, 0.0, 1.0))


def ease(x: float) -> float:
    """`smootherstep` of one number, without numpy's overhead: a frame calls it dozens of times."""
    return _quintic(min(max(x, 0.0), 1.0))


def rise(t: float, span: Span) -> float:
    """`ease` over a span (begin, end) of time: 0 before it, 1 after it."""
    return ease((t - span[0]) / (span[1] - span[0]))


def during(t: float, span: Span, fade_s: float) -> float:
    """1 within a span (begin, end) of time, 0 outside, fading over `fade_s` at either end."""
    return ease((t - span[0]) / fade_s) * ease((span[1] - t) / fade_s)


def _quintic(x: Number) -> Number:
    return x * x * x * (x * (6.0 * x - 15.0) + 10.0)
