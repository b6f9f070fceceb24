"""Flights keep their bounds over many worlds, are pure functions of time and join smoothly; the camera's matrices agree."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import numpy as np
import pytest

from demo.flight import composition, descent, glances, landing_site, planet, planet_birth, prospects, river, scout, terrain
from demo.flight.camera import Pose, blend, frustum_planes, look_at, poses_of, projection, view_rotation
from demo.flight.free_camera import FreeCamera
from demo.flight.overview import overview_of
from demo.flight.paths import Flight, Track, join, smoothed, widened
from demo.ground.detail import detail_of
from demo.ground.ground import Ground
from demo.scenes.daylight import over_planet
from demo.worlds.atlas import CUBE, PLANE, Atlas
from demo.worlds.carving.parts import Parts

EXTENT, RELIEF, RADIUS, PEAK = 42_000.0, 3_900.0, 420_000.0, 11_000.0
BIRTH_S, FLIGHT_S, PLANET_S = 16.0, 43.0, 59.0
PAUSES = [(11.0, 13.0), (15.0, 17.0), (19.5, 21.5)]
MOST, MANY, CALM, DETAILED, LOOKED_AT = 1000, 200, 80, 16, 90
WORLDS = 32


def terrain_ground(seed: int, n: int = 97, detail: bool = False) -> Ground:
    """A rough island: noise of a falling spectrum, sunk towards the rim."""
    draw = np.random.default_rng(seed)
    spectrum = np.fft.rfft2(draw.normal(size=(n, n)))
    k = np.hypot(np.fft.fftfreq(n)[:, None], np.fft.rfftfreq(n)[None, :])
    k[0, 0] = np.inf
    heights = np.fft.irfft2(spectrum * k ** -draw.uniform(1.7, 2.3), (n, n))
    heights /= np.abs(heights).max()
    rim = np.abs(np.linspace(-1.0, 1.0, n))
    heights += draw.uniform(0.0, 0.4) - 1.3 * np.clip(np.maximum(rim[:, None], rim) - 0.6, 0.0, None) ** 1.5
    return ground_of(PLANE, heights[None] * (RELIEF / heights.max()), EXTENT, seed if detail else None)


def ground_of(atlas: Atlas, heights_m: np.ndarray, size_m: float, seed: int | None) -> Ground:
    """The ground of heights, with the detail of `seed`; None: without detail."""
    heights_m = heights_m.astype(np.float32)
    return Ground(atlas, heights_m, size_m, None if seed is None else detail_of(atlas, heights_m, size_m, seed))


@cache
def planet_ground(seed: int, detail: bool = False) -> Ground:
    """Continents of plane waves."""
    draw = np.random.default_rng(seed)
    at = CUBE.positions(33)
    waves = draw.normal(size=(40, 3)) * draw.uniform(1.0, 9.0, (40, 1))
    heights = sum(
        np.sin(at @ wave + phase) / (1.0 + np.abs(wave).max()) for wave, phase in zip(waves, range(40), strict=True)
    )
    return ground_of(CUBE, heights * (PEAK / heights.max()), RADIUS, seed if detail else None)


def terrain_flight(ground: Ground, seed: int, calm: bool = False) -> Flight:
    birth = terrain.birth(ground, seed, BIRTH_S)
    return join(birth, Parts(terrain.plan(ground, seed, FLIGHT_S, calm)).result())


def planet_sun(seed: int) -> np.ndarray:
    eye = planet_birth.birth(RADIUS, seed, 21.5, PAUSES).pose(21.5).position
    azimuth, elevation = np.arctan2(eye[2], eye[0]) + 0.85, np.radians(14.0) * np.cos(seed)
    c = np.cos(elevation)
    return np.array([np.cos(azimuth) * c, np.sin(elevation), np.sin(azimuth) * c])


def planet_flight(ground: Ground, seed: int, calm: bool = False) -> Flight:
    seed = planet_birth.view_seed(ground, seed)
    birth = planet_birth.birth(RADIUS, seed, 21.5, PAUSES)
    return join(birth, Parts(planet.plan(ground, seed, planet_sun(seed), PLANET_S, calm)).result())


@cache
def seen_terrain(seed: int) -> tuple[Ground, Flight]:
    """A terrain that several tests look at, and its flight."""
    ground = terrain_ground(seed)
    return ground, terrain_flight(ground, seed)


@cache
def seen_planet(seed: int) -> tuple[Ground, Flight]:
    """A planet that several tests look at, and its flight."""
    ground = planet_ground(seed)
    return ground, planet_flight(ground, seed)


class Watched:
    """A flight observed every `dt` seconds from `start` on."""

    def __init__(self, flight: Flight, ground: Ground, start: float, dt: float = 0.25) -> None:
        self.t = np.arange(start, flight.seconds, dt)
        poses = flight.poses(self.t)
        self.position, self.forward, self.up = poses[:, :3], poses[:, 3:6], poses[:, 6:9]
        self.right = np.cross(self.forward, self.up)
        self.clearance = ground.clearance(self.position)
        vertical = ground.up(self.position)
        self.pitch_vector = (self.forward * vertical).sum(axis=1, keepdims=True) * vertical
        self.roll = np.degrees(np.abs((self.right * vertical).sum(axis=1)))
        self.pitch = np.degrees(np.arcsin((self.forward * vertical).sum(axis=1)))
        trace = sum((a[1:] * a[:-1]).sum(axis=1) for a in (self.forward, self.up, self.right))
        self.turn = np.degrees(np.arccos(np.clip(0.5 * (trace - 1.0), -1.0, 1.0))) / dt
        velocity = np.diff(self.position, axis=0) / dt
        self.speed = np.sqrt((velocity**2).sum(axis=1))
        self.acceleration = np.sqrt((np.diff(velocity, axis=0) ** 2).sum(axis=1)) / dt


# How many seeds, with detail or not, calm or not.
SETS = pytest.mark.parametrize(
    "seeds, detail, calm",
    [
        pytest.param(MOST, False, False, marks=pytest.mark.long),
        (MANY, False, False),
        (DETAILED, True, False),
        (CALM, False, True),
    ],
)


@pytest.fixture
def few_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    """Flights choose from a fraction of the routes and places, by fewer rays: bounds must hold for worse ones too, and it is
    quicker."""
    monkeypatch.setattr(scout, "FIRST_ROUTES", 40)
    monkeypatch.setattr(scout, "REFINED_ROUTES", 20)
    monkeypatch.setattr(landing_site, "FIRST_PLACES", 160)
    monkeypatch.setattr(landing_site, "VARIATIONS", 6)
    monkeypatch.setattr(prospects, "QUICK", composition.Raster(5, 5, 10))
    # The first attempt is flown, whatever it shows.
    monkeypatch.setattr(composition, "longest_alike", lambda *_: 0.0)
    monkeypatch.setattr(glances, "FINE", composition.Raster(5, 5, 10))
    monkeypatch.setattr(glances, "TURNS", np.radians((-28.0, -14.0, 0.0, 14.0, 28.0)))


def longest(flags: np.ndarray, dt: float) -> float:
    """The longest time in seconds for which `flags` (k,), one every `dt` seconds, stay true."""
    return float((np.diff(np.flatnonzero(np.concatenate([[True], ~flags, [True]]))) - 1).max()) * dt


@SETS
@pytest.mark.usefixtures("few_ways")
def test_terrain_flights_keep_their_bounds(seeds: int, detail: bool, calm: bool) -> None:
    for seed in range(seeds):
        ground = terrain_ground(seed, detail=detail)
        seen = Watched(terrain_flight(ground, seed, calm), ground, BIRTH_S)
        assert seen.clearance.min() >= terrain.LEAST_CLEARANCE_M, seed
        assert seen.turn.max() <= (6.6 if calm else 12.0), seed
        assert seen.roll.max() < 0.01, seed
        # The descent is quick while it is far away: the eye minds acceleration by the height above the ground.
        assert (seen.acceleration / (seen.clearance[1:-1] + 1_500.0)).max() < 0.6, seed
        low = seen.t > BIRTH_S + 14.0
        assert seen.pitch[low].min() >= -25.0, seed
        assert seen.pitch[low].max() <= 5.0, seed
        assert seen.acceleration[low[2:]].max() < 300.0, seed
        assert np.abs(seen.position[low][:, [0, 2]]).max() < 0.55 * EXTENT, seed
        assert seen.speed[-4:].max() < 120.0, seed
        wall = ground.clearance(seen.position + 150.0 * seen.forward)
        assert wall.min() > 0.0, seed


def test_terrain_flights_show_land() -> None:
    """Less than a tenth of the ground in view is land for at most four seconds at a time."""
    for seed in range(LOOKED_AT):
        ground, flight = seen_terrain(seed)
        seen = Watched(flight, ground, BIRTH_S + 10.0)
        yaw = np.arctan2(seen.forward[:, 2], seen.forward[:, 0])
        aside, away = np.meshgrid(np.radians(np.linspace(-30, 30, 9)), np.geomspace(300.0, 14_000.0, 12))
        angle = yaw[:, None] + aside.ravel()
        points = seen.position[:, None, :] + away.ravel()[:, None] * np.stack(
            [np.cos(angle), np.zeros_like(angle), np.sin(angle)], axis=-1
        )
        empty = (ground.height(points) > 0.0).mean(axis=1) < 0.1
        assert longest(empty, 0.25) <= 4.0, seed


def test_terrain_flights_have_their_goal_on_a_third_at_last() -> None:
    """A peak that is near and high enough to be a subject stands 7 to 23 degrees beside the middle; a third is 14."""
    in_view, at_last, on_third = [], [], []
    for seed in range(LOOKED_AT):
        ground, flight = seen_terrain(seed)
        seen = Watched(flight, ground, BIRTH_S + 13.0, 0.5)
        peaks = overview_of(ground).peaks
        d = peaks - seen.position[:, None]
        away = np.hypot(d[..., 0], d[..., 2])
        yaw = np.arctan2(seen.forward[:, 2], seen.forward[:, 0])[:, None]
        bearing = np.abs((np.arctan2(d[..., 2], d[..., 0]) - yaw + np.pi) % (2 * np.pi) - np.pi)
        fit = (bearing < np.radians(35.0)) & (away > 1_500.0) & (away < 13_000.0) & (d[..., 1] > 0.15 * RELIEF)
        largest = np.where(fit, peaks[:, 1] / away, 0.0).argmax(axis=1)
        last = fit[-10:].any(axis=1)
        bearing = np.degrees(bearing[np.arange(len(d)), largest])[-10:][last]
        in_view.append(fit.any(axis=1).mean())
        at_last.append(last.mean())
        on_third.extend((bearing > 7.0) & (bearing < 23.0))
    assert np.mean(in_view) > 0.35
    assert np.mean(at_last) > 0.85
    assert np.mean(on_third) > 0.7


@SETS
@pytest.mark.usefixtures("few_ways")
def test_planet_flights_keep_their_bounds(seeds: int, detail: bool, calm: bool) -> None:
    for seed in range(seeds):
        ground = planet_ground(seed % WORLDS, detail)
        seen = Watched(planet_flight(ground, seed, calm), ground, 21.6)
        assert seen.clearance.min() >= descent.LEAST_CLEARANCE_M, seed
        assert seen.turn.max() <= (9.0 if calm else 12.0), seed
        low = seen.clearance < 100_000.0
        assert low.any(), seed
        assert seen.roll[low].max() < 0.5, seed
        assert (seen.acceleration / seen.clearance[1:-1]).max() < 0.7, seed
        assert seen.pitch[seen.clearance < 150_000.0].min() > -80.0, seed
        # From the whole disc to the ground, along it for most of the time, and up to the last view.
        assert seen.clearance[0] > 2.0 * RADIUS and seen.clearance[-1] > 500.0, seed
        assert 12.0 <= 0.25 * (seen.clearance < 900.0).sum() <= 44.0, seed
        assert seen.clearance.min() < 600.0, seed
        assert seen.speed[seen.clearance[1:] < 500.0].max(initial=0.0) < 1_000.0, seed


def test_planet_flights_go_where_the_sun_is_low_and_there_is_something_to_see() -> None:
    """Low over the ground the sun stands a few degrees high, and land is in view ahead."""
    shares = []
    for seed in range(LOOKED_AT):
        ground, flight = seen_planet(seed)
        sun = planet_sun(planet_birth.view_seed(ground, seed))
        seen = Watched(flight, ground, 21.6)
        low = seen.clearance < 900.0
        light = over_planet(seed, sun, RADIUS, flight, 21.5, flight.seconds, nightfall=0.0)
        suns = np.stack([light.sun_at(t) for t in seen.t[low]])
        height = np.degrees(np.arcsin((ground.up(seen.position[low]) * suns).sum(axis=1)))
        assert height.min() > 5.0 and height.max() < 25.0, seed
        position, level = seen.position[low], seen.forward[low] - seen.pitch_vector[low]
        away = np.geomspace(1_500.0, 25_000.0, 10)[:, None, None]
        aside = np.linspace(-0.5, 0.5, 7)[:, None, None, None]
        way = level * np.cos(aside) + seen.right[low] * np.sin(aside)
        land = (ground.sampled(position + away * way) > 0.0).mean(axis=(0, 1))
        shares.append(land.mean())
    assert np.mean(shares) > 0.6 and min(shares) > 0.1


def test_planet_flights_show_land() -> None:
    """From the disc to the end, hardly any land is in the picture for a few seconds at a time at most."""
    across, down = (axis.ravel() for axis in np.meshgrid(np.linspace(-0.92, 0.92, 13), np.linspace(-0.92, 0.92, 9)))
    runs = []
    for seed in range(LOOKED_AT):
        ground, flight = seen_planet(seed)
        poses = flight.poses(np.arange(21.5, 66.5, 0.5))
        position, forward, up = poses[:, :3], poses[:, 3:6], poses[:, 6:9]
        half = np.tan(0.5 * poses[:, 9])[:, None, None]
        right = np.cross(forward, up)[:, None] * (across[None, :, None] * half * 16.0 / 9.0)
        ray = forward[:, None] + right + up[:, None] * (down[None, :, None] * half)
        ray /= np.sqrt((ray * ray).sum(axis=2, keepdims=True))
        along = (ray * position[:, None]).sum(axis=2)
        inside = along * along - (position * position).sum(axis=1)[:, None] + RADIUS * RADIUS
        hit = (inside > 0.0) & (along < 0.0)
        place = position[:, None] + ray * np.where(hit, -along - np.sqrt(np.maximum(inside, 0.0)), 1.0)[..., None]
        land = ((ground.sampled(place) > 0.0) & hit).sum(axis=1) / np.maximum(hit.sum(axis=1), 1)
        runs.append(longest((land < 0.04) & (hit.mean(axis=1) > 0.2), 0.5))
    assert np.mean(np.array(runs) <= 4.0) > 0.97 and max(runs) < 10.0


def test_planet_flights_have_their_goal_on_a_third_at_last(monkeypatch: pytest.MonkeyPatch) -> None:
    """Over a land of single mountains the highest in view stands 6 to 24 degrees beside the middle."""
    # The first attempt is flown: where single hills are all there is, others are chosen for what else they show.
    monkeypatch.setattr(composition, "longest_alike", lambda *_: 0.0)
    at = CUBE.positions(129)
    places, bearings = at.reshape(-1, 3), []
    for seed in range(20):
        draw = np.random.default_rng(seed)
        heights = np.full(len(places), 150.0)
        for middle in draw.normal(size=(400, 3)):
            away2 = 2.0 - 2.0 * (places @ (middle / np.sqrt(middle @ middle)))
            near = np.flatnonzero(away2 < 0.0036)
            hill = 9_000.0 * draw.uniform(0.4, 1.0) * np.exp(-away2[near] / (2.0 * 0.013**2))
            heights[near] = np.maximum(heights[near], 150.0 + hill)
        ground = ground_of(CUBE, heights.reshape(at.shape[:3]), RADIUS, None)
        seen = Watched(planet_flight(ground, seed), ground, 21.6, 0.5)
        low = (seen.t > seen.t[-1] - 1.6) & (seen.clearance < 12_000.0)
        if not low.any():
            continue
        position, level = seen.position[low], seen.forward[low] - seen.pitch_vector[low]
        level /= np.sqrt((level * level).sum(axis=1, keepdims=True))
        aside, away = np.radians(np.arange(-38.0, 39.0, 2.0)), np.geomspace(3_500.0, 34_000.0, 12)
        way = level * np.cos(aside)[:, None, None, None] + seen.right[low] * np.sin(aside)[:, None, None, None]
        away = away[None, :, None]
        height = np.maximum(ground.sampled(position + away[..., None] * way), 0.0)
        rise = ((height - away**2 / (2.0 * RADIUS) - ground.altitude(position)) / away).max(axis=1)
        # Where no mountain stands out of the land, the sun is the goal.
        fit = rise.max(axis=0) - np.median(rise, axis=0) > 0.04
        # Beside the picture's middle part it is no goal but what came into view meanwhile.
        fit &= np.abs(aside[rise.argmax(axis=0)]) <= np.radians(30.0)
        bearings.extend(np.degrees(np.abs(aside[rise.argmax(axis=0)]))[fit])
    on_third = (np.array(bearings) > 6.0) & (np.array(bearings) < 24.0)
    assert len(on_third) > 5
    assert on_third.mean() > 0.6


def test_planet_birth_shows_the_whole_disc_and_both_sides() -> None:
    for seed in range(20):
        birth = planet_birth.birth(RADIUS, seed, 60.0, [(10.0, 20.0), (25.0, 35.0), (42.0, 52.0)])
        angles = []
        for t in np.arange(0.0, 60.0, 0.1):
            pose = birth.pose(t)
            away = np.sqrt(pose.position @ pose.position)
            disc = np.tan(np.arcsin(RADIUS / away)) / np.tan(0.5 * pose.fov_y)
            assert 0.7 <= disc <= 0.75
            centre = view_rotation(pose) @ -pose.position
            assert np.abs(centre[0] / centre[2]) < 0.25
            angles.append(np.arctan2(pose.position[2], pose.position[0]))
        turned = np.degrees(np.abs(np.diff(np.unwrap(angles))))
        assert turned.max() / 0.1 < np.degrees(planet_birth.FASTEST_ORBIT) + 0.5
        half_orbit = turned[80:220].sum()
        assert 180.0 <= half_orbit < 250.0


@pytest.mark.parametrize("make", ["terrain", "planet"])
def test_flights_are_pure_and_smooth(make: str) -> None:
    for seed in (3, 1234567):
        ground = terrain_ground(seed) if make == "terrain" else planet_ground(seed)
        flight = (terrain_flight if make == "terrain" else planet_flight)(ground, seed)
        again = (terrain_flight if make == "terrain" else planet_flight)(ground, seed)
        times = np.random.default_rng(seed).uniform(0.0, flight.seconds, 60)
        first = {t: flight.pose(t) for t in times}
        for t in times[::-1]:
            for other in (flight.pose(t), again.pose(t)):
                assert np.array_equal(first[t].position, other.position)
                assert np.array_equal(first[t].forward, other.forward)
                assert np.array_equal(first[t].up, other.up)
        assert np.array_equal(flight.poses(times), poses_of([first[t] for t in times]))
        # Half the step changes the velocity half as much: it jumps nowhere, not even at the join.
        coarse, fine = Watched(flight, ground, 0.0, 0.04), Watched(flight, ground, 0.0, 0.02)
        assert fine.acceleration.max() < 1.3 * coarse.acceleration.max() + 1.0


def test_outside_its_time_a_flight_rests_at_its_ends() -> None:
    flight = terrain.birth(terrain_ground(5), 5, 10.0)
    assert np.array_equal(flight.pose(-1.0).position, flight.pose(0.0).position)
    assert np.array_equal(flight.pose(99.0).position, flight.pose(10.0).position)


def test_worlds_without_land_or_of_one_cell_are_flown_too() -> None:
    for heights in (np.full((1, 2, 2), -5.0), np.zeros((1, 3, 3)), np.full((1, 2, 2), 900.0)):
        flight = Parts(terrain.plan(Ground(PLANE, heights.astype(np.float32), EXTENT), 1, 30.0)).result()
        assert all(np.isfinite(flight.pose(t).position).all() for t in np.linspace(0.0, 30.0, 31))
    for heights in (np.full((6, 2, 2), -5.0), np.full((6, 2, 2), 900.0)):
        sun = np.array([0.6, 0.0, 0.8])
        flight = Parts(planet.plan(Ground(CUBE, heights.astype(np.float32), RADIUS), 1, sun, 30.0)).result()
        assert all(np.isfinite(flight.pose(t).position).all() for t in np.linspace(0.0, 30.0, 31))


def test_the_camera_matrices_agree() -> None:
    pose = look_at(np.array([10.0, 20.0, -5.0]), np.array([3.0, 4.0, 50.0]), np.array([0.0, 1.0, 0.0]), 0.9)
    rotation = view_rotation(pose)
    assert np.allclose(rotation @ rotation.T, np.eye(3), atol=1e-14)
    assert np.linalg.det(rotation) == pytest.approx(1.0)
    assert np.allclose(rotation @ pose.forward, [0.0, 0.0, -1.0])
    matrix = projection(pose, 1.6, 0.5, 100.0)
    assert matrix.dtype == np.float32
    planes = frustum_planes(pose, 1.6)
    points = np.random.default_rng(0).normal(size=(400, 3)) * 30.0
    clip = np.concatenate([points @ rotation.T, np.ones((400, 1))], axis=1) @ matrix.T.astype(np.float64)
    inside = (np.abs(clip[:, :2]) <= clip[:, 3:]).all(axis=1)
    assert 0 < inside.sum() < 400
    assert np.array_equal(inside, (points @ planes[:, :3].T + planes[:, 3] >= 0.0).all(axis=1))
    near, far = pose.forward * 0.5, pose.forward * 100.0
    for point, depth in ((near, -1.0), (far, 1.0)):
        at = matrix.astype(np.float64) @ [*(rotation @ point), 1.0]
        assert at[2] / at[3] == pytest.approx(depth, abs=1e-4)


def test_blends_run_from_one_pose_to_the_other_around_the_planet() -> None:
    up = np.array([0.0, 1.0, 0.0])
    a = look_at(np.array([900.0, 10.0, 0.0]), np.zeros(3), up)
    b = look_at(np.array([-500.0, 10.0, 20.0]), np.array([-600.0, 0.0, 0.0]), up, 0.5)
    assert blend(a, b, 0.0) is a
    assert blend(a, b, 1.0) is b
    steps = [blend(a, b, w, spherical=True) for w in np.linspace(0.0, 1.0, 101)]
    away = np.array([np.linalg.norm(pose.position) for pose in steps])
    assert np.all(np.diff(away) < 0.0)
    turned = [np.arccos(np.clip(p.forward @ q.forward, -1, 1)) for p, q in pairwise(steps)]
    assert max(turned) < 2.0 * max(np.mean(turned), 1e-9)
    assert np.allclose(blend(a, b, 1.0 - 1e-9).up, b.up, atol=1e-6)
    half = look_at(a.position, 2 * a.position, up)
    assert np.isfinite(blend(a, half, 0.5).forward).all()


def test_tracks_are_twice_differentiable_and_inside_their_hull() -> None:
    control = np.random.default_rng(2).normal(size=(30, 2))
    track = Track(control, 0.5)
    t = np.arange(0.0, 13.4, 1e-3)
    values = track.sampled(t)
    assert np.allclose(values[700], track.at(t[700]))
    bend = np.diff(values, 2, axis=0) / 1e-6
    assert np.abs(np.diff(bend, axis=0)).max() < 0.6
    assert values.min() >= control.min()
    assert np.abs(np.diff(values, axis=0)).max() / 1e-3 <= np.abs(np.diff(control, axis=0)).max() / 0.5 + 1e-9


def test_smoothing_keeps_lines_and_widening_is_a_maximum() -> None:
    line = np.linspace(3.0, 9.0, 40)
    assert np.allclose(smoothed(line, 4.0), line)
    assert widened(np.array([0.0, 0.0, 5.0, 0.0, 0.0]), 1).tolist() == [0.0, 5.0, 5.0, 5.0, 0.0]


@pytest.mark.parametrize("spherical", [False, True])
def test_the_free_camera_stays_outside_and_level(spherical: bool) -> None:
    ground = planet_ground(1, True) if spherical else terrain_ground(1, detail=True)
    flight = (planet_flight if spherical else terrain_flight)(ground, 1)
    camera = FreeCamera(flight.pose(flight.seconds * 0.6), ground)
    start = camera.pose
    camera.update(0.0, set())
    assert np.allclose(camera.pose.position, start.position)
    draw = np.random.default_rng(0)
    for k in range(600):
        held = {"forward", "down"} if k < 200 else {"forward", "right"} if k < 400 else {"backward", "up"}
        camera.update(1 / 30, held, *draw.normal(0.0, 30.0, 2), 1.0 if k % 100 == 0 else 0.0)
        pose = camera.pose
        assert ground.clearance(pose.position[None])[0] > 5.0
        assert np.isfinite(pose.position).all()
        assert abs(pose.forward @ pose.up) < 1e-9
        assert abs(np.cross(pose.forward, pose.up) @ ground.up(pose.position)) < 0.02


def test_the_free_camera_goes_where_it_is_steered() -> None:
    ground = terrain_ground(2)
    begin = look_at(np.array([0.0, 6_000.0, 0.0]), np.array([0.0, 6_000.0, -100.0]), np.array([0.0, 1.0, 0.0]))
    ways = {"forward": -2, "backward": 2, "right": 0, "left": -0.5, "up": 1, "down": -1}
    for name, axis in ways.items():
        camera = FreeCamera(begin, ground)
        for _ in range(10):
            camera.update(0.1, {name})
        moved = camera.pose.position - begin.position
        k = {2: 2, 0: 0, 0.5: 0, 1: 1}[abs(axis)]
        assert abs(moved[k]) > 0.95 * np.linalg.norm(moved)
        assert np.sign(moved[k]) == (-1.0 if axis < 0 else 1.0)
    camera = FreeCamera(begin, ground)
    camera.update(0.1, set(), 100.0, 0.0)
    assert camera.pose.forward[0] > 0.1
    camera.update(0.1, set(), 0.0, -100.0)
    assert camera.pose.forward[1] > 0.1


def test_a_free_camera_turned_on_far_above_a_planet_does_not_jump() -> None:
    ground = planet_ground(0)
    pose = planet_birth.birth(RADIUS, 4, 20.0, []).pose(5.0)
    camera = FreeCamera(pose, ground)
    before: Pose = camera.pose
    for _ in range(60):
        camera.update(1 / 30, {"forward"})
        assert np.arccos(np.clip(camera.pose.forward @ before.forward, -1, 1)) < 0.05
        assert np.arccos(np.clip(camera.pose.up @ before.up, -1, 1)) < 0.05
        before = camera.pose


def test_the_articles_own_views() -> None:
    view = terrain.as_printed(90.0, EXTENT)
    assert np.hypot(view.position[0], view.position[2]) == pytest.approx(EXTENT / 2)
    assert np.degrees(np.arctan2(view.position[0], view.position[2])) == pytest.approx(45.0)
    globe = planet.as_printed(0.0, RADIUS)
    assert np.arcsin(RADIUS / np.linalg.norm(globe.position)) < 0.5 * globe.fov_y


def chosen_of_two(ground: Ground) -> tuple[list[list[int]], list[list[int]]]:
    """What `river.chosen` says of two rivers that are as long, as well lit and as well placed as one another.

    One flows east at 0.2 radians north, the other as far south.
    """
    east = np.linspace(-0.15, 0.15, 40)
    routes = [
        np.stack([np.cos(0.2) * np.cos(east), np.full(40, np.sin(lat)), np.cos(0.2) * np.sin(east)], 1)
        for lat in (0.2, -0.2)
    ]
    sun, eye, along = np.array([0.5, 0.0, -0.8]), np.array([3e6, 0.0, 0.0]), np.array([0.0, 0.0, 1.0])
    return river.chosen(ground, routes, sun / np.linalg.norm(sun), eye, along)


@pytest.mark.parametrize("mountains", [0, 1])
def test_of_two_rivers_the_one_between_mountains_is_followed(mountains: int) -> None:
    side = (1.0, -1.0)[mountains]
    at = CUBE.positions(65)
    ridges = 4_000.0 * np.exp(-(((np.abs(at[..., 1]) - 0.24) / 0.02) ** 2)) * (side * at[..., 1] > 0.0)
    ground = ground_of(CUBE, 300.0 + ridges, RADIUS, None)
    by_day, by_night = chosen_of_two(ground)
    assert by_day[0] == [mountains, 1 - mountains] and by_night == [[]]


@pytest.mark.parametrize("valley", [0, 1])
def test_of_two_rivers_with_mountains_on_the_horizon_the_one_in_a_valley_is_followed(valley: int) -> None:
    side = (1.0, -1.0)[valley]
    at = CUBE.positions(385)
    away_km = (np.abs(np.arcsin(at[..., 1])) - 0.2) * RADIUS / 1_000.0
    mountains = 3_000.0 * (away_km > 12.0) * (away_km < 24.0)
    walls = 1_000.0 * (np.abs(away_km) > 3.0) * (np.abs(away_km) < 8.0) * (side * at[..., 1] > 0.0)
    ground = ground_of(CUBE, 300.0 + mountains + walls, RADIUS, None)
    by_day, _ = chosen_of_two(ground)
    assert by_day[0] == [valley, 1 - valley]


@pytest.mark.parametrize("slow", [1.0, 1.45])
def test_the_picture_does_not_roll_when_up_becomes_the_way_from_the_planet(slow: float) -> None:
    """Not even where the disc stands beside the middle at first and the picture has turned halfway round."""
    ground, t = planet_ground(0), np.arange(0.0, 60.0, descent.STEP_S)
    phases = descent.Phases(24.0, 44.0, 56.0, slow)
    direction = np.broadcast_to([1.0, 0.0, 0.0], (len(t), 3))
    altitude = np.exp(np.interp(t, (0.0, phases.down), np.log((3.0 * RADIUS, 5_000.0))))
    for seed in range(6):
        for turned in np.radians((-150.0, 40.0, 120.0)):
            ahead = np.broadcast_to([0.0, np.cos(turned), np.sin(turned)], (len(t), 3))
            frames = descent.frames_of(seed, t, direction, ahead, descent.pitch_of(ground, altitude), phases)
            control = descent.track_of(ground, t, direction, altitude, frames, phases).control
            becoming = (control[:, 9] > 0.02) & (control[:, 9] < 1.0)
            assert becoming.sum() >= 4
            vertical, picture = (descent.level_toward(up, frames[0])[becoming] for up in (direction, frames[1]))
            rolled = np.degrees(np.arccos(np.clip((vertical * picture).sum(axis=1), -1.0, 1.0)))
            # Little of up is new at first.
            assert (rolled * control[becoming, 9]).max() < 2.5


def test_a_river_by_night_is_the_last_that_is_followed() -> None:
    """Whatever mountains stand beside it. Under a high sun, which sinks on the way, it is day."""
    at = CUBE.positions(65)
    ground = ground_of(CUBE, 300.0 + 4_000.0 * np.exp(-(((at[..., 0] + 0.97) / 0.05) ** 2)), RADIUS, None)
    east = np.linspace(-0.15, 0.15, 40)
    routes = [
        np.stack([side * np.cos(0.2) * np.cos(east), np.full(40, np.sin(0.2)), np.cos(0.2) * np.sin(east)], 1)
        for side in (-1.0, 1.0)
    ]
    eye, along = np.array([-3e6, 0.0, 0.0]), np.array([0.0, 0.0, 1.0])
    by_day, by_night = river.chosen(ground, routes, np.array([1.0, 0.0, 0.0]), eye, along)
    assert by_day == [[], [1], []] and by_night == [[0]]
