"""Playback: a programme runs, live or to an exact moment.

It lets time pass in the stories, has them grown and brought onto the GPU, does what the programme decides, and says what
is shown.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

from ..scenes.scenes import SCENES
from ..story.story import Story
from ..tables.looks import Look
from .programme import Programme
from .running_order import minute_of_day
from .scrubber import Scrubber
from .shot import Shot

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..flight.camera import Pose
    from ..tables.keys import Switches
    from ..tables.quality import Quality
    from .notices import Notice
    from .options import ShowOptions
    from .painter import Painter
    from .pilot import Pilot
    from .playlist import Turn
    from .programme import Decision
    from .stage import Stage
    from .story_grower import StoryGrower


# Frames leave 25 MB in the holes of the heap that they have used one after the other. To give them back takes a millisecond
# of the worker's, and the next frame takes back 3 MB.
TIDY_S = 2.0


class Playback:
    """Plays the stories of a programme. Main thread only; needs a current OpenGL context."""

    def __init__(
        self,
        programme: Programme,
        grower: StoryGrower,
        pilot: Pilot,
        stage: Stage,
        painter: Painter,
        clock: Callable[[], float] | None = None,
        attended: bool = True,
    ) -> None:
        """`grower` has the programme's stories grown; the pilot flies in the one shown; they are drawn on the stage.

        `clock`: as in ShowOptions. `attended`: somebody may run a growth backwards.
        """
        self._clock, self._attended = clock, attended
        self._programme, self._grower, self._pilot = programme, grower, pilot
        self._stage, self._painter = stage, painter
        self._scrubber = Scrubber()
        # Seconds since what was let go of was given back.
        self._untidy_s = 0.0

    # --- live ------------------------------------------------------------------------------------------------------

    def advance(self, dt: float, switches: Switches) -> None:
        """Let `dt` seconds pass. Never waits for the worker: what is not ready is not shown yet. Raises ShowError."""
        self._untidy_s += dt
        if self._clock:
            if dt > 0.0:
                self._follow(self._clock(), switches)
            return
        grower, painter, programme = self._grower, self._painter, self._programme
        grower.start()
        instead = grower.look_after()
        if instead:
            self.react(instead, live=True)
        scrubbed = self._scrub(dt, switches)
        if self._scrubber.runs:
            switches = replace(switches, paused=True)
        for story in programme.advance(dt, switches, self._received):
            if story is not scrubbed:
                self._bring(story)
            grower.grow_on(story)
        self._pilot.update(dt)
        self._tidy(painter.make_ready(programme.shown, switches, grower.has_looks()))
        decision = programme.decide(by_hand=self._pilot.flies, ready=painter.ready_for)
        if decision:
            self.react(decision, live=True)

    def _follow(self, clock: float, switches: Switches) -> None:
        """Live: be at a time of a clock that others go by as well. What is late is shown where it would be if it were not.

        Raises ShowError.
        """
        grower, painter, programme = self._grower, self._painter, self._programme
        grower.start()
        instead = grower.look_after()
        if instead:
            self.react(instead, live=True)
        programme.clock = max(clock, programme.clock)
        for story in programme.shown:
            t = programme.time_of(story)
            story.begin()
            if self._received(story) and story.is_prepared_at(t):
                story.t = t
                self._bring(story)
            grower.grow_on(story)
        self._tidy(painter.make_ready(programme.shown, switches, grower.has_looks()))
        decision = programme.decide(exact=True, ready=painter.ready_for)
        if decision and not decision.awaits:
            self.react(decision, live=True)

    def _bring(self, story: Story) -> None:
        """Have on the GPU what the present time of a story shows. Of a growth that is over nothing is kept for nobody."""
        there, replay = self._stage.upload(story, story.t), story.replay
        if there and replay and not replay.is_stopped and not self._attended and story.t >= story.scene.birth_s:
            story.stand_still()
            self._grower.tidy()

    def _tidy(self, left: bool) -> None:
        """Have given back what was let go of, every TIDY_S; `left`: programs have just left something behind."""
        if left or self._untidy_s > TIDY_S:
            self._untidy_s = 0.0
            self._grower.tidy()

    def run(self, way: int, pressed: bool) -> None:
        """The growth runs backwards, -1, or forwards, 1, while a key is held. In a melt nothing does."""
        self._scrubber.hold(way, pressed and self._programme.melt is None)

    def step(self, way: int) -> None:
        """Show the next picture of the growth, forwards or backwards. In a melt nothing does."""
        if self._programme.current and self._programme.melt is None:
            self._scrubber.step(self._programme.current, way)

    def _scrub(self, dt: float, switches: Switches) -> Story | None:
        """Let the growth run as keys ask for it. Returns the story whose pictures are on their way, if any."""
        story = self._programme.current
        if story is None or self._programme.melt:
            self._scrubber.let_go()
            return None
        before, pose = story.t, self._planned(story, switches)
        stands = self._scrubber.update(dt, story, lambda t: self._stage.upload(story, t))
        if stands and before > story.scene.birth_s and pose:
            # From the flight the camera glides to where it was when the growth was there.
            self._pilot.glide(pose, self._programme.clock)
        return story if self._scrubber.runs else None

    def _received(self, story: Story) -> bool:
        """Whether what a story needs was on the GPU before; making it there is the work of a frame."""
        return not self._stage.receive(story)

    def awaited(self) -> tuple[Story | None, bool]:
        """The story that somebody waits for beside a world that is shown, or None; whether its scene is compiled first."""
        story = self._programme.wanted
        if story is None or story.prepared or self._programme.current is None:
            return None, False
        return story, self._grower.is_compiling(story)

    # --- exactly ---------------------------------------------------------------------------------------------------

    def seek(self, seconds: float) -> None:
        """Be exactly `seconds` after the first world was ready, waiting for the worker as long as it takes.

        Only forward: raises ValueError for a time before the last. Raises ShowError.
        """
        programme = self._programme
        if seconds < programme.clock:
            raise ValueError("a show can only be sought forward")
        self._grower.start()
        while programme.current is None:
            self._decide_exactly()
        programme.clock = seconds
        while True:
            for story in programme.shown:
                self._place(story)
            if not self._decide_exactly():
                return

    def _place(self, story: Story) -> None:
        """Set a story in the picture to its time, when what that needs is there."""
        t = self._programme.time_of(story)
        story.begin()
        self._grower.wait(lambda: self._stage.upload(story, t))
        story.t = t

    def _decide_exactly(self) -> bool:
        decision = self._programme.decide(exact=True, by_hand=self._pilot.flies)
        if decision:
            self.react(decision)
        return decision is not None

    # --- what is decided -------------------------------------------------------------------------------------------

    def react(self, decision: Decision, live: bool = False) -> None:
        """Do what the programme decided; `live`: while time passes, so that nothing is exact."""
        if decision.drop:
            self._stage.drop(decision.drop)
        if decision.lands:
            self._pilot.land()
        if decision.opens and live:
            self._painter.open(self._programme.began_s)
        if decision.melts:
            # A second world will be drawn beside the one that is shown.
            self._stage.trim()
            if live:
                # Two growing worlds at once would need twice the memory.
                decision.melts.stand_still()
                coming = self._programme.coming
                if coming and self._programme.early_s(coming):
                    coming.hold()
        if (decision.opens or decision.lands) and self._programme.current:
            # Not before the world before it has gone: two that are carved need twice the memory.
            self._programme.current.begin()
        if decision.grow is not None:
            self._grower.serve(decision.grow)
        awaited = decision.awaits
        if awaited:
            self._grower.wait(lambda: awaited.prepared is not None)

    # --- what is shown ---------------------------------------------------------------------------------------------

    def shot(self, switches: Switches, notice: Notice | None) -> Shot:
        """What is shown at this moment: the stories, the melt between them, the camera, and what `switches` ask for."""
        now = self._programme
        coming = now.coming if now.melt else None
        pose, coming_pose = self._planned(now.current, switches), self._planned(coming, switches)
        if pose and now.current and now.current.prepared:
            pose = self._pilot.pose(pose, now.clock, now.current.prepared.atlas.spherical)
        return Shot(
            now.clock,
            now.current,
            now.coming,
            now.melt,
            pose,
            coming_pose,
            switches,
            self._grower.troubled,
            notice,
            self._pilot.flies,
            self._scrubber.line(now.current) if now.current else None,
        )

    def _planned(self, story: Story | None, switches: Switches) -> Pose | None:
        """The camera's pose in a story at its time; None before it is planned. An article shows a world as a whole."""
        if story is None or story.prepared is None:
            return None
        prepared = story.prepared
        printed = self._painter.look_shown(switches).printed
        flight, early_s = prepared.whole if printed else prepared.flight, self._programme.early_s(story)
        # A world that has not begun stands, but nobody sees its camera start.
        return flight.beyond(-early_s) if early_s else flight.pose(story.t)


def programme_of(options: ShowOptions, quality: Quality) -> Programme:
    """The programme of a show whose worlds are drawn with that quality. Without a seed, the clock gives one.

    Raises ParameterError for unknown scenes or parameters.
    """
    seed = options.seed if options.seed is not None else time.time_ns() & 0x7FFFFFFF

    printed = Look(options.switches.look).printed

    def story(turn: Turn, seed: int) -> Story:
        scene = SCENES[turn.scene]
        # No article carves its land.
        uncarved = scene.uncarved if printed else {}
        given = {**uncarved, **options.parameters.get(turn.scene, {}), **turn.parameters}
        calm = options.less_motion if options.less_motion and not options.calm else lambda: options.calm
        return Story(scene, seed, given, quality, calm, options.hours() if options.hours else None)

    programme = Programme(options, seed, story, minute_of_day)
    if options.clock:
        programme.join(options.clock())
    return programme
