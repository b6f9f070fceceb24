"""Files of a region, read by GDAL and osmium beside those of the whole planet."""

from __future__ import annotations

import functools
import json

import numpy as np
import pytest

pytest.importorskip("osmium")
pytest.importorskip("pyogrio")
pytest.importorskip("rasterio")
pytest.importorskip("shapely")

import osmium
import pyogrio
import rasterio
import shapely

from demo.catalogue.maps import map_planet, map_region, region_of
from demo.export.maps import formats
from demo.export.maps.edits import given_back
from demo.mapping.edits.edit import EditsError
from demo.tables.map_formats import MAP_FORMATS, REGIONAL
from demo.worlds.parameters import ParameterError

SEED, VALUES = 3, {"gn": 4, "ln": 3, "poles": "any"}
# Across the 180th meridian.
AROUND = (175.0, -22.0, 4500.0)


@functools.cache
def region():
    return region_of(SEED, VALUES, AROUND)[0]


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """(the files of the whole planet, those of the region)."""
    made = map_planet(SEED, VALUES, threads=2), map_region(SEED, VALUES, region(), threads=2)
    out = tmp_path_factory.mktemp("whole"), tmp_path_factory.mktemp("region")
    for folder, planet in zip(out, made, strict=True):
        formats.write(folder, planet, REGIONAL, lambda part: None)
    return out


def test_heights_are_a_window_of_the_planets(folders):
    whole, part = (folder / "relief.tif" for folder in folders)
    with rasterio.open(whole) as planet, rasterio.open(part) as file:
        assert (file.width, file.height) == (region().columns, region().rows)
        assert file.res == planet.res and file.crs == planet.crs
        assert tuple(file.bounds) == (region().west, region().south, region().east, region().north)
        row, column = planet.index(file.bounds.left + 1e-9, file.bounds.top - 1e-9)
        every = np.concatenate([planet.read(1)] * 2, axis=1)
        np.testing.assert_array_equal(file.read(1), every[row : row + file.height, column : column + file.width])


@pytest.mark.parametrize("layer", ["landmasses", "lakes", "rivers", "coastlines", "catchments", "peaks"])
def test_layers_hold_what_the_planets_have_there(folders, layer):
    rows = [pyogrio.raw.read(folder / "world.gpkg", layer=layer, force_2d=False) for folder in folders]
    (_, _, planet, _), (meta, _, shapes, columns) = rows
    fields = meta["fields"].tolist()
    area = shapely.union_all([shapely.box(*box) for box in region().boxes])
    shapes, planet = shapely.from_wkb(shapes), shapely.from_wkb(planet)
    assert area.buffer(1e-9).covers(shapely.union_all(shapes)) and len(shapes)
    if layer == "peaks":
        assert {shape.wkb for shape in shapes} == {shape.wkb for shape in planet if area.covers(shape)}
        return
    by_id = dict(zip(rows[0][3][rows[0][0]["fields"].tolist().index("id")].tolist(), planet, strict=True))
    for number, cut, shape in zip(columns[fields.index("id")].tolist(), columns[fields.index("cut")], shapes, strict=True):
        assert cut or shape.equals_exact(by_id[number], 0.0)
        assert by_id[number].buffer(1e-9).intersection(area).buffer(1e-9).covers(shape)


def test_rhombi_are_those_that_touch_the_region(folders):
    _, _, shapes, _ = pyogrio.raw.read(folders[1] / "world.gpkg", layer="rhombi")
    area = shapely.union_all([shapely.box(*box) for box in region().boxes])
    rhombi = shapely.union_all(shapely.from_wkb(shapes))
    assert rhombi.buffer(1e-6).covers(area) and len(shapes) < 400


@pytest.mark.parametrize("name", ["world.osm.pbf", "world.osm"])
def test_osm_data_say_where_they_end(folders, name):
    box = osmium.io.Reader(str(folders[1] / name)).header().box()
    assert box.valid() and box.bottom_left.lat == pytest.approx(region().south, abs=1e-6)
    places = [(n.location.lon, n.location.lat) for n in osmium.FileProcessor(str(folders[1] / name)) if n.is_node()]
    assert places and all(region().widened(1).holds(place) for place in places)


def test_coasts_at_the_edge_are_not_closed_along_the_meridian(folders):
    tags = [dict(way.tags) for way in osmium.FileProcessor(str(folders[1] / "world.osm")) if way.is_way()]
    assert any(tag.get("natural") == "coastline" for tag in tags)
    assert not any("closure_segment" in tag for tag in tags)


def test_the_summary_says_which_region_it_is(folders):
    facts = json.loads((folders[1] / "summary.json").read_text())
    assert facts["region"] == {name: getattr(region(), name) for name in ("west", "south", "east", "north")}
    whole = json.loads((folders[0] / "summary.json").read_text())
    assert "region" not in whole and facts["code"] == whole["code"]


@pytest.mark.parametrize("name", ["world.gpkg", "world.osm", "world.osm.pbf"])
def test_no_edits_are_taken_from_a_region(folders, name):
    with pytest.raises(EditsError, match="is of a region: edits are laid on whole planets"):
        given_back.code_of(folders[1] / name)
    assert given_back.code_of(folders[0] / name) is not None


def test_what_no_region_can_have_is_refused():
    for name in MAP_FORMATS:
        if name not in REGIONAL:
            with pytest.raises(ParameterError, match=f"--region cannot be written as {name}"):
                formats.check_regional(["json", name])
    formats.check_regional(REGIONAL)


def test_a_region_with_too_many_points_is_refused():
    with pytest.raises(ParameterError, match="a region of 20000 km is too large for gn=7 with ln=10"):
        region_of(1, {"gn": 7, "ln": 10}, (0.0, 0.0, 20000.0))
