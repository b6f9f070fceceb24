"""Climate on the double cone's mesh: temperature, rain, evaporation, runoff and biome of every point.

Temperature follows latitude and height. Winds blow in three belts a hemisphere: trades, westerlies, polar easterlies. Air
takes up water over the sea and loses it on its way, most of it in rising belts and where it climbs. So there is a rain
shadow behind mountains, and it is dry far from the sea. The air moves one cell of the mesh a step until a steady state is
reached. Lengths are the Earth's in angles, for any radius of the planet. The numbers are those of `laws`, but for the rates
of rain and for what evaporates: L. Turc, Annales agronomiques 5, 1954, which fits the yearly sums of 254 basins.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..atlas import DOUBLE_CONE, EVEN_CONE, Atlas, even_sine_cosine
from ..doublecone import global_mesh as meshes
from ..shapes import check_shape
from . import kernels
from .laws import (
    AIR_C,
    BELT_LATITUDE,
    COLUMN_MM,
    EARTH_RADIUS_M,
    LAPSE_C_PER_M,
    SEA_HUMIDITY,
    SEA_LENGTH_M,
    WIND_EAST,
    WIND_LATITUDE,
    WIND_M_S,
    WIND_POLEWARD,
    YEAR_S,
    at_sea_c,
    biome_of,
)

MAX_CELLS = 128
# Belts of wind and rain follow the sun: so many degrees to the north in one half of the year, and to the south in the other
# (A. Donohoe and others, Journal of Climate 26, 2013: 5 to 7 for the rain at the equator; over land it is more).
SEASON_DEG = 6.0
# Where `laws` has rates for single worlds of any make, these are set so that whole planets with the Earth's share of land
# have its rain: more of it at sea, and a quarter of the land with less than 250 mm (`benchmarks geography`).
BELT_RAIN = (2.0, 1.0, 0.02, 0.0, 0.3, 2.0, 1.6, 0.6)
RAIN_LENGTH_M, CLIMB_M, RECYCLED = 2.8e6, 10000.0, 0.08
# Potential evaporation E, mm a year, by powers 0, 1 and 3 of the temperature in degrees Celsius; and Turc's number beside
# (rain / E)^2. All rain evaporates where the two add up to less than 1.
TURC_MM, TURC_ALL = (300.0, 25.0, 0.05), 0.9
# Air does not follow every slope, and rain does not fall in cells: passes of smoothing, at MAX_CELLS, of the ground under
# the air and of the rain. Fewer cells need fewer passes, because they are wider.
GROUND_PASSES, RAIN_PASSES = 4, 2


@dataclass(frozen=True)
class Climate:
    """Yearly means and sums at each mesh point, (points,) in mesh order.

    `temperature_c`: float32. `rain_mm`: float32. `evaporation_mm`: float32, potential evaporation, as from an open lake.
    `runoff_mm`: float32, the rain that reaches rivers; 0 at sea. `biome`: uint8, an index into BIOMES.
    """

    temperature_c: np.ndarray
    rain_mm: np.ndarray
    evaporation_mm: np.ndarray
    runoff_mm: np.ndarray
    biome: np.ndarray


@dataclass(frozen=True)
class Stencil:
    """For each mesh point the four points around a place beside it.

    `source`: int32 (4, points), their mesh numbers. `share`: float64 (4, points), their weights, which add up to 1.
    """

    source: np.ndarray
    share: np.ndarray


def climate_of(heights_m: np.ndarray, sea_level_m: float = 0.0, atlas: Atlas = DOUBLE_CONE) -> Climate:
    """The climate of a whole double-cone mesh, float32 (4 N^2 + 2,) heights in metres, N a power of two.

    Air moves on a mesh of at most MAX_CELLS a quarter; its rain is interpolated linearly onto a finer one. Temperature, and
    what depends on it, follows each point's own height. `atlas`: how the cones are laid on the sphere. Raises ValueError
    for heights that are no such mesh.
    """
    check_shape("heights_m", heights_m, None)
    cells = meshes.cells_of(heights_m)
    if cells & (cells - 1):
        raise ValueError(f"the climate takes a mesh of a power of two cells a quarter, not of {cells}")
    above = np.asarray(heights_m, np.float64) - sea_level_m
    coarse = min(cells, MAX_CELLS)
    rain = rain_of(_thinned(above, cells, coarse), coarse, atlas)
    rain = _laid_on(rain, coarse, cells)
    temperature = temperature_of(above, cells, atlas)
    evaporation = evaporation_of(temperature)
    runoff = np.where(above > 0.0, _runoff_of(rain, evaporation), 0.0)
    biome = np.where(above > 0.0, biome_of(temperature, rain), 0)
    return Climate(
        temperature_c=temperature.astype(np.float32),
        rain_mm=rain.astype(np.float32),
        evaporation_mm=evaporation.astype(np.float32),
        runoff_mm=runoff.astype(np.float32),
        biome=biome.astype(np.uint8),
    )


def evaporation_of(temperature_c: np.ndarray) -> np.ndarray:
    """Potential evaporation in mm a year, after Turc."""
    still, by_degree, by_cube = TURC_MM
    return np.maximum(still + (by_degree + by_cube * temperature_c * temperature_c) * temperature_c, 0.0)


def _runoff_of(rain_mm: np.ndarray, evaporation_mm: np.ndarray) -> np.ndarray:
    """Rain left for rivers, mm a year: P - P / sqrt(0.9 + (P / E)^2), after Turc; none where that were negative."""
    wetness = rain_mm / np.maximum(evaporation_mm, 1.0)
    return np.maximum(rain_mm - rain_mm / np.sqrt(TURC_ALL + wetness * wetness), 0.0)


def latitudes(cells: int, atlas: Atlas = DOUBLE_CONE) -> np.ndarray:
    """Latitude of each ring in degrees, north positive: float64 (2 cells + 1,)."""
    if atlas is EVEN_CONE:
        sine, cosine = even_sine_cosine(np.arange(2 * cells + 1) / cells)
        return np.degrees(np.arctan2(cosine, sine))
    return 90.0 - 90.0 * np.arange(2 * cells + 1) / cells


def temperature_of(above_sea_m: np.ndarray, cells: int, atlas: Atlas = DOUBLE_CONE) -> np.ndarray:
    """Yearly mean in degrees Celsius of each mesh point; the sea has that of its surface."""
    sine2 = 1.0 - meshes.ring_sines(cells, atlas) ** 2
    return _by_point(at_sea_c(sine2), cells) - LAPSE_C_PER_M * np.maximum(above_sea_m, 0.0)


def wind(cells: int, atlas: Atlas = DOUBLE_CONE, north_deg: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """Wind of each ring towards the east and towards the north, in parts of WIND_M_S: float64 (2 cells + 1,) each.

    `north_deg`: how far to the north the belts of wind lie in a season.
    """
    latitude = latitudes(cells, atlas) - north_deg
    east = np.interp(np.abs(latitude), WIND_LATITUDE, WIND_EAST)
    return east, np.sign(latitude) * np.interp(np.abs(latitude), WIND_LATITUDE, WIND_POLEWARD)


def rain_of(above_sea_m: np.ndarray, cells: int, atlas: Atlas = DOUBLE_CONE) -> np.ndarray:
    """Rain in mm a year, float64, of each mesh point: the mean of its seasons."""
    ground = smoothed(np.maximum(above_sea_m, 0.0), cells, GROUND_PASSES * cells // MAX_CELLS, atlas)
    rain = np.zeros(len(ground))
    for north_deg in (-SEASON_DEG, SEASON_DEG):
        rain += _rain_in_season(above_sea_m <= 0.0, ground, cells, atlas, north_deg)
    rain *= 0.5 * WIND_M_S * YEAR_S / _step_m(cells)
    return smoothed(rain, cells, RAIN_PASSES * cells // MAX_CELLS, atlas)


def _step_m(cells: int) -> float:
    return 0.5 * np.pi * EARTH_RADIUS_M / cells


def _rain_in_season(sea: np.ndarray, ground: np.ndarray, cells: int, atlas: Atlas, north_deg: float) -> np.ndarray:
    """Rain of each point, mm while the air moves by one cell, after 1.5 * `cells` steps of it.

    `ground`: heights under the air in metres. `north_deg`: how far to the north the belts lie.
    """
    step_m = _step_m(cells)
    capacity = np.interp(temperature_of(ground, cells, atlas), AIR_C, COLUMN_MM)
    stencil = upwind(cells, atlas, north_deg)
    climb = np.maximum(ground - _carried(ground, stencil), 0.0)
    belts = _by_point(np.interp(np.abs(latitudes(cells, atlas) - north_deg), BELT_LATITUDE, BELT_RAIN), cells)
    # Rates over one step are x / (1 + x): never above 1, and as good as 1 - exp(-x) for numbers known this roughly.
    lost = belts * step_m / RAIN_LENGTH_M + climb / CLIMB_M
    lost /= 1.0 + lost
    filled = np.where(sea, step_m / (step_m + SEA_LENGTH_M), 0.0)
    kept_on_land = np.where(sea, 0.0, RECYCLED)
    humid = SEA_HUMIDITY * capacity
    # Land starts dry: places far from any sea end up dry either way, and a wet start takes longer to fade.
    water = np.where(sea, humid, 0.2 * humid)
    steps = max(24, cells * 3 // 2)
    return kernels.blow(steps, stencil.source, stencil.share, lost, capacity, filled, kept_on_land, humid, water)


def upwind(cells: int, atlas: Atlas = DOUBLE_CONE, north_deg: float = 0.0) -> Stencil:
    """Where the air at each point was one cell of way before; `north_deg`: as for `wind`.

    Air mixes in calm belts too: it moves at least half a cell along its parallel, and the linear mean blurs it.
    """
    east, north = wind(cells, atlas, north_deg)
    east = np.where(np.abs(east) < 0.5, np.where(east < 0.0, -0.5, 0.5), east)
    return _beside(cells, -east, -north, atlas)


def smoothed(values: np.ndarray, cells: int, passes: int, atlas: Atlas = DOUBLE_CONE) -> np.ndarray:
    """Values of a mesh, blurred `passes` times by the points a cell to the north, south, east and west."""
    if passes < 1:
        return values
    ones, zeros = np.ones(2 * cells + 1), np.zeros(2 * cells + 1)
    sides = [_beside(cells, e, n, atlas) for e, n in ((ones, zeros), (-ones, zeros), (zeros, ones), (zeros, -ones))]
    for _ in range(passes):
        carried = [_carried(values, side) for side in sides]
        values = (2.0 * values + (carried[0] + carried[1]) + (carried[2] + carried[3])) / 6.0
    return values


def _beside(cells: int, east: np.ndarray, north: np.ndarray, atlas: Atlas) -> Stencil:
    """The places `east` and `north` cells away from each point, both by ring: linear between two rings and along each."""
    counts, starts, sines = meshes.ring_counts(cells), meshes.ring_starts(cells), meshes.ring_sines(cells, atlas)
    # Seen from outside with north up, points of a ring follow each other to the left, which is west.
    turn = np.clip(-east / (4.0 * cells * np.maximum(sines, 0.25 / cells)), -0.125, 0.125)
    y = np.clip(np.arange(2 * cells + 1) - north, 0.0, 2.0 * cells)
    source, share = np.empty((4, starts[-1]), np.int32), np.empty((4, starts[-1]))
    kernels.lay_stencil(counts, starts, turn, y, source, share)
    return Stencil(source, share)


def _carried(values: np.ndarray, stencil: Stencil) -> np.ndarray:
    """The values at a stencil's places, weighted and added in a fixed order."""
    out = np.empty(len(values))
    kernels.carry(values, stencil.source, stencil.share, out)
    return out


def _by_point(by_ring: np.ndarray, cells: int) -> np.ndarray:
    return np.repeat(by_ring, meshes.ring_counts(cells))


def _thinned(mesh: np.ndarray, cells: int, coarse: int) -> np.ndarray:
    """The values at the points that a coarser mesh shares."""
    step = cells // coarse
    line = np.arange(0, cells + 1, step)
    points = meshes.point_of(cells, np.arange(4)[:, None, None], line[None, :, None], line[None, None, :])
    return meshes.from_faces(mesh[points])


def _laid_on(mesh: np.ndarray, coarse: int, cells: int) -> np.ndarray:
    """Values of a coarse mesh at the points of a finer one, linear between rings and along them."""
    if coarse == cells:
        return mesh
    starts, counts = meshes.ring_starts(coarse), meshes.ring_counts(coarse)
    fine = np.empty(meshes.point_count(cells))
    for rings, points in meshes.ring_chunks(cells):
        here = meshes.ring_counts(cells)[rings]
        ring = np.repeat(rings, here)
        turn = (np.arange(points.start, points.stop) - meshes.ring_starts(cells)[ring]) / np.repeat(here, here)
        y = ring * (coarse / cells)
        upper = np.minimum(y.astype(np.intp), 2 * coarse - 1)
        value = np.zeros(ring.size)
        for row, weight in ((upper, 1.0 - (y - upper)), (upper + 1, y - upper)):
            x = turn * counts[row]
            q = np.minimum(x.astype(np.intp), counts[row] - 1)
            a, b = mesh[starts[row] + q], mesh[starts[row] + (q + 1) % counts[row]]
            value += weight * (a + (x - q) * (b - a))
        fine[points] = value
    return fine
