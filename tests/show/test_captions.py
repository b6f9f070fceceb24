"""Captions of a screensaver wander, so that none burns in; those of a window keep their corner."""

from __future__ import annotations

import numpy as np
import pytest
from support.showing import showing

from demo.hosts import offscreen

pytestmark = pytest.mark.usefixtures("plain_flights", "shared_worlds")

SIZE = (640, 360)


@pytest.fixture(scope="module", autouse=True)
def context():
    with offscreen.context(SIZE):
        yield


def where(**given: object) -> tuple[int, int]:
    """The left and the lower edge of the caption, in pixels from the left and from above."""
    pictures = []
    for caption in (True, False):
        with showing(SIZE, scene="plasma", hold=True, caption=caption, quality="low", **given) as show:
            show.seek(6.0)
            pictures.append(show.read().astype(int))
    rows, columns = np.nonzero(np.abs(pictures[0] - pictures[1]).max(axis=2) > 60)
    return int(columns.min()), int(rows.max())


def test_captions_of_a_screensaver_have_another_place_in_each_world():
    resting = {where(seed=seed) for seed in (1, 2)}
    assert len(resting) == 1
    wandering = {where(seed=seed, endures=True) for seed in (1, 2, 3)}
    assert len({left for left, _ in wandering}) == 3 and not resting & wandering
    assert all(SIZE[0] * 0.02 < left < SIZE[0] * 0.7 and low < SIZE[1] for left, low in wandering)


def test_the_picture_that_is_kept_has_no_words_and_is_as_fine_as_a_still():
    with showing(SIZE, scene="plasma", hold=True, quality="low") as show:
        show.seek(30.0)
        still, bare = show.read(), show.bare_picture()
    with showing(SIZE, scene="plasma", hold=True, quality="low", caption=False) as show:
        assert show.bare_picture() is None
        show.seek(30.0)
        np.testing.assert_array_equal(show.bare_picture(), show.read())
        np.testing.assert_array_equal(show.read(), bare)
    assert (still != bare).any()
