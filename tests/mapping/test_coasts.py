"""Coasts as other programs take them: none crosses itself, however fine or coarse the meshes are."""

from __future__ import annotations

import pytest

pytest.importorskip("shapely")

import shapely

from demo.catalogue.maps import map_planet


@pytest.mark.parametrize("ln", [1, 2, 3, 4, 5])
def test_no_coast_crosses_itself(ln):
    """Also where lines are thinned part by part, from ln=4 on; among them are planets on which that went wrong."""
    for gn, seeds in ((2, range(1, 25)), (3, range(1, 19)), (4, range(1, 5))):
        for seed in seeds:
            planet = map_planet(seed, {"gn": gn, "ln": ln, "poles": "any" if seed % 2 else "ocean"})
            lines = [line for coast in planet.coastlines for line in coast.lines]
            assert all(shapely.LineString(line).is_simple for line in lines), (gn, seed)
            shores = [polygon for lake in planet.lakes for polygon in lake.polygons]
            assert all(shapely.Polygon(shore[0], shore[1:]).is_valid for shore in shores), (gn, seed)
