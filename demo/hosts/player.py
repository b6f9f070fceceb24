"""Playing a show in an open window: the first picture, the frame loop, and stills saved on the way."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pygame

from ..process.compiler import Compiler
from ..process.memory import resume_collections
from ..process.stderr import one_line, say
from ..scenes.scenes import kernels_order
from ..show.running_order import first_scene, minute_of_day
from . import context, display, waiting

if TYPE_CHECKING:
    import numpy as np

    from ..show.options import ShowOptions
    from ..show.remembering import Memory
    from ..show.show import Show
    from .hosts import Request

LONGEST_STEP_S = 0.1
"""A frame moves the show by no more than this, so that a suspended program goes on where it was."""

HIDDEN_WAIT_S = 0.6
"""How long a hidden window sleeps, unless an event wakes it."""

SLOW_FPS = 5
"""At such a rate and below, an event is answered at once and not after the next picture."""


@contextmanager
def opened(options: ShowOptions, size: tuple[int, int], fullscreen: bool = False) -> Iterator[Show]:
    """The show in a new window, its first picture on screen. Closes both at the end of the block; raises HostError."""
    with interruptible(), compiling(options) as compiler:
        context.open_window(size, fullscreen=fullscreen)
        display.end_when_lost()
        try:
            show = first_picture(options, compiler=compiler)
            try:
                yield show
            finally:
                show.close()
        finally:
            pygame.display.quit()


@contextmanager
def interruptible() -> Iterator[None]:
    """Inside the block Ctrl-C ends the process at once by its signal, as SIGTERM does, whatever the threads are doing.

    Python's own way would wait for the kernel that the worker is running. Nothing needs to be tidied up: the window, the
    memory on the GPU and the compiling child end with the process.
    """
    before = signal.getsignal(signal.SIGINT)
    if before is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def compiling(options: ShowOptions) -> Iterator[Compiler]:
    """A compiler that has started with the kernels; stopped at the end of the block.

    It starts before the window opens. The child loads numba first, and by then the first picture is on screen.
    """
    compiler = Compiler(options.precompiler)
    compiler.start_kernels(kernels_order(first_scene(options, minute_of_day())))
    try:
        yield compiler
    finally:
        compiler.stop()


def first_picture(options: ShowOptions, size: tuple[int, int] | None = None, compiler: Compiler | None = None) -> Show:
    """The show for the open window (or for `size` pixels), with its first picture on screen."""
    # Imports OpenGL, which must come after the window.
    from ..show.show import Show

    show = Show(options, *(size or drawable_size()), compiler)
    try:
        show.draw()
        pygame.display.flip()
    except BaseException:
        show.close()
        raise
    resume_collections()
    return show


def drawable_size() -> tuple[int, int]:
    """(width, height) of the window in pixels, at least 1 x 1."""
    width, height = pygame.display.get_window_size()
    return max(width, 1), max(height, 1)


def is_visible() -> bool:
    """False while the window is iconified or hidden."""
    return pygame.display.get_active()


def play(
    show: Show,
    request: Request,
    handle: Callable[[Any], bool],
    measure: Callable[[], tuple[int, int]] = drawable_size,
    visible: Callable[[], bool] = is_visible,
    keep_awake: Callable[[bool], None] | None = None,
    rate: Callable[[], int] | None = None,
    wait: Callable[[float, bool], None] | None = None,
    now: Callable[[], float] = time.perf_counter,
) -> None:
    """The frame loop. Ends when `handle` returns True for an event, or when the show wants to quit.

    `measure` gives the window's size in pixels. Where the window is not `visible` nothing moves and nothing is drawn.
    `keep_awake` is told in every frame whether a picture that moves is seen. `rate` gives the frames a second that are
    allowed now; by itself it is `request.fps`. `wait` sleeps as `waiting.waiter` has it. `now` is a clock in seconds.
    Whatever it does while the program is stopped or the machine sleeps, the show neither leaps nor catches up.
    """
    clock, told = pygame.time.Clock(), deque[tuple[str, ...]]()
    size, before, wait_s, seen = None, now(), 0.0, True
    wait = wait or waiting.waiter()
    while not any(handle(event) for event in _events(wait_s, seen, wait)) and not show.wants_quit:
        # Asked in every frame, because not every change of size comes as an event. It costs no round trip.
        if measure() != size:
            size = measure()
            show.resize(*size)
        if keep_awake:
            keep_awake(visible() and not show.paused)
        while told:
            show.tell(*told.popleft())
        since, before = before, now()
        show.update(min(max(before - since, 0.0), LONGEST_STEP_S) if visible() else 0.0)
        if visible():
            _draw(show, request, told.append)
        if show.wants_still:
            show.wants_still = False
            save_still(show, request.save, told.append)
        fps = min(rate() if rate else request.fps, show.frames_wanted())
        seen = visible()
        wait_s = 0.0 if seen and fps > SLOW_FPS else 1.0 / fps if seen else HIDDEN_WAIT_S
        if not wait_s:
            clock.tick(fps)


def _draw(show: Show, request: Request, tell: Callable[[tuple[str, ...]], object]) -> None:
    """Shows a picture, and remembers its world if it is time to."""
    show.draw()
    memory = show.memory()
    if memory and request.remember:
        # What is drawn is there until it is swapped.
        remember(memory, show.thumbnail(), request.remember, tell)
    pygame.display.flip()


def save_still(
    show: Show, save: Callable[[Path, np.ndarray], None], tell: Callable[[tuple[str, ...]], object]
) -> threading.Thread:
    """Writes the last picture into the current folder, or into the home folder where that is read-only.

    Returns the thread that writes. It keeps the compression, which takes many frames, out of the frame loop; the process
    waits for it before it ends. That thread calls `tell` with lines that say where the still is, or why there is none.
    """
    thread = threading.Thread(target=_write_still, args=(show.read(), show.still_name(), save, tell))
    thread.start()
    return thread


def _write_still(
    picture: np.ndarray,
    name: str,
    save: Callable[[Path, np.ndarray], None],
    tell: Callable[[tuple[str, ...]], object],
) -> None:
    try:
        path = _stills_folder() / name
        save(path, picture)
    except (OSError, RuntimeError) as error:
        say(error)
        tell(("no still was saved:", one_line(error)))
        return
    tell((one_line(f"saved {path.name}"), one_line(f"in {path.parent}")))
    # Nobody may be left to read it, which is no fault of the still.
    with suppress(OSError):
        print(path, flush=True)


def remember(
    world: Memory,
    picture: np.ndarray,
    write: Callable[[Memory, np.ndarray], None],
    tell: Callable[[tuple[str, ...]], object],
) -> threading.Thread:
    """Puts a world into the history, in a thread that the process waits for before it ends.

    A history that cannot be written is none. Only somebody who wants to keep a world is told.
    """
    thread = threading.Thread(target=_remember, args=(world, picture, write, tell))
    thread.start()
    return thread


def _remember(
    world: Memory,
    picture: np.ndarray,
    write: Callable[[Memory, np.ndarray], None],
    tell: Callable[[tuple[str, ...]], object],
) -> None:
    try:
        write(world, picture)
    except (OSError, RuntimeError) as error:
        if world.kept:
            say(error)
            tell(("this world was not kept:", one_line(error)))
        return
    if world.kept:
        tell(("kept in the history:", one_line(world.code)))


def _stills_folder() -> Path:
    """Raises RuntimeError where there is neither a current folder nor a home folder."""
    try:
        here = Path.cwd()
    except OSError:  # somebody has removed it
        return Path.home()
    return here if os.access(here, os.W_OK) else Path.home()


def _events(wait_s: float, seen: bool, wait: Callable[[float, bool], None]) -> list[Any]:
    """All events; where there is none, so many seconds pass."""
    events = pygame.event.get()
    if events or not wait_s:
        return events
    wait(wait_s, seen)
    return pygame.event.get()
