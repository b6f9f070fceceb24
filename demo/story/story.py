"""Story: one scene with one seed, from birth to melt."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..scenes.timeline import timeline
from .replay import Replay, replay_of

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from ..scenes.hours import Hour
    from ..scenes.palettes import Palette
    from ..scenes.scene import Scene
    from ..tables.quality import Quality
    from ..worlds.growth import Growth
    from ..worlds.parameters import Value
    from .preparation import GrownWorld
    from .prepared import Prepared

    # It ends with what a flight shows, and yields None where it pauses.
    Carving = Generator["Part | None", None, Prepared]

# A growth is grown in this many pieces: between two of them others are served, and it may be cancelled.
PIECES = 16


class Part(NamedTuple):
    """A part of the preparation of a flight is over, which has left much behind.

    `known`: what a map shows from its rain on, found in it.
    """

    known: Prepared | None = None


class Story:
    """A scene being shown. The worker prepares it and makes its pictures; the main thread owns its time `t`, in seconds.

    A world that is carved is prepared in two parts, so that its first picture need not wait: first what its birth shows, and
    meanwhile, once it is carved, what its flight shows. Between them comes what a map shows when it rains: the cover of its
    land, its rivers and its names.
    """

    def __init__(
        self,
        scene: Scene,
        seed: int,
        given: dict[str, Value],
        quality: Quality,
        calm: Callable[[], bool] = lambda: False,
        hour: Hour | None = None,
    ) -> None:
        """`given`: parameters of the world; `quality`: what it is drawn with; `calm`: says, once the world is grown,
        whether the camera flies slowly; `hour`: of the viewer, which its light follows; None: the world has its own.

        Raises ParameterError.
        """
        self.seed = seed
        self.parameters = scene.complete(given)
        self.scene = scene = scene.for_world(self.parameters, seed)
        # Written by the worker, each before the next. The two parts are one where nothing is carved.
        self.replay: Replay | None = None
        self.born: Prepared | None = None
        self.carved: Prepared | None = None
        self.failure: Exception | None = None
        self.cancelled = False
        # Written by the main thread: the land is wanted. A world that waits for its turn is not carved, and keeps little.
        self.begun = False
        self.t = 0.0
        self._pieces = _in_pieces(scene, seed, self.parameters, quality, calm, hour)
        self._carving: Carving | None = None
        # From when on the birth shows what is not known yet, and that, once it is.
        self._unknown_s = scene.map_timing.rain[0] if scene.map_timing else np.inf
        self._known: Prepared | None = None

    @property
    def prepared(self) -> Prepared | None:
        """What is known of the world at the present time; None before it is prepared."""
        return self.carved if self.carved and self.t >= self.scene.grown_s else self.born

    def is_prepared_at(self, t: float) -> bool:
        """Whether what a picture of time t needs is known, but for its heights."""
        if t >= self.scene.grown_s:
            return self.carved is not None
        return self.born is not None and t < self._unknown_s

    def known_at(self, t: float) -> Prepared | None:
        """What a picture of time t shows beside the birth. What a map has for its flight waits until the birth is over."""
        if self.scene.map_timing is None or t >= self.scene.grown_s:
            return self.carved
        return self._known or self.born

    @property
    def palette(self) -> Palette:
        """The one of the scene's palettes that the seed chooses."""
        return self.scene.palette_of(self.seed)

    @property
    def seconds(self) -> float:
        """Length from the first picture to the end of the flight."""
        return self.scene.birth_s + self.scene.flight_s

    @property
    def pictures(self) -> tuple[int, int, float]:
        """(picture a, picture b, mix): heights are now a * (1 - mix) + b * mix; raises ValueError before it is prepared."""
        if self.replay is None:
            raise ValueError("a story that is not prepared shows nothing yet")
        return self.replay.at(self.t)

    # --- the worker's side -----------------------------------------------------------------------------------------

    def wants_work(self) -> bool:
        """Whether the worker could do something for this story now."""
        if self.cancelled or self.failure:
            return False
        return self.replay is None or self.replay.wants_work() or (self.begun and self._carving is not None)

    def work(self) -> bool:
        """Do a small piece of work, the most urgent first: another story may need the worker in between.

        True when that was the last piece of a part of the preparation.
        """
        if self.born is None:
            self._prepare_further()
            return self.born is not None
        if self.replay and self.replay.wants_work():
            self.replay.make_picture()
        elif self.begun and self._carving:
            return self._carve_further()
        return False

    def prepare(self) -> None:
        """Grow the whole world once, prepare the story of it, and stand ready to replay its growth."""
        while self.born is None:
            self._prepare_further()
        while self._carving:
            self._carve_further()

    def _prepare_further(self) -> None:
        try:
            next(self._pieces)
        except StopIteration as end:
            self.replay, born, self._carving = end.value
            self.carved = None if self._carving else born
            self.born = born

    def _carve_further(self) -> bool:
        """True when a part of it is over."""
        carving = self._carving
        if carving is None or self.replay is None:
            return False
        try:
            part = next(carving)
        except StopIteration as end:
            self.carved, self._carving = end.value, None
            self.replay.open(self.carved.daylight.suns)
            return True
        if part and part.known:
            self._known, self._unknown_s = part.known, np.inf
            self.replay.open(part.known.daylight.suns)
        return part is not None

    def make_picture(self) -> None:
        """Make the next picture of the growth, once the story is prepared."""
        if self.replay is not None:
            self.replay.make_picture()

    # --- the main thread's side ------------------------------------------------------------------------------------

    def begin(self) -> None:
        """Have the land carved from now on: the world is seen to be born."""
        self.begun = True
        if self.replay is not None:
            self.replay.go_on()

    def hold(self) -> None:
        """Have it stand as it is until it begins: another world is in the picture still, and takes the memory."""
        if self.replay is not None:
            self.replay.hold()

    def advance(self, seconds: float) -> None:
        """Let `seconds` pass, but no more than there are pictures for: none of the growth is skipped."""
        if self.replay is not None:
            t = min(self.t + seconds, self.replay.ready_until)
            # Where the camera flies next is not known before the land is carved.
            known_until = np.nextafter(min(self.scene.grown_s, self._unknown_s), 0.0)
            self.t = max(self.t, t if self.is_prepared_at(t) else min(t, known_until))

    def uploaded(self, rivers: bool, cover: bool, lamps: bool) -> None:
        """Let go of what is on the GPU by now: as `Prepared.uploaded` has it."""
        same = self.born is self.carved
        if self._known:
            self._known = self._known.uploaded(rivers, cover, lamps)
        if self.born:
            self.born = self.born.uploaded(rivers, cover, lamps)
        if self.carved:
            self.carved = self.born if same else self.carved.uploaded(rivers, cover, lamps)

    def stand_still(self) -> None:
        """Grow no further from now on, and let go of what that and its birth need: this world is melting away, or nobody is
        there to see its growth again."""
        if self.replay is not None:
            self.replay.stop_at(self.t)
            self._carving = None
        if self.carved and self.t >= self.scene.birth_s:
            self.born, self._known = self.carved, None


def _in_pieces(
    scene: Scene, seed: int, parameters: dict[str, Value], quality: Quality, calm: Callable[[], bool], hour: Hour | None
) -> Generator[None, None, tuple[Replay, Prepared, Carving]]:
    """What a story prepares for its birth, with pauses, and then what it prepares for its flight.

    It does not know the story: one that is cancelled goes, and this with it.
    """

    # The planners of flights and lights: the worker alone needs them, and the first picture comes sooner without.
    from .preparation import grown_world, prepare

    def grow() -> Growth:
        return scene.generator.grow(seed, parameters)

    growth = grow()
    growth.keeps_ground = True
    for step in np.linspace(0, growth.stages["grown"], PIECES + 1)[1:]:
        growth.advance(int(step))
        yield
    world = grown_world(growth, scene, seed, hour=hour)
    steps = timeline(scene, growth.stages).steps.tolist()
    # It stays where it is, so that the growth can be shown any number of times.
    unborn = growth.again(grow, steps)
    yield
    code = scene.generator.code(seed, parameters)
    slow = calm()
    prepared = yield from prepare(world, scene, seed, quality, slow, code)
    if scene.map_timing:
        carving = _refined_in_pieces(growth, world, prepared, scene, seed, slow)
    elif growth.done < growth.total:
        # Its birth shows no detail.
        prepared = replace(prepared, ground=prepared.ground.without_octaves())
        carving = _carved_in_pieces(growth, prepared, scene, seed, slow, hour)
    else:
        carving = _covered(growth, prepared)
    # Key pictures need nothing of what the GPU is to have.
    replay = replay_of(lambda: unborn.again(grow, steps), scene, prepared.uploaded(rivers=True, cover=True, lamps=True))
    return replay, prepared, carving


def _refined_in_pieces(growth: Growth, world: GrownWorld, born: Prepared, scene: Scene, seed: int, calm: bool) -> Carving:
    """What a story prepares for the flight over a map, with pauses: its rivers take as much as all else that it has.

    `growth`: at "grown". It yields what is known when its land turns green, while it rains.
    """
    from .finer_preparation import prepare_refined, refined
    from .preparation import prepare_flown

    born = yield from prepare_flown(world, born, scene, seed, calm)
    yield None
    born = yield from _covered(growth, born)
    del growth
    yield Part(born)
    world = yield from refined(world, born.flight, scene.leaves_s)
    prepared = yield from prepare_refined(world, born, scene, seed)
    return prepared


def _covered(growth: Growth, prepared: Prepared) -> Carving:
    """The same with the cover of the present land, with pauses."""
    # Here and below: for the worker alone, as above.
    from ..ground.cover import cover_parts

    cover = yield from cover_parts(growth)
    return replace(prepared, cover=cover)


def _carved_in_pieces(growth: Growth, born: Prepared, scene: Scene, seed: int, calm: bool, hour: Hour | None) -> Carving:
    """What a story prepares for its flight, with pauses. `growth`: at "grown"; `born`: what its birth shows."""
    from .preparation import grown_world, prepare_carved

    while growth.done < growth.total:
        growth.advance(growth.done + 1)
        yield Part() if growth.done == growth.total else None
    # The cover takes the most, so it is made before anything else is there.
    born = yield from _covered(growth, born)
    world = grown_world(growth, scene, seed, born.metres, hour)
    del growth
    if not born.atlas.spherical:
        # A flight that begins over a terrain keeps clear of the detail that the land had, which was not kept meanwhile.
        born = replace(born, ground=born.ground.with_octaves())
    prepared = yield from prepare_carved(world, born, scene, seed, calm)
    return prepared
