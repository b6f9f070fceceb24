"""The counts of the benchmarks `eyes` and `burn-in`: what flashes, what does not, and what burns in."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.flashes import BURNS_S, MOST, Flashes, Kept

FPS = 30
SHAPE = (48, 64, 3)


def flashed(levels: list[int], where: tuple[slice, slice] = (slice(None), slice(None)), colour=(1, 1, 1)) -> Flashes:
    """Pictures that are black but for a part of one level each."""
    flashes = Flashes(FPS)
    for level in levels:
        picture = np.zeros(SHAPE, np.uint8)
        picture[where] = level * np.array(colour)
        flashes.see(picture)
    return flashes


def square(hertz: float, low: int = 0, high: int = 255, seconds: float = 2.0) -> list[int]:
    return [high if (2.0 * hertz * k / FPS) % 2.0 < 1.0 else low for k in range(round(seconds * FPS))]


@pytest.mark.parametrize(("hertz", "too_many"), [(1.0, False), (3.0, False), (5.0, True), (10.0, True)])
def test_more_than_three_flashes_a_second_are_too_many(hertz, too_many):
    assert (flashed(square(hertz)).worst > MOST) is too_many


def test_faint_flashes_and_those_between_bright_levels_do_not_count():
    # 80 is 8 % of white's light, 230 is 79 %, 232 is 81 %.
    assert flashed(square(10.0, 0, 80)).worst == 0 and flashed(square(10.0, 0, 100)).worst > MOST
    assert flashed(square(10.0, 232, 255)).worst == 0 and flashed(square(10.0, 200, 255)).worst > MOST


def test_a_small_part_of_a_block_may_flash():
    small, large = (slice(0, 7), slice(0, 9)), (slice(0, 10), slice(0, 12))
    assert flashed(square(10.0), small).worst == 0 and flashed(square(10.0), small).worst_area < 0.25
    assert flashed(square(10.0), large).worst > MOST and flashed(square(10.0), large).worst_area > 0.25


def test_pixels_that_flash_apart_do_not_count_and_those_that_do_so_almost_together_do():
    for spread, worst_area in ((6, 0.0), (2, 1.0)):
        flashes = Flashes(FPS)
        for k in range(60):
            # Each column swings five times a second, `spread` pictures apart at most.
            late = np.arange(SHAPE[1]) % spread
            lit = ((k + late) % 6 < 3).astype(np.uint8) * 255
            flashes.see(np.broadcast_to(lit[None, :, None], SHAPE))
        assert (flashes.worst_area, flashes.worst_alone) == (worst_area, 1.0)


def test_a_saturated_red_flashes_at_less_light():
    # 110 of red is 3 % of white's luminance.
    assert flashed(square(10.0, 0, 110), colour=(1, 0, 0)).worst > MOST
    assert flashed(square(10.0, 0, 110), colour=(0, 1, 0)).worst > MOST or flashed(square(10.0, 0, 90)).worst == 0


def test_a_slow_rise_and_fall_is_one_flash():
    ramp = [*range(0, 256, 8), *range(255, -1, -8)]
    assert flashed(ramp * 1).worst <= 1


def test_what_is_bright_and_never_changes_burns_in_and_what_is_dark_does_not():
    kept = Kept()
    for second in range(200):
        picture = np.zeros(SHAPE, np.uint8)
        picture[:10], picture[10:20] = 200, 60
        # 3 % of white, back and forth: it leaves the band.
        picture[20:30] = 150 + 8 * (second // 20 % 2)
        kept.see(picture, float(second))
        if second == 100:
            assert kept.longest_s == 100.0
    assert kept.longest_s == 199.0 > BURNS_S
    moving = Kept()
    for second in range(200):
        picture = np.full(SHAPE, 200, np.uint8) - np.uint8(10 * (second // 30 % 2))
        moving.see(picture, float(second))
    assert moving.longest_s <= 30.0
