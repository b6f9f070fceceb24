"""Ground that is shaded once its mesh has been drawn looks like ground that is shaded at once."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from support.showing import SMALL
from support.surfaces import drawn_surface, relief_at, view_at

from demo.geometry.frame_state import Moment
from demo.hosts import offscreen
from demo.render import surface_pass
from demo.scenes.scenes import SCENES
from demo.story.story import Story
from demo.tables.looks import Look
from demo.tables.quality import QUALITIES

SOFTWARE = QUALITIES["software"]
AT_ONCE = Look(fine=False, isosceles=True)
DEFERRED = replace(AT_ONCE, deferred=True)
# Seconds after a birth.
SECONDS = 9.0, 16.0, 24.0
# Of a picture's codes, 0..255: pixels further apart than this are another ground.
FAR_APART = 40.0


def coded(light: np.ndarray) -> np.ndarray:
    """Roughly what a screen shows of linear light, 0..255."""
    return 255.0 * np.clip(light, 0.0, 1.0) ** (1.0 / 2.2)


def pictures(story: Story, look: Look, seconds: tuple[float, ...] = SECONDS, detail: float = 1.0) -> list[np.ndarray]:
    """The ground of a story so many seconds after its birth."""
    with offscreen.context(), drawn_surface(story, SOFTWARE, look) as drawn:
        drawn.surface.upload(0, relief_at(story))
        times = [story.scene.birth_s + after for after in seconds]
        found = [coded(drawn.picture(view_at(story, t), Moment(t, detail=detail))) for t in times]
        assert drawn.tiles > 5
    return found


def prepared(scene: str) -> Story:
    story = Story(SCENES[scene], 1, SMALL[scene], SOFTWARE)
    story.prepare()
    return story


@pytest.mark.parametrize("scene", ["plasma", "simplex", "doublecone"])
@pytest.mark.parametrize("detail", [0.4, 1.0])
def test_the_picture_is_that_of_shading_at_once(scene, detail):
    story = prepared(scene)
    for one, other in zip(pictures(story, DEFERRED, detail=detail), pictures(story, AT_ONCE, detail=detail), strict=True):
        apart = np.abs(one - other).max(axis=2)
        assert apart.mean() < 1.5
        # Grain at the crests of hills is finer: it no longer goes by what lies behind them.
        assert (apart > FAR_APART).mean() < 0.002


def test_nothing_is_left_of_the_picture_before():
    story = prepared("plasma")
    _, after_another = pictures(story, DEFERRED, (9.0, 16.0))
    (alone,) = pictures(story, DEFERRED, (16.0,))
    # A tile's place in the picture of tiles moves roundings.
    assert np.abs(alone - after_another).max() < 4.0


def test_each_pixel_of_the_ground_is_shaded_once(monkeypatch):
    """Near triangles are smaller than what a software renderer shades at a time: their pixels are counted, not they."""
    from demo.render.gl import opengl as GL

    shaded = []
    shade = surface_pass.SurfacePass.shade

    def counted(*given):
        query = GL.glGenQueries(1)[0]
        GL.glBeginQuery(GL.GL_SAMPLES_PASSED, query)
        shade(*given)
        GL.glEndQuery(GL.GL_SAMPLES_PASSED)
        shaded.append(int(GL.glGetQueryObjectuiv(query, GL.GL_QUERY_RESULT)))

    monkeypatch.setattr(surface_pass.SurfacePass, "shade", counted)
    (picture,) = pictures(prepared("plasma"), DEFERRED, (16.0,))
    covered = (picture.max(axis=2) > 0.0).sum()
    assert 0.3 * covered < sum(shaded) <= covered
