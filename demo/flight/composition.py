"""Composition: what the pictures of a flight show and how they differ, from rays cast against the ground without its detail.

It says whether a flight keeps one picture for long, and ways are chosen by it.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass

import numpy as np

from ..ground.ground import Ground
from ..maths.vectors import crosses, tangents, unit
from .paths import Flight

ASPECT = 16.0 / 9.0
# A ray begins to look for the ground at the share FIRST of the height above it, at least NEAREST_M away; what is beyond
# FARTHEST_M of a terrain is not seen.
FIRST, NEAREST_M, FARTHEST_M = 0.6, 90.0, 60_000.0
# What is seen.
SKY, WATER, GREEN, ROCK, SNOW = MATERIALS = range(5)
# Ground steeper than this is bare rock.
ROCKY = 0.75
# Land is near, or not, by these distances in metres, or in heights above the ground from high above.
BANDS_M, BANDS_HEIGHTS = (2_200.0, 6_500.0), (3.0, 9.0)
# Kinds of what is seen: sky, water, snow, and other land by how far away it is.
KINDS = 6
# Blocks of the picture, rows and columns. Two pictures are two compositions if in their blocks the share ALIKE of what is
# seen is of another kind, or if what is farther away than SUBJECT_M has moved by MOVED half widths of the picture.
BLOCKS, ALIKE, SUBJECT_M, MOVED = (3, 4), 0.25, 4_000.0, 0.6

# So many pairs of pictures are compared together: what is worked out on the way stays in the processor's cache.
TOGETHER = 64

# A flight that keeps a composition for longer than LONG_S seconds is flown another way, if one of ATTEMPTS is better. If
# none is at most TOO_LONG_S, MORE are tried. LOOK_S: seconds between the pictures that tell.
LONG_S, ATTEMPTS, TOO_LONG_S, MORE, LOOK_S = 4.5, 3, 5.0, 3, 0.5

Snow = Callable[[np.ndarray, np.ndarray], np.ndarray]
# A flight that is planned piece by piece: whoever plans it does other things in between.
Planning = Generator[None, None, Flight]


@dataclass(frozen=True)
class Raster:
    """Rays into the picture: columns from its left to its right, rows from its top to its bottom, places along each ray."""

    columns: int
    rows: int
    steps: int

    @property
    def across(self) -> np.ndarray:
        """Where the columns are, as shares of half the picture's width: (columns,)."""
        return np.linspace(-0.9, 0.9, self.columns)

    @property
    def down(self) -> np.ndarray:
        """Where the rows are, as shares of half the picture's height: (rows,)."""
        return np.linspace(0.92, -0.92, self.rows)


# The more rays, the less is taken for a change that is none.
FINE, QUICK = Raster(13, 10, 40), Raster(7, 6, 14)


@dataclass(frozen=True)
class Views:
    """What is seen in each of k pictures.

    `what`: int8 (k, rows, columns), one of MATERIALS; `band`: int8, how far away land is, 0 near to 2 far, 0 for sky and
    water; `away_m`: metres, infinite for sky and the open sea; `place`: (k, rows, columns, 3), where land is seen;
    `poses`: (k, 10), as in `views_of`.
    """

    what: np.ndarray
    band: np.ndarray
    away_m: np.ndarray
    place: np.ndarray
    poses: np.ndarray

    def shares(self) -> np.ndarray:
        """The share of the picture that each of MATERIALS takes up: (k, 5)."""
        return np.stack([(self.what == material).mean(axis=(1, 2)) for material in MATERIALS], axis=1)

    @property
    def skyline(self) -> np.ndarray:
        """Where the sky begins in each column, 0 at the bottom of the picture to 1 at its top: (k, columns)."""
        return 1.0 - np.cumprod(self.what == SKY, axis=1).mean(axis=1)

    def blocks(self) -> np.ndarray:
        """The share of each block of the picture that is of each kind: float64 (k, blocks, KINDS)."""
        kind = np.array([0, 1, 3, 3, 2])[self.what] + self.band * (self.what < SNOW)
        seen = (kind[..., None] == np.arange(KINDS)).astype(np.float64)
        rows, columns = (np.array_split(np.arange(size), count) for size, count in zip(kind.shape[1:], BLOCKS, strict=True))
        of_rows = [seen[:, r].mean(axis=1) for r in rows]
        return np.stack([row[:, c].mean(axis=1) for row in of_rows for c in columns], axis=1)


def views_of(ground: Ground, poses: np.ndarray, snow: Snow | None = None, raster: Raster = FINE) -> Views:
    """The views of `poses` (k, 10): position, forward and up, three numbers each, and the field of view in radians.

    `snow(place, height)`: whether snow lies at places (..., 3) and heights (...) in metres; None: nowhere.
    """
    rays = rays_of(poses, raster)
    height_m = np.maximum(ground.altitude(poses[:, :3]) - np.maximum(ground.sampled(poses[:, :3]), 0.0), 1.0)
    # Most rays have met it or left it after a few steps.
    distance, place, height = ground.met_by(poses[:, :3], rays, _along(ground, poses, height_m, raster.steps))
    found = np.isfinite(distance)
    what = np.where(found | _meets_sea(ground, poses, rays), WATER, SKY)
    land = found & (height > 0.0)
    what[land] = np.where(_steepness(ground, place[land]) > ROCKY, ROCK, GREEN)
    if snow is not None:
        what[land & (what == GREEN) & snow(place, height)] = SNOW
    near = [np.maximum(metres, heights * height_m)[:, None] for metres, heights in zip(BANDS_M, BANDS_HEIGHTS, strict=True)]
    band = np.where(land, sum((distance > limit).astype(np.int8) for limit in near), 0)
    shape = (len(poses), raster.rows, raster.columns)
    what, band = (part.astype(np.int8).reshape(shape) for part in (what, band))
    return Views(what, band, distance.reshape(shape), place.reshape(*shape, 3), poses)


def rays_of(poses: np.ndarray, raster: Raster) -> np.ndarray:
    """Unit vectors (k, rows * columns, 3) into the picture of poses (k, 10), row by row from its top."""
    forward, up, half = poses[:, None, 3:6], poses[:, None, 6:9], np.tan(0.5 * poses[:, 9])[:, None, None]
    right = crosses(forward, up)
    y, x = (axis.ravel()[None, :, None] for axis in np.meshgrid(raster.down, raster.across, indexing="ij"))
    return unit(forward + half * (ASPECT * x * right + y * up))


def differences(views: Views, blocks: np.ndarray, a: np.ndarray, b: np.ndarray, enough: float) -> np.ndarray:
    """How different the pictures number `a` (m,) are from those number `b` (m,): (m,); from 1 on they are two compositions.

    `blocks`: those of the views. What differs by `enough` may differ by more than is said.
    """
    found: np.ndarray = 0.5 * np.abs(blocks[a] - blocks[b]).sum(axis=-1).mean(axis=-1) / ALIKE
    less = np.flatnonzero(found < enough)
    if len(less):
        found[less] = np.maximum(found[less], _moved(views, a[less], b[less]) / MOVED)
    return found


def _moved(views: Views, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """How far what is seen in pictures `a` has moved in pictures `b`, on average, in half widths: (m,); out of it is 1."""
    # Imports numba, which the first picture does without.
    from ..ground.ray_kernels import shifts

    count, rows, columns = views.what.shape
    raster = Raster(columns, rows, 0)
    x, y = (axis.ravel() for axis in np.meshgrid(raster.across, raster.down))
    axes = np.stack([views.poses[:, 3:6], crosses(views.poses[:, 3:6], views.poses[:, 6:9]), views.poses[:, 6:9]], axis=1)
    half = np.stack([np.tan(0.5 * views.poses[:, 9]) * ASPECT, np.tan(0.5 * views.poses[:, 9])], axis=1)
    subject = ((views.what >= GREEN) & (views.away_m > SUBJECT_M)).reshape(count, -1)
    eyes, places = np.ascontiguousarray(views.poses[:, :3]), views.place.reshape(count, -1, 3)
    out, land = np.empty(len(a)), np.maximum(subject.sum(axis=1), 1)
    for first in range(0, len(a), TOGETHER):
        here, there = a[first : first + TOGETHER], b[first : first + TOGETHER]
        moved = np.empty((2, len(here), len(x)))
        shifts(places, subject, eyes, axes, half, x, y, here, there, ASPECT, moved)
        out[first : first + TOGETHER] = np.minimum(np.hypot(*moved), 1.0).sum(axis=1) / land[here]
    return out


def alike_for(views: Views, step_s: float) -> np.ndarray:
    """For how many seconds each picture (k,) stays one composition, until the flight's end at most.

    `step_s`: seconds between pictures.
    """
    blocks = views.blocks()
    count = len(blocks)
    last, same = np.arange(count - 1, -1, -1), np.ones(count, bool)
    for later in range(1, count):
        here = np.flatnonzero(same[:-later])
        if not len(here):
            break
        other = here[differences(views, blocks, here, here + later, 1.0) >= 1.0]
        last[other], same[other] = later, False
    return last * step_s


def most_varied(
    ground: Ground, flown: Callable[[int], Flight], start: float, end: float, attempts: int = ATTEMPTS
) -> Planning:
    """The first of some flights `flown(attempt)` that keeps no composition for long, or the best of them, with pauses.

    `start`, `end`: what is looked at of each, in seconds; `attempts`: how many are tried at most where one is short enough.
    """
    best, least = flown(0), np.inf
    for attempt in range(attempts + MORE):
        flight = best if attempt == 0 else flown(attempt)
        longest = longest_alike(ground, flight, start, end)
        if longest < least:
            best, least = flight, longest
        yield
        if least <= (LONG_S if attempt + 1 < attempts else TOO_LONG_S):
            break
    return best


def longest_alike(ground: Ground, flight: Flight, start: float, end: float) -> float:
    """For how many seconds the pictures of a flight from `start` to `end` seconds are one composition at most."""
    times = np.arange(start, end, LOOK_S)
    if not len(times):
        return 0.0
    return float(alike_for(views_of(ground, flight.poses(times)), LOOK_S).max())


def _along(ground: Ground, poses: np.ndarray, height_m: np.ndarray, steps: int) -> np.ndarray:
    """How far along their rays pictures look for the ground: (k, steps), metres."""
    near = np.maximum(FIRST * height_m, NEAREST_M)
    far = np.full(len(poses), FARTHEST_M)
    if ground.atlas.spherical:
        r, above = ground.size_m, np.maximum(ground.altitude(poses[:, :3]), 1.0)
        # To the horizon, and beyond it to the highest land.
        far = np.sqrt((2.0 * r + above) * above) + np.sqrt(2.0 * r * max(ground.highest_m, 1.0))
    share = np.linspace(0.0, 1.0, steps)
    return near[:, None] * np.maximum(far / near, 2.0)[:, None] ** share


def _meets_sea(ground: Ground, poses: np.ndarray, rays: np.ndarray) -> np.ndarray:
    """Whether rays (k, r, 3) meet the level of the sea, (k, r)."""
    if not ground.atlas.spherical:
        return rays[..., 1] < -1e-4
    eye = poses[:, None, :3]
    along = (rays * eye).sum(axis=2)
    return (along < 0.0) & (along * along - (eye * eye).sum(axis=2) + ground.size_m**2 > 0.0)


def _steepness(ground: Ground, place: np.ndarray) -> np.ndarray:
    """The slope of the ground at places (k, 3): rise by run."""
    reach = ground.cell_m
    ways = tangents(ground.up(place))
    rises = [ground.sampled(place + reach * way) - ground.sampled(place - reach * way) for way in ways]
    return np.hypot(*rises) / (2.0 * reach)
