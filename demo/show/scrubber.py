"""Scrubber: a growth that somebody runs backwards and forwards by holding a key, or picture by picture.

Pure: it knows no renderer and no worker. It says at which time of a story its growth should stand, and hears when it does.
"""

from __future__ import annotations

import bisect
from typing import TYPE_CHECKING

from ..maths.easing import ease

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..story.story import Story

# Seconds of growth a second: at first, and at most; it doubles in so many seconds.
SLOWEST, FASTEST, DOUBLES_S = 1.5, 12.0, 0.8
# The line that shows where one is stays for so long after the key, and fades within so long.
STAYS_S, FADES_S = 1.0, 0.6


class Scrubber:
    """Which way the growth runs at present, and where it is to stand."""

    def __init__(self) -> None:
        self._way = 0
        self._held_s = 0.0
        # Where the growth is to stand as soon as its pictures are there, and the seconds that passed since it was asked.
        self._wanted: float | None = None
        self._passed_s = 0.0
        self._idle_s = STAYS_S + FADES_S

    def hold(self, way: int, pressed: bool) -> None:
        """The key that runs the growth `way`, -1 backwards or 1 forwards, is pressed or released."""
        if pressed:
            self._way, self._held_s, self._passed_s = way, 0.0, 0.0
        elif way == self._way:
            self._way = 0

    def step(self, story: Story, way: int) -> None:
        """Ask for the next picture of the growth, forwards or backwards, or for the one after that if it is on its way."""
        if story.born:
            here = min(story.t if self._wanted is None else self._wanted, story.scene.birth_s)
            self._wanted = _picture_beside(story, here, way)
            self._idle_s = 0.0

    def let_go(self) -> None:
        """Another world is shown."""
        self._way, self._wanted, self._idle_s = 0, None, STAYS_S + FADES_S

    @property
    def runs(self) -> bool:
        """Whether the growth is in a person's hands, so that it does not run on by itself."""
        return self._way != 0 or self._wanted is not None

    def line(self, story: Story) -> tuple[float, float] | None:
        """How much of a story's growth is shown, and how opaque the line is that says so, both 0..1; None for no line."""
        opacity = 1.0 - ease((self._idle_s - STAYS_S) / FADES_S)
        begins, ends = story.scene.birth[0][0], story.scene.birth_s
        share = (story.t - begins) / max(ends - begins, 1e-9)
        return (min(max(share, 0.0), 1.0), opacity) if opacity > 0.0 else None

    def update(self, dt: float, story: Story, reached: Callable[[float], bool]) -> bool:
        """Let `dt` seconds pass. `reached`: whether all is there that a time of the story shows. True when it stands there.

        The story is set to that time then. While it is not reached nothing else is asked for, and the time that passes
        meanwhile makes the next way longer.
        """
        self._idle_s = 0.0 if self.runs else self._idle_s + dt
        self._passed_s += dt
        if self._way:
            self._held_s += dt
            if self._wanted is None:
                speed = min(SLOWEST * 2.0 ** (self._held_s / DOUBLES_S), FASTEST)
                there = min(story.t, story.scene.birth_s) + self._way * speed * self._passed_s
                there = min(max(there, story.scene.birth[0][0]), story.scene.birth_s)
                self._wanted, self._passed_s = _where_one_picture_is_enough(story, there), 0.0
        if self._wanted is None or not reached(self._wanted):
            return False
        story.t, self._wanted = self._wanted, None
        return True


def _where_one_picture_is_enough(story: Story, t: float) -> float:
    """The time `t` if its pictures are beside those that are shown; otherwise one near it that shows a single picture."""
    if story.born is None:
        return t
    when = story.born.timeline
    number, shown = when.at(t)[0], when.at(story.t)[0]
    return t if abs(number - shown) <= 1 else float(when.times[when.picture.searchsorted(number)])


def _picture_beside(story: Story, t: float, way: int) -> float:
    """The time of the first key picture before or after `t`, or the end of the growth."""
    assert story.born is not None
    when = story.born.timeline
    times = [float(when.times[when.picture.searchsorted(number)]) for number in range(when.pictures)]
    place = bisect.bisect_right(times, t + 1e-6) if way > 0 else bisect.bisect_left(times, t - 1e-6) - 1
    return times[min(max(place, 0), len(times) - 1)]
