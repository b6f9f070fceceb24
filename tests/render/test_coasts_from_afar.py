"""Coasts of a planet that is seen from too far away for its detail: ragged where it is carved, and in the same places."""

from __future__ import annotations

from dataclasses import replace

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


def shores(water: np.ndarray) -> int:
    """The number of neighbouring pixels of which one is water and the other is not."""
    return int((water[1:] != water[:-1]).sum() + (water[:, 1:] != water[:, :-1]).sum())


@pytest.mark.parametrize("name", ["simplex", "cuts"])
@pytest.mark.parametrize("quality", ["software", "high"])
def test_rain_makes_coasts_ragged_and_moves_none(name, quality, monkeypatch):
    """Samples that are far apart make straight coasts with corners, which are right for a growth and for no land."""
    story = Story(SCENES[name], 4, SMALL[name], QUALITIES[quality])
    story.prepare()
    view = view_at(story, story.scene.grown_s + 0.8 * (story.scene.birth_s - story.scene.grown_s))
    relief = relief_at(story)
    # What looks otherwise under another colour of the sea is water.
    pictures = []
    for grey in (0.02, 0.5):
        sea = replace(story.palette, deep=(grey,) * 3, shallow=(grey,) * 3)
        monkeypatch.setattr(Story, "palette", sea)
        with offscreen.context(), drawn_surface(story, QUALITIES[quality], Look()) as drawn:
            drawn.surface.upload(0, relief)
            pictures.append([drawn.picture(view, carved(share)) for share in (0.0, 1.0)])
    before, after = (np.abs(light - dark).max(axis=2) > 0.01 for dark, light in zip(*pictures, strict=True))
    ground = pictures[1][0].max(axis=2) > 0.0
    assert 0.05 < before[ground].mean() < 0.95
    assert shores(after) > 1.5 * shores(before)
    assert (before == after)[ground].mean() > 0.9


def carved(share: float) -> Moment:
    """A moment of a world that rain has carved so far, 0..1, and which is seen from too far away for detail."""
    return Moment(20.0, detail=0.0, shaded=0.0, covered=(share, share))
