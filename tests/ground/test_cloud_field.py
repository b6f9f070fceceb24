"""The cover of clouds: its range, its seed, and that it tiles without a crease."""

from __future__ import annotations

import numpy as np
import pytest

from demo.ground.cloud_field import cloud_field


def bends(field):
    """Mean absolute second difference across each row but the outermost: float64 (rows - 2,)."""
    return np.abs(np.diff(field.astype(np.float64), 2, axis=0)).mean(axis=1)


@pytest.mark.parametrize("cells", [2, 8, 64])
def test_clouds_tile_and_fill_0_to_1(cells):
    clouds = cloud_field(9, cells)
    assert clouds.shape == (cells, cells) and clouds.dtype == np.float32
    assert clouds.min() == 0.0 and clouds.max() == 1.0
    assert not np.array_equal(clouds, cloud_field(10, cells))
    if cells == 64:
        wide = np.tile(clouds, (2, 2))
        assert bends(wide)[62:64].max() < 2 * np.median(bends(wide))


@pytest.mark.parametrize("cells", [0, 1, 3, 100])
def test_clouds_of_another_size_are_refused(cells):
    with pytest.raises(ValueError, match="power of two"):
        cloud_field(1, cells)
