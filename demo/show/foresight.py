"""Foresight: a live show has the tiles of the ground made a little before its flight needs them, a few in each frame.

Without it those that come into view together would be made in one frame, which would then be late.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

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
        # The story and its time of the last look, and the frames since then.
        self._looked: tuple[Story | None, float] = None, 0.0
        self._frames = 0

    def step(self, frame: Frame) -> None:
        """Before a frame is drawn that the flight of its story has planned; changes the bound target."""
        story, looked_s = self._looked
        self._frames += 1
        if story is not frame.story or abs(frame.t - looked_s) >= EVERY_S:
            pose = frame.prepared.flight.pose(frame.t + AHEAD_S)
            view, _ = story_view(frame.story.scene, frame.prepared, frame.t, pose, frame.part)
            self._stage.foresee(frame, view, self._frames if story is frame.story else FIRST_FRAMES)
            self._looked, self._frames = (frame.story, frame.t), 0
        self._stage.make_ahead(frame.story)
