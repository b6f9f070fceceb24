"""From rings, courses and waters to the objects of a map, with their numbers, measures and names."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from ..local.catchments import Borders, rings_of
from ..local.fine_mesh import FineMesh
from ..local.shores import Ring
from ..local.strips import edge_key
from ..waters.hydrology import Hydrology
from ..waters.landmasses import Globe
from . import outlines
from .naming import Names
from .peaks import Summits
from .records import NONE, Catchment, Coastline, Confluence, Lake, Landmass, LonLat, Peak, River, Sea
from .rivers import WIDTH, Assembly, Course, place_of


class Features:
    """Makes the objects of one planet."""

    def __init__(
        self,
        seed: int,
        globe: Globe,
        waters: Hydrology,
        mesh: FineMesh,
        rings: list[Ring],
        borders: Borders,
        assembly: Assembly,
        summits: Summits,
        tops: tuple[np.ndarray, np.ndarray, np.ndarray],
    ) -> None:
        self.globe, self.waters, self.mesh, self.borders, self.assembly = globe, waters, mesh, borders, assembly
        self.summits, self.tops = summits, tops
        self.radius_m = globe.radius_m
        self.masses = waters.landmasses
        self.sea_count = len(self.masses.sea_area_m2)
        self.coasts = [ring for ring in rings if ring.body < self.sea_count]
        self.shores: dict[int, list[Ring]] = {}
        for ring in rings:
            if ring.body >= self.sea_count:
                self.shores.setdefault(ring.body - self.sea_count, []).append(ring)
        self.names = Names(seed, waters)
        self.made: dict[str, tuple] = {}

    def landmasses(self) -> tuple[Landmass, ...]:
        """By area on the global mesh, the largest first."""
        return self._landmasses

    @cached_property
    def _landmasses(self) -> tuple[Landmass, ...]:
        by_mass: dict[int, list[np.ndarray]] = {}
        for ring in self.coasts:
            by_mass.setdefault(int(self.masses.landmass_of_point[ring.land]), []).append(ring.vertices)
        highest = [float(self.waters.heights_m[points].max()) for points in self.masses.points]
        for point, _, height, _ in self._tops:
            mass = int(self.masses.landmass_of_point[point])
            highest[mass] = max(highest[mass], height)
        made, names = [], self.names.landmasses()
        for k, above in enumerate(highest):
            polygons = outlines.areas(by_mass.get(k, []))
            area = outlines.area_m2(polygons, self.radius_m) * 1e-6
            made.append(Landmass(k, names[k], polygons, area, above))
        return tuple(made)

    def coastlines(self) -> tuple[Coastline, ...]:
        """By sea, then by landmass."""
        made = []
        for k, ring in enumerate(self.coasts):
            whole = outlines.closed(ring.vertices)
            lines = _rejoined(outlines.cut(whole))
            mass = int(self.masses.landmass_of_point[ring.land])
            length = outlines.length_m(whole, self.radius_m) * 1e-3
            closed = len(lines) == 1 and bool((lines[0][0] == lines[0][-1]).all())
            made.append(Coastline(k, mass, ring.body, lines, length, closed))
        return tuple(made)

    def seas(self) -> tuple[Sea, ...]:
        """By area, the ocean first."""
        rows = zip(self.names.seas(), self.masses.sea_area_m2, self._sea_labels(), strict=True)
        return tuple(Sea(k, name, float(area) * 1e-6, label) for k, (name, area, label) in enumerate(rows))

    def lakes(self) -> tuple[Lake, ...]:
        """By landmass, then by their lowest points."""
        return self._lakes

    @cached_property
    def _lakes(self) -> tuple[Lake, ...]:
        of, lakes = self.waters.lake_of_point, self.waters.lakes
        order = np.argsort(of, kind="stable")
        bounds = np.searchsorted(of[order], np.arange(len(lakes) + 1))
        # The last point within a lake, by the lake.
        gates = self.assembly.chains.gate_of
        left = {int(of[p]): int(p) for p in gates if of[p] >= 0}
        made, names = [], self.names.lakes()
        for k in range(len(lakes)):
            points = order[bounds[k] : bounds[k + 1]]
            mass = int(self.masses.landmass_of_point[points[0]])
            polygons = outlines.areas([ring.vertices[::-1] for ring in self.shores[k]])
            level = float(lakes.level_m[k])
            outlet = _pair(self.assembly.shore[left[k]]) if k in left else None
            made.append(
                Lake(
                    k,
                    names[k],
                    mass,
                    polygons,
                    outlines.area_m2(polygons, self.radius_m) * 1e-6,
                    float(lakes.volume_m3[k]) * 1e-9,
                    level,
                    level - float(self.waters.heights_m[points].min()),
                    float(lakes.inflow_m3_s[k]),
                    float(lakes.evaporation_m3_s[k]),
                    float(lakes.outflow_m3_s[k]),
                    outlet,
                )
            )
        return tuple(made)

    def rivers(self) -> tuple[River, ...]:
        """By the mesh numbers of the points they begin at."""
        return self._rivers

    @cached_property
    def _rivers(self) -> tuple[River, ...]:
        coast_of = {int(edge): k for k, ring in enumerate(self.coasts) for edge in ring.edges}
        names = self.names.rivers()
        courses = enumerate(self.assembly.courses)
        return tuple(self._river(k, course, names.get(course.end, ""), coast_of) for k, course in courses)

    def _river(self, number: int, course: Course, name: str, coast_of: dict[int, int]) -> River:
        mass = int(self.masses.landmass_of_point[course.last])
        flow = float(course.flow_m3_s[-1])
        table = np.column_stack([course.place, WIDTH * np.sqrt(course.flow_m3_s)])
        parts = outlines.cut(table)
        return River(
            number,
            name,
            mass,
            self._catchment_of[int(self.waters.mouth_of_point[course.last])],
            tuple(part[:, :2].copy() for part in parts),
            outlines.length_m(course.place, self.radius_m) * 1e-3,
            flow,
            course.order,
            float(WIDTH * np.sqrt(flow)),
            course.mouth,
            self._mouth_id(course, coast_of),
            _pair(course.place[0]),
            course.source_lake,
            tuple(part[:, 2].copy() for part in parts),
        )

    def _mouth_id(self, course: Course, coast_of: dict[int, int]) -> int:
        if course.mouth == "river":
            return course.into
        if course.mouth == "basin":
            return NONE
        to = int(self.mesh.receiver[course.last])
        if course.mouth == "lake":
            return int(self.waters.lake_of_point[to])
        return coast_of[int(edge_key(np.int64(course.last), np.int64(to)))]

    def confluences(self) -> tuple[Confluence, ...]:
        """By tributary."""
        met = sorted(self.assembly.meetings, key=lambda meeting: meeting.tributary)
        return tuple(Confluence(k, _pair(m.place), m.river, m.tributary, m.flow_m3_s) for k, m in enumerate(met))

    @cached_property
    def _mouths(self) -> np.ndarray:
        """The mouth points of all catchments, ascending."""
        mouth = self.waters.mouth_of_point
        return np.unique(mouth[mouth >= 0])

    @cached_property
    def _catchment_of(self) -> dict[int, int]:
        return {int(point): k for k, point in enumerate(self._mouths)}

    def catchments(self) -> tuple[Catchment, ...]:
        """By the mesh numbers of their mouths."""
        mouth = self.waters.mouth_of_point
        land = mouth >= 0
        place = np.searchsorted(self._mouths, mouth[land])
        area = np.bincount(place, weights=self.globe.area_m2[land], minlength=len(self._mouths)) * 1e-6
        main = self._main_rivers()
        made = []
        rings = rings_of(self.borders, len(self._mouths))
        for k, point in enumerate(self._mouths.tolist()):
            mass = int(self.masses.landmass_of_point[point])
            flow = float(self.waters.discharge_m3_s[point])
            polygons = outlines.areas(rings[k])
            made.append(Catchment(k, mass, main.get(k, NONE), polygons, float(area[k]), flow))
        return tuple(made)

    def _main_rivers(self) -> dict[int, int]:
        """The greatest river that ends in a catchment's own end: the sea, its last lake, or its bottom."""
        main: dict[int, int] = {}
        for river in sorted(self._rivers, key=lambda river: (river.discharge_m3_s, -river.id)):
            last_lake = river.mouth == "lake" and self._lakes[river.mouth_id].outlet is None
            if river.mouth in ("sea", "basin") or last_lake:
                main[river.catchment] = river.id
        return main

    @cached_property
    def _tops(self) -> list[tuple[int, int, float, float]]:
        """By height: (global point, local mesh number, height, prominence). The pass below a summit is the global mesh's."""
        points, numbers, heights = self.tops
        at = np.argsort(self.summits.point)
        gained = heights.astype(np.float64) - self.waters.heights_m[points]
        prominence = self.summits.prominence_m[at] + gained
        rows = zip(points.tolist(), numbers.tolist(), heights.tolist(), prominence.tolist(), strict=True)
        return sorted(rows, key=lambda row: (-row[2], row[0]))

    def peaks(self) -> tuple[Peak, ...]:
        """By height, the highest first."""
        numbers = np.array([number for _, number, _, _ in self._tops], np.int64)
        here = place_of(self.mesh, numbers, np.zeros(len(numbers), bool))
        made, names = [], self.names.peaks(self.summits.point)
        for k, (point, _, height, prominence) in enumerate(self._tops):
            mass = int(self.masses.landmass_of_point[point])
            made.append(Peak(k, names[point], mass, _pair(here[k]), height, prominence))
        return tuple(made)

    def _sea_labels(self) -> list[LonLat]:
        """The point farthest from land, in steps of the mesh, of each sea; of those alike the one nearest the equator."""
        sea = self.masses.sea_of_point
        steps = np.where(sea < 0, 0, -1)
        far = 0
        while (steps < 0).any():
            near = (steps < 0) & (steps[self.globe.neighbour] == far).any(axis=1)
            if not near.any():
                break
            far += 1
            steps[near] = far
        place = place_of(self.mesh, self.assembly.network.own, np.zeros(len(sea), bool))
        order = np.lexsort((np.arange(len(sea)), np.abs(place[:, 1]), -steps))
        order = order[sea[order] >= 0]
        _, first = np.unique(sea[order], return_index=True)
        return [_pair(place[p]) for p in order[first]]


def _pair(place: np.ndarray) -> LonLat:
    return float(place[0]), float(place[1])


def _rejoined(lines: tuple[np.ndarray, ...]) -> tuple[np.ndarray, ...]:
    """The parts of a cut ring, the last one going on where the ring began."""
    if len(lines) > 1 and (lines[0][0] == lines[-1][-1]).all():
        return (np.concatenate([lines[-1], lines[0][1:]]), *lines[1:-1])
    return lines
