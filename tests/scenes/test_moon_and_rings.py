"""Moons and rings: some worlds have them, the flight sees them, and the planet shades its rings."""

from __future__ import annotations

import numpy as np
import pytest

from demo.flight.camera import facing, look_at
from demo.flight.paths import Flight
from demo.ground.air import Air
from demo.ground.ground import Ground
from demo.hosts import offscreen
from demo.scenes.moon_and_rings import BANDS, MOONS, RINGS, Rings, moon_and_rings_of, ring_bands
from demo.worlds.atlas import ATLASES

SIZE_M = 400_000.0
PLANET = Ground(ATLASES["cube"], np.zeros((6, 5, 5), np.float32), SIZE_M)
TERRAIN = Ground(ATLASES["plane"], np.zeros((1, 5, 5), np.float32), 40_000.0)
BIRTH_S, SECONDS = 10.0, 40.0
SEEDS = range(300)


def around(t: float):
    """Low over the planet, looking ahead and a little down."""
    angle = 0.02 * t
    out, ahead = np.array([np.cos(angle), 0.0, np.sin(angle)]), np.array([-np.sin(angle), 0.0, np.cos(angle)])
    return facing(1.06 * SIZE_M * out, ahead - 0.3 * out, out, 0.85)


def across(t: float):
    return facing(np.array([100.0 * t, 900.0, 0.0]), np.array([1.0, -0.1, 0.2]), np.array([0.0, 1.0, 0.0]), 0.8)


def of(ground: Ground, seed: int):
    pose = around if ground is PLANET else across
    return moon_and_rings_of(ground, seed, Flight(60.0, pose, ground is PLANET), BIRTH_S, SECONDS)


def test_some_worlds_have_a_moon_some_planets_rings_and_terrains_none():
    found = [of(PLANET, seed) for seed in SEEDS]
    assert np.mean([one.moon is not None for one in found]) == pytest.approx(MOONS, abs=0.09)
    assert np.mean([one.rings is not None for one in found]) == pytest.approx(RINGS, abs=0.09)
    assert all(of(TERRAIN, seed).rings is None for seed in SEEDS)


@pytest.mark.parametrize("ground", [PLANET, TERRAIN], ids=["planet", "terrain"])
def test_a_moon_stands_above_the_horizon_and_in_the_picture_at_its_moment(ground):
    pose = (around if ground is PLANET else across)(BIRTH_S + 0.62 * (SECONDS - BIRTH_S))
    up = ground.up(pose.position)
    dip = np.arccos(SIZE_M / np.linalg.norm(pose.position)) if ground is PLANET else 0.0
    for moon in filter(None, (of(ground, seed).moon for seed in SEEDS)):
        assert moon.direction @ moon.direction == pytest.approx(1.0)
        above = np.arcsin(moon.direction @ up) + dip
        assert 2.0 * moon.radius < above < np.radians(13.0)
        assert np.degrees(np.arccos(moon.direction @ pose.forward)) < 36.0


def test_rings_take_sunlight_from_what_lies_behind_them():
    bands = np.zeros((BANDS, 4), np.uint8)
    bands[BANDS // 2 :, 3] = 255
    rings = Rings(np.array([0.0, 1.0, 0.0]), 1.5, 2.5, bands)
    place = np.array([1.0, 0.0, 0.0]) + np.zeros((4, 3))
    place[:, 1] = (-0.5, -0.5, -0.5, 0.5)
    # The sun shines through the dense half, through the empty one, from beyond the rim, and from the side without rings.
    out = np.array([1.25, 0.6, 3.0, 1.25])
    sun = np.stack([out, np.full(4, 0.5), np.zeros(4)], axis=-1)
    sun /= np.sqrt((sun * sun).sum(axis=-1, keepdims=True))
    assert rings.passed(place, sun) == pytest.approx([0.15, 1.0, 1.0, 1.0])


def test_rings_have_gaps_and_end_softly():
    for seed in SEEDS:
        dense = ring_bands(seed)[:, 3] / 255.0
        assert len(dense) == BANDS and dense[0] < 0.3 and dense[-1] < 0.3
        middle = dense[BANDS // 8 : -BANDS // 16]
        assert middle.max() > 0.5 and middle.min() < 0.4 * middle.max()


@pytest.fixture(scope="module")
def picture():
    """Light and opacity of rings seen from above, float32 (96, 96, 4), by the sun."""
    with offscreen.context((96, 96)):
        from demo.geometry.scattering import air_table
        from demo.geometry.view import make_view
        from demo.render.frame_view import look_through
        from demo.render.gl.targets import Target
        from demo.render.moon_and_rings_drawn import RingsPass, RingsShown, bands_texture
        from demo.render.shared_textures import SharedTextures, clouds_texture, noise_texture, sunlight_texture
        from demo.render.sky_view import SkyView

        seen, air = SkyView(), Air(ground_radius_m=SIZE_M, height_m=40_000.0)
        rings = Rings(np.array([0.0, 1.0, 0.0]), 1.4, 2.2, np.full((8, 4), 200, np.uint8))
        rings_pass, target, bands = RingsPass(), Target(96, 96), bands_texture(rings)
        textures = SharedTextures(noise_texture(), sunlight_texture(air_table(air)), clouds_texture(None), seen.texture)

        def light(sun, shown: float = 1.0) -> np.ndarray:
            sun = np.array(sun) / np.linalg.norm(sun)
            pose = look_at(np.array([0.0, 6.5, 0.0]) * SIZE_M, np.zeros(3), np.array([0.0, 0.0, -1.0]))
            view = make_view(pose, 1.0, 1e5, 1e7, air, np.zeros(3), sun, np.ones(3))
            look_through(view)
            seen.draw(view, textures.sunlight)
            target.begin()
            rings_pass.draw(RingsShown(rings, bands, shown), view, textures, SIZE_M, 1.0)
            return target.read_floats()

        yield light
        for thing in (rings_pass, target, bands, textures.noise, textures.sunlight, textures.clouds, seen):
            thing.free()


def test_rings_are_an_annulus_and_the_planet_shades_them_on_the_side_away_from_the_sun(picture):
    seen = picture((1.0, 0.25, 0.0))
    assert seen[48, 48, 3] == 0.0 and seen[0, 0, 3] == 0.0
    # A radius is 96 / (2 * 6.5 tan(23 deg)) = 17.4 pixels: the rings lie 24 to 38 pixels from the middle.
    sunny, dark, beside = seen[48, 48 + 31, :3].sum(), seen[48, 48 - 31, :3].sum(), seen[48 + 31, 48, :3].sum()
    assert sunny == pytest.approx(beside, rel=0.3) and dark < 0.1 * sunny


def test_rings_that_are_not_there_yet_hide_nothing(picture):
    assert picture((1.0, 0.25, 0.0), shown=0.0)[..., 3].max() == 0.0


def test_rings_lit_from_behind_are_darker(picture):
    above, below = picture((1.0, 0.6, 0.0)), picture((1.0, -0.6, 0.0))
    assert below[48, 79, :3].sum() < 0.6 * above[48, 79, :3].sum()
