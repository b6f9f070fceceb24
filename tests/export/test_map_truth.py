"""A whole map, written and read back from outside: its files agree with each other."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

pytest.importorskip("osmium")
pytest.importorskip("pyogrio")
pytest.importorskip("rasterio")
pytest.importorskip("shapely")

from support import map_oracle
from support.map_planets import planet_map

from demo.export.maps import formats

# Land over a pole and over the 180th meridian, inland seas with islands.
PLANET = "land at the poles"


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    out = tmp_path_factory.mktemp("truth") / "out"
    formats.write(out, planet_map(PLANET), ("pbf", "osm", "gpkg", "tif"), lambda part: None)
    return out


@pytest.mark.skipif(not shutil.which("osmcoastline"), reason="osmcoastline is not installed")
@pytest.mark.parametrize("name", ["world.osm.pbf", "world.osm"])
def test_osmcoastline_makes_the_land_of_the_coast(folder, name):
    """Debian's tool, with which openstreetmap.org makes its land polygons."""
    wrong, land_km2 = map_oracle.land_of_osmcoastline(folder / name)
    assert wrong == 0
    assert land_km2 == pytest.approx(map_oracle.land_km2(folder), rel=5e-3)
