"""The worker: the newest wishes win, three buffers are enough, and nothing waits for ever."""

import gc
import threading
import weakref
from types import SimpleNamespace

import numpy as np
import pytest
from support.showing import QUALITY, SMALL, TOO_LONG_S, story_of

from demo.catalogue.generator import Generator
from demo.catalogue.generators import GENERATORS
from demo.geometry.patch_tree import GROWING
from demo.ground.relief import GUTTER
from demo.process.compiler import Compiler
from demo.story.replay import BUFFERS, PictureMaker
from demo.story.worker import Worker
from demo.worlds.atlas import PLANE
from demo.worlds.growth import Growth


class Wish:
    """A story that is ready after `prepare`, which waits until it may go on."""

    def __init__(self, log, name):
        self.scene = SimpleNamespace(name=name, needs_file=False)
        self.prepared = self.failure = None
        self.cancelled = False
        self.begun, self.may_go_on = threading.Event(), threading.Event()
        self.may_go_on.set()
        self._log = log

    def wants_work(self):
        return not self.cancelled and not self.failure and self.prepared is None

    def prepare(self):
        self._log.append(self.scene.name)
        self.begun.set()
        assert self.may_go_on.wait(TOO_LONG_S)
        self.prepared = True


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


@pytest.fixture
def worker(compiler, threads):
    """A worker without compiling children, which gives up instead of hanging."""
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
    assert not late and not threads()


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


def test_a_failure_is_handed_over_and_the_others_go_on(worker):
    log = []
    bad, good = Wish(log, "bad"), Wish(log, "good")
    bad.prepare = lambda: 1 / 0
    worker.serve([bad, good])
    worker.wait_until(lambda: good.prepared)
    assert isinstance(bad.failure, ZeroDivisionError)


def test_nobody_to_serve(worker, threads):
    worker.serve([])
    worker.nudge()
    assert threads()
    worker.stop()
    assert not threads()
    worker.stop()


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
    assert len(buffers) <= len(making.buffers) <= BUFFERS
    assert making.numbers == list(range(story.prepared.timeline.pictures))
    assert not story.wants_work() and story.replay.ready_until == np.inf
    del picture
    gc.collect()
    assert not any(buffer() for buffer in making.buffers), "when the growth is over its buffers go"


def test_a_slow_growth_has_one_buffer(worker, making):
    story = story_of("plasma")
    worker.serve([story])
    for number in range(4):
        picture = picture_of(worker, story, number)
        worker.wait_until(lambda: not story.wants_work() or story.failure)
        assert len(making.buffers) == 1
        story.replay.give_back(picture)


def test_a_full_ring_wants_no_work(worker):
    story = story_of("cuts")
    worker.serve([story])
    # A story that waits for its turn keeps one picture.
    ready_through(worker, story, 0)
    assert not story.wants_work()
    passed(worker, story, 0)
    worker.nudge()
    ready_through(worker, story, BUFFERS)
    assert not story.wants_work()
    assert [story.replay.take(number).number for number in (1, 2)] == [1, 2]
    assert story.replay.take(3) is None


def test_a_story_that_stands_still_lets_go_of_its_growth(worker, making, monkeypatch):
    grow, growths = Generator.grow, []

    def watched(self, seed, given=None):
        growth = grow(self, seed, given)
        growths.append(weakref.ref(growth))
        return growth

    monkeypatch.setattr(Generator, "grow", watched)
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
    assert len(growths) == 2 and not any(growth() for growth in growths)
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
    ready_through(worker, story, BUFFERS)
    story.advance(0.01)
    assert story.t == pytest.approx(first + 0.01)
    story.advance(100.0)
    assert story.replay.at(story.t) == (BUFFERS, BUFFERS + 1, 0.0)


def test_the_worker_skips_to_what_is_asked_for(worker, making):
    story = story_of("cuts")
    worker.serve([story])
    passed(worker, story, 0)
    worker.nudge()
    ready_through(worker, story, BUFFERS)
    assert picture_of(worker, story, 40).number == 40
    assert [number for number in making.numbers if number <= 40] == [0, 1, 2, 40]


def test_pictures_are_the_growth_at_their_steps(worker):
    story = story_of("cuts")
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
