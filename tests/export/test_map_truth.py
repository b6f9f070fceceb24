"""A whole map, written and read back from outside: its files agree with each other."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("osmium")
pytest.importorskip("pyogrio")
pytest.importorskip("rasterio")
pytest.importorskip("shapely")

import osmium
from support.map_planets import planet_map

from benchmarks import map_oracle
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


def test_rivers_fall_in_the_raster(folder):
    seen = map_oracle.climbs(folder)
    assert seen.part_over_10_m < 0.02 and seen.over_100_m == 0 and seen.great_over_10_m == 0


def test_attributes_agree_with_geometry_and_relief(folder):
    wrong = map_oracle.disagreements(folder)
    assert not any(wrong.values()), wrong


def test_peaks_are_the_highest_ground_around_them():
    planet = planet_map(PLANET)
    step = 90.0 / 2 ** (planet.gn + planet.ln)
    side = step * np.linspace(-1.0, 1.0, 5)
    for peak in planet.peaks:
        east = side[:, None] / max(np.cos(np.radians(peak.point[1])), 0.05)
        near = planet.relief.sample(peak.point[0] + east, np.clip(peak.point[1] + side, -90.0, 90.0))
        near = near[np.hypot(*np.broadcast_arrays(side[:, None], side)) <= 0.8 * step]
        assert near.max() <= peak.height_m + 0.5


def test_rivers_fall_on_the_exact_relief():
    """The lowest of a lake's bed at its shore is no part of a river that leaves it."""
    planet = planet_map(PLANET)
    for river in planet.rivers:
        place = np.concatenate(river.lines)[1 if river.source_lake >= 0 else 0 :]
        ground = planet.relief.sample(place[:, 0], place[:, 1])
        assert (ground - np.minimum.accumulate(ground)).max() <= 1.0
        assert ground[-1] < ground[0] or len(ground) == 2


def test_ground_within_lakes_is_under_their_level(folder):
    assert map_oracle.wet_share(folder) > 0.99


def test_rivers_run_through_lakes_as_one_relation(folder):
    """In OpenStreetMap's file a stem is one relation of one name; its ways are in no other."""
    members, named = [], {}
    for thing in osmium.FileProcessor(folder / "world.osm.pbf"):
        if thing.is_relation() and thing.tags.get("waterway") == "river":
            members += [member.ref for member in thing.members]
            named |= {member.ref: thing.tags.get("name", "") for member in thing.members}
    assert len(members) == len(set(members)) > 0
    for thing in osmium.FileProcessor(folder / "world.osm.pbf"):
        if thing.is_way() and thing.id in named:
            assert thing.tags.get("name", "") == named[thing.id]
    planet = planet_map(PLANET)
    assert len({river.stem_id for river in planet.rivers}) < len(planet.rivers)
