"""The double cone's local mesh: any rhombus, or block of rhombi, refined from the global mesh alone.

The window of rings around a block shrinks level by level to the block itself. A point's height comes from the same
expression as in the growth of the whole planet, and from values that are the same in every window. So it has the same bits,
no matter which rhombi are in memory and in which order.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..atlas import DOUBLE_CONE, Atlas
from ..heightfield import sample
from . import global_mesh as meshes
from .global_relief import LOCAL, RingWindow, amplitude_at, displace
from .kernels import CALM_M

MAX_LN = 12
# Rings kept around a block while it is refined, because a new ring needs two rings beyond its parents.
HALO = 4
# Displacement depends on the planet's level and not on which level is the first local one, so the finest detail depends on
# gn + ln. It is LOCAL_AMPLITUDE_M up to level LOCAL_REFERENCE, where more would grow spikes, and falls by LOCAL_FALL a level
# after it.
LOCAL_REFERENCE, LOCAL_AMPLITUDE_M, LOCAL_FALL, LOCAL_CALM = 5, 2500.0, 0.6, 0.3


@dataclass(frozen=True)
class Planet:
    """The global mesh at rest, which is all that `refine` needs.

    `heights_m`: float32 (4 N^2 + 2,) in mesh order, N = 2^gn, metres above the sea. `roughness`: float32, on the mesh of
    `global_relief.roughness_field`, about 0.4..1.7. `atlas`: how the cones are laid on the sphere.
    """

    seed: int
    gn: int
    heights_m: np.ndarray
    roughness: np.ndarray
    atlas: Atlas = DOUBLE_CONE


def local_level(planet: Planet, coarse: np.ndarray, source: RingWindow, target: RingWindow, k: int) -> np.ndarray:
    """Local level k, from 1, over any window. It keeps old points; high places and rough regions are displaced more."""
    level = planet.gn + k
    amplitude, rough = _amplitude(level), planet.roughness
    random = planet.seed, LOCAL + level, amplitude, rough
    return displace(coarse, source, target, *random, blur=0.0, calm=LOCAL_CALM, atlas=planet.atlas)


def displacement_m(planet: Planet) -> np.ndarray:
    """The most by which the first local level displaces ground beside each global point: float32 (4 N^2 + 2,), metres."""
    cells = 2**planet.gn
    line = np.arange(cells + 1) / cells
    rough = sample(meshes.to_faces(planet.roughness, meshes.cells_of(planet.roughness)), *_lattice(line))
    size = np.abs(planet.heights_m)
    calm = LOCAL_CALM + (1.0 - LOCAL_CALM) * size / (size + float(CALM_M))
    return (_amplitude(planet.gn + 1) * calm * meshes.from_faces(rough)).astype(np.float32)


def _lattice(line: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(face, u, v) of the samples of all faces."""
    return np.arange(4)[:, None, None], line[None, None, :], line[None, :, None]


def _amplitude(level: int) -> float:
    return amplitude_at((LOCAL_AMPLITUDE_M,), LOCAL_FALL, max(level - LOCAL_REFERENCE, 0))


def refine(planet: Planet, ln: int, rhombus: int) -> np.ndarray:
    """One rhombus with 2^ln steps along its edge: float32 (2^ln + 1, 2^ln + 1), metres, [row, column] as on its face.

    `rhombus` is 0..4 N^2 - 1 (`global_mesh.rhombus_cell`); raises ValueError outside, or for ln outside 0..12. Its
    corners are the global heights; its edges are the neighbours' bit for bit, and the whole planet grown with this `ln` has
    the same bits.
    """
    face, row, column = meshes.rhombus_cell(2**planet.gn, rhombus)
    return refine_block(planet, ln, face, row, column, 1, 1)


def refine_block(planet: Planet, ln: int, face: int, row: int, column: int, rows: int, columns: int) -> np.ndarray:
    """A block of rhombi of one face: float32 (rows 2^ln + 1, columns 2^ln + 1), metres, with the bits of `refine`."""
    cells = 2**planet.gn
    if not (0 <= ln <= MAX_LN and 0 <= row < row + rows <= cells and 0 <= column < column + columns <= cells):
        raise ValueError(f"block {rows} x {columns} at {row}, {column} of a face of {cells} with ln={ln} is not possible")
    block = (face, row, column, rows, columns)
    source, values = RingWindow.whole(cells), planet.heights_m
    for k in range(1, ln + 1):
        target = _around(cells, 2**k, block, 0 if k == ln else HALO)
        values = local_level(planet, values, source, target, k)
        source = target
    return _cut(values, source, 2**ln, block)


def _around(cells: int, step: int, block: tuple[int, int, int, int, int], halo: int) -> RingWindow:
    """The window around a block with `step` points along a rhombus's edge, with a margin of `halo` rings and twice as many
    points."""
    face, row, column, rows, columns = block
    first, last = (row + column) * step - halo, (row + rows + column + columns) * step + halo
    ring = np.arange(max(first, 0), min(last, 2 * cells * step) + 1)
    count = meshes.ring_counts(cells * step)[ring]
    if first <= 0 or last >= 2 * cells * step:
        return RingWindow(cells * step, int(ring[0]), _starts(count), np.zeros(len(ring), np.int64))
    # A block is widest between its western and its eastern corner, on whichever rings these lie.
    low = _eastward(cells, face, row, column + columns, count) - 2 * halo
    high = -_eastward(cells, face, row + rows, column, -count) + 2 * halo
    return RingWindow(cells * step, int(ring[0]), _starts(np.minimum(high - low + 1, count)), low % count)


def _eastward(cells: int, face: int, row: int, column: int, count: np.ndarray) -> np.ndarray:
    """The last point at or west of a global point's longitude, on rings of `count` points; in exact integers."""
    ring = row + column
    length = min(ring, 2 * cells - ring)
    along = face * length + (row if ring <= cells else cells - column)
    return along * count // (4 * length)


def _starts(widths: np.ndarray) -> np.ndarray:
    return np.concatenate([[0], np.cumsum(widths)])


def _cut(values: np.ndarray, rings: RingWindow, step: int, block: tuple[int, int, int, int, int]) -> np.ndarray:
    """The samples of a block, cut out of a window around it."""
    face, row, column, rows, columns = block
    j = row * step + np.arange(rows * step + 1)[:, None]
    i = column * step + np.arange(columns * step + 1)[None, :]
    ring = i + j
    length = np.minimum(ring, 2 * rings.cells - ring)
    along = face * length + np.where(ring <= rings.cells, j, rings.cells - i)
    place = (along - rings.low[ring - rings.first]) % np.maximum(4 * length, 1)
    return values[rings.start[ring - rings.first] + place]
