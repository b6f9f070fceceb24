"""The levels of detail in colours: seen when asked for, finer towards the eye, and never two steps apart side by side."""

from __future__ import annotations

import numpy as np
import pytest
from support.showing import picture, showing

from demo.app import cli
from demo.app.show_options import show_options
from demo.hosts import offscreen
from demo.scenes.scenes import SCENES

pytestmark = pytest.mark.usefixtures("plain_flights")

# As in surface.frag, from level 0 on, and round again.
COLOURS = np.array([(0.8, 0.1, 0.1), (0.8, 0.5, 0.1), (0.7, 0.8, 0.1), (0.1, 0.7, 0.2), (0.1, 0.4, 0.9), (0.6, 0.2, 0.8)])


def seen(scene: str, seconds: float, levels: bool = True, look: str = "unlit") -> np.ndarray:
    """A moment after the birth, linear colours (height, width, 3) in 0..1."""
    shown = {"scene": scene, "hold": True, "caption": False, "quality": "software"}
    with offscreen.context(), showing((320, 180), **shown, levels=levels, look=look) as show:
        show.seek(SCENES[scene].birth_s + seconds)
        coded = picture(show) / 255.0
    return np.where(coded <= 0.04045, coded / 12.92, ((coded + 0.055) / 1.055) ** 2.4)


def levels_of(image: np.ndarray) -> np.ndarray:
    """(height, width) the level of each pixel, modulo the colours, halves where it is on the way; -1 where there is none."""
    between = 0.5 * (COLOURS + np.roll(COLOURS, -1, axis=0))
    palette = np.stack([COLOURS, between], axis=1).reshape(-1, 3)
    away = np.linalg.norm(image[:, :, None] - palette, axis=-1)
    return np.where(away.min(axis=-1) < 0.25, away.argmin(axis=-1) / 2.0, -1.0)


@pytest.mark.parametrize(("scene", "seconds"), [("simplex", 11.0), ("plasma", 9.0)])
def test_levels_are_seen_when_asked_for(scene, seconds):
    plain, coloured = seen(scene, seconds, levels=False), seen(scene, seconds)
    assert np.abs(plain - coloured).mean() > 0.05
    found = levels_of(coloured)
    whole = found[(found >= 0) & (found % 1.0 == 0.0)]
    assert len(np.unique(whole)) >= 2
    lit = seen(scene, seconds, look="natural")
    assert np.abs(lit - coloured).mean() > 0.02


def test_side_by_side_levels_differ_by_one_at_most():
    """From above, where no ridge hides what lies between."""
    found = levels_of(seen("simplex", 3.0))
    assert len(np.unique(found[found % 1.0 == 0.0])) > 3
    for a, b in ((found[:, 1:], found[:, :-1]), (found[1:], found[:-1])):
        both = (a >= 0) & (b >= 0)
        steps = np.abs(a - b)[both]
        steps = np.minimum(steps, len(COLOURS) - steps)
        assert both.mean() > 0.1 and (steps <= 1.0).mean() > 0.999


def test_they_are_asked_for_on_the_command_line():
    assert show_options(cli.parse(["still", "x.png", "--set", "surface.levels=on"])).levels is True
    assert show_options(cli.parse(["still", "x.png"])).levels is False
