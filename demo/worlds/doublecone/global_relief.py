"""The double cone's global fields: one level of displacement over any window of the mesh, sea, poles, relief.

The base field settles land and sea, the ranges field the mountain chains. The roughness field varies slowly and scales the
displacement of both. See `doublecone.growth` for the whole and the source.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ...maths.easing import smoothstep
from ..atlas import DOUBLE_CONE, Atlas
from ..hashing import stream_key, uniforms
from ..land_share import ring_level
from ..shapes import check_shape
from . import global_mesh as meshes
from .kernels import Evenness, refine_rings

# Streams of random numbers: one per field and level, level < 32.
BASE, RANGES, ROUGHNESS, LOCAL = 3000, 3032, 3064, 3096

# Amplitudes by level, all in one unit; beyond the table each level has a fixed part (2^-H) of the one before. Levels 2 and 3
# are the strongest, because continents an eighth of the globe wide stay apart, and wider ones join to a single landmass.
BASE_AMPLITUDES, BASE_FALL = (0.1, 0.25, 0.9, 1.25, 0.75), 0.54
RANGE_AMPLITUDES, RANGE_FALL = (0.0, 0.3, 0.9, 1.0, 0.5), 0.5
ROUGHNESS_LEVELS = 5

# The variance of the place where a point's random number is felt, in steps of the mesh squared. Chosen so that islands and
# lakes of 300 planets are as wide as they are high.
SPREAD = 0.8

# Distances from a pole, in parts of the way to the equator: full ocean up to the first, none beyond the second. Beyond
# POLAR_CORE the rim lies up to POLAR_RIM nearer or farther.
POLAR_SEA = (0.05, 0.38)
POLAR_RIM, POLAR_CORE, POLAR_BASIN = 0.4, 0.08, 0.2
# How far land is sunk, in the base field below the sea. The less, the less coasts follow parallels.
POLAR_DEPTH = 0.2


# The base field below the sea, and depths in metres there: the shelf's edge, the foot of the slope, what the plain sinks
# beyond it (half of it that far on), and trenches, with what they are deeper than the foot.
SHELF, SLOPE, PLAIN, TRENCH = (0.05, 180.0), (0.15, 3700.0), (0.35, 2300.0), (0.17, 4000.0)
# A mesh too coarse for that shelf has a wider one: this part of its last level's amplitude, about a step of the mesh. With
# deep beds right beside low land, shores, which lie between the two points, would run too far inland.
SHELF_STEP = 0.6
RIDGE_STEEPNESS, RIDGE_M = 7.0, 2200.0


class RingWindow(NamedTuple):
    """A window of the mesh of `cells` a quarter of the equator, in rows of consecutive points.

    Row k lies on ring first + k and begins with its point low[k], eastwards and around the ring if need be. `start`: int64
    (rows + 1,), the number of each row's first value, and the count of all. `low`: int64 (rows,). A named tuple, because
    kernels take it.
    """

    cells: int
    first: int
    start: np.ndarray
    low: np.ndarray

    @staticmethod
    def whole(cells: int) -> RingWindow:
        """All points in mesh order."""
        return RingWindow(cells, 0, meshes.ring_starts(cells), np.zeros(2 * cells + 1, np.int64))


def displace(
    coarse: np.ndarray,
    source: RingWindow,
    target: RingWindow,
    seed: int,
    stream: int,
    amplitude: float,
    rough: np.ndarray,
    blur: float = 1.0,
    calm: float = 1.0,
    atlas: Atlas = DOUBLE_CONE,
) -> np.ndarray:
    """The values of window `target`, float32, one level finer than `source`; see `refine_rings`.

    Raises ValueError where `coarse` does not hold the values of `source`, and where `rough` is no whole mesh.
    """
    check_shape("coarse", coarse, int(source.start[-1]))
    fine = np.empty(int(target.start[-1]), np.float32)
    key = np.uint32(stream_key(seed, stream) & 0xFFFFFFFF)
    rough_cells = meshes.cells_of(rough)
    size = np.float32(blur), np.float32(amplitude), np.float32(calm)
    even = evenness(target.cells, atlas)
    refine_rings(coarse, source, fine, target, key, *size, even, rough, meshes.ring_starts(rough_cells), rough_cells)
    return fine


@lru_cache(maxsize=32)
def evenness(cells: int, atlas: Atlas) -> Evenness:
    """What takes the stretch of `atlas` and the bend of its parallels out of the fields of a mesh of `cells`.

    A number is felt over SPREAD steps squared each way. Shares of its neighbours' widen that along meridians and narrow it
    along rings, each by the stretch, so a form keeps its area.
    """
    stretch = meshes.ring_stretch(cells, atlas)
    across = 0.5 * SPREAD * (stretch - 1.0)
    # Numbers of the rings beside are linear between their points, which widens the sum along the ring by a sixth of a step.
    along = (0.5 * SPREAD * (1.0 - 1.0 / stretch) + across / 6.0) / (1.0 - 2.0 * across)
    # Two thirds: the mean variance of a number between two points.
    variance = (1.0 - 2.0 * across) ** 2 * ((1.0 + 2.0 * along) ** 2 + 2.0 * along**2) + 4.0 / 3.0 * across**2
    drift = _drift(cells, stretch, atlas)
    return Evenness(*(part.astype(np.float32) for part in (along, across, 1.0 / np.sqrt(variance), drift)))


def _drift(cells: int, stretch: np.ndarray, atlas: Atlas) -> np.ndarray:
    """How far towards the equator the means of each ring are taken, in steps between the coarser rings, south positive.

    A B-spline of rings makes what rises evenly across a pole flatter by a sixth of a squared step of longitude, because
    parallels bend. Taken that much farther out, the mean is right. A ring of four points turns so far that the square is
    too much; hence the divisor. Without this, land near the poles is a third wider than high.
    """
    ring = np.arange(2 * cells + 1)
    turn = np.pi / np.maximum(np.minimum(ring, 2 * cells - ring), 1)
    drift = turn * stretch * meshes.ring_cosines(cells, atlas) / (6.0 + 0.75 * turn * turn)
    drift[[0, -1]] = 0.0
    return drift


def amplitude_at(table: tuple[float, ...], fall: float, level: int) -> float:
    """The table's amplitude, or its last one times `fall` a level beyond; by products, because `pow` varies by machine."""
    return math.prod([table[min(level, len(table) - 1)]] + [fall] * (level - len(table) + 1))


def octahedron(seed: int, stream: int, amplitude: float) -> np.ndarray:
    return (amplitude * (2.0 * uniforms(seed, stream, 6) - 1.0)).astype(np.float32)


def roughness_field(seed: int, atlas: Atlas = DOUBLE_CONE) -> np.ndarray:
    """The slowly varying roughness, float32, about 0.4..1.7, on the mesh of 2^ROUGHNESS_LEVELS."""
    one = np.ones(6, np.float32)
    field = octahedron(seed, ROUGHNESS, 0.5)
    for level in range(1, ROUGHNESS_LEVELS + 1):
        rings = RingWindow.whole(2 ** (level - 1)), RingWindow.whole(2**level)
        field = displace(field, *rings, seed, ROUGHNESS + level, 1.6 if 2 <= level <= 3 else 0.0, one, atlas=atlas)
    return (np.float32(1.0) + np.clip(field, -0.6, 0.7)).astype(np.float32)


def sea_level_of(mesh: np.ndarray, land: float, atlas: Atlas = DOUBLE_CONE) -> float:
    """The level above which the share of the sphere's area is nearest to `land`, for the values of a whole mesh."""
    cells = meshes.cells_of(mesh)
    return ring_level(mesh, meshes.ring_starts(cells), meshes.ring_weights(cells, atlas), land)


def sink_poles(base: np.ndarray, ranges: np.ndarray, land: float, atlas: Atlas = DOUBLE_CONE) -> np.ndarray:
    """A copy of `base` that sinks smoothly to a sea around both poles, POLAR_DEPTH and more below where the sea would stand.

    The ranges field shifts the rim of that sea, which would otherwise be a circle.
    """
    cells = meshes.cells_of(base)
    deep = np.float32(sea_level_of(base, land, atlas) - POLAR_DEPTH)
    highest = base.max()
    sunk = base.copy()
    for rings, points in meshes.ring_chunks(cells):
        from_pole = np.minimum(rings, 2 * cells - rings) / cells
        if from_pole.min() < POLAR_SEA[1] + POLAR_RIM:
            away = np.repeat(from_pole.astype(np.float32), meshes.ring_counts(cells)[rings])
            sunk[points] = _sink(base[points], ranges[points], away, deep, highest)
    return sunk


def _sink(base: np.ndarray, ranges: np.ndarray, away: np.ndarray, deep: np.float32, highest: np.float32) -> np.ndarray:
    """One chunk of `sink_poles`; `away` is the distance from the pole in parts of the way to the equator."""
    f = np.float32
    inner, outer = POLAR_SEA
    wide = f(POLAR_RIM) * np.clip(away / f(POLAR_CORE) - f(1.0), f(0.0), f(1.0))
    rim = f(outer) + wide * np.clip(ranges, f(-1.0), f(1.0))
    t = np.clip((rim - away) / f(outer - inner), f(0.0), f(1.0))
    # The pole itself is deepest, so that even a planet of 99 % land keeps its sea there.
    basin = np.maximum(f(1.0) - away / f(POLAR_BASIN), f(0.0))
    floor = deep - f(0.25) * (highest - base) - f(2.5) * basin * basin
    return base + smoothstep(t) * np.minimum(floor - base, f(0.0))


def relief_of(base: np.ndarray, ranges: np.ndarray, land: float, polar_sea: bool, atlas: Atlas = DOUBLE_CONE) -> np.ndarray:
    """Metres above the sea, a new float32 array, from the two fields on a whole mesh, with `land` of the area above 0.

    Works in chunks, so that it needs no further array of that size.
    """
    metres = sink_poles(base, ranges, land, atlas) if polar_sea else base.copy()
    sea = np.float32(sea_level_of(metres, land, atlas))
    cells = meshes.cells_of(base)
    shelf = shelf_width(cells)
    for _, points in meshes.ring_chunks(cells):
        metres[points] = relief_m(metres[points] - sea, ranges[points], shelf)
    return metres


def shelf_width(cells: int) -> float:
    """How far the base field sinks below the sea on the shelves of a mesh of `cells` a quarter of the equator."""
    return max(SHELF[0], SHELF_STEP * amplitude_at(BASE_AMPLITUDES, BASE_FALL, cells.bit_length() - 1))


def relief_m(above_sea: np.ndarray, ranges: np.ndarray, shelf: float) -> np.ndarray:
    """Metres, float32, of the base field above the sea and the ranges field: plains, mountain chains and the sea's bed.

    Chains follow the zero lines of `ranges`. They rise only inland, so the coast stays that of the base field.
    """
    f = np.float32
    up, down = np.maximum(above_sea, f(0.0)), np.maximum(-above_sea, f(0.0))
    inland = up * up / (up * up + f(0.03))
    ridge = np.maximum(f(1.0) - np.abs(ranges) * f(1.6), f(0.0))
    ridge *= ridge
    land = f(500.0) * up + f(450.0) * up * up + inland * (ridge * f(1400.0) + ridge * ridge * f(3200.0))
    return (land - sea_depth_m(down, np.abs(ranges), shelf)).astype(np.float32)


def sea_depth_m(down: np.ndarray, off_line: np.ndarray, width: float) -> np.ndarray:
    """Depths, float32 metres, of the base field below the sea: shelf, slope, and a plain that sinks slowly away from land.

    `off_line`: how far the ranges field is from 0. `width`: that of the shelf, at least that in SHELF. Far from land
    ridges rise along the field's zero lines, and where these meet a continental slope there is a trench at its foot. Depths
    and shares of area are the Earth's, roughly, on the usual mesh and finer ones (P. T. Harris and others, Marine Geology
    352, 2014: shelves 9 % of the sea's area, slopes 5, plains 28 and hills 41, ridges 7, trenches 1).
    """
    f = np.float32
    shelf = f(SHELF[1]) * np.minimum(down / f(width), f(1.0))
    down = down - f(width - SHELF[0])
    slope = f(SLOPE[1] - SHELF[1]) * smoothstep(np.clip((down - f(SHELF[0])) / f(SLOPE[0] - SHELF[0]), f(0.0), f(1.0)))
    beyond = np.maximum(down - f(SLOPE[0]), f(0.0))
    plain = f(PLAIN[1]) * beyond / (beyond + f(PLAIN[0]))
    line = np.maximum(f(1.0) - off_line * f(RIDGE_STEEPNESS), f(0.0))
    line *= line
    far = beyond * beyond / (beyond * beyond + f(0.04))
    foot = np.maximum(f(1.0) - np.abs(down - f(TRENCH[0])) / f(TRENCH[0] - SHELF[0]), f(0.0))
    depth: np.ndarray = (shelf + slope) + (plain - f(RIDGE_M) * far * line) + f(TRENCH[1]) * foot * foot * line
    return depth
