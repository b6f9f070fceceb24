"""The waters of a planet as its scene shows them: worked out on the global mesh alone, so that it takes only a second."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...worlds.climate.mesh_climate import Climate, climate_of
from ...worlds.doublecone import global_mesh as meshes
from ...worlds.doublecone.growth import Planet
from ..edits.edit import Round
from ..edits.edited_planet import EditedPlanet, edited_planet
from ..local.courses import Chains, Network, network_of
from ..local.fine_mesh import FineMesh, Triangles, least_lake_m2
from ..local.planet_mesh import fine_mesh_of
from ..waters.drainage_mesh import drainage_mesh_of
from ..waters.hydrology import Hydrology, hydrology_of
from ..waters.landmasses import Globe, globe_of
from ..waters.wishes import NO_WISHES
from .carved_relief import calm_beside, carved_relief_of
from .finer_mesh import FinerMesh
from .streams import Streams, places, streams_of

# The level of samples without a lake: deeper than any bed.
DRY_M = -1.0e5
# A river with at least this discharge is seen from afar.
SEEN_M3_S = 250.0
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
class Laid:
    """The rivers of a planet as they are laid through its local mesh `mesh`.

    `above_m`: float32 (4, n, n), metres above the water that stands there, before any valley is cut.
    """

    mesh: FineMesh
    network: Network
    chains: Chains
    above_m: np.ndarray


@dataclass(frozen=True)
class SceneWaters:
    """The waters of one planet, and the relief around them.

    `bed`: the relief with its lakes empty. `cells`: those of the global mesh from a pole to the equator. `climate`, `globe`,
    `triangles`, `hydrology`: of the global mesh. `laid`: its rivers in the relief. `place`: float64 (points, 3), unit
    vectors to its points. `dry`: float32 (4, n, n), 0 at samples in and beside lakes and what `calm_beside` has at rivers,
    rising to 1 within three samples. `edited`: the planet under edits; None without any. `finer`: what the relief leaves
    out; None where that is nothing.
    """

    bed: Bed
    seed: int
    cells: int
    climate: Climate
    globe: Globe
    triangles: Triangles
    hydrology: Hydrology
    laid: Laid
    place: np.ndarray
    dry: np.ndarray
    edited: EditedPlanet | None
    finer: FinerMesh | None

    @cached_property
    def streams(self) -> Streams:
        """Its rivers as lines, which no picture shows before it rains."""
        laid = self.laid
        return streams_of(laid.mesh, self.hydrology, laid.network, laid.chains, laid.above_m)


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
    network = network_of(mesh, waters)
    relief = carved_relief_of(mesh, network)
    fine = mesh.fine_cells
    bed, wet = meshes.to_faces(relief.uncut_m, fine), meshes.to_faces(relief.wet, fine) > 0
    number, table = _lakes_beside(waters, cells, fine)
    level, _ = _lake_levels(number, table, bed, wet)
    laid = Laid(mesh, network, relief.chains, np.where(level > DRY_M, bed - level, bed))
    cut = np.maximum(meshes.to_faces(relief.cut_m, fine), np.minimum(bed, LEAST_BANK_M))
    np.copyto(bed, cut, where=level == DRY_M)
    # Where a river leaves a lake, the shore may have been cut below the lake's level. It is then no shore any more.
    level, bottom = _lake_levels(number, table, bed, wet)
    dry = _rising(np.where(level > DRY_M, np.float32(0.0), meshes.to_faces(calm_beside(mesh, relief.chains), fine)))
    left_out = planet.gn + ln - levels
    finer = FinerMesh(planet, ln, left_out, waters, globe.neighbour) if left_out else None
    place = places(cells, planet.atlas)
    lakes = Bed(bed, level, bottom)
    return SceneWaters(lakes, planet.seed, cells, climate, globe, mesh.triangles, waters, laid, place, dry, edited, finer)


def _lakes_beside(waters: Hydrology, cells: int, fine: int) -> tuple[np.ndarray, np.ndarray]:
    """(which lake may reach each sample, int32 (4, n, n), -1 for none; the level of each lake, float32, DRY_M at last).

    `cells`: of the drained mesh; `fine`: of the samples.
    """
    lake = meshes.to_faces(waters.lake_of_point, cells)
    table = np.append(waters.lakes.level_m, np.float32(DRY_M)).astype(np.float32)
    steps = fine // cells
    # Of the lakes at the corners of the cells that a sample touches, the one with the highest level.
    line = np.arange(fine + 1)
    low, high = line // steps, -(-line // steps)
    number = np.full((4, fine + 1, fine + 1), -1, np.int32)
    for rows in (low, high):
        for columns in (low, high):
            corner = lake[:, rows[:, None], columns[None, :]]
            number = np.where(table[corner] > table[number], corner, number)
    return number, table


def _lake_levels(number: np.ndarray, table: np.ndarray, bed: np.ndarray, wet: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(level, bottom) of the lake that covers each sample or lies beside it: float32 (4, n, n), DRY_M elsewhere.

    `number`, `table`: as `_lakes_beside` returns them.
    """
    near = wet & (number >= 0)
    shore = _widened(near) & (number >= 0) & (bed >= table[number])
    number = np.where(near | shore, number, -1)
    number = meshes.to_faces(meshes.from_faces(number), bed.shape[1] - 1)
    bottoms = table.copy()
    np.minimum.at(bottoms, number, bed)
    bottoms[-1] = DRY_M
    return table[number], bottoms[number]


def _rising(left: np.ndarray) -> np.ndarray:
    """Values, float32 (4, n, n), 0..1, that rise by no more than a third from sample to sample. Shared samples agree."""
    left = left.copy()
    for _ in range(2):
        beside = left.copy()
        np.minimum(beside[:, 1:], left[:, :-1], out=beside[:, 1:])
        np.minimum(beside[:, :-1], left[:, 1:], out=beside[:, :-1])
        np.minimum(beside[:, :, 1:], left[:, :, :-1], out=beside[:, :, 1:])
        np.minimum(beside[:, :, :-1], left[:, :, 1:], out=beside[:, :, :-1])
        np.minimum(left, beside + np.float32(1.0 / 3.0), out=left)
    return meshes.to_faces(meshes.from_faces(left), left.shape[1] - 1)


def _widened(mask: np.ndarray) -> np.ndarray:
    """A mask, bool (4, n, n), widened by one sample along rows and columns of its faces."""
    wide = mask.copy()
    wide[:, 1:] |= mask[:, :-1]
    wide[:, :-1] |= mask[:, 1:]
    wide[:, :, 1:] |= mask[:, :, :-1]
    wide[:, :, :-1] |= mask[:, :, 1:]
    return wide
