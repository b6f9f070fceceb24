"""Adjacent monitors: processes that do not talk show parts of one picture at one time."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

import numpy as np
import pytest
from support.showing import showing

from demo.flight.camera import facing, frustum_planes
from demo.geometry.view import Part, whole
from demo.hosts import offscreen
from demo.hosts.adjacent_monitors import host_process, part_of, spanning
from demo.show.options import ShowOptions

pytestmark = pytest.mark.usefixtures("plain_flights")

WORLD = {"caption": False, "quality": "low"}
LEFT, RIGHT = (0, 0, 640, 480), (640, 0, 640, 480)
TALL = (1280, -200, 400, 800)


@pytest.fixture
def context():
    with offscreen.context((320, 90)):
        yield


def test_parts_lie_side_by_side():
    left, is_first = part_of(LEFT, [LEFT, RIGHT], 0)
    right, is_second = part_of(RIGHT, [RIGHT, LEFT], 0)
    assert left.edges == (-1.0, -1.0, 0.0, 1.0) and right.edges == (0.0, -1.0, 1.0, 1.0)
    assert left.aspect == right.aspect == 1280 / 480 and (is_first, is_second) == (True, False)


def test_a_bezel_hides_what_lies_between_them():
    left, right = (part_of(place, [LEFT, RIGHT], 64)[0] for place in (LEFT, RIGHT))
    whole_px = 2 * 640 + 64
    assert left.edges[2] == pytest.approx(-64 / whole_px) and right.edges[0] == pytest.approx(64 / whole_px)
    assert left.aspect == pytest.approx(whole_px / 480)


def test_monitors_of_other_sizes_keep_their_places():
    places = [LEFT, RIGHT, TALL]
    parts = [part_of(place, places, 0)[0] for place in places]
    # 1680 x 800 in all; the tall one begins 200 above the others and ends 120 below.
    assert parts[2].edges == pytest.approx((1280 / 840 - 1.0, -1.0, 1.0, 1.0))
    assert parts[0].edges == pytest.approx((-1.0, -0.7 + 0.0 + 0.0, 640 / 840 - 1.0, 0.5), abs=1e-9)
    assert [part_of(place, places, 0)[1] for place in places] == [True, False, False]


def test_what_one_part_leaves_out_the_other_sees():
    pose = facing(np.zeros(3), np.array([1.0, 0.2, 0.3]), np.array([0.0, 1.0, 0.0]), 0.9)
    parts = [Part((-0.5, 0.0), (0.5, 1.0), 2.0), Part((0.5, 0.0), (0.5, 1.0), 2.0)]
    at = np.random.default_rng(3).normal(size=(2000, 3))

    def seen(planes: np.ndarray) -> np.ndarray:
        return (at @ planes[:, :3].T + planes[:, 3] >= 0.0).all(axis=1)

    left, right = (seen(frustum_planes(pose, part.aspect, part.edges)) for part in parts)
    both = seen(frustum_planes(pose, 2.0))
    assert (both == (left | right)).all() and not (left & right).any() and left.any() and right.any()
    np.testing.assert_array_equal(whole(2.0).of_clip(), np.eye(4))


@pytest.mark.parametrize("scene", ["plasma", "cuts"])
def test_two_parts_are_the_halves_of_one_picture(context, scene):
    size, half = (320, 90), (160, 90)
    pictures = []
    for part, pixels in (
        (None, size),
        (Part((-0.5, 0.0), (0.5, 1.0), 320 / 90), half),
        (Part((0.5, 0.0), (0.5, 1.0), 320 / 90), half),
    ):
        with showing(pixels, scene=scene, hold=True, part=part, **WORLD) as show:
            show.seek(38.0)
            pictures.append(show.read().astype(int))
    one, left, right = pictures
    both = np.hstack([left, right])
    assert np.abs(one - both).mean() < 1.5
    # At the seam, pixel by pixel: no more than from any column to the next.
    steps = np.abs(np.diff(both, axis=1)).mean(axis=(0, 2))
    assert steps[159] <= np.percentile(steps, 95) + 1.0
    assert np.abs(one[:, 158:162] - both[:, 158:162]).mean() < 3.0


def test_processes_of_one_host_go_by_one_clock_and_one_seed(monkeypatch):
    shared = [spanning(ShowOptions(), "span", place, [LEFT, RIGHT], 0) for place in (LEFT, RIGHT)]
    assert shared[0].seed == shared[1].seed is not None
    assert shared[0].caption and not shared[1].caption
    assert abs(shared[0].clock() - shared[1].clock()) < 0.1
    same = spanning(ShowOptions(seed=7), "same", LEFT, [LEFT, RIGHT], 0)
    assert same.seed == 7 and same.part is None and same.clock is not None
    # A window that fills none of them, a screen with one, a user who wants none of it.
    plain = ShowOptions()
    for wish, place, there in (
        ("span", (10, 10, 100, 100), [LEFT, RIGHT]),
        ("span", LEFT, [LEFT]),
        ("span", LEFT, [LEFT, LEFT]),
        ("span", None, [LEFT, RIGHT]),
        ("each", LEFT, [LEFT, RIGHT]),
    ):
        assert spanning(plain, wish, place, there, 0) is plain


def test_the_host_is_who_has_started_the_shell():
    own = host_process(os.getpid())
    assert own and own.pid == os.getpid() and 0.0 <= time.time() - own.started < 86_400.0 * 30
    child = subprocess.Popen(["sh", "-c", "sleep 60; true"])
    try:
        assert host_process(child.pid) == own
    finally:
        child.kill()
        child.wait()
    assert host_process(1, Path("/nowhere")) is None


def test_a_late_show_is_where_the_others_are(context):
    """Two live shows, one of which joins later, have one story, one time and one camera."""
    clock = [0.0]
    poses = []
    for joins in (7.0, 90.0):
        clock[0] = joins
        with showing((96, 54), scene="plasma", clock=lambda: clock[0], **WORLD) as show:
            deadline = time.monotonic() + 120.0
            while time.monotonic() < deadline:
                # The clock stands still at 90 s until all is ready.
                show.update(0.03)
                clock[0] = max(clock[0], 90.0 if show.shot().current else joins)
                story = show.shot().current
                if story and story.scene.name == "cuts" and story.t > 0.0:
                    break
                time.sleep(0.002)
            shot = show.shot()
            poses.append((shot.current.scene.name, shot.current.seed, shot.current.t, shot.pose.position.tolist()))
    # The first world is over by then.
    assert poses[0][0] == "cuts" and poses[0][2] > 20.0
    assert poses[0] == poses[1]
