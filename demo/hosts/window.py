"""The show in a window of its own, or as a screen saver that fills the screen and ends when somebody comes back."""

from __future__ import annotations

import math
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..process.assets import assets
from ..process.compiler import Compiler
from ..scenes.scenes import kernels_order
from ..tables import keys
from . import context, key_events

if TYPE_CHECKING:
    import numpy as np

    from ..show.show import Show, ShowOptions

LONGEST_STEP_S = 0.1
"""A frame moves the show by no more than this, so that a suspended program goes on where it was."""

ICONIFIED_WAIT_MS = 250
GRACE_S = 1.0
MOTION_PX = 10.0
ICON = assets() / "icon.png"


def run(
    options: ShowOptions,
    size: tuple[int, int] = (1280, 720),
    fullscreen: bool = False,
    fps: int = 60,
    saver: bool = False,
) -> int:
    """Plays the show until the user ends it; returns the exit status 0. Raises HostError when there is no window or GL.

    `fps` caps the frames per second. A `saver` is full screen and ends on any key, a click, or more than 10 px of pointer
    motion, after a second of grace.
    """
    import pygame

    with interruptible(), compiling(options) as compiler:
        context.open_window(size, fullscreen=fullscreen or saver)
        show = None
        try:
            show = first_picture(options, compiler=compiler)
            _dress(saver)
            play(show, fps, Wake(time.monotonic()).handle if saver else Controls(show).handle)
        finally:
            if show is not None:
                show.close()
            pygame.display.quit()
    return 0


@contextmanager
def interruptible() -> Iterator[None]:
    """Inside the block Ctrl-C ends the process at once by the signal, as SIGTERM does, whatever the threads are doing.

    Python's own way would wait for the worker's present kernel. There is nothing to tidy: the window, the memory of the
    GPU and the compiling child end with the process.
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
    """A compiler that has begun with the kernels, as opening a window takes time too; stopped at the end of the block.

    Before its first kernel is compiled, numba is to be loaded: the first picture is on screen by then.
    """
    compiler = Compiler(options.precompiler)
    compiler.start_kernels(kernels_order(options.scene or options.order[0]))
    try:
        yield compiler
    finally:
        compiler.stop()


def first_picture(options: ShowOptions, size: tuple[int, int] | None = None, compiler: Compiler | None = None) -> Show:
    """The show for the open window (or for `size` pixels), with its first picture on screen."""
    import pygame

    from ..show.show import Show

    show = Show(options, *(size or drawable_size()), compiler)
    try:
        show.draw()
        pygame.display.flip()
    except BaseException:
        show.close()
        raise
    return show


def drawable_size() -> tuple[int, int]:
    """(width, height) in pixels of the window, at least 1 x 1."""
    import pygame

    width, height = pygame.display.get_window_size()
    return max(width, 1), max(height, 1)


def is_visible() -> bool:
    """False while the window is iconified or hidden."""
    import pygame

    return pygame.display.get_active()


def play(
    show: Show,
    fps: int,
    handle: Callable[[Any], bool],
    measure: Callable[[], tuple[int, int]] = drawable_size,
    visible: Callable[[], bool] = is_visible,
) -> None:
    """The frame loop: events to `handle` until it returns True or the show wants to quit; follows the size `measure`d.

    The clock alone waits; a window that is not `visible` waits for events and draws nothing.
    """
    import pygame

    clock = pygame.time.Clock()
    size = None
    before = time.perf_counter()
    while not any(handle(event) for event in _events(visible())) and not show.wants_quit:
        # Asked every frame, which costs no round trip, because not every change of size comes as an event.
        if measure() != size:
            size = measure()
            show.resize(*size)
        now = time.perf_counter()
        show.update(min(now - before, LONGEST_STEP_S))
        before = now
        if visible():
            show.draw()
            pygame.display.flip()
        if show.wants_still:
            show.wants_still = False
            save_still(show)
        clock.tick(min(fps, show.frames_wanted()))


def save_still(show: Show) -> threading.Thread:
    """Writes the last drawn picture into the current folder, or home where that is read-only; returns the busy thread.

    The thread keeps the compression, many frames long, out of the frame loop; the process waits for it at its end.
    """
    folder = Path.cwd() if os.access(Path.cwd(), os.W_OK) else Path.home()
    thread = threading.Thread(target=_write_still, args=(show.read(), folder / show.still_name()))
    thread.start()
    return thread


def _write_still(picture: np.ndarray, path: Path) -> None:
    from PIL import Image

    try:
        Image.fromarray(picture).save(path)
        print(path, flush=True)
    except OSError as error:
        print(f"landfall: the still {path} was not saved: {error}", file=sys.stderr, flush=True)


def _events(visible: bool) -> list[Any]:
    import pygame

    if visible:
        return pygame.event.get()
    return [pygame.event.wait(ICONIFIED_WAIT_MS), *pygame.event.get()]


class Controls:
    """Keys, pointer and wheel of a windowed show."""

    def __init__(self, show: Show) -> None:
        self.show = show
        self.held: set[str] = set()
        self.grabbed = False

    def handle(self, event: Any) -> bool:
        """Passes `event` on to the show; True when it asks for the end."""
        import pygame

        if event.type in (pygame.KEYDOWN, pygame.KEYUP):
            self._key(key_events.action_of(event))
        elif event.type == pygame.MOUSEMOTION and self.grabbed:
            self.show.pointer(*event.rel)
        elif event.type == pygame.MOUSEWHEEL:
            self.show.wheel(getattr(event, "precise_y", event.y))
        elif event.type == pygame.WINDOWFOCUSLOST:
            self._release()
        self._grab(self.show.free_camera)
        return event.type == pygame.QUIT

    def _key(self, action: tuple[str, bool] | None) -> None:
        if action is None:
            return
        name, pressed = action
        if name == "fullscreen":
            if pressed:
                context.toggle_fullscreen()
        elif name in keys.HELD:
            (self.held.add if pressed else self.held.discard)(name)
            self.show.act(name, pressed)
        elif pressed:
            self.show.act(name)

    def _release(self) -> None:
        """The releases of keys that are let go elsewhere never arrive here."""
        for name in sorted(self.held):
            self.show.act(name, False)
        self.held.clear()

    def _grab(self, wanted: bool) -> None:
        """A grabbed and hidden pointer is endless: SDL then reports motion without end at the window's edge."""
        import pygame

        if wanted != self.grabbed:
            pygame.event.set_grab(wanted)
            pygame.mouse.set_visible(not wanted)
            self.grabbed = wanted


class Wake:
    """Ends a screen saver when somebody touches keyboard or pointer."""

    def __init__(self, started: float) -> None:
        self.started = started
        self.motion_px = 0.0

    def handle(self, event: Any) -> bool:
        """True when `event` is someone coming back, or a request to close."""
        return self.wakes(event, time.monotonic())

    def wakes(self, event: Any, now: float) -> bool:
        """`handle` at the time `now`, in seconds of the clock that gave `started`."""
        import pygame

        if event.type == pygame.QUIT:
            return True
        if now - self.started < GRACE_S:
            return False
        if event.type == pygame.MOUSEMOTION:
            self.motion_px += math.hypot(*event.rel)
        touched = event.type in (pygame.KEYDOWN, pygame.MOUSEBUTTONDOWN, pygame.MOUSEWHEEL, pygame.FINGERDOWN)
        return touched or self.motion_px > MOTION_PX


def _dress(saver: bool) -> None:
    """What the window can do without until its first picture is on screen."""
    import pygame

    if saver:
        pygame.display.set_allow_screensaver(True)
        pygame.mouse.set_visible(False)
    elif os.path.exists(ICON):
        pygame.display.set_icon(pygame.image.load(ICON))
