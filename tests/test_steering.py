"""Steering: finds a scale at which frames are quick enough, stays there, and gives back what it took."""

from demo.steering import HIGHEST, LOWEST, SLOW_S, Steering

SIZE = (640, 360)


def played(steering, seconds_at_full_scale, frames):
    """The scales of `frames` frames whose cost goes with their pixels."""
    scales = []
    for _ in range(frames):
        cost = seconds_at_full_scale * steering.scale**2 * (0.5 if steering.coarse else 1.0)
        steering.measured(cost)
        scales.append(steering.scale)
    return scales


def test_a_quick_machine_draws_every_pixel():
    assert played(Steering(*SIZE), 0.008, 1200)[-1] == HIGHEST


def test_a_slow_machine_settles_where_frames_are_quick_enough():
    scales = played(Steering(*SIZE), 0.06, 1200)
    assert LOWEST < scales[-1] < HIGHEST
    assert 0.06 * scales[-1] ** 2 <= SLOW_S * 1.05
    assert len(set(scales[600:])) == 1, "it does not swing"


def test_a_very_slow_machine_sheds_triangles_at_the_lowest_scale():
    steering = Steering(*SIZE)
    played(steering, 0.5, 200)
    assert steering.scale == LOWEST and steering.coarse
    played(steering, 0.004, 1200)
    assert steering.scale == HIGHEST and not steering.coarse


def test_one_hitch_changes_nothing():
    steering = Steering(*SIZE)
    before = played(steering, 0.06, 600)[-1]
    steering.measured(2.0)
    assert played(steering, 0.06, 3)[-1] >= before - 0.1


def test_a_large_picture_starts_with_a_smaller_share_of_its_pixels():
    assert Steering(1280, 720).scale < Steering(*SIZE).scale <= HIGHEST
    assert Steering(7680, 4320).scale == LOWEST and Steering(160, 90).scale == HIGHEST
