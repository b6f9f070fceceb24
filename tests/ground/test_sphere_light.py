"""The light of a planet: mountains throw shadows away from the sun and hide a part of the sky, alike on all faces."""

import numpy as np
import pytest

from demo.ground.relief import GUTTER, HORIZON, OPEN, Relief
from demo.ground.relief_maker import ReliefMaker
from demo.maths.vectors import unit
from demo.worlds.atlas import ATLASES
from demo.worlds.heightfield import sample

RADIUS_M, HIGH_M, WIDE_M, N = 400_000.0, 9_000.0, 14_000.0, 97
SPHERICAL = {name: atlas for name, atlas in ATLASES.items() if atlas.spherical}
SPHERE = pytest.mark.parametrize("atlas", SPHERICAL.values(), ids=SPHERICAL)
# Near an edge of a face on every atlas, and off the poles.
SUMMIT = unit(np.array([0.70, 0.25, 0.68]))
EAST = unit(np.cross([0.0, 1.0, 0.0], SUMMIT))


def mountain(atlas, n=N):
    """Heights in metres: one mountain on a plain a little above the sea."""
    cosine = np.clip(atlas.positions(n) @ SUMMIT, -1.0, 1.0)
    away = np.arccos(cosine) * RADIUS_M
    return (50.0 + HIGH_M * np.exp(-0.5 * (away / WIDE_M) ** 2)).astype(np.float32)


def light_of(atlas, heights, suns):
    n = heights.shape[-1]
    relief = Relief.empty(atlas, n)
    ReliefMaker(atlas, n, RADIUS_M, 20_000.0, np.zeros((0, 2))).fill(relief, heights, 0.0, 1.0, suns=suns)
    return relief.light[:, GUTTER:-GUTTER, GUTTER:-GUTTER]


def at(atlas, light, km, channel):
    """A channel of the light, 0..1, so many kilometres east of the summit."""
    angle = np.asarray(km) * 1000.0 / RADIUS_M
    place = SUMMIT * np.cos(angle)[:, None] + EAST * np.sin(angle)[:, None]
    return sample(light[..., channel].astype(np.float32), *atlas.invert(place)[:3]) / 255.0


def towards(bearing, degrees):
    """The sun over the summit: `bearing` (3,), level, and its elevation."""
    angle = np.radians(degrees)
    return bearing * np.cos(angle) + SUMMIT * np.sin(angle)


@SPHERE
def test_a_mountain_throws_its_shadow_away_from_the_sun_alone(atlas):
    suns = np.stack([towards(EAST, 8.0), towards(-EAST, 8.0), towards(EAST, 70.0)])
    light = light_of(atlas, mountain(atlas), suns)
    # 9 km / tan(8 degrees) is 64 km, and less where the planet falls away.
    km = np.array([24.0, 30.0, 36.0])
    height = np.sin(np.radians(8.0))
    east, west = at(atlas, light, km, 0) * HORIZON, at(atlas, light, -km, 0) * HORIZON
    assert (east < 0.02).all() and (west > height + 0.02).all()
    assert (at(atlas, light, km, 1) * HORIZON > height + 0.02).all()
    assert at(atlas, light, np.array([-150.0]), 0) * HORIZON < 0.02, "the planet falls away, and the shadow ends"
    assert at(atlas, light, np.array([0.0]), 0) * HORIZON < 0.02, "the summit stands in the sun"


@SPHERE
def test_a_mountain_hides_sky_beside_it(atlas):
    light = light_of(atlas, mountain(atlas), np.stack([EAST, EAST, EAST]))
    summit, foot, plain = at(atlas, light, np.array([0.0, 20.0, 200.0]), 3)
    assert summit > 0.97 and plain > 0.99 and foot < 0.97


@SPHERE
def test_shadows_pass_over_the_edges_of_faces(atlas):
    heights = mountain(atlas) + np.random.default_rng(3).normal(0.0, 800.0, (atlas.faces, N, N)).astype(np.float32)
    copies, owners = atlas.seams(N)
    heights.reshape(-1)[copies] = heights.reshape(-1)[owners]
    light = light_of(atlas, heights, np.stack([EAST, SUMMIT, towards(EAST, 8.0)])).reshape(-1, 4).astype(int)
    assert np.abs(light[copies] - light[owners]).max() <= 2


def test_a_planet_that_grows_has_no_shadows_and_needs_no_room_for_them():
    atlas = ATLASES["cube"]
    relief = Relief.empty(atlas, N)
    maker = ReliefMaker(atlas, N, RADIUS_M, 20_000.0, np.zeros((0, 2)))
    maker.fill(relief, mountain(atlas), 0.0, 1.0, suns=np.stack([EAST, EAST, EAST]))
    assert relief.light[..., 0].any()
    maker.fill(relief, mountain(atlas), 0.0, 1.0)
    assert relief.light.shape == (6, OPEN, OPEN, 4) and (relief.light == (0, 0, 0, 255)).all()


def test_suns_of_another_shape_are_refused():
    atlas = ATLASES["cube"]
    maker = ReliefMaker(atlas, 9, RADIUS_M, 20_000.0, np.zeros((0, 2)))
    with pytest.raises(ValueError, match="suns"):
        maker.fill(Relief.empty(atlas, 9), mountain(atlas, 9), 0.0, 1.0, suns=np.zeros((2, 3)))
