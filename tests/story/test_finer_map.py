"""A map that is finer than the samples of its scene: its relief is there once the flight begins, wherever that goes low."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from support.showing import story_of

from demo.ground.relief_blocks import share_of
from demo.mapping.local.fine_mesh import strip_of
from demo.mapping.local.planet_mesh import fine_mesh_of
from demo.worlds.doublecone.global_mesh import to_faces

pytestmark = pytest.mark.usefixtures("plain_flights")

SIZES = {"gn": 6, "ln": 3, "finest": 8}


@pytest.fixture(scope="module")
def story():
    made = story_of("map", seed=2, **SIZES)
    made.prepare()
    return made


def test_the_birth_is_that_of_the_samples_and_the_flight_has_more(story):
    born, flown = story.born, story.carved
    assert born.ground.detail.blocks is None and born.rivers is None
    assert flown.ground.detail.blocks.levels == 1 and flown.rivers is not None
    assert np.array_equal(born.ground.heights_m, flown.ground.heights_m)
    begins_s = story.scene.grown_s
    assert story.known_at(begins_s - 0.1).ground is born.ground and story.known_at(begins_s) is flown
    for t in (0.0, 12.0, begins_s):
        assert np.array_equal(born.flight.pose(t).position, flown.flight.pose(t).position)
        assert np.array_equal(born.flight.pose(t).forward, flown.flight.pose(t).forward)
        assert np.array_equal(born.daylight.sun_at(t), flown.daylight.sun_at(t))
        assert born.daylight.exposure(t) == flown.daylight.exposure(t)
    assert born.map.rivers is None and born.map.middle == flown.map.middle


def test_a_map_is_born_before_the_cover_of_its_land_is_known():
    story = story_of("map", seed=3, **SIZES)
    while story.born is None:
        story.work()
    rains_s = story.scene.map_timing.rain[0]
    assert story.is_prepared_at(rains_s - 0.1) and not story.is_prepared_at(rains_s)
    story.begin()
    while not story.is_prepared_at(rains_s):
        assert story.carved is None
        if story.replay.wants_work():
            story.advance(1000.0)
            assert story.t < rains_s
        story.work()
    assert story.known_at(rains_s).cover is not None
    story.uploaded(rivers=False, cover=True, lamps=False)
    assert story.known_at(rains_s).cover is None and story.is_prepared_at(rains_s)


def test_near_the_flight_the_ground_is_the_local_mesh(story):
    ground = story.carved.ground
    blocks = ground.detail.blocks
    growth = story.scene.generator.grow(2, story.parameters)
    growth.advance(growth.total)
    waters = growth.waters
    finer = waters.finer
    mesh = fine_mesh_of(finer.planet, finer.ln, finer.waters, finer.neighbour)
    fine = to_faces(strip_of(mesh, 0, 2 * mesh.cells).heights_m, mesh.fine_cells) * np.float32(story.carved.metres)
    # Between samples that blocks cover wholly, away from rivers and lakes.
    whole = (share_of(blocks.number, growth.n) == 1.0) & (waters.dry == 1.0)
    face, row, column = np.nonzero(whole[:, :-1, :-1] & whole[:, 1:, :-1] & whole[:, :-1, 1:] & whole[:, 1:, 1:])
    assert len(face) > 50
    j, i = 2 * row + 1, 2 * column + 1
    u, v = i / mesh.fine_cells, j / mesh.fine_cells
    plain = replace(ground.detail, rough_m=np.zeros_like(ground.detail.rough_m))
    apart = np.abs(plain.height(face, u, v) - fine[face, j, i])
    before = np.abs(replace(plain, blocks=None).height(face, u, v) - fine[face, j, i])
    assert apart.max() < 1.0 < 20.0 < np.sqrt((before**2).mean())


def test_the_flight_stays_above_what_is_known_of_the_ground(story):
    begins_s, end_s = story.scene.grown_s, story.scene.birth_s + story.scene.flight_s
    eyes = np.stack([story.carved.flight.pose(t).position for t in np.arange(begins_s, end_s, 0.5)])
    assert story.carved.ground.clearance(eyes).min() > 1000.0


def test_the_same_again_is_the_same(story):
    again = story_of("map", seed=2, **SIZES)
    again.prepare()
    one, two = (found.carved.ground.detail.blocks for found in (story, again))
    assert np.array_equal(one.number, two.number) and np.array_equal(one.rise_m, two.rise_m)


def test_a_map_that_is_laid_out_whole_needs_no_relief_but_has_its_rivers_with_the_flight():
    whole = story_of("map", seed=2, gn=5, ln=1)
    while whole.born is None:
        whole.work()
    assert whole.carved is None and whole.born.rivers is None and whole.born.river_beds is None
    whole.prepare()
    assert whole.carved.ground is whole.born.ground and whole.carved.ground.detail.blocks is None
    assert whole.carved.rivers is not None and whole.carved.river_beds is not None
    assert whole.known_at(whole.scene.grown_s - 0.1).rivers is None
