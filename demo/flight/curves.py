"""Curves over a plane that a flight can fly: headings that turn no faster than is allowed."""

from __future__ import annotations

import numpy as np

from ..maths.easing import smoothstep


def turned(rates: np.ndarray, count: int) -> np.ndarray:
    """Turn rates (c, count) between those at the knots (c, k), evenly spaced."""
    knots = rates.shape[1]
    x = np.linspace(0.0, knots - 1.0, count)
    i = np.minimum(x.astype(np.intp), knots - 2)
    f = smoothstep(x - i)
    return rates[:, i] * (1.0 - f) + rates[:, i + 1] * f


def walked(start: np.ndarray, heading: np.ndarray, step_m: float) -> np.ndarray:
    """Positions (c, k, 2) in metres from `start` (c, 2) on, along headings (c, k) in radians, `step_m` apart."""
    way = np.stack([np.cos(heading), np.sin(heading)], axis=2) * step_m
    return start[:, None, :] + np.cumsum(way, axis=1) - way[:, :1]


def following(
    lines: np.ndarray, start: np.ndarray, heading: np.ndarray, step_m: float, turn: float, count: int, ahead_m: float
) -> np.ndarray:
    """Headings (c, count) of ways that follow `lines` (c, p, 2), from `start` (c, 2) and `heading` (c,) on.

    Each aims at the point of its line that is `ahead_m` beyond where it is. `turn`: radians a step at most. By pure pursuit
    (R. C. Coulter, Implementation of the Pure Pursuit Path Tracking Algorithm, 1992).
    """
    rows = np.arange(len(lines))
    gone = np.concatenate(
        [np.zeros((len(lines), 1)), np.cumsum(np.sqrt((np.diff(lines, axis=1) ** 2).sum(axis=2)), axis=1)], axis=1
    )
    at, heading, nearest = start.astype(np.float64).copy(), heading.astype(np.float64).copy(), np.zeros(len(lines))
    out = np.empty((len(lines), count))
    for k in range(count):
        away = ((lines - at[:, None]) ** 2).sum(axis=2)
        # Never back along the line.
        away[gone < nearest[:, None]] = np.inf
        nearest = np.maximum(nearest, gone[rows, away.argmin(axis=1)])
        aim = np.minimum((gone < (nearest + ahead_m)[:, None]).sum(axis=1), lines.shape[1] - 1)
        toward = lines[rows, aim] - at
        wanted = np.arctan2(toward[:, 1], toward[:, 0]) - heading
        wanted = (wanted + np.pi) % (2.0 * np.pi) - np.pi
        # Beyond the end of its line a way goes straight on.
        wanted[nearest >= gone[:, -1] - 0.5 * ahead_m] = 0.0
        heading = heading + np.clip(0.5 * wanted, -turn, turn)
        out[:, k] = heading
        at = at + step_m * np.stack([np.cos(heading), np.sin(heading)], axis=1)
    return out


def resampled(line: np.ndarray, points: int) -> np.ndarray:
    """A line (k, d) as `points` points evenly spaced along it: (points, d)."""
    gone = np.concatenate([[0.0], np.cumsum(np.sqrt((np.diff(line, axis=0) ** 2).sum(axis=1)))])
    at = np.linspace(0.0, gone[-1], points)
    return np.stack([np.interp(at, gone, line[:, axis]) for axis in range(line.shape[1])], axis=1)
