"""Slots of tiles: there is room for what is in use, and tiles stay where they are when there is more of it."""

from __future__ import annotations

import numpy as np

from demo.render.tile_slots import TileSlots

ALONG, SIDE = 16, 51


def patches(count: int) -> np.ndarray:
    """Patches of one level, float32 (count, 4): face, u and v of the middle, edge."""
    row, column = np.divmod(np.arange(count), 32)
    return np.stack([0 * row, (column + 0.5) / 32, (row + 0.5) / 32, 0 * row + 1 / 32], axis=1).astype(np.float32)


def test_sparing_slots_begin_with_few_rows_and_have_more_when_they_are_wanted() -> None:
    slots = TileSlots(ALONG, SIDE, sparing=True)
    owner, few = slots.new_owner(), slots.rows
    assert few < ALONG == TileSlots(ALONG, SIDE).rows
    first, missing = slots.find(owner, patches(20))
    assert len(missing) == 20
    slots.note(first, np.arange(20, dtype=np.uint8))
    assert not slots.grow(20)
    assert slots.grow(100) and few < slots.rows < ALONG and slots.capacity >= 1.3 * 100
    again, missing = slots.find(owner, patches(20))
    assert not len(missing) and np.array_equal(again, first), "tiles stay where they are"
    assert np.array_equal(slots.noted(again), np.arange(20))
    assert not slots.grow(100), "once is enough"
    assert slots.grow(1000) and slots.rows == ALONG and not slots.grow(1000)
    assert slots.forget(owner) and slots.rows == few
