"""OpenStreetMap files of maps, as programs that make maps of them read them: GDAL's OSM driver and tilemaker."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections import Counter
from pathlib import Path

import pytest

pytest.importorskip("osmium")
pytest.importorskip("pyogrio")
pytest.importorskip("shapely")

import osmium
import pyogrio
from support.map_planets import planet_map

from benchmarks import map_oracle
from demo.export.maps import formats

# Inland seas with islands, land over the 180th meridian and at a pole.
PLANET = "land at the poles"

LAYERS = {"peaks": "natural=peak", "rivers": "waterway=river", "waters": "natural=water"}
ZOOMS = {"minzoom": 0, "maxzoom": 2}
CONFIG = {
    "layers": dict.fromkeys(LAYERS, ZOOMS),
    "settings": ZOOMS
    | {"basezoom": 2, "include_ids": False, "compress": "gzip", "name": "", "version": "", "description": ""},
}
PROCESS = """
node_keys = {"natural"}
way_keys = {"natural", "waterway"}
function init_function() end
function exit_function() end
function node_function(node)
  if node:Find("natural") == "peak" then node:Layer("peaks", false) node:Attribute("name", node:Find("name")) end
end
function way_function(way)
  if way:Find("waterway") == "river" then way:Layer("rivers", false) way:Attribute("name", way:Find("name")) end
  if way:Find("natural") == "water" then way:Layer("waters", true) way:Attribute("name", way:Find("name")) end
end
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    out = tmp_path_factory.mktemp("readers") / "out"
    formats.write(out, planet_map(PLANET), ("pbf", "gpkg"), lambda part: None)
    return out


@pytest.fixture(scope="module")
def written(folder) -> Counter[str]:
    """How many nodes, ways and relations of each layer there are; a relation of a river is one of ways that count."""
    found: Counter[str] = Counter()
    for thing in osmium.FileProcessor(folder / "world.osm.pbf"):
        for name, tag in LAYERS.items():
            key, value = tag.split("=")
            found[name] += thing.tags.get(key) == value and (name == "waters" or not thing.is_relation())
    assert all(found.values())
    return found


def test_gdals_driver_for_openstreetmap_finds_every_object_whole(folder, written):
    """Peaks as points, rivers as lines, and waters as polygons of the right area, without a word of complaint."""
    file = folder / "world.osm.pbf"
    peaks = pyogrio.raw.read(file, layer="points", where="""other_tags LIKE '%"natural"=>"peak"%'""")[2]
    rivers = pyogrio.raw.read(file, layer="lines", where="waterway = 'river'")[2]
    waters = pyogrio.raw.read(file, layer="multipolygons", where="natural = 'water'")[2]
    assert {"peaks": len(peaks), "rivers": len(rivers), "waters": len(waters)} == dict(written)
    drawn = map_oracle.area_km2(map_oracle.shapely.from_wkb(waters)).sum()
    # Sea 0 is the ocean, which is what the coastlines leave.
    lakes, seas = (map_oracle.area_km2(map_oracle.layer(folder, name)[0]) for name in ("lakes", "seas"))
    assert drawn == pytest.approx(lakes.sum() + seas[1:].sum(), rel=5e-3)
    if shutil.which("ogrinfo"):
        done = subprocess.run(["ogrinfo", "-q", file, "multipolygons"], capture_output=True, text=True)
        assert done.returncode == 0 and not done.stderr


@pytest.mark.skipif(not shutil.which("tilemaker"), reason="tilemaker is not installed")
def test_tilemaker_makes_tiles_of_every_object(folder, written, tmp_path):
    """Debian's tool, which makes vector tiles of OpenStreetMap's files: it draws all, with names."""
    (tmp_path / "config.json").write_text(json.dumps(CONFIG))
    (tmp_path / "process.lua").write_text(PROCESS)
    made = tmp_path / "tiles.mbtiles"
    words = ["--input", folder / "world.osm.pbf", "--output", made]
    words += ["--config", tmp_path / "config.json", "--process", tmp_path / "process.lua", "--threads", "1"]
    done = subprocess.run(["tilemaker", *map(str, words)], capture_output=True, text=True)
    said = done.stdout + done.stderr
    assert done.returncode == 0 and not re.search("error|warning|invalid|fail", said, re.IGNORECASE), said
    counts = re.search(r"Generated points: (\d+), lines: (\d+), polygons: (\d+)", said)
    assert counts and list(map(int, counts.groups())) == [written[name] for name in LAYERS], said
    # Zoom 0 is one tile: finer ones lack what lies on a tile's edge, such as the equator.
    names = set(pyogrio.raw.read(made, layer="peaks", columns=["name"], ZOOM_LEVEL=0)[3][0])
    assert names == {peak.name for peak in planet_map(PLANET).peaks if abs(peak.point[1]) < 85.0}
