"""The look as printed, in pixels: the colours that the articles name, and mountains in the silhouette."""

from __future__ import annotations

import numpy as np
import pytest
from support.showing import showing

from demo.hosts import offscreen

pytestmark = pytest.mark.usefixtures("plain_flights", "shared_worlds")

SIZE = (240, 180)


@pytest.fixture(scope="module", autouse=True)
def context():
    with offscreen.context(SIZE):
        yield


def drawn(scene: str, time: float, look: str, **given) -> np.ndarray:
    """uint8 (height, width, 3): a small world at a time, without words."""
    parameters = {scene: {"cells": 64, **given}}
    with showing(SIZE, scene=scene, seed=1, look=look, hold=True, caption=False, parameters=parameters) as show:
        show.seek(time)
        return show.read()


def made_of(image: np.ndarray, *colours: tuple[int, int, int]) -> bool:
    """Whether these are the picture's colours, each of them a part of it, but for the dither and for edges between them."""
    apart = np.stack([np.abs(image.astype(int) - colour).max(axis=2) for colour in colours])
    shares = (apart <= 3).mean(axis=(1, 2))
    return shares.min() > 0.02 and shares.sum() > 0.93


def test_after_one_cut_all_land_has_the_highest_colour():
    image = drawn("cuts", 1.8, "as-printed", cuts=500, method="as-printed")
    assert made_of(image, (0, 0, 0), (0, 0, 230), (116, 99, 50))


def test_cuts_are_green_at_the_sea_and_brown_at_the_highest():
    image = drawn("cuts", 24.0, "as-printed", cuts=500, method="as-printed").astype(int)
    land = image[(image[..., 1] > 60) & (image[..., 2] < 80)]
    share = land[:, 0] / 116.0
    assert share.min() < 0.2 and share.max() > 0.5
    assert np.abs(land[:, 1] - (255 - share * (255 - 99))).max() < 12


def test_the_sea_of_simplex_is_flat_and_its_land_is_lit_only_when_that_is_asked_for():
    sea, land = (28, 107, 160), (61, 82, 29)
    assert made_of(drawn("simplex", 21.0, "as-printed", method="as-printed"), (0, 0, 0), sea, land)
    lit = drawn("simplex", 21.0, "as-printed-lit", method="as-printed")
    flat = np.abs(lit.astype(int) - sea).max(axis=2) <= 3
    dry = (lit[..., 1] > lit[..., 2].astype(int) + 8) & (lit[..., 1] > 12)
    assert flat.mean() > 0.05 and (flat | dry | (lit <= 3).all(axis=2)).mean() > 0.93
    assert np.percentile(lit[dry][:, 1], 95) > 1.5 * np.percentile(lit[dry][:, 1], 5)


def test_mountains_of_cuts_stand_in_the_silhouette():
    given = {"cuts": 500, "method": "as-printed", "step": 2e-3}
    ball = (drawn("cuts", 24.3, "as-printed", **{**given, "step": 1e-6}) > 9).any(axis=2)
    planet = (drawn("cuts", 24.3, "as-printed", **given) > 9).any(axis=2)
    assert planet[ball].all()
    assert planet.sum() > 1.02 * ball.sum()


def test_as_printed_a_planet_is_seen_as_a_whole_after_its_birth():
    image = drawn("simplex", 55.0, "as-printed", method="as-printed")
    lit = (image > 9).any(axis=2)
    assert 0.1 < lit.mean() < 0.6 and not lit[[0, -1]].any()
