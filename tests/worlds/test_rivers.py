"""Rivers of carving against slow references: a brute-force flood and incision in Python's own numbers, on every atlas."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from demo.worlds.atlas import ATLASES
from demo.worlds.carving.carver import Carver, Forces
from demo.worlds.carving.kernels import DEGREE, LAND, OUTSIDE
from demo.worlds.carving.node_graph import node_graph

EACH_ATLAS = pytest.mark.parametrize("atlas", ATLASES.values(), ids=lambda atlas: atlas.name)


def ways(nodes, p):
    """(neighbour, 1 / distance) of a node, but those outside a plane."""
    found, row = [], 0 if nodes.row else p
    for k in range(DEGREE):
        q = p + nodes.table[nodes.ways[row] + k]
        near = nodes.nearness[nodes.begins[row] + k]
        if q != p and nodes.place[q] != OUTSIDE:
            found.append((int(q), float(near)))
    return found


@EACH_ATLAS
@settings(max_examples=20, deadline=None)
@given(n=st.integers(2, 7), seed=st.integers(0, 2**32 - 1), share=st.floats(0.0, 1.0), steps=st.integers(1, 30))
def test_water_stands_as_high_as_a_brute_force_flood_says(atlas, n, seed, share, steps):
    """Heights of few values: flats, ties, lakes within lakes. The level of a node is the least that lets its water out."""
    random, nodes = np.random.default_rng(seed), node_graph(atlas, n)
    height = np.where(random.random(nodes.count) < share, random.integers(1, 1 + steps, nodes.count), -1.0)
    work = Carver(nodes, height.astype(np.float32), 0.0, 0.0, seed)
    work.drain(0, np.ones(nodes.count, np.float32))
    land = work.kind == LAND
    level = np.where(land, math.inf, np.maximum(height, 0.0))
    if nodes.row == 0 and not (height <= 0.0).any():
        level[np.argmin(height)] = height.min()
    changed = True
    while changed:
        changed = False
        for p in np.flatnonzero(land):
            new = max(height[p], min(level[q] for q, _ in ways(nodes, p)))
            changed, level[p] = changed or new < level[p], min(new, level[p])
    assert np.array_equal(np.maximum(work.height, work.level)[land], level[land])
    # Each node's water goes to a neighbour, and none of it is lost on the way to the sea.
    assert all(work.receiver[p] in [q for q, _ in ways(nodes, p)] for p in np.flatnonzero(land))
    arrived = work.flow[~land & (nodes.place != OUTSIDE)].sum()
    if (~land & (nodes.place != OUTSIDE)).any():
        assert arrived >= nodes.area[land].sum(dtype=np.float64) * (1.0 - 1e-6)


def hill(nodes, seed):
    """Heights without depressions, float64 (nodes,): by the count of steps from the sea, which is every twentieth node."""
    random = np.random.default_rng(seed)
    coast = (random.random(nodes.count) < 0.05) & (nodes.place != OUTSIDE)
    far, front = np.where(coast, 0, -1), list(np.flatnonzero(coast))
    for p in front:
        for q, _ in ways(nodes, p):
            if far[q] < 0:
                far[q] = far[p] + 1
                front.append(q)
    return np.where(far > 0, 0.1 * (far + random.uniform(0.0, 0.4, nodes.count)), -0.1)


@EACH_ATLAS
def test_rivers_cut_as_a_slow_reference_in_float64_does(atlas):
    nodes = node_graph(atlas, 15)
    random, height = np.random.default_rng(2), hill(nodes, 2)
    soft, rain = (random.uniform(0.5, 1.5, nodes.count).astype(np.float32) for _ in range(2))
    work = Carver(nodes, height.astype(np.float32), 0.0, 0.0, 3)
    work.step(0, 0.5, Forces(np.zeros_like(soft), soft, 0.4, rain, 1e9, 0.0, settling=0.0))
    land = np.flatnonzero(work.kind == LAND)
    downstream = sorted(land, key=lambda p: -height[p])
    water = {p: float(rain[p]) * float(nodes.area[p]) for p in land}
    for p in downstream:
        if work.receiver[p] in water:
            water[work.receiver[p]] += water[p]
    expected, cut = height.copy(), 0.0
    for p in reversed(downstream):
        r = work.receiver[p]
        near = dict(ways(nodes, p))[r]
        f = float(soft[p]) * 0.4 * 0.5 * water[p] ** (7.0 / 16.0) * near
        expected[p] = (height[p] + f * max(expected[r], 0.0)) / (1.0 + f)
        cut += (height[p] - expected[p]) * float(nodes.area[p])
    assert (height[land] > height[work.receiver[land]]).all()
    assert (height - expected)[land].max() > 0.01
    np.testing.assert_allclose(work.height[land], expected[land], rtol=2e-6)
    assert work.budget.cut == pytest.approx(cut, rel=1e-5)
