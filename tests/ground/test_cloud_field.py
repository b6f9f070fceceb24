"""The cover of clouds: its range, its seed, and that it tiles without a crease."""

from __future__ import annotations

import numpy as np
import pytest

from demo.ground.cloud_field import _spread_out, _whirled, cloud_field


def bends(field):
    """Mean absolute second difference across each row but the outermost: float64 (rows - 2,)."""
    return np.abs(np.diff(field.astype(np.float64), 2, axis=0)).mean(axis=1)


@pytest.mark.parametrize("cells", [2, 8, 64])
def test_clouds_tile_and_lie_in_0_to_1(cells):
    clouds = cloud_field(9, cells)
    assert clouds.shape == (cells, cells) and clouds.dtype == np.float32
    assert 0.0 <= clouds.min() < 0.4 and 0.6 < clouds.max() <= 1.0
    assert np.array_equal(clouds, cloud_field(9, cells)) and not np.array_equal(clouds, cloud_field(10, cells))
    if cells == 64:
        wide = np.tile(clouds, (2, 2))
        assert bends(wide)[62:64].max() < 2 * np.median(bends(wide))


@pytest.mark.parametrize("seed", range(6))
def test_no_quarter_of_a_tile_is_all_cloud_or_all_clear(seed):
    clouds = cloud_field(seed, 256)
    for quarter in clouds.reshape(2, 128, 2, 128).transpose(0, 2, 1, 3).reshape(4, -1):
        assert 0.1 < (quarter > 0.5).mean() < 0.9


def test_whirls_wind_the_cover_up_and_lose_next_to_none_of_it():
    """Air that is carried along keeps its cover: only its place changes."""
    before = _spread_out(np.random.default_rng(3).normal(size=(256, 256)).cumsum(axis=0).cumsum(axis=1))
    before = np.sin(before / before.std()).astype(np.float32)
    after = _whirled(before, 7)
    assert np.abs(after - before).mean() > 0.2
    assert np.allclose(np.quantile(after, (0.1, 0.5, 0.9)), np.quantile(before, (0.1, 0.5, 0.9)), atol=0.12)


@pytest.mark.parametrize("cells", [0, 1, 3, 100])
def test_clouds_of_another_size_are_refused(cells):
    with pytest.raises(ValueError, match="power of two"):
        cloud_field(1, cells)
