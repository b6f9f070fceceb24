"""Ground in shade near the eye is seen on planets as on terrains: low flights over slopes that face away from the sun."""

from __future__ import annotations

import numpy as np
import pytest
from support.showing import SIZE, SMALL, still

from demo.hosts import offscreen
from demo.scenes.moon_and_rings import BANDS, MoonAndRings, Rings
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
MOMENTS = {"cuts": ((1, 20.0), (1, 27.0), (11, 34.0)), "simplex": ((5, 27.0), (7, 20.0), (7, 27.0))}


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


def test_the_light_of_the_sky_is_left_under_the_shadow_of_rings(monkeypatch):
    """Rings without gaps around the world of which a low flight sees sunlit ground."""
    from demo.story import preparation

    wide = Rings(np.array([0.0, 1.0, 0.0]), 0.0, 50.0, np.full((BANDS, 4), 255, np.uint8))
    [(scene, (seed, seconds))] = [("simplex", MOMENTS["simplex"][0])]
    dark = []
    for rings in (None, wide):
        monkeypatch.setattr(preparation, "moon_and_rings_of", lambda *words, rings=rings: MoonAndRings(None, rings))
        dark.append(dark_share(scene, seed, seconds))
    assert dark[0] < dark[1] < 0.6
