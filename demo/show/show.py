"""Show: the stories one after another, what the keys do to them, and the words over them. Owns all state."""

from __future__ import annotations

import math
import re
import time as clock
from collections.abc import Iterable

import numpy as np

from ..flight.camera import Pose, blend
from ..flight.free_camera import FreeCamera
from ..process.compiler import Compiler
from ..render.develop import COMES, GONE, Developed, Post
from ..render.gl import gl_context, gpu_memory
from ..render.gl.targets import Canvas, Target
from ..render.gl.textures import RGBA8
from ..render.gl.timer import Timer
from ..render.sky import Look
from ..render.text import Overlay
from ..scenes.scenes import SCENES
from ..story.story import Story
from ..story.worker import Worker
from ..tables import keys
from ..tables.quality import QUALITIES, quality_for
from ..worlds import hashing
from . import captions as words
from .options import ShowOptions
from .pace import GPU, SOFTWARE, Steering
from .stage import Stage

MELT_S = 3.0
# Where one world flows into another: of all of it, also when it was asked for; until what only the old one has is gone.
FLOW_S, ASKED_FLOW_S, FLOW_IN_S = 5.0, 3.5, 0.8
OPENING_S = 2.5
ASKED_MELT_S = 2.0
RETURN_S = 1.6
LOOKS = ("natural", "as-printed", "unlit")
SEED_STREAM = 100
WAITING_FPS = 25
FASTEST, SLOWEST = 8.0, 0.125
TOUR_BIRTH_SHARE = 0.45
LONGEST_NAME = 150


class ShowError(RuntimeError):
    """The show cannot go on; the message says why and what to do."""


class Show:
    """resize, act, update or seek, draw, close. Main thread only; needs a current OpenGL 3.3 core context.

    Raises ParameterError for unknown scenes or parameters.
    """

    def __init__(self, options: ShowOptions, width: int, height: int, compiler: Compiler | None = None) -> None:
        self._order = options.order
        self.options = options
        self.wants_quit = False
        self.wants_still = False
        self.free_camera = False
        self._seed = options.seed if options.seed is not None else clock.time_ns() & 0x7FFFFFFF
        self._shown = 0
        self._look = options.look
        self._flat = self._wire = self._help = self._figures = self._paused = self._borders = False
        self._rate = 1.0
        self._clock = 0.0
        self._starts: dict[Story, float] = {}
        self._current: Story | None = None
        self._next: Story | None = None
        self._melt_start: float | None = None
        self._opening: float | None = None
        self._asked = True
        self._melt_length = MELT_S
        self._flowing = False
        self._camera: FreeCamera | None = None
        self._left_camera: tuple[Pose, float] | None = None
        self._held: set[str] = set()
        self._look_by = np.zeros(2)
        self._wheel = 0.0
        self._frames: list[float] = []
        self._closed = False
        self._place = self._order.index(options.scene) if options.scene else 0
        self._post = Post()
        self._overlay = Overlay()
        renderer = quality_for(gl_context.describe()["renderer"])
        self._quality = QUALITIES[options.quality or (renderer.name if options.steered else "high")]
        self._software = renderer.name == "software"
        self._steering = Steering(width, height, SOFTWARE if self._software else GPU) if options.steered else None
        self._timer = Timer()
        self._stage = Stage(self._quality)
        self._target: Target | None = None
        self._size = (0, 0)
        self.resize(width, height)
        self._worker: Worker | None = None
        self._compiler = compiler
        self._next = self._story(self._order[self._place])

    # --- words from outside ----------------------------------------------------------------------------------------

    def resize(self, width: int, height: int) -> None:
        """Draw width x height pixels from now on."""
        if (width, height) == self._size or width < 1 or height < 1:
            return
        self._size = (width, height)
        self._free_target()

    def act(self, action: str, pressed: bool = True) -> None:
        """Do what a key asks for; `action` is a name of `keys.ACTIONS`."""
        if action in keys.HELD:
            (self._held.add if pressed else self._held.discard)(action)
        elif pressed:
            self._act(action)

    def _act(self, action: str) -> None:
        if action.startswith("scene_"):
            number = int(action.removeprefix("scene_")) - 1
            if number < len(self._order):
                self._go(number)
            return
        {
            "quit": self._quit,
            "help": lambda: self._flip("_help"),
            "new_world": lambda: self._go(self._place),
            "previous_scene": lambda: self._go(self._place - 1),
            "next_scene": lambda: self._go(self._place + 1),
            "pause": lambda: self._flip("_paused"),
            "normals": lambda: self._flip("_flat"),
            "wireframe": lambda: self._flip("_wire"),
            "figures": lambda: self._flip("_figures"),
            "borders": lambda: self._flip("_borders"),
            "look": self._next_look,
            "faster": lambda: self._change_rate(2.0),
            "slower": lambda: self._change_rate(0.5),
            "free_camera": self._toggle_camera,
            "still": self._ask_still,
        }.get(action, lambda: None)()

    def pointer(self, dx: float, dy: float) -> None:
        """The pointer moved by pixels: turns the free camera."""
        self._look_by += (dx, dy)

    def wheel(self, dy: float) -> None:
        """The wheel turned: changes the free camera's speed."""
        self._wheel += dy

    # --- time ------------------------------------------------------------------------------------------------------

    def update(self, dt: float) -> None:
        """Live: let `dt` seconds pass. Never waits for the worker: what is not ready is not shown yet."""
        self._start()
        self._raise_failures()
        self._frames = [*self._frames[-59:], dt]
        self._clock += dt
        for story in self._stories():
            self._live(story, 0.0 if self._paused else dt)
        if self._camera and self._current and self._current.prepared:
            look_by, self._look_by = self._look_by, np.zeros(2)
            self._camera.update(dt, self._held, look_by[0], look_by[1], self._wheel)
            self._wheel = 0.0
        self._direct()

    def seek(self, seconds: float) -> None:
        """Offscreen: be exactly `seconds` after the first world was ready, waiting for the worker as long as it takes.

        Only forward: raises ValueError for a time before the last.
        """
        if seconds < self._clock:
            raise ValueError("a show can only be sought forward")
        self._start()
        if self._current is None:
            self._wait(lambda: self._next.prepared is not None)
            self._begin_first(live=False)
        self._clock = seconds
        while True:
            for story in self._stories():
                self._exact(story)
            before = (self._current, self._next, self._melt_start)
            self._direct(wait=True)
            if before == (self._current, self._next, self._melt_start):
                return

    def _start(self) -> None:
        """The worker begins after the first picture, which its imports would hold up."""
        if self._worker is None:
            self._worker = Worker(
                self._order[self._place], self._quality, self._compiler or Compiler(self.options.precompiler)
            )
            self._serve()

    def _live(self, story: Story, dt: float) -> None:
        # Not in the frame in which it is drawn first, and its programs are loaded.
        if story not in self._starts or self._stage.receive(story):
            return
        # A world that another one flows into stands still until it has.
        dt = dt if self._clock >= self._starts[story] else 0.0
        story.advance(dt * (self._rate if story.t < story.scene.birth_s else 1.0))
        self._stage.upload(story, story.t)
        if story.wants_work():
            self._worker.nudge()

    def _exact(self, story: Story) -> None:
        if story not in self._starts:
            return
        t = self._story_time(story, max(self._clock - self._starts[story], 0.0))
        self._wait(lambda: self._stage.upload(story, t))
        story.t = t

    def _wait(self, ready: object) -> None:
        def done() -> bool:
            return any(story.failure for story in self._stories()) or ready()

        self._worker.wait_until(done)
        self._raise_failures()

    def _raise_failures(self) -> None:
        for story in self._stories():
            if story.failure:
                raise ShowError(f"{story.scene.title} could not be grown: {_in_one_line(story.failure)}") from story.failure

    # --- which story is shown --------------------------------------------------------------------------------------

    def _stories(self) -> list[Story]:
        return [story for story in (self._current, self._next) if story]

    def _serve(self) -> None:
        if self._worker:
            self._worker.serve(self._stories())

    def _story(self, name: str) -> Story:
        seed = self._seed if self._shown == 0 else hashing.bits(self._seed, SEED_STREAM, self._shown) & 0x7FFFFFFF
        self._shown += 1
        return Story(SCENES[name], seed, self.options.parameters.get(name, {}), self._quality, self.options.calm)

    def _go(self, place: int) -> None:
        """Ask for a scene: the newest request wins, and the present world flies on until the new one is there."""
        self._place = place % len(self._order)
        if self._next and self._melt_start is not None:
            self._finish_melt()
        if self._next:
            self._drop(self._next)
        self._next = self._story(self._order[self._place])
        self._asked = True
        self._serve()

    def _drop(self, story: Story) -> None:
        story.cancelled = True
        self._stage.drop(story)
        self._starts.pop(story, None)

    def _direct(self, wait: bool = False) -> None:
        """Begin and end melts, and have the next world grown in time."""
        if self._current is None:
            if self._next.prepared:
                self._begin_first(live=not wait)
            return
        if self._melt_start is not None:
            if self._clock >= self._melt_start + self._melt_length:
                self._finish_melt()
                self._serve()
            return
        grown = self._current.t >= self._current.scene.birth_s
        if self._next is None and grown and not self.options.hold and not self._last_of_tour():
            # Only when the growth that is shown needs no more memory. What is grown ahead is not chosen yet: a new world or
            # the next scene is asked for from the one that is shown.
            following = self._order[(self._place + 1) % len(self._order)]
            self._next, self._asked = self._story(following), False
            self._serve()
        if self._next:
            self._maybe_melt(wait)

    def _maybe_melt(self, wait: bool) -> None:
        due = self._starts[self._current] + self._shown_seconds(self._current) - MELT_S
        if not wait:
            due = self._clock if self._asked or self._current.t >= self._current.seconds - MELT_S else self._clock + 1.0
        if self._clock < due:
            return
        if wait:
            self._wait(lambda: self._next.prepared is not None)
        if self._next.prepared:
            start = due if wait else self._clock
            if not wait:
                # Two growing worlds at once would need twice the memory.
                self._current.stand_still()
            self._begin_melt(start, ASKED_MELT_S if self._asked and not wait else MELT_S)

    def _begin_first(self, live: bool) -> None:
        """The first world melts out of space when it is live; offscreen it is there at once."""
        self._opening = self._clock if live else None
        self._current, self._next = self._next, None
        self._starts[self._current] = self._clock
        self._asked = False
        self._serve()

    def _begin_melt(self, start: float, length: float) -> None:
        self._stage.trim()
        self._melt_start, self._melt_length = start, length
        self._starts[self._next] = start
        # A tour's length is given; and what a person steers is no part of a world that could flow.
        tour = self.options.tour_seconds is not None
        self._flowing = not tour and not self._camera and self._stage.flows(self._current, self._next)
        if self._flowing:
            self._melt_length = length = ASKED_FLOW_S if self._asked else FLOW_S
            # The new world begins to grow when the old one has gone.
            self._starts[self._next] += max(length - self._next.scene.birth[0][0], 0.0)
        self._place = self._order.index(self._next.scene.name)

    def _finish_melt(self) -> None:
        old, self._current, self._next, self._melt_start = self._current, self._next, None, None
        self._drop(old)
        self._leave_camera(at_once=True)

    def _last_of_tour(self) -> bool:
        return self.options.tour_seconds is not None and self._shown >= len(self._order)

    def _shown_seconds(self, story: Story) -> float:
        if self.options.tour_seconds is None:
            return story.seconds
        count = len(self._order)
        return (self.options.tour_seconds + MELT_S * (count - 1)) / count

    def _story_time(self, story: Story, seconds: float) -> float:
        """The story's own time after `seconds` of being shown: on a tour the birth is quick and the flight an excerpt."""
        if self.options.tour_seconds is None:
            return seconds
        quick = TOUR_BIRTH_SHARE * self._shown_seconds(story)
        birth = story.scene.birth_s
        return seconds * birth / quick if seconds < quick else birth + seconds - quick

    # --- actions ---------------------------------------------------------------------------------------------------

    def _flip(self, name: str) -> None:
        setattr(self, name, not getattr(self, name))

    def _quit(self) -> None:
        self.wants_quit = True

    def _ask_still(self) -> None:
        self.wants_still = True

    def _next_look(self) -> None:
        self._look = LOOKS[(LOOKS.index(self._look) + 1) % len(LOOKS)]

    def _change_rate(self, factor: float) -> None:
        self._rate = float(np.clip(self._rate * factor, SLOWEST, FASTEST))

    def _toggle_camera(self) -> None:
        if self._camera:
            self._leave_camera()
        elif self._current:
            self._camera = FreeCamera(self._pose(self._current), self._current.prepared.ground)
            self.free_camera, self._left_camera = True, None

    def _leave_camera(self, at_once: bool = False) -> None:
        if self._camera and not at_once:
            self._left_camera = (self._camera.pose, self._clock)
        elif at_once:
            self._left_camera = None
        self._camera, self.free_camera = None, False
        self._held.clear()

    def _pose(self, story: Story) -> Pose:
        pose = story.prepared.flight.pose(story.t)
        if story is not self._current:
            return pose
        if self._camera:
            return self._camera.pose
        if self._left_camera:
            left, since = self._left_camera
            share = (self._clock - since) / RETURN_S
            if share < 1.0:
                return blend(left, pose, share * share * (3 - 2 * share), story.prepared.atlas.spherical)
            self._left_camera = None
        return pose

    # --- drawing ---------------------------------------------------------------------------------------------------

    def draw(self, framebuffer: int = 0) -> None:
        """Draw this moment into `framebuffer` (0: the window)."""
        began = clock.perf_counter()
        if self._steering and not self._software:
            for seconds in self._timer.begin():
                self._steering.measured(seconds)
        self._paint(Canvas(framebuffer, *self._size))
        if self._steering and self._software:
            # Without a GPU there is nothing to overlap with: waiting here costs nothing and tells what drawing costs.
            gl_context.finish()
            self._steering.measured(clock.perf_counter() - began)
        elif self._steering:
            self._timer.end()

    def _paint(self, onto: Canvas) -> None:
        """This moment with its words."""
        noise = self._stage.noise
        if self._current is None or not self._stage.loaded(self._current):
            if self._opening is not None:
                self._opening = self._clock
            # The second picture goes by the programs of melts, which are thus loaded while nothing can be late.
            second = len(self._frames) == 2
            for space in self._stage.draw_space(self._light(), self._clock):
                if second:
                    self._post.keep(space, noise)
                self._post.draw(space, 1.0 if second else None, noise, onto)
        else:
            first, second, melt = self._scenes()
            if first and not COMES < melt < GONE:
                first, second = None, first if melt <= COMES else second
            if first:
                for scene in first:
                    self._post.keep(scene, noise)
            else:
                self._post.forget()
            for scene in second:
                self._post.draw(scene, melt if first else None, noise, onto)
        self._draw_words(*self._size)

    def _scenes(self) -> tuple[Iterable[Developed] | None, Iterable[Developed], float]:
        """What melts away, if anything does; what is there or comes; and how far."""
        stage, look, light, current = self._stage, self._look_now(), self._light(), self._current
        scene = stage.draw(current, current.t, self._pose(current), look, light)
        if self._opening is not None:
            share = (self._clock - self._opening) / OPENING_S
            if share < 1.0:
                return stage.draw_space(light, self._clock), scene, share
            self._opening = None
        following = self._next
        if self._melt_start is None or not stage.loaded(following):
            return None, scene, 0.0
        since = self._clock - self._melt_start
        melt = float(np.clip(since / self._melt_length, 0.0, 1.0))
        pose = self._pose(following)
        if not self._flowing:
            return scene, stage.draw(following, following.t, pose, look, light), melt
        flow = stage.draw_flow(current, following, (self._pose(current), pose), melt, look, light)
        return (scene if since < FLOW_IN_S else None), flow, since / FLOW_IN_S

    def _look_now(self) -> Look:
        isosceles, triangles, effects = self.options.mesh == "isosceles", float("inf"), True
        if self._steering:
            effects = self._steering.rung.effects
            width, height = self._light().drawn
            triangles = self._steering.rung.triangles * width * height / self._quality.pixels_a_triangle
            # Two pictures are drawn while one world melts into another.
            triangles *= 0.5 if self._melting else 1.0
        return Look(
            self._look,
            self._flat,
            self._wire,
            self._quality.fine,
            triangles,
            effects=effects,
            isosceles=isosceles,
            borders=self._borders,
            levels=self.options.levels,
        )

    @property
    def _melting(self) -> bool:
        return self._melt_start is not None or self._opening is not None

    def read(self) -> np.ndarray:
        """This moment, in a picture of its own: uint8 (height, width, 3), top row first."""
        picture = Target(*self._size, RGBA8, depth=False)
        try:
            self._paint(picture.canvas)
            return picture.read()
        finally:
            picture.free()

    def _light(self) -> Target:
        """Where scenes are drawn, one after the other: in bands while there are two, each of which has memory of its own."""
        width, height = self._size
        bands = max(math.ceil(width * height / self._quality.at_once), 1) if self._melting else 1
        rows = math.ceil(height / bands)
        if self._target and self._target.rows != rows:
            self._free_target()
        if self._target is None:
            self._target = Target(width, height, rows=rows)
        self._target.scale = self._steering.rung.scale if self._steering else 1.0
        return self._target

    def _free_target(self) -> None:
        if self._target:
            self._target.free()
            self._target = None

    def _draw_words(self, width: int, height: int) -> None:
        if self._current and self._melt_start is None and self._stage.loaded(self._current):
            self._stage.draw_names(self._current, self._current.t, self._pose(self._current), width, height)
        figures = self._figure_lines() if self._figures else ()
        story = self._next if self._melt_start is not None else self._current
        waited = self._clock if self._current is None else None
        words.draw(self._overlay, story, waited, self._help, figures, self.options.caption, width, height)
        # Not in the first picture, which it would hold up.
        if self._next and self._melt_start is None and self._clock > 0.0:
            words.foresee(self._next, height)

    def _figure_lines(self) -> tuple[words.Line, ...]:
        rate = len(self._frames) / max(sum(self._frames), 1e-6)
        drawn = f"{gpu_memory.in_use() / 1e6:.0f} MB on the GPU   quality {self._drawn_with()}"
        return words.figures(self._current, rate, self._stage.triangles(), drawn, self._rate, self._look)

    def _drawn_with(self) -> str:
        """Quality and what steering makes of it."""
        words = [self._quality.name]
        if self._steering:
            words.append(f"{100.0 * self._steering.rung.scale:.0f} % of its sides")
        return ", ".join(words)

    def frames_wanted(self) -> int:
        """Frames a second that are of use now: before the first world the processor is wanted for growing it."""
        return WAITING_FPS if self._current is None else 1000

    def still_name(self) -> str:
        """A file name for a still of this moment."""
        story = self._current
        if not story or not story.prepared:
            return "landfall.png"
        # A world's code may name the file that it came from.
        world = re.sub(r"[^A-Za-z0-9.=+_-]+", "_", story.prepared.code)[:LONGEST_NAME]
        return f"landfall-{world}-{story.t:07.3f}s.png"

    def close(self) -> None:
        """Stop the worker and free the GPU's memory; idempotent."""
        if self._closed:
            return
        self._closed = True
        if self._worker:
            self._worker.stop()
        self._free_target()
        for thing in (self._stage, self._post, self._overlay, self._timer):
            thing.free()


def _in_one_line(error: Exception) -> str:
    """What went wrong; a compiler's messages go on for pages."""
    return next((line for line in str(error).splitlines() if line.strip()), type(error).__name__)
