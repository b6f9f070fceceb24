"""Timeline: which steps of a growth are shown when. Pure arithmetic on a scene's birth anchors."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np

from .scene import Scene

# Between key pictures the shown heights are mixed, so ten a second move as smoothly as sixty.
TICK_S = 0.1


@dataclass(frozen=True)
class Timeline:
    """Key pictures: at `times` (k,) seconds the growth stands at `steps` (k,); `picture` numbers the distinct steps."""

    times: np.ndarray
    steps: np.ndarray
    picture: np.ndarray

    @property
    def pictures(self) -> int:
        """How many different pictures there are."""
        return int(self.picture[-1]) + 1

    @property
    def shortest_s(self) -> float:
        """The shortest time from one picture to the next; infinite where there is only one."""
        return float(np.diff(self.times)[np.diff(self.picture) > 0].min(initial=np.inf))

    def step_of(self, picture: int) -> int:
        """The step that a picture shows."""
        return int(self.steps[self.picture.searchsorted(picture)])

    def at(self, t: float) -> tuple[int, int, float]:
        """(picture a, picture b, mix) at time t: the shown heights are a * (1 - mix) + b * mix."""
        k = max(int(self.times.searchsorted(t, side="right")) - 1, 0)
        if k == len(self.times) - 1:
            last = int(self.picture[-1])
            return last, last, 0.0
        start, end = float(self.times[k]), float(self.times[k + 1])
        share = min(max((t - start) / (end - start), 0.0), 1.0)
        if end - start > 3 * TICK_S:
            share = share * share * (3 - 2 * share)
        return int(self.picture[k]), int(self.picture[k + 1]), share

    def count_at(self, t: float) -> int:
        """How many steps are done, in the picture shown at time t."""
        a, b, share = self.at(t)
        return round(self.step_of(a) * (1 - share) + self.step_of(b) * share)

    def time_of_step(self, step: int) -> float:
        """When a step is first shown in full."""
        return float(self.times[min(np.searchsorted(self.steps, step), len(self.times) - 1)])


def timeline(scene: Scene, total: int) -> Timeline:
    """The timeline of a growth of `total` steps in `scene`; anchors beyond the total are cut off there."""
    counted = [(s, max(total + 1 + step, 0) if step < 0 else min(step, total)) for s, step in scene.birth]
    anchors = np.array(counted, np.float64)
    times, steps = [float(anchors[0, 0])], [int(anchors[0, 1])]
    for (t0, s0), (t1, s1) in itertools.pairwise(anchors):
        _between(times, steps, t0, s0, t1, s1, scene.geometric)
    picture = np.concatenate([[0], np.cumsum(np.diff(steps) > 0)])
    return Timeline(np.array(times), np.array(steps), picture)


def pauses(scene: Scene) -> list[tuple[float, float]]:
    """The pauses of a birth, (from, to) in seconds; none where a sheet shows all of it at once."""
    if scene.plate:
        return []
    pairs = zip(scene.birth[:-1], scene.birth[1:], strict=True)
    return [(a[0], b[0]) for a, b in pairs if a[1] == b[1]]


def _between(times: list, steps: list, t0: float, s0: float, t1: float, s1: float, geometric: bool) -> None:
    if s1 <= s0:
        times.append(float(t1))
        steps.append(int(s0))
        return
    count = int(min(round(s1 - s0), np.ceil((t1 - t0) / TICK_S)))
    share = np.arange(1, count + 1) / count
    # By equal factors, but each count at least one more than the last.
    even = s0 + (s1 - s0) * share
    wanted = s0 * (s1 / s0) ** share if geometric and s0 >= 1 else even
    for k in range(count):
        step = int(min(max(round(wanted[k]), steps[-1] + 1), s1 - (count - 1 - k)))
        times.append(float(t0 + (t1 - t0) * share[k]))
        steps.append(step)
