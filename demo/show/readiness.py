"""Readiness: every shader program is there before the frame that needs it.

A live show looks a little ahead of its stories, and rehearses what is missing between two frames. A look that a key asks for
is shown when all of its programs are there, and a world that comes waits for its own.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from ..maths.vectors import length
from ..render.clouds import is_below_clouds
from ..render.gl import living_programs
from ..render.gl.programs import ShaderSwitches, rest_compiler
from ..render.shader_switches import LEAST_STARS
from ..render.shader_variants import (
    GLOW,
    SPACE,
    STARS,
    bed_variants,
    line_variants_at,
    melting,
    name_variants,
    river_variants,
    sky_variants_at,
    surface_variants_at,
    tile_variants,
    town_variants,
)
from ..story.story import Story
from ..tables.looks import NATURAL, Look
from .frame import moment_of, story_view
from .melt import can_flow
from .rehearsal import Rehearsal

# Seconds of a story that are looked ahead, and between the moments that are looked at. A software renderer's driver has
# programs in its cache and loads one in 3 to 10 ms; but each takes 3 MB, and a flight begins with a dozen new ones.
AHEAD_S, FRUGAL_AHEAD_S, STEP_S = 3.0, 1.0, 0.5
# How near the clouds a flight may come to be on their other side when the picture is drawn.
NEAR_CLOUDS_M = 500.0
# How many times as well or as badly stars may be seen until the next moment that is looked at.
STARS_EASE = 3.0
# With nothing missing, and nothing new to be needed, it is looked for again only after so many seconds: well before one that
# nobody asks for counts as idle (`living_programs`).
SURE_S = 0.2
# Once a frame has spent this long on programs, the others wait for the next frame: while a world is shown, and before.
BUDGET_S, WAITING_BUDGET_S = 0.004, 0.030


def needs_at(story: Story, look: Look, t: float) -> list[ShaderSwitches]:
    """What a prepared story's picture at a time needs in a look, but for what makes tiles and lamps.

    Raises ValueError before the story is prepared.
    """
    prepared, replay, scene = story.prepared, story.replay, story.scene
    if prepared is None or replay is None:
        raise ValueError("a story that is not prepared needs nothing yet")
    ringed = look.name == NATURAL and prepared.moon_and_rings.rings is not None and t > scene.grown_s
    # The shape of the picture changes no switch.
    moment = moment_of(scene, prepared, replay.at(t), t, aspect=1.0)
    # Where the flight passes through the clouds or near them, the eye may be on either side.
    pose = prepared.flight.pose(t)
    away_m = length(pose.position)
    below = {is_below_clouds(away_m + more_m, scene.size_m) for more_m in (-NEAR_CLOUDS_M, NEAR_CLOUDS_M)}
    found: list[ShaderSwitches] = [*surface_variants_at(prepared.atlas, look, moment, ringed, below)]
    if prepared.map:
        found += [*line_variants_at(look, moment, prepared.atlas), *name_variants(scene)]
    stars = story_view(scene, prepared, t, pose, part=1.0)[1]
    starry = {some * stars > LEAST_STARS for some in (1.0 / STARS_EASE, STARS_EASE)}
    sky = sky_variants_at(scene, look, moment.clouds, below, starry)
    found += [*sky, *((STARS,) if any(switches.stars for switches in sky) else ())]
    # What glows is work on the world that comes into being.
    found += [GLOW] if t < scene.birth_s else []
    # Rivers gather while the land is carved.
    return [*found, *river_variants(scene, look, (moment.clouds,), (ringed,))] if t >= scene.grown_s else found


class Needs:
    """What one story's pictures need in a look, from a step of its time on."""

    def __init__(self, story: Story, look: Look, texels: int, ahead_s: float = AHEAD_S) -> None:
        """`texels`: along the edge of a tile; `ahead_s`: until so much later. Raises ValueError before the story is
        prepared."""
        self._story, self._look, self._texels = story, look, texels
        self._steps_ahead = round(ahead_s / STEP_S) + 2
        # What `needs_at` found at each step, of what was prepared then.
        self._at: dict[int, list[ShaderSwitches]] = {}
        self._of: tuple[object, object] = story.prepared, story.replay
        # The step that was looked from, and what was found.
        self.step, self.found = -1, list[ShaderSwitches]()
        self.look_ahead()

    def look_ahead(self) -> None:
        """Look from the story's present time on."""
        story, step = self._story, int(self._story.t / STEP_S)
        if step == self.step:
            return
        of = story.prepared, story.replay
        if any(new is not old for new, old in zip(of, self._of, strict=True)):
            self._at, self._of = {}, of
        steps = range(step, step + self._steps_ahead)
        # What is near is looked at again: a growth may be late.
        known = {k: needs for k, needs in self._at.items() if k > step + 1}
        self._at = {k: known[k] if k in known else needs_at(story, self._look, k * STEP_S) for k in steps}
        found = dict.fromkeys(switches for k in steps for switches in self._at[k])
        if steps[-1] * STEP_S >= story.scene.settles_s:
            tiles = *tile_variants(story.scene, self._texels), *bed_variants(story.scene, self._texels)
            found |= dict.fromkeys((*tiles, *town_variants(story.scene, self._look)))
        self.step, self.found = step, list(found)


def flow_needs(story: Story, look: Look) -> list[ShaderSwitches]:
    """What it takes that a prepared story's world flows into another one, in a look."""
    prepared, replay, t = story.prepared, story.replay, story.t
    if prepared is None or replay is None:
        raise ValueError("a story that is not prepared needs nothing yet")
    moment = replace(moment_of(story.scene, prepared, replay.at(t), t, aspect=1.0), grown=False, detail=0.0)
    found: set[ShaderSwitches] = set()
    for clouds in (moment.clouds, 0.0):
        found |= surface_variants_at(prepared.atlas, look, replace(moment, clouds=clouds), ringed=False)
    return [*found, *river_variants(story.scene, look, (moment.clouds, 0.0), (False,))]


class Readiness:
    """Which look a live show is drawn in, and which of its worlds may come, by the programs that are there."""

    def __init__(self, look: Look, texels: int, rehearsal: Callable[[], Rehearsal], frugal: bool) -> None:
        """`look`: the first one. `texels`: along the edge of a tile. `rehearsal` makes what draws, when that is needed.

        `frugal`: programs that were not used for long go.
        """
        self._look, self._texels, self._frugal = look, texels, frugal
        self._ahead_s = FRUGAL_AHEAD_S if frugal else AHEAD_S
        self._make = rehearsal
        self._made: Rehearsal | None = None
        # The stories that were in the picture last.
        self._shown: tuple[Story, ...] = ()
        self._awaited: Story | None = None
        # Whether the first world may still be coming out of the stars.
        self._opening = True
        # Whether nothing was missing for it when that was looked at last.
        self._complete = False
        # What nothing was missing for when all of it was looked for last, and when that was.
        self._sure: tuple[object, float] = None, 0.0
        self._known: dict[tuple[Story, Look], Needs] = {}

    @property
    def look(self) -> Look:
        """The look that is shown."""
        return self._look

    def ready(self, story: Story) -> bool:
        """Whether a prepared story may come; from now on its programs are being made ready."""
        if self._awaited is not story:
            self._awaited, self._complete = story, False
        return self._complete

    def step(self, shown: Sequence[Story], wanted: Look) -> bool:
        """Between two frames: make ready what the stories in the picture and the one that is awaited need, as time allows.

        `shown`: those in the picture, prepared. `wanted`: the look that keys ask for; it is shown as soon as it can be.
        True when programs have left something behind, as `end_frame` of `living_programs` says it.
        """
        if self._awaited in shown:
            self._awaited = None
        if any(story not in shown for story in self._shown):
            living_programs.hurry()
            self._sure = None, 0.0
        self._shown = tuple(shown)
        if not shown and not self._awaited:
            return False
        self._opening = self._opening and all(story.t < AHEAD_S for story in shown)
        now = time.perf_counter()
        asked = wanted, self._awaited, self._opening, *((story, int(story.t / STEP_S)) for story in shown)
        if self._sure[0] != asked or now - self._sure[1] > SURE_S:
            self._sure = (asked, now) if self._make_ready(shown, wanted) else (None, 0.0)
        rests = self._frugal and living_programs.end_frame(time.perf_counter())
        if rests:
            rest_compiler()
        return rests

    def _make_ready(self, shown: Sequence[Story], wanted: Look) -> bool:
        """Make ready what is missing, as time allows; whether nothing was."""
        # No more than there is room for, or each would drive out another in every frame. The last one asked for stays
        # longest: the most urgent.
        wishes = list(dict.fromkeys(self._wishes(shown, wanted)))[: living_programs.room()]
        missing = [switches for switches in reversed(wishes) if not self._rehearsal.is_ready(switches)][::-1]
        ends = time.perf_counter() + (BUDGET_S if shown else WAITING_BUDGET_S)
        waits = False
        for switches in missing:
            if self._rehearsal.is_linked(switches):
                self._rehearsal.draw(switches)
            else:
                # The driver has threads for it.
                waits = True
            if time.perf_counter() > ends:
                break
        else:
            if not waits:
                self._look, self._complete = wanted, True
        stories = (*shown, self._awaited)
        self._known = {key: needs for key, needs in self._known.items() if key[0] in stories}
        return not missing

    def _wishes(self, shown: Sequence[Story], wanted: Look) -> Iterator[ShaderSwitches]:
        """All that is needed, the most urgent first."""
        # Hidden windows are not drawn, and are seen again at once.
        yield melting(sharp=True)[0]
        for look in dict.fromkeys((self._look, wanted)):
            for story in shown:
                yield from self._needs(story, look)
        # A world that has just come melts in, be it out of the stars.
        if self._awaited or len(shown) > 1 or any(story.t < AHEAD_S for story in shown):
            yield from melting(sharp=True)
        if self._opening:
            yield from (SPACE, STARS)
        if self._awaited:
            yield from self._needs(self._awaited, self._look)
            for story in shown:
                if can_flow(story, self._awaited):
                    yield from flow_needs(story, self._look)

    def _needs(self, story: Story, look: Look) -> list[ShaderSwitches]:
        if (story, look) not in self._known:
            self._known[story, look] = Needs(story, look, self._texels, self._ahead_s)
        known = self._known[story, look]
        known.look_ahead()
        return known.found

    @property
    def _rehearsal(self) -> Rehearsal:
        if self._made is None:
            self._made = self._make()
        return self._made

    def free(self) -> None:
        """Free everything but the programs; idempotent."""
        if self._made is not None:
            self._made.free()
