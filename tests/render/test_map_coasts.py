"""The sea beside a map's coasts is sea to the shore, whatever the fine ground does below it."""

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


def water(image: np.ndarray) -> np.ndarray:
    """Where a picture shows water, bool (height, width)."""
    return (image[..., 2] > 1.3 * image[..., 0]) & (image.max(axis=2) > 0.0)


@pytest.mark.parametrize(("seed", "seconds"), [(6, 10.0), (5, 8.0)])
def test_fine_ground_that_rises_in_the_sea_makes_no_lake_of_it(seed, seconds):
    """A lake is darker than the sea beside a coast."""
    story = Story(SCENES["map"], seed, SMALL["map"] | {"gn": 5}, QUALITIES["software"])
    story.prepare()
    t = story.scene.birth_s + seconds
    view = view_at(story, t)
    with offscreen.context(), drawn_surface(story, QUALITIES["software"], Look()) as drawn:
        drawn.surface.upload(0, relief_at(story))
        plain, fine = (drawn.picture(view, Moment(t, detail=detail, lakes=True)) for detail in (0.0, 1.0))
        assert drawn.tiles > 50
    sea = water(plain) & water(fine)
    assert sea.sum() > 10_000
    darker = plain[sea].sum(axis=1) / np.maximum(fine[sea].sum(axis=1), 1e-6)
    assert (darker > 1.4).mean() < 0.01


def test_where_a_ragged_shore_lets_the_sea_in_it_is_sea():
    """The sea reached over ground above it in the colours of a lake, in dark slivers."""
    story = Story(SCENES["map"], 930010, SMALL["map"] | {"gn": 6}, QUALITIES["software"])
    story.prepare()
    view = view_at(story, 50.0)
    with offscreen.context(), drawn_surface(story, QUALITIES["software"], Look()) as drawn:
        drawn.surface.upload(0, relief_at(story))
        plain, fine = (drawn.picture(view, Moment(50.0, detail=detail, lakes=True)) for detail in (0.0, 1.0))
    more, light = water(fine) & ~water(plain), fine.sum(axis=2)
    assert more.sum() > 1000
    assert (light[more] < 0.6 * np.median(light[water(fine) & water(plain)])).mean() < 0.10
