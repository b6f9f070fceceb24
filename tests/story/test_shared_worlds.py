"""Worlds that the stories of tests share are those that each story would have had."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest
from support.shared_worlds import SharedWorlds
from support.showing import story_of

pytestmark = pytest.mark.usefixtures("plain_flights")


def shown(story) -> str:
    """A checksum of all that a story shows: its pictures, its way, its light and what stands on its land."""
    story.prepare()
    digest = hashlib.sha256()
    for number in range(story.born.timeline.pictures):
        story.make_picture()
        picture = story.replay.take(number)
        digest.update(picture.relief.heights_m.tobytes() + picture.relief.shade.tobytes() + picture.points.tobytes())
        story.replay.give_back(picture)
    flight, light = story.carved.flight, story.carved.daylight
    for t in np.linspace(0.0, story.seconds, 20):
        digest.update(flight.pose(t).position.tobytes() + flight.pose(t).forward.tobytes() + light.sun_at(t).tobytes())
    digest.update(story.carved.cover.tobytes() + story.carved.lamps.tobytes())
    return digest.hexdigest()


@pytest.mark.parametrize("name", ["plasma", "map"])
def test_a_world_that_is_handed_over_is_the_same_to_the_bit(name):
    own = shown(story_of(name))
    with SharedWorlds().shared():
        first, second, other = story_of(name), story_of(name), story_of(name, 2)
        assert [shown(first), shown(second)] == [own, own]
        other.prepare()
    assert second.carved is first.carved and other.carved is not first.carved


def test_a_carving_that_one_story_has_begun_another_ends():
    with SharedWorlds().shared():
        first, second = story_of("plasma"), story_of("plasma")
        while first.born is None:
            first.work()
        second.prepare()
        assert first.carved is None
        first.prepare()
    assert first.carved is second.carved
    again = story_of("plasma")
    assert shown(again) == shown(second)
