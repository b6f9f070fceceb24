"""Ice of carving: troughs, fjords, volumes, and that it is where it is cold."""

from __future__ import annotations

import numpy as np
import pytest

from demo.catalogue.generators import generator
from demo.worlds.atlas import PLANE
from demo.worlds.carving.carver import SETTLING, Carver, Forces
from demo.worlds.carving.ice import Ice
from demo.worlds.carving.node_graph import node_graph
from demo.worlds.climate.temperature import sea_level_c

N = 97


def valley():
    """A plane with one straight valley of slopes like a V, float32 (1, N, N), down to a sea at 0 in its first rows."""
    z, x = np.mgrid[0:N, 0:N] / (N - 1)
    heights = 0.002 + 0.1 * np.maximum(z - 0.1, 0.0) + 0.25 * np.abs(x - 0.5) * np.clip(4.0 * (z - 0.1), 0.0, 1.0)
    heights[z < 0.1] = -0.01
    return heights.astype(np.float32)[None]


def carved(ice, steps=16, cut=0.0, settling=SETTLING):
    nodes = node_graph(PLANE, N)
    work = Carver(nodes, nodes.of_samples(valley()), 0.0, 0.0, 1)
    count = np.ones(nodes.count, np.float32)
    glaciers = Ice(nodes, ice, np.full(nodes.count, 0.01, np.float32), 50.0, 0.12) if ice else None
    forces = Forces(0.001 * count, count, cut, count, 0.5, 0.002, settling, ice=glaciers)
    for number in range(steps):
        work.step(number, 1.0 / steps, forces)
    return work


def fullness(heights):
    """The mean height of a cross section between its floor and the valley's edges: a half for a V, less for a U."""
    across = heights[0, N // 2, N // 2 - 18 : N // 2 + 19].astype(np.float64)
    return (across.mean() - across.min()) / (across[[0, -1]].mean() - across.min())


def test_ice_makes_a_trough_of_a_valley():
    # What rivers lay down in it would hide what ice has cut.
    ice, rivers = carved(1.0, settling=0.1), carved(0.0, cut=0.2, settling=0.1)
    assert fullness(valley()) == pytest.approx(0.5, abs=0.05)
    assert fullness(rivers.nodes.to_samples(rivers.height)) > 0.45
    assert fullness(ice.nodes.to_samples(ice.height)) < 0.46


def test_the_sea_comes_in_where_a_glacier_meets_it():
    ice, rivers = (work.nodes.to_samples(work.height)[0] for work in (carved(1.0), carved(0.0, cut=0.2)))
    land = valley()[0] > 0.0
    assert (rivers[land] > 0.0).all()
    drowned = land & (ice <= 0.0)
    assert drowned[:, N // 2].sum() >= 5 and drowned.sum() < 0.15 * land.sum()
    # The fjord is one water with the sea: its way out is open.
    rows = np.flatnonzero(drowned[:, N // 2])
    assert rows[0] == np.flatnonzero(land[:, N // 2])[0] and (np.diff(rows) == 1).all()


def test_volumes_balance_with_ice():
    work = carved(1.0, cut=0.2)
    before = work.nodes.of_samples(valley()).astype(np.float64)
    gained = ((work.height.astype(np.float64) - before) * work.nodes.area).sum()
    assert work.budget.cut > 0.0
    assert gained == pytest.approx(work.budget.raised - work.budget.lost, abs=1e-5 * work.budget.cut)


def test_ice_carves_where_it_is_cold_and_nowhere_else():
    given = {"cells": 96, "carve": 0.5}
    growth = generator("simplex").grow(3, given)
    growth.advance(growth.total)
    icy = generator("simplex").world(3, {**given, "ice": 1.0}).heights
    latitude, land = np.abs(growth.atlas.positions(growth.n)[..., 1]), growth.heights > growth.sea_level
    moved = np.abs(icy - growth.heights)
    polar, tropical = land & (latitude > 0.8), land & (latitude < 0.2)
    assert moved[polar].mean() > 4.0 * moved[tropical].mean()
    assert (icy[land] <= growth.sea_level).any(), "there are fjords"
    # Glaciers of high mountains may come down to the sea a little outside the cold belts.
    assert (latitude[land & (icy <= growth.sea_level)] > 0.3).all()


def test_terrains_are_warm_or_cold_by_their_seeds():
    found = {float(sea_level_c(PLANE, np.zeros((1, 3)), seed)[0]) for seed in range(20)}
    assert len(found) == 20 and max(found) - min(found) > 4.0
