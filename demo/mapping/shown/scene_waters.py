"""The waters of a planet as its scene shows them: worked out on the global mesh alone, so that it takes only a second."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...worlds.atlas import Atlas
from ...worlds.climate.mesh_climate import Climate, climate_of
from ...worlds.doublecone import global_mesh as meshes
from ...worlds.doublecone.growth import Planet
from ..edits.edit import Round
from ..edits.edited_planet import EditedPlanet, edited_planet
from ..local.fine_mesh import Triangles, least_lake_m2, strip_of
from ..local.planet_mesh import fine_mesh_of
from ..waters.drainage_mesh import drainage_mesh_of
from ..waters.hydrology import Hydrology, hydrology_of
from ..waters.landmasses import Globe, globe_of
from ..waters.wishes import NO_WISHES
from .finer_mesh import FinerMesh
from .streams import Streams, places, streams_of

# The level of samples without a lake: deeper than any bed.
DRY_M = -1.0e5
# A river with at least this discharge is seen from afar.
SEEN_M3_S = 250.0
# What is left of the strength of the detail beside rivers.
CALM = 0.55
# No river cuts deeper, so that no valley becomes a bay or a beach.
LEAST_BANK_M = 90.0


@dataclass(frozen=True)
class Bed:
    """The relief with its lakes empty; all fields are float32 (4, n, n), metres above the sea.

    `ground_m`: heights with valleys cut. `level_m`, `bottom_m`: the level and the lowest bed of the lake whose bed or shore
    a sample is, DRY_M elsewhere.
    """

    ground_m: np.ndarray
    level_m: np.ndarray
    bottom_m: np.ndarray

    def filled(self, share: float) -> tuple[np.ndarray, np.ndarray]:
        """(heights of the surface, heights above the water), float32 (4, n, n); lakes are filled to `share`, 0..1."""
        water = self.bottom_m + np.float32(share) * (self.level_m - self.bottom_m)
        has_lake = self.level_m > DRY_M
        above = np.where(has_lake, self.ground_m - water, self.ground_m)
        return np.where(has_lake, np.maximum(self.ground_m, water), self.ground_m), above


@dataclass(frozen=True)
class SceneWaters:
    """The waters of one planet, and the relief around them.

    `bed`: the relief with its lakes empty. `cells`: those of the global mesh from a pole to the equator. `climate`, `globe`,
    `triangles`, `hydrology`: of the global mesh. `streams`: its rivers as lines. `place`: float64 (points, 3), unit vectors
    to its points. `dry`: float32 (4, n, n), 0 at samples in and beside lakes and CALM in and beside rivers, rising to 1
    three samples away. `edited`: the planet under edits; None without any. `finer`: what the
    relief leaves out; None where that is nothing.
    """

    bed: Bed
    seed: int
    cells: int
    climate: Climate
    globe: Globe
    triangles: Triangles
    hydrology: Hydrology
    streams: Streams
    place: np.ndarray
    dry: np.ndarray
    edited: EditedPlanet | None
    finer: FinerMesh | None


def scene_waters_of(planet: Planet, ln: int, levels: int, rounds: tuple[Round, ...] = ()) -> SceneWaters:
    """The waters of a planet with `ln` local levels under `rounds` of edits, as its map has them, and its relief.

    The relief has 2^levels cells from a pole to the equator, no fewer than the drained mesh.
    """
    planet, ln = drainage_mesh_of(planet, ln)
    cells = 2**planet.gn
    globe = globe_of(cells, atlas=planet.atlas)
    climate = climate_of(planet.heights_m, atlas=planet.atlas)
    least = least_lake_m2(cells, ln, globe.radius_m)
    edited, wishes = None, NO_WISHES
    if rounds:
        # With all rivers of the map, by which edits are judged.
        before = hydrology_of(planet.heights_m, climate, globe=globe, least_lake_m2=least)
        edited = edited_planet(planet, ln, globe, climate, before, rounds, least)
        planet, climate, wishes = edited.planet, edited.climate, edited.wishes
    waters = hydrology_of(planet.heights_m, climate, 0.0, globe, SEEN_M3_S, least_lake_m2=least, wishes=wishes)
    mesh = fine_mesh_of(planet, levels - planet.gn, waters, globe.neighbour)
    strip = strip_of(mesh, 0, 2 * cells)
    fine = mesh.fine_cells
    bed = meshes.to_faces(strip.heights_m, fine)
    wet = meshes.to_faces(strip.wet, fine) > 0
    level, _ = _lake_levels(waters, cells, bed, wet)
    place = places(cells, planet.atlas)
    above = np.where(level > DRY_M, bed - level, bed)
    streams = streams_of(waters, above, place, planet.seed, planet.atlas)
    by_river = _carve(bed, above, streams, planet.atlas)
    # Where a river leaves a lake, the shore may have been cut below the lake's level. It is then no shore any more.
    level, bottom = _lake_levels(waters, cells, bed, wet)
    dry = np.minimum(_dry(level > DRY_M), np.maximum(_dry(by_river), np.float32(CALM)))
    left_out = planet.gn + ln - levels
    finer = FinerMesh(planet, ln, left_out, waters, globe.neighbour) if left_out else None
    lakes = Bed(bed, level, bottom)
    return SceneWaters(lakes, planet.seed, cells, climate, globe, mesh.triangles, waters, streams, place, dry, edited, finer)


def _lake_levels(waters: Hydrology, cells: int, bed: np.ndarray, wet: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(level, bottom) of the lake that covers each sample or lies beside it: float32 (4, n, n), DRY_M elsewhere."""
    lake = meshes.to_faces(waters.lake_of_point, cells)
    table = np.append(waters.lakes.level_m, np.float32(DRY_M)).astype(np.float32)
    steps = (bed.shape[1] - 1) // cells
    # Of the lakes at the corners of the cells that a sample touches, the one with the highest level.
    line = np.arange(bed.shape[1])
    low, high = line // steps, -(-line // steps)
    number = np.full(bed.shape, -1, np.int32)
    for rows in (low, high):
        for columns in (low, high):
            corner = lake[:, rows[:, None], columns[None, :]]
            number = np.where(table[corner] > table[number], corner, number)
    near = wet & (number >= 0)
    shore = _widened(near) & (number >= 0) & (bed >= table[number])
    number = np.where(near | shore, number, -1)
    number = meshes.to_faces(meshes.from_faces(number), bed.shape[1] - 1)
    bottoms = table.copy()
    np.minimum.at(bottoms, number, bed)
    bottoms[-1] = DRY_M
    return table[number], bottoms[number]


def _carve(bed: np.ndarray, above: np.ndarray, streams: Streams, atlas: Atlas) -> np.ndarray:
    """Lower `bed` along the rivers, in place, until no bank stands above the water; returns where: bool (4, n, n)."""
    n = bed.shape[-1]
    face, u, v, _ = atlas.invert(streams.place)
    i = np.minimum((u * (n - 1)).astype(np.intp), n - 2)
    j = np.minimum((v * (n - 1)).astype(np.intp), n - 2)
    floor = np.maximum(streams.height_m, LEAST_BANK_M).astype(np.float32)
    cut = np.full(bed.shape, np.inf, np.float32)
    for dj in (0, 1):
        for di in (0, 1):
            np.minimum.at(cut, (face, j + dj, i + di), floor)
    mesh = np.full(meshes.point_count(n - 1), np.inf, np.float32)
    np.minimum.at(mesh, meshes.face_points(n - 1), cut)
    cut = meshes.to_faces(mesh, n - 1)
    np.copyto(bed, np.minimum(bed, cut), where=above > 0.0)
    return np.isfinite(cut)


def _dry(wet: np.ndarray) -> np.ndarray:
    """0 where `wet`, bool (4, n, n), rising to 1 three samples away: float32 (4, n, n). Shared samples agree."""
    dry = np.where(wet, 0.0, 1.0).astype(np.float32)
    for least in (1.0 / 3.0, 2.0 / 3.0):
        near = dry < least
        dry = np.where(_widened(near) & ~near, np.float32(least), dry)
    return meshes.to_faces(meshes.from_faces(dry), dry.shape[1] - 1)


def _widened(mask: np.ndarray) -> np.ndarray:
    """A mask, bool (4, n, n), widened by one sample along rows and columns of its faces."""
    wide = mask.copy()
    wide[:, 1:] |= mask[:, :-1]
    wide[:, :-1] |= mask[:, 1:]
    wide[:, :, 1:] |= mask[:, :, :-1]
    wide[:, :, :-1] |= mask[:, :, 1:]
    return wide
