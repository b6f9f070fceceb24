"""Coasts: none crosses itself, and all are as winding, however fine or coarse the meshes are."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("shapely")

import shapely

from benchmarks.coasts import coast_dimension, walked_km
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


def test_a_ruler_walks_a_line():
    corner = np.array([[0.0, 0.0, 0.0], [3.0, 0.0, 0.0], [3.0, 4.0, 0.0]])
    assert walked_km(corner, 1.0) == pytest.approx(7.0)
    assert walked_km(corner, 5.0) == pytest.approx(5.0)
    assert walked_km(corner, 9.0) == pytest.approx(5.0)


def test_coasts_are_as_winding_by_local_levels_as_by_global_ones():
    """Between 20 and 300 km, those of real coasts of the rougher kind."""
    local, by_globe = coast_dimension([12], 5, 5), coast_dimension([12], 7, 3)
    assert 1.15 < local < 1.3 and 1.15 < by_globe < 1.3 and abs(local - by_globe) < 0.07
