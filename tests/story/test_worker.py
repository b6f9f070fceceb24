"""The worker: the newest wishes win, three buffers are enough, nothing waits for ever, and no child outlives its parent."""

import os
import select
import subprocess
import sys
import threading
from collections import deque
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from support.showing import QUALITY, SMALL, TOO_LONG_S, story_of

from demo.catalogue.generator import Generator
from demo.catalogue.generators import GENERATORS
from demo.geometry.patch_tree import GROWING
from demo.ground.relief import GUTTER
from demo.process.compiler import Compiler
from demo.story.story import BUFFERS
from demo.story.worker import Worker
from demo.worlds.atlas import PLANE
from demo.worlds.growth import Growth

PRECOMPILER = "demo.app.precompile"
ROOT = Path(__file__).resolve().parents[2]


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


@pytest.fixture
def worker(monkeypatch):
    """A worker without compiling children, which gives up instead of hanging."""
    monkeypatch.setattr(Compiler, "_start", lambda self, *words: None)
    made = Worker("plasma", QUALITY)
    watchdog = threading.Timer(TOO_LONG_S, made.stop)
    watchdog.daemon = True
    watchdog.start()
    yield made
    assert not made._stopping or not made._thread.is_alive()
    watchdog.cancel()
    made.stop()


def picture_of(worker, story, number):
    """Picture `number`, waited for."""
    got = []

    def taken():
        if not got:
            picture = story.take(number)
            if picture:
                got.append(picture)
        return bool(got or story.failure)

    worker.wait_until(taken)
    if story.failure:
        raise story.failure
    return got[0]


def grown(worker, story):
    """Wait until a real story is prepared."""
    worker.wait_until(lambda: story.prepared or story.failure)
    if story.failure:
        raise story.failure


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


def test_nobody_to_serve(worker):
    worker.serve([])
    worker.nudge()
    worker.stop()
    assert not worker._thread.is_alive()
    worker.stop()


# --- stopping ----------------------------------------------------------------------------------------------------------


def test_stop_while_growing_ends_after_the_present_piece(worker, monkeypatch):
    """A cancelled growth is left where it is; how long that takes is one of 16 pieces of it."""
    calls, begun, may_go_on = [], threading.Event(), threading.Event()

    class Slow(Growth):
        atlas, total, unit, sea_level = PLANE, 1600, "m", 0.0

        def _advance(self, to):
            calls.append(to)
            begun.set()
            assert may_go_on.wait(TOO_LONG_S)

    monkeypatch.setattr(Generator, "grow", lambda self, seed, given=None: Slow(seed, 9))
    # Called by `stop` once the stories are cancelled, and before it waits for the thread.
    monkeypatch.setattr(worker._compiler, "stop", may_go_on.set)
    story = story_of("plasma")
    worker.serve([story])
    assert begun.wait(TOO_LONG_S)
    worker.stop()
    assert not worker._thread.is_alive()
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


class Logged(deque):
    """Remembers the numbers of the pictures that were ever ready."""

    def __init__(self):
        super().__init__()
        self.numbers = []

    def append(self, picture):
        self.numbers.append(picture.number)
        super().append(picture)


@pytest.mark.parametrize("name", SMALL)
def test_all_pictures_pass_through_two_buffers(worker, name):
    story = story_of(name)
    worker.serve([story])
    grown(worker, story)
    buffers = set()
    for number in range(story.prepared.timeline.pictures):
        picture = picture_of(worker, story, number)
        assert picture.number == number
        buffers.add(id(picture.relief))
        assert len(story._ready) + len(story._free) <= BUFFERS and story._made <= BUFFERS
        story.give_back(picture)
    assert len(buffers) <= BUFFERS
    assert not story.wants_work()


def test_a_slow_growth_has_one_buffer(worker):
    story = story_of("plasma")
    worker.serve([story])
    for number in range(4):
        picture = picture_of(worker, story, number)
        worker.wait_until(lambda: not story.wants_work() or story.failure)
        assert story._made == 1
        story.give_back(picture)


def test_a_full_ring_wants_no_work(worker):
    story = story_of("cuts")
    worker.serve([story])
    # A story that waits for its turn keeps one picture.
    worker.wait_until(lambda: story._ready or story.failure)
    assert not story.wants_work()
    story.give_back(picture_of(worker, story, 0))
    worker.nudge()
    worker.wait_until(lambda: len(story._ready) == BUFFERS or story.failure)
    assert not story.wants_work()
    assert [picture.number for picture in story._ready] == [1, 2]


def test_a_story_that_stands_still_lets_go_of_its_growth(worker):
    story = story_of("plasma")
    worker.serve([story])
    story.give_back(picture_of(worker, story, 0))
    story.t = 0.4 * story.scene.birth_s
    before = story.growth_at(story.t)
    story.stand_still()
    assert story.growth_at(story.seconds) == before
    assert not story.wants_work()
    assert not story._ready and not story._free and story._growth is None


def test_the_worker_skips_to_what_is_asked_for(worker):
    story = story_of("cuts")
    story._begun = True
    story._ready = Logged()
    worker.serve([story])
    worker.wait_until(lambda: len(story._ready) == BUFFERS or story.failure)
    assert picture_of(worker, story, 40).number == 40
    # One may have been under way when the later one was asked for.
    assert not [number for number in story._ready.numbers if BUFFERS < number < 40]


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
        story.give_back(picture)
    assert got.max() == pytest.approx(story.scene.relief_m, rel=1e-4)


@pytest.mark.parametrize("seed", [1, 5, 10])
def test_early_pictures_stay_within_the_bounds_that_culling_takes_for_them(seed):
    """Cuts in full number, whose first ones are drawn 250 times as high as they are in the end."""
    for name in SMALL:
        story = story_of(name, seed, **({"cells": 16, "cuts": 10_000} if name == "cuts" else {}))
        story.prepare()
        for number in range(min(story.prepared.timeline.pictures, 60)):
            story.make_picture()
            picture = story.take(number)
            assert picture.relief.heights_m.max() <= GROWING * story.prepared.tree.relief_m, (name, number)
            story.give_back(picture)


# --- compiling children ------------------------------------------------------------------------------------------------


@pytest.fixture
def cold(monkeypatch, tmp_path):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.delenv("NUMBA_DISABLE_JIT", raising=False)
    compiler = Compiler(PRECOMPILER)
    yield compiler
    compiler.stop()


def test_stop_ends_the_children(cold):
    cold.start_kernels(["cuts"])
    children = list(cold._children.values())
    assert children
    cold.stop()
    assert all(child.poll() is not None for child in children)
    cold.stop()


def test_after_stop_no_child_is_started(cold):
    cold.stop()
    cold.start_kernels(["cuts"])
    assert not cold._children


def test_a_stop_while_children_are_being_started(cold, monkeypatch):
    """The main thread may stop while the worker is about to start them."""
    started, real = [], subprocess.Popen

    def popen(*words, **given):
        started.append(real(*words, **given))
        cold.stop()
        return started[-1]

    monkeypatch.setattr(subprocess, "Popen", popen)
    cold.start_kernels(["cuts"])
    assert started and all(child.poll() is not None for child in started)


def test_a_child_that_dies_holds_nobody_up(cold):
    cold.start_kernels(["cuts"])
    for child in cold._children.values():
        child.kill()
    cold.wait_for("cuts")
    cold.wait_for("plasma")


def test_what_has_been_compiled_is_not_compiled_again(cold):
    cold.start_kernels(["plasma"])
    assert cold.busy
    cold._children["kernels"].wait(TOO_LONG_S)
    again = Compiler(PRECOMPILER)
    again.start_kernels(["plasma"])
    assert not again.busy


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="awaiting another process's child takes Linux's pidfd")
def test_children_die_with_their_parent(tmp_path):
    """Killed, so that the parent can do nothing about it."""
    text = f"""if True:
        import sys
        from demo.process import environment
        environment.prepare()
        from demo.scenes.scenes import ROTATION
        from demo.process.compiler import Compiler
        compiler = Compiler("{PRECOMPILER}")
        compiler.start_kernels(list(ROTATION))
        compiler.start_shaders("{QUALITY.name}", list(ROTATION))
        print(*[child.pid for child in compiler._children.values()], flush=True)
        sys.stdin.read()
    """
    where = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen([sys.executable, "-c", text], cwd=ROOT, env=where, **pipes) as parent:
        children = [os.pidfd_open(int(word)) for word in parent.stdout.readline().split()]
        assert children
        assert len(select.select(children, [], [], 0)[0]) < len(children), "at least the kernels are still being compiled"
        parent.kill()
        for child in children:
            assert select.select([child], [], [], TOO_LONG_S)[0], "a child lives on"
            os.close(child)
