"""No hole in the ground where patches meet: the surface is drawn alone, over a colour that is seen through holes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from support.showing import SMALL
from support.surfaces import drawn_surface, relief_at, view_at

from demo.geometry.frame_state import Moment
from demo.hosts import offscreen
from demo.scenes.scenes import SCENES
from demo.story.story import Story
from demo.tables.looks import Look
from demo.tables.quality import QUALITIES

GLARING = 1000.0
SECONDS_AFTER_BIRTH = 9.0, 12.0, 16.0, 20.0
# Before the land stays as it is, in shares of the time in which it settles.
SETTLED = 0.3, 0.45, 0.6, 0.75, 0.85, 0.9
CASES = [
    ("plasma", "software", "sample"),
    ("plasma", "high", "sample"),
    ("simplex", "software", "sample"),
    ("simplex", "high", "sample"),
    ("plasma", "software", "similar"),
    ("simplex", "software", "mean"),
]


def enclosed(open_: np.ndarray) -> np.ndarray:
    """Where `open_`, bool (height, width), has closed pixels within three of it on all four sides."""
    found = open_.copy()
    for axis in (0, 1):
        for way in (1, -1):
            found &= np.any([np.roll(~open_, way * k, axis) for k in (1, 2, 3)], axis=0)
    found[:4] = found[-4:] = found[:, :4] = found[:, -4:] = False
    return found


def holes(image: np.ndarray) -> np.ndarray:
    """Where a picture over a glaring ground shows that through the surface."""
    return image[..., 0] > 0.5 * GLARING


def story_and_look(scene: str, quality: str, coarse: str) -> tuple[Story, Look]:
    level = replace(QUALITIES[quality], coarse=coarse)
    story = Story(SCENES[scene], 1, SMALL[scene], level)
    story.prepare()
    return story, Look(fine=level.fine, isosceles=level.isosceles, grouped=coarse != "sample", deferred=level.deferred)


@pytest.mark.parametrize(("scene", "quality", "coarse"), CASES)
def test_nothing_is_seen_through_the_ground(scene, quality, coarse):
    story, look = story_and_look(scene, quality, coarse)
    most = pixels = 0
    with offscreen.context(), drawn_surface(story, QUALITIES[quality], look) as drawn:
        drawn.surface.upload(0, relief_at(story))
        for seconds in SECONDS_AFTER_BIRTH:
            t = story.scene.birth_s + seconds
            through = holes(drawn.picture(view_at(story, t), Moment(t), (GLARING, 0.0, GLARING)))
            pixels += (~through).sum()
            most = max(most, enclosed(through).sum())
    assert pixels > 100_000
    assert most <= 1, "a rounding may open a pixel of a picture, no seam"


@pytest.mark.parametrize(("scene", "quality", "coarse"), CASES)
def test_nothing_is_seen_through_ground_that_settles(scene, quality, coarse):
    """Where patches with detail meet those without, both pass into the last heights, and the detail comes."""
    story, look = story_and_look(scene, quality, coarse)
    scene, timeline = story.scene, story.born.timeline
    found = pixels = tiles = 0
    with offscreen.context(), drawn_surface(story, QUALITIES[quality], look) as drawn:
        drawn.surface.upload(0, relief_at(story, timeline.step_of(timeline.pictures - 2)))
        drawn.surface.upload(1, relief_at(story))
        for share in SETTLED:
            # Seen from nearer than on the way there: more patches of different sizes meet.
            view = view_at(story, scene.birth_s + 9.0 * share)
            moment = Moment(scene.settles_s, mix=share, detail=0.8 * share, grown=False)
            through = holes(drawn.picture(view, moment, (GLARING, 0.0, GLARING)))
            pixels += (~through).sum()
            tiles += drawn.tiles
            found += enclosed(through).sum()
    assert pixels > 100_000 and tiles > 50
    assert found <= len(SETTLED) // 2, "a rounding may open a pixel of every other picture, no seam"
