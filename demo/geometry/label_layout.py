"""Label layout: names stand at their places, hidden beyond the horizon, and never over one another. Pure arithmetic.

A name depends on the present picture alone, so that any moment can be drawn without those before it. It fades as a more
important one comes near, and is gone before they touch.
"""

from __future__ import annotations

import numpy as np

from ..maths.easing import smoothstep

# Names fade within this many of their heights from a more important one, and from the picture's rim, which a flight carries
# them to within a few frames.
REACH, RIM = 0.45, 2.0
# The cosine between the view and the ground's up at which a name is gone, and at which it is fully there.
GRAZING, PLAIN = 0.16, 0.40
# A name is seen above this presence; below it, the names that it hid come back.
HIDDEN = 0.3


def projected(relative: np.ndarray, view_projection: np.ndarray, width: int, height: int) -> np.ndarray:
    """Pixels from the lower left, float64 (k, 2), of places (k, 3) in metres from the eye; NaN behind the eye."""
    clip = np.column_stack([relative, np.ones(len(relative))]) @ view_projection.T
    ahead = np.where(clip[:, 3:] > 0.0, clip[:, 3:], np.nan)
    return (clip[:, :2] / ahead * 0.5 + 0.5) * (width, height)


def facing(relative: np.ndarray, up: np.ndarray) -> np.ndarray:
    """How much of names is seen, (k,) in 0..1, at places (k, 3) in metres from the eye, on ground of unit `up` (k, 3)."""
    away = np.sqrt((relative * relative).sum(axis=1))
    cosine = -(relative * up).sum(axis=1) / np.maximum(away, 1e-9)
    return _smooth((cosine - GRAZING) / (PLAIN - GRAZING))


def settled(boxes: np.ndarray, wanted: np.ndarray, width: int, height: int) -> np.ndarray:
    """How much of each name is seen: float64 (k,) in 0..1. Names that are seen at all do not overlap.

    `boxes`: float64 (k, 4), left, bottom, right and top in pixels, the most important name first; `wanted`: (k,) in 0..1;
    `width`, `height`: of the picture in pixels.
    """
    present = np.zeros(len(boxes))
    left, bottom, right, top = boxes.T
    rim = np.minimum(np.minimum(left, bottom), np.minimum(width - right, height - top))
    free = wanted * _smooth(rim / (RIM * (top - bottom)) + 0.2)
    there = np.flatnonzero(free > 0.0)
    free, (left, bottom, right, top) = free[there], boxes[there].T
    gaps = np.maximum(_gaps(left, right), _gaps(bottom, top)) / (REACH * (top - bottom))[:, None]
    # Few pairs are near each other: only those are gone through.
    later, other = np.nonzero(np.tril(gaps < 1.0, -1))
    close = 1.0 - _smooth(gaps[later, other])
    clear, strength = [1.0] * len(there), free.tolist()
    for k, before, near in zip(later.tolist(), other.tolist(), close.tolist(), strict=True):
        clear[k] *= 1.0 - min(strength[before] * clear[before] / HIDDEN, 1.0) * near
    present[there] = free * clear
    return _smooth((present - HIDDEN) / (1.0 - HIDDEN))


def _gaps(begin: np.ndarray, end: np.ndarray) -> np.ndarray:
    """The gaps between each two of k ranges, (k, k); negative where they overlap."""
    return np.maximum(begin[None] - end[:, None], begin[:, None] - end[None])


def _smooth(x: np.ndarray) -> np.ndarray:
    # `np.clip` takes twice as long on few values.
    return smoothstep(np.minimum(np.maximum(x, 0.0), 1.0))
