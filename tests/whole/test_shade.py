"""Ground in shade near the eye is seen on planets as on terrains: low flights over slopes that face away from the sun."""

from __future__ import annotations

import numpy as np
import pytest
from support.showing import SIZE, SMALL, still

from demo.hosts import offscreen
from demo.scenes.scenes import SCENES

pytestmark = pytest.mark.usefixtures("shared_worlds")

LUMINANCE = np.array([0.2126, 0.7152, 0.0722])
# Of 255: darker than this is black on most screens. And the most that may be so of a picture's lower half, which is ground.
DARK, MOST = 45.0, 1.0 / 3.0


@pytest.fixture(scope="module", autouse=True)
def context():
    with offscreen.context(SIZE):
        yield


# Seconds of the flights of some seeds, by scene. Their views change with the land: shade need not lie in each of them.
MOMENTS = {"cuts": ((13, 20.0), (13, 27.0), (15, 27.0)), "simplex": ((5, 34.0), (10, 34.0), (14, 20.0))}


def dark_share(scene: str, seed: int, seconds: float) -> float:
    # The land as it grew: what rivers make of it is no matter here.
    uncarved = {scene: {**SMALL[scene], **SCENES[scene].uncarved}}
    moment = SCENES[scene].grown_s + seconds
    seen = still(moment, SIZE, scene=scene, seed=seed, hold=True, caption=False, quality="low", parameters=uncarved)
    return float((seen[SIZE[1] // 2 :] @ LUMINANCE < DARK).mean())


@pytest.mark.parametrize("scene", MOMENTS)
def test_shaded_ground_is_not_black(scene):
    dark = [dark_share(scene, seed, seconds) for seed, seconds in MOMENTS[scene]]
    assert 0.0 < max(dark) < MOST, "some of the ground is in shade, and is seen"
