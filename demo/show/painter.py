"""Painter: draws what the show shows at a moment, at the pace that the machine allows: the worlds, and the words over them.

Main thread only; needs a current OpenGL 3.3 core context.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from ..geometry.view import Part, whole
from ..render.develop import COMES, GONE, DevelopPass, LightPicture
from ..render.geometry_buffer import supported
from ..render.gl import gl_context
from ..render.gl.targets import Canvas, Target, shrunk
from ..render.gl.textures import RGBA8
from ..tables.coarse_rules import SAMPLE
from ..tables.keys import Switches
from ..tables.looks import Look
from ..tables.quality import QUALITIES, Quality, quality_for
from .captions import Captions
from .flow import flow_of
from .foresight import Foresight
from .frame import Frame, frame_of
from .pace import GPU, SOFTWARE, SPARING, Pace
from .readiness import Readiness
from .running_order import scenes_in_turn
from .shot import Drawn, Shot
from .stage import RIVERS_GO, Stage
from .stopwatch import Stopwatch

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

    from ..flight.camera import Pose
    from ..story.story import Story
    from .options import ShowOptions

# The first world melts out of space for this long. Where one world flows into another, what only the old one has is gone
# after this long.
OPENING_S, FLOW_IN_S = 2.5, 0.8
# The most pixels in which two scenes are drawn while one melts into the other: light and depth take 12 bytes a pixel, and
# what melts away is kept as well. Larger pictures are drawn smaller meanwhile, and enlarged.
MELT_PIXELS = 4e6
# The most that a frugal show draws.
FRUGAL = "low"
# A thumbnail is at most so wide.
THUMBNAIL_PX = 480
# So many tiles of the ground a live show makes in one frame while they are not yet seen.
FIRST_TILES = 6
# The figures count frames over the last this many.
FRAMES_COUNTED = 60


Layer = Callable[[], LightPicture]


def drawing_quality(options: ShowOptions) -> Quality:
    """The quality to draw with: the one asked for, else that of the renderer for a paced show and the highest for others."""
    levels = list(QUALITIES)
    level = options.quality or (_renderer_quality().name if options.paced else levels[-1])
    if options.frugal and options.quality is None:
        level = min(level, FRUGAL, key=levels.index)
    return supported(replace(QUALITIES[level], coarse=options.coarse))


def _renderer_quality() -> Quality:
    return quality_for(gl_context.describe()["renderer"])


class Painter:
    """The picture of a show."""

    def __init__(self, options: ShowOptions, quality: Quality, stage: Stage, width: int, height: int) -> None:
        """`stage`: what draws the stories that it has received; the caller frees it."""
        self._options, self._quality, self._size = options, quality, (width, height)
        software = _renderer_quality().name == "software"
        budget = (SPARING if options.spares else SOFTWARE) if software else GPU
        self._pace = Pace(width, height, budget) if options.paced else None
        self._stopwatch = Stopwatch(self._pace, software) if self._pace else None
        self._stage = stage
        scenes = max([len(scenes_in_turn(options)), *(len(playlist.turns) for playlist in options.playlists)])
        self._develop, self._captions = DevelopPass(options.paced), Captions(options.caption, scenes, options.endures)
        # Only somebody who watches would notice that a picture waits for the driver.
        self._readiness: Readiness | None = None
        if options.paced:
            look = self._look_of(options.switches)
            self._readiness = Readiness(look, stage.texels, lambda: stage.rehearsal(self._develop), frugal=software)
        self._foresight = Foresight(stage) if options.paced else None
        self._target: Target | None = None
        self._opening_s: float | None = None
        self._frames_s: deque[float] = deque(maxlen=FRAMES_COUNTED)

    def resize(self, width: int, height: int) -> None:
        """Draw width x height pixels from now on; a size of nothing is passed over."""
        if width >= 1 and height >= 1:
            self._size = width, height

    def frame_lasted(self, seconds: float) -> None:
        """Take note of how long a frame of a live show lasted."""
        self._frames_s.append(seconds)

    def open(self, clock: float) -> None:
        """The first world is there: it melts out of space from that time of the show's clock on."""
        self._opening_s = clock

    # --- programs --------------------------------------------------------------------------------------------------

    def make_ready(self, shown: Sequence[Story], switches: Switches, compiled: bool) -> bool:
        """Live, between two frames: see that the programs are there which the next moments of the stories need.

        `shown`: those in the picture. The look that `switches` ask for is drawn as soon as it can be; `compiled`: whether
        the driver has compiled more than the natural one. True when programs have gone, as `Readiness.step` says it.
        """
        if not self._readiness:
            return False
        wanted = self._look_of(switches)
        possible = compiled or wanted == self._look_of(Switches())
        # What has become part of another world needs no programs of its own.
        stories = [story for story in shown if story.prepared and not self._stage.is_dissolved(story)]
        return self._readiness.step(stories, wanted if possible else self._readiness.look)

    def ready_for(self, story: Story) -> bool:
        """Live: whether a prepared story can be drawn without waiting for the driver; from now on that is seen to."""
        return self._readiness is None or self._readiness.ready(story)

    def _look_of(self, switches: Switches) -> Look:
        """What keys and options ask for."""
        asked, mesh = Look(switches.look, switches.normals, switches.wire), self._options.mesh
        return replace(
            asked,
            fine=self._quality.fine,
            isosceles=asked.is_plain and self._quality.isosceles if mesh == "auto" else mesh == "isosceles",
            levels=self._options.levels,
            borders=switches.borders,
            deferred=self._quality.deferred,
            grouped=self._quality.coarse != SAMPLE,
        )

    # --- the picture -----------------------------------------------------------------------------------------------

    def draw(self, shot: Shot, framebuffer: int = 0) -> Drawn:
        """Draw a moment into `framebuffer` (0: the window), and let the pace learn how long that took."""
        if self._stopwatch:
            self._stopwatch.begin()
        drawn = self._paint(shot, Canvas(framebuffer, *self._size))
        if shot.notice:
            self._captions.draw_notice(shot.notice, *self._size)
        if self._stopwatch:
            self._stopwatch.end()
        gl_context.check()
        return drawn

    def read_bare(self, shot: Shot) -> np.ndarray:
        """A moment as `read` returns it, without words, and as fine as if there were all the time in the world."""
        pace, self._pace = self._pace, None
        try:
            return self.read(shot, words=False)
        finally:
            self._pace = pace

    def read(self, shot: Shot, words: bool = True) -> np.ndarray:
        """A moment in a picture of its own, with captions or without `words`: uint8 (height, width, 3), top row first."""
        picture = Target(*self._size, RGBA8, depth=False)
        try:
            self._paint(shot, picture.canvas, words)
            gl_context.check()
            return picture.read()
        finally:
            picture.free()

    def thumbnail(self, framebuffer: int = 0) -> np.ndarray:
        """What has been drawn into `framebuffer`, small: uint8 (height, width, 3), top row first."""
        return shrunk(Canvas(framebuffer, *self._size), THUMBNAIL_PX)

    def _paint(self, shot: Shot, onto: Canvas, words: bool = True) -> Drawn:
        target = self._light(shot.melt is not None or self._opening_s is not None)
        frame = self._frame(shot.current, shot.pose, shot, target)
        if frame:
            self._paint_worlds(shot, frame, target, onto)
        else:
            self._paint_space(shot, target, onto)
        if frame and shot.melt is None:
            self._stage.draw_names(frame, *self._size)
        scale = self._pace.rung.scale if self._pace else None
        drawn = Drawn(*target.drawn, self._stage.triangles(), self._quality.name, scale)
        frames_a_second = len(self._frames_s) / max(sum(self._frames_s), 1e-6)
        if words:
            self._captions.draw(shot, drawn, frames_a_second, self.look_shown(shot.switches), *self._size)
        return drawn

    def _frame(self, story: Story | None, pose: Pose | None, shot: Shot, target: Target) -> Frame | None:
        """The frame of a story, seen from `pose`; None before there is anything to draw of it."""
        if story is None or pose is None or not self._stage.loaded(story):
            return None
        return frame_of(story, pose, self._look(shot, target), self._part(target))

    def _part(self, target: Target) -> Part:
        return self._options.part or whole(target.width / target.height)

    def _paint_space(self, shot: Shot, target: Target, onto: Canvas) -> None:
        if self._opening_s is not None:
            self._opening_s = shot.clock
        space = self._stage.draw_space(target, shot.clock, self._part(target))
        # One of the first pictures goes by the programs of melts, which are thus loaded while nothing can be late.
        rehearses = len(self._frames_s) == 2
        if rehearses:
            self._develop.keep(space, self._stage.noise)
        self._develop.draw(space, 1.0 if rehearses else None, self._stage.noise, onto)

    def _paint_worlds(self, shot: Shot, frame: Frame, target: Target, onto: Canvas) -> None:
        if self._foresight and self._pace and shot.melt is None and not shot.flies:
            self._foresight.step(frame)
        goes, comes, share = self._layers(shot, frame, target)
        if goes and COMES < share < GONE:
            # There is light for one scene: what melts away is developed and kept before the other is drawn.
            self._develop.keep(goes(), self._stage.noise)
            self._develop.draw(comes(), share, self._stage.noise, onto)
            return
        self._develop.forget()
        only = goes if goes and share <= COMES else comes
        self._develop.draw(only(), None, self._stage.noise, onto)

    def _layers(self, shot: Shot, frame: Frame, target: Target) -> tuple[Layer | None, Layer, float]:
        """What melts away, if anything does; what is there or comes; and how far. `frame`: of the current story."""
        stage, world = self._stage, lambda: self._stage.draw(frame, target)
        if self._opening_s is not None:
            share = (shot.clock - self._opening_s) / OPENING_S
            if share < 1.0:
                return (lambda: stage.draw_space(target, shot.clock, self._part(target))), world, share
            self._opening_s = None
        coming = shot.melt and self._frame(shot.coming, shot.coming_pose, shot, target)
        if shot.melt is None or not coming:
            return None, world, 0.0
        share = shot.melt.share(shot.clock)
        if not shot.melt.flows:
            return world, (lambda: stage.draw(coming, target)), share
        flow = flow_of(frame, coming, share)
        since = shot.clock - shot.melt.start_s
        if since >= FLOW_IN_S and flow.share >= RIVERS_GO:
            stage.dissolve(frame.story)
        return (world if since < FLOW_IN_S else None), (lambda: stage.draw_flow(flow, target)), since / FLOW_IN_S

    def _light(self, melting: bool) -> Target:
        """Where scenes are drawn, one after the other, as large as `melting` and the pace allow."""
        width, height = self._size
        share = min(1.0, math.sqrt(MELT_PIXELS / (width * height))) if melting else 1.0
        size = max(1, round(share * width)), max(1, round(share * height))
        scale = min(1.0, self._pace.rung.scale / share) if self._pace else 1.0
        if self._target and (self._target.width, self._target.height, self._target.scale) != (*size, scale):
            self._free_target()
        if self._target is None:
            # No larger than what is drawn: without a GPU that is a sixth of the picture, and the pace seldom changes it.
            self._target = Target(*size, scale=scale)
        return self._target

    def look_shown(self, switches: Switches) -> Look:
        """The look that pictures are drawn in: the one that keys ask for, as soon as what it takes is there."""
        return self._readiness.look if self._readiness else self._look_of(switches)

    def _look(self, shot: Shot, target: Target) -> Look:
        triangles = first_tiles = float("inf")
        effects = True
        if self._pace:
            first_tiles = FIRST_TILES
            effects = self._pace.rung.effects
            # By the size of the whole picture: the ground is as large in it, with however few pixels it is drawn.
            most = target.width * target.height / self._quality.pixels_a_triangle
            triangles = most if self._pace.rung.full_mesh else 0.0
            # Two pictures are drawn while one world melts into another.
            triangles *= 0.5 if shot.melt or self._opening_s is not None else 1.0
        look = self.look_shown(shot.switches)
        share = target.drawn[0] / self._size[0]
        return replace(look, triangles=triangles, effects=effects, share=min(share, 1.0), first_tiles=first_tiles)

    def _free_target(self) -> None:
        if self._target:
            self._target.free()
            self._target = None

    def free(self) -> None:
        """Free everything; idempotent."""
        self._free_target()
        for thing in (self._readiness, self._develop, self._captions, self._stopwatch):
            if thing:
                thing.free()
