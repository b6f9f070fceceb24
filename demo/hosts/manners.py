"""Manners: how many pictures a second a screensaver draws, so that it spares a battery."""

from __future__ import annotations

import time
from collections.abc import Callable

from ..process.power import Power, power_now

# Below this charge a picture a second must do.
NEARLY_EMPTY = 0.2
STILL_FPS = 1
# Seconds between two looks at the power.
LOOK_S = 10.0


class Manners:
    """The rate of a host that nobody watches, as the power allows."""

    def __init__(self, fps: int, power: Callable[[], Power] = power_now, now: Callable[[], float] = time.monotonic) -> None:
        """`fps`: the rate on mains. `now`: a clock in seconds."""
        self._fps, self._power, self._now = fps, power, now
        self._looked_s, self._allowed = float("-inf"), fps

    def fps(self) -> int:
        """Pictures a second at this moment: half as many on battery, and one where that is nearly empty."""
        if self._now() - self._looked_s >= LOOK_S:
            self._looked_s, self._allowed = self._now(), self._at(self._power())
        return self._allowed

    def _at(self, power: Power) -> int:
        if not power.on_battery:
            return self._fps
        nearly_empty = power.charge is not None and power.charge < NEARLY_EMPTY
        return STILL_FPS if nearly_empty else max(self._fps // 2, STILL_FPS)
