"""The bed search: the kernel that finds the beds of rivers that reach tiles and writes how they are cut into these."""

from __future__ import annotations

import math

import numpy as np

from .frame_kernels import compiled

# Fields of a bed that are columns here: two ends of three, then of both ends half the width, the level, the depth, the reach
# and the slope of the bank, and the slope behind it.
END, HALF, LEVEL, DEPTH, REACH, BANK, BEHIND, FIELDS = 3, 6, 8, 10, 12, 14, 16, 17
# Columns that the search writes: the box, both ends with half their width, levels and depths, reaches, slopes.
WRITTEN = 23
# Cuts that there is room for at first; few tiles have more.
USUAL = 256


def search(
    within, around, first, count, beds, middle, radius, texel_m, plane, corner,
    size_m, texels, seen_from, room, bulge, tile, out,
):  # fmt: skip
    """Find the beds that are wide enough for tiles and may reach them, and write where they are cut.

    `within` (5, k), `around` (5, n), `first`, `count` (k,): of RiverBeds; `beds` (n, FIELDS). By tile: `middle` (t, 3), a
    place; `radius` (t,), to the corners of its rim; `texel_m` (t,), metres; `plane` (t, 3, 2), texels by metres; `corner`
    (t, 2), of its first texel in the picture of tiles. `texels`: along a tile's edge. `seen_from`: half the width of the
    narrowest bed, in texels. `room`, `bulge`: texels and share of the edge that are added around a box.

    `tile` int64 (m,) and `out` float32 (m, WRITTEN) are room to write to: the number of the tile of each cut, and the fields
    of CUT from `box` on. Returns the count of cuts; if that is above m, there was too little room.
    """
    found = 0
    for t in range(len(middle)):
        x, y, z = middle[t, 0], middle[t, 1], middle[t, 2]
        narrow = seen_from * texel_m[t]
        # Of the metres of a bed's reach, texels across and down.
        share = math.sqrt(plane[t, 0, 0] ** 2 + plane[t, 1, 0] ** 2 + plane[t, 2, 0] ** 2)
        share_down = math.sqrt(plane[t, 0, 1] ** 2 + plane[t, 1, 1] ** 2 + plane[t, 2, 1] ** 2)
        for part in range(len(first)):
            dx, dy, dz = within[0, part] - x, within[1, part] - y, within[2, part] - z
            reach = within[3, part] + radius[t]
            if dx * dx + dy * dy + dz * dz >= reach * reach or within[4, part] <= narrow:
                continue
            for k in range(first[part], first[part] + count[part]):
                dx, dy, dz = around[0, k] - x, around[1, k] - y, around[2, k] - z
                reach = around[3, k] + radius[t]
                if dx * dx + dy * dy + dz * dz >= reach * reach or around[4, k] <= narrow:
                    continue
                ax, ay, az = (beds[k, 0] - x) * size_m, (beds[k, 1] - y) * size_m, (beds[k, 2] - z) * size_m
                bx, by, bz = (beds[k, 3] - x) * size_m, (beds[k, 4] - y) * size_m, (beds[k, 5] - z) * size_m
                across, across_end = 0.5 * texels, 0.5 * texels
                down, down_end = 0.5 * texels, 0.5 * texels
                across += ax * plane[t, 0, 0] + ay * plane[t, 1, 0] + az * plane[t, 2, 0]
                across_end += bx * plane[t, 0, 0] + by * plane[t, 1, 0] + bz * plane[t, 2, 0]
                down += ax * plane[t, 0, 1] + ay * plane[t, 1, 1] + az * plane[t, 2, 1]
                down_end += bx * plane[t, 0, 1] + by * plane[t, 1, 1] + bz * plane[t, 2, 1]
                cut_m = max(beds[k, HALF] + beds[k, REACH], beds[k, HALF + 1] + beds[k, REACH + 1])
                wide, high = cut_m * share + room + bulge * texels, cut_m * share_down + room + bulge * texels
                # A rim of one texel is around the tile's own.
                left = max(math.floor(min(across, across_end) - wide), -1.0)
                right = min(math.ceil(max(across, across_end) + wide), texels + 2.0)
                top = max(math.floor(min(down, down_end) - high), -1.0)
                bottom = min(math.ceil(max(down, down_end) + high), texels + 2.0)
                if left >= right or top >= bottom:
                    continue
                if found < len(out):
                    tile[found], row = t, out[found]
                    row[0], row[1] = left + corner[t, 0], top + corner[t, 1]
                    row[2], row[3] = right + corner[t, 0], bottom + corner[t, 1]
                    row[4], row[5], row[6], row[7] = ax, ay, az, beds[k, HALF]
                    row[8], row[9], row[10], row[11] = bx, by, bz, beds[k, HALF + 1]
                    row[12], row[13] = beds[k, LEVEL], beds[k, LEVEL + 1]
                    row[14], row[15] = beds[k, DEPTH], beds[k, DEPTH + 1]
                    row[16], row[17] = beds[k, REACH], beds[k, REACH + 1]
                    row[18], row[19] = texel_m[t], 2.0 * texel_m[t]
                    row[20], row[21], row[22] = beds[k, BANK], beds[k, BANK + 1], beds[k, BEHIND]
                found += 1
    return found


def cuts_of(*given: object) -> tuple[np.ndarray, np.ndarray]:
    """`search` with room enough: (the tile of each cut, int64 (m,), and its fields, float32 (m, WRITTEN))."""
    count = USUAL
    while True:
        tile, out = np.empty(count, np.int64), np.empty((count, WRITTEN), np.float32)
        count = compiled(search)(*given, tile, out)
        if count <= len(out):
            return tile[:count], out[:count]
