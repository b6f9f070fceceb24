"""By day the ground is neither lost in shade nor bleached: terrains and planets alike, at a few moments of their flights."""

import numpy as np
import pytest
from support.showing import picture, showing, sized

# The sun stands more than 5 degrees high, and nearly all of the lower half of the picture is land.
MOMENTS = [("cuts", 4, 18.6), ("cuts", 13, 12.0), ("simplex", 5001, 22.5), ("plasma", 7, 8.7)]
SIZE = (192, 108)
DARK, MOST_DARK, LEAST, MOST = 45.0, 0.25, 60.0, 150.0
WORLD = {"cells": 128}


@pytest.fixture(scope="module", autouse=True)
def context():
    from demo.hosts import offscreen

    with offscreen.context(SIZE):
        yield


@pytest.mark.parametrize("scene, seed, seconds", MOMENTS)
def test_the_ground_is_seen_by_day(scene, seed, seconds):
    world = {scene: sized(scene, WORLD)}
    with showing(SIZE, scene=scene, seed=seed, quality="software", hold=True, parameters=world) as show:
        show.seek(1.0)
        story = show.shot().current
        show.seek(story.scene.birth_s + seconds)
        seen = picture(show)[SIZE[1] // 2 :] @ [0.2126, 0.7152, 0.0722]
        sun = story.prepared.daylight.sun_at(story.t)
        up = show.shot().pose.position if story.prepared.atlas.spherical else np.array([0.0, 1.0, 0.0])
    assert np.degrees(np.arcsin(sun @ up / np.linalg.norm(up))) > 5.0
    assert (seen < DARK).mean() <= MOST_DARK
    assert LEAST <= np.median(seen) <= MOST
    assert seen.max() < 254.0
