"""Kernel of gullies: branching valleys and sharp ridges that run down the slope, octave by octave, worked out at points.

An octave is a wave whose crests run downhill: around a point each corner of a simplex lattice gives a wave across the
slope, of a phase, length and bearing of its own, and their mean is made one wave again. A part of its slope joins that of
the coarser octaves: finer gullies lean towards the beds of larger ones, and still run down the slope of the samples. Where
the ground is flat, and at the crests and in the hollows of coarser octaves, an octave gives way to them: its gullies join
theirs and cross no ridge. The idea of a filter that erodes point by point is that of Rune S. Johansen ("Fast and gorgeous
erosion filter", 2026), after C. John and F. Fewes.

Two octaves of smooth hills stand below them. All of it has a twin in `assets/shaders/detail.glsl`, under the same names.
"""

from __future__ import annotations

import numba
import numpy as np

from ..worlds.kernels import INLINED, OPTIONS
from .lattice_noise import LOW, REACH, corners, noise

SHIFT = (0.31, 0.37, 0.43)
OCTAVE_STEP, HILL_STEP = np.uint64(0x27D4EB2F), np.uint64(0x165667B1)
# Hills: octaves, and their strength, in strengths of the detail.
HILLS, HILL, HILL_GAIN = 2, 0.45, 0.5
# Gullies: the strength of the octave that would be the first, and the factor from one to the next.
DEPTH, GAIN = 0.64, 0.54
# Waves in a unit of the lattice; by how much their lengths and bearings vary.
WAVES, SPREAD, TURNED = 1.45, 0.4, 0.18
# By how much their strength varies.
VARIED = 0.6
# Where waves cancel each other, they are not made much stronger than this share.
COHERENT = 0.3
# 0: waves are round, 1: their crests are edges, which CREST_ROUND rounds off.
SHARP, CREST_ROUND = 0.6, 0.06
# Slopes at which gullies begin and are whole.
FLAT, STEEP = 0.01, 0.16
# The walls of an octave count in the slope of the next as if they were at most so many times as steep as the slope.
FOLLOWED = 0.2
# The slope of the samples, in that of the samples around, from which and up to which gullies open: not on crests.
SHUT, OPEN = 0.38, 0.78
# What an octave closed of its crests and hollows opens again with each further one.
REOPENED = 0.3
# The strength, in wavelengths of the first octave, from which ridges and hollows count in full.
COUNTED = 0.05
TURN = 2.0 * np.pi


@numba.njit(**INLINED)
def _between(low, high, x):
    """0 below `low`, 1 above `high`, and smooth between them."""
    t = min(max((x - low) / (high - low), 0.0), 1.0)
    return t * t * (3.0 - 2.0 * t)


@numba.njit(**INLINED)
def _sine(turns):
    """The sine of an angle in turns, to 0.001: by parabolas, which are the same everywhere."""
    x = turns - np.floor(turns + 0.5)
    y = x * (8.0 - 16.0 * abs(x))
    return y * (0.775 + 0.225 * abs(y))


@numba.njit(**INLINED)
def _wave(hashes, offsets, side, uphill):
    """The mean cosine and sine of the waves around, and how strong they are, -1..1.

    Their crests run along `uphill` (3,), across `side` (3,).
    """
    cosine = sine = stronger = whole = 0.0
    for c in range(4):
        dx, dy, dz = offsets[c, 0], offsets[c, 1], offsets[c, 2]
        t = max(REACH - (dx * dx + dy * dy + dz * dz), 0.0)
        weight, h = t * t * t, hashes[c]
        phase = np.float64(h & np.uint64(0x3FF)) / 1024.0
        long_ = np.float64((h >> np.uint64(10)) & np.uint64(0x7FF)) * (SPREAD / 1024.0) + (1.0 - SPREAD)
        bearing = np.float64(h >> np.uint64(21)) / 1024.0 - 1.0
        aside = dx * side[0] + dy * side[1] + dz * side[2]
        along = dx * uphill[0] + dy * uphill[1] + dz * uphill[2]
        turns = (aside + TURNED * bearing * along) * (WAVES * long_) + phase
        cosine += weight * _sine(turns + 0.25)
        sine += weight * _sine(turns)
        stronger += weight * bearing
        whole += weight
    return cosine / whole, sine / whole, stronger / whole


@numba.njit(**INLINED)
def _cut(hashes, offsets, up, slope, deep, across, ridge, open_, kept, bearing):
    """One octave: (ridge and hollow, what it leaves open to the next), from those before it. It changes `slope` (3,).

    `kept`: what the crests and hollows of the samples leave of every octave. `deep`: its metres; `across`: radians of its
    waves in a metre. `bearing`: room, (2, 3).
    """
    uphill, side = bearing[0], bearing[1]
    steep = np.sqrt(slope[0] * slope[0] + slope[1] * slope[1] + slope[2] * slope[2])
    for axis in range(3):
        uphill[axis] = slope[axis] / max(steep, 1e-6)
    side[0] = up[1] * uphill[2] - up[2] * uphill[1]
    side[1] = up[2] * uphill[0] - up[0] * uphill[2]
    side[2] = up[0] * uphill[1] - up[1] * uphill[0]
    c, s, stronger = _wave(hashes, offsets, side, uphill)
    size = np.sqrt(c * c + s * s)
    c, s = c / (size + 1e-6), s / (size + 1e-6)
    sure = size * (1.0 + COHERENT) / (size + COHERENT) * (1.0 + VARIED * stronger)
    begun = _between(FLAT, STEEP, steep) * kept
    edge = 1.0 - 2.0 * np.sqrt(0.5 * (1.0 - c) + CREST_ROUND * CREST_ROUND)
    share = begun * open_
    wall, most = deep * across, FOLLOWED * steep
    fall = wall * most / (wall + most + 1e-6) * s * sure * share
    for axis in range(3):
        slope[axis] -= side[axis] * fall
    closed = 1.0 - begun * (c * c) * (c * c)
    return ridge + ((c + (edge - c) * SHARP) * sure - ridge) * share, (open_ + (1.0 - open_) * REOPENED) * closed


@numba.njit(**OPTIONS)
def octaves(at, up, lean, around, strength, length, count, key, total, ridge):
    """Fills `total`, the metres that `count` octaves add, and `ridge`, from -1 in a hollow to 1 on a crest: float64 (k,).

    `at`: float64 (k, 3), places in wavelengths of the first octave; `length`: its metres. `up`: unit (k, 3). `lean`: (k, 3),
    the gradient of the ground below, a tangent; `around`: (k,), how steep it is around. `strength`: (k,), metres. `key`:
    of the hash, uint64 below 2^32.
    """
    hashes, offsets, found = np.empty(4, np.uint64), np.empty((4, 3)), np.empty(4)
    slope, bearing = np.empty(3), np.empty((2, 3))
    for p in range(len(at)):
        high, own_up, x, y, z = strength[p], up[p], at[p, 0], at[p, 1], at[p, 2]
        # One by one: copying a row would compile a check of shapes.
        slope[0], slope[1], slope[2] = lean[p, 0], lean[p, 1], lean[p, 2]
        steep, own = np.sqrt(slope[0] * slope[0] + slope[1] * slope[1] + slope[2] * slope[2]), high / length + 1e-6
        kept = _between(SHUT, OPEN, steep / (around[p] + own))
        # Hills turn the slope on gentle land: elsewhere gullies would no longer run down that of the samples.
        gentle = 1.0 - _between(FLAT, STEEP, around[p])
        deep, hill, scale = DEPTH * high, HILL * high, 1.0
        more, crest, open_ = 0.0, 0.0, 1.0
        for k in range(count):
            numbered = (key + np.uint64(k) * OCTAVE_STEP) & LOW
            if k < HILLS:
                shifted = x * scale + SHIFT[0], y * scale + SHIFT[1], z * scale + SHIFT[2]
                corners(shifted[0], shifted[1], shifted[2], (numbered + HILL_STEP) & LOW, hashes, offsets)
                noise(hashes, offsets, found)
                more += hill * found[0]
                out = found[1] * own_up[0] + found[2] * own_up[1] + found[3] * own_up[2]
                for axis in range(3):
                    slope[axis] += (found[1 + axis] - own_up[axis] * out) * (gentle * hill * scale / length)
                hill *= HILL_GAIN
                steep = np.sqrt(slope[0] * slope[0] + slope[1] * slope[1] + slope[2] * slope[2])
                kept = max(kept, gentle * _between(SHUT, OPEN, steep / (around[p] + own)))
            if k > 0:
                half = 0.5 * scale
                deep *= GAIN
                corners(x * half + SHIFT[0], y * half + SHIFT[1], z * half + SHIFT[2], numbered, hashes, offsets)
                across = TURN * WAVES * half / length
                crest, open_ = _cut(hashes, offsets, own_up, slope, deep, across, crest, open_, kept, bearing)
                more += deep * crest
            scale *= 2.0
        total[p] = more
        ridge[p] = min(max(crest, -1.0), 1.0) * min(high / (COUNTED * length), 1.0)
