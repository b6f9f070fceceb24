"""The local mesh of a whole planet, from its global relief and waters: what coasts are eased by, and the shapes of lakes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from ...worlds.doublecone import global_mesh as meshes
from ...worlds.doublecone.local_mesh import Planet, displacement_m
from ...worlds.shapes import check_shape
from ..waters.hydrology import Hydrology
from .engines import Engine
from .fine_mesh import LAND, FineMesh, triangles_of
from .lake_shapes import lake_shapes_of, without_lakes

# The height to which coasts are raised before their shores are found, in parts of the first local level's greatest
# displacement: USUAL_LAND or USUAL_BED at least, and at most STEEP_LAND or STEEP_BED times that on land or in water. Still
# higher and deeper ground comes nearer by at most NEARER times. The least is greater in water, where beds that rise out of
# it along the global mesh's edges would show; the most is greater on land, or shores would run too far inland.
USUAL_LAND, USUAL_BED, STEEP_LAND, STEEP_BED = np.float32(1.2), np.float32(1.5), np.float32(2.0), np.float32(1.0)
NEARER = np.float32(2.0)


def fine_mesh_of(
    planet: Planet,
    ln: int,
    waters: Hydrology,
    neighbour: np.ndarray,
    needed: Callable[[FineMesh], np.ndarray] | None = None,
    engine: Engine | None = None,
) -> FineMesh:
    """The local mesh of a planet; `neighbour` is the global mesh's, int32 (points, 6).

    `needed`: the numbers of the triangles of a mesh that are needed, where not all are: other lakes have no shapes.
    `engine`: has the shapes of lakes made.

    Raises ValueError where the three are not of one mesh.
    """
    points = meshes.point_count(2**planet.gn)
    check_shape("heights_m", planet.heights_m, points)
    check_shape("surface_m", waters.surface_m, points)
    check_shape("neighbour", neighbour, points, 6)
    seas = len(waters.landmasses.sea_area_m2)
    lake, sea = waters.lake_of_point, waters.landmasses.sea_of_point
    body = np.where(sea >= 0, sea, np.where(lake >= 0, lake + seas, LAND)).astype(np.int32)
    own = np.where(sea >= 0, np.float32(waters.sea_level_m), waters.surface_m)
    own = np.where(body == LAND, np.float32(-np.inf), own)
    level = np.where(body == LAND, own[neighbour].max(axis=1), own).astype(np.float32)
    carved = replace(planet, heights_m=waters.heights_m)
    triangles = triangles_of(2**planet.gn)
    _, catchment = np.unique(waters.mouth_of_point, return_inverse=True)
    catchment = (catchment - (waters.mouth_of_point.min() < 0)).astype(np.int32)
    coast = coast_of(carved, body, level)
    waters_of_mesh = waters.surface_m, waters.receiver_of_point, catchment
    bare = FineMesh(carved, ln, triangles, body, level, coast, *waters_of_mesh, without_lakes(len(triangles.place), ln))
    sphere = waters.landmasses.area_m2.sum() + waters.landmasses.sea_area_m2.sum()
    wanted = None
    if needed is not None:
        met = body[triangles.corner[needed(bare)]]
        wanted = np.isin(np.arange(len(waters.lakes)), met - seas)
    lakes = lake_shapes_of(bare, waters.lakes.area_m2 / sphere, seas, waters.passed_m3_s, wanted, engine)
    return replace(bare, lakes=lakes)


def coast_of(planet: Planet, body: np.ndarray, level_m: np.ndarray) -> np.ndarray:
    """How the local relief is eased at each global point: float32 (points, 3), the columns datum, lift and part.

    On low coasts local displacements are much larger than the global heights. Shores would then run anywhere, and only dams
    along the edges of the global mesh could keep them in place. On steep coasts displacements hardly matter. So land near
    water is lifted by `lift` metres, and beds are sunk, until they balance the displacements; the shore is that of this
    relief. Then the height above `datum`, the water's level, is multiplied by `part`, which leaves global points unchanged.
    """
    near, usual = np.isfinite(level_m), np.where(body == LAND, USUAL_LAND, USUAL_BED) * displacement_m(planet)
    datum = np.where(near, level_m, planet.heights_m)
    clear = np.where(near, np.abs(planet.heights_m - datum), np.float32(1.0))
    steep = np.maximum(np.where(body == LAND, STEEP_LAND, STEEP_BED) * usual, clear / NEARER)
    wanted = np.where(near, np.maximum(np.minimum(clear, steep), usual), clear)
    side = np.where(body == LAND, np.float32(1.0), np.float32(-1.0))
    return np.stack([datum, side * (wanted - clear), clear / wanted], axis=1).astype(np.float32)
