"""Kernels of rays against the ground without its detail: what numpy would work out place by place, with the same bits.

Rays end at different places: numpy would make and read large arrays at every step of all that are left.
"""

from __future__ import annotations

import math

import numba
import numpy as np

from ..worlds.circle_kernels import circle_of, turns_of_one
from ..worlds.kernels import OPTIONS

PLANE, LATLONG, CUBE, EVEN_CONE = 0, 1, 3, 4


@numba.njit(**OPTIONS)
def _on_cube(x, y, z):
    """(face, u, v) of a direction, as `Atlas.invert` of the cube has them."""
    width, height, depth = abs(x), abs(y), abs(z)
    longest = max(max(width, height), depth)
    if width == longest:
        face, s, t = (1, z, -y) if x < 0.0 else (0, -z, -y)
    elif height == longest:
        face, s, t = (3, x, -z) if y < 0.0 else (2, x, z)
    else:
        face, s, t = (5, -x, -y) if z < 0.0 else (4, x, -y)
    return face, (s / longest + 1.0) * 0.5, (t / longest + 1.0) * 0.5


@numba.njit(**OPTIONS)
def _on_angles(code, x, y, z):
    """(face, u, v) of a direction, as `Atlas.invert` of the other spheres has them."""
    colatitude = 2.0 * math.pi * turns_of_one(math.sqrt(x * x + z * z), y)
    longitude = 2.0 * math.pi * (turns_of_one(z, x) % 1.0)
    if code == LATLONG:
        face = min(int(longitude / math.pi), 1)
        return face, longitude / math.pi - face, colatitude / math.pi
    if code == EVEN_CONE:
        cosine, sine = circle_of(colatitude / (4.0 * math.pi))
        north = math.sqrt(2.0) * sine
        k = north if north <= 1.0 else 2.0 - math.sqrt(2.0) * cosine
    else:
        k = colatitude / (0.5 * math.pi)
    quarter = longitude / (0.5 * math.pi)
    face = min(int(quarter), 3)
    fraction = quarter - face
    if k <= 1.0:
        return face, k * (1.0 - fraction), k * fraction
    length = 2.0 - k
    return face, 1.0 - length * fraction, 1.0 - length * (1.0 - fraction)


@numba.njit(**OPTIONS)
def _under(heights, code, size, x, y, z):
    """`Ground.sampled` at one place."""
    if code == PLANE:
        face, u, v = 0, x / size + 0.5, z / size + 0.5
        if not (u >= 0.0 and u <= 1.0 and v >= 0.0 and v <= 1.0):
            return 0.0
    else:
        radius = math.sqrt(x * x + y * y + z * z)
        # A place without a direction would be looked up beside the array.
        if not 0.0 < radius < np.inf:
            return np.nan
        x, y, z = x / radius, y / radius, z / radius
        face, u, v = _on_cube(x, y, z) if code == CUBE else _on_angles(code, x, y, z)
    n = heights.shape[-1]
    column, row = min(max(u, 0.0), 1.0) * (n - 1), min(max(v, 0.0), 1.0) * (n - 1)
    i, j = min(int(column), n - 2), min(int(row), n - 2)
    fx, fy = column - i, row - j
    top = heights[face, j, i] * (1.0 - fx) + heights[face, j, i + 1] * fx
    bottom = heights[face, j + 1, i] * (1.0 - fx) + heights[face, j + 1, i + 1] * fx
    return top * (1.0 - fy) + bottom * fy


@numba.njit(**OPTIONS)
def heights_under(heights, code, size, points, found):
    """Fills `found`, float64 (k,), with `Ground.sampled` of `points`, float64 (k, 3).

    `heights`: float32 (faces, n, n); `code`: the atlas's; `size`: metres, as `Ground.size_m`.
    """
    for p in range(len(points)):
        found[p] = _under(heights, code, size, points[p, 0], points[p, 1], points[p, 2])


@numba.njit(**OPTIONS)
def meet(heights, code, size, highest, eyes, rays, along, distance, place, height):
    """Fills where `rays`, float64 (k, r, 3), from `eyes` (k, 3) are first at or below the ground or the sea.

    It looks for it `along` each ray of a picture, float64 (k, steps). `distance` (k, r): metres, infinite for nowhere;
    `place` (k, r, 3); `height` (k, r): of the ground there, metres above the sea. `highest`: metres, of the land.
    """
    for k in range(rays.shape[0]):
        ex, ey, ez = eyes[k, 0], eyes[k, 1], eyes[k, 2]
        for r in range(rays.shape[1]):
            rx, ry, rz = rays[k, r, 0], rays[k, r, 1], rays[k, r, 2]
            distance[k, r], height[k, r], last = np.inf, 0.0, np.inf
            away = along[k, 0]
            place[k, r, 0], place[k, r, 1], place[k, r, 2] = ex + rx * away, ey + ry * away, ez + rz * away
            for step in range(along.shape[1]):
                away = along[k, step]
                x, y, z = ex + rx * away, ey + ry * away, ez + rz * away
                altitude = y if code == PLANE else math.sqrt(x * x + y * y + z * z) - size
                if altitude <= highest:
                    under = _under(heights, code, size, x, y, z)
                    if altitude <= max(under, 0.0):
                        distance[k, r], height[k, r] = away, under
                        place[k, r, 0], place[k, r, 1], place[k, r, 2] = x, y, z
                        break
                # A ray that goes up above the highest land comes down no more.
                elif altitude > last:
                    break
                last = altitude


@numba.njit(**OPTIONS)
def shifts(places, subject, eyes, axes, half, x, y, here, there, aspect, moved):
    """Fills how far what is seen in pictures `here` (m,) has moved in pictures `there` (m,), in half widths.

    `moved`: to the right and upwards, float64 (2, m, r); 0 for what is no `subject`, bool (k, r), and 1 for what is behind
    the eye. `places`: float64 (k, r, 3), seen at `x` and `y` (r,), half widths and heights from the middle. `eyes` (k, 3);
    `axes` (k, 3, 3): forward, right and up; `half` (k, 2): the tangents of half the picture's width and height, which have
    the ratio `aspect`.
    """
    for m in range(len(here)):
        k, other = here[m], there[m]
        ahead_, right, up = axes[other, 0], axes[other, 1], axes[other, 2]
        for r in range(len(x)):
            moved[0, m, r] = moved[1, m, r] = 0.0
            if not subject[k, r]:
                continue
            dx, dy, dz = places[k, r, 0] - eyes[other, 0], places[k, r, 1] - eyes[other, 1], places[k, r, 2] - eyes[other, 2]
            ahead = dx * ahead_[0] + dz * ahead_[2] + dy * ahead_[1]
            if not ahead > 0.0:
                moved[0, m, r] = 1.0
                continue
            aside = dx * right[0] + dz * right[2] + dy * right[1]
            above = dx * up[0] + dz * up[2] + dy * up[1]
            seen = max(ahead, 1e-3)
            moved[0, m, r] = aside / seen / half[other, 0] - x[r]
            moved[1, m, r] = (above / seen / half[other, 1] - y[r]) / aspect
