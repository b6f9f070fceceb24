"""Rivers as strips: what is drawn across a strip knows nothing of the triangles that it is made of."""

from __future__ import annotations

import numpy as np
from support.showing import SMALL
from support.surfaces import SIZE, drawn_surface, flat_relief, view_down

from demo.geometry.frame_state import Moment
from demo.geometry.river_strips import river_strips
from demo.ground.rivers import Rivers
from demo.hosts import offscreen
from demo.scenes.scenes import SCENES
from demo.story.story import Story
from demo.tables.looks import UNLIT, Look
from demo.tables.quality import QUALITIES

LAND_M, ABOVE_M, STEP_M = 300.0, 480.0, 50.0
# Half the width, metres: four times as wide within three steps.
HALF_M = np.array([20.0] * 8 + [40.0, 60.0] + [80.0] * 8)


def widening(size_m: float) -> Rivers:
    """A frozen river, which has neither woods nor bars beside it, straight through the middle of a plane."""
    count = len(HALF_M)
    place = np.zeros((count, 3))
    place[:, 0] = (np.arange(count) - 0.5 * (count - 1)) * STEP_M / size_m
    zero, one = np.zeros(count, np.float32), np.ones(count, np.float32)
    return Rivers(
        place=place,
        level_m=np.full(count, LAND_M, np.float32),
        ground_m=np.full(count, LAND_M, np.float32),
        gap_m=zero,
        half_m=HALF_M.astype(np.float32),
        depth_m=one,
        flow_m3_s=one,
        shown=one,
        frozen=one,
        white=zero,
        braided=zero,
        bank=one,
        first=np.array([0, count]),
        size_m=size_m,
    )


def test_a_river_that_widens_has_no_teeth():
    story = Story(SCENES["plasma"], 3, SMALL["plasma"], QUALITIES["low"])
    story.prepare()
    eye = np.array([0.0, LAND_M + ABOVE_M, 0.0])
    view, moment = view_down(story, eye), Moment(0.0, detail=0.0)
    with offscreen.context():
        from demo.render.river_water import RiverWater
        from demo.render.strip_pass import StripPass

        with drawn_surface(story, QUALITIES["low"], Look(UNLIT)) as drawn:
            drawn.surface.upload(0, flat_relief(story, LAND_M))
            strips = StripPass()
            water = RiverWater(strips, river_strips(widening(story.scene.size_m), story.prepared.atlas, eye[None]))
            without, seen = drawn.picture(view, moment), drawn.picture(view, moment, rivers=water)
            water.free()
            strips.free()
    wet = np.abs(seen - without).max(axis=2) > 0.5 * np.abs(seen - without).max()
    columns = wet[:, 8:-8]
    middle = 0.5 * (SIZE[1] - 1)
    rows = np.arange(SIZE[1])[:, None] - middle
    # By how many pixels the shores on both sides move from one column of the picture to the next.
    above, below = (np.where(columns, way * rows, 0.0).max(axis=0) for way in (-1.0, 1.0))
    assert below.min() > 3.0 and below.max() > 2.0 * below.min(), "it widens in the picture"
    assert np.abs(np.diff([above, below])).max() < 4.0
