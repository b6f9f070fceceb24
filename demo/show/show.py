"""Show: worlds that grow, one after another, in the hands of a host.

A programme says which story is shown, a playback runs it, a pilot has the free camera, and a painter draws. A worker grows
the stories.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ..process.compiler import Compiler
from ..story.worker import Worker
from ..tables import keys
from .notices import Notices
from .painter import Painter, drawing_quality
from .pilot import Pilot
from .playback import Playback, programme_of
from .remembering import Memory, Remembering
from .shot import Drawn, Shot
from .stage import Stage
from .story_grower import StoryGrower
from .switching import answer, switched

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np

    from ..tables.quality import Quality
    from .options import ShowOptions

WAITING_FPS, ANY_FPS = 25, 1000


class Show:
    """start, resize, act, update or seek, draw or read, close. Main thread only; needs a current OpenGL 3.3 core context.

    `wants_quit`, `wants_still`: what the host is asked for; it takes the second one back when it has saved a still.
    """

    def __init__(
        self,
        options: ShowOptions,
        width: int,
        height: int,
        compiler: Compiler | None = None,
        hire: Callable[[str, Quality, Compiler], Worker] = Worker,
    ) -> None:
        """`hire` makes the worker, from the first scene, the quality and the compiler.

        Raises ParameterError for unknown scenes or parameters.
        """
        self.wants_quit = self.wants_still = self._closed = False
        quality = drawing_quality(options)
        self._programme = programme_of(options, quality)
        self._switches = options.switches
        self._pilot, self._notices, self._remembering = Pilot(), Notices(), Remembering()
        self._stage = Stage(quality)
        self._painter = Painter(options, quality, self._stage, width, height)
        compiler = compiler or Compiler(options.precompiler)
        first = self._programme.stories[0].scene.name
        self._grower = StoryGrower(self._programme, lambda: hire(first, quality, compiler), options.endures)
        parts = self._programme, self._grower, self._pilot, self._stage, self._painter
        self._playback = Playback(*parts, options.clock, attended=not options.endures)

    def start(self) -> None:
        """Begin to grow worlds, unless that has begun: after the first picture, which the worker's imports would hold up."""
        self._grower.start()

    def resize(self, width: int, height: int) -> None:
        """Draw width x height pixels from now on; a size of nothing is passed over."""
        self._painter.resize(width, height)

    # --- what people do --------------------------------------------------------------------------------------------

    def act(self, action: str, pressed: bool = True) -> None:
        """Do what a key asks for. Raises ValueError unless `action` is the name of one of `keys.ACTIONS`."""
        row = keys.action_named(action)
        if row.held:
            self._pilot.hold(action, pressed)
        elif row.runs:
            self._playback.run(row.runs, pressed)
        elif pressed and row.switch:
            self._switch(row.switch)
        elif pressed and row.verb:
            row.verb(self)

    def _switch(self, switch: Callable[[keys.Switches], keys.Switches]) -> None:
        """Do what a key switches, and say how it stands where the picture alone does not tell."""
        story, before = self._programme.current, self._switches
        self._switches = switched(before, switch, story.scene if story else None)
        lines = answer(before, self._switches)
        if keys.changes_look(before, self._switches) and not self._grower.has_looks():
            lines += ("it is being prepared: the first time takes longer",)
        if lines:
            self.tell(*lines)

    def pointer(self, dx: float, dy: float) -> None:
        """The pointer moved by pixels: turns the free camera."""
        self._pilot.pointer(dx, dy)

    def wheel(self, dy: float) -> None:
        """The wheel turned: changes the free camera's speed."""
        self._pilot.wheel(dy)

    def quit(self) -> None:
        """Ask the host to end the show."""
        self.wants_quit = True

    def ask_still(self) -> None:
        """Ask the host to save a still picture."""
        self.wants_still = True

    def keep(self) -> None:
        """Ask the host to keep the world that is shown in the history."""
        if not self._remembering.keep(self._programme.current):
            self.tell("there is no world to keep yet")

    def memory(self) -> Memory | None:
        """The world that the host is to put into the history now; it is asked for once."""
        return self._remembering.take()

    def tell(self, *lines: str) -> None:
        """Say something in small lines over the picture for a while, such as where a still was saved."""
        self._notices.tell(lines, self._programme.clock)

    def go(self, places: int) -> None:
        """Ask for the scene that many places further on, 0: a new world of the same scene."""
        self._playback.react(self._programme.go(places))

    def go_to(self, place: int) -> None:
        """Ask for the scene at a place in the order, from 0. Nothing happens if there are fewer scenes."""
        self._playback.react(self._programme.go_to(place))

    def toggle_camera(self) -> None:
        """Take the camera from the flight, or give it back."""
        shot = self.shot()
        if self._pilot.flies:
            self._pilot.give_back(shot.clock)
        elif shot.pose and shot.current and shot.current.prepared:
            self._pilot.take(shot.pose, shot.current.prepared.ground)

    def step(self, way: int) -> None:
        """Show the next picture of the growth, 1 forwards or -1 backwards, and pause."""
        self._switches = replace(self._switches, paused=True)
        self._playback.step(way)

    @property
    def paused(self) -> bool:
        """Whether the worlds stand still."""
        return self._switches.paused

    @property
    def free_camera(self) -> bool:
        """Whether the camera is in a person's hands: the host then hands on the pointer."""
        return self._pilot.flies

    # --- time ------------------------------------------------------------------------------------------------------

    def update(self, dt: float) -> None:
        """Live: let `dt` seconds pass. Never waits for the worker: what is not ready is not shown yet."""
        self._painter.frame_lasted(dt)
        self._playback.advance(dt, self._switches)
        self._notices.wait(*self._playback.awaited(), self._programme.clock)
        self._remembering.see(self._programme.current)

    def seek(self, seconds: float) -> None:
        """Offscreen: be exactly `seconds` after the first world was ready, waiting for the worker as long as it takes.

        Only forward: raises ValueError for a time before the last.
        """
        self._playback.seek(seconds)

    # --- the picture -----------------------------------------------------------------------------------------------

    def shot(self) -> Shot:
        """What is shown at this moment: the stories, the melt between them, the camera, and what keys switched."""
        return self._playback.shot(self._switches, self._notices.at(self._programme.clock))

    def draw(self, framebuffer: int = 0) -> Drawn:
        """Draw this moment into `framebuffer` (0: the window)."""
        return self._painter.draw(self.shot(), framebuffer)

    def read(self) -> np.ndarray:
        """This moment, in a picture of its own: uint8 (height, width, 3), top row first."""
        return self._painter.read(self.shot())

    def bare_picture(self) -> np.ndarray | None:
        """This moment without words, as fine as a still, as `read` returns it; None before there is a world in it."""
        return None if self._programme.current is None else self._painter.read_bare(self.shot())

    def thumbnail(self) -> np.ndarray:
        """What was drawn last into the window, small: uint8 (height, width, 3), top row first."""
        return self._painter.thumbnail()

    def frames_wanted(self) -> int:
        """Frames a second that are of use now: before the first world the processor is wanted for growing it."""
        return WAITING_FPS if self._programme.current is None else ANY_FPS

    def still_name(self) -> str:
        """A file name for a still of this moment."""
        return self.shot().still_name

    def close(self) -> None:
        """Stop the worker and free the GPU's memory; idempotent."""
        if self._closed:
            return
        self._closed = True
        self._grower.stop()
        self._painter.free()
        self._stage.free()
