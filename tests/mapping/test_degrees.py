"""Maps are no mirror images: what lies to the right on the globe, seen from outside with north up, lies to the east."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from demo.catalogue.generators import generator
from demo.catalogue.maps import map_planet
from demo.flight.camera import look_at, view_rotation
from demo.mapping import degrees
from demo.mapping.shown.streams import places
from demo.worlds.atlas import DOUBLE_CONE, EVEN_CONE

SEED, PARAMETERS = 1, {"gn": 5, "ln": 2}
NORTH = np.array([0.0, 1.0, 0.0])


def test_parallels_of_a_cone_whose_areas_are_kept():
    """At equal steps from the pole, areas grow by the square, as on a cone; and back."""
    steps = np.linspace(-90.0, 90.0, 37)
    latitude = degrees.latitude_of(steps, EVEN_CONE)
    np.testing.assert_allclose(1.0 - np.abs(np.sin(np.radians(latitude))), (1.0 - np.abs(steps) / 90.0) ** 2, atol=1e-12)
    np.testing.assert_allclose(degrees.steps_of(latitude, EVEN_CONE), steps, atol=1e-9)
    assert latitude[[0, 18, 36]].tolist() == [-90.0, 0.0, 90.0]
    assert degrees.latitude_of(steps, DOUBLE_CONE) is steps and degrees.steps_of(steps, DOUBLE_CONE) is steps


def test_a_map_lies_where_its_planet_keeps_areas():
    """Coasts, peaks and rivers are found in its relief, and its land has the area that the mesh gives it."""
    pytest.importorskip("shapely")
    planet = map_planet(1, {"gn": 4, "ln": 1, "keeps": "areas"})
    peaks = np.array([peak.point for peak in planet.peaks])
    heights = planet.relief.sample(peaks[:, 0], peaks[:, 1])
    assert np.abs(heights - [peak.height_m for peak in planet.peaks]).max() < 1.0
    coast = np.concatenate([line for coast in planet.coastlines for line in coast.lines])
    coast = coast[np.abs(coast[:, 0]) < 179.9]
    assert np.abs(planet.relief.sample(coast[:, 0], coast[:, 1])).mean() < 80.0
    area = sum(land.area_km2 for land in planet.landmasses) * 1e6 / (4.0 * np.pi * planet.radius_m**2)
    assert area == pytest.approx(planet.land_ratio, abs=0.03)
    assert planet.stretch == pytest.approx((1.0, 1.219, 2.0**0.5), abs=0.01)
    assert planet.stretch_of_meridians == pytest.approx((0.9, 1.055, 4.0 / np.pi), abs=0.01)


def seen(points: np.ndarray) -> np.ndarray:
    """Where the show's camera, above the middle of points (k, 3) of the globe and with north up, has them: (k, 2)."""
    eye = look_at(3.0 * points.mean(axis=0), np.zeros(3), NORTH)
    there = (points - eye.position) @ view_rotation(eye).T
    return there[:, :2] / -there[:, 2:]


def sense(triangle: np.ndarray) -> float:
    """Above 0 where the way around three points (3, 2) runs anticlockwise."""
    (ax, ay), (bx, by) = triangle[1] - triangle[0], triangle[2] - triangle[0]
    return np.sign(ax * by - ay * bx)


@given(st.floats(-170.0, 170.0), st.floats(-70.0, 70.0), st.floats(0.5, 8.0), st.floats(0.0, 360.0))
def test_a_triangle_runs_the_same_way_around_on_the_map_and_on_the_globe(longitude, latitude, size, turn):
    angles = np.radians(turn + np.array([0.0, 100.0, 220.0]))
    on_map = np.array([longitude, latitude]) + size * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    assert sense(on_map) > 0 and sense(seen(degrees.directions(on_map))) > 0


@given(st.floats(-179.9, 179.9), st.floats(-89.9, 89.9))
def test_degrees_come_back(longitude, latitude):
    back = degrees.degrees_of(7.0 * degrees.directions(np.array([longitude, latitude])))
    np.testing.assert_allclose(back, [longitude, latitude], atol=1e-9)


@given(st.integers(0, 3), st.floats(0.01, 0.99), st.floats(0.01, 0.99))
def test_turns_of_the_mesh_are_those_of_directions(face, u, v):
    longitude, _ = degrees.degrees_of(DOUBLE_CONE.direction(face, u, v))
    fraction = v / (u + v) if u + v <= 1.0 else (1.0 - u) / (2.0 - u - v)
    turn = 0.25 * (face + fraction)
    assert degrees.turn_of(longitude) == pytest.approx(turn, abs=1e-9)
    assert np.cos(np.radians(degrees.longitude_of(turn) - longitude)) == pytest.approx(1.0)


@pytest.fixture(scope="module")
def planet():
    """(the points of the global mesh in degrees, its heights, the map)"""
    pytest.importorskip("shapely")
    from demo.catalogue.maps import map_planet
    from demo.mapping.waters.ponds import without_ponds

    growth = generator("doublecone").grow(SEED, {**PARAMETERS, "ln": 0})
    growth.advance(growth.total)
    at = degrees.degrees_of(places(2 ** PARAMETERS["gn"]))
    return at, without_ponds(growth.planet.heights_m), map_planet(SEED, PARAMETERS)


def covered(areas: list, at: np.ndarray) -> np.ndarray:
    import shapely

    return np.any([shapely.intersects_xy(area, *at.T) for area in areas], axis=0)


def shape(thing):
    from demo.export.maps.places import multipolygon

    return multipolygon(thing.polygons)


def test_objects_lie_where_the_globe_has_them(planet):
    at, heights, made = planet
    land = [shape(mass) for mass in made.landmasses]
    assert (covered(land, at) == (heights > 0.0)).mean() > 0.999
    assert (covered(land, at * [-1.0, 1.0]) == (heights > 0.0)).mean() < 0.9
    # Three places of the largest landmass, far from each other, seen from above it.
    largest = at[covered(land[:1], at)]
    first = largest[np.argmax(largest[:, 1])]
    second = largest[np.argmin(degrees.directions(largest) @ degrees.directions(first))]
    third = largest[np.argmin(degrees.directions(largest) @ (degrees.directions(first) + degrees.directions(second)))]
    triangle = np.array([first, second, third])
    assert sense(seen(degrees.directions(triangle))) == sense(triangle) != 0.0
    step = 90.0 / 2**made.gn
    high = 0
    for peak in made.peaks[:20]:
        top = heights[
            np.abs(degrees.directions(at) - degrees.directions(np.array(peak.point))).max(axis=1) < np.radians(step)
        ]
        high += top.max() > 0.6 * peak.height_m
    # A lone peak may stand between the places that were looked at.
    assert high >= 18


def test_rivers_and_lakes_lie_where_the_globe_has_them(planet):
    from demo.mapping.local.fine_mesh import least_lake_m2
    from demo.mapping.waters.hydrology import hydrology_of
    from demo.worlds.climate.mesh_climate import climate_of

    at, heights, made = planet
    least = least_lake_m2(2**made.gn, made.ln, made.radius_m)
    waters = hydrology_of(heights, climate_of(heights), least_lake_m2=least)
    assert (covered([shape(lake) for lake in made.lakes], at) == (waters.lake_of_point >= 0)).mean() > 0.999
    # A river's way to the sea begins and ends near points of the mesh that have one.
    points = degrees.directions(at[(waters.order_of_point > 0) | (waters.lake_of_point >= 0)])
    for river in made.rivers:
        ends = degrees.directions(np.array([river.source, tuple(river.lines[-1][-1])]))
        assert ((ends @ points.T).max(axis=1) > np.cos(1.6 * np.radians(90.0 / 2**made.gn))).all()


def test_files_lie_where_the_globe_has_them(planet, tmp_path):
    pyogrio, rasterio = pytest.importorskip("pyogrio"), pytest.importorskip("rasterio")
    import shapely

    from demo.export.maps import geotiff, gpkg

    at, heights, made = planet
    geotiff.write(tmp_path / "relief.tif", made, lambda part: None)
    with rasterio.open(tmp_path / "relief.tif") as file:
        read = np.array([values[0] for values in file.sample(np.clip(at, [-179.99, -89.99], [179.99, 89.99]))])
        mirrored = np.array([values[0] for values in file.sample(np.clip(at * [-1, 1], [-179.99, -89.99], [179.99, 89.99]))])
    assert np.corrcoef(read, heights)[0, 1] > 0.97 and np.corrcoef(mirrored, heights)[0, 1] < 0.9
    gpkg.write(tmp_path / "world.gpkg", made, lambda part: None)
    land = shapely.from_wkb(pyogrio.raw.read(tmp_path / "world.gpkg", layer="landmasses")[2])
    assert (covered(land, at) == (heights > 0.0)).mean() > 0.999
