"""Gullies: branching valleys and sharp ridges that run down the slope, octave after octave, worked out point by point.

An octave is a wave whose crests run downhill: around a point each corner of a simplex lattice gives a wave across the
slope, of a phase, length and bearing of its own, and their mean is made one wave again. Its slope joins that of the coarser
octaves, so finer gullies run down the walls of larger ones. Where the ground is flat, and at the crests and in the hollows
of coarser octaves, an octave gives way to them: its gullies join theirs and cross no ridge. The idea of a filter that
erodes point by point is that of Rune S. Johansen ("Fast and gorgeous erosion filter", 2026), after C. John and F. Fewes.

Two octaves of smooth hills stand below them. All of it has a twin in `assets/shaders/detail.glsl`, under the same names.
"""

from __future__ import annotations

import numpy as np

from ..maths.easing import smoothstep
from .lattice_noise import REACH, corners, simplex

SHIFT = np.array([0.31, 0.37, 0.43])
OCTAVE_STEP = np.uint32(0x27D4EB2F)
HILL_STEP = np.uint32(0x165667B1)
# Hills: octaves, and their strength, in strengths of the detail.
HILLS, HILL, HILL_GAIN = 2, 0.45, 0.5
# Gullies: the strength of the octave that would be the first, and the factor from one to the next.
DEPTH, GAIN = 0.70, 0.54
# Waves in a unit of the lattice; by how much their lengths and bearings vary.
WAVES, SPREAD, TURNED = 1.25, 0.4, 0.25
# By how much their strength varies.
VARIED = 0.6
# Where waves cancel each other, they are not made much stronger than this share.
COHERENT = 0.3
# 0: waves are round, 1: their crests are edges, which CREST_ROUND rounds off.
SHARP, CREST_ROUND = 0.6, 0.06
# Slopes at which gullies begin and are whole.
FLAT, STEEP = 0.01, 0.16
# The walls of an octave count in the slope of the next as if they were at most so many times as steep as the slope.
FOLLOWED = 1.0
# The slope of the samples, in that of the samples around, from which and up to which gullies open: not on crests.
SHUT, OPEN = 0.25, 0.65
# What an octave closed of its crests and hollows opens again with each further one.
REOPENED = 0.3
# The strength, in wavelengths of the first octave, from which ridges and hollows count in full.
COUNTED = 0.05
TURN = 2.0 * np.pi
_NEXT, _AFTER_NEXT = [1, 2, 0], [2, 0, 1]


def octaves(
    at: np.ndarray,
    up: np.ndarray,
    lean: np.ndarray,
    around: np.ndarray,
    strength: np.ndarray,
    length: float,
    count: int,
    key: int,
) -> tuple[np.ndarray, np.ndarray]:
    """(metres that `count` octaves add, ridge and hollow from -1 in a hollow to 1 on a crest): float64 (k,).

    `at`: float64 (k, 3), places in wavelengths of the first octave; `length`: its metres. `up`: unit (k, 3). `lean`: (k, 3),
    the gradient of the ground below, a tangent; `around`: (k,), how steep it is around. `strength`: (k,), metres. `key`:
    of the hash.
    """
    total, ridge = np.zeros(len(at)), np.zeros(len(at), np.float32)
    if count == 0:
        return total, total
    keys = np.uint32(key) + np.arange(count, dtype=np.uint32) * OCTAVE_STEP
    place = np.ascontiguousarray(at.T)
    # As a cross product needs it.
    turned_up = np.stack([up.T[_NEXT], up.T[_AFTER_NEXT]]).astype(np.float32)
    slope = np.ascontiguousarray(lean.T, np.float32)
    hill, rise = _hills(at, up, strength, length, min(count, HILLS), keys)
    deep, steep = (DEPTH * strength).astype(np.float32), np.sqrt(np.einsum("ij,ij->j", slope, slope))
    part = (steep / (around + strength / length + 1e-6).astype(np.float32) - np.float32(SHUT)) * np.float32(
        1.0 / (OPEN - SHUT)
    )
    kept, open_ = smoothstep(np.minimum(np.maximum(part, np.float32(0)), np.float32(1))), np.ones(len(at), np.float32)
    # Hills turn the slope only where the samples have one: on their crests nothing does.
    rise *= _begun(steep)
    for k in range(count):
        if k < HILLS:
            total += hill[k]
            slope += rise[k]
        if k == 0:
            continue
        scale = 2.0 ** (k - 1)
        deep = deep * np.float32(GAIN)
        across = np.float32(TURN * WAVES * scale / length)
        there = place * scale + SHIFT[:, None]
        ridge, open_, slope = _cut(there, keys[k : k + 1], turned_up, slope, deep, across, ridge, open_, kept)
        total += deep * ridge
    return total, np.clip(ridge, -1.0, 1.0) * np.minimum(strength / (COUNTED * length), 1.0)


def _hills(
    at: np.ndarray, up: np.ndarray, strength: np.ndarray, length: float, count: int, keys: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The heights (count, k) and the gradients (count, 3, k) of the octaves of hills."""
    scale = 2.0 ** np.arange(count)
    value, slope = simplex(at[:, None, :] * scale[:, None] + SHIFT, keys[:count] + HILL_STEP)
    slope -= up[:, None] * (slope * up[:, None]).sum(axis=-1, keepdims=True)
    high = HILL * HILL_GAIN ** np.arange(count)[:, None] * strength
    rise = slope.transpose(1, 2, 0) * (high * scale[:, None] / length)[:, None]
    return high * value.T, rise.astype(np.float32)


def _cut(
    at: np.ndarray,
    key: np.ndarray,
    up: np.ndarray,
    slope: np.ndarray,
    deep: np.ndarray,
    across: np.float32,
    ridge: np.ndarray,
    open_: np.ndarray,
    kept: np.ndarray,
) -> tuple[np.ndarray, ...]:
    """One octave: (ridge and hollow, what it leaves open to the next, slope), from those before it.

    `kept`: what the crests and hollows of the samples leave of every octave. `up`: (2, 3, k), its components each one and
    two places on; `deep`: its metres; `across`: radians of its waves in a metre.
    """
    steep = np.sqrt(np.einsum("ij,ij->j", slope, slope))
    uphill = slope / np.maximum(steep, np.float32(1e-6))
    side = up[0] * uphill[_AFTER_NEXT] - up[1] * uphill[_NEXT]
    c, s, stronger = _wave(at, key, side, uphill)
    size = np.sqrt(c * c + s * s)
    c, s = c / (size + np.float32(1e-6)), s / (size + np.float32(1e-6))
    sure = size * np.float32(1.0 + COHERENT) / (size + np.float32(COHERENT))
    sure *= np.float32(1) + np.float32(VARIED) * stronger
    begun = _begun(steep) * kept
    edge = np.float32(1) - np.float32(2) * np.sqrt(np.float32(0.5) * (np.float32(1) - c) + np.float32(CREST_ROUND**2))
    share = begun * open_
    ridge = ridge + ((c + (edge - c) * np.float32(SHARP)) * sure - ridge) * share
    wall, most = deep * across, np.float32(FOLLOWED) * steep
    slope = slope - side * (wall * most / (wall + most + np.float32(1e-6)) * s * sure * share)
    closed = np.float32(1) - begun * (c * c) * (c * c)
    return ridge, (open_ + (np.float32(1) - open_) * np.float32(REOPENED)) * closed, slope


def _begun(steep: np.ndarray) -> np.ndarray:
    """How far gullies have begun, 0..1, where the ground is so steep."""
    share = (steep - np.float32(FLAT)) * np.float32(1.0 / (STEEP - FLAT))
    return smoothstep(np.minimum(np.maximum(share, np.float32(0)), np.float32(1)))


def _wave(at: np.ndarray, key: np.ndarray, side: np.ndarray, uphill: np.ndarray) -> tuple[np.ndarray, ...]:
    """The mean cosine and sine of the waves around, and how strong they are, -1..1: float32 (k,).

    Their crests run along `uphill` (3, k), across `side` (3, k).
    """
    h, offsets = corners(at, key)
    d = offsets.astype(np.float32)
    t = np.maximum(np.float32(REACH) - np.einsum("ijk,ijk->jk", d, d), np.float32(0))
    weight = t * t * t
    weight /= weight.sum(axis=0)
    phase = (h & np.uint32(0x3FF)) * np.float32(1 / 1024)
    long_ = ((h >> np.uint32(10)) & np.uint32(0x7FF)) * np.float32(SPREAD / 1024) + np.float32(1.0 - SPREAD)
    bearing = (h >> np.uint32(21)) * np.float32(1 / 1024) - np.float32(1)
    aside, along = np.einsum("ijk,ik->jk", d, side), np.einsum("ijk,ik->jk", d, uphill)
    turns = np.empty((2, *h.shape), np.float32)
    turns[1] = (aside + np.float32(TURNED) * bearing * along) * (np.float32(WAVES) * long_) + phase
    turns[0] = turns[1] + np.float32(0.25)
    cosine, sine = np.einsum("ijk,jk->ik", _sine(turns), weight)
    return cosine, sine, (weight * bearing).sum(axis=0)


def _sine(turns: np.ndarray) -> np.ndarray:
    """The sine of angles in turns, to 0.001: by parabolas, which are the same everywhere."""
    x = turns - np.floor(turns + np.float32(0.5))
    y = x * (np.float32(8) - np.float32(16) * np.abs(x))
    return y * (np.float32(0.775) + np.float32(0.225) * np.abs(y))
