"""How far a summit has to be raised so that its peak has the height that an edit gives it, found by trying.

What stands around a summit rises with it, and rivers that find new ways cut into it: a peak misses its height at first.
"""

from __future__ import annotations

from dataclasses import dataclass, field

# A peak has its height when it misses it by no more than this, in metres; so many tries are made at most.
EXACT_M, TRIES = 1.0, 9
# A try between one too low and one too high keeps this far from both, in parts of what lies between them: heights may jump.
APART, STRIDE = 0.2, 1.5


@dataclass
class Aim:
    """One peak that is aimed at. `more_m`: how much more its summit is raised at the next try than it seemed to need.

    `settled`: there is nothing more to try.
    """

    more_m: float = 0.0
    settled: bool = False
    _tries: list[tuple[float, float]] = field(default_factory=list)

    def learn(self, missed_m: float | None) -> None:
        """By how much the last try was too low, in metres, negative where it was too high; None without a peak."""
        if missed_m is None or abs(missed_m) <= EXACT_M or len(self._tries) >= TRIES:
            self.settled = True
            return
        self._tries.append((self.more_m, missed_m))
        best = min(self._tries, key=lambda one: abs(one[1]))
        self.more_m = self._next() if len(self._tries) < TRIES else best[0]

    def _next(self) -> float:
        low = max((one for one in self._tries if one[1] > 0.0), default=None)
        high = min((one for one in self._tries if one[1] < 0.0), default=None)
        if low is None or high is None or low[0] >= high[0]:
            # Beyond all that was tried, in greater and greater strides.
            more, missed = low or high or self._tries[-1]
            return more + missed * STRIDE ** (len(self._tries) - 1)
        part = low[1] / (low[1] - high[1])
        return low[0] + (high[0] - low[0]) * min(max(part, APART), 1.0 - APART)
