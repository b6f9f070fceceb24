"""No line in the sky or on the horizon that the highest quality does not have: what everybody without a GPU sees."""

from __future__ import annotations

import numpy as np
import pytest
from support.showing import SMALL, still

from demo.hosts import offscreen
from demo.scenes.scenes import SCENES

pytestmark = pytest.mark.usefixtures("shared_worlds")

# A strip of the picture's middle: rows are as fine as in a picture of 960x540, and so long that waves are evened out.
SIZE = (96, 540)
# Rows by which the edge of the land may lie elsewhere, as levels of detail differ.
EDGE = 6
# Of 255: by how much second differences of rows may be larger than at the highest quality.
MARGIN = 3.0
# Quality, scene, seed, seconds after the birth.
MOMENTS = (
    ("software", "plasma", 11, 2.5),
    ("low", "plasma", 4, 5.0),
    ("software", "particles", 2, 3.0),
    ("low", "heightmap", 1, 3.0),
    ("software", "simplex", 7, 40.0),
    ("software", "cuts", 6, 40.0),
)


@pytest.fixture(scope="module", autouse=True)
def context():
    with offscreen.context(SIZE):
        yield


def bends(rows: np.ndarray) -> np.ndarray:
    """The largest second difference of any colour at each row: (height,)."""
    return np.pad(np.abs(np.diff(rows, 2, axis=0)).max(axis=1), 1)


def around(rows: np.ndarray, reach: int) -> np.ndarray:
    """Each row (height,) with `reach` of its neighbours on either side: (height, 2 reach + 1)."""
    return np.lib.stride_tricks.sliding_window_view(np.pad(rows, reach, mode="edge"), 2 * reach + 1)


@pytest.mark.parametrize("quality, scene, seed, seconds", MOMENTS)
def test_no_line_crosses_the_sky(quality, scene, seed, seconds):
    moment = SCENES[scene].grown_s + seconds
    # The land as it grew: what rivers make of it is no matter here.
    uncarved = {scene: {**SMALL[scene], **SCENES[scene].uncarved}}

    def seen(**given: object) -> np.ndarray:
        return still(moment, SIZE, scene=scene, seed=seed, hold=True, caption=False, parameters=uncarved, **given)

    # Normals are the surface's: behind it, sky and open sea do not hear of them.
    behind = (seen(quality="high") == seen(quality="high", normals="flat")).all(axis=(1, 2))
    clear = around(behind, EDGE).all(axis=1)
    assert clear.sum() > 100, "there is a sky to look at"
    finest, got = (bends(seen(quality=name).mean(axis=1)) for name in ("high", quality))
    more = got - around(finest, 1).max(axis=1)
    assert more[clear].max() < MARGIN
