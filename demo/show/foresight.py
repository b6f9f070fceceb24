"""Foresight: a live show has the tiles of the ground made a little before its flight needs them, a few in each frame.

Without it those that come into view together would be made in one frame, which would then be late.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import ref

from .frame import story_view

if TYPE_CHECKING:
    from ..story.story import Story
    from .frame import Frame
    from .stage import Stage

# Seconds of a story that are looked ahead, and between two looks.
AHEAD_S, EVERY_S = 0.6, 0.3
# In so many frames what the first look sees is made.
FIRST_FRAMES = 8


class Foresight:
    """Looks ahead along the flight of the story that is shown. Main thread only; needs a current OpenGL context."""

    def __init__(self, stage: Stage) -> None:
        """`stage`: what draws the story."""
        self._stage = stage
        # The story of the last look, which is not kept for that; its time then, and the frames since.
        self._story: ref[Story] | None = None
        self._looked_s = 0.0
        self._frames = 0

    def step(self, frame: Frame) -> None:
        """Before a frame is drawn that the flight of its story has planned; changes the bound target."""
        known = self._story is not None and self._story() is frame.story
        self._frames += 1
        if not known or abs(frame.t - self._looked_s) >= EVERY_S:
            pose = frame.prepared.flight.pose(frame.t + AHEAD_S)
            view, _ = story_view(frame.story.scene, frame.prepared, frame.t, pose, frame.part)
            self._stage.foresee(frame, view, self._frames if known else FIRST_FRAMES)
            self._story, self._looked_s, self._frames = ref(frame.story), frame.t, 0
        self._stage.make_ahead(frame.story)
