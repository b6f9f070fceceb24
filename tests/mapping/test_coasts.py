"""Coasts: none crosses itself, and all are as winding, however fine or coarse the meshes are."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("shapely")

import shapely

from benchmarks.coasts import coast_dimension, walked_km
from benchmarks.map_stages import coasts_of, lakes_of, shores_of, stages_of
from demo.catalogue.maps import map_planet
from demo.mapping.local.thin_kernels import touches_itself
from demo.mapping.objects import outlines


@pytest.mark.parametrize("ln", [1, 2, 3, 4, 5])
def test_no_coast_crosses_itself(ln):
    """Also where lines are thinned part by part, from ln=4 on; among them are planets on which that went wrong."""
    for gn, seeds in ((2, range(1, 25)), (3, range(1, 19)), (4, range(1, 5))):
        for seed in seeds:
            stages = stages_of(seed, {"gn": gn, "ln": ln, "poles": "any" if seed % 2 else "ocean"})
            lines = [outlines.unwrapped(outlines.closed(ring.vertices)) for ring in shores_of(stages)]
            assert all(shapely.LineString(line).is_simple for line in lines), (gn, seed)
            shores = [polygon for lake in lakes_of(stages) for polygon in lake]
            assert all(shapely.Polygon(shore[0], shore[1:]).is_valid for shore in shores), (gn, seed)


def test_a_line_that_touches_itself_is_found():
    """Where thinning makes such a line, the shore keeps all its vertices: it happens on few planets."""
    bow = np.array([[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.5, -1.0]])
    assert touches_itself(bow, 0, len(bow) - 1) and not touches_itself(bow, 0, len(bow) - 2)
    assert not touches_itself(bow, 2, len(bow) - 1)
    touching = np.array([[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 0.0]])
    assert touches_itself(touching, 0, len(touching) - 1)


def test_coasts_of_a_map_are_those_of_its_stages():
    """What other tests find of the stages holds for maps."""
    parameters = {"gn": 4, "ln": 4}
    stages, made = stages_of(6, parameters), map_planet(6, parameters)
    assert len(made.coastlines) == len(coasts_of(stages)) > 20
    for coast, ring in zip(made.coastlines, coasts_of(stages), strict=True):
        whole = {tuple(place) for line in coast.lines for place in line if abs(place[0]) < 180.0}
        assert whole == set(map(tuple, ring.vertices))
    assert len(made.lakes) > 3
    for lake, polygons in zip(made.lakes, lakes_of(stages), strict=True):
        assert all((a == b).all() for a, b in zip(lake.polygons[0], polygons[0], strict=True))


def test_a_ruler_walks_a_line():
    corner = np.array([[0.0, 0.0, 0.0], [3.0, 0.0, 0.0], [3.0, 4.0, 0.0]])
    assert walked_km(corner, 1.0) == pytest.approx(7.0)
    assert walked_km(corner, 5.0) == pytest.approx(5.0)
    assert walked_km(corner, 9.0) == pytest.approx(5.0)


def test_coasts_are_as_winding_by_local_levels_as_by_global_ones():
    """Between 20 and 300 km, those of real coasts of the rougher kind."""
    local, by_globe = coast_dimension([12], 5, 5), coast_dimension([12], 7, 3)
    assert 1.15 < local < 1.3 and 1.15 < by_globe < 1.3 and abs(local - by_globe) < 0.07
