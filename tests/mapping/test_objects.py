"""The objects of a planetary map: valid geometry, rivers that run from source to mouth, the same in any order of work."""

from __future__ import annotations

import dataclasses
import functools
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from support.map_planets import PLANETS, planet_map

from benchmarks.map_stages import coasts_of, shores_of, stages_of
from demo.catalogue.generators import generator
from demo.catalogue.maps import map_planet
from demo.mapping import degrees
from demo.mapping.local import courses, fine_mesh, peaks
from demo.mapping.objects import languages, oceans, outlines
from demo.mapping.objects.records import MOUTHS, NONE
from demo.mapping.waters import drainage_mesh
from demo.mapping.waters.hydrology import hydrology_of
from demo.mapping.waters.landmasses import globe_of, landmasses_of
from demo.worlds.climate.mesh_climate import climate_of
from demo.worlds.doublecone import global_mesh as meshes
from demo.worlds.doublecone.growth import refine_block
from demo.worlds.hashing import mix64
from demo.worlds.parameters import ParameterError

shapely = pytest.importorskip("shapely")

every_planet = pytest.mark.parametrize("name", PLANETS)


def shape(polygons):
    return shapely.MultiPolygon([shapely.Polygon(rings[0], rings[1:]) for rings in polygons])


@functools.cache
def shapes(name, kind):
    return [shape(thing.polygons) for thing in getattr(planet_map(name), kind)]


def places(lines):
    return {tuple(vertex) for line in lines for vertex in line}


def rings(polygons):
    return [ring for polygon in polygons for ring in polygon]


@functools.cache
def vertices(name, kind):
    things = getattr(planet_map(name), kind)
    return {thing.id: places(rings(thing.polygons) if kind == "lakes" else thing.lines) for thing in things}


def circle(longitude, latitude, degrees, count=40):
    turn = np.linspace(0.0, 2.0 * np.pi, count, endpoint=False)
    return np.stack([longitude + degrees * np.cos(turn), latitude + degrees * np.sin(turn)], axis=1)


def test_an_area_within_one_ring_is_the_ring_where_nothing_has_to_be_cut():
    ring = circle(20.0, 10.0, 5.0)
    ((made,),) = outlines.areas([ring])
    np.testing.assert_array_equal(made, outlines.closed(ring))
    # Clockwise it is all of the sphere but the circle.
    ((shell, hole),) = outlines.areas([ring[::-1]])
    np.testing.assert_array_equal(np.abs(shell).max(axis=0), [180.0, 90.0])
    assert places([hole]) == places([ring])
    # Over the 180th meridian it is two areas, whichever way its longitudes go on.
    for turn in (0.0, 360.0):
        wide = circle(179.0, 10.0, 5.0)
        wide[:, 0] = (wide[:, 0] + 180.0) % 360.0 - 180.0 + turn * (wide[:, 0] > 180.0)
        assert [np.abs(part[:, 0]).max() for (part,) in outlines.areas([wide])] == [180.0, 180.0]
    # A ring that crosses itself has two loops.
    bow = np.array([[0.0, 0.0], [4.0, 4.0], [4.0, 0.0], [1.0, 3.0]])
    assert outlines._signed(outlines.closed(bow)) < 0.0
    assert len(outlines.areas([bow[::-1]])) == 2


def test_areas_of_many_things_are_those_of_each():
    """More than are looked at together: alone, with a hole, around a pole, over the 180th meridian, and with a loop."""
    bow = np.array([[0.0, 0.0], [1.0, 3.0], [4.0, 0.0], [4.0, 4.0]])
    pole = np.stack([np.linspace(-170.0, 170.0, 35), np.full(35, 60.0)], axis=1)
    many, turned = [], 0
    for k in range(2 * outlines.AT_ONCE + 7):
        ring = circle(-170.0 + k % 330, 0.1 * k - 25.0, 2.0 + k % 3, 4 + k % 5)
        other = ([ring, circle(-170.0 + k % 330, 0.1 * k - 25.0, 0.5)[::-1]], [pole], [circle(180.0, 0.0, 3.0)], [bow], [])
        many.append(other[k // 9 % len(other)] if k % 9 == 4 else [ring])
        turned += len(many[-1]) != 1
    assert turned
    for made, rings_of_one in zip(outlines.areas_of_all(many), many, strict=True):
        for polygon, expected in zip(made, outlines._cut_areas(rings_of_one), strict=True):
            for ring, same in zip(polygon, expected, strict=True):
                first = int(np.flatnonzero((ring[:-1] == same[0]).all(axis=1))[0])
                np.testing.assert_array_equal(np.roll(ring[:-1], -first, axis=0), same[:-1])
    assert list(outlines.areas_of_all([])) == []


def test_a_line_over_the_180th_meridian_goes_on_where_it_was_cut():
    line = np.array([[170.0, 0.0, 1.0], [178.0, 4.0, 2.0], [-178.0, 8.0, 4.0], [-178.0, 8.0, 4.0], [179.0, 5.0, 7.0]])
    first, second, third = outlines.cut(line)
    np.testing.assert_array_equal(first, [[170.0, 0.0, 1.0], [178.0, 4.0, 2.0], [180.0, 6.0, 3.0]])
    np.testing.assert_array_equal(second, [[-180.0, 6.0, 3.0], [-178.0, 8.0, 4.0], [-180.0, 6.0, 6.0]])
    np.testing.assert_array_equal(third, [[180.0, 6.0, 6.0], [179.0, 5.0, 7.0]])
    np.testing.assert_array_equal(line[:, 0], [170.0, 178.0, -178.0, -178.0, 179.0])
    (whole,) = outlines.cut(line[:2])
    np.testing.assert_array_equal(whole, line[:2])


def test_holes_that_cross_are_taken_out_once():
    """Islands of one ocean, two of which overlap, as thinned lines may."""
    pole = np.stack([np.linspace(-170.0, 170.0, 35), np.full(35, -60.0)], axis=1)
    first, near, far = circle(0.0, 0.0, 5.0), circle(4.0, 0.0, 5.0), circle(40.0, 0.0, 5.0)
    (one,), (two,) = (outlines.areas([pole, first[::-1], other[::-1]]) for other in (far, near))
    assert len(one) == 3 and len(two) == 2
    covered = shapely.union_all([shapely.Polygon(first), shapely.Polygon(near)])
    assert shapely.Polygon(two[1]).equals(covered)


@every_planet
def test_areas_are_valid_and_within_the_sheet(name):
    made = planet_map(name)
    for kind in ("landmasses", "seas", "lakes", "catchments"):
        for thing, area in zip(getattr(made, kind), shapes(name, kind), strict=True):
            assert area.is_valid and not area.is_empty, f"{kind} {thing.id}"
            for outer, *holes in thing.polygons:
                assert shapely.is_ccw(shapely.LinearRing(outer))
                assert not any(shapely.is_ccw(shapely.LinearRing(hole)) for hole in holes)
                for ring in (outer, *holes):
                    assert ring.dtype == np.float64 and (ring[0] == ring[-1]).all()
                    assert np.abs(ring[:, 0]).max() <= 180.0 and np.abs(ring[:, 1]).max() <= 90.0


@pytest.mark.parametrize("gn, seeds, bound", [(3, 12, 0.1), (5, 2, 0.02)])
def test_there_is_as_much_land_as_was_wanted(gn, seeds, bound):
    shares = []
    for seed in range(seeds):
        made = map_planet(seed, {"gn": gn, "ln": 2})
        shares.append(sum(mass.area_km2 for mass in made.landmasses) * 1e6 / (4 * np.pi * made.radius_m**2))
    assert np.mean(shares) == pytest.approx(0.3, rel=bound)


@every_planet
def test_landmasses_lie_apart_and_cover_the_land(name):
    made, areas = planet_map(name), shapes(name, "landmasses")
    tree = shapely.STRtree(areas)
    one, two = tree.query(areas, predicate="intersects")
    for a, b in zip(one[one < two], two[one < two], strict=True):
        assert shapely.intersection(areas[a], areas[b]).area == 0.0
    total = sum(mass.area_km2 for mass in made.landmasses) * 1e6 / (4 * np.pi * made.radius_m**2)
    assert total == pytest.approx(made.land_ratio, rel=0.25, abs=0.08 if name == "least" else 0.03)
    wet = sum(sea.area_km2 for sea in made.seas) * 1e6 / (4 * np.pi * made.radius_m**2)
    assert wet + total == pytest.approx(1.0, rel=1e-6)


@every_planet
def test_coastlines_are_closed_with_the_land_on_their_left(name):
    made, areas = planet_map(name), shapes(name, "landmasses")
    for coast in made.coastlines:
        lines = coast.lines
        assert coast.closed == (len(lines) == 1 and (lines[0][0] == lines[0][-1]).all())
        for before, after in zip(lines, (*lines[1:], lines[0]), strict=True):
            if not coast.closed:
                # The cut: both parts end on it, at one latitude.
                assert abs(before[-1, 0]) == abs(after[0, 0]) == 180.0
                assert before[-1, 0] == -after[0, 0] and before[-1, 1] == after[0, 1]
        line = max(lines, key=len)
        k = int(np.argmax(np.hypot(*np.diff(line, axis=0).T)))
        a, b = line[k], line[k + 1]
        left = 0.5 * (a + b) + 1e-6 * np.array([a[1] - b[1], b[0] - a[0]]) / np.hypot(*(b - a))
        assert shapely.contains_xy(areas[coast.landmass], *left)
        # The cut along the meridian is no coast.
        interior = line[1:-1, 0]
        assert (np.abs(interior) < 180.0).all()
    rings_of_mass = np.bincount([coast.landmass for coast in made.coastlines], minlength=len(made.landmasses))
    assert (rings_of_mass >= (1 if made.land_ratio < 1 else 0)).all()


@every_planet
def test_lakes_lie_on_their_landmass_and_catchments_make_it_up(name):
    made = planet_map(name)
    masses = shapes(name, "landmasses")
    for lake, area in zip(made.lakes, shapes(name, "lakes"), strict=True):
        assert masses[lake.landmass].covers(area)
        assert lake.inflow_m3_s == pytest.approx(lake.evaporation_m3_s + lake.outflow_m3_s)
        assert lake.depth_m > 0 and lake.volume_km3 > 0 and lake.area_km2 > 0
        if lake.outlet is not None:
            assert lake.outlet in vertices(name, "lakes")[lake.id]
    # Islands in lakes are holes: no lake covers another, and the lakes of such islands lie in those holes.
    tree = shapely.STRtree(np.array(shapes(name, "lakes"), object))
    for k, area in enumerate(shapes(name, "lakes")):
        assert tree.query(area, predicate="overlaps").size == 0 and list(tree.query(area, predicate="covers")) == [k]
    for mass in made.landmasses:
        parts = [shapes(name, "catchments")[c.id] for c in made.catchments if c.landmass == mass.id]
        assert sum(part.area for part in parts) == pytest.approx(masses[mass.id].area, rel=1e-6)
        assert shapely.union_all(parts).symmetric_difference(masses[mass.id]).area < 1e-6 * masses[mass.id].area


@every_planet
def test_rivers_end_exactly_on_what_they_flow_into(name):
    made = planet_map(name)
    of = {"sea": "coastlines", "lake": "lakes", "river": "rivers"}
    seen = set()
    for river in made.rivers:
        last = tuple(river.lines[-1][-1])
        assert river.mouth in MOUTHS
        seen.add(river.mouth)
        if river.mouth == "basin":
            assert river.mouth_id == NONE
        else:
            assert last in vertices(name, of[river.mouth])[river.mouth_id]
        if river.source_lake != NONE:
            assert river.source == made.lakes[river.source_lake].outlet
        assert river.source == tuple(river.lines[0][0])
        if river.mouth in ("lake", "river"):
            assert getattr(made, of[river.mouth])[river.mouth_id].landmass == river.landmass
        if river.mouth == "sea":
            assert made.coastlines[river.mouth_id].landmass == river.landmass
    if name == "usual":
        assert seen == {"sea", "lake", "river"} or seen == set(MOUTHS)


@every_planet
def test_no_river_flows_in_a_circle(name):
    made = planet_map(name)
    outflow = {river.source_lake: river.id for river in made.rivers if river.source_lake != NONE}
    for river in made.rivers:
        steps = 0
        while river is not None and river.mouth in ("river", "lake"):
            number = river.mouth_id if river.mouth == "river" else outflow.get(river.mouth_id, NONE)
            river = made.rivers[number] if number != NONE else None
            steps += 1
            assert steps <= len(made.rivers)


@every_planet
def test_rivers_stay_on_dry_land_and_apart(name):
    made = planet_map(name)
    lines = [shapely.MultiLineString(river.lines) for river in made.rivers]
    if not lines:
        return
    assert all(line.is_simple for line in lines)
    tree = shapely.STRtree(lines)
    lakes = shapes(name, "lakes")
    for lake, river in zip(*tree.query(np.array(lakes, object), predicate="intersects"), strict=True):
        assert shapely.intersection(lakes[lake], lines[river]).length < 1e-9
    masses = shapes(name, "landmasses")
    for k, mass in enumerate(masses):
        shapely.prepare(mass)
        own = [line for river, line in zip(made.rivers, lines, strict=True) if river.landmass == k]
        assert all(shapely.difference(line, mass).length < 1e-9 for line in own if not mass.covers(line))
    for one, two in zip(*tree.query(lines, predicate="intersects"), strict=True):
        if one < two:
            met = shapely.get_coordinates(shapely.intersection(lines[one], lines[two]))
            both = vertices(name, "rivers")[one] & vertices(name, "rivers")[two]
            assert {tuple(place) for place in met} <= both


@every_planet
def test_courses_are_continuous_everywhere(name):
    """Steps are short: over borders of rhombi and faces, the equator, poles, and the 180th meridian."""
    made = planet_map(name)
    step_m = 0.5 * np.pi * made.radius_m / 2 ** (made.gn + made.ln)
    for river in made.rivers:
        for before, after in zip(river.lines, river.lines[1:], strict=False):
            assert abs(before[-1, 0]) == 180.0 and before[-1, 0] == -after[0, 0] and before[-1, 1] == after[0, 1]
        for line, widths in zip(river.lines, river.widths_m, strict=True):
            position = degrees.directions(line) * made.radius_m
            steps = np.sqrt((np.diff(position, axis=0) ** 2).sum(axis=1))
            assert len(widths) == len(line) and (widths > 0).all()
            assert (steps > 0).all() and steps.max() < 3.0 * step_m
        widths = np.concatenate(river.widths_m)
        assert (np.diff(widths) >= -1e-9).all() and river.width_m == pytest.approx(widths[-1])


def test_the_usual_planet_has_the_cases_that_matter():
    """Rivers over the equator and over borders of faces, a coast over the 180th meridian, lakes with islands or outlets."""
    made = planet_map("usual")
    crossings = [np.sign(line[:, 1]).min() < 0 < np.sign(line[:, 1]).max() for river in made.rivers for line in river.lines]
    assert any(crossings)
    quarters = [len(set(np.floor(line[:, 0] / 90.0))) > 1 for river in made.rivers for line in river.lines]
    assert any(quarters)
    assert any(len(coast.lines) > 1 for coast in made.coastlines)
    assert any(lake.outlet is None for lake in made.lakes) and any(lake.outlet for lake in made.lakes)
    assert any(len(polygon) > 1 for mass in made.landmasses for polygon in mass.polygons)
    assert len(made.landmasses) > 20 and len(made.confluences) > 20
    polar = map_planet(6, {"gn": 3, "ln": 0, "poles": "any", "land": 0.8})
    assert any(abs(line[:, 1]).max() == 90.0 for river in polar.rivers for line in river.lines)
    assert any(len(river.lines) > 1 for river in polar.rivers)


@every_planet
def test_discharge_is_conserved_at_confluences_and_lakes(name):
    made = planet_map(name)
    by_tributary = {c.tributary: c for c in made.confluences}
    assert len(by_tributary) == len(made.confluences) == sum(river.mouth == "river" for river in made.rivers)
    at_point, gained = {}, []
    for c in made.confluences:
        at_point.setdefault((c.point, c.river), []).append(c)
    for c in made.confluences:
        tributary, river = made.rivers[c.tributary], made.rivers[c.river]
        assert tributary.mouth_id == c.river and c.point == tuple(tributary.lines[-1][-1])
        line, widths = next(
            (line, w) for line, w in zip(river.lines, river.widths_m, strict=True) if (line == c.point).all(axis=1).any()
        )
        at = int(np.flatnonzero((line == c.point).all(axis=1))[0])
        flow = (widths / 7.0) ** 2
        met = sum(made.rivers[x.tributary].discharge_m3_s for x in at_point[c.point, c.river])
        assert flow[at] == pytest.approx(c.discharge_m3_s)
        if at > 0 and abs(line[at - 1, 0]) < 180.0:
            # What comes to it on the way: nothing, but where a course meets another as soon as it enters a point's cell.
            gained.append(flow[at] / (flow[at - 1] + met) - 1.0)
            assert gained[-1] > -1e-9
    if name == "usual":
        assert np.mean(np.array(gained) < 1e-9) > 0.95
    for lake in made.lakes:
        out = [river for river in made.rivers if river.source_lake == lake.id]
        assert len(out) <= 1
        if out:
            assert (out[0].widths_m[0][0] / 7.0) ** 2 >= lake.outflow_m3_s * (1 - 1e-9)
        into = sum(river.discharge_m3_s for river in made.rivers if river.mouth == "lake" and river.mouth_id == lake.id)
        assert into <= lake.inflow_m3_s * (1 + 1e-9)


@every_planet
def test_what_the_global_mesh_discharges_arrives(name):
    made = planet_map(name)
    _, waters, _ = parts_of(name)
    rivers = {(river.mouth, river.id): river.discharge_m3_s for river in made.rivers}
    sea = waters.landmasses.sea_of_point >= 0
    ends = (waters.order_of_point > 0) & (waters.lake_of_point < 0) & sea[waters.receiver_of_point]
    ends &= waters.receiver_of_point >= 0
    arriving = sum(flow for (mouth, _), flow in rivers.items() if mouth == "sea")
    assert arriving == pytest.approx(waters.discharge_m3_s[ends].sum(), rel=1e-9)


@functools.cache
def parts_of(name):
    seed, parameters = PLANETS[name]
    _, waters, mesh, network = stages_of(seed, parameters)
    return mesh, waters, network


@every_planet
def test_local_heights_never_rise_along_a_river(name):
    """Within cells, from cell to cell, and in the relief that is given away; down to the level of what it flows into."""
    mesh, _, network = parts_of(name)
    last = 2 * mesh.cells
    strip = fine_mesh.strip_of(mesh, 0, last)
    chains = courses.chains_of(mesh, network, strip, courses.owners_of(mesh, network, strip), 0, last + 1)
    relief = planet_map(name).relief
    bottom = {}
    for k in range(len(chains.cell)):
        span = slice(int(chains.first[k]), int(chains.first[k + 1]))
        levels, numbers = chains.level_m[span], chains.vertex[span]
        assert (np.diff(levels) <= 0).all()
        np.testing.assert_array_equal(strip.heights_m[numbers - strip.base], levels)
        bottom.setdefault(int(network.cell[chains.cell[k]]), levels[-1])
        if chains.joins[k] == NONE:
            bottom[int(network.cell[chains.cell[k]])] = levels[-1]
    for c, p in enumerate(network.cell.tolist()):
        own = np.flatnonzero(chains.cell == c)
        for k, feeder in zip(own, network.feeder[network.first[c] : network.first[c + 1]].tolist(), strict=False):
            top = chains.level_m[chains.first[k]]
            assert top <= (bottom[feeder] if feeder in bottom else mesh.level_m[feeder])
        r = mesh.receiver[p]
        if r >= 0 and mesh.body[r] != fine_mesh.LAND:
            assert bottom[p] >= mesh.level_m[r]
    start, count = meshes.ring_starts(mesh.fine_cells), meshes.ring_counts(mesh.fine_cells)
    ring = np.searchsorted(start, chains.vertex, side="right") - 1
    longitude = degrees.longitude_of((chains.vertex - start[ring]) / count[ring])
    latitude = 90.0 - 90.0 * ring / mesh.fine_cells
    np.testing.assert_allclose(relief.sample(longitude, latitude), chains.level_m, atol=1e-2)


@every_planet
def test_shores_have_the_topology_of_the_global_mesh(name):
    """As many connected waters, and pieces of land, on the local mesh as on the global one."""
    mesh, waters, _ = parts_of(name)
    strip = fine_mesh.strip_of(mesh, 0, 2 * mesh.cells)
    fine = globe_of(mesh.fine_cells)
    parts = landmasses_of(fine, np.where(strip.wet == 1, -1.0, 1.0).astype(np.float32))
    shore = np.where(mesh.body >= 0, -1.0, 1.0).astype(np.float32)
    coarse = landmasses_of(globe_of(mesh.cells), shore)
    assert len(parts) == len(coarse) and len(parts.sea_area_m2) == len(coarse.sea_area_m2)
    assert len(parts.sea_area_m2) == len(waters.landmasses.sea_area_m2) + len(waters.lakes)


def along_lattice(lines, cells, shift):
    """Share of the length of lines, in global steps, that runs a quarter of a step and more beside the lines of a lattice:
    the global mesh's edges, or with a `shift` lines that lie so far beside them."""
    beside = length = 0.0
    for line in lines:
        quarter = 4.0 * degrees.turn_of(line[:, 0])
        face = np.minimum(quarter.astype(int), 3)
        ring = (90.0 - line[:, 1]) / 90.0 * cells
        row = (quarter - face) * np.minimum(ring, 2 * cells - ring) + np.maximum(ring - cells, 0.0)
        place = np.stack([ring - row, row], axis=1)
        same = np.diff(face) == 0
        length += np.hypot(*np.diff(place, axis=0).T)[same].sum()
        for across in (place[:, 0], place[:, 1], ring):
            number = np.rint(across - shift)
            near = np.abs(across - shift - number) < 0.04
            stays = np.concatenate([[False], near[1:] & near[:-1] & same & (np.diff(number) == 0), [False]])
            for a, b in np.flatnonzero(stays[1:] != stays[:-1]).reshape(-1, 2):
                run = np.hypot(*(place[b] - place[a]))
                beside += run if run >= 0.25 else 0.0
    return beside / length


@pytest.mark.parametrize("ln", [3, 4, 5])
def test_shores_do_not_run_along_the_edges_of_the_global_mesh(ln, monkeypatch):
    """Less than along lines that mean nothing to them."""
    monkeypatch.setattr(fine_mesh, "FULL_LN", 9)
    shores = []
    for seed in (1, 2, 3, 4):
        shores += [outlines.closed(ring.vertices) for ring in shores_of(stages_of(seed, {"gn": 4, "ln": ln}))]
    cells = 16 * 2 ** (ln - drainage_mesh.FINE_LN)
    assert along_lattice(shores, cells, 0.0) < 0.02 < 1.5 * along_lattice(shores, cells, 0.5)


def test_shores_are_as_rough_at_every_level(monkeypatch):
    """Every finer mesh makes them longer, by what a fractal line of dimension 1.1 to 1.4 would be."""
    monkeypatch.setattr(fine_mesh, "FULL_LN", 9)
    # Islands that appear as the drained mesh grows are not meant.
    monkeypatch.setattr(drainage_mesh, "FINE_LN", 9)
    lengths = []
    for ln in (2, 3, 4, 5):
        coasts = coasts_of(stages_of(3, {"gn": 4, "ln": ln}))
        lengths.append(sum(outlines.length_m(outlines.closed(coast.vertices), 1.0) for coast in coasts))
    growth = np.array(lengths[1:]) / np.array(lengths[:-1])
    assert (growth > 2.0**0.1).all() and (growth < 2.0**0.4).all()


@functools.cache
def winding_planets():
    return [map_planet(seed, {"gn": 5, "ln": 3}) for seed in (1, 2, 3, 4)]


def test_rivers_wind_and_more_so_on_plains():
    """By the way along a river against the straight one, over a global step each; and not along the global mesh's edges."""
    step = 90.0 / 32
    bends, falls, lines = [], [], []
    for made in winding_planets():
        for line in (line for river in made.rivers for line in river.lines):
            place = degrees.directions(line)
            way = np.degrees(np.concatenate([[0.0], np.cumsum(np.sqrt((np.diff(place, axis=0) ** 2).sum(axis=1)))]))
            ends = np.searchsorted(way, np.arange(0.0, way[-1], step))
            heights = made.relief.sample(*line[ends].T)
            bends += (np.diff(way[ends]) / np.degrees(np.sqrt((np.diff(place[ends], axis=0) ** 2).sum(axis=1)))).tolist()
            falls += (-np.diff(heights)).tolist()
            lines.append(line)
    bends, falls = np.array(bends), np.array(falls)
    assert bends.mean() > 1.12
    assert bends[falls < np.quantile(falls, 0.3)].mean() > bends[falls > np.quantile(falls, 0.7)].mean() + 0.02
    assert along_lattice(lines, 32, 0.0) < 0.15


def straight(line, least, stray):
    """The length of the parts of a line, (k, 3), that are at least so long and stray by at most this part of it."""
    way = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(line, axis=0), axis=1))])
    total, begin = 0.0, 0
    while begin < len(line) - 1:
        end = begin
        for k in range(int(np.searchsorted(way, way[begin] + least)), len(line)):
            chord = line[k] - line[begin]
            length = np.linalg.norm(chord)
            off = np.linalg.norm(np.cross(line[begin : k + 1] - line[begin], chord / length), axis=1).max()
            if off > stray * length:
                break
            end = k
        total += way[end] - way[begin]
        begin = max(end, begin + 1)
    return total, way[-1]


def test_rivers_hardly_run_straight_for_ten_steps():
    """Along the lines of the local mesh they would, where all ways cost about the same."""
    step = np.radians(90.0 / 2 ** (5 + 3))
    lines = [line for made in winding_planets() for river in made.rivers for line in river.lines]
    found = np.array([straight(degrees.directions(line), 10.0 * step, 0.04) for line in lines])
    assert found[:, 0].sum() < 0.028 * found[:, 1].sum()


def test_a_finer_local_mesh_has_as_many_rivers_and_islands_as_a_finer_global_one():
    found = []
    for gn, ln in ((3, 5), (5, 3), (3, 3)):
        maps = [map_planet(seed, {"gn": gn, "ln": ln}) for seed in (1, 2, 3)]
        land = sum(mass.area_km2 for made in maps for mass in made.landmasses)
        rivers = sum(river.length_km for made in maps for river in made.rivers)
        found.append((rivers / land, sum(len(made.landmasses) for made in maps)))
    (fine, islands), (same, as_many), (coarse, few) = found
    assert 0.75 * same < fine < 1.33 * same and fine > 1.33 * coarse
    assert 0.6 * as_many < islands < 1.6 * as_many and islands > 2 * few


def test_local_rings_are_those_of_the_show():
    growth = generator("doublecone").grow(6, {"gn": 3})
    growth.advance(3)
    for ln in (0, 2):
        rows = 2**ln
        block = refine_block(growth.planet, ln, 2, 3, 4, 1, 2)
        first, last = 6 * rows, 12 * rows
        values = fine_mesh.raw_rings(growth.planet, ln, first, last)
        j, i = np.indices(block.shape)
        number = meshes.point_of(8 * rows, 2, 3 * rows + j, 4 * rows + i) - meshes.ring_starts(8 * rows)[first]
        np.testing.assert_array_equal(values[number], block)


def assert_same(one, two):
    """Equal records, bit for bit."""
    if dataclasses.is_dataclass(one):
        assert type(one) is type(two)
        for field in dataclasses.fields(one):
            if field.name != "relief":
                assert_same(getattr(one, field.name), getattr(two, field.name))
    elif isinstance(one, tuple):
        assert len(one) == len(two)
        for a, b in zip(one, two, strict=True):
            assert_same(a, b)
    else:
        np.testing.assert_array_equal(one, two)


@pytest.mark.parametrize("name", ["usual", "land at the poles"])
def test_the_same_map_on_any_number_of_threads_and_in_any_strips(name, monkeypatch):
    one = planet_map(name)
    monkeypatch.setattr(fine_mesh, "MAX_BELTS", 3)
    two = map_planet(*PLANETS[name], threads=2)
    assert_same(one, two)
    longitude, latitude = np.meshgrid(np.linspace(-180, 180, 91), np.linspace(90, -90, 61))
    np.testing.assert_array_equal(one.relief.sample(longitude, latitude), two.relief.sample(longitude, latitude))
    np.testing.assert_array_equal(one.relief.water(longitude, latitude), two.relief.water(longitude, latitude))


def test_the_relief_is_the_same_for_threads_that_ask_at_once():
    made = planet_map("usual")
    longitude, latitude = np.linspace(-179.0, 179.0, 400), np.linspace(89.0, -89.0, 200)[:, None]
    rows = np.array_split(np.arange(200), 40)
    with ThreadPoolExecutor(4) as pool:
        parts = list(pool.map(lambda some: made.relief.sample(longitude, latitude[some]), rows))
    np.testing.assert_array_equal(np.concatenate(parts), made.relief.sample(longitude, latitude))


def test_thinned_lines_stay_near_and_keep_their_vertices(monkeypatch):
    monkeypatch.setattr(drainage_mesh, "FINE_LN", 9)
    thinned = map_planet(*PLANETS["fine"])
    monkeypatch.setattr(fine_mesh, "FULL_LN", 9)
    full = map_planet(*PLANETS["fine"])
    tolerance = 90.0 / (2**full.gn * fine_mesh.THIN_STEPS)
    few = many = 0
    for one, two in zip(thinned.coastlines, full.coastlines, strict=True):
        # Where the cut along the meridian falls is not a vertex of its own.
        inner = {place for place in places(one.lines) if abs(place[0]) < 180.0}
        assert inner <= places(two.lines)
        few, many = few + len(inner), many + len(places(two.lines))
        lines = [shapely.MultiLineString(coast.lines) for coast in (one, two)]
        # Degrees of longitude are shorter than those of latitude, by which the tolerance is meant.
        farthest = max(np.abs(line[:, 1]).max() for line in two.lines)
        assert shapely.hausdorff_distance(*lines) <= 1.2 * tolerance / np.cos(np.radians(min(farthest + 1, 89)))
    assert few < 0.5 * many
    assert [river.discharge_m3_s for river in thinned.rivers] == [river.discharge_m3_s for river in full.rivers]
    for one, two in zip(thinned.catchments, full.catchments, strict=True):
        assert outlines.area_m2(one.polygons, 1.0) == pytest.approx(outlines.area_m2(two.polygons, 1.0), rel=0.1, abs=1e-4)


@every_planet
def test_relief_and_objects_agree(name):
    """Water where lakes and seas are, dry ground where they are not, the same on both sides of every seam."""
    made = planet_map(name)
    chance = np.random.default_rng(1)
    longitude, latitude = chance.uniform(-180, 180, 4000), chance.uniform(-90, 90, 4000)
    ground, water = made.relief.sample(longitude, latitude), made.relief.water(longitude, latitude)
    assert ground.dtype == water.dtype == np.float32 and np.isfinite(ground).all()
    wet = np.isfinite(water)
    assert (ground[wet] < water[wet]).all()
    land = np.zeros(4000, bool)
    for area in shapes(name, "landmasses"):
        land |= shapely.contains_xy(area, longitude, latitude)
    lake = np.zeros(4000, bool)
    for thing, area in zip(made.lakes, shapes(name, "lakes"), strict=True):
        inside = shapely.contains_xy(area, longitude, latitude)
        lake |= inside
        assert (water[inside & wet] == np.float32(thing.level_m)).sum() >= 0.9 * (inside & wet).sum()
    # The shore is kept a tenth of a step away from the points it runs between; the relief is not.
    assert (wet == (~land | lake)).mean() > 0.97
    seams = np.array([-180.0, -90.0, 0.0, 90.0])
    rows = np.linspace(-90, 90, 37)[:, None]
    beside = made.relief.sample(seams + 360.0, rows)
    np.testing.assert_array_equal(made.relief.sample(seams, rows), beside)
    np.testing.assert_allclose(made.relief.sample(seams + 1e-7, rows), made.relief.sample(seams - 1e-7, rows), atol=1.0)
    assert made.relief.sample(12.5, 90.0).shape == ()
    assert len(set(made.relief.sample(np.linspace(-180, 180, 9), 90.0).tolist())) == 1


def test_peaks_have_their_prominence():
    """Against its definition: cut the land at every height from the top and see which tops part."""
    growth = generator("doublecone").grow(7, {"gn": 3})
    growth.advance(3)
    heights, globe = growth.planet.heights_m, globe_of(8)
    masses = landmasses_of(globe, heights)
    found = peaks.summits_of(heights, globe.neighbour, masses, 0.0)
    assert len(found.point) > 3 and (np.diff(heights[found.point]) <= 0).all()
    for p, prominence in zip(found.point, found.prominence_m, strict=True):
        # The lowest ground one must cross from p to any higher place.
        reached, todo, lowest = {int(p)}, [], 0.0
        todo = [(float(heights[q]), int(q)) for q in globe.neighbour[p] if q != p]
        low = float(heights[p])
        while todo:
            todo.sort()
            h, q = todo.pop()
            if q in reached:
                continue
            reached.add(q)
            low = min(low, h)
            if low <= 0.0:
                break
            if heights[q] > heights[p]:
                lowest = low
                break
            todo += [(float(heights[r]), int(r)) for r in globe.neighbour[q] if int(r) not in reached]
        assert prominence == pytest.approx(float(heights[p]) - lowest, abs=1e-3)


def test_a_lake_on_a_mountain_is_no_peak():
    """Its rim is, however low: also where the lake's bed is as high and has the lower number."""
    growth = generator("doublecone").grow(7, {"gn": 3})
    growth.advance(3)
    heights, globe = growth.planet.heights_m.copy(), globe_of(8)
    lake = int(np.argmax(heights))
    rim = globe.neighbour[lake]
    heights[rim] = heights[lake]
    waters = hydrology_of(heights, climate_of(heights), globe=globe)
    flooded = dataclasses.replace(waters, heights_m=heights, surface_m=heights, lake_of_point=waters.lake_of_point.copy())
    flooded.lake_of_point[[lake, rim.min()]] = 0
    top = int(peaks.summits_of(peaks.standing_m(flooded), globe.neighbour, landmasses_of(globe, heights), 0.0).point[0])
    assert top in rim and top not in (lake, rim.min())


@every_planet
def test_peaks_stand_on_the_relief(name):
    made = planet_map(name)
    heights = [peak.height_m for peak in made.peaks]
    assert heights == sorted(heights, reverse=True)
    highest = [mass.highest_m for mass in made.landmasses]
    for peak in made.peaks:
        ground = float(made.relief.sample(*peak.point))
        assert ground == pytest.approx(peak.height_m, abs=1.0) and np.isnan(made.relief.water(*peak.point))
        assert 0.0 < peak.prominence_m <= peak.height_m + 1e-3 and peak.height_m <= highest[peak.landmass]
        # Nothing close by is higher, but where it is another peak's ground.
        step = 360.0 / (4 * 2 ** (made.gn + made.ln))
        east = peak.point[0] + step * np.array([-1, 0, 1])
        north = np.clip(peak.point[1] + step * np.array([-1, 0, 1]), -90, 90)
        near = made.relief.sample(east[None, :], north[:, None])
        assert np.median(near) <= peak.height_m


@pytest.mark.parametrize("key", [0, 12345, 2**64 - 3])
def test_dice_roll_what_their_counter_is_mixed_to(key):
    dice, count = languages.Dice(key), 2 * languages.AHEAD + 10
    assert [dice.roll(1000) for _ in range(count)] == [(mix64(key + k) >> 11) % 1000 for k in range(1, count + 1)]
    dice, one = languages.Dice(key), languages.Dice(key)
    assert [dice.common("0123456") for _ in range(50)] == [str(min(one.roll(7), one.roll(7))) for _ in range(50)]


def test_names_are_pronounceable_varied_and_the_same_every_time():
    def some(seed):
        namer = languages.Namer(seed)
        return [namer.name(kind, mass, k) for kind in languages.KINDS for mass in range(6) for k in range(60)]

    one = some(1)
    assert one == some(1) and len(set(one)) == len(one)
    assert len(set(one) & set(some(2))) < 0.2 * len(one)
    for word in one:
        assert word.replace(" ", "").isascii() and word[0].isupper()
        stem = word.split(" ")[0].lower()
        assert languages.SHORTEST <= len(stem) <= languages.LONGEST and stem.isalpha()
        assert set("aeiouy") & set(stem)
        runs = "".join("v" if letter in "aeiouy" else "c" for letter in stem)
        assert "ccccc" not in runs and "vvvv" not in runs
    # The greatest landmasses of many planets: hardly two have one name, and none that of a country.
    greatest = [languages.Namer(seed).name("landmass", 0, 0) for seed in range(400)]
    assert len(set(greatest)) >= 360 and not languages.EARTHLY & set(greatest)
    # Languages differ: their commonest first letters are not all the same.
    namer = languages.Namer(3)
    first = [namer.name("river", mass, k)[0] for mass in range(8) for k in range(30)]
    assert len({max(set(first[i : i + 30]), key=first[i : i + 30].count) for i in range(0, 240, 30)}) > 2


@every_planet
def test_names_on_a_map(name):
    made = planet_map(name)
    given = [x.name for kind in ("landmasses", "seas", "lakes", "peaks") for x in getattr(made, kind) if x.name]
    given += {river.stem_id: river.name for river in made.rivers if river.name}.values()
    assert len(set(given)) == len(given)
    assert all(river.name in ("", made.rivers[river.stem_id].name) for river in made.rivers)
    assert all(mass.name for mass in made.landmasses) and all(lake.name for lake in made.lakes) and made.seas[0].name
    longest = max(made.rivers, key=lambda river: river.discharge_m3_s, default=None)
    assert longest is None or longest.name


@every_planet
def test_ids_are_places_in_their_tables(name):
    made = planet_map(name)
    kinds = ("landmasses", "coastlines", "seas", "lakes", "rivers", "confluences", "catchments", "peaks")
    for kind in kinds:
        assert [thing.id for thing in getattr(made, kind)] == list(range(len(getattr(made, kind))))
    for river in made.rivers:
        assert made.catchments[river.catchment].landmass == river.landmass
    mains = [c.river for c in made.catchments if c.river != NONE]
    assert len(set(mains)) == len(mains)


def test_what_a_map_says_of_itself():
    made, told = planet_map("usual"), []
    map_planet(8, {"gn": 1, "ln": 1}, lambda stage, part: told.append((stage, part)))
    assert made.code == "doublecone-8-14-gn=5-ln=2" and (made.seed, made.gn, made.ln) == (14, 5, 2)
    least, mean, most = made.stretch
    assert least == 1.0 and most == pytest.approx(np.pi / 2) and least < mean < most
    assert made.land_ratio == pytest.approx(0.3, abs=0.01)
    parts = [part for _, part in told]
    assert parts == sorted(parts) and parts[0] == 0.0 and parts[-1] == 1.0


@pytest.mark.parametrize("parameters", [{"gn": 0}, {"ln": 9}, {"gn": 10, "ln": 5}, {"land": 2.0}, {"moons": 1}])
def test_parameters_that_cannot_be(parameters):
    with pytest.raises(ParameterError):
        map_planet(1, parameters)


# --- oceans ------------------------------------------------------------------------------------------------------------


def test_a_planet_has_several_oceans():
    """Each with a name of its own and a middle in open water; together they are the one connected sea."""
    names = set()
    for seed in range(1, 6):
        planet = map_planet(seed, {"gn": 4, "ln": 0, "land": (0.29, 0.1, 0.6)[seed % 3]})
        found = planet.oceans
        assert (2 if seed % 3 < 2 else 1) <= len(found) <= oceans.MOST and found[0].name == planet.seas[0].name
        others = {sea.name for sea in planet.seas[1:] if sea.name}
        assert len({ocean.name for ocean in found} | others) == len(found) + len(others)
        assert sum(ocean.area_km2 for ocean in found) == pytest.approx(planet.seas[0].area_km2, rel=0.25)
        for ocean in found:
            longitude, latitude = (np.array([angle]) for angle in ocean.label)
            assert planet.relief.water(longitude, latitude) == 0.0
            assert oceans.ocean_at(found, longitude, latitude) == ocean.id
            here = degrees.directions(np.array(ocean.label))
            for other in found[: ocean.id]:
                assert here @ degrees.directions(np.array(other.label)) < np.cos(np.radians(oceans.APART)) + 1e-9
        names |= {ocean.name for ocean in found}
    assert len(names) > 10


@pytest.mark.parametrize("gn", [2, 3])
def test_the_smallest_planets_have_an_ocean(gn):
    for land in (0.01, 0.99):
        planet = map_planet(1, {"gn": gn, "ln": 0, "land": land})
        assert len(planet.oceans) >= 1 and planet.oceans[0].area_km2 > 0.0
