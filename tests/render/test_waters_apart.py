"""Sea, shores and dry land are drawn by programs of their own without a GPU, and the picture is as one program draws it."""

from __future__ import annotations

import numpy as np
from support.showing import options

SIZE = (320, 180)
# A world by a coast, and moments of its flight: one view may have the snow line on far patches, another none of it.
SCENE, SEED, SECONDS = "plasma", 5, (8.0, 12.0, 36.0)


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
        differences = []
        try:
            for seconds in SECONDS:
                show.seek(SCENES[SCENE].birth_s + seconds)
                show.draw()
                apart = show.read().astype(int)
                with monkeypatch.context() as one_program:
                    one_program.setattr(surface, "tells_waters", lambda fine: False)
                    show.draw()
                differences.append(np.abs(apart - show.read()).max(axis=2))
        finally:
            show.close()
    assert drawn == {SHORE, DRY, SEA}
    # Heights within the triangles of far patches differ a little: the snow line shows it.
    assert np.mean(differences) < 0.3
    assert all((difference > 12).mean() < 0.005 for difference in differences)
