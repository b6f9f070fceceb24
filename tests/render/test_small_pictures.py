"""A picture that is drawn smaller than its window shows the ground of the whole one, down to its finest grain."""

from __future__ import annotations

import numpy as np
import pytest
from support.showing import picture, showing

from demo.hosts import offscreen
from demo.scenes.scenes import SCENES
from demo.show.pace import RUNGS

SIZE = (480, 270)


class Held:
    """A pace that stays on the last rung with all effects."""

    rung = [rung for rung in RUNGS if rung.effects][-1]


def fine(shown: np.ndarray) -> np.ndarray:
    """The lower half of a picture, grey, without what is broader than four pixels."""
    grey = shown[shown.shape[0] // 2 :].mean(axis=-1)
    rows, columns = (side // 8 * 8 for side in grey.shape)
    pairs = grey[:rows, :columns].reshape(rows // 2, 2, columns // 2, 2).mean(axis=(1, 3))
    broad = pairs.reshape(rows // 8, 4, columns // 8, 4).mean(axis=(1, 3))
    return pairs - broad.repeat(4, axis=0).repeat(4, axis=1)


# Seconds after the birth when ground is near that is not mostly hazy distance.
@pytest.mark.parametrize("scene, flying_s", [("plasma", 16.0), ("simplex", 28.0)])
def test_a_small_picture_has_the_grain_of_the_whole_one(scene, flying_s, monkeypatch):
    with offscreen.context(SIZE), showing(SIZE, scene=scene, quality="software", hold=True, caption=False) as show:
        show.seek(SCENES[scene].birth_s + flying_s)
        whole = fine(picture(show))
        monkeypatch.setattr(show._painter, "_pace", Held())
        small = fine(picture(show))
    assert np.corrcoef(whole.ravel(), small.ravel())[0, 1] > 0.86
