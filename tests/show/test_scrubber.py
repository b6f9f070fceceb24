"""A growth that is run backwards and forwards: the pictures are those that playing it shows."""

from __future__ import annotations

import time

import numpy as np
import pytest
from support.showing import SIZE, picture, showing

from demo.hosts import offscreen
from demo.show.scrubber import FASTEST

pytestmark = pytest.mark.usefixtures("plain_flights", "shared_worlds")

DT = 0.05


@pytest.fixture(scope="module", autouse=True)
def context():
    with offscreen.context(SIZE):
        yield


def until(show, reached):
    """Let time pass until the story is where it should be."""
    end = time.monotonic() + 120.0
    while not reached(show.shot().current):
        assert time.monotonic() < end, show.shot().current.t
        show.update(DT)
        time.sleep(0.001)


def key_times(story):
    when = story.born.timeline
    return [float(when.times[when.picture.searchsorted(number)]) for number in range(when.pictures)]


# While it grows, and with the last picture of all, which carving ends with.
@pytest.mark.parametrize(("scene", "share"), [("plasma", 1.0), ("particles", 0.3), ("cuts", 1.0), ("map", 0.3)])
def test_back_and_forth_gives_the_picture_that_playing_gave(scene, share):
    with showing(scene=scene, hold=True, caption=False) as show:
        show.seek(0.5)
        times = key_times(show.shot().current)
        there = times[round(share * (len(times) - 1))]
        show.seek(there)
        played = picture(show)
        for way in (-1, -1, -1, 1, 1, 1):
            before = show.shot().current.t
            show.act("step_back" if way < 0 else "step_on")
            until(show, lambda story, before=before, way=way: (story.t - before) * way > 0)
        assert show.paused and show.shot().current.t == there
        # Until the line has gone that says so.
        show.update(5.0)
        assert np.array_equal(picture(show), played)


def test_a_held_key_runs_the_growth_back_to_its_beginning_and_on_to_its_end_and_the_show_goes_on_from_there():
    with showing(scene="plasma", hold=True) as show:
        show.seek(1.0)
        scene = show.shot().current.scene
        # From the flight: the end of the growth comes first.
        show.seek(scene.birth_s + 6.0)
        flown = show.shot().pose
        show.act("run_back")
        until(show, lambda story: story.t <= scene.birth_s)
        glided = show.shot().pose
        assert np.linalg.norm(glided.position - flown.position) < 0.2 * scene.size_m, "the camera jumps"
        until(show, lambda story: story.t == scene.birth[0][0])
        show.act("run_back", False)
        show.act("run_on")
        until(show, lambda story: story.t == scene.birth_s)
        assert show.shot().line == (1.0, 1.0)
        show.act("run_on", False)
        until(show, lambda story: story.t > scene.birth_s)
        for _ in range(60):
            show.update(DT)
        assert show.shot().line is None


def test_the_growth_runs_on_by_itself_from_where_the_key_is_let_go():
    with showing(scene="simplex", hold=True) as show:
        show.seek(9.0)
        show.act("run_back")
        until(show, lambda story: story.t < 7.0)
        show.act("run_back", False)
        until(show, lambda story: True)
        there = show.shot().current.t
        until(show, lambda story: story.t > there + 0.5)
        assert there < 7.0


def test_it_runs_the_faster_the_longer_the_key_is_held_but_no_faster_than_can_be_followed():
    with showing(scene="doublecone", hold=True) as show:
        show.seek(16.0)
        show.act("run_back")
        steps, before = [], 16.0
        for _ in range(400):
            show.update(DT)
            time.sleep(0.002)
            t = show.shot().current.t
            if t < before:
                steps.append(before - t)
                before = t
        assert before == show.shot().current.scene.birth[0][0]
        assert steps[0] < 3.0 * DT * FASTEST and show.shot().line[0] == 0.0


def test_nothing_is_run_in_a_melt_and_before_the_first_world():
    with showing(scene="plasma") as show:
        for action in ("run_back", "run_on", "step_back", "step_on"):
            show.act(action)
        show.update(DT)
        assert show.shot().current is None and show.shot().line is None
