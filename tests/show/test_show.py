"""The show: a picture is a function of its moment alone, every action does what its key promises, nothing is left behind."""

from __future__ import annotations

import gc
import threading
import time
from contextlib import contextmanager
from itertools import cycle, pairwise
from weakref import ref

import numpy as np
import pytest
from support import showing as support
from support.shared_worlds import SharedWorlds
from support.showing import SIZE, TOO_LONG_S, pass_time, picture, sized, wait_for_next

from demo.catalogue.generator import Generator
from demo.hosts import offscreen
from demo.scenes.scenes import ROTATION, SCENES
from demo.scenes.timeline import timeline
from demo.show import patience
from demo.show.notices import BREATH_S, PATIENCE_S, TOLD_S
from demo.story.replay import PictureMaker
from demo.story.story import Story
from demo.story.worker import Worker
from demo.tables import keys
from demo.tables.looks import AS_PRINTED, AS_PRINTED_LIT, LOOKS
from demo.worlds.parameters import ParameterError

pytestmark = pytest.mark.usefixtures("plain_flights")

SCENE = pytest.mark.parametrize("scene", SCENES)
# A little longer than any melt that was asked for.
ASKED_S = 4.0
ONE = {"scene": "plasma", "hold": True, "caption": False}


@pytest.fixture(scope="module", autouse=True)
def context():
    with offscreen.context(SIZE):
        yield


def showing(size: tuple[int, int] = SIZE, **given: object):
    """A show of small worlds at a quality that is quickly drawn, unless another one is given."""
    return support.showing(size, **{"quality": "low", **given})


def still(seconds: float, size: tuple[int, int] = SIZE, **given: object) -> np.ndarray:
    """The picture at a time of such a show of its own."""
    return support.still(seconds, size, **{"quality": "low", **given})


def flight_time(scene: str) -> float:
    """Some seconds into the flight."""
    return SCENES[scene].birth_s + 6.0


def is_alive(image: np.ndarray) -> bool:
    """Neither empty nor of one colour."""
    return image.std() > 6.0 and len(np.unique(image.reshape(-1, 3), axis=0)) > 200


# --- a picture is a function of its moment -----------------------------------------------------------------------------


@pytest.mark.parametrize(("scene", "fps"), list(zip(SCENES, cycle((10, 25)))))
def test_sought_directly_or_stepped_to(scene, fps):
    """In the birth byte for byte, and in flight but for a few pixels, whether frames in between were drawn or not.

    The worlds of the pictures alone are shared with one another, but not with the show that is stepped through.
    """
    end, settles_s = SCENES[scene].birth_s, SCENES[scene].settles_s
    moments = [round(t * fps) for t in (2.4, 0.6 * end, settles_s + 0.2, end + 0.4)]
    with showing(scene=scene, hold=True, quality="high") as show:
        stepped = []
        for number in range(moments[-1] + 1):
            show.seek(number / fps)
            if number in moments:
                stepped.append(picture(show))
            elif number % 40 == 7:
                show.draw()
    with SharedWorlds().shared():
        alone_at = [still(number / fps, scene=scene, hold=True, quality="high") for number in moments]
    for number, image, alone in zip(moments, stepped, alone_at, strict=True):
        levels = np.abs(image.astype(int) - alone).max(axis=2)
        # Tiles that were made for earlier frames lie in other places of their picture, where they are read at places that
        # are rounded otherwise: at first a pixel in 3,000 may tell, and in flight so many by more than one level.
        assert (levels > (number == moments[-1])).sum() <= (levels.size // 3000 if number >= moments[-2] else 0)
        assert (levels > 0).mean() <= 1.0 / 250.0
        assert is_alive(image)


def test_sought_directly_or_stepped_to_over_a_melt():
    first = SCENES["plasma"]
    length = first.birth_s + first.flight_s
    moments = (length - 1.0, length + 5.0)
    with showing(scene="plasma", quality="high") as show:
        stepped = []
        for number in range(round(moments[-1] * 10) + 1):
            show.seek(number / 10)
            if number in (round(t * 10) for t in moments):
                stepped.append(picture(show))
    for t, image in zip(moments, stepped, strict=True):
        assert np.array_equal(image, still(round(t * 10) / 10, scene="plasma", quality="high"))


def test_two_shows_at_once_do_not_disturb_each_other():
    alone = [still(5.0, scene=name, hold=True) for name in ("plasma", "cuts")]
    with showing(scene="plasma", hold=True) as a, showing(scene="cuts", hold=True) as b:
        for t in (1.0, 3.0, 5.0):
            for show in (a, b):
                show.seek(t)
                show.draw()
        assert np.array_equal(a.read(), alone[0]) and np.array_equal(b.read(), alone[1])


@SCENE
def test_other_seeds_and_looks_are_other_pictures(scene):
    t = flight_time(scene)
    images = [still(t, scene=scene, hold=True, seed=4)]
    # Where the article lights its land, the printed look is lit already.
    looks = [look for look in LOOKS[1:] if look != AS_PRINTED_LIT]
    with showing(scene=scene, hold=True) as show:
        show.seek(t)
        images.append(picture(show))
        assert all(is_alive(image) for image in images)
        show.act("pause")
        seen = set()
        for _ in LOOKS[1:]:
            show.act("look")
            show.update(0.1)
            seen.add(show.shot().switches.look)
            if show.shot().switches.look in looks:
                images.append(picture(show))
    assert seen >= set(looks)
    # Printed land that is not lit has few colours, and need not have more.
    assert all(image.std() > 6.0 for image in images)
    for k, image in enumerate(images):
        assert not any(np.abs(image.astype(int) - other).mean() < 2.0 for other in images[:k])


@SCENE
def test_printed_land_is_lit_where_the_article_lights_it_or_where_asked(scene):
    t = flight_time(scene)
    printed, lit = (still(t, scene=scene, hold=True, look=look) for look in (AS_PRINTED, AS_PRINTED_LIT))
    assert np.array_equal(printed, lit) == SCENES[scene].printed.lit
    assert lit.std() > 6.0


@SCENE
def test_no_frame_of_a_story_is_empty(scene):
    # So small a planet has few rivers: that of seed 1 has none in daylight whose bends a flight could follow.
    with showing(scene=scene, hold=True, seed=3 if scene == "map" else 1) as show:
        for t in np.linspace(0.0, SCENES[scene].birth_s + SCENES[scene].flight_s, 23):
            show.seek(float(t))
            assert is_alive(picture(show)), t


def test_time_only_runs_forward():
    with showing(**ONE) as show:
        show.seek(4.0)
        show.seek(4.0)
        with pytest.raises(ValueError, match="forward"):
            show.seek(3.9)


def test_long_leaps_do_not_stand_still():
    """Over whole stories at once, with hundreds of pictures that nobody takes."""
    with showing(scene="plasma") as show:
        for t in (0.0, 19.0, 44.0, 130.0, 131.0, 260.0):
            show.seek(t)
            assert is_alive(picture(show))


def test_every_world_of_a_show_has_its_own_seed():
    with showing(scene="plasma") as show:
        seen = {}
        for t in range(0, 400, 20):
            show.seek(float(t))
            story = show.shot().current
            seen[story] = (story.scene.name, story.seed)
    assert len(seen) >= 5
    names = [name for name, _ in seen.values()]
    assert names[: len(ROTATION)] == list(ROTATION), "in the order of the table"
    assert len({seed for _, seed in seen.values()}) == len(seen)


@pytest.mark.parametrize("wrong", [{"scene": "nowhere"}, {"parameters": {"nowhere": {}}}])
def test_an_unknown_scene_is_refused(wrong):
    with pytest.raises(ParameterError, match="nowhere"), showing(**wrong):
        pass


def test_a_wrong_parameter_is_refused():
    with pytest.raises(ParameterError), showing(scene="plasma", parameters={"plasma": {"cells": 0}}):
        pass


# --- the tour ----------------------------------------------------------------------------------------------------------


def test_a_tour_shows_every_scene_and_melts_between():
    with showing(tour_seconds=20.0) as show:
        shown, melts, grown = [], {}, set()
        for number in range(80):
            show.seek(number / 4)
            shot = show.shot()
            story = shot.current
            if story.scene.name not in shown:
                shown.append(story.scene.name)
            if story.t >= story.scene.birth_s:
                grown.add(story.scene.name)
            if shot.melt:
                melts.setdefault(shot.coming.scene.name, shot.melt.length_s)
            if number % 4 == 3:
                assert is_alive(picture(show)), number / 4
        following = (shot.coming or shot.current).scene.name
    assert shown == list(ROTATION) and following == shown[-1]
    assert grown == set(ROTATION), "each is seen grown"
    assert list(melts) == shown[1:] and min(melts.values()) >= 2.0


def test_a_melt_shows_something_of_both_worlds():
    # The cut between two scenes of a tour: the pictures before and after, and one half-way.
    with showing(tour_seconds=20.0, caption=False) as show:
        while not show.shot().melt:
            show.seek(show.shot().clock + 0.05)
        start, length = show.shot().melt.start_s, show.shot().melt.length_s
        images = []
        for share in (0.02, 0.5, 0.98):
            show.seek(start + share * length)
            images.append(picture(show).astype(float))
    before, half, after = images
    assert is_alive(half.astype(np.uint8))
    apart = np.abs(before - after).mean()
    assert np.abs(half - before).mean() > 0.2 * apart and np.abs(half - after).mean() > 0.2 * apart


# --- actions -----------------------------------------------------------------------------------------------------------


def everything(show) -> tuple:
    """All that an action can change at once."""
    shot = show.shot()
    return shot.switches, shot.coming, show.wants_quit, show.wants_still, show.free_camera, show.memory()


@pytest.mark.parametrize("action", keys.ACTIONS, ids=lambda action: action.name)
def test_every_action_does_something(action):
    """But for the window's own, and for scenes that there are not."""
    with showing(scene="plasma") as show:
        show.seek(20.0)
        if action.held:
            show.act("free_camera")
        before, pose = everything(show), show.shot().pose
        show.act(action.name)
        nothing = (
            action.by_window
            or action.held
            or action.runs
            or action.name in [f"scene_{k}" for k in range(len(ROTATION) + 1, 10)]
        )
        assert (everything(show) == before) == bool(nothing)
        if action.held:
            pass_time(show, 0.3)
            assert np.linalg.norm(show.shot().pose.position - pose.position) > 1.0
        if action.runs:
            assert show.shot().line is None
            show.update(0.1)
            assert show.shot().line is not None


def test_an_unknown_action_is_an_error():
    with showing(scene="plasma") as show, pytest.raises(ValueError, match="dance"):
        show.act("dance")


@pytest.mark.parametrize("order", range(2))
@pytest.mark.parametrize("moment", ["before the first world", "in flight", "in a melt"])
def test_no_action_fails_whatever_came_before(moment, order):
    """All of them, in two orders, with the pointer moving."""
    scene = SCENES["plasma"]
    names = [action.name for action in keys.ACTIONS]
    with showing(scene="plasma") as show:
        if moment != "before the first world":
            show.seek(scene.birth_s + (1.0 if moment == "in flight" else scene.flight_s - 2.5))
        for name in np.random.default_rng(order).permutation(names):
            for pressed in (True, False):
                show.act(name, pressed)
                show.pointer(3.0, -2.0)
                show.wheel(0.5)
                show.update(0.04)
                show.draw()
        assert show.wants_quit and show.wants_still and show.read().std() > 0.5


def test_a_new_world_is_of_the_same_scene_and_the_old_one_flies_on():
    from demo.show.melt import ASKED_FLOW_S
    from demo.show.programme import GROWS_AFTER_S

    with showing(scene="plasma") as show:
        show.seek(20.0)
        old = show.shot().current
        before = picture(show)
        show.act("new_world")
        pass_time(show, 0.5)
        assert show.shot().current is old and old.t == pytest.approx(20.5)
        assert not np.array_equal(before, picture(show))
        new = show.shot().coming
        wait_for_next(show)
        pass_time(show, 1.0)
        assert show.shot().current is old and show.shot().melt and old.t == pytest.approx(21.5)
        pass_time(show, 3.0)
        assert show.shot().current is new and new.scene is old.scene and new.seed != old.seed
        # Both are of one atlas: the new world grows once the old one has gone.
        stood = max(ASKED_FLOW_S + GROWS_AFTER_S - new.scene.birth[0][0], 0.0)
        assert new.t == pytest.approx(3.9 - stood, abs=0.11)
        assert is_alive(picture(show))


def test_a_world_that_has_gone_leaves_nothing_behind():
    with showing(scene="plasma") as show:
        show.seek(flight_time("plasma"))
        show.update(0.01)
        old = ref(show.shot().current)
        assert show.memory(), "it is in the history"
        show.act("new_world")
        # Circles of objects would keep a world until Python looks for them, which may be minutes.
        gc.collect()
        gc.disable()
        try:
            wait_for_next(show)
            assert show.shot().coming.carved is None, "it is carved when the old world has gone"
            pass_time(show, ASKED_S)
            assert old() is None
        finally:
            gc.enable()


def test_the_newest_wish_wins():
    with showing(scene="plasma") as show:
        show.seek(20.0)
        asked = []
        for _ in range(3):
            show.act("new_world")
            asked.append(show.shot().coming)
        assert [story.cancelled for story in asked] == [True, True, False]
        assert len({story.seed for story in asked}) == 3
        wait_for_next(show)
        pass_time(show, ASKED_S)
        assert show.shot().current is asked[2]


def test_a_wish_during_a_melt():
    with showing(scene="plasma") as show:
        show.seek(20.0)
        show.act("new_world")
        second = show.shot().coming
        wait_for_next(show)
        pass_time(show, 0.5)
        assert show.shot().melt
        show.act("next_scene")
        third = show.shot().coming
        assert show.shot().current is second, "what was melting in is there"
        wait_for_next(show)
        pass_time(show, ASKED_S)
        assert show.shot().current is third and third.scene.name == list(ROTATION)[1]


def test_a_wish_before_the_first_world():
    with showing(scene="plasma") as show:
        show.update(0.01)
        show.act("next_scene")
        show.act("new_world")
        name = list(ROTATION)[1]
        wait_for_next(show)
        show.update(0.01)
        assert show.shot().current.scene.name == name


def test_next_previous_and_numbered_scenes():
    names = list(ROTATION)
    with showing(scene=names[0]) as show:
        show.seek(5.0)
        for action, wanted in (
            ("next_scene", names[1]),
            ("previous_scene", names[0]),
            ("previous_scene", names[-1]),
            ("next_scene", names[0]),
            *((f"scene_{number}", name) for number, name in enumerate(names, start=1)),
        ):
            show.act(action)
            assert show.shot().coming.scene.name == wanted
            show.update(0.01)
        show.act("scene_9") if len(names) < 9 else None
        assert show.shot().coming.scene.name == wanted
        wait_for_next(show)
        pass_time(show, 2.4)
        assert show.shot().current.scene.name == wanted


def test_a_released_key_does_nothing():
    with showing(scene="plasma") as show:
        show.seek(5.0)
        following = show.shot().coming
        for action in keys.ACTIONS:
            show.act(action.name, False)
        assert show.shot().coming is following and not show.wants_quit and not show.wants_still and not show.free_camera


def test_while_paused_time_stands():
    with showing(**ONE) as show:
        show.seek(8.0)
        show.act("pause")
        show.update(0.1)
        before = picture(show)
        for _ in range(5):
            show.update(0.1)
        assert np.array_equal(before, picture(show)) and show.shot().current.t == 8.0
        show.act("pause")
        pass_time(show, 0.5)
        assert show.shot().current.t == pytest.approx(8.5) and not np.array_equal(before, picture(show))


def test_faster_and_slower_change_the_birth_alone():
    with showing(**ONE) as show:
        show.seek(4.0)
        story = show.shot().current
        for actions, rate in (
            (["faster"], 2.0),
            (["slower", "slower"], 0.5),
            (["faster"] * 9, 8.0),
            (["slower"] * 9, 0.125),
        ):
            for action in actions:
                show.act(action)
            before = show.shot().current.t
            pass_time(show, 0.4, 0.05)
            assert show.shot().current.t - before == pytest.approx(0.4 * rate)
        show.seek(max(flight_time("plasma"), show.shot().clock))
        story.t = flight_time("plasma")
        before = story.t
        pass_time(show, 0.4, 0.05)
        assert show.shot().current.t - before == pytest.approx(0.4), "a flight has its own pace"


@SCENE
@pytest.mark.parametrize("action", ["normals", "look", "wireframe"])
def test_what_changes_the_picture_and_back(scene, action):
    # Land that the article lights has no look as printed and lit besides.
    times = len(LOOKS) - SCENES[scene].printed.lit if action == "look" else 2
    with showing(scene=scene, hold=True, caption=False) as show:
        show.seek(SCENES[scene].birth_s)
        images = [picture(show)]
        for _ in range(times):
            show.act(action)
            images.append(picture(show))
    assert np.array_equal(images[0], images[-1])
    for image in images[1:-1]:
        assert (image != images[0]).any(axis=-1).mean() > 0.02
        # Printed land that is not lit has few colours, and need not have more.
        assert image.std() > 6.0
    assert is_alive(images[0])


def changed_box(a: np.ndarray, b: np.ndarray) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of what differs, in shares of the picture."""
    rows, columns = np.nonzero((a != b).any(axis=-1))
    height, width = a.shape[:2]
    return columns.min() / width, rows.min() / height, (columns.max() + 1) / width, (rows.max() + 1) / height


def test_help_is_drawn_in_the_middle_and_figures_in_the_corner():
    with showing((320, 180), **ONE) as show:
        show.seek(flight_time("plasma"))
        plain = picture(show)
        show.act("help")
        left, top, right, bottom = changed_box(plain, picture(show))
        assert left > 0.02 and right < 0.98 and right - left > 0.3
        assert left + right == pytest.approx(1.0, abs=0.02) and top + bottom == pytest.approx(1.0, abs=0.02)
        assert top >= 0.0 and bottom <= 1.0
        show.act("help")
        assert np.array_equal(plain, picture(show))
        show.act("figures")
        left, top, right, bottom = changed_box(plain, picture(show))
        assert left < 0.1 and top < 0.1 and bottom < 0.7
        show.act("figures")
        assert np.array_equal(plain, picture(show))


def test_the_caption_tells_the_count_and_fades():
    late = SCENES["cuts"].birth_s + SCENES["cuts"].flight_s - 5.0
    box = []
    for t in (5.0, late):
        with_words, without = (still(t, (320, 180), scene="cuts", hold=True, caption=caption) for caption in (True, False))
        box.append(None if np.array_equal(with_words, without) else changed_box(with_words, without))
    assert box[1] is None
    left, top, _, bottom = box[0]
    assert left < 0.1 and top > 0.5 and bottom <= 1.0


def test_figures_keep_the_caption():
    with showing(scene="plasma", hold=True) as show:
        show.seek(SCENES["plasma"].birth_s + SCENES["plasma"].flight_s - 5.0)
        plain = picture(show)
        show.act("figures")
        assert changed_box(plain, picture(show))[3] > 0.9


def test_a_still_is_asked_for_and_named():
    with showing(scene="cuts", hold=True, seed=3) as show:
        show.seek(12.5)
        show.act("still")
        assert show.wants_still
        name = show.still_name()
    assert name.endswith(".png") and "cuts" in name and "3" in name and "12.5" in name


@SCENE
def test_the_name_of_a_still_is_a_file_name(scene):
    with showing(scene=scene, hold=True) as show:
        assert show.still_name() == "landfall.png"
        show.seek(3.0)
        assert not set('/\\:*?"<>|') & set(show.still_name()) and len(show.still_name()) < 200


def test_quit():
    with showing(scene="plasma") as show:
        show.act("quit")
        assert show.wants_quit


# --- the free camera ---------------------------------------------------------------------------------------------------


def pose_of(show):
    return show.shot().pose


@SCENE
def test_the_free_camera_moves_and_stays_above_the_ground(scene):
    with showing(scene=scene, hold=True) as show:
        show.seek(flight_time(scene))
        ground = show.shot().current.prepared.ground
        before = pose_of(show)
        show.act("free_camera")
        assert show.free_camera
        show.update(0.0)
        assert np.allclose(pose_of(show).position, before.position), "taken over where the flight was"
        for action in ("forward", "left", "up"):
            start = pose_of(show).position
            show.act(action)
            pass_time(show, 0.4)
            show.act(action, False)
            assert np.linalg.norm(pose_of(show).position - start) > 1.0
        forward = pose_of(show).forward
        show.pointer(40.0, 10.0)
        show.wheel(2.0)
        pass_time(show, 0.1)
        assert forward @ pose_of(show).forward < 0.9999
        show.act("down")
        show.act("forward")
        for _ in range(60):
            pass_time(show, 0.2)
            assert ground.clearance(pose_of(show).position[None])[0] > 0.0
        assert picture(show).std() > 1.0, "close over water there is not much to see, but light"


@SCENE
def test_the_free_camera_returns_smoothly(scene):
    with showing(scene=scene, hold=True) as show:
        show.seek(flight_time(scene))
        show.act("free_camera")
        show.act("forward")
        show.pointer(300.0, -20.0)
        pass_time(show, 2.0)
        show.act("free_camera")
        assert not show.free_camera
        poses, dt = [pose_of(show)], 0.05
        for _ in range(60):
            pass_time(show, dt, dt)
            poses.append(pose_of(show))
        flight = show.shot().current.prepared.flight
        target = flight.pose(show.shot().current.t)
        assert np.allclose(poses[-1].position, target.position) and np.allclose(poses[-1].forward, target.forward)
        steps = [np.linalg.norm(b.position - a.position) for a, b in pairwise(poses)]
        way = np.linalg.norm(poses[0].position - target.position)
        # 1.5 / 1.6 s is the steepest of the blend; over planets the way leads around.
        assert max(steps) < 0.1 * way + 0.1 * sum(steps) + 1.0
        turns = [np.degrees(np.arccos(np.clip(a.forward @ b.forward, -1, 1))) for a, b in pairwise(poses)]
        assert max(turns) < 12.0
        # The key that is held still counts no more.
        show.act("free_camera")
        left = pose_of(show).position
        pass_time(show, 0.5)
        assert np.allclose(pose_of(show).position, left)


def test_the_free_camera_ends_with_its_world():
    with showing(scene="plasma") as show:
        show.seek(20.0)
        show.act("free_camera")
        show.act("new_world")
        wait_for_next(show)
        pass_time(show, 2.4)
        assert not show.free_camera
        show.update(0.04)
        assert is_alive(picture(show))


# --- sizes -------------------------------------------------------------------------------------------------------------


def test_resized_pictures_are_those_of_a_new_show():
    with showing(scene="cuts", hold=True) as show:
        show.seek(5.0)
        for size in ((160, 90), (96, 96), (200, 60), (37, 51), (160, 90)):
            show.resize(*size)
            image = picture(show)
            assert image.shape == (size[1], size[0], 3) and image.dtype == np.uint8
            assert np.array_equal(image, still(5.0, size, scene="cuts", hold=True))


def test_the_picture_fills_the_frame():
    for paced in (False, True):
        with showing((640, 420), scene="plasma", hold=True, paced=paced, caption=False) as show:
            show.seek(flight_time("plasma"))
            image = picture(show).astype(int)
        # Nowhere along the rim a line that has nothing to do with its neighbour.
        for line, following in ((image[0], image[1]), (image[-1], image[-2]), (image[:, 0], image[:, 1])):
            assert np.abs(line - following).mean() < 12.0 and line.mean() > 5.0


@pytest.mark.parametrize("size", [(1, 1), (2, 1), (1, 7), (3, 2), (16, 16), (500, 3)])
def test_no_size_is_too_small(size):
    with showing(size, scene="plasma") as show:
        show.update(0.01)
        show.draw()
        for t in (5.0, 43.5):
            show.seek(t)
            for action in ("help", "figures"):
                show.act(action)
            assert picture(show).shape == (size[1], size[0], 3)


def test_a_size_of_nothing_is_passed_over():
    """A minimised window."""
    with showing(**ONE) as show:
        show.seek(5.0)
        before = picture(show)
        for size in ((0, 0), (0, 90), (160, 0)):
            show.resize(*size)
            assert np.array_equal(picture(show), before)


def test_drawn_into_a_framebuffer_of_the_host():
    from demo.render.gl.targets import Target
    from demo.render.gl.textures import RGBA8

    target = Target(*SIZE, RGBA8, depth=False)
    with showing(scene="plasma", hold=True) as show:
        show.seek(5.0)
        show.draw(target.canvas.framebuffer)
        assert np.array_equal(target.read(), show.read())
    target.free()


# --- tiny worlds -------------------------------------------------------------------------------------------------------


@SCENE
@pytest.mark.parametrize(
    "size", [{"cells": 1, "cuts": 1, "octaves": 1, "gn": 1, "ln": 0}, {"cells": 2, "cuts": 3, "gn": 2, "ln": 1}]
)
def test_tiny_worlds_are_shown(scene, size):
    with showing(scene=scene, hold=True, parameters={scene: sized(scene, size)}) as show:
        for t in (0.5, 12.0, flight_time(scene)):
            show.seek(t)
            assert picture(show).std() > 1.0


# --- the worker --------------------------------------------------------------------------------------------------------


def test_nothing_waits_for_a_slow_worker(monkeypatch):
    """Space and a caption are shown as long as the first world takes, and the old world flies as long as the next does."""
    may_go_on, real = threading.Event(), Story.work

    def slow(story):
        assert may_go_on.wait(TOO_LONG_S)
        return real(story)

    monkeypatch.setattr(Story, "work", slow)
    with showing(scene="plasma") as show:
        try:
            for _ in range(20):
                show.update(0.05)
                show.draw()
            assert show.shot().current is None
            with_words = show.read()
            assert with_words.std() > 1.0 and with_words[60:].max() > 100, "stars and a caption"
            may_go_on.set()
            wait_for_next(show)
            pass_time(show, 0.5)
            assert show.shot().current is not None and is_alive(picture(show))
            may_go_on.clear()
            show.act("next_scene")
            before = show.shot().current.t
            pass_time(show, 1.0)
            assert show.shot().current.t == pytest.approx(before + 1.0) and not show.shot().melt
            pass_time(show, PATIENCE_S + 0.5 * BREATH_S - 1.0)
            assert show.shot().notice.lines == (f"preparing {SCENES['cuts'].title}",)
            assert changed_rows(show) < 0.4 * SIZE[1]
            may_go_on.set()
            wait_for_next(show)
            pass_time(show, 0.3)
            assert show.shot().notice is None
        finally:
            may_go_on.set()


def test_the_worker_is_told_who_is_waited_for(monkeypatch):
    """The first world and what a key asks for, but not what comes by itself."""
    told, real = [], Worker.serve
    monkeypatch.setattr(
        Worker, "serve", lambda self, stories, wanted=None: told.append(wanted) or real(self, stories, wanted)
    )
    with showing(scene="plasma") as show:
        show.update(0.0)
        assert told == [show.shot().coming]
        wait_for_next(show)
        pass_time(show, 0.1)
        assert show.shot().current and told[-1] is None
        show.act("scene_2")
        assert told[-1] is show.shot().coming and told[-1].scene.name == ROTATION[1]


def changed_rows(show):
    """Down to which row a live picture differs from a still of the same moment."""
    from demo.render.gl.targets import Target
    from demo.render.gl.textures import RGBA8

    target = Target(*SIZE, RGBA8, depth=False)
    try:
        show.draw(target.canvas.framebuffer)
        apart = (target.read() != show.read()).any(axis=-1)
    finally:
        target.free()
    assert apart.any()
    return int(np.nonzero(apart.any(axis=1))[0].max()) + 1


def test_an_answer_is_in_the_live_picture_and_in_no_still():
    with showing(**ONE) as show:
        show.seek(4.0)
        assert show.shot().notice is None
        show.tell("saved still.png")
        pass_time(show, 1.0)
        assert show.shot().notice.lines == ("saved still.png",)
        assert changed_rows(show) < 0.25 * SIZE[1]
        pass_time(show, TOLD_S)
        assert show.shot().notice is None


def test_a_late_worker_holds_a_world_still_but_never_turns_it_back(monkeypatch):
    """A growth stands at its last picture until the next one is ready: none is skipped."""
    line = timeline(SCENES["plasma"], {"end": 6})
    turn = float(line.times[3])
    may_go_on, real, made = threading.Event(), PictureMaker.make, []

    def late(self, number, out):
        assert number <= 3 or may_go_on.wait(TOO_LONG_S)
        made.append(number)
        return real(self, number, out)

    monkeypatch.setattr(PictureMaker, "make", late)
    with showing(**ONE) as show:
        show.seek(turn - 0.02)
        story = show.shot().current
        assert story.prepared.timeline.at(turn - 0.02)[:2] == (2, 3) and story.prepared.timeline.at(turn + 0.02)[:2] == (
            3,
            4,
        )
        show.update(0.04)
        before = picture(show)
        for _ in range(3):
            show.update(0.04)
            assert story.t == turn
            assert np.array_equal(before, picture(show))
        may_go_on.set()
        pass_time(show, 0.4)
        assert story.t > turn and not np.array_equal(before, picture(show))
        pass_time(show, story.scene.birth_s - story.t + 0.2)
        assert made[made.index(3) :] == list(range(3, story.prepared.timeline.pictures)), "none is skipped"


@pytest.mark.parametrize("words", ["boom", "boom\nwith a long story\nover many lines"])
def test_a_generator_that_fails_ends_the_show_with_one_line(monkeypatch, words):
    from demo.show.story_grower import ShowError

    def fail(self, seed, given=None):
        raise RuntimeError(words)

    monkeypatch.setattr(Generator, "grow", fail)
    with showing(scene="plasma") as show:
        show.update(0.01)
        wait_for_next(show)
        with pytest.raises(ShowError) as raised:
            show.update(0.01)
        assert "boom" in str(raised.value) and SCENES["plasma"].title in str(raised.value)
        assert "\n" not in str(raised.value)
    with showing(scene="plasma") as show, pytest.raises(ShowError):
        show.seek(1.0)


def test_a_failing_next_world_is_an_error_too(monkeypatch):
    from demo.show.story_grower import ShowError

    with showing(scene="plasma") as show:
        show.seek(20.0)
        monkeypatch.setattr(Generator, "grow", lambda self, seed, given=None: 1 / 0)
        show.act("new_world")
        wait_for_next(show)
        with pytest.raises(ShowError, match="division by zero"):
            show.update(0.01)


# --- a show that endures ------------------------------------------------------------------------------------------------


def pass_until(show, condition):
    """Live, in frames of 0.1 s, which the worker may use as it likes."""
    end = time.monotonic() + TOO_LONG_S
    while not condition():
        assert time.monotonic() < end
        show.update(0.1)
        time.sleep(0.001)


def test_stars_until_a_world_can_be_grown(monkeypatch, capsys):
    grow, tries = Generator.grow, []

    def fail(self, seed, given=None):
        tries.append(seed)
        raise RuntimeError("boom\nwith a long story")

    monkeypatch.setattr(Generator, "grow", fail)
    with showing(scene="plasma", endures=True) as show:
        waking = picture(show)
        pass_until(show, lambda: len(tries) == 4)
        title = SCENES["plasma"].title
        assert capsys.readouterr().err == f"landfall: {title} could not be grown: boom: it is tried again\n"
        stars = picture(show)
        assert len(np.unique(stars)) > 20 and not np.array_equal(stars, waking)
        assert show.shot().current is None and len(set(tries)) == 4
        monkeypatch.setattr(Generator, "grow", grow)
        pass_until(show, lambda: show.shot().current)
        pass_until(show, lambda: show.shot().current.t > 1.0)
        assert is_alive(picture(show)) and capsys.readouterr().err == ""


def test_intervals_between_tries_grow(monkeypatch):
    tries = []

    def fail(self, seed, given=None):
        tries.append(show.shot().clock)
        raise RuntimeError("boom")

    monkeypatch.setattr(Generator, "grow", fail)
    with showing(scene="plasma", endures=True) as show:
        pass_until(show, lambda: len(tries) == 5)
    # A busy worker may be late.
    waits = patience.FIRST_S * patience.FACTOR ** np.arange(4)
    assert (np.diff(tries) > 0.99 * waits).all(), np.diff(tries)


def test_a_world_that_fails_while_it_grows_gives_way_to_another(monkeypatch, capsys):
    make = PictureMaker.make
    with showing(scene="plasma", endures=True) as show:
        pass_until(show, lambda: show.shot().current)
        failed = show.shot().current
        monkeypatch.setattr(PictureMaker, "make", lambda self, number, out: 1 / 0)
        pass_until(show, lambda: failed.failure)
        monkeypatch.setattr(PictureMaker, "make", make)
        before = picture(show)
        assert is_alive(before)
        pass_until(show, lambda: show.shot().current is not failed)
        assert show.shot().current.scene is not failed.scene
        assert capsys.readouterr().err.count("\n") == 1


def test_a_world_that_is_shown_is_seen_to_its_end_when_the_next_one_fails(monkeypatch, capsys):
    grow = Generator.grow
    with showing(scene="plasma", endures=True) as show:
        pass_until(show, lambda: show.shot().current)
        shown = show.shot().current
        monkeypatch.setattr(Generator, "grow", lambda self, seed, given=None: 1 / 0)
        pass_until(show, lambda: show.shot().coming and show.shot().coming.failure)
        failed = show.shot().coming
        monkeypatch.setattr(Generator, "grow", grow)
        pass_until(show, lambda: show.shot().coming is not failed)
        pass_until(show, lambda: show.shot().melt)
        assert shown.t > shown.scene.birth_s + 0.5 * shown.scene.flight_s
        assert capsys.readouterr().err.count("\n") == 1


def test_what_frames_leave_in_the_heap_is_given_back_every_few_seconds(monkeypatch):
    tidied = []
    monkeypatch.setattr(Worker, "tidy", lambda self: tidied.append(None))
    with showing(scene="plasma") as show:
        pass_until(show, lambda: show.shot().current)
        tidied.clear()
        for _ in range(45):
            show.update(0.1)
        assert 2 <= len(tidied) <= 3
        # Nothing is given back while nothing is shown.
        tidied.clear()
        show.update(0.0)
        assert not tidied


@pytest.mark.parametrize("endures", [False, True])
def test_a_growth_is_kept_in_flight_for_those_who_may_run_it_backwards_alone(endures):
    with showing(scene="plasma", endures=endures) as show:
        pass_until(show, lambda: show.shot().current)
        story = show.shot().current
        pass_until(show, lambda: story.t > story.scene.birth_s)
        show.update(0.1)
        assert story.replay.is_stopped == endures and (story.born is story.carved) == endures
        assert is_alive(picture(show))


# --- what is left behind -----------------------------------------------------------------------------------------------

KINDS = ("Texture", "Buffer", "Framebuffer", "Renderbuffer", "VertexArray", "Program", "Shader")
NAMES = 3000


def handles(kinds=KINDS) -> set[tuple[str, int]]:
    """The objects that the context holds, among the last NAMES given out: drivers count on."""
    from OpenGL import GL

    GL.glUseProgram(0)  # the one in use would be deleted only with the next one's use
    found = set()
    for kind in kinds:
        of_shaders = kind in ("Program", "Shader")
        top = int(GL.glCreateProgram() if of_shaders else getattr(GL, f"glGen{kind}s")(1))
        GL.glDeleteProgram(top) if of_shaders else getattr(GL, f"glDelete{kind}s")(1, [top])
        alive = getattr(GL, f"glIs{kind}")
        found |= {(kind, name) for name in range(max(1, top - NAMES), top) if alive(name)}
    return found


def textures() -> int:
    return len(handles(("Texture",)))


@contextmanager
def nothing_left_behind():
    before = handles()
    yield
    assert not handles() - before


def test_close_frees_everything_and_may_be_called_twice():
    from demo.show.show import Show

    with nothing_left_behind():
        with showing(scene="plasma") as show:
            show.seek(5.0)
            show.act("help")
            picture(show)
            show.resize(64, 64)
            show.seek(44.0)
            picture(show)
            assert textures() > 10
            show.close()
            show.close()
        assert isinstance(show, Show)


def test_a_show_closed_before_its_first_world_leaves_nothing():
    with nothing_left_behind():
        with showing(scene="cuts"):
            pass
        with showing(scene="cuts") as show:
            show.update(0.01)
            show.draw()


def test_new_worlds_leave_no_textures():
    with showing(scene="plasma") as show:
        show.seek(20.0)
        picture(show)
        counts = []
        for _ in range(4):
            show.act("new_world")
            wait_for_next(show)
            pass_time(show, 4.2, 0.2)
            picture(show)
            counts.append(textures())
        assert not show.shot().melt and len(set(counts)) == 1
