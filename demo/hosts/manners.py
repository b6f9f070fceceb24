"""Manners: how many pictures a second a screensaver draws, so that it spares a battery and a hot machine."""

from __future__ import annotations

import time
from collections.abc import Callable

from ..process.heat import is_hot
from ..process.power import Power, power_now

# Below this charge a picture a second must do.
NEARLY_EMPTY = 0.2
STILL_FPS = 1
# Seconds between two looks at the power.
LOOK_S = 10.0


class Manners:
    """The rate of a host that nobody watches, as the power allows."""

    def __init__(
        self,
        fps: int,
        power: Callable[[], Power] = power_now,
        now: Callable[[], float] = time.monotonic,
        hot: Callable[[], bool] = is_hot,
    ) -> None:
        """`fps`: the rate on mains. `now`: a clock in seconds. `hot`: whether the machine is."""
        self._fps, self._power, self._now, self._hot = fps, power, now, hot
        self._looked_s, self._allowed = float("-inf"), fps

    def fps(self) -> int:
        """Pictures a second at this moment: half as many on battery or in heat, and one where a battery is nearly empty."""
        if self._now() - self._looked_s >= LOOK_S:
            self._looked_s, self._allowed = self._now(), self._at(self._power())
        return self._allowed

    def _at(self, power: Power) -> int:
        if power.on_battery and power.charge is not None and power.charge < NEARLY_EMPTY:
            return STILL_FPS
        return max(self._fps // 2, STILL_FPS) if power.on_battery or self._hot() else self._fps
