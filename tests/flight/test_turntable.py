"""The camera of terrains as printed: it looks at the middle, never comes nearer, and turns by half a degree a second."""

import numpy as np
import pytest

from demo.flight.turntable import AS_A_WHOLE
from demo.scenes.scenes import SCENES

EXTENT_M, DATUM_M = 40_000.0, -1_500.0


@pytest.mark.parametrize("view", [AS_A_WHOLE, SCENES["plasma"].printed.view])
def test_it_turns_about_the_middle(view):
    flight = view.flight(EXTENT_M, DATUM_M, 60.0)
    poses = [flight.pose(t) for t in (0.0, 10.0, 60.0)]
    for pose in poses:
        assert np.hypot(pose.position[0], pose.position[2]) == pytest.approx(view.away * EXTENT_M)
        assert pose.position[1] == pytest.approx(view.above * EXTENT_M + DATUM_M)
        sideways = np.cross(pose.forward, pose.position)
        assert abs(sideways[1]) < 1e-6 * EXTENT_M, "the middle is straight ahead"
    turned = [np.degrees(np.arctan2(pose.position[0], pose.position[2])) for pose in poses]
    assert turned == pytest.approx([0.0, 5.0, 30.0])


def test_the_view_of_the_plasma_article_is_two_units_away_and_half_a_unit_up():
    pose = SCENES["plasma"].printed.view.flight(4.0, 0.0, 1.0).pose(0.0)
    assert pose.position == pytest.approx([0.0, 0.5, 2.0]) and pose.forward == pytest.approx([0.0, 0.0, -1.0])
