"""Sea, shores and dry land are drawn by programs of their own without a GPU, and the picture is as one program draws it."""

from __future__ import annotations

import numpy as np
from support.showing import options

SIZE = (320, 180)
# A world by a coast, and the seconds after its birth.
SCENE, SEED, SECONDS = "plasma", 3, 12.0


def test_parts_drawn_apart_make_the_same_picture(monkeypatch):
    from demo.geometry.tile_waters import DRY, SEA, SHORE
    from demo.hosts import offscreen
    from demo.scenes.scenes import SCENES

    with offscreen.context(SIZE):
        from demo.render import surface
        from demo.show.show import Show

        drawn: set[int] = set()
        parts = surface.Surface._parts

        def noted(*given):
            for patches, waters in parts(*given):
                drawn.update({waters} if len(patches) else set())
                yield patches, waters

        monkeypatch.setattr(surface.Surface, "_parts", noted)
        show = Show(options(scene=SCENE, seed=SEED, hold=True, caption=False, quality="software"), *SIZE)
        try:
            show.seek(SCENES[SCENE].birth_s + SECONDS)
            show.draw()
            apart = show.read().astype(int)
            monkeypatch.setattr(surface, "tells_waters", lambda fine: False)
            show.draw()
            together = show.read().astype(int)
        finally:
            show.close()
    assert drawn == {SHORE, DRY, SEA}
    difference = np.abs(apart - together).max(axis=2)
    # Heights within the triangles of far patches differ a little: the snow line shows it.
    assert difference.mean() < 0.3 and (difference > 12).mean() < 0.005
