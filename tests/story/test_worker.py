"""The worker: the newest wishes win, three buffers are enough, and nothing waits for ever."""

import gc
import sys
import threading
import weakref
from contextlib import contextmanager
from types import SimpleNamespace

import numpy as np
import pytest
from support.compiling import obedient
from support.showing import QUALITY, SMALL, TOO_LONG_S, story_of

from demo import worlds
from demo.catalogue.generator import Generator
from demo.catalogue.generators import GENERATORS
from demo.flight import terrain
from demo.geometry.patch_tree import GROWING
from demo.ground.relief import GUTTER
from demo.ground.relief_maker import ReliefMaker
from demo.process.compiler import Compiler
from demo.story.replay import BUFFERS, PictureMaker
from demo.story.worker import Worker
from demo.worlds.atlas import PLANE
from demo.worlds.growth import Growth


class Wish:
    """A story that is ready after one piece of preparing, which waits until it may go on."""

    def __init__(self, log, name):
        self.scene = SimpleNamespace(name=name, needs_file=False)
        self.prepared = self.failure = None
        self.cancelled = False
        self.begun, self.may_go_on = threading.Event(), threading.Event()
        self.may_go_on.set()
        self.log = log

    def wants_work(self):
        return not self.cancelled and not self.failure and self.prepared is None

    def work(self):
        self.log.append(self.scene.name)
        self.begun.set()
        assert self.may_go_on.wait(TOO_LONG_S)
        self.prepared = True


class Shown(Wish):
    """A story that wants a picture whenever a test says so, once it is prepared."""

    def __init__(self, log, name):
        super().__init__(log, name)
        self.wanted = 0

    def wants_work(self):
        return super().wants_work() or self.wanted > 0

    def work(self):
        if not self.prepared:
            super().work()
            return
        self.wanted -= 1
        self.log.append("picture")


class Released(Compiler):
    """Compiles nothing, and sets an event when it is stopped."""

    def __init__(self):
        super().__init__(None)
        self.stopped = threading.Event()

    def stop(self):
        self.stopped.set()
        super().stop()


@pytest.fixture
def compiler():
    return Released()


@pytest.fixture
def threads():
    """Called, it returns the workers' threads that run since the test began."""
    before = set(threading.enumerate())
    return lambda: [thread for thread in threading.enumerate() if thread.name == "worker" and thread not in before]


@contextmanager
def hired(compiler):
    """A worker for a plasma, which gives up instead of hanging."""
    made = Worker("plasma", QUALITY, compiler)
    late = []

    def give_up():
        late.append(True)
        made.stop()

    watchdog = threading.Timer(TOO_LONG_S, give_up)
    watchdog.daemon = True
    watchdog.start()
    yield made
    watchdog.cancel()
    made.stop()
    assert not late


@pytest.fixture
def worker(compiler, threads):
    """A worker without compiling children."""
    with hired(compiler) as made:
        yield made
    assert not threads()


@pytest.fixture
def making(monkeypatch):
    """What makers of pictures do from now on: the numbers of the pictures, and weak references to the buffers."""
    log = SimpleNamespace(numbers=[], buffers=[])
    make, buffer = PictureMaker.make, PictureMaker.buffer

    def made(self, number, out):
        log.numbers.append(number)
        return make(self, number, out)

    def given(self):
        relief = buffer(self)
        log.buffers.append(weakref.ref(relief))
        return relief

    monkeypatch.setattr(PictureMaker, "make", made)
    monkeypatch.setattr(PictureMaker, "buffer", given)
    return log


@pytest.fixture
def growths(monkeypatch):
    """Weak references to the growths that are begun from now on."""
    grow, begun = Generator.grow, []

    def watched(self, seed, given=None):
        growth = grow(self, seed, given)
        begun.append(weakref.ref(growth))
        return growth

    monkeypatch.setattr(Generator, "grow", watched)
    return begun


def picture_of(worker, story, number):
    """Picture `number`, waited for."""
    got = []

    def taken():
        if not got and story.replay:
            picture = story.replay.take(number)
            if picture:
                got.append(picture)
        return bool(got or story.failure)

    worker.wait_until(taken)
    if story.failure:
        raise story.failure
    return got[0]


def passed(worker, story, number):
    """Wait for picture `number`, take it, and give it back."""
    picture = picture_of(worker, story, number)
    story.replay.give_back(picture)


def grown(worker, story):
    """Wait until a real story is prepared."""
    worker.wait_until(lambda: story.prepared or story.failure)
    if story.failure:
        raise story.failure


def ready_through(worker, story, number):
    """Wait until picture `number` and all before it are ready."""
    grown(worker, story)
    line = story.prepared.timeline
    worker.wait_until(lambda: story.failure or story.replay.ready_until >= line.times[line.picture.searchsorted(number)])


# --- who is served -----------------------------------------------------------------------------------------------------


def test_the_newest_wish_wins(worker):
    log = []
    first, second, third = (Wish(log, name) for name in ("first", "second", "third"))
    first.may_go_on.clear()
    worker.serve([first])
    assert first.begun.wait(TOO_LONG_S)
    worker.serve([second])
    worker.serve([third])
    assert first.cancelled and second.cancelled and not third.cancelled
    first.may_go_on.set()
    worker.wait_until(lambda: third.prepared)
    assert log == ["first", "third"]


def test_the_shown_story_comes_before_the_next(worker):
    log = []
    held, shown, following = (Wish(log, name) for name in ("held", "shown", "next"))
    held.may_go_on.clear()
    worker.serve([held])
    assert held.begun.wait(TOO_LONG_S)
    worker.serve([shown, following])
    held.may_go_on.set()
    worker.wait_until(lambda: following.prepared)
    assert log == ["held", "shown", "next"] and not shown.cancelled


def test_the_shown_story_gets_its_pictures_while_the_next_one_is_prepared(worker):
    """In every pause between two pieces of it."""
    log = []
    shown, following = Shown(log, "shown"), Wish(log, "next")
    shown.prepared, pieces = True, 5

    def piece():
        log.append("piece")
        following.prepared = log.count("piece") == pieces or None
        shown.wanted = 1

    following.work = piece
    worker.serve([shown, following])
    worker.wait_until(lambda: following.prepared and not shown.wanted)
    assert log == pieces * ["piece", "picture"]


@pytest.mark.parametrize("name", SMALL)
def test_preparing_pauses_often(name):
    """And ends with the same story as without pauses."""
    story, pauses = story_of(name), 0
    while story.prepared is None:
        story.work()
        pauses += 1
    assert pauses > 20
    whole = story_of(name)
    whole.prepare()
    assert whole.prepared.code == story.prepared.code and whole.prepared.range_m == story.prepared.range_m


def test_a_story_that_is_given_up_halfway_leaves_nothing(growths):
    """Without the help of the collector: worlds are large."""
    story = story_of("plasma")
    story.work()
    assert growths[0]()
    gc.disable()
    try:
        del story
        assert not growths[0]()
    finally:
        gc.enable()


def test_a_failure_is_handed_over_and_the_others_go_on(worker):
    log = []
    bad, good = Wish(log, "bad"), Wish(log, "good")
    bad.work = lambda: 1 / 0
    worker.serve([bad, good])
    worker.wait_until(lambda: good.prepared)
    assert isinstance(bad.failure, ZeroDivisionError)


STAGES = {
    "grow": (Generator, "grow"),
    "growth": (Growth, "advance"),
    "flight plan": (terrain, "plan"),
    "relief": (ReliefMaker, "fill"),
    "picture": (PictureMaker, "make"),
}


@pytest.mark.parametrize("stage", STAGES)
def test_a_fault_in_any_stage_is_handed_over_and_the_next_story_is_served(worker, monkeypatch, stage):
    def fail(*words, **given):
        raise MemoryError(f"no room for the {stage}")

    with monkeypatch.context() as patch:
        patch.setattr(*STAGES[stage], fail)
        story = story_of("plasma")
        worker.serve([story])
        worker.wait_until(lambda: story.failure)
    assert stage in str(story.failure) and not story.wants_work()
    good = story_of("plasma")
    worker.serve([good])
    passed(worker, good, 0)


def test_a_fault_of_numba_is_that_of_the_story(monkeypatch, tmp_path, threads):
    """The worker loads numba early, while a child compiles: that is no reason to end."""
    monkeypatch.setitem(sys.modules, "demo.worlds.kernels", None)
    monkeypatch.delattr(worlds, "kernels", raising=False)
    with obedient(tmp_path) as children, hired(children.compiler) as worker:
        wish = Wish([], "plasma")
        worker.serve([wish], wanted=wish)
        for child in children.both():
            assert child.told() == "plasma"
            child.ready()
        worker.wait_until(lambda: wish.prepared)
    assert not threads()


def test_nobody_to_serve(worker, threads):
    worker.serve([])
    worker.nudge()
    assert threads()
    worker.stop()
    assert not threads()
    worker.stop()


# --- what is not compiled yet -----------------------------------------------------------------------------------------


@pytest.fixture
def first_run(tmp_path, threads):
    """A worker whose first scene is plasma, the children that compile for it, and a plasma that is shown."""
    with obedient(tmp_path) as children, hired(children.compiler) as made:
        shown = Shown([], "plasma")
        made.serve([shown], wanted=shown)
        at_work = children.both()
        assert [child.told() for child in at_work] == ["plasma", "plasma"] and made.is_compiling(shown)
        for child in at_work:
            child.ready()
        made.wait_until(lambda: shown.prepared)
        yield SimpleNamespace(worker=made, children=children, at_work=at_work, shown=shown, log=shown.log)
    assert not threads()


def shows_pictures(run, count=3):
    """The story that is shown gets its pictures."""
    run.shown.wanted = count
    run.worker.nudge()
    run.worker.wait_until(lambda: run.shown.wanted == 0)


def test_while_a_scene_is_compiled_the_shown_world_goes_on(first_run):
    run, wish = first_run, Wish(first_run.log, "map")
    run.worker.serve([run.shown, wish], wanted=wish)
    at_work = run.children.both()
    assert [child.told() for child in at_work] == ["map", "map"]
    shows_pictures(run)
    assert wish.prepared is None and run.worker.is_compiling(wish)
    at_work[0].ready()
    shows_pictures(run)
    assert wish.prepared is None and run.worker.is_compiling(wish), "its shaders are missing"
    at_work[1].ready()
    run.worker.wait_until(lambda: wish.prepared)
    assert not run.worker.is_compiling(wish)


def test_a_later_wish_that_is_compiled_is_served_at_once(first_run):
    run = first_run
    waiting, ready = Wish(run.log, "map"), Wish(run.log, "plasma")
    run.worker.serve([run.shown, waiting], wanted=waiting)
    at_work = run.children.both()
    assert at_work[0].told() == "map"
    run.worker.serve([run.shown, ready], wanted=ready)
    run.worker.wait_until(lambda: ready.prepared)
    shows_pictures(run)
    assert waiting.cancelled and waiting.prepared is None


def test_the_newest_of_two_scenes_is_compiled_first(first_run):
    run = first_run
    older, newer = Wish(run.log, "map"), Wish(run.log, "simplex")
    run.worker.serve([run.shown, older], wanted=older)
    [kernels, _] = run.children.both()
    assert kernels.told() == "map"
    run.worker.serve([run.shown, newer], wanted=newer)
    at_work = run.children.both()
    assert [child.told() for child in at_work] == ["simplex", "simplex"] and kernels.told() == ""
    for child in at_work:
        child.ready()
    run.worker.wait_until(lambda: newer.prepared)
    assert older.cancelled and older.prepared is None


def test_a_world_that_nobody_asked_for_stops_no_child(first_run):
    """The one that comes next by itself is compiled next."""
    run, following = first_run, Wish(first_run.log, "map")
    run.worker.serve([run.shown, following])
    assert run.worker.is_compiling(following)
    # The children that have compiled the first scene are at work on the second one.
    for child in run.at_work:
        assert child.told() == "cuts"
        child.ready()
        assert child.told() == "map"
        child.ready()
    run.worker.wait_until(lambda: following.prepared)


def test_children_that_fail_leave_the_compiling_to_the_worker(first_run, capfd):
    run, wish = first_run, Wish(first_run.log, "map")
    run.worker.serve([run.shown, wish], wanted=wish)
    for child in run.children.both():
        assert child.told() == "map"
        child.fail()
    run.worker.wait_until(lambda: wish.prepared)
    assert capfd.readouterr().err == 2 * "landfall: a planted\\x1b[2J failure\n"


def test_stop_while_a_scene_is_compiled(first_run, threads):
    run, wish = first_run, Wish(first_run.log, "map")
    run.worker.serve([run.shown, wish], wanted=wish)
    at_work = run.children.both()
    assert at_work[0].told() == "map"
    run.worker.stop()
    assert at_work[0].told() == "" and not threads()


# --- stopping ----------------------------------------------------------------------------------------------------------


def test_stop_while_growing_ends_after_the_present_piece(worker, compiler, threads, monkeypatch):
    """A cancelled growth is left where it is; how long that takes is one of 16 pieces of it."""
    # The compiler is stopped once the stories are cancelled, and before the thread is waited for.
    calls, begun, may_go_on = [], threading.Event(), compiler.stopped

    class Slow(Growth):
        atlas, total, unit, sea_level = PLANE, 1600, "m", 0.0

        def _advance(self, to):
            calls.append(to)
            begun.set()
            assert may_go_on.wait(TOO_LONG_S)

    monkeypatch.setattr(Generator, "grow", lambda self, seed, given=None: Slow(seed, 9))
    story = story_of("plasma")
    worker.serve([story])
    assert begun.wait(TOO_LONG_S)
    worker.stop()
    assert not threads()
    assert len(calls) == 1 and story.cancelled and story.prepared is None


def test_who_waits_is_released_by_stop(worker):
    wish = Wish([], "held")
    wish.may_go_on.clear()
    worker.serve([wish])
    assert wish.begun.wait(TOO_LONG_S)
    ended = threading.Event()

    def wait():
        worker.wait_until(lambda: False)
        ended.set()

    threading.Thread(target=wait, daemon=True).start()
    wish.may_go_on.set()
    worker.stop()
    assert ended.wait(TOO_LONG_S)


# --- the ring of buffers -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SMALL)
def test_all_pictures_pass_through_two_buffers(worker, making, name):
    story = story_of(name)
    worker.serve([story])
    grown(worker, story)
    buffers = set()
    for number in range(story.prepared.timeline.pictures):
        picture = picture_of(worker, story, number)
        assert picture.number == number
        buffers.add(id(picture.relief))
        story.replay.give_back(picture)
        assert sum(buffer() is not None for buffer in making.buffers) <= BUFFERS
    # Those of the birth are let go before the land is carved or a map's flight is known, and others are made after that.
    acts = 2 if story.scene.is_carved or story.scene.map_timing else 1
    assert len(buffers) <= len(making.buffers) <= acts * BUFFERS
    assert making.numbers == list(range(story.prepared.timeline.pictures))
    # What covers the ground may not be known yet.
    worker.wait_until(lambda: not story.wants_work() or story.failure)
    assert not story.wants_work() and story.replay.ready_until == np.inf
    del picture
    gc.collect()
    assert not any(buffer() for buffer in making.buffers), "when the growth is over its buffers go"


def test_a_slow_growth_has_one_buffer(worker, making):
    story = story_of("plasma", carve=0.0)
    worker.serve([story])
    for number in range(4):
        picture = picture_of(worker, story, number)
        worker.wait_until(lambda: not story.wants_work() or story.failure)
        assert len(making.buffers) == 1
        story.replay.give_back(picture)


def test_a_full_ring_wants_no_work(worker):
    story = story_of("cuts", carve=0.0)
    worker.serve([story])
    # A story that waits for its turn keeps one picture.
    ready_through(worker, story, 0)
    # Its ground is covered meanwhile.
    worker.wait_until(lambda: not story.wants_work() or story.failure)
    passed(worker, story, 0)
    worker.nudge()
    # Nor does one whose first picture is shown keep more than the next, until its growth begins.
    ready_through(worker, story, 1)
    assert not story.wants_work()
    passed(worker, story, 1)
    worker.nudge()
    ready_through(worker, story, 1 + BUFFERS)
    assert not story.wants_work()
    assert [story.replay.take(number).number for number in (2, 3)] == [2, 3]
    assert story.replay.take(4) is None


def test_a_story_that_stands_still_lets_go_of_its_growth(worker, making, growths):
    story = story_of("plasma")
    worker.serve([story])
    passed(worker, story, 0)
    story.t = 0.4 * story.scene.birth_s
    before = story.replay.at(story.t)
    story.stand_still()
    assert story.replay.at(story.seconds) == before
    assert not story.wants_work() and story.replay.ready_until == np.inf
    worker.stop()
    gc.collect()
    assert len(growths) == 3 and not any(growth() for growth in growths)
    assert making.buffers and not any(buffer() for buffer in making.buffers)


def test_time_waits_for_pictures(worker):
    story = story_of("cuts")
    story.advance(1.0)
    assert story.t == 0.0, "nothing is prepared yet"
    worker.serve([story])
    ready_through(worker, story, 0)
    first = story.prepared.timeline.times[0]
    story.advance(100.0)
    assert story.t == first and story.replay.at(story.t) == (0, 1, 0.0)
    passed(worker, story, 0)
    worker.nudge()
    ready_through(worker, story, 1)
    story.advance(0.01)
    assert story.t == pytest.approx(first + 0.01)
    story.advance(100.0)
    assert story.replay.at(story.t) == (1, 2, 0.0)
    passed(worker, story, 1)
    worker.nudge()
    ready_through(worker, story, 1 + BUFFERS)
    story.advance(100.0)
    assert story.replay.at(story.t) == (1 + BUFFERS, 2 + BUFFERS, 0.0)


def test_the_worker_skips_to_what_is_asked_for(worker, making):
    story = story_of("cuts")
    worker.serve([story])
    passed(worker, story, 0)
    worker.nudge()
    ready_through(worker, story, 1)
    assert picture_of(worker, story, 40).number == 40
    assert [number for number in making.numbers if number <= 40] == [0, 1, 40]


def test_pictures_are_the_growth_at_their_steps(worker):
    story = story_of("cuts", carve=0.0)
    worker.serve([story])
    grown(worker, story)
    line = story.prepared.timeline
    for number in (0, 1, 7, 30, line.pictures - 1):
        picture = picture_of(worker, story, number)
        growth = GENERATORS["cuts"].grow(story.seed, story.parameters)
        growth.advance(line.step_of(number))
        n = growth.n
        wanted = (growth.heights - growth.sea_level).astype(np.float64)
        got = picture.relief.heights_m[:, GUTTER : n + GUTTER, GUTTER : n + GUTTER]
        assert np.array_equal(np.argsort(wanted, axis=None, kind="stable"), np.argsort(got, axis=None, kind="stable"))
        if np.abs(wanted).max() > 0:
            assert np.corrcoef(wanted.ravel(), got.ravel())[0, 1] > 0.999999
        story.replay.give_back(picture)
    assert got.max() == pytest.approx(story.scene.relief_m, rel=1e-4)


@pytest.mark.parametrize("seed", [1, 5, 10])
def test_early_pictures_stay_within_the_bounds_that_culling_takes_for_them(seed):
    """Cuts in full number, whose first ones are drawn 250 times as high as they are in the end."""
    for name in SMALL:
        story = story_of(name, seed, **({"cells": 16, "cuts": 10_000} if name == "cuts" else {}))
        story.prepare()
        for number in range(min(story.prepared.timeline.pictures, 60)):
            story.make_picture()
            picture = story.replay.take(number)
            assert picture.relief.heights_m.max() <= GROWING * story.prepared.tree.relief_m, (name, number)
            story.replay.give_back(picture)


def test_what_a_story_leaves_behind_that_was_let_go_of_is_given_back_to_the_system(worker, monkeypatch):
    trimmed, log = threading.Event(), []
    monkeypatch.setattr("demo.story.worker.trim_memory", trimmed.set)
    first, second = Wish(log, "first"), Wish(log, "second")
    worker.serve([first, second])
    worker.wait_until(lambda: first.prepared and second.prepared)
    assert not trimmed.is_set()
    worker.serve([second])
    assert trimmed.wait(TOO_LONG_S)


def test_what_the_renderer_has_let_go_of_is_given_back_to_the_system(worker, monkeypatch):
    trimmed = threading.Event()
    monkeypatch.setattr("demo.story.worker.trim_memory", trimmed.set)
    worker.tidy()
    assert trimmed.wait(TOO_LONG_S)
