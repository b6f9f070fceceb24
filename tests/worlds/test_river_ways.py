"""Courses of rivers on carved land: where they run, what they end in, and that they fall."""

from __future__ import annotations

import numpy as np
import pytest

from demo.catalogue.generators import GENERATORS
from demo.flight.valleys import LEAST_SHARE, stems_of
from demo.ground.detail import detail_of
from demo.ground.ground import Ground
from demo.ground.river_bends import height_at, smooth_at
from demo.ground.rivers import calmed, river_parts, way_parts
from demo.maths.vectors import lengths
from demo.worlds.carving.parts import Parts
from demo.worlds.carving.river_ways import LEAST_M3_S, RIVER, Courses, courses_of

SEED, SIZE_M, METRES = 5, 400_000.0, 20_000.0
WORLDS = {
    "plane": ("plasma", {"cells": 64, "carve": 1.0}),
    "cube": ("cuts", {"cells": 32, "cuts": 300, "carve": 1.0}),
    "latlong": ("cuts", {"cells": 32, "cuts": 300, "carve": 1.0, "atlas": "latlong"}),
    "doublecone": ("cuts", {"cells": 32, "cuts": 300, "carve": 1.0, "atlas": "doublecone"}),
}


@pytest.fixture(scope="module", params=WORLDS)
def world(request):
    """(courses, rivers, ground, runoff) of a small carved world."""
    name, given = WORLDS[request.param]
    generator = GENERATORS[name]

    def grow():
        return generator.grow(SEED, generator.complete(given))

    growth = grow()
    growth.advance(growth.stages["grown"])
    growth.again(grow, [])
    growth.advance(growth.total)
    metres = METRES / 10.0 / float(growth.heights.max() - growth.sea_level)
    heights_m = (growth.heights - np.float32(growth.sea_level)) * np.float32(metres)
    detail = calmed(detail_of(growth.atlas, heights_m, SIZE_M, SEED), growth.runoff)
    ground = Ground(growth.atlas, detail.heights_m, SIZE_M, detail)
    courses = courses_of(growth.runoff, lambda place: smooth_at(place, ground), growth.atlas, SIZE_M, metres)
    return (
        Parts(way_parts(courses, ground, SEED)).result()[0].courses,
        Parts(river_parts(courses, ground, SEED)).result(),
        ground,
        growth.runoff,
    )


def test_rivers_never_rise_and_widen_downstream(world):
    courses, rivers, _, _ = world
    assert len(courses) > 5
    for k in range(len(courses)):
        line = courses.line(k)
        assert (np.diff(rivers.level_m[line]) <= 0.0).all() and (rivers.level_m[line] >= 0.0).all()
        assert (np.diff(rivers.flow_m3_s[line]) >= 0.0).all()
    half, flow = rivers.half_m, rivers.flow_m3_s
    low, high = np.percentile(flow, (30, 90))
    assert half[flow >= high].mean() > 1.2 * half[flow <= low].mean()


def test_a_tributary_ends_on_its_river_and_at_its_level(world):
    courses, rivers, _, _ = world
    last = courses.first[1:] - 1
    joins = courses.end == RIVER
    assert joins.any() and ((courses.joined >= 0) == joins).all()
    ends, joined = last[joins], courses.joined[joins]
    np.testing.assert_allclose(rivers.place[ends], rivers.place[joined], atol=1e-9)
    np.testing.assert_allclose(rivers.level_m[ends], rivers.level_m[joined], atol=1e-3)
    assert (rivers.flow_m3_s[joined] >= rivers.flow_m3_s[ends]).all()


def test_rivers_jump_over_no_seam(world):
    courses, rivers, ground, _ = world
    step = lengths(np.diff(rivers.place, axis=0)) * SIZE_M
    within = np.ones(len(step), bool)
    within[courses.first[1:-1] - 1] = False
    assert step[within].max() < 0.5 * ground.cell_m


def test_rivers_lie_below_the_ground_beside_them(world):
    """On a ridge, the ground would fall away to both sides."""
    courses, rivers, ground, _ = world
    last = np.isin(np.arange(len(rivers.place)), courses.first[1:] - 1)
    at = np.flatnonzero(~last & (rivers.shown >= 1.0) & (rivers.level_m > 0.02 * ground.highest_m))
    along = rivers.place[at + 1] - rivers.place[at]
    up = rivers.place[at] if ground.atlas.spherical else np.broadcast_to([0.0, 1.0, 0.0], along.shape)
    across = np.cross(up, along)
    across *= 0.5 * ground.cell_m / SIZE_M / np.maximum(lengths(across), 1e-12)[:, None]
    sides = [smooth_at(rivers.place[at] + side * across, ground) for side in (-1.0, 1.0)]
    assert (np.maximum(*sides) > rivers.level_m[at]).mean() > 0.85


def test_no_river_hangs_in_the_air(world):
    """On the ground of a few octaves alone it would, above hollows of the others."""
    courses, rivers, ground, _ = world
    seen = (rivers.shown > 0.1) & (rivers.level_m > 0.0) & (courses.lake_m == -np.inf)
    high = height_at(rivers.place[seen], ground, ground.detail.octaves)
    assert seen.sum() > 100 and (high < rivers.level_m[seen] - 1.0).mean() < 0.01


def test_no_river_breaks_off(world):
    """Once a river is seen it goes on to the sea, or to what it joins, which is seen there."""
    courses, rivers, _, _ = world
    goes_on = np.append(np.arange(1, len(rivers.place)), -1)
    goes_on[courses.first[1:] - 1] = courses.joined
    seen = np.flatnonzero((rivers.shown > 0.1) & (goes_on >= 0))
    assert len(seen) > 100 and ((rivers.shown[goes_on] > 0.0) | (rivers.level_m[goes_on] <= 0.0))[seen].all()


def test_nodes_without_rivers_are_not_needed(world):
    """What draws rivers and what flies along them find the same among those with rivers alone."""
    _, _, ground, runoff = world
    few = runoff.of_rivers(0.9 * min(LEAST_M3_S / runoff.m3_s(SIZE_M), LEAST_SHARE * runoff.flow[runoff.land].max()))
    assert 10 < len(few.land) < 0.7 * len(runoff.land)
    metres = METRES / 10.0 / float(ground.heights_m.max())
    eyes = ground.atlas.place(np.zeros(1, np.intp), np.array([0.3]), np.array([0.6])) * 1.02 * SIZE_M
    for asked in (None, eyes):
        one, other = (
            courses_of(some, lambda place: smooth_at(place, ground), ground.atlas, SIZE_M, metres, asked)
            for some in (runoff, few)
        )
        assert len(one)
        for name in Courses.__dataclass_fields__:
            assert np.array_equal(getattr(one, name), getattr(other, name)), name
    stems = [stems_of(some, ground.atlas) for some in (runoff, few)]
    assert len(stems[0]) == len(stems[1]) and stems[0]
    assert all(np.array_equal(one, other) for one, other in zip(*stems, strict=True))
