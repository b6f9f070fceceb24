"""Worlds that are rarer than the others of their scene: deserts under an ochre sky."""

from __future__ import annotations

import numpy as np
import pytest
from support.sky_light import air_light

from demo.geometry.scattering import scattering_table
from demo.scenes.scenes import DESERT_SHARE, SCENES

SEEDS = 4000
WITH_DESERTS = [scene for scene in SCENES.values() if scene.varieties]
VALUES = {"carve": 1.0}


@pytest.mark.parametrize("scene", WITH_DESERTS, ids=lambda scene: scene.name)
def test_the_seed_alone_says_which_worlds_are_deserts(scene):
    worlds = [scene.for_world(VALUES, seed) for seed in range(SEEDS)]
    deserts = sum(world.air != scene.air for world in worlds)
    assert abs(deserts / SEEDS - DESERT_SHARE) < 0.02
    assert all((world.palettes == scene.palettes) == (world.air == scene.air) for world in worlds)
    assert worlds[:50] == [scene.for_world(VALUES, seed) for seed in range(50)]


def test_scenes_without_varieties_have_one_air():
    for scene in SCENES.values():
        if not scene.varieties:
            assert all(scene.for_world(VALUES, seed).air == scene.air for seed in range(200))


@pytest.mark.parametrize("scene", WITH_DESERTS, ids=lambda scene: scene.name)
def test_the_dusty_sky_is_ochre_and_blue_around_a_low_sun(scene):
    air = scene.varieties[0].air
    low, high = (sky(air, degrees) for degrees in (2.0, 50.0))
    red, green, blue = high["aside"]
    assert red > green > blue and blue < 0.6 * red, "an ochre sky by day"
    assert low["sun"][2] > low["sun"][0], "blue around a low sun"
    assert low["aside"][2] / low["aside"][0] < low["sun"][2] / low["sun"][0]
    # Of Earth's own air it is the other way around.
    assert sky(scene.air, 2.0)["sun"][2] < sky(scene.air, 2.0)["sun"][0]


def sky(air, degrees):
    """The sky's light, (3,), 4 degrees beside a sun of that elevation, and across from it at 30 degrees."""
    up = np.radians(degrees)
    sun = np.array([np.cos(up), np.sin(up), 0.0])
    beside = np.radians(4.0)
    rays = np.array(
        [
            [np.cos(up) * np.cos(beside), np.sin(up), np.cos(up) * np.sin(beside)],
            [0.0, 0.5, np.sqrt(0.75)],
        ]
    )
    light = air_light(air, 300.0, rays, sun, scattering_table(air), 200)
    return {"sun": light[0], "aside": light[1]}
