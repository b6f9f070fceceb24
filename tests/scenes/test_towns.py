"""Towns stand on land, by the sea and where it is warm; their lamps are lit at night, and hidden by what is in front."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from support.showing import story_of

from demo.flight.camera import look_at
from demo.ground.air import Air
from demo.ground.ground import Ground
from demo.hosts import offscreen
from demo.scenes.scenes import SCENES
from demo.scenes.towns import lamps
from demo.worlds.atlas import ATLASES

pytestmark = pytest.mark.usefixtures("plain_flights")

SIZE_M, RELIEF_M = 420_000.0, 9_000.0
PLANET, TERRAIN = "cuts", "plasma"


@cache
def ground_of(name: str, seed: int) -> Ground:
    story = story_of(name, seed)
    story.prepare()
    return story.prepared.ground


def lamps_of(name: str, seed: int = 1) -> tuple[Ground, np.ndarray]:
    ground = ground_of(name, seed)
    return ground, lamps(ground, seed, SCENES[name].relief_m)


@pytest.mark.parametrize("name", [PLANET, TERRAIN, "simplex", "particles", "doublecone"])
def test_lamps_stand_on_the_land_and_a_little_above_it(name):
    for seed in (1, 2):
        ground, found = lamps_of(name, seed)
        assert len(found) > 300
        at = found["position"].astype(np.float64)
        assert (ground.height(at) > 0.0).all()
        above = ground.clearance(at)
        assert above.min() > -0.2 and above.max() < 2e-3 * ground.size_m
        assert (found["colour"] >= 0.0).all() and (found["spread"] > 0.0).all()
        assert found["late"].min() >= 0.0 and found["late"].max() < 1.0


def test_the_same_seed_has_the_same_towns_and_another_has_others():
    ground, found = lamps_of(PLANET)
    np.testing.assert_array_equal(lamps(ground, 1, SCENES[PLANET].relief_m), found)
    assert not np.array_equal(lamps(ground, 2, SCENES[PLANET].relief_m)[:100], found[:100])


def test_a_world_of_sea_or_of_ice_has_no_towns():
    sea = Ground(ATLASES["cube"], np.full((6, 17, 17), -100.0, np.float32), SIZE_M)
    ice = Ground(ATLASES["cube"], np.full((6, 17, 17), 100.0, np.float32), SIZE_M)
    assert len(lamps(sea, 1, RELIEF_M)) == 0
    assert len(lamps(ice, 1, RELIEF_M, snow_line=0.0)) == 0


def test_most_lamps_are_near_the_sea_and_none_at_the_poles():
    ground, found = lamps_of(PLANET)
    at = found["position"].astype(np.float64)
    assert np.abs(at[:, 1]).max() / ground.size_m < 0.9
    land = np.random.default_rng(1).normal(size=(4000, 3))
    land = land / np.linalg.norm(land, axis=1, keepdims=True) * ground.size_m
    land = land[(ground.height(land) > 0.0) & (np.abs(land[:, 1]) < 0.7 * ground.size_m)]

    def share_near_sea(points: np.ndarray) -> float:
        offsets = 0.03 * ground.size_m * np.array([(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)])
        return float((ground.height(points[:, None, :] + offsets) <= 0.0).any(axis=1).mean())

    assert share_near_sea(at) > 1.3 * share_near_sea(land)


@pytest.fixture(scope="module")
def drawn():
    """How much light the lamp of a planet's north pole sends to an eye, by the sun's direction and the eye's side."""
    with offscreen.context((64, 64)):
        from demo.geometry.scattering import air_table
        from demo.geometry.view import make_view
        from demo.render.frame_view import look_through
        from demo.render.gl.targets import Target
        from demo.render.shared_textures import SharedTextures, clouds_texture, noise_texture, sunlight_texture
        from demo.render.sky_view import SkyView
        from demo.render.town_lights import TownLights, TownLightsPass
        from demo.scenes.towns import LAMP

        towns_pass, target = TownLightsPass(), Target(64, 64)
        lamp = np.zeros(1, LAMP)
        lamp["position"], lamp["colour"], lamp["spread"], lamp["late"] = (0.0, SIZE_M, 0.0), 1.0, 2_000.0, 0.5
        towns = TownLights(towns_pass, lamp, spherical=True)
        seen, air = SkyView(), Air(ground_radius_m=SIZE_M, height_m=40_000.0)
        textures = SharedTextures(noise_texture(), sunlight_texture(air_table(air)), clouds_texture(None), seen.texture)

        def light(sun, eye=(0.0, 2.0, 0.2)) -> float:
            sun = np.array(sun) / np.linalg.norm(sun)
            pose = look_at(np.array(eye) * SIZE_M, np.array([0.0, SIZE_M, 0.0]), np.array([0.0, 0.0, 1.0]))
            view = make_view(pose, 1.0, 1_000.0, 4.0 * SIZE_M, air, np.zeros(3), sun, np.ones(3))
            look_through(view)
            seen.draw(view, textures.sunlight)
            target.begin()
            towns.draw(view, sun, SIZE_M, 1.0, 64, textures)
            return float(target.read_floats()[..., :3].sum())

        yield light
        for thing in (towns, towns_pass, target, textures.noise, textures.sunlight, textures.clouds, seen):
            thing.free()


def test_a_lamp_is_lit_when_the_sun_is_down_and_not_by_day(drawn):
    by_height = [drawn((1.0, height, 0.0)) for height in (0.5, 0.1, -0.1, -0.8)]
    assert by_height[:2] == [0.0, 0.0] and by_height[2] > 0.0 and by_height[3] == pytest.approx(by_height[2], rel=0.2)


def test_a_lamp_beyond_the_horizon_is_left_out(drawn):
    assert drawn((0.0, -1.0, 0.0), (0.0, -2.0, 0.2)) == 0.0
