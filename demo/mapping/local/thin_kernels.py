"""Kernels that thin a line within one triangle: the same vertices from either end, and no new crossing of the line.

The rule is that of Douglas and Peucker: a vertex stays if it is farther than the tolerance from the line between the kept
vertices on either side of it.
"""

from __future__ import annotations

import numba
import numpy as np

from ...worlds.kernels import INLINED, OPTIONS

# A line with more vertices than this after thinning is left as it was: testing all its pairs of edges would take too long.
MOST = 256


@numba.njit(**OPTIONS)
def thin(line, first, last, tolerance, shrink, kept, stack):
    """Thin the vertices first .. last of `line`, float64 (v, 2) degrees, in place; returns the index of the last one left.

    `tolerance`: degrees of latitude; 0 leaves the line as it is. `shrink`: the length of a degree of longitude in degrees
    of latitude. `kept`, uint8 (s,), and `stack`, int64 (s, 2), are work space; s is at least the count of vertices.
    """
    count = last - first + 1
    if count < 3 or tolerance == 0.0:
        return last
    # From the end with the lower coordinates, so that either direction keeps the same vertices.
    turned = line[first, 0] > line[last, 0] or (line[first, 0] == line[last, 0] and line[first, 1] > line[last, 1])
    for k in range(count):
        kept[k] = 0
    kept[0] = kept[count - 1] = 1
    stack[0, 0], stack[0, 1] = 0, count - 1
    left, wanted = 1, 2
    while left > 0:
        left -= 1
        a, b = stack[left, 0], stack[left, 1]
        p, q = (last - a, last - b) if turned else (first + a, first + b)
        dx, dy = (line[q, 0] - line[p, 0]) * shrink, line[q, 1] - line[p, 1]
        length2 = dx * dx + dy * dy
        farthest, best = tolerance * tolerance, -1
        for k in range(a + 1, b):
            r = last - k if turned else first + k
            x, y = (line[r, 0] - line[p, 0]) * shrink, line[r, 1] - line[p, 1]
            along = min(max((x * dx + y * dy) / length2, 0.0), 1.0) if length2 > 0.0 else 0.0
            x, y = x - along * dx, y - along * dy
            if x * x + y * y > farthest:
                farthest, best = x * x + y * y, k
        if best >= 0:
            kept[best] = 1
            wanted += 1
            stack[left, 0], stack[left, 1] = a, best
            stack[left + 1, 0], stack[left + 1, 1] = best, b
            left += 2
    if wanted > MOST or _crosses(line, first, last, kept, turned, stack):
        return last
    end = first
    for k in range(1, count):
        if kept[count - 1 - k if turned else k]:
            end += 1
            line[end, 0], line[end, 1] = line[first + k, 0], line[first + k, 1]
    return end


@numba.njit(**OPTIONS)
def touches_itself(line, first, last):
    """Whether the vertices first .. last of `line`, float64 (v, 2), make a line that touches itself."""
    for i in range(first, last):
        for j in range(i + 2, last):
            if _meet(line, i, i + 1, j, j + 1):
                return True
    return False


@numba.njit(**INLINED)
def _meet(line, a, b, c, d):
    """Whether the edge from vertex a to b meets the one from c to d."""
    return _side(line, a, b, c) * _side(line, a, b, d) <= 0.0 and _side(line, c, d, a) * _side(line, c, d, b) <= 0.0


@numba.njit(**OPTIONS)
def _crosses(line, first, last, kept, turned, stack):
    """Whether the line through the kept vertices touches itself."""
    count = 0
    for k in range(last - first + 1):
        if kept[last - first - k if turned else k]:
            stack[count, 0] = first + k
            count += 1
    for i in range(count - 1):
        for j in range(i + 2, count - 1):
            if _meet(line, stack[i, 0], stack[i + 1, 0], stack[j, 0], stack[j + 1, 0]):
                return True
    return False


@numba.njit(**INLINED)
def _side(line, a, b, c):
    """On which side of the line through vertices a and b vertex c lies: 1 left, -1 right, 0 on it."""
    x, y = line[a, 0], line[a, 1]
    return np.sign((line[b, 0] - x) * (line[c, 1] - y) - (line[b, 1] - y) * (line[c, 0] - x))
