"""Heights of peaks on the final relief and in its raster."""

from __future__ import annotations

import numpy as np

from ...worlds.doublecone import global_mesh as meshes
from ..local.fine_mesh import FineMesh
from ..local.fine_mesh_kernels import around
from .records import ReliefSampler, RiverPixels
from .river_lines import place_of

# A top lies this many local steps from the highest ground around it at most.
STEPS = 8


def climbed(mesh: FineMesh, relief: ReliefSampler, numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(local mesh numbers int64, heights float32) of the tops reached from points by always stepping to the highest dry one.

    A valley beside a top belongs to another cell, so what was highest in its own cell may stand beside higher ground.
    """
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
    return found[: around(number, 0, start, mesh.fine_cells, ring, found)]


def raster_tops(relief: ReliefSampler, rivers: RiverPixels, width: int, place: np.ndarray) -> np.ndarray:
    """The greatest height of the pixels around each place, (k, 2) degrees, in the raster `width` wide: float32 (k,)."""
    step, height = 360.0 / width, width // 2
    column = np.floor((place[:, 0] + 180.0) / step).astype(np.int64)
    row = np.floor((90.0 - place[:, 1]) / step).astype(np.int64)
    side = np.arange(-1, 2)
    rows, columns = np.broadcast_arrays(row[:, None, None] + side[:, None], column[:, None, None] + side)
    rows, columns = np.clip(rows, 0, height - 1), columns % width
    ground = relief.sampled(-180.0 + step * (columns + 0.5), 90.0 - step * (rows + 0.5))[0]
    return rivers.replaced(rows * width + columns, ground).max(axis=(1, 2), initial=-np.inf)
