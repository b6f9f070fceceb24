"""What the pictures of a flight show is measured; no flight keeps one composition for long; low passes follow the land."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from test_flight import BIRTH_S, seen_planet, seen_terrain

from demo.flight import composition, landing_site
from demo.flight.camera import facing, look_at, poses_of
from demo.flight.composition import GREEN, ROCK, SKY, SNOW, WATER, alike_for, views_of
from demo.flight.curves import following, resampled, turned, walked
from demo.flight.glances import with_glances
from demo.flight.paths import Flight, wandering
from demo.flight.prospects import prospects
from demo.flight.skyline import mountain, skyline
from demo.flight.valleys import stems_of
from demo.ground.ground import UP, Ground
from demo.maths.vectors import unit
from demo.worlds.atlas import CUBE, PLANE
from demo.worlds.carving.parts import Parts
from demo.worlds.runoff import Runoff

EXTENT_M, N = 40_000.0, 161
# Worlds of each kind that are flown over.
FLOWN = 24


def land(height) -> Ground:
    """The terrain of `height(x, z)`, metres."""
    x, z = np.meshgrid(*[np.linspace(-0.5, 0.5, N) * EXTENT_M] * 2)
    return Ground(PLANE, np.broadcast_to(height(x, z), (1, N, N)).astype(np.float32).copy(), EXTENT_M)


def cone(x, z):
    """A mountain of 3 km on a plain, its foot 6 km wide, in the middle."""
    return np.maximum(3_000.0 - np.hypot(x, z), 20.0)


def flown(flight, start: float, step: float) -> np.ndarray:
    return flight.poses(np.arange(start, flight.seconds, step))


def test_shares_of_a_picture_are_those_of_what_is_seen():
    level = look_at(np.array([0.0, 300.0, 9_000.0]), np.array([0.0, 300.0, 0.0]), UP)
    sea, plain, hill = (
        views_of(land(height), poses_of([level])).shares()[0] for height in (lambda x, z: -9.0, lambda x, z: 20.0, cone)
    )
    assert sea[WATER] == pytest.approx(0.5) and sea[SKY] == pytest.approx(0.5)
    assert plain[GREEN] > 0.4 and plain[ROCK] == 0.0
    assert hill[ROCK] > 0.05 and hill[SKY] < 0.47
    snowy = views_of(land(cone), poses_of([level]), lambda place, height: height > 10.0).shares()[0]
    assert snowy[SNOW] > 0.3 and snowy[GREEN] == 0.0


def test_the_skyline_is_where_the_sky_begins():
    level = look_at(np.array([0.0, 300.0, 9_000.0]), np.array([0.0, 300.0, 0.0]), UP)
    line = views_of(land(cone), poses_of([level])).skyline[0]
    assert np.argmax(line) == len(line) // 2 and line[0] == pytest.approx(0.5, abs=0.06)


def test_a_camera_that_rests_keeps_its_composition_and_one_that_turns_does_not():
    ground, t = land(cone), np.arange(0.0, 20.0, 0.5)

    def views(turn: float, sink: float):
        eyes = [np.array([0.0, 3_000.0 - sink * x, 9_000.0]) for x in t]
        aims = [eye + np.array([np.sin(turn * x), -0.1, -np.cos(turn * x)]) for eye, x in zip(eyes, t, strict=True)]
        return views_of(ground, poses_of([look_at(eye, aim, UP) for eye, aim in zip(eyes, aims, strict=True)]))

    assert alike_for(views(0.0, 0.0), 0.5)[0] == 19.5
    assert alike_for(views(np.radians(8.0), 0.0), 0.5).max() <= 5.0
    # Going down into the valley is another composition too, but a small move is not.
    assert alike_for(views(0.0, 140.0), 0.5)[0] < 19.5
    assert alike_for(views(0.0, 4.0), 0.5)[0] == 19.5


@pytest.mark.parametrize(
    "kept_s, flown_is",
    [
        ([4.5, 1.0], 0),
        ([4.9, 4.6, 4.7, 1.0], 1),
        ([6.0, 5.5, 5.5, 5.2, 4.9, 1.0], 4),
        ([6.0, 6.0, 5.5, 7.0, 7.0, 5.5, 1.0], 2),
    ],
    ids=["short", "nearly short", "more are tried", "the best of all"],
)
def test_ways_are_tried_until_none_keeps_one_composition_for_long(monkeypatch, kept_s, flown_is):
    flights = [Flight(1.0 + k, lambda t: look_at(UP, UP - 1.0, UP)) for k in range(len(kept_s))]
    monkeypatch.setattr(composition, "longest_alike", lambda ground, flight, *_: kept_s[round(flight.seconds) - 1])
    chosen = Parts(composition.most_varied(land(cone), lambda attempt: flights[attempt], 0.0, 1.0, 3)).result()
    assert chosen is flights[flown_is]


def test_planets_are_approached_over_land():
    """Land within 0.15 radians of the place 0.2 radians before the best site, over worlds of hilly continents: at least some
    in each of 12, where without a care for it there is none in one."""
    at, north, sun = CUBE.positions(65), np.array([0.0, 1.0, 0.0]), np.array([0.0, 0.0, 1.0])
    around = 0.15 * np.random.default_rng(1).uniform(-1.0, 1.0, (200, 3))
    below = {0.0: [], landing_site.IN_WORTH: []}
    for seed in range(12):
        waves = np.random.default_rng(seed).normal(size=(6, 3))
        continents = sum(np.sin(5.0 * at @ wave + 2.0 * k) for k, wave in enumerate(waves))
        hills = 700.0 + 600.0 * np.sin(40.0 * at[..., 0]) * np.sin(40.0 * at[..., 1]) * np.sin(40.0 * at[..., 2])
        ground = Ground(CUBE, np.where(continents > 0.8, hills, -900.0).astype(np.float32), 480_000.0)
        eye = np.array([np.sin(1.2), 0.0, np.cos(1.2)])
        for worth, land_below in below.items():
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(landing_site, "IN_WORTH", worth)
                site = landing_site.sites(ground, seed, sun, eye, north)[0]
            place = unit(site.start * np.cos(0.2) - site.heading * np.sin(0.2) + around)
            land_below.append((ground.sampled(place) > 0.0).mean())
    without, with_it = (min(each) for each in below.values())
    assert with_it > 0.15 and without < 0.02


def hilly_planet(seed):
    """Continents with hills."""
    at = CUBE.positions(65)
    waves = np.random.default_rng(seed).normal(size=(6, 3))
    continents = sum(np.sin(5.0 * at @ wave + 2.0 * k) for k, wave in enumerate(waves))
    hills = 700.0 + 600.0 * np.sin(40.0 * at[..., 0]) * np.sin(40.0 * at[..., 1]) * np.sin(40.0 * at[..., 2])
    return Ground(CUBE, np.where(continents > 0.0, hills, -900.0).astype(np.float32), 480_000.0)


def stripes(up):
    """1 in some bands of a planet, and 0 in those between."""
    return (np.sin(25.0 * up[..., 1]) > 0.0).astype(np.float64)


def nowhere(up, height_m=None):
    return np.zeros(up.shape[:-1])


@pytest.mark.parametrize(
    ("outlook", "shunned"),
    [
        (landing_site.Outlook(stripes, nowhere, green=False), stripes),
        (landing_site.Outlook(nowhere, lambda up, h: 0.3 + 0.6 * stripes(up), green=True), stripes),
        (landing_site.Outlook(nowhere, lambda up, h: 0.3 - 0.3 * stripes(up), green=True), stripes),
        (landing_site.Outlook(nowhere, lambda up, h: 0.9 * stripes(up), green=False), stripes),
    ],
    ids=["clouds", "nothing but woods", "no woods", "woods in a desert"],
)
def test_planets_are_not_flown_over_where_it_is_gloomy_or_of_one_colour(outlook, shunned):
    north, sun, eye = np.array([0.0, 1.0, 0.0]), np.array([0.0, 0.0, 1.0]), np.array([np.sin(1.2), 0.0, np.cos(1.2)])
    ahead = np.linspace(-0.005, 0.03, 8)[:, None]
    met = {None: [], outlook: []}
    for seed, asked in product(range(6), met):
        for site in landing_site.sites(hilly_planet(seed), seed, sun, eye, north, outlook=asked)[:2]:
            met[asked].append(shunned(site.start * np.cos(ahead) + site.heading * np.sin(ahead)).mean())
    blind, careful = (np.mean(shares) for shares in met.values())
    assert blind > 0.3 and careful < 0.6 * blind, (blind, careful)


@pytest.mark.parametrize("kind", ["terrain", "planet"])
def test_no_flight_keeps_one_composition_for_long(kind):
    """These worlds are even ones, with less to see than those of the show."""
    seen = seen_terrain if kind == "terrain" else seen_planet
    longest, often = [], []
    for seed in range(FLOWN):
        ground, flight = seen(seed)
        # From when the way down has begun to when the flight slows down.
        poses = flown(flight, BIRTH_S + 3.0 if kind == "terrain" else 25.0, 1.0)
        alike = alike_for(views_of(ground, poses[:-8] if kind == "terrain" else poses), 1.0)
        longest.append(alike.max())
        often.append((alike > 5.0).mean())
    assert np.mean(often) < 0.13, np.mean(often)
    # A world or two are so even that all of their pictures are alike.
    assert np.median(longest) <= 9.0 and sorted(longest)[-3] <= 14.0, sorted(longest)


def test_prospects_prefer_mountains_to_plains_and_turns_to_a_straight_way():
    """From 8 km away to 4 km."""
    x = np.linspace(0.0, 1.0, 12)
    ahead = np.stack([np.zeros(12), 8_000.0 - 4_000.0 * x], axis=1)
    away = ahead[::-1]
    yaw = np.array([np.full(12, -0.5 * np.pi), np.full(12, 0.5 * np.pi)])
    mountains, plain = prospects(land(cone), np.stack([ahead, away]), yaw, 0.8)
    assert mountains > plain + 1.0
    looking = yaw[:1] + np.radians(30.0) * np.sin(4.0 * np.pi * x)
    straight, turning = prospects(land(cone), np.stack([ahead, ahead]), np.concatenate([yaw[:1], looking]), 0.8)
    assert turning > straight


def test_followed_lines_are_left_no_faster_than_a_flight_turns():
    angle = np.linspace(0.0, np.pi, 60)
    line = np.stack([4_000.0 * np.cos(angle), 4_000.0 * np.sin(angle)], axis=1)[None]
    start, turn, step_m = line[:, 0] + [300.0, 0.0], np.radians(4.0), 200.0
    heading = following(line, start, np.array([np.pi / 2]), step_m, turn, 60, 900.0)
    assert np.abs(np.diff(heading)).max() <= turn + 1e-12
    way = walked(start, heading, step_m)[0]
    assert np.abs(np.hypot(*way.T) - 4_000.0).max() < 500.0


def test_turn_rates_pass_through_their_knots():
    rates = turned(np.array([[0.0, 1.0, -1.0]]), 9)
    assert rates[0, [0, 4, 8]].tolist() == [0.0, 1.0, -1.0] and np.abs(rates).max() <= 1.0


def test_resampled_lines_have_even_points():
    line = resampled(np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 3.0]]), 5)
    assert np.allclose(line, [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [1.0, 2.0], [1.0, 3.0]])


def test_what_wanders_is_low_and_high_by_turns():
    draws, t = np.random.default_rng(1).uniform(size=12), np.arange(0.0, 50.0, 0.25)
    course = wandering(draws, t, 5.0)
    assert course.min() >= 0.0 and course.max() <= 1.0
    assert (course[::20] < 0.31).tolist() == [True, False] * 5
    assert np.abs(np.diff(course, 2)).max() < 0.02


def test_the_skyline_ahead_and_the_mountain_in_it():
    ground, eye = land(cone), np.array([-4_000.0, 300.0, 9_000.0])
    towards, away = np.array([0.0, 0.0, -1.0]), np.array([0.0, 0.0, 1.0])
    rise = skyline(ground, np.stack([eye, eye]), np.stack([towards, away]))
    assert rise[0] > 0.1 > 0.0 > rise[1]
    assert mountain(ground, eye, towards) == pytest.approx(np.arctan2(4_000.0, 9_000.0), abs=np.radians(5.0))
    assert mountain(ground, eye, away) is None


def test_stems_go_up_where_most_water_comes_from():
    """A river of five samples along z, joined in its middle by a smaller and a larger one."""
    n = 8
    river, small, large = [8 * j + 4 for j in range(1, 8)], [8 * 4 + 3, 8 * 4 + 2], [8 * 4 + 5, 8 * 4 + 6, 8 * 4 + 7]
    receiver, flow, wet = np.arange(n * n, dtype=np.int32), np.zeros(n * n), [*river, *small, *large]
    for above, below in [*zip(river[1:], river[:-1], strict=True), (small[0], river[3]), (large[0], river[3])]:
        receiver[above] = below
    receiver[small[1]], receiver[large[1]], receiver[large[2]] = small[0], large[0], large[1]
    receiver[river[0]] = 4
    flow[river], flow[small], flow[large] = [9.0, 8.5, 8.0, 7.5, 1.0, 0.8, 0.6], [0.5, 0.4], [5.0, 4.5, 4.0]
    wanted = np.zeros(n * n, bool)
    wanted[wet] = True
    level = np.full(n * n, -np.inf, np.float32)
    runoff = Runoff(n, np.arange(n * n, dtype=np.int32), level, level, receiver, wanted, flow, 0.0)
    stems = stems_of(runoff, PLANE)
    assert len(stems) == 1
    cells = np.round((stems[0][:, [0, 2]] + 0.5) * (n - 1)).astype(int)
    assert cells.tolist() == [[4, 1], [4, 2], [4, 3], [4, 4], [5, 4], [6, 4], [7, 4]]
    assert stems_of(None, PLANE) == []


def test_a_view_that_would_stay_the_same_turns_aside_and_back():
    """Along a straight coast, hills on the left: left alone, all pictures are one composition for 12 s."""
    ground = land(lambda x, z: np.where(x < 1_500.0, 60.0 - 0.09 * np.minimum(x, 1_500.0), -9.0))
    ahead = np.array([0.0, -0.1, -1.0])
    flight = Flight(26.0, lambda t: facing(np.array([0.0, 700.0, 9_000.0 - 90.0 * t]), ahead, UP, np.radians(46.0)))
    fastest, end = np.radians(12.0), 24.0
    glancing = with_glances(ground, flight, 2.0, end, fastest)
    t = np.arange(0.0, 26.0, 0.25)
    before, after = (poses_of([each.pose(x) for x in t]) for each in (flight, glancing))
    early = (t >= 2.0) & (t < 14.0)
    left_alone, alike = (alike_for(views_of(ground, poses[early]), 0.25)[0] for poses in (before, after))
    assert left_alone > 10.0 and alike <= 5.0
    # The way is the same, and so are the beginning and the goal.
    assert np.array_equal(after[:, :3], before[:, :3])
    same = (t < 2.0) | (t > end - 2.0)
    assert np.allclose(after[same], before[same], atol=1e-12) and not np.allclose(after, before)
    # The horizon is as level and as high, and the view turns slowly and evenly.
    assert np.allclose(after[:, [4, 7]], before[:, [4, 7]])
    turned = np.unwrap(np.arctan2(after[:, 5], after[:, 3]))
    assert np.abs(np.diff(turned)).max() < 0.25 * fastest and np.abs(np.diff(turned, 2)).max() < np.radians(0.6)


def test_a_flight_that_turns_as_fast_as_it_may_has_no_glances():
    ground, fastest = land(lambda x, z: 20.0 + 0.0 * x), np.radians(6.0)

    def pose(t: float):
        way = np.array([np.sin(fastest * t), -0.05, -np.cos(fastest * t)])
        return look_at(np.array([0.0, 900.0, 0.0]), np.array([0.0, 900.0, 0.0]) + way, UP)

    flight = Flight(30.0, pose)
    assert with_glances(ground, flight, 2.0, 28.0, fastest) is flight
