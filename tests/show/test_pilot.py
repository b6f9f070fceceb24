"""The pilot: hands the camera from the flight to a person and back, without a jump."""

from __future__ import annotations

import numpy as np
import pytest

from demo.flight.camera import look_at
from demo.ground.detail import detail_of
from demo.ground.ground import Ground
from demo.show.pilot import RETURN_S, Pilot
from demo.worlds.atlas import ATLASES

pytestmark = pytest.mark.usefixtures("shared_worlds")

UP = np.array([0.0, 1.0, 0.0])
PLANNED = look_at(np.array([100.0, 3000.0, 50.0]), np.array([4000.0, 2000.0, 50.0]), UP)


@pytest.fixture(scope="module")
def ground():
    heights = np.zeros((1, 33, 33), np.float32)
    atlas = ATLASES["plane"]
    return Ground(atlas, heights, 20_000.0, detail_of(atlas, heights, 20_000.0, 1))


def pose(pilot, clock=0.0):
    return pilot.pose(PLANNED, clock, False)


def flown(pilot, seconds):
    for _ in range(round(seconds * 20)):
        pilot.update(0.05)


def test_until_it_is_taken_the_camera_is_on_the_flight():
    pilot = Pilot()
    pilot.hold("forward", True)
    flown(pilot, 1.0)
    assert not pilot.flies and pose(pilot) is PLANNED


def test_it_is_taken_where_the_flight_was_and_moves_while_a_key_is_held(ground):
    pilot = Pilot()
    pilot.take(PLANNED, ground)
    flown(pilot, 0.5)
    assert pilot.flies and np.allclose(pose(pilot).position, PLANNED.position)
    pilot.hold("forward", True)
    flown(pilot, 1.0)
    moved = pose(pilot).position - PLANNED.position
    assert moved @ PLANNED.forward > 100.0
    pilot.hold("forward", False)
    flown(pilot, 5.0)
    still = pose(pilot).position
    flown(pilot, 1.0)
    assert np.linalg.norm(pose(pilot).position - still) < 1.0


def test_the_pointer_turns_it_and_the_wheel_makes_it_faster(ground):
    ways = []
    for notches in (0.0, 3.0):
        pilot = Pilot()
        pilot.take(PLANNED, ground)
        pilot.pointer(60.0, 0.0)
        pilot.wheel(notches)
        pilot.hold("forward", True)
        flown(pilot, 1.0)
        assert pose(pilot).forward @ PLANNED.forward < 0.999
        ways.append(np.linalg.norm(pose(pilot).position - PLANNED.position))
    assert ways[1] > 1.3 * ways[0]


def test_it_glides_back_and_forgets_the_keys(ground):
    pilot = Pilot()
    pilot.take(PLANNED, ground)
    pilot.hold("up", True)
    flown(pilot, 1.0)
    left = pose(pilot)
    pilot.give_back(10.0)
    assert not pilot.flies and np.allclose(pose(pilot, 10.0).position, left.position)
    half = pose(pilot, 10.0 + 0.5 * RETURN_S).position
    assert np.allclose(half, 0.5 * (left.position + PLANNED.position))
    assert pose(pilot, 10.0 + RETURN_S) is PLANNED
    pilot.take(PLANNED, ground)
    flown(pilot, 1.0)
    assert np.allclose(pose(pilot).position, PLANNED.position)


def test_in_another_world_it_is_back_at_once(ground):
    pilot = Pilot()
    for gives_back in (False, True):
        pilot.take(PLANNED, ground)
        pilot.hold("up", True)
        flown(pilot, 1.0)
        if gives_back:
            pilot.give_back(0.0)
        pilot.land()
        assert not pilot.flies and pose(pilot, 0.1) is PLANNED
