"""The flight over a planet: from the birth's view down to the ground where the sun is low, and out again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, product

import numpy as np

from ..ground.ground import UP, Ground
from ..maths.easing import smootherstep
from ..maths.vectors import crosses, unit
from ..worlds import hashing
from . import descent
from .camera import Pose, facing
from .composition import Planning, most_varied
from .descent import CALM, FASTEST_TURN, STEP_S, Phases, frames_of, gentlest, level_toward, pitch_of, ramp, track_of
from .glances import with_glances
from .landing_site import THIRD, Outlook, Site, sites
from .low_pass import LowPass, low_pass, mouths, places
from .paths import Flight, Track, control_times, smoothed, wandering, widened
from .planet_birth import STREAM, birth_directions, log_far, north_of
from .skyline import mountain, skyline

# How long the way down takes, and the shortest flight that has room for all. Seconds.
DESCENTS_S, WHOLE_S = (20.0, 22.0, 24.5), 44.0
# How a flight ends, by the seed: (how far it rises again in `lowness`, seconds that this takes, radians by which the view is
# lifted): far out over the limb, over the mountains, or hardly at all.
ENDINGS = ((0.60, 12.0, 0.0), (0.30, 9.5, 0.03), (0.15, 8.0, 0.05))
# Ways down for worlds where none of those is gentle enough, and the longest way down.
SLOWER_S, LONGEST_DESCENT_S = (30.0, 34.0), 38.0
# Of the low pass: metres above the ground and metres per second, each from the least to the most.
LOW_M, PACE_M_S = (220.0, 340.0), (550.0, 645.0)
# On the way down and out the flight covers GLIDE times its altitude per second, and hardly more above FASTEST_GLIDE_M.
GLIDE, FASTEST_GLIDE_M = 0.6, 45_000.0
# So many of the best sites are compared by what is seen on the ways from there; so many places are at rivers.
COMPARED, AT_RIVERS, OFFSHORE_M = 2, 300, 3_000.0
# The view looks along the way as it will be in AHEAD_S seconds, and at the end up to AT_LAST radians aside, at the sun.
AHEAD_S, AT_LAST = 1.6, np.radians(32.0)
# How far the view tilts up from low down and down from high up on the low pass, radians; how much higher that is; every
# TILTS_S seconds.
TILT, HIGHER, TILTS_S = np.radians(7.0), 2.7, 5.4
# Where no track is gentle enough, low passes with less of that are tried.
LIVELY = (1.0, 0.6, 0.25)
# And where none of these is, low passes at this share of the pace.
UNHURRIED = 0.85
# The least pitch is so far below the skyline ahead, so that there is sky; radians.
BELOW_SKYLINE, HIGHEST_PITCH = np.radians(13.0), np.radians(6.0)


def plan(
    ground: Ground,
    seed: int,
    sun_direction: np.ndarray,
    seconds: float,
    calm: bool = False,
    stems: list[np.ndarray] | None = None,
    end: float | None = None,
    glances: bool = True,
    outlook: Outlook | None = None,
) -> Planning:
    """A flight over `seconds` from the birth's view down to a low pass over coasts or mountains, and up to its goal.

    It is planned with pauses.

    `sun_direction`: unit (3,) towards the sun, which is low where the flight is; `stems`: the world's rivers, as
    `valleys.stems_of` has them; `end`: when the goal is reached, seconds; None: at the end; `glances`: whether other ways
    are tried and the view turns aside where it would stay the same for long; `outlook`: what there is to see besides
    relief, where that is known. Bounds (`descent`): clearance, detail included, is at least LEAST_CLEARANCE_M, the fastest
    turn FASTEST_TURN, CALM times that if `calm`. The picture's up is the planet's axis from afar and the vertical once the
    horizon is near.
    """
    shown = seconds if end is None else end
    ways = _Ways(ground, seed, sun_direction, shown, calm, stems or [], outlook)
    begins, fastest = 0.3 * DESCENTS_S[0], FASTEST_TURN * (CALM if calm else 1.0)

    def flown(attempt: int) -> Flight:
        track = gentlest(ground, _tracks(ways, control_times(seconds, STEP_S), attempt), seconds, calm)
        ways.flown.append(ways.asked)
        flight = descent.flight_of(track, seconds)
        return with_glances(ground, flight, begins, shown, fastest) if glances else flight

    yield
    return (yield from most_varied(ground, flown, 0.0, shown)) if glances else flown(0)


@dataclass(frozen=True)
class _Course:
    """Where a flight goes over the ground, whatever its height, at times (k,): `lowness` (k,), as in Phases; `along` and
    `later`, unit (k, 3), its way low over the ground, now and in AHEAD_S seconds; `direction`, unit (k, 3); `floor` (k,),
    the highest ground near it, metres, 0 where it is still high. `site`: the one that it goes to.
    """

    site: Site
    lowness: np.ndarray
    along: np.ndarray
    later: np.ndarray
    direction: np.ndarray
    floor: np.ndarray


class _Ways:
    """What all tracks of one flight share, and the sites with their low passes, the most promising first."""

    def __init__(
        self,
        ground: Ground,
        seed: int,
        sun: np.ndarray,
        end: float,
        calm: bool,
        stems: list[np.ndarray],
        outlook: Outlook | None,
    ) -> None:
        self.ground, self.seed, self.sun, self.end, self.calm = ground, seed, sun, end, calm
        self.scale = min(end / WHOLE_S, 1.0)
        self.ending = ENDINGS[int(hashing.uniform(seed, STREAM, 7) * len(ENDINGS))]
        low, high = PACE_M_S
        self.pace = (low + (high - low) * hashing.uniform(seed, STREAM, 6)) * (CALM if calm else 1.0)
        also = None
        if stems:
            draws = hashing.uniforms(seed, STREAM + 8, 2 * AT_RIVERS).reshape(-1, 2)
            also = mouths(stems, draws, OFFSHORE_M / ground.size_m)
        found = sites(ground, seed, sun, birth_directions(seed, -STEP_S), north_of(seed), also, outlook)
        low_s = max(end - (DESCENTS_S[0] * (1.25 if calm else 1.0)) * self.scale, 4.0)
        # It does not know this object: in a circle both would stay, with the ground, until Python looks for them.
        pace = self.pace
        ways = ((site, low_pass(ground, site, stems, seed, sun, low_s, pace, calm)) for site in found)
        self.compared = sorted(islice(ways, COMPARED), key=lambda pair: -pair[1].score)
        self.others = ways
        # Courses that several tracks have: by site, phases and pace.
        self._courses: dict[tuple[int, Phases, float], _Course] = {}
        # The site of the track that was asked for last, and those of earlier attempts.
        self.asked: Site | None = None
        self.flown: list[Site | None] = []

    def is_new(self, site: Site) -> bool:
        """Whether no earlier attempt flies to a site."""
        return all(site is not other for other in self.flown)

    def course(self, t: np.ndarray, before: np.ndarray, site: Site, way: LowPass, phases: Phases, pace: float) -> _Course:
        """The course to a site and along its low pass, at the times of all tracks of this flight."""
        key = id(site), phases, pace
        found = self._courses.get(key)
        # A site keeps its number for as long as the course holds it.
        if found is None:
            self._courses[key] = found = _course(self.ground, t, before, (site, way), phases, pace)
        return found


def _tracks(ways: _Ways, t: np.ndarray, attempt: int) -> Iterator[Track]:
    """Tracks down to sites, each with ever more time for the way down and ever less changes of height, the slowest last.

    `attempt`: from 0; another one has other changes of height, and comes back to the sites of earlier ones last.
    """
    before = birth_directions(ways.seed, t)
    rises, climb_s, lift = ways.ending

    def track(site: Site, way: LowPass, down_s: float, lively: float, pace: float = 1.0) -> Track:
        down = min(down_s * (1.25 if ways.calm else 1.0), LONGEST_DESCENT_S) * ways.scale
        up = max(ways.end - climb_s * ways.scale, down + 2.0)
        phases = Phases(down, up, ways.end, rises=rises)
        ways.asked = site
        return _track(ways, t, before, (site, way), phases, (lift, lively, attempt, pace * ways.pace))

    def tracks(pairs: list[tuple[Site, LowPass]]) -> Iterator[Track]:
        for lively, downs in (*((lively, DESCENTS_S) for lively in LIVELY), (LIVELY[-1], SLOWER_S)):
            for (site, way), down_s in product(pairs, downs):
                yield track(site, way, down_s, lively)
        for (site, way), down_s in product(pairs, SLOWER_S):
            yield track(site, way, down_s, LIVELY[-1], UNHURRIED)

    yield from tracks([pair for pair in ways.compared if ways.is_new(pair[0])])
    for site, way in ways.others:
        livelier = LIVELY if attempt else LIVELY[-1:]
        yield from (track(site, way, down_s, lively) for lively in livelier for down_s in (*DESCENTS_S, *SLOWER_S))
    yield from tracks([pair for pair in ways.compared if not ways.is_new(pair[0])])


def _track(
    ways: _Ways,
    t: np.ndarray,
    before: np.ndarray,
    passing: tuple[Site, LowPass],
    phases: Phases,
    moods: tuple[float, float, int, float],
) -> Track:
    """The track that turns from `before` (k, 3), the birth's way continued, to a site, along its low pass and up again.

    `moods`: (radians by which the view is lifted at last, the share of the low pass's changes of height that is flown, which
    of those, metres a second low over the ground).
    """
    ground, seed, (site, way), (lift, lively, which, pace) = ways.ground, ways.seed, passing, moods
    course = ways.course(t, before, site, way, phases, pace)
    lowness, direction = course.lowness, course.direction
    changing = lively * smootherstep((t - phases.down) / 4.0) * (1.0 - smootherstep((t - phases.up) / 5.0))
    height = _height(seed, t, which)
    altitude = _altitudes(ground, seed, course, HIGHER ** (changing * height), lively)
    level = level_toward(course.later - course.along, direction)
    aside = _aside(ground, t, site, level, direction * (ground.size_m + altitude)[:, None], phases, ways.sun)[:, None]
    level = level * np.cos(aside) + crosses(level, direction) * np.sin(aside)
    falling = np.clip(np.gradient(lowness, t) * phases.down, 0.0, 1.5)
    pitch = pitch_of(ground, altitude) - np.radians(6.0) * falling
    land = skyline(ground, direction * (ground.size_m + altitude)[:, None], level) - BELOW_SKYLINE
    lack = np.maximum(smoothed(widened(np.minimum(land, HIGHEST_PITCH), 2), 3.0) - pitch, 0.0)
    pitch += lack * smootherstep((t - 0.7 * phases.down) / (0.3 * phases.down))
    pitch += TILT * changing * (1.0 - 2.0 * height) + lift * smootherstep((t - phases.up) / 6.0)
    return track_of(ground, t, direction, altitude, frames_of(seed, t, direction, level, pitch, phases), phases)


def _course(
    ground: Ground, t: np.ndarray, before: np.ndarray, passing: tuple[Site, LowPass], phases: Phases, pace: float
) -> _Course:
    """The course that turns from `before` (k, 3), the birth's way continued, to a site and along its low pass."""
    site, way = passing
    lowness = phases.lowness(t)
    gone, speed = _gone(ground, t, lowness, phases, pace)
    along = places(way.at(gone), site, ground.size_m)
    later = places(way.at(gone + AHEAD_S * speed), site, ground.size_m)
    w = ramp(t / (0.44 * phases.down))
    direction = unit(before * (1.0 - w)[:, None] + along * w[:, None])
    floor = np.zeros(len(lowness))
    floor[lowness > 0.25] = ground.max_near(direction[lowness > 0.25] * ground.size_m, 400.0)
    return _Course(site, lowness, along, later, direction, floor)


def _aside(
    ground: Ground,
    t: np.ndarray,
    site: Site,
    level: np.ndarray,
    position: np.ndarray,
    phases: Phases,
    sun: np.ndarray,
) -> np.ndarray:
    """Radians to the right (k,) by which the view leaves the way `level` (k, 3): for the mountain at the site, and at last
    for the highest one there, or, where none stands out, for the sun."""
    first = smootherstep((t - 0.55 * phases.down) / (0.45 * phases.down))
    first *= 1.0 - smootherstep((t - phases.down - 0.5) / 9.0)
    at = int(np.searchsorted(t, phases.out)) - 2
    right = crosses(level[at], unit(position[at]))
    bearing = mountain(ground, position[at], level[at])
    if bearing is None:
        goal = float(np.clip(np.arctan2(sun @ right, sun @ level[at]), -AT_LAST, AT_LAST))
    else:
        goal = float(np.clip(bearing - (THIRD if bearing >= 0.0 else -THIRD), -AT_LAST, AT_LAST))
    last = max(phases.out - phases.up, 4.0)
    return site.aside * first + goal * smootherstep((t - phases.up + 0.3 * last) / (1.2 * last))


def _height(seed: int, t: np.ndarray, which: int) -> np.ndarray:
    """How high the low pass is above the ground by turns, 0..1 at times (k,)."""
    return wandering(hashing.uniforms(seed, STREAM + 9, 24 + 3 * which)[3 * which :], t - 1.7 * which, TILTS_S)


def _gone(ground: Ground, t: np.ndarray, lowness: np.ndarray, phases: Phases, pace: float) -> tuple[np.ndarray, np.ndarray]:
    """(metres along the way, 0 where the low pass begins; metres a second), both (k,): slow near the ground."""
    altitude = np.exp(log_far(ground) * (1.0 - lowness) + np.log(LOW_M[0]) * lowness)
    # At the end the flight comes to rest high above the ground.
    glide = GLIDE * (1.0 - 0.85 * smootherstep((t - phases.up) / (phases.out - phases.up)))
    speed = pace + glide * altitude / (1.0 + altitude / FASTEST_GLIDE_M)
    gone = np.concatenate([[0.0], np.cumsum(0.5 * (speed[1:] + speed[:-1])) * STEP_S])
    return gone - np.interp(phases.down, t, gone), speed


def _altitudes(ground: Ground, seed: int, course: _Course, higher: np.ndarray, lively: float) -> np.ndarray:
    """Metres above the sea (k,): down in equal factors, along a smooth envelope of the ground, and up again.

    `higher`: (k,), a factor on the height above the ground; `lively`: how closely the ground is followed, at most 1.
    """
    low = LOW_M[0] + (LOW_M[1] - LOW_M[0]) * hashing.uniform(seed, STREAM, 5)
    lowness, floor = course.lowness, course.floor
    # The ground far below must not shake a flight that is still high.
    near, close = smootherstep((lowness - 0.25) / 0.55), smootherstep((lowness - 0.80) / 0.2)
    envelope = (
        smoothed(widened(floor, 8), 7.0) * (near - close)
        + smoothed(widened(floor, round(3.0 + 7.0 * (1.0 - lively))), 5.0 + 4.0 * (1.0 - lively)) * close
    )
    return smoothed(envelope, 2.0) + higher * np.exp(log_far(ground) * (1.0 - lowness) + np.log(low) * lowness)


def as_printed(t: float, radius_m: float) -> Pose:
    """The article's planet: whole and centred, turning half a degree a second about y."""
    angle = np.radians(0.5 * t)
    position = 3.2 * radius_m * np.array([np.sin(angle), 0.0, np.cos(angle)])
    return facing(position, -position, UP, np.radians(45.0))
