"""No hole in the ground where patches meet: what would be seen through one is drawn in a colour of its own."""

from __future__ import annotations

import numpy as np
import pytest
from support.showing import showing

from demo.hosts import offscreen
from demo.scenes.scenes import SCENES

GLARING = 1000.0


def enclosed(open_: np.ndarray) -> np.ndarray:
    """Where `open_`, bool (height, width), has closed pixels within three of it on all four sides."""
    found = open_.copy()
    for axis in (0, 1):
        for way in (1, -1):
            found &= np.any([np.roll(~open_, way * k, axis) for k in (1, 2, 3)], axis=0)
    found[:4] = found[-4:] = found[:, :4] = found[:, -4:] = False
    return found


@pytest.mark.parametrize("quality", ["software", "high"])
@pytest.mark.parametrize("scene", ["plasma", "simplex"])
def test_nothing_is_seen_through_the_ground(scene, quality, monkeypatch):
    with offscreen.context():
        from OpenGL import GL

        from demo.render.sky import Sky
        from demo.show.stage import Stage

        monkeypatch.setattr(Sky, "draw", lambda *words, **named: None)
        for name in ("_draw_companions", "_draw_towns", "_draw_marks"):
            monkeypatch.setattr(Stage, name, lambda *words, **named: None)
        GL.glClearColor(GLARING, 0.0, GLARING, 1.0)
        try:
            with showing((480, 270), scene=scene, hold=True, caption=False, quality=quality) as show:
                holes = pixels = 0
                for seconds in (9.0, 12.0, 16.0, 20.0):
                    show.seek(SCENES[scene].birth_s + seconds)
                    show.draw()
                    colours = show._painter._target.read_floats()
                    through = colours[..., 0] > 0.5 * GLARING
                    pixels += (~through).sum()
                    holes += enclosed(through).sum()
        finally:
            GL.glClearColor(0.0, 0.0, 0.0, 0.0)
    assert pixels > 100_000
    assert holes <= 1, "a rounding may open a pixel, no seam"
