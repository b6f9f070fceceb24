"""A planet's clouds from just above: a sea of heaps, and no bright line where they are seen edge-on."""

from __future__ import annotations

import numpy as np
import pytest
from support.showing import SMALL
from support.surfaces import SIZE, drawn_surface, relief_at

from demo.flight.camera import look_at
from demo.geometry.frame_state import Moment
from demo.geometry.view import View, make_view
from demo.hosts import offscreen
from demo.scenes.scenes import SCENES
from demo.story.story import Story
from demo.tables.looks import NATURAL, Look
from demo.tables.quality import QUALITIES

CLOUD_M = 5_500.0


@pytest.fixture(scope="module")
def story() -> Story:
    story = Story(SCENES["simplex"], 3, SMALL["simplex"], QUALITIES["low"])
    story.prepare()
    return story


def ahead(story: Story, above_m: float) -> View:
    """Straight ahead and a little down from so many metres above the clouds, with the sun half-way up."""
    scene, up = story.scene, np.array([0.0, 0.0, 1.0])
    eye = up * (scene.size_m + CLOUD_M + above_m)
    forward = np.array([1.0, 0.0, -0.22])
    pose = look_at(eye, eye + forward * 10_000.0, up)
    sun = np.array([0.5, 0.5, 1.0]) / np.sqrt(1.5)
    return make_view(pose, SIZE[0] / SIZE[1], 500.0, 2.0 * scene.size_m, scene.air, np.zeros(3), sun, np.ones(3))


def pictures(story: Story, view: View, quality: str, *clouds: float) -> list[np.ndarray]:
    """Luminance of the world under an even layer of clouds, (height, width), for each thickness."""
    with (
        offscreen.context(),
        drawn_surface(story, QUALITIES[quality], Look(NATURAL), np.ones((512, 512), np.float32)) as drawn,
    ):
        drawn.surface.upload(0, relief_at(story))
        found = [drawn.picture(view, Moment(0.0, detail=0.0, clouds=thick)) for thick in clouds]
    # Bottom row first.
    return [picture @ [0.2126, 0.7152, 0.0722] for picture in found]


@pytest.mark.parametrize("quality", ["software", "high"])
def test_thick_clouds_have_relief_from_just_above(story: Story, quality: str) -> None:
    """Even ones were a white sheet."""
    (picture,) = pictures(story, ahead(story, 4_000.0), quality, 1.0)
    near = picture[: SIZE[1] // 3]
    low, middle, high = np.percentile(near, (5, 50, 95))
    assert (high - low) / middle > 0.55


def test_an_eye_hardly_above_them_sees_no_line_where_they_are_edge_on(story: Story) -> None:
    """It was bright, across mountains. From higher up the same clouds end in a white rim."""
    share = {}
    for above_m in (150.0, 12_000.0):
        clear, cloudy = pictures(story, ahead(story, above_m), "high", 0.0, 1.0)
        rows = np.flatnonzero(clear.mean(axis=1) > 0.0)
        rim = slice(rows[-1] - 3, rows[-1] - 1)
        share[above_m] = float(cloudy[rim].mean() / clear[rim].mean())
    assert share[150.0] < 1.1 and share[12_000.0] > 2.0
