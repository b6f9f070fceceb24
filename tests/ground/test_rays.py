"""Compiled loops find the heights that numpy finds, bit for bit, on every atlas, and where rays meet the ground."""

import numpy as np
import pytest

from demo.ground.ground import MANY, Ground
from demo.worlds.atlas import ATLASES

ATLAS = pytest.mark.parametrize("atlas", ATLASES.values(), ids=ATLASES)
SIZE_M = 40_000.0


def ground_on(atlas) -> Ground:
    heights = np.random.default_rng(3).normal(200.0, 900.0, (atlas.faces, 17, 17)).astype(np.float32)
    return Ground(atlas, heights, SIZE_M)


def places(atlas, count: int) -> np.ndarray:
    """Points above and below the ground: of planets also on their axes, of terrains also on the rim."""
    draw = np.random.default_rng(5)
    if not atlas.spherical:
        at = draw.uniform(-0.6, 0.6, (count, 3)) * SIZE_M
        at[:4, [0, 2]] = np.array([(0.5, 0.5), (-0.5, 0.2), (0.0, -0.5), (-0.5, -0.5)]) * SIZE_M
    else:
        at = draw.normal(size=(count, 3))
        at[:6], at[6:12] = np.eye(3).repeat(2, axis=0) * np.tile([[1.0], [-1.0]], (3, 1)), [(1, 1, 1)] * 3 + [(-1, 1, 0)] * 3
        at *= (SIZE_M + draw.uniform(-900.0, 2_500.0, (count, 1))) / np.sqrt((at * at).sum(axis=1, keepdims=True))
    return at


@ATLAS
def test_many_places_have_the_heights_of_few(atlas):
    ground, at = ground_on(atlas), places(atlas, 4 * MANY)
    few = np.concatenate([ground.sampled(part) for part in np.split(at, 8)])
    assert np.array_equal(ground.sampled(at), few)
    assert np.array_equal(ground.sampled(at.reshape(8, -1, 3)[::2]), few.reshape(8, -1)[::2])
    assert len(np.unique(few)) > 2_000 and few.min() < 0.0 < few.max()


@ATLAS
def test_rays_meet_the_ground_at_the_first_step_below_it(atlas):
    ground, draw = ground_on(atlas), np.random.default_rng(9)
    eyes = places(atlas, 40)
    if not atlas.spherical:
        eyes[:, 1] = draw.uniform(300.0, 3_000.0, 40)
    rays = draw.normal(size=(40, 30, 3))
    rays /= np.sqrt((rays * rays).sum(axis=2, keepdims=True))
    along = np.geomspace(90.0, 30_000.0, 14) * draw.uniform(0.5, 1.5, (40, 1))
    distance, place, height = ground.met_by(eyes, rays, along)
    at = eyes[:, None, None] + rays[:, :, None] * along[:, None, :, None]
    under = ground.sampled(at)
    below = ground.altitude(at) <= np.maximum(under, 0.0)
    # What has risen above the highest land meets nothing any more.
    rising = np.diff(ground.altitude(at), axis=2, prepend=np.inf) > 0.0
    left = np.cumsum((ground.altitude(at) > ground.highest_m) & rising, axis=2) > 0
    below &= ~left
    met, first = below.any(axis=2), below.argmax(axis=2)
    assert 100 < met.sum() < 1_100
    first[~met] = 0
    at, under, away = (
        np.take_along_axis(part, index, axis=2)[:, :, 0]
        for part, index in (
            (at, first[:, :, None, None]),
            (under, first[:, :, None]),
            (np.broadcast_to(along[:, None], below.shape), first[:, :, None]),
        )
    )
    assert np.array_equal(distance, np.where(met, away, np.inf))
    assert np.array_equal(place, at)
    assert np.array_equal(height, np.where(met, under, 0.0))


def test_places_without_a_direction_have_no_height():
    for atlas in ATLASES.values():
        at = places(atlas, MANY)
        at[0], at[1] = 0.0, np.nan
        odd = ground_on(atlas).sampled(at)[:2]
        assert np.isnan(odd).all() if atlas.spherical else np.isfinite(odd[0]) and odd[1] == 0.0
