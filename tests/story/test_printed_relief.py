"""The relief of a story's pictures as its article draws it: as high as printed, coloured by the heights that it names."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from support.showing import QUALITY, SMALL

from demo.ground.relief import GUTTER
from demo.scenes.scenes import SCENES
from demo.story.replay import KeyPicture
from demo.story.story import Story
from demo.worlds.growth import Growth


def pictures(name: str, **given) -> Iterator[tuple[KeyPicture, Growth]]:
    """All key pictures of a small world, each with a growth that stands where it was made."""
    scene = SCENES[name]
    # What an article prints is not carved.
    story = Story(scene, 3, {**SMALL[name], **scene.uncarved, **given}, QUALITY)
    story.prepare()
    assert story.prepared and story.replay
    growth = scene.generator.grow(3, story.parameters)
    when = story.prepared.timeline
    for number in range(when.pictures):
        story.make_picture()
        picture = story.replay.take(number)
        assert picture
        growth.advance(when.step_of(number))
        yield picture, growth
        story.replay.give_back(picture)


def stands(picture: KeyPicture, size_m: float) -> np.ndarray:
    """Heights above the sea as they stand as printed, in radii or extents."""
    inner = picture.relief.heights_m[:, GUTTER:-GUTTER, GUTTER:-GUTTER]
    return inner * (picture.relief.printed.raised / size_m)


def test_cuts_stand_by_a_thousandth_of_the_radius_and_land_is_coloured_up_to_the_highest_so_far():
    for given in ({"method": "as-printed"}, {"offset": "full", "step": 0.01}):
        for picture, growth in pictures("cuts", **given):
            relief, size_m = picture.relief, SCENES["cuts"].size_m
            assert np.allclose(stands(picture, size_m), growth.heights - growth.sea_level, atol=1e-6)
            low, high = relief.printed.range_m
            assert low == 0.0
            assert high * relief.printed.raised / size_m == pytest.approx(growth.highest - growth.sea_level, abs=1e-7)


def test_simplex_stands_by_thousandths_of_the_radius():
    [*_, (picture, growth)] = pictures("simplex", method="as-printed")
    assert np.allclose(stands(picture, SCENES["simplex"].size_m), growth.heights / 1000.0, atol=1e-6)


@pytest.mark.parametrize("given", [{"method": "as-printed"}, {"method": "as-printed", "cells": 32}, {}])
def test_plasma_stands_and_is_coloured_by_the_printed_y(given):
    scene = SCENES["plasma"]
    for picture, growth in pictures("plasma", **given):
        cells = growth.n - 1
        above = 4.0 * stands(picture, scene.size_m)
        if given:
            assert np.allclose(above, growth.heights / cells / 1.5, atol=1e-5)
        low, high = (4.0 * end * picture.relief.printed.raised / scene.size_m for end in picture.relief.printed.range_m)
        # From the datum, where y is -0.5, to one unit above it: (0.3, 0.5 + y, 0) goes from no green to all of it.
        assert low == pytest.approx(-4.0 * growth.sea_level if not given else 0.0, abs=1e-6)
        assert high - low == pytest.approx(1.0)


def test_what_no_article_says_stands_as_high_as_ever():
    [(first, _), *_, (last, _)] = pictures("particles")
    assert first.relief.printed.raised is None
    assert last.relief.printed.range_m[1] == pytest.approx(last.relief.heights_m.max(), rel=1e-5)
