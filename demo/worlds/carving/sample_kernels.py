"""Kernels of carving on lattices of samples, (faces, n, n): a coarser lattice's samples, what a coarse one shows, rock."""

from __future__ import annotations

import numba
import numpy as np

from ..kernels import INLINED, OPTIONS, hash32, signed_unit32
from .kernels import DEGREE

QUARTER, HALF = np.float32(0.25), np.float32(0.5)


@numba.njit(**OPTIONS)
def thin(fine, coarse):
    """Fill `coarse` with every second sample of `fine`: half of it and half of the mean of those around it.

    On a face's edges those along the edge count alone, and its corners stay: shared samples stay the same bits.
    """
    last = fine.shape[1] - 1
    for face in range(fine.shape[0]):
        for j in range(0, last + 1, 2):
            for i in range(0, last + 1, 2):
                own = fine[face, j, i]
                inner_j, inner_i = 0 < j < last, 0 < i < last
                if inner_j and inner_i:
                    sides = (fine[face, j - 1, i] + fine[face, j + 1, i]) + (fine[face, j, i - 1] + fine[face, j, i + 1])
                    north = fine[face, j - 1, i - 1] + fine[face, j - 1, i + 1]
                    south = fine[face, j + 1, i - 1] + fine[face, j + 1, i + 1]
                    own = HALF * own + np.float32(0.0625) * (sides + (north + south))
                elif inner_j:
                    own = HALF * own + QUARTER * (fine[face, j - 1, i] + fine[face, j + 1, i])
                elif inner_i:
                    own = HALF * own + QUARTER * (fine[face, j, i - 1] + fine[face, j, i + 1])
                coarse[face, j // 2, i // 2] = own


@numba.njit(**OPTIONS)
def spread(coarse, fine):
    """Fill `fine` with the samples of `coarse`, a whole number of times as many cells, and what lies between them."""
    cells, last = coarse.shape[1] - 1, fine.shape[1] - 1
    times = last // cells
    step = np.float32(1.0) / np.float32(times)
    row = np.empty(cells + 1, np.float32)
    for face in range(coarse.shape[0]):
        for j in range(last + 1):
            # The last row has no weight on the one after it, and is therefore itself.
            south = np.float32(j % times) * step
            north = np.float32(1.0) - south
            above = j // times
            below = min(above + 1, cells)
            for i in range(cells + 1):
                row[i] = coarse[face, above, i] * north + coarse[face, below, i] * south
            for i in range(cells):
                for k in range(times):
                    east = np.float32(k) * step
                    fine[face, j, i * times + k] = row[i] * (np.float32(1.0) - east) + row[i + 1] * east
            fine[face, j, last] = row[cells]


@numba.njit(**OPTIONS)
def resample(samples, out):
    """Fill `out` with `samples` interpolated to any number of cells. Shared edges keep the same bits in both directions."""
    cells, last = samples.shape[1] - 1, out.shape[1] - 1
    first, weight = np.empty(last + 1, np.int64), np.empty((last + 1, 2), np.float32)
    for i in range(last + 1):
        rest = (i * cells) % last
        first[i] = (i * cells) // last
        weight[i, 0], weight[i, 1] = np.float32(last - rest) / np.float32(last), np.float32(rest) / np.float32(last)
    for face in range(samples.shape[0]):
        for j in range(last + 1):
            y, north, south = first[j], weight[j, 0], weight[j, 1]
            below = min(y + 1, cells)
            for i in range(last + 1):
                x, west, east = first[i], weight[i, 0], weight[i, 1]
                right = min(x + 1, cells)
                above_row = samples[face, y, x] * west + samples[face, y, right] * east
                below_row = samples[face, below, x] * west + samples[face, below, right] * east
                out[face, j, i] = above_row * north + below_row * south


@numba.njit(**OPTIONS)
def ashore(grown, sea, kept, fjords, change):
    """Turn `change`, by which a coarser lattice has carved, into heights: `grown` with that, in place.

    The coast of a coarser lattice is not that of the finer: land stays land and sea sea, with a share `kept` of what they
    were above it or below it. Where `fjords` is above a quarter land may sink, and from three quarters on it does; it has
    one value where there are none. Arrays are float32 of one shape.
    """
    before, after, floor = grown.ravel(), change.ravel(), np.nextafter(sea, np.float32(np.inf))
    drowned = fjords.ravel()
    some = drowned.size == after.size
    for p in range(before.size):
        above = before[p] - sea
        least, moved = kept * above, above + after[p]
        if some and drowned[p] > QUARTER:
            after[p] = sea + (moved if drowned[p] < np.float32(0.75) else min(moved, -kept * abs(above)))
        else:
            after[p] = max(sea + max(moved, least), floor) if above > np.float32(0.0) else sea + min(moved, least)


@numba.njit(**OPTIONS)
def blur(values, place, table, ways, out):
    """Fill `out` with half of each node's value and half of the mean of its neighbours'; outside it is the value."""
    each = min(ways.size - 1, 1)
    for p in range(values.size):
        out[p] = values[p]
        if place[p] == 0:
            continue
        base = ways[p * each]
        total, count = np.float32(0.0), 0
        for k in range(DEGREE):
            q = p + table[base + k]
            if q == p or place[q] == 0:
                continue
            total += values[q]
            count += 1
        if count > 0:
            out[p] = HALF * values[p] + HALF * (total / np.float32(count))


@numba.njit(**INLINED)
def _smooth(t):
    return t * t * (3.0 - 2.0 * t)


@numba.njit(**OPTIONS)
def patches(place, key, frequency, octaves, out):
    """Fill `out`, float64 (k,), with value noise in -1..1 at places (k, 3): each octave twice as fine and half as strong."""
    for p in range(out.size):
        total, strength, scale = 0.0, 1.0, frequency
        for octave in range(octaves):
            x, y, z = place[p, 0] * scale, place[p, 1] * scale, place[p, 2] * scale
            i, j, k = np.floor(x), np.floor(y), np.floor(z)
            u, v, w = _smooth(x - i), _smooth(y - j), _smooth(z - k)
            value = 0.0
            for corner in range(8):
                a, b, c = corner & 1, (corner >> 1) & 1, corner >> 2
                weight = (u if a else 1.0 - u) * (v if b else 1.0 - v) * (w if c else 1.0 - w)
                h = hash32(key + octave, np.int64(i) + a, np.int64(j) + b, np.int64(k) + c)
                value += weight * signed_unit32(h)
            total += strength * value
            strength *= 0.5
            scale *= 2.0
        out[p] = total / (2.0 - 2.0 * strength)
