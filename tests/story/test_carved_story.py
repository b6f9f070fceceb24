"""A story whose land is carved: two parts of preparation, and one way through both."""

from __future__ import annotations

import numpy as np
import pytest
from support.showing import SIZE, showing, story_of

from demo.hosts import offscreen
from demo.scenes.scenes import SCENES
from demo.tables.looks import AS_PRINTED

CARVED = [name for name, scene in SCENES.items() if scene.parameters.get("carve")]


@pytest.fixture(scope="module", autouse=True)
def context():
    with offscreen.context(SIZE):
        yield


def born(name, **given):
    """A story that can show its birth, before its land is carved."""
    story = story_of(name, **given)
    while story.born is None:
        story.work()
    return story


def test_most_worlds_are_carved():
    assert {"plasma", "cuts", "simplex", "particles", "doublecone"} <= set(CARVED)


@pytest.mark.parametrize("name", CARVED)
def test_the_birth_is_shown_before_the_land_is_carved_and_time_waits_where_it_begins(name):
    story = born(name)
    scene = story.scene
    assert story.carved is None and story.is_prepared_at(scene.birth[0][0]) and not story.is_prepared_at(scene.grown_s)
    # Lamps are lit after the birth: those of the carved land alone are worked out.
    assert not len(story.born.lamps)
    story.t = scene.grown_s - 0.1
    while story.replay.wants_work():
        story.work()
    before = story.replay.at(story.t)
    story.replay.take(before[0])
    story.replay.take(before[1])
    story.advance(5.0)
    assert story.t < scene.grown_s and not story.is_prepared_at(story.t + 0.1)
    story.prepare()
    assert story.carved and story.is_prepared_at(scene.grown_s) and len(story.carved.lamps)


@pytest.mark.parametrize("name", CARVED)
def test_a_world_that_waits_for_its_turn_is_not_carved(name):
    story = born(name, waits=True)
    while story.wants_work():
        story.work()
    assert story.carved is None and story.replay.at(0.0)
    story.begin()
    while story.wants_work():
        story.work()
    assert story.carved


@pytest.mark.parametrize("name", CARVED)
def test_both_parts_show_one_birth_and_one_sky(name):
    story = born(name)
    first = story.born
    story.prepare()
    for t in np.linspace(0.0, story.scene.leaves_s, 9):
        a, b = first.flight.pose(t), story.carved.flight.pose(t)
        assert np.array_equal(a.position, b.position) and np.array_equal(a.forward, b.forward)
        assert np.array_equal(first.daylight.sun_at(t), story.carved.daylight.sun_at(t))
        assert first.daylight.exposure(t) == story.carved.daylight.exposure(t)
    assert story.carved.metres == first.metres and story.carved.moon_and_rings is first.moon_and_rings
    assert not np.array_equal(story.carved.ground.heights_m, first.ground.heights_m)


def test_the_way_in_keeps_clear_of_the_land_as_it_was_and_as_it_becomes():
    for seed in range(6):
        story = story_of("plasma", seed)
        story.prepare()
        before, after, scene = story.born.ground, story.carved.ground, story.scene
        for t in np.linspace(scene.grown_s, scene.birth_s, 60):
            at = story.carved.flight.pose(t).position
            assert at[1] > max(before.height(at[None])[0], after.height(at[None])[0]) + 30.0, (seed, t)


def test_the_look_of_an_article_shows_worlds_that_are_not_carved():
    with showing(scene="plasma", hold=True, look=AS_PRINTED) as show:
        show.seek(1.0)
        story = show.shot().current
        assert story.parameters["carve"] == 0.0 and story.scene.birth_s == SCENES["plasma"].grown_s


@pytest.mark.parametrize("name", CARVED)
def test_a_world_that_is_not_carved_is_born_when_it_is_grown(name):
    story = story_of(name, carve=0.0)
    assert story.scene.birth_s == story.scene.grown_s == SCENES[name].grown_s
    assert story_of(name).scene is SCENES[name]
