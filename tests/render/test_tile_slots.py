"""Slots of tiles: there is room for what is in use, and tiles stay where they are when there is more of it."""

from __future__ import annotations

import numpy as np

from demo.render.tile_slots import HELD, TileSlots

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


def test_tiles_made_ahead_take_what_no_frame_used_last_and_stay_until_they_are_needed() -> None:
    slots = TileSlots(4, SIDE)
    owner, all_ = slots.new_owner(), patches(40)
    slots.find(owner, all_[:10])
    slots.find(owner, all_[4:14])
    assert slots.lacks(owner, all_[:16]).tolist() == [False] * 14 + [True] * 2
    assert slots.lacks(slots.new_owner(), all_[:3]).all(), "tiles are their owner's"
    # Of the 16 slots 10 are in use: no more than 6 are made ahead, in the place of those that were used before.
    ahead = slots.reserve(owner, all_[20:28])
    assert len(ahead) == 6 and not slots.lacks(owner, all_[20:26]).any() and slots.lacks(owner, all_[26:28]).all()
    now, missing = slots.find(owner, all_[4:14])
    assert not len(missing) and not {tuple(place) for place in now} & {tuple(place) for place in ahead}
    for first in (5, 6, 7):
        # What has left the picture makes room, though it was there later.
        _, missing = slots.find(owner, all_[first : first + 8])
        assert missing.tolist() == ([] if first < 7 else [7])
    again, missing = slots.find(owner, all_[20:26])
    assert not len(missing) and np.array_equal(again, ahead)


def test_tiles_made_ahead_are_kept_when_there_are_fewer_rows() -> None:
    slots = TileSlots(ALONG, SIDE)
    owner = slots.new_owner()
    slots.find(owner, patches(20))
    slots.reserve(owner, patches(30)[20:])
    assert slots.rows_in_use() * ALONG >= 30
    slots.trim(slots.rows_in_use())
    assert not slots.lacks(owner, patches(30)).any()


def test_a_tile_that_was_made_ahead_in_vain_goes_in_the_end() -> None:
    slots = TileSlots(4, SIDE)
    owner, all_ = slots.new_owner(), patches(64)
    slots.find(owner, all_[:8])
    slots.reserve(owner, all_[8:12])
    for _ in range(HELD + 1):
        slots.find(owner, all_[:8])
    slots.find(owner, all_[16:32])
    assert slots.lacks(owner, all_[8:12]).all()
