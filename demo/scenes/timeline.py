"""Timeline: which steps of a growth are shown when. Pure arithmetic on a scene's birth anchors."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ..maths.easing import smoothstep
from .scene import Scene

# The shown heights are mixed between key pictures, so ten pictures a second move as smoothly as sixty.
TICK_S = 0.1
# Pictures that are farther apart are mixed with rests at both.
EASED_S = 0.5
# Carving moves slowly, and what it shows is kept.
CARVING_TICK_S = 0.3


@dataclass(frozen=True)
class Timeline:
    """Key pictures of a growth: at times[k] the growth stands at steps[k], and picture number picture[k] shows it.

    `times`: float64 (k,), seconds since the scene's start, rising. `steps`: int64 (k,), never falling. `picture`: int64
    (k,), the number of the distinct step, from 0.
    """

    times: np.ndarray
    steps: np.ndarray
    picture: np.ndarray

    @property
    def pictures(self) -> int:
        """The count of different pictures."""
        return int(self.picture[-1]) + 1

    def shortest_s(self, pictures: int) -> float:
        """The shortest time from one of the first so many pictures to the next, in seconds; infinite for only one."""
        comes = (np.diff(self.picture) > 0) & (self.picture[1:] < pictures)
        return float(np.diff(self.times)[comes].min(initial=np.inf))

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
        if end - start > EASED_S:
            share = smoothstep(share)
        return int(self.picture[k]), int(self.picture[k + 1]), share

    def count_at(self, t: float) -> int:
        """The count of steps done in what is shown at time t."""
        a, b, share = self.at(t)
        return round(self.step_of(a) * (1 - share) + self.step_of(b) * share)

    def time_of_step(self, step: int) -> float:
        """When a step is first shown in full, in seconds since the scene's start."""
        return float(self.times[min(int(np.searchsorted(self.steps, step)), len(self.times) - 1)])


def timeline(scene: Scene, stages: Mapping[str, int]) -> Timeline:
    """The timeline of a growth with these `stages` (as `Growth.stages` has them) in `scene`.

    Anchors beyond the last step of the growth stand at that step. Raises ValueError where an anchor names no stage.
    """
    anchors = np.array([(seconds, step_of_anchor(step, stages, scene.name)) for seconds, step in scene.birth], np.float64)
    times, steps = [float(anchors[0, 0])], [int(anchors[0, 1])]
    grown = step_of_anchor("grown", stages, scene.name)
    for (t0, s0), (t1, s1) in itertools.pairwise(anchors):
        carves = s0 >= grown
        if carves and t0 < scene.settles_s < t1 and s1 > s0:
            # The last picture comes slowly: with it comes the detail, which is known for the land that stays alone.
            before = s0 + (s1 - s0) * (scene.settles_s - t0) / (t1 - t0)
            _between(times, steps, t0, s0, scene.settles_s, min(round(before), s1 - 1), False, CARVING_TICK_S)
            times.append(float(t1))
            steps.append(int(s1))
        else:
            _between(times, steps, t0, s0, t1, s1, scene.geometric and not carves, CARVING_TICK_S if carves else TICK_S)
    picture = np.concatenate([[0], np.cumsum(np.diff(steps) > 0)])
    return Timeline(np.array(times), np.array(steps), picture)


def step_of_anchor(step: int | str, stages: Mapping[str, int], owner: str) -> int:
    """The step that a birth anchor means: the last one of the stage that it names, or its own number, as far as that goes.

    Numbers count the steps of the algorithm itself, without carving. A growth that does not say when it is "grown" is so at
    its end.

    Raises ValueError, in the name of the scene `owner`, where there is no such stage.
    """
    grown = stages.get("grown", stages["end"])
    if step == "grown":
        return grown
    if isinstance(step, int):
        return min(step, grown)
    if step not in stages:
        raise ValueError(f"the birth of '{owner}' names a stage '{step}': its growth has {', '.join(stages)}")
    return stages[step]


def pauses(scene: Scene) -> list[tuple[float, float]]:
    """The pauses of a birth, (from, to) in seconds, in which a camera may look at the planet from all sides.

    While the planet is unrolled all of it is seen at once, so such a pause does not count.
    """
    flat = (scene.map_timing.unroll[0], scene.map_timing.roll[1]) if scene.map_timing else (np.inf, -np.inf)
    pairs = itertools.pairwise(scene.birth)
    return [(a[0], b[0]) for a, b in pairs if a[1] == b[1] and not (a[0] < flat[1] and b[0] > flat[0])]


def _between(
    times: list[float], steps: list[int], t0: float, s0: float, t1: float, s1: float, geometric: bool, tick_s: float
) -> None:
    """Append the key pictures after anchor (t0, s0) up to anchor (t1, s1), at least `tick_s` apart."""
    if s1 <= s0:
        times.append(float(t1))
        steps.append(int(s0))
        return
    count = int(min(round(s1 - s0), np.ceil((t1 - t0) / tick_s)))
    share = np.arange(1, count + 1) / count
    # By equal factors, but each count at least one more than the last.
    even = s0 + (s1 - s0) * share
    wanted = s0 * (s1 / s0) ** share if geometric and s0 >= 1 else even
    for k in range(count):
        step = int(min(max(round(wanted[k]), steps[-1] + 1), s1 - (count - 1 - k)))
        times.append(float(t0 + (t1 - t0) * share[k]))
        steps.append(step)
