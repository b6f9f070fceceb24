"""Low passes: the way that a flight around a planet takes near the ground, chosen by what is seen along it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..ground.ground import Ground
from ..maths.vectors import crosses, lengths, unit
from ..worlds import hashing
from ..worlds.atlas import PLANE
from . import prospects
from .curves import following, resampled, turned, walked
from .descent import NEAR_FOV
from .landing_site import Site

STREAM = 114
# The land around a site on which its ways are judged: the edge of its square in metres, and samples along it.
CHART_M, SAMPLES = 64_000.0, 65
# Ways at random, their turns at KNOTS places, each between the fastest and the share MILDEST of it. Radians a second.
RANDOM, KNOTS, FASTEST, MILDEST = 14, 9, np.radians(6.6), 0.5
# Rivers are followed that come this near to the site, for at least so long; metres. A flight aims AHEAD_S seconds ahead.
BESIDE_M, LEAST_M, MOST_RIVERS, AHEAD_S = 9_000.0, 6_000.0, 3, 4.0
POINTS = 40


@dataclass(frozen=True)
class LowPass:
    """A way over the land around a site, on the plane that touches the planet there.

    `xz`: float64 (k, 2) metres, ahead and to the right of the site, `step_m` apart; `score`: how much is seen.
    """

    xz: np.ndarray
    step_m: float
    score: float

    def at(self, gone: np.ndarray) -> np.ndarray:
        """Where the way is (m, 2) after `gone` (m,) metres; straight on before its beginning and after its end."""
        along = np.arange(len(self.xz)) * self.step_m
        inside = np.stack([np.interp(gone, along, self.xz[:, axis]) for axis in (0, 1)], axis=1)
        last = self.xz[-1] - self.xz[-2]
        beyond = np.maximum(gone - along[-1], 0.0)[:, None] * (last / np.sqrt(last @ last))
        inside[:, 0] += np.minimum(gone, 0.0)
        return inside + beyond


def low_pass(
    ground: Ground, site: Site, stems: list[np.ndarray], seed: int, sun: np.ndarray, seconds: float, pace: float, calm: bool
) -> LowPass:
    """The way from a site on that shows most, flown over `seconds` at `pace` m/s.

    `stems`: as `valleys.stems_of` has them; `sun`: unit (3,).
    """
    step_s = prospects.STEP_S
    count = max(int(np.ceil(seconds / step_s)) + 1, 4)
    fastest = FASTEST * (0.6 if calm else 1.0)
    axes = np.stack([site.heading, site.start, crosses(site.heading, site.start)])
    draws = hashing.uniforms(seed, STREAM, RANDOM * KNOTS).reshape(RANDOM, KNOTS)
    # Now to one side, now to the other; the way there is straight.
    sides = np.where((np.arange(KNOTS) + np.arange(RANDOM)[:, None]) % 4 < 2, 1.0, -1.0)
    rates = sides * (MILDEST + (1.0 - MILDEST) * draws) * fastest
    rates[:, 0] = 0.0
    # At last the view turns to the goal.
    rates[:, -2:] *= 0.4
    heading = np.cumsum(turned(rates, count), axis=1) * step_s
    lines = _rivers(stems, axes, ground.size_m)
    if len(lines):
        start = np.zeros((len(lines), 2))
        along = following(lines, start, np.zeros(len(lines)), pace * step_s, fastest * step_s, count, pace * AHEAD_S)
        heading = np.concatenate([heading, along])
    ways = walked(np.zeros((len(heading), 2)), heading, pace * step_s)
    # Looking a little ahead of the way, as the flight does.
    yaw = np.concatenate([heading[:, 1:], heading[:, -1:]], axis=1)
    scores = prospects.prospects(_chart(ground, axes), ways, yaw, NEAR_FOV, axes @ sun)
    best = int(np.argmax(scores))
    return LowPass(ways[best], pace * step_s, float(scores[best]))


def places(xz: np.ndarray, site: Site, radius_m: float) -> np.ndarray:
    """Unit vectors (..., 3) from the planet's centre of positions `xz` (..., 2) on the plane that touches it at the site."""
    away = np.sqrt((xz * xz).sum(axis=-1))
    angle = (away / radius_m)[..., None]
    right = crosses(site.heading, site.start)
    toward = xz[..., :1] * site.heading + xz[..., 1:] * right
    return site.start * np.cos(angle) + toward / np.maximum(away, 1e-6)[..., None] * np.sin(angle)


def _chart(ground: Ground, axes: np.ndarray) -> Ground:
    """The land around a site as a terrain: x ahead, z to the right."""
    across = np.linspace(-0.5, 0.5, SAMPLES) * CHART_M
    x, z = np.meshgrid(across, across)
    at = places(np.stack([x, z], axis=-1), Site(axes[1], axes[0], 0.0), ground.size_m)
    return Ground(PLANE, ground.sampled(at)[None].astype(np.float32), CHART_M)


def _rivers(stems: list[np.ndarray], axes: np.ndarray, radius_m: float) -> np.ndarray:
    """The rivers near a site, on its plane, up and down, from where they are nearest to it: (c, POINTS, 2)."""
    found: list[np.ndarray] = []
    for stem in stems:
        if len(found) >= 2 * MOST_RIVERS:
            break
        if float((stem @ axes[1]).max()) < np.cos(BESIDE_M / radius_m):
            continue
        flat = (stem @ axes.T)[:, [0, 2]] * radius_m
        near = int((flat * flat).sum(axis=1).argmin())
        for line in (flat[near:], flat[near::-1]):
            if len(line) > 1 and lengths(np.pad(np.diff(line, axis=0), ((0, 0), (0, 1)))).sum() >= LEAST_M:
                found.append(resampled(line, POINTS))
    return np.stack(found) if found else np.zeros((0, POINTS, 2))


def mouths(stems: list[np.ndarray], draws: np.ndarray, offshore: float) -> tuple[np.ndarray, np.ndarray]:
    """Places `offshore` radians before the mouths of rivers, unit (k, 3), and the level headings (k, 3) up their valleys.

    `draws` (k, 2), 0..1: which river, and how far up it the place is, at most by a third of it.
    """
    start, heading = np.empty((len(draws), 3)), np.empty((len(draws), 3))
    for k, (which, up) in enumerate(draws.tolist()):
        stem = stems[int(which * len(stems))]
        i = int(up * (len(stem) // 3))
        here, on = unit(stem[i]), unit(stem[min(i + max(2, len(stem) // 4), len(stem) - 1)])
        level = unit(on - (on @ here) * here)
        start[k] = here * np.cos(offshore) - level * np.sin(offshore)
        heading[k] = level * np.cos(offshore) + here * np.sin(offshore)
    return start, heading
