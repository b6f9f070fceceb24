"""Particles on the ground: they slide, pile up, and raise the bounds that keep others from looking at it too often.

The named tuples are those of `rain_parts`; units and indices are as in `kernels`.
"""

from __future__ import annotations

import numba
import numpy as np

from ..kernels import OPTIONS, hash64, uniform64

# Tiles have 8 and 64 cells. A third size between them saved no time, nor did smaller tiles.
FINE, COARSE = 3, 6
# A wall is ground that a particle never clears, so that near it the particle moves tick by tick.
WALL = 1 << 40
# Draws of a particle by index, far above those of its moves.
_SLIDES = 1 << 41
# The eight neighbours, and one over their distance.
_EAST = np.array([1, 1, 0, -1, -1, -1, 0, 1])
_SOUTH = np.array([0, 1, 1, 1, 0, -1, -1, -1])
_PER_WAY = np.array([1.0, 0.5**0.5] * 4)
_U = np.uint64


@numba.njit(**OPTIONS)
def slide(key, x, z, ground, viscosity, listing, unit):
    """Where a particle that touched the ground at (x, z) comes to rest. `unit`: cells a unit of height.

    By default it goes to the steepest lower neighbour, with the chance drop * (1 - viscosity) / viscosity, where `drop` is
    in cells a cell of way: always at viscosity 0, never at 1. By Listing 2 it goes to the first lower neighbour, scanned
    from one corner, with the chance elevation difference * viscosity, biased as printed.
    """
    n = ground.shape[0]
    flat = ground.ravel()
    draw = _SLIDES
    while True:
        here = flat[_U(z * n + x)]
        best, to_x, to_z = 0.0, x, z
        bits = hash64(key, draw)
        for d in range(8):
            if listing:
                e = d if d < 4 else d + 1
                i, j = x + e // 3 - 1, z + e % 3 - 1
            else:
                # Which of equally low neighbours comes first is drawn, or piles would lean to one side.
                e = (d + np.int64(bits)) & 7
                i, j = x + _EAST[_U(e)], z + _SOUTH[_U(e)]
            if i < 0 or j < 0 or i >= n or j >= n:
                continue
            there = flat[_U(j * n + i)]
            if there >= here:
                continue
            drop = (np.float64(here) - np.float64(there)) * unit
            if listing:
                draw += 1
                if np.floor(uniform64(key, draw) * 101.0) < drop * viscosity * 100.0:
                    to_x, to_z = i, j
                    break
            else:
                steep = drop * _PER_WAY[_U(e)]
                if steep > best:
                    best, to_x, to_z = steep, i, j
        if to_x == x and to_z == z:
            return x, z
        if not listing and best * (1.0 - viscosity) <= viscosity * (np.float64(bits >> _U(11)) * 2.0**-53):
            return x, z
        draw += 1
        x, z = to_x, to_z


@numba.njit(**OPTIONS)
def pile(x, z, reach, footprint, ground, bits):
    """Add the `footprint` float32 (2 reach + 1, 2 reach + 1) around (x, z), skipping what is off the map.

    Returns the greatest height under it, rounded down. `bits`: `ground` seen as int32. Floats that are not negative have the
    order of their bits, and a maximum of integers compiles to vector instructions while one of strict floats does not.
    """
    n = ground.shape[0]
    left, right = max(x - reach, 0), min(x + reach, n - 1)
    skip, wide = left - (x - reach), right - left + 1
    top = np.int32(0)
    for j in range(max(z - reach, 0), min(z + reach, n - 1) + 1):
        line = ground[j, left : left + wide]
        more = footprint[j - (z - reach), skip : skip + wide]
        seen = bits[j, left : left + wide]
        for i in range(wide):
            line[i] += more[i]
        for i in range(wide):
            top = max(top, seen[i])
    return np.int64(np.int32(top).view(np.float32))


@numba.njit(**OPTIONS)
def raise_bounds(x, z, reach, top, n, margin, bounds):
    """Raise the bounds to `top` for ground within `reach` of (x, z)."""
    tiles, near, sides = bounds.tiles, bounds.near, bounds.sides
    left, right = max(x - reach, 0) + margin, min(x + reach, n - 1) + margin
    upper, lower = max(z - reach, 0) + margin, min(z + reach, n - 1) + margin
    base = 0
    for level in range(2):
        shift, side = (FINE, COARSE)[level], sides[level]
        fresh = False
        for j in range(upper >> shift, (lower >> shift) + 1):
            for i in range(left >> shift, (right >> shift) + 1):
                if tiles[base + j * side + i] < top:
                    tiles[base + j * side + i] = top
                    fresh = True
        if not fresh:
            # The coarse tile around was raised together with its fine tiles.
            return
        for j in range(max((upper >> shift) - 1, 0), min((lower >> shift) + 1, side - 1) + 1):
            for i in range(max((left >> shift) - 1, 0), min((right >> shift) + 1, side - 1) + 1):
                near[base + j * side + i] = max(near[base + j * side + i], top)
        base += side * side


@numba.njit(**OPTIONS)
def land(key, x, z, w, emitter, ground, bounds, margin, landing):
    """A particle touches the ground at (x, z): it slides, piles up, and its window `w` rises with the land."""
    if landing.viscosity < 1.0 or landing.listing:
        x, z = slide(key, x, z, ground, landing.viscosity, landing.listing, landing.unit)
    top = pile(x, z, landing.reach, landing.footprint, ground, ground.view(np.int32))
    emitter.tops[w] = max(emitter.tops[w], np.int64(ground[z, x]) + emitter.lift)
    raise_bounds(x, z, landing.reach, top, ground.shape[0], margin, bounds)


@numba.njit(**OPTIONS)
def survey(ground, box, bounds):
    """Fill `bounds` from scratch; where a wall cuts a tile or a neighbour of it, the bound is WALL."""
    near, sides = bounds.near, bounds.sides
    n = ground.shape[0]
    margin = max(-box[0], 0)
    for z in range(n):
        for x in range(n):
            raise_bounds(x, z, 0, np.int64(ground[z, x]), n, margin, bounds)
    base = 0
    for level in range(2):
        shift, side = (FINE, COARSE)[level], sides[level]
        for j in range(side):
            for i in range(side):
                left, right = ((i - 1) << shift) - margin, ((i + 2) << shift) - 1 - margin
                upper, lower = ((j - 1) << shift) - margin, ((j + 2) << shift) - 1 - margin
                if left < box[0] or right > box[1] or upper < box[2] or lower > box[3]:
                    near[base + j * side + i] = WALL
        base += side * side


@numba.njit(**OPTIONS)
def normalise(ground, low, span, curve, share, out):
    """out = share * curve((ground - low) / span), `curve` float32 (c,) tabulated over 0..1 and linear in between."""
    last = curve.shape[0] - 1
    for j in range(ground.shape[0]):
        for i in range(ground.shape[1]):
            place = (ground[j, i] - low) / span * np.float32(last)
            k = min(np.int64(place), last - 1)
            rest = place - np.float32(k)
            out[j, i] = share * (curve[k] + (curve[k + 1] - curve[k]) * rest)
