"""Where a terrain's square ends there is sea, and no line: low ground at its rim is drawn below the water."""

from __future__ import annotations

import numpy as np
from support.showing import SMALL
from support.surfaces import SIZE, drawn_surface, flat_relief, view_down

from demo.geometry.frame_state import Moment
from demo.hosts import offscreen
from demo.scenes.scenes import SCENES
from demo.story.story import Story
from demo.tables.looks import UNLIT, Look
from demo.tables.quality import QUALITIES

# Metres: a flat that is hardly above the sea, to the rim of the square.
LOW_M = 12.0


def test_a_flat_shore_ends_before_the_rim():
    story = Story(SCENES["plasma"], 3, SMALL["plasma"], QUALITIES["low"])
    story.prepare()
    # From straight above the middle of one side, so that the square's half is seen and as much of what is beyond.
    eye = np.array([0.0, 0.5 * story.scene.size_m, 0.5 * story.scene.size_m])
    with offscreen.context(), drawn_surface(story, QUALITIES["low"], Look(UNLIT)) as drawn:
        drawn.surface.upload(0, flat_relief(story, LOW_M))
        seen = drawn.picture(view_down(story, eye), Moment(0.0, detail=0.0), (9.0, 9.0, 9.0))
    column = seen[:, SIZE[0] // 2]
    beyond = np.flatnonzero((column > 8.0).all(axis=1))
    assert 0 < len(beyond) < SIZE[1], "the square ends in the picture"
    rim, inside = (beyond[0] - 3, beyond[0] - SIZE[1] // 3) if beyond[0] > SIZE[1] // 3 else (beyond[-1] + 3, -10)
    assert column[rim, 0] < 0.4 * column[inside, 0], "land in the middle, water at the rim, which is hardly red"
