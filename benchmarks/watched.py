"""The show, watched: `python benchmarks/watched.py VERB ...` prints one line of JSON.

    first                       the monotonic time when the first picture is on screen
    bare, bare-without-numba    the same for a bare program: imports, a window, one swap
    activated, opened           the same for the program on the root window, and when its first world is there
    asked SECONDS SCENE...      how long the last of several wishes takes, which are made 2 s after one another, the first
                                2 s after the first world has opened
    hosted SECONDS SCENE        frames and processor seconds on the root window, from when the first world is there
    frames SECONDS PRESS        gaps between frames, times in update and draw, memory, and when the first world began to
                                grow; a new world is asked for every PRESS seconds (0: never)

It is the program itself (`main.main`), with its loop observed from outside; the program has no hook for this.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SETTLE_FRAMES = 2


def say(**figures: object) -> None:
    """Prints the line and ends the process, worker and all."""
    print(json.dumps(figures), flush=True)
    os._exit(0)


def on_screen() -> None:
    """Prints when everything that was drawn so far is on screen."""
    from OpenGL import GL

    GL.glFinish()
    say(at=time.monotonic())


def bare(with_numba: bool) -> None:
    """What any program with these packages pays: imports, a window with an OpenGL 3.3 core context, one swap."""
    import pygame

    pygame.display.init()
    os.environ["PYOPENGL_PLATFORM"] = "glx" if pygame.display.get_driver() == "x11" else "egl"
    if with_numba:
        import numba  # noqa: F401
    import numpy  # noqa: F401
    from OpenGL import GL

    for name, value in (("MAJOR_VERSION", 3), ("MINOR_VERSION", 3), ("PROFILE_MASK", pygame.GL_CONTEXT_PROFILE_CORE)):
        pygame.display.gl_set_attribute(getattr(pygame, f"GL_CONTEXT_{name}"), value)
    pygame.display.set_mode((1280, 720), pygame.OPENGL | pygame.DOUBLEBUF)
    GL.glClear(GL.GL_COLOR_BUFFER_BIT)
    pygame.display.flip()
    on_screen()


def first() -> None:
    """The program up to its first picture."""
    _end_at_first_picture()
    run_program("1280x720")


def activated() -> None:
    """The program on the root window up to its first picture."""
    _end_at_first_picture()
    run(["--root", "--scene", "plasma", "--seed", "5"])


def _end_at_first_picture() -> None:
    from demo.hosts import player

    original = player.first_picture

    def watched(*words: object, **named: object) -> None:
        original(*words, **named)
        on_screen()

    player.first_picture = watched


def opened() -> None:
    """The program on the root window until its first world is there."""
    from demo.hosts import player

    original = player.first_picture

    def followed(*words: object, **named: object) -> object:
        import pygame

        show, flip = original(*words, **named), pygame.display.flip

        def watched_flip() -> None:
            flip()
            if show.shot().current is not None:
                on_screen()

        pygame.display.flip = watched_flip
        return show

    player.first_picture = followed
    run(["--root", "--scene", "plasma", "--seed", "5"])


def _run_followed(by: Watch | Wishes) -> None:
    """The program, with a show that somebody follows from its first picture on."""
    from demo.hosts import player

    original = player.first_picture

    def followed(*words: object, **named: object) -> object:
        by.follow(original(*words, **named))
        return by.show

    player.first_picture = followed
    run_program("640x360")


def frames(seconds: float, press: float) -> None:
    """The program for `seconds` after its first picture."""
    _run_followed(Watch(seconds, press))


def asked(seconds: float, *places: float) -> None:
    """The program until the last of the wished scenes is there, but no longer than `seconds` after its first picture."""
    _run_followed(Wishes(seconds, places))


def hosted(seconds: float, scene: str) -> None:
    """The program on the root window, for `seconds` after its first picture."""
    from demo.hosts import player

    original = player.first_picture

    def followed(*words: object, **named: object) -> object:
        show = original(*words, **named)
        Load(seconds).follow(show)
        return show

    player.first_picture = followed
    run(["--root", "--scene", scene, "--seed", "5"])


def run_program(size: str) -> None:
    """The show in a window of that size, from the first line of `main.py` on."""
    run(["show", "--scene", "plasma", "--seed", "5", "--size", size])


def run(words: list[str]) -> None:
    """`main.py` with a command line."""
    import main

    sys.exit(main.main(words))


class Watch:
    """Times every frame of a show; its own cost is a few microseconds a frame."""

    def __init__(self, seconds: float, press: float) -> None:
        self.seconds, self.press = seconds, press
        self.ends: list[float] = []
        self.own: list[float] = []
        self.growing: float | None = None

    def follow(self, show: object) -> None:
        """Wraps `update` and `draw` of the show and pygame's flip."""
        import pygame

        self.show = show
        update, draw, flip = show.update, show.draw, pygame.display.flip
        self.started = self.pressed = time.monotonic()
        self.ends.append(time.perf_counter())

        def timed_update(dt: float) -> None:
            self.begun = time.perf_counter()
            update(dt)

        def timed_draw() -> None:
            draw()
            self.own.append(time.perf_counter() - self.begun)

        def timed_flip() -> None:
            flip()
            self.ends.append(time.perf_counter())
            self.look()

        show.update, show.draw, pygame.display.flip = timed_update, timed_draw, timed_flip

    def look(self) -> None:
        """After each frame: has the first world begun, is a new one due, is it over?"""
        now = time.monotonic()
        if self.growing is None and self.show.shot().current is not None:
            self.growing = now
        if self.press and now - self.pressed > self.press:
            self.pressed = now
            self.show.act("new_world")
        if now - self.started > self.seconds:
            self.finish()

    def finish(self) -> None:
        """Prints the figures."""
        gaps = [b - a for a, b in zip(self.ends, self.ends[1:], strict=False)]
        say(gaps=gaps[SETTLE_FRAMES:], own=self.own[SETTLE_FRAMES:], growing=self.growing, at=self.started, **memory())


class Load:
    """Counts frames and processor seconds of a show, from the moment its first world is there."""

    def __init__(self, seconds: float) -> None:
        self.ends = time.monotonic() + seconds
        self.frames = 0
        self.began: tuple[float, float] | None = None

    def follow(self, show: object) -> None:
        """Wraps pygame's flip."""
        import pygame

        flip = pygame.display.flip

        def counted_flip() -> None:
            flip()
            if self.began is None:
                if show.shot().current is not None:
                    self.began = time.monotonic(), time.process_time()
                return
            self.frames += 1
            now = time.monotonic()
            if now > self.ends:
                say(frames=self.frames, used=time.process_time() - self.began[1], lasted=now - self.began[0])

        pygame.display.flip = counted_flip


class Wishes(Watch):
    """Asks for one scene after another, and waits for the last of them.

    `came`: seconds from the last wish until its world was there, None if that did not come; `still`: the longest time in
    seconds, from the first wish on, in which a shown world should have grown and did not; `when`: at what time of its birth.
    """

    PAUSE_S = 2.0

    def __init__(self, seconds: float, places: Sequence[float]) -> None:
        super().__init__(seconds, 0.0)
        self.left = [f"scene_{place:.0f}" for place in places]
        self.wished = 0.0
        self.came: float | None = None
        self.still, self.when, self.grew = 0.0, 0.0, (None, 0.0, 0.0)

    def look(self) -> None:
        """After each frame: has the shown world grown, is the next wish due, has the last one come true?"""
        now, shot = time.monotonic(), self.show.shot()
        self.look_at_growth(shot.current, now)
        if self.growing is None and shot.current is not None:
            self.growing = self.wished = now
        if self.left and self.growing and now - self.wished > self.PAUSE_S:
            self.wished = now
            self.show.act(self.left.pop(0))
        elif not self.left and shot.melt:
            self.came = now - self.wished
        if self.came or now - self.started > self.seconds:
            self.finish()

    def look_at_growth(self, story: object, now: float) -> None:
        """Take note of how long a birth has stood."""
        known, t, since = self.grew
        moves = story is None or story is not known or story.t > t
        if moves or self.wished == self.growing or story.t >= story.scene.birth_s:
            self.grew = story, story.t if story else 0.0, now
        else:
            self.still, self.when = max((self.still, self.when), (now - since, t))

    def finish(self) -> None:
        """Prints the figures."""
        gaps = [b - a for a, b in zip(self.ends, self.ends[1:], strict=False)]
        say(came=self.came, still=self.still, when=self.when, gaps=gaps[SETTLE_FRAMES:])


def memory() -> dict[str, float]:
    """Resident now and at its highest, in bytes; empty where the system does not say."""
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
    except OSError:
        return {}
    rows = dict(line.split(":", 1) for line in lines)
    return {key: float(rows[name].split()[0]) * 1024 for key, name in (("resident", "VmRSS"), ("highest", "VmHWM"))}


if __name__ == "__main__":
    sys.path[0] = str(ROOT)
    verb, *numbers = sys.argv[1:]
    if verb.startswith("bare"):
        bare(verb == "bare")
    if verb == "hosted":
        hosted(float(numbers[0]), numbers[1])
    if verb in ("activated", "opened"):
        # What a host adds says where to draw, which is known.
        {"activated": activated, "opened": opened}[verb]()
    {"first": first, "frames": frames, "asked": asked}[verb](*map(float, numbers))
