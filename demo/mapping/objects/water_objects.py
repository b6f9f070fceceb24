"""The objects of water: seas, lakes, rivers, confluences and catchments."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...worlds.drainage_kernels import downstream
from ..local.catchments import rings_of
from ..local.mesh_places import place_of
from ..local.strips import edge_key
from ..waters.stems import stem_of_end
from . import outlines
from .planet_parts import PlanetParts, pair
from .records import NONE, Catchment, Confluence, Lake, LonLat, Polygons, River, Sea
from .river_courses import RiverCourse
from .river_widths import width_of


def seas_of(parts: PlanetParts) -> tuple[Sea, ...]:
    """By area on the global mesh, the ocean first."""
    shores: dict[int, list[np.ndarray]] = {}
    for ring in parts.coasts:
        shores.setdefault(ring.body, []).append(ring.vertices[::-1])
    made = []
    for k, (name, label) in enumerate(zip(parts.names.seas(), _sea_labels(parts), strict=True)):
        polygons = outlines.areas(shores.get(k, []))
        made.append(Sea(k, name, outlines.area_m2(polygons, parts.globe.radius_m) * 1e-6, label, polygons))
    return tuple(made)


def _sea_labels(parts: PlanetParts) -> list[LonLat]:
    """The point of each sea farthest from land, in steps of the mesh; of equal ones the nearest to the equator."""
    sea = parts.waters.landmasses.sea_of_point
    steps = np.where(sea < 0, 0, -1)
    # The points that have just been reached.
    far, rim = 0, np.flatnonzero(sea < 0)
    while len(rim):
        far += 1
        beside = np.unique(parts.globe.neighbour[rim])
        rim = beside[steps[beside] < 0]
        steps[rim] = far
    place = place_of(parts.mesh, parts.own)
    order = np.lexsort((np.arange(len(sea)), np.abs(place[:, 1]), -steps))
    order = order[sea[order] >= 0]
    _, first = np.unique(sea[order], return_index=True)
    return [pair(place[p]) for p in order[first]]


def lakes_of(parts: PlanetParts) -> tuple[Lake, ...]:
    """By landmass, then by their lowest points."""
    of = parts.waters.lake_of_point
    order = np.argsort(of, kind="stable")
    bounds = np.searchsorted(of[order], np.arange(len(parts.waters.lakes) + 1))
    # The last point within each lake that has an outlet.
    left = {int(of[p]): p for p in parts.rivers.shore if of[p] >= 0}
    names = parts.names.lakes()
    made, rings = [], [[ring.vertices[::-1] for ring in parts.shores[k]] for k in range(len(parts.waters.lakes))]
    for k, polygons in enumerate(outlines.areas_of_all(rings)):
        outlet = pair(parts.rivers.shore[left[k]]) if k in left and parts.waters.lakes.outflow_m3_s[k] > 0.0 else None
        made.append(_lake(parts, k, names[k], int(order[bounds[k]]), polygons, outlet))
    return tuple(made)


def _lake(parts: PlanetParts, k: int, name: str, point: int, polygons: Polygons, outlet: LonLat | None) -> Lake:
    """Lake `k`, to which the global point `point` belongs."""
    lakes = parts.waters.lakes
    level = float(lakes.level_m[k])
    area = outlines.area_m2(polygons, parts.globe.radius_m) * 1e-6
    return Lake(
        id=k,
        name=name,
        landmass=parts.landmass_of(point),
        polygons=polygons,
        area_km2=area,
        volume_km3=min(float(parts.beds.volume_m3[k]) * 1e-9, area * float(parts.beds.depth_m[k]) * 1e-3),
        level_m=level,
        depth_m=float(parts.beds.depth_m[k]),
        inflow_m3_s=float(lakes.inflow_m3_s[k]),
        evaporation_m3_s=float(lakes.evaporation_m3_s[k]),
        outflow_m3_s=float(lakes.outflow_m3_s[k]),
        outlet=outlet,
    )


def rivers_of(parts: PlanetParts) -> tuple[River, ...]:
    """By the mesh numbers of the points at which they begin; still without what is upstream."""
    coast_of_edge = {int(edge): k for k, ring in enumerate(parts.coasts) for edge in ring.edges}
    catchment_of_mouth = {int(point): k for k, point in enumerate(_mouths(parts))}
    names, stem = parts.names.rivers(), stem_of_end(parts.waters)
    river_of_end = {course.way.end: k for k, course in enumerate(parts.rivers.courses)}
    made = []
    for k, course in enumerate(parts.rivers.courses):
        catchment = catchment_of_mouth[int(parts.waters.mouth_of_point[course.way.last])]
        mouth_id = _mouth_id(parts, course, coast_of_edge)
        river = _river(parts, k, course, names.get(course.way.end, ""), catchment, mouth_id)
        made.append(replace(river, stem_id=river_of_end[stem[course.way.end]]))
    return tuple(made)


def _river(
    parts: PlanetParts,
    k: int,
    course: RiverCourse,
    name: str,
    catchment: int,
    mouth_id: int,
) -> River:
    flow = float(course.flow_m3_s[-1])
    pieces = outlines.cut(np.column_stack([course.place, width_of(course.flow_m3_s)]))
    return River(
        id=k,
        name=name,
        landmass=parts.landmass_of(course.way.last),
        catchment=catchment,
        lines=tuple(piece[:, :2].copy() for piece in pieces),
        length_km=outlines.length_m(course.place, parts.globe.radius_m) * 1e-3,
        discharge_m3_s=flow,
        order=course.way.order,
        width_m=float(width_of(flow)),
        mouth=course.way.mouth,
        mouth_id=mouth_id,
        source=pair(course.place[0]),
        source_lake=course.way.source_lake,
        widths_m=tuple(piece[:, 2].copy() for piece in pieces),
        source_m=_water_m(parts, course.way.source_lake, course.top_m),
        mouth_m=_mouth_m(parts, course, mouth_id),
        upstream_km2=0.0,
    )


def with_upstream(rivers: tuple[River, ...], parts: PlanetParts, upstream_m2: np.ndarray) -> tuple[River, ...]:
    """Rivers with the land that drains through them; `upstream_m2`: see the function of that name."""
    ends = [course.way.end for course in parts.rivers.courses]
    areas = (upstream_m2[ends] * 1e-6).tolist()
    return tuple(replace(river, upstream_km2=area) for river, area in zip(rivers, areas, strict=True))


def _mouth_m(parts: PlanetParts, course: RiverCourse, mouth_id: int) -> float:
    """The height of the water that a river ends in, or of its last vertex."""
    if course.way.mouth == "sea":
        return float(parts.waters.sea_level_m)
    return _water_m(parts, mouth_id if course.way.mouth == "lake" else NONE, course.bottom_m)


def _water_m(parts: PlanetParts, lake: int, otherwise: float) -> float:
    """The level of a lake; `otherwise` where there is none."""
    return otherwise if lake == NONE else float(parts.waters.lakes.level_m[lake])


def upstream_m2(parts: PlanetParts, areas_km2: list[float]) -> np.ndarray:
    """The land that drains through each global point, m^2, float64 (points,).

    A catchment with the area of its polygon, `areas_km2`, is divided among its points by their areas.
    """
    mouths, mouth, own = _mouths(parts), parts.waters.mouth_of_point, parts.globe.area_m2
    land = np.flatnonzero(mouth >= 0)
    of = np.searchsorted(mouths, mouth[land])
    share = np.array(areas_km2) * 1e6 / np.bincount(of, weights=own[land], minlength=len(mouths))
    total = np.zeros(len(own))
    total[land] = own[land] * share[of]
    receiver = np.where(parts.waters.receiver_of_point >= 0, parts.waters.receiver_of_point, np.arange(len(own)))
    for point in downstream(receiver.astype(np.int32)):
        to = receiver[point]
        if to != point and mouth[to] >= 0:
            total[to] += total[point]
    return total


def _mouth_id(parts: PlanetParts, course: RiverCourse, coast_of_edge: dict[int, int]) -> int:
    """The id of what a river ends in; NONE in a basin."""
    if course.way.mouth == "river":
        return course.into
    if course.way.mouth == "basin":
        return NONE
    to = int(parts.mesh.receiver[course.way.last])
    if course.way.mouth == "lake":
        return int(parts.waters.lake_of_point[to])
    return coast_of_edge[int(edge_key(np.array(course.way.last), np.array(to)))]


def confluences_of(parts: PlanetParts) -> tuple[Confluence, ...]:
    """By tributary."""
    met = sorted(parts.rivers.meetings, key=lambda meeting: meeting.tributary)
    return tuple(Confluence(k, pair(m.place), m.river, m.tributary, m.flow_m3_s) for k, m in enumerate(met))


def catchment_areas(parts: PlanetParts) -> list[Polygons]:
    """The areas of all catchments."""
    return list(outlines.areas_of_all(rings_of(parts.borders, catchment_count(parts))))


def catchment_count(parts: PlanetParts) -> int:
    """How many catchments there are."""
    return len(_mouths(parts))


def catchments_of(parts: PlanetParts, areas: list[Polygons]) -> tuple[Catchment, ...]:
    """By the mesh numbers of their mouths; still without their rivers. `areas`: those of all catchments."""
    made = []
    for k, (point, polygons) in enumerate(zip(_mouths(parts).tolist(), areas, strict=True)):
        flow = float(parts.waters.discharge_m3_s[point])
        area = outlines.area_m2(polygons, parts.globe.radius_m) * 1e-6
        made.append(Catchment(k, parts.landmass_of(point), NONE, polygons, area, flow))
    return tuple(made)


def with_rivers(
    catchments: tuple[Catchment, ...], lakes: tuple[Lake, ...], rivers: tuple[River, ...]
) -> tuple[Catchment, ...]:
    """Catchments with their main rivers."""
    main = _main_rivers(lakes, rivers)
    return tuple(replace(catchment, river=main.get(catchment.id, NONE)) for catchment in catchments)


def _mouths(parts: PlanetParts) -> np.ndarray:
    """The mouth points of all catchments, ascending."""
    mouth = parts.waters.mouth_of_point
    return np.unique(mouth[mouth >= 0])


def _main_rivers(lakes: tuple[Lake, ...], rivers: tuple[River, ...]) -> dict[int, int]:
    """The greatest river that ends at the end of each catchment: the sea, its last lake, or its bottom."""
    main: dict[int, int] = {}
    for river in sorted(rivers, key=lambda river: (river.discharge_m3_s, -river.id)):
        last_lake = river.mouth == "lake" and lakes[river.mouth_id].outlet is None
        if river.mouth in ("sea", "basin") or last_lake:
            main[river.catchment] = river.id
    return main
