"""Compiled simplex noise: Perlin's simplex grid in three dimensions, in forms that vectorise and are the same everywhere.

K. Perlin: "Noise hardware", SIGGRAPH course notes 2001; S. Gustavson: "Simplex noise demystified", 2005. The default noise
reads no table: a corner's gradient is a hash of its lattice coordinates, so a row of samples becomes straight vector code.
All arithmetic is float32 without fastmath, and 32-bit integers: the same bits on every processor and number of threads.
"""

from __future__ import annotations

import numba
import numpy as np
from numba import types
from numba.extending import intrinsic

from ..kernels import INLINED, OPTIONS, PARALLEL

_STEP_X, _STEP_Y, _STEP_Z = 0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D
_PX, _PY, _PZ = np.uint32(_STEP_X), np.uint32(_STEP_Y), np.uint32(_STEP_Z)
_PXY = np.uint32((_STEP_X + _STEP_Y) & 0xFFFFFFFF)
_PXZ = np.uint32((_STEP_X + _STEP_Z) & 0xFFFFFFFF)
_PYZ = np.uint32((_STEP_Y + _STEP_Z) & 0xFFFFFFFF)
_PXYZ = np.uint32((_STEP_X + _STEP_Y + _STEP_Z) & 0xFFFFFFFF)
_M1, _M2 = np.uint32(0x2C1B3C6D), np.uint32(0x297A2D39)

_THIRD, _SIXTH, _HALF = np.float32(1.0 / 3.0), np.float32(1.0 / 6.0), np.float32(0.5)
_ZERO, _ONE, _THREE, _INFINITE = np.float32(0.0), np.float32(1.0), np.float32(3.0), np.float32(np.inf)

# A corner reaches no farther than the opposite face of its simplex (r^2 = 1/2), so the noise and its slope are continuous.
# The printed library's 0.6 reaches beyond that face and leaves small cliffs.
_REACH = np.float32(0.5)
# Brings the noise of one octave to -1..1 (in 2 * 10^7 samples the greatest magnitude was 1.002; standard deviation 0.305).
NOISE_GAIN = np.float32(64.0)

# How fast a ridge falls off to both sides of its crest, and how much a crest lets the next octave through.
_RIDGE_SLOPE, _FEEDBACK = np.float32(1.9), np.float32(3.0)
# The share of its height that land loses before mountains rise, at strength 1, so that there are plains between ranges.
_LOWERED = np.float32(0.5)

# Samples worked on together; their scratch stays in the nearest cache.
_BLOCK = 1100


# numba widens 32-bit integer arithmetic to 64 bits, which halves the vector width; these stay narrow.
@intrinsic
def _mul(_typing, _a, _b):
    return types.uint32(types.uint32, types.uint32), lambda _c, builder, _s, args: builder.mul(*args)


@intrinsic
def _add(_typing, _a, _b):
    return types.uint32(types.uint32, types.uint32), lambda _c, builder, _s, args: builder.add(*args)


@intrinsic
def _signed_half(_typing, _a, _b):
    """A float32 of either sign and of magnitude uniform in [1/2, 1), from the sign and mantissa bits of a << b."""

    def generate(context, builder, _signature, args):
        word = builder.shl(*args)
        word = builder.or_(builder.and_(word, word.type(0x807FFFFF)), word.type(0x3F000000))
        return builder.bitcast(word, context.get_value_type(types.float32))

    return types.float32(types.uint32, types.uint32), generate


@intrinsic
def _xor_shift(_typing, _a, _b):
    """a ^ (a >> b)"""

    def generate(_context, builder, _signature, args):
        return builder.xor(args[0], builder.lshr(*args))

    return types.uint32(types.uint32, types.uint32), generate


@numba.njit(**INLINED)
def _corner(h, x, y, z):
    """What the lattice corner with the hash sum `h` adds at the offset (x, y, z) from it.

    There are two multiplications, because with one the noise has peaks at lattice frequencies. Each component of the
    gradient is a sign and a magnitude of at least 1/2, so gradients differ little in length; with components uniform about 0
    the rare long gradients made extremes that the bounds had to cut off. The bits of x overlap those of y and z only from
    its eighth.
    """
    h = _xor_shift(_mul(_xor_shift(_mul(_xor_shift(h, np.uint32(15)), _M1), np.uint32(12)), _M2), np.uint32(15))
    gx, gy, gz = _signed_half(h, np.uint32(0)), _signed_half(h, np.uint32(8)), _signed_half(h, np.uint32(16))
    t = max(_REACH - x * x - y * y - z * z, _ZERO)
    t *= t
    return t * t * (gx * x + gy * y + gz * z)


@numba.njit(**OPTIONS)
def add_noise_row(points, octave, key, low, high, out):
    """Add an octave of simplex noise to `out` float32 (k,), and clamp the sum to low..high.

    `octave` float32 (5,): frequency, offset x, y, z, amplitude. The noise is taken at points * frequency + offset, is in
    about [-1, 1] and is added times the amplitude. `points` float32 (3, k); `key` uint32. Coordinates must stay within
    +-2^30; beyond 2^16 float32 has too few digits left for the noise to be smooth.
    """
    frequency, ox, oy, oz, amplitude = octave[0], octave[1], octave[2], octave[3], octave[4]
    px, py, pz = points[0], points[1], points[2]
    for a in range(out.size):
        x, y, z = px[a] * frequency + ox, py[a] * frequency + oy, pz[a] * frequency + oz
        s = (x + y + z) * _THIRD
        i, j, k = np.floor(x + s), np.floor(y + s), np.floor(z + s)
        t = (i + j + k) * _SIXTH
        x, y, z = x - (i - t), y - (j - t), z - (k - t)
        h = _add(_add(key, _mul(np.uint32(np.int32(i)), _PX)), _mul(np.uint32(np.int32(j)), _PY))
        h = _add(h, _mul(np.uint32(np.int32(k)), _PZ))
        # The second corner is a step along the greatest component, the third leaves out the smallest.
        xy, yz, xz = x >= y, y >= z, x >= z
        x_most, x_least = xy & xz, (not xy) & (not xz)
        y_most, y_least = (not xy) & yz, xy & (not yz)
        z_most, z_least = not (x_most | y_most), not (x_least | y_least)
        h1 = _add(h, _PX if x_most else (_PY if y_most else _PZ))
        h2 = _add(h, _PYZ if x_least else (_PXZ if y_least else _PXY))
        x1 = x - (_ONE if x_most else _ZERO) + _SIXTH
        y1 = y - (_ONE if y_most else _ZERO) + _SIXTH
        z1 = z - (_ONE if z_most else _ZERO) + _SIXTH
        x2 = x - (_ZERO if x_least else _ONE) + _THIRD
        y2 = y - (_ZERO if y_least else _ONE) + _THIRD
        z2 = z - (_ZERO if z_least else _ONE) + _THIRD
        total = _corner(h, x, y, z) + _corner(h1, x1, y1, z1)
        total += _corner(h2, x2, y2, z2) + _corner(_add(h, _PXYZ), x - _HALF, y - _HALF, z - _HALF)
        out[a] = min(max(out[a] + amplitude * (total * NOISE_GAIN), low), high)


@numba.njit(**OPTIONS)
def direction_row(j, ahead, right, down):
    """Row j of a cube face as unit directions by the face's own axes, into float32 (n,) each: out of it, right, down.

    Computed in float64 and rounded once. s and t are exact mirror images about 0 and the length is symmetric in them, so
    samples that faces share get the same bits. A lattice of twice the cells has the coarser one's directions at every other
    sample.
    """
    n = ahead.size
    t = (2.0 * j - (n - 1)) / (n - 1)
    for i in range(n):
        s = (2.0 * i - (n - 1)) / (n - 1)
        length = np.sqrt(1.0 + (s * s + t * t))
        ahead[i] = np.float32(1.0 / length)
        right[i] = np.float32(s / length)
        down[i] = np.float32(t / length)


@numba.njit(**OPTIONS)
def _turned(face, own, points):
    """Directions `own` float32 (3, k) of a face, by its axes `face` float32 (3, 3) of 0, 1 and -1, into `points`."""
    for c in range(3):
        a, b, d = face[0, c], face[1, c], face[2, c]
        out, ahead, right, down = points[c], own[0], own[1], own[2]
        for i in range(out.size):
            out[i] = a * ahead[i] + b * right[i] + d * down[i]


@numba.njit(**OPTIONS)
def _noise_alone(points, octave, key, noise):
    """The noise of an octave itself, without its amplitude."""
    alone = octave.copy()
    alone[4] = _ONE
    noise[:] = _ZERO
    add_noise_row(points, alone, key, -_INFINITE, _INFINITE, noise)


@numba.njit(**OPTIONS)
def _ridge_row(points, octave, key, noise, ridge, weight):
    """One octave of a ridged multifractal (F. K. Musgrave, in "Texturing and modeling", 1994): 1 - |noise| squared.

    Each octave is weighted by the one before, so valleys stay smooth.
    """
    _noise_alone(points, octave, key, noise)
    amplitude = octave[4]
    for i in range(ridge.size):
        crest = max(_ONE - _RIDGE_SLOPE * abs(noise[i]), _ZERO)
        crest = crest * crest * weight[i]
        weight[i] = min(_FEEDBACK * crest, _ONE)
        ridge[i] += amplitude * crest


@numba.njit(**OPTIONS)
def _grow_block(row, scratch, octaves, keys, low, high, strength, base, rise):
    """`grow_rows` for the samples `row` float32 (k,) at the points scratch[:3]; scratch[3:6] is used."""
    count = row.size
    points, noise, ridge, weight = scratch[:3], scratch[3], scratch[4], scratch[5]
    if strength > _ZERO:
        for i in range(count):
            ridge[i], weight[i] = _ZERO, _ONE
        last = keys.size - 1
        for o in range(last):
            _ridge_row(points, octaves[o], keys[o], noise, ridge, weight)
        belts = octaves[last]
        _noise_alone(points, belts, keys[last], noise)
        for i in range(count):
            belt = min(max(noise[i] * belts[4] + _HALF, _ZERO), _ONE)
            inland = min(max((row[i] - base) / rise, _ZERO), _ONE)
            share = belt * belt * (_THREE - belt - belt) * inland * inland * (_THREE - inland - inland)
            lowland = row[i] - strength * _LOWERED * max(row[i] - base, _ZERO)
            row[i] = lowland + min(strength * share * ridge[i], _ONE) * max(high - lowland, _ZERO)
    else:
        # Numba takes three seconds to compile what checks the shapes of two arrays, one of which is copied into the other.
        for i in range(count):
            noise[i] = row[i]
        for o in range(keys.size):
            add_noise_row(points, octaves[o], keys[o], low, high, noise)
        for i in range(count):
            row[i] = noise[i]


@numba.njit(**PARALLEL)
def grow_rows(heights, faces, octaves, keys, low, high, strength, base, rise):
    """Add octaves of noise, one after another, to heights float32 (6, n, n), clamped to low..high after each.

    `faces` float32 (6, 3, 3): centre, right and down of each cube face; `octaves` float32 (k, 5): frequency, offset x, y, z,
    amplitude; `keys` uint32 (k,). The rest float32.

    With `strength` above 0 the octaves are ridges instead. Land above the level `base` is lowered in proportion, and
    mountains rise from it towards `high` and never above; they reach full strength `rise` above `base`. The last octave is
    the belt in which ranges stand. One kernel does both, because compiling a parallel one takes a second or two.
    """
    n = heights.shape[2]
    # Some rows at a time, and a whole number of vectors: each sample left over would take the time of a vector.
    rows = max(_BLOCK // n, 1)
    for b in numba.prange((n + rows - 1) // rows):
        first = b * rows
        count = min(rows, n - first) * n
        scratch = np.zeros((9, (count + 15) // 16 * 16), np.float32)
        for j in range(count // n):
            here = slice(j * n, j * n + n)
            direction_row(first + j, scratch[6][here], scratch[7][here], scratch[8][here])
        for f in range(6):
            _turned(faces[f], scratch[6:], scratch[:3])
            row = heights[f].reshape(n * n)[first * n : first * n + count]
            _grow_block(row, scratch, octaves, keys, low, high, strength, base, rise)


@numba.njit(**PARALLEL)
def add_printed_octaves(heights, faces, octaves, table, low, high):
    """The noise of the article's library: a permutation `table` uint8 (512,), 12 gradients, reach 0.6, factor 32.

    Arguments as for `grow_rows`, the offsets in `octaves` unused.
    """
    n = heights.shape[2]
    for r in numba.prange(6 * n):
        points = np.empty((6, n), np.float32)
        row = heights[r // n, r % n]
        direction_row(r % n, points[3], points[4], points[5])
        _turned(faces[r // n], points[3:], points[:3])
        for o in range(octaves.shape[0]):
            frequency, amplitude = octaves[o, 0], octaves[o, 4]
            for i in range(n):
                x, y, z = points[0, i] * frequency, points[1, i] * frequency, points[2, i] * frequency
                row[i] = min(max(row[i] + amplitude * printed_noise(x, y, z, table), low), high)


@numba.njit(**OPTIONS)
def printed_noise(x, y, z, table):
    """3-D simplex noise with a permutation table, at one float32 point, in about [-1, 1]."""
    s = (x + y + z) * _THIRD
    i, j, k = np.floor(x + s), np.floor(y + s), np.floor(z + s)
    t = (i + j + k) * _SIXTH
    x, y, z = x - (i - t), y - (j - t), z - (k - t)
    a, b, c = int(i) & 255, int(j) & 255, int(k) & 255
    x_first, y_first, z_first = x >= y and x >= z, x < y and y >= z, (x < z) and (y < z)
    x_last, y_last, z_last = x < y and x < z, x >= y and y < z, x >= z and y >= z
    total = _ZERO
    for corner in range(4):
        di = 0 if corner == 0 else (1 if corner == 3 else (int(x_first) if corner == 1 else 1 - int(x_last)))
        dj = 0 if corner == 0 else (1 if corner == 3 else (int(y_first) if corner == 1 else 1 - int(y_last)))
        dk = 0 if corner == 0 else (1 if corner == 3 else (int(z_first) if corner == 1 else 1 - int(z_last)))
        shift = np.float32(corner) * _SIXTH
        dx, dy, dz = x - np.float32(di) + shift, y - np.float32(dj) + shift, z - np.float32(dk) + shift
        fade = np.float32(0.6) - dx * dx - dy * dy - dz * dz
        if fade > _ZERO:
            g = table[a + di + table[b + dj + table[c + dk]]] % 12
            first, second = (dx, dy) if g < 4 else ((dx, dz) if g < 8 else (dy, dz))
            fade *= fade
            total += fade * fade * ((first if g & 1 == 0 else -first) + (second if g & 2 == 0 else -second))
    return np.float32(32.0) * total
