"""Rivers in pictures: dark water in its valleys, none as printed, and the same whatever was drawn before."""

from __future__ import annotations

import numpy as np
import pytest
from support.showing import showing

from demo.hosts import offscreen
from demo.scenes.scenes import SCENES

pytestmark = pytest.mark.usefixtures("plain_flights")

SIZE = (320, 180)
SCENE = SCENES["plasma"]


def test_rivers_gather_while_land_is_carved_and_look_like_water(monkeypatch):
    """Each moment is drawn with and without them."""
    wanted, seen = [True], []
    with offscreen.context(SIZE):
        # OpenGL is imported when its platform is chosen.
        from demo.render.river_water import RiverWater

        given = RiverWater.draw
        monkeypatch.setattr(RiverWater, "draw", lambda *what: given(*what) if wanted[0] else None)
    with offscreen.context(SIZE), showing(SIZE, scene="plasma", quality="software", hold=True, seed=6) as show:
        for seconds in (SCENE.grown_s + 0.01, 0.5 * (SCENE.grown_s + SCENE.birth_s), SCENE.birth_s - 0.1):
            show.seek(seconds)
            wanted[0] = False
            bare = show.read().astype(int)
            wanted[0] = True
            wet = show.read().astype(int)
            seen.append(np.abs(wet - bare).sum(axis=2) > 6)
    assert seen[0].sum() == 0 and 10 < seen[1].sum() < seen[2].sum()
    red, _, blue = wet[seen[2]].mean(axis=0)
    red_before, _, blue_before = bare[seen[2]].mean(axis=0)
    assert blue - red > blue_before - red_before


@pytest.mark.parametrize("seed, after_birth_s", [(1, -1.5), (2, 2.0)])
def test_rivers_lie_under_the_clouds_that_hide_their_ground(monkeypatch, seed, after_birth_s):
    """Clouds are thicker over moist ground: over a river as much as beside it."""
    wanted = [True]
    with offscreen.context(SIZE):
        from demo.render.river_water import RiverWater

        given = RiverWater.draw
        monkeypatch.setattr(RiverWater, "draw", lambda *what: given(*what) if wanted[0] else None)
    with offscreen.context(SIZE), showing(SIZE, scene="simplex", quality="software", hold=True, seed=seed) as show:
        show.seek(SCENES["simplex"].birth_s + after_birth_s)
        wanted[0] = False
        bare = show.read().astype(int)
        wanted[0] = True
        changed = np.abs(show.read().astype(int) - bare).sum(axis=2)
    assert (changed > 6).sum() > 20 and not ((changed > 40) & (bare.min(axis=2) > 140)).any()


def test_no_rivers_as_printed():
    from demo.render.shader_variants import river_variants
    from demo.tables.looks import AS_PRINTED, Look

    assert not river_variants(SCENE, Look(AS_PRINTED)) and river_variants(SCENE, Look())
