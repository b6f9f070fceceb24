"""Deposits: gravel where rivers are steep, silt where they are flat and in the sea before them, salt in dry basins."""

import numpy as np
import pytest

from demo.ground.deposits import GRAVEL, SALT, SILT, STEEP, deltas, grains, salts, silt_parts, slopes
from demo.worlds.atlas import CUBE, PLANE
from demo.worlds.carving.carver import Carver
from demo.worlds.carving.lattice import SHELF
from demo.worlds.carving.node_graph import node_graph
from demo.worlds.carving.parts import Parts

N = 65


def drained(height):
    """A carver of a terrain, heights (N, N), whose water has run off."""
    nodes = node_graph(PLANE, N)
    carver = Carver(nodes, nodes.of_samples(height.astype(np.float32)[None], outside=0.0), 0.0, 0.0, 3)
    carver.drain(0, np.ones(nodes.count, np.float32))
    return carver


def slope_to_the_sea(fall):
    """A valley that falls evenly along z to the sea of the last quarter."""
    z, x = np.mgrid[0:N, 0:N] / (N - 1) - 0.5
    return np.where(z < 0.25, fall * (0.25 - z) + 0.1 * np.abs(x) + 1e-4, -0.1)


@pytest.mark.parametrize("spherical", (False, True))
def test_gravel_lies_where_it_is_steep_and_salt_where_there_is_some(spherical):
    low, high = STEEP[spherical]
    steep, salt = np.array([0.0, low, high, 9.0, 9.0], np.float32), np.array([0.0, 0.0, 0.0, 0.0, 1.0], np.float32)
    np.testing.assert_allclose(grains(steep, salt, spherical), [SILT, SILT, GRAVEL, GRAVEL, SALT], atol=1e-6)


def test_slopes_are_those_of_the_land():
    found = drained(slope_to_the_sea(0.5))
    steep = found.nodes.to_samples(slopes(found, 1.0, 1.0 / (N - 1)))[0]
    assert steep[10:40, N // 2] == pytest.approx(0.5, rel=0.25)
    assert steep[N - 10 :].max() < 1e-6, "water that stands does not fall"


def test_a_basin_has_salt_where_it_is_dry_and_none_by_the_sea():
    z, x = np.mgrid[0:N, 0:N] / (N - 1) - 0.5
    hollow = 0.3 - 0.25 * np.exp(-((x**2 + z**2) / 0.01))
    height = np.where(np.maximum(abs(x), abs(z)) > 0.45, -0.1, hollow)
    found = drained(height)
    dry, wet = (np.full(found.nodes.count, value, np.float32) for value in (0.1, 0.6))
    salt = found.nodes.to_samples(salts(found, dry, 0.3))[0]
    assert salt[N // 2, N // 2] == 1.0 and salt[8, N // 2] < 0.01
    assert salts(found, wet, 0.3).max() == 0.0
    # The same basin, as low as a lagoon.
    low = drained(np.where(height > 0.0, SHELF * height, height))
    assert salts(low, dry, 0.3).max() == 0.0


def test_a_delta_is_low_ground_of_deposits():
    found = drained(slope_to_the_sea(0.5))
    laid = np.ones(found.nodes.count, np.float32)
    delta = found.nodes.to_samples(deltas(found, laid, 50.0))[0]
    coast = int(0.75 * (N - 1))
    assert delta[coast - 3, N // 2] > 0.9 and delta[5, N // 2] == 0.0 and delta[coast + 3 :].max() == 0.0
    assert deltas(found, 0.0 * laid, 50.0).max() == 0.0


def test_silt_drifts_before_the_mouth_of_a_large_river_and_of_no_brook():
    found = drained(slope_to_the_sea(0.5))
    large = float(found.flow[found.kind == 3].max())
    silt = found.nodes.to_samples(Parts(silt_parts(found, large)).result())[0]
    coast = int(0.75 * (N - 1)) + 2
    assert 0.5 < silt[coast, N // 2] <= 1.0
    assert silt[coast, 3] < 0.7 * silt[coast, N // 2] and silt[-2, N // 2] < silt[coast, N // 2]
    less = found.nodes.to_samples(Parts(silt_parts(found, 1e4 * large)).result())[0]
    assert less.max() < 0.05


def test_silt_is_the_same_on_all_faces_of_a_planet():
    nodes = node_graph(CUBE, 17)
    xyz = nodes.places(CUBE)
    carver = Carver(nodes, np.where(xyz[:, 0] > -0.2, 0.3 + xyz[:, 0], -0.2).astype(np.float32), 0.0, 0.0, 5)
    carver.drain(0, np.ones(nodes.count, np.float32))
    silt = Parts(silt_parts(carver, 0.01)).result()
    assert silt.max() > 0.2 and silt[xyz[:, 0] < -0.95].max() < silt.max()
