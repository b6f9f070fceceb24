"""While carving ends the land passes into what stays, and its detail comes: at neither end does the picture jump."""

from __future__ import annotations

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

# Even a thousandth of the way moves a flat coast by some pixels.
A_LITTLE = 1e-5


def coded(light: np.ndarray) -> np.ndarray:
    """Roughly what a screen shows of linear light, 0..255."""
    return 255.0 * np.clip(light, 0.0, 1.0) ** (1.0 / 2.2)


# With so few samples as elsewhere, a double cone's cells would be so large that their chords lie far below the sphere.
@pytest.mark.parametrize(("scene", "more"), [("plasma", {}), ("simplex", {}), ("doublecone", {"gn": 6})])
@pytest.mark.parametrize("quality", ["software", "high"])
def test_it_begins_and_ends_without_a_jump(scene, more, quality):
    level = QUALITIES[quality]
    story = Story(SCENES[scene], 3, SMALL[scene] | more, level)
    story.prepare()
    timeline, t = story.born.timeline, story.scene.birth_s
    view = view_at(story, t)
    look = Look(fine=level.fine, isosceles=level.isosceles, deferred=level.deferred)
    with offscreen.context(), drawn_surface(story, level, look) as drawn:
        surface = drawn.surface
        surface.upload(0, relief_at(story, timeline.step_of(timeline.pictures - 2)))
        before = coded(drawn.picture(view, Moment(t, detail=0.0, grown=False)))
        assert drawn.tiles == 0
        surface.upload(1, relief_at(story))
        begun = coded(drawn.picture(view, Moment(t, mix=A_LITTLE, detail=A_LITTLE, grown=False)))
        assert drawn.tiles > 10
        ended = coded(drawn.picture(view, Moment(t, mix=1.0 - A_LITTLE, detail=1.0 - A_LITTLE, grown=False)))
        surface.swap()
        surface.settle()
        after = coded(drawn.picture(view, Moment(t)))
    changed = np.abs(after - before).mean()
    assert changed > 1.0, "there is something to come"
    # Shores are sharper with detail from the beginning.
    assert np.abs(begun - before).mean() < 0.2 * changed
    assert np.abs(after - ended).mean() < 0.02 * changed


def test_tiles_outlast_the_end_and_no_other_heights():
    """What tiles are made from is told by the heights, wherever these lie."""
    story = Story(SCENES["plasma"], 3, SMALL["plasma"], QUALITIES["low"])
    story.prepare()
    t, timeline = story.scene.birth_s, story.born.timeline
    view = view_at(story, t)
    with offscreen.context(), drawn_surface(story, QUALITIES["low"], Look()) as drawn:
        made: list[int] = []
        tiles = drawn.surface._tiles
        make = tiles._make
        tiles._make = lambda patches, land: (made.append(len(patches)), make(patches, land))
        drawn.surface.upload(0, relief_at(story, timeline.step_of(timeline.pictures - 2)))
        drawn.surface.upload(1, relief_at(story))
        drawn.picture(view, Moment(t, mix=0.5, detail=0.5, grown=False))
        first = sum(made)
        assert first == drawn.tiles > 0
        drawn.surface.swap()
        drawn.surface.settle()
        drawn.picture(view, Moment(t))
        # Land that has come to rest is culled more closely.
        assert sum(made) == first >= drawn.tiles
        drawn.surface.upload(0, relief_at(story, timeline.step_of(timeline.pictures - 3)))
        drawn.picture(view, Moment(t))
        assert sum(made) == first + drawn.tiles
