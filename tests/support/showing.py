"""What the tests of the show and its pictures share: small worlds, small pictures, a show that is closed whatever fails."""

from __future__ import annotations

import atexit
import shutil
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from demo.scenes.scenes import ROTATION, SCENES
from demo.show.options import ShowOptions
from demo.tables.quality import QUALITIES

if TYPE_CHECKING:
    from demo.show.show import Show
    from demo.story.story import Story

SIZE = (160, 90)
QUALITY = QUALITIES["low"]
TOO_LONG_S = 180.0
# Less time than this does not pass: it may be what rounding has left before a picture that is not there yet.
LEAST_S = 1e-6
_SIZES = {"cells": 64, "cuts": 500, "gn": 4, "ln": 1, "particles": 3000}


@cache
def height_map() -> str:
    """The path of a small height map: two hills on an island."""
    folder = Path(tempfile.mkdtemp(prefix="landfall-test-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    y, x = np.mgrid[0:97, 0:97] / 96.0
    hills = [h * np.exp(-((x - a) ** 2 + (y - b) ** 2) / w) for h, a, b, w in ((1, 0.4, 0.45, 0.03), (0.7, 0.65, 0.6, 0.02))]
    waves = 0.06 * np.sin(19.0 * x + 3.0) * np.sin(23.0 * y) * np.sin(np.pi * x) * np.sin(np.pi * y)
    np.save(folder / "hills.npy", sum(hills) + waves)
    return str(folder / "hills.npy")


def sized(name: str, sizes: dict) -> dict:
    """Those of `sizes` that the generator of a scene has, and a file where it needs one."""
    known = {parameter.name for parameter in SCENES[name].generator.parameters}
    found = {key: value for key, value in sizes.items() if key in known}
    return found | ({"file": height_map()} if SCENES[name].needs_file else {})


SMALL = {name: sized(name, _SIZES) for name in SCENES}


def options(**given: object) -> ShowOptions:
    """Options of an offscreen show of small worlds."""
    worlds = {name: values for name, values in SMALL.items() if name in ROTATION or name == given.get("scene")}
    return ShowOptions(**{"seed": 1, "parameters": worlds, "paced": False, **given})


@contextmanager
def showing(size: tuple[int, int] = SIZE, **given: object) -> Iterator[Show]:
    """A show of small worlds, closed at the end; one that waits for its worker for ever fails instead of hanging.

    Its worker compiles what it needs itself, as no module that compiles ahead is named.
    """
    from demo.show.show import Show
    from demo.story.worker import Worker

    hired: list[Worker] = []

    def hire(*words: object) -> Worker:
        hired.append(Worker(*words))
        return hired[-1]

    late: list[bool] = []

    def give_up() -> None:
        late.append(True)
        for worker in hired:
            worker.stop()

    show = Show(options(**given), *size, hire=hire)
    watchdog = threading.Timer(TOO_LONG_S, give_up)
    watchdog.daemon = True
    watchdog.start()
    try:
        yield show
        assert not late, f"the show stood still for {TOO_LONG_S:g} s"
    finally:
        watchdog.cancel()
        show.close()


def story_of(name: str, seed: int = 1, waits: bool = False, **given: object) -> Story:
    """A small world's story that no show or worker knows of. `waits`: for its turn to be seen."""
    from demo.story.story import Story

    story = Story(SCENES[name], seed, {**SMALL[name], **given}, QUALITY)
    if not waits:
        story.begin()
    return story


def picture(show: Show) -> np.ndarray:
    """This moment, uint8 (height, width, 3)."""
    return show.read()


def still(seconds: float, size: tuple[int, int] = SIZE, **given: object) -> np.ndarray:
    """The picture at a time of a show of its own."""
    with showing(size, **given) as show:
        show.seek(seconds)
        return picture(show)


@contextmanager
def nothing_filled() -> Iterator[None]:
    """Draw calls are checked as ever but draw no vertices, inside the block; needs a current context.

    For tests that look at no pixels: what a software renderer's driver compiles to fill them takes longer than all else.
    Tiles are made in full, because their heights are read back and decide what is drawn.
    """
    import pytest

    from demo.render.gl import opengl as GL
    from demo.render.tiles import Tiles

    arrays, elements, many = GL.glDrawArrays, GL.glDrawElementsInstanced, GL.glMultiDrawArrays
    make, share = Tiles.make, [0]

    def made(*words: object) -> None:
        share[0] = 1
        try:
            make(*words)
        finally:
            share[0] = 0

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Tiles, "make", made)
        patch.setattr(GL, "glDrawArrays", lambda mode, first, count: arrays(mode, first, share[0] * count))
        patch.setattr(GL, "glDrawElementsInstanced", lambda mode, n, *more: elements(mode, share[0] * n, *more))
        patch.setattr(GL, "glMultiDrawArrays", lambda mode, first, count, n: many(mode, first, share[0] * count, n))
        yield


def pass_time(show: Show, seconds: float, dt: float = 0.1) -> None:
    """Live, in frames of `dt`; where the worker is late a frame is divided, so that no story ever waits for its pictures."""
    for _ in range(round(seconds / dt)):
        left = dt
        while left > 1e-9:
            # A frame of no time hands back the buffers that the worker needs.
            _until(lambda: _possible(show) > LEAST_S, lambda: show.update(0.0))
            passed = min(left, _possible(show))
            show.update(passed)
            left -= passed


def _until(ready: Callable[[], bool], meanwhile: Callable[[], None] = lambda: None) -> None:
    """Do something again and again until something else is so; fails when that takes too long."""
    end = time.monotonic() + TOO_LONG_S
    while not ready():
        assert time.monotonic() < end, f"waited {TOO_LONG_S:g} s in vain"
        meanwhile()
        time.sleep(0.001)


def _possible(show: Show) -> float:
    """Seconds that can pass before a story in the picture has to wait for its growth."""
    shot = show.shot()
    if shot.switches.paused:
        return np.inf
    possible = [np.inf]
    # One that melts in stands until the melt is over.
    for story in (shot.current, shot.coming if shot.melt else None):
        if story and story.replay and (story.begun or story is shot.current):
            rate = shot.switches.rate if story.t < story.scene.birth_s else 1.0
            possible.append((story.replay.ready_until - story.t) / rate)
    return min(possible)


def wait_for_next(show: Show) -> None:
    """Wait until the world that was asked for is ready to melt in, or has failed."""
    story = show.shot().coming
    _until(lambda: story.prepared is not None or story.failure is not None)


def difference(a: np.ndarray, b: np.ndarray) -> tuple[float, float]:
    """(mean of the absolute differences, share of the pixels that differ by more than 24 in some channel)."""
    apart = np.abs(a.astype(int) - b.astype(int))
    return float(apart.mean()), float((apart.max(axis=-1) > 24).mean())
