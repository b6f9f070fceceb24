"""Relief blocks: where more of a world's relief is known than its samples hold, how far it stands above these.

A block covers CELLS x CELLS cells of the samples. It holds its relief level by level, as the detail holds its octaves, so
that a tile shows no level that it cannot resolve. The shader of tiles adds the same numbers (`tile.frag`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from .detail import Detail
from .gradients import cubic_weights
from .smooth_surface import floor_of, held_up, lift_of

# By which the octaves of the detail fall (gullies.py).
GAIN = 0.54
# Cells of the samples along the edge of a block, and texels that it has beyond its edges.
CELLS, RIM = 16, 1
# The picture of blocks is about so wide, in texels: every driver takes that.
WIDTH = 4096


@dataclass(frozen=True)
class ReliefBlocks:
    """`number`: int32 (faces, p, p), the block that covers each part of a face, -1 for none. `rise_m`: float16
    (blocks, levels, s, s), metres above the smooth surface through the samples with so many levels; s is CELLS 2^levels + 1
    and the rim. `samples`: along a face's edge.
    """

    number: np.ndarray
    rise_m: np.ndarray
    samples: int

    @cached_property
    def picture(self) -> np.ndarray:
        """The blocks in rows of `along`, the levels of each below one another: float16 (height, width)."""
        count, levels, side, _ = self.rise_m.shape
        rows = -(-count // self.along)
        laid = np.zeros((rows, self.along, levels, side, side), np.float16)
        laid.reshape(-1, levels, side, side)[:count] = self.rise_m
        return np.ascontiguousarray(laid.transpose(0, 2, 3, 1, 4)).reshape(rows * levels * side, self.along * side)

    def lay_out(self) -> None:
        """Make the picture now: on the worker, and not between two frames."""
        _ = self.picture

    @property
    def along(self) -> int:
        """How many blocks a row of the picture has."""
        return max(1, min(len(self.rise_m), WIDTH // self.rise_m.shape[-1]))

    @property
    def levels(self) -> int:
        """How many levels are known beyond the samples."""
        return self.rise_m.shape[1]

    @property
    def most_m(self) -> float:
        """How far the relief leaves the surface through the samples at most, metres."""
        return float(np.abs(self.rise_m).max(initial=0.0))

    def rise(self, face: np.ndarray, u: np.ndarray, v: np.ndarray, levels: int) -> np.ndarray:
        """Metres above the surface through the samples at places (k,), with the first `levels`: float64 (k,)."""
        out = np.zeros(len(u))
        levels = min(levels, self.levels)
        block, x, y = self._places(face, u, v)
        known = np.flatnonzero(block >= 0) if levels else np.zeros(0, np.intp)
        if not len(known):
            return out
        steps, last = 2**self.levels, CELLS * 2**self.levels - 1
        x, y = x[known] * steps, y[known] * steps
        i, j = (np.clip(np.floor(part).astype(np.intp), 0, last) for part in (x, y))
        wx, wy = cubic_weights(x - i), cubic_weights(y - j)
        layer, number = levels - 1, block[known]
        total = np.zeros(len(known))
        for b in range(4):
            total += wy[b] * sum(wx[a] * self.rise_m[number, layer, j + b, i + a].astype(np.float64) for a in range(4))
        out[known] = total
        return out

    def sunk_m(self, face: np.ndarray, u: np.ndarray, v: np.ndarray) -> np.ndarray:
        """How far the block at each place sinks below the surface through the samples at most, float64 (k,), metres."""
        deepest = np.append(np.maximum(-self.rise_m.min(axis=(1, 2, 3)), 0.0), 0.0).astype(np.float64)
        return deepest[self._places(face, u, v)[0]]

    def _places(self, face: np.ndarray, u: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(the block at each place, -1 for none, columns and rows of samples from its corner)."""
        parts = self.number.shape[-1]
        x, y = (np.clip(part, 0.0, 1.0) * (self.samples - 1) for part in (u, v))
        column, row = (np.clip((part // CELLS).astype(np.intp), 0, parts - 1) for part in (x, y))
        return self.number[face.astype(np.intp), row, column], x - column * CELLS, y - row * CELLS


def with_blocks(detail: Detail, blocks: ReliefBlocks, share: np.ndarray) -> Detail:
    """The detail with known relief in the place of its first octaves; `share`: float32 (faces, n, n), how much of it."""
    kept = 1.0 - share * np.float32(1.0 - GAIN**blocks.levels)
    return replace(detail, rough_m=(detail.rough_m * kept).astype(detail.rough_m.dtype), blocks=blocks)


def numbered(chosen: np.ndarray, parts: int, faces: int) -> np.ndarray:
    """`ReliefBlocks.number` for chosen blocks, int (k, 3): face, row and column."""
    number = np.full((faces, parts, parts), -1, np.int32)
    number[tuple(chosen.T)] = np.arange(len(chosen))
    return number


def share_of(number: np.ndarray, samples: int) -> np.ndarray:
    """How much of known relief there is at each sample, 0..1: float32 (faces, n, n).

    It is 0 at the edges of faces and of what blocks cover, beyond which there is none, and 1 a block away from them.
    """
    covered = np.pad(number >= 0, ((0, 0), (1, 1), (1, 1)))
    corner = covered[:, :-1, :-1] & covered[:, 1:, :-1] & covered[:, :-1, 1:] & covered[:, 1:, 1:]
    at = np.arange(samples) / CELLS
    low = np.minimum(at.astype(np.intp), number.shape[-1] - 1)
    part = (at - low).astype(np.float32)
    rows = corner[:, low] * (1.0 - part[:, None]) + corner[:, low + 1] * part[:, None]
    share: np.ndarray = rows[:, :, low] * (1.0 - part) + rows[:, :, low + 1] * part
    return share.astype(np.float32)


def risen(detail: Detail, block: tuple[int, int, int], known_m: np.ndarray, share: np.ndarray) -> np.ndarray:
    """One block of `ReliefBlocks.rise_m`, float16 (levels, s, s).

    `block`: face, row and column. `known_m`: float32 (m, m), the known heights over the block and a cell of the samples
    around it, m = (CELLS + 2) 2^levels + 1, metres as those of the samples. `share`: as `share_of` returns it.
    """
    face, row, column = block
    steps = (len(known_m) - 1) // (CELLS + 2)
    levels = int(steps).bit_length() - 1
    # Two samples more on every side, for the smooth surface through them.
    rows, columns = (slice(k * CELLS, k * CELLS + CELLS + 5) for k in (row, column))
    near = detail.padded_m[face, rows, columns]
    base = _smooth(_smooth(near, steps).T, steps).T
    line = np.arange(len(base), dtype=np.float32) / steps - 1.0
    held = held_up(line + column * CELLS, (line + row * CELLS)[:, None], detail.rough_m.shape[-1] - 1)
    floor, room = (_bilinear(part, steps) for part in _floor(near))
    base += held * lift_of(floor - base, room)
    inner = slice(steps - RIM, steps * (CELLS + 1) + 1 + RIM)
    part = _bilinear(_around(share[face], row, column), steps)
    found = []
    for level in range(1, levels + 1):
        fewer = 2 ** (levels - level)
        heights = _bilinear(known_m[::fewer, ::fewer], fewer)
        found.append(((heights - base) * part)[inner, inner])
    return np.stack(found).astype(np.float16)


def _smooth(rows: np.ndarray, steps: int) -> np.ndarray:
    """Cubics along the first axis: from samples (k + 4 cells) to ((k + 2) steps + 1) places."""
    cells = len(rows) - 3
    at = np.arange(cells * steps + 1)
    i = np.minimum(at // steps, cells - 1)
    weights = cubic_weights(((at - i * steps) / steps).astype(np.float32))
    total: np.ndarray = sum(weights[a][:, None] * rows[i + a] for a in range(4))
    return total


def _floor(near: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """How low the surface may be at all samples but those at the rim, and the room: see `floor_of`."""
    rows, columns = (size - 2 for size in near.shape)
    return floor_of([near[b : b + rows, a : a + columns] for b in range(3) for a in range(3)])


def _around(share: np.ndarray, row: int, column: int) -> np.ndarray:
    """The share over a block and a cell around it, (CELLS + 3, CELLS + 3); at edges of the face it is 0."""
    padded = np.pad(share, 1)
    return padded[row * CELLS : row * CELLS + CELLS + 3, column * CELLS : column * CELLS + CELLS + 3]


def _bilinear(values: np.ndarray, steps: int) -> np.ndarray:
    """Values on a lattice with `steps` steps in the place of each of its own."""
    if steps == 1:
        return values
    at = np.arange((len(values) - 1) * steps + 1)
    i = np.minimum(at // steps, len(values) - 2)
    part = ((at - i * steps) / steps).astype(np.float32)
    rows = values[i] * (1.0 - part[:, None]) + values[i + 1] * part[:, None]
    made: np.ndarray = rows[:, i] * (1.0 - part) + rows[:, i + 1] * part
    return made
