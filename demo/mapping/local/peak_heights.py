"""Heights of peaks on the final relief and in its raster."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...worlds.doublecone import global_mesh as meshes
from .fine_mesh import FineMesh, belts_per_strip
from .fine_mesh_kernels import beside_along
from .mesh_places import place_of
from .relief_sampler import ReliefSampler
from .strip_rows import whole_rows

# A top lies this many local steps from the highest ground around it at most.
STEPS = 8


class Climbed(NamedTuple):
    """The tops that points lead to, k in all: local mesh numbers int64 (k,), and heights float32 (k,).

    `pixel`, int64 (k, 9): the pixels around each top in the raster of the relief, row x width + column. `ground_m`, float32
    (k, 9): the ground there.
    """

    number: np.ndarray
    height_m: np.ndarray
    pixel: np.ndarray
    ground_m: np.ndarray


def climbed(mesh: FineMesh, relief: ReliefSampler, numbers: np.ndarray) -> Climbed:
    """The tops reached from points, local mesh numbers (k,), by always stepping to the highest dry point beside.

    A valley beside a top belongs to another cell, so what was highest in its own cell may stand beside higher ground.
    """
    count = len(numbers)
    made = Climbed(
        numbers.copy(), np.empty(count, np.float32), np.empty((count, 9), np.int64), np.empty((count, 9), np.float32)
    )
    start = meshes.ring_starts(mesh.fine_cells)
    strip = (np.searchsorted(start, numbers, side="right") - 1) // (mesh.steps * belts_per_strip(mesh))
    # Strip by strip: the relief keeps those that it has just made.
    for number in np.unique(strip):
        here = np.flatnonzero(strip == number)
        made.number[here], made.height_m[here] = _climb(mesh, relief, numbers[here])
        made.pixel[here] = _pixels(place_of(mesh, made.number[here]), 4 * mesh.fine_cells)
        made.ground_m[here] = _ground(relief, made.pixel[here], 4 * mesh.fine_cells)
    return made


def _climb(mesh: FineMesh, relief: ReliefSampler, numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(local mesh numbers, heights) of the tops of points."""
    at, height = numbers.copy(), np.full(len(numbers), -np.inf, np.float32)
    todo = np.arange(len(at))
    for _ in range(STEPS):
        near = [np.append(_beside(mesh, int(number)), number) for number in at[todo]]
        if not near:
            break
        first = np.cumsum([0] + [len(points) for points in near])
        points = np.concatenate(near)
        place = place_of(mesh, points)
        ground, water = relief.sampled(place[:, 0], place[:, 1])
        ground = np.where(np.isnan(water), ground, -np.inf)
        moved = []
        for k, begin, end in zip(todo.tolist(), first, first[1:], strict=False):
            best = begin + int(np.argmax(ground[begin:end]))
            # The point itself comes last: of equally high points it stays.
            if ground[best] > ground[end - 1]:
                at[k] = points[best]
                moved.append(k)
            height[k] = max(ground[best], ground[end - 1])
        todo = np.array(moved, np.int64)
    return at, height


def _beside(mesh: FineMesh, number: int) -> np.ndarray:
    """The numbers of a local point's neighbours."""
    start = meshes.ring_starts(mesh.fine_cells)
    ring = int(np.searchsorted(start, number, side="right")) - 1
    found = np.empty(7, np.int64)
    rows = whole_rows(mesh.fine_cells, 0)
    along = number - int(start[ring])
    return found[: beside_along(ring, along, mesh.fine_cells, rows.shift, rows.cut, rows.gap, found)]


def _pixels(place: np.ndarray, width: int) -> np.ndarray:
    """The pixels at and around each place, (k, 2) degrees, in the raster `width` wide: int64 (k, 9)."""
    step, height = 360.0 / width, width // 2
    column = np.floor((place[:, 0] + 180.0) / step).astype(np.int64)
    row = np.floor((90.0 - place[:, 1]) / step).astype(np.int64)
    side = np.arange(-1, 2)
    rows = np.clip(row[:, None, None] + side[:, None], 0, height - 1)
    columns = (column[:, None, None] + side) % width
    return (rows * width + columns).reshape(-1, 9)


def _ground(relief: ReliefSampler, pixel: np.ndarray, width: int) -> np.ndarray:
    """The ground at the middles of pixels, float32."""
    row, column = np.divmod(pixel, width)
    step = 360.0 / width
    return relief.sampled(-180.0 + step * (column + 0.5), 90.0 - step * (row + 0.5))[0]
