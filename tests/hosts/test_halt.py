"""The halt at the end of a screensaver: the flight slows down evenly, and its last picture has no words."""

from __future__ import annotations

import numpy as np
import pytest
from test_player import Counting

from demo.hosts import offscreen
from demo.hosts.halt import HALT_S, come_to_a_halt

PICTURE = np.full((2, 3, 3), 7, np.uint8)


def test_the_flight_slows_down_evenly_for_half_a_second():
    with offscreen.context():
        show, clock = Counting(1000), [100.0]
        show.bare_picture = lambda: PICTURE

        def now() -> float:
            clock[0] += 0.02
            return clock[0]

        assert come_to_a_halt(show, 1000, now) is PICTURE
        steps = np.array(show.steps)
        # As fast as ever at first, and hardly at all in the end; half as far as without a halt.
        assert steps[0] > 0.019 and steps[-1] < 0.001 and (np.diff(steps) < 1e-9).all()
        assert steps.sum() == pytest.approx(0.5 * HALT_S)
