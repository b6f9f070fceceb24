"""Story: one scene with one seed, from birth to melt."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .replay import Replay, replay_of

if TYPE_CHECKING:
    from collections.abc import Generator

    from ..scenes.palettes import Palette
    from ..scenes.scene import Scene
    from ..tables.quality import Quality
    from ..worlds.growth import Growth
    from ..worlds.parameters import Value
    from .prepared import Prepared

# A growth is grown in this many pieces: between two of them others are served, and it may be cancelled.
PIECES = 16


class Story:
    """A scene being shown. The worker prepares it and makes its pictures; the main thread owns its time `t`, in seconds."""

    def __init__(self, scene: Scene, seed: int, given: dict[str, Value], quality: Quality, calm: bool = False) -> None:
        """`given`: parameters of the world; `quality`: what it is drawn with; `calm`: whether the camera flies slowly.

        Raises ParameterError.
        """
        self.scene, self.seed, self.calm = scene, seed, calm
        self.parameters = scene.complete(given)
        # Written by the worker, `replay` before `prepared`.
        self.replay: Replay | None = None
        self.prepared: Prepared | None = None
        self.failure: Exception | None = None
        self.cancelled = False
        self.t = 0.0
        self._pieces = _in_pieces(scene, seed, self.parameters, quality, calm)

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
        return self.replay is None or self.replay.wants_work()

    def prepare(self) -> None:
        """Grow the whole world once, prepare the story of it, and stand ready to replay its growth."""
        while self.prepared is None:
            self.prepare_further()

    def prepare_further(self) -> None:
        """A piece of `prepare`: another story may need the worker in between."""
        try:
            next(self._pieces)
        except StopIteration as end:
            self.replay, self.prepared = end.value

    def make_picture(self) -> None:
        """Make the next picture of the growth, once the story is prepared."""
        if self.replay is not None:
            self.replay.make_picture()

    # --- the main thread's side ------------------------------------------------------------------------------------

    def advance(self, seconds: float) -> None:
        """Let `seconds` pass, but no more than there are pictures for: none of the growth is skipped."""
        if self.replay is not None:
            self.t = max(self.t, min(self.t + seconds, self.replay.ready_until))

    def stand_still(self) -> None:
        """Grow no further from now on, and let go of what that needs: this world is melting away."""
        if self.replay is not None:
            self.replay.stop_at(self.t)


def _in_pieces(
    scene: Scene, seed: int, parameters: dict[str, Value], quality: Quality, calm: bool
) -> Generator[None, None, tuple[Replay, Prepared]]:
    """What a story prepares, with pauses. It does not know the story: one that is cancelled goes, and this with it."""

    # The planners of flights and lights: the worker alone needs them, and the first picture comes sooner without.
    from .preparation import grown_world, prepare

    def grow() -> Growth:
        return scene.generator.grow(seed, parameters)

    growth = grow()
    for step in np.linspace(0, growth.total, PIECES + 1)[1:]:
        growth.advance(int(step))
        yield
    world = grown_world(growth, scene, seed)
    growth = growth.again(grow)
    yield
    code = scene.generator.code(seed, parameters)
    prepared = yield from prepare(world, scene, seed, quality, calm, code)
    return replay_of(growth, scene, prepared), prepared
