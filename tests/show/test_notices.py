"""Notices: who asked for something is answered in a small line, which never stands still for long."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from demo.show.notices import BREATH_S, PATIENCE_S, TOLD_S, Notices

MAP = SimpleNamespace(scene=SimpleNamespace(title="Planetary map"))
OTHER = SimpleNamespace(scene=SimpleNamespace(title="Something else"))


@pytest.fixture
def notices():
    return Notices()


def shown(notices: Notices, clock: float) -> bool:
    notice = notices.at(clock)
    return notice is not None and notice.alpha > 0.1


def test_an_answer_comes_stays_and_goes(notices):
    assert notices.at(5.0) is None
    notices.tell(("saved still.png", "in /tmp"), 5.0)
    alphas = [notice.alpha if notice else 0.0 for notice in map(notices.at, np.linspace(5.0, 5.0 + TOLD_S, 61))]
    assert alphas[0] == 0.0 and max(alphas) > 0.8 and alphas[-1] == 0.0
    assert notices.at(7.0).lines == ("saved still.png", "in /tmp")
    # Up and down, but once.
    rising = np.sign(np.diff(alphas))
    assert np.count_nonzero(np.diff(rising[rising != 0])) == 1


def test_a_newer_answer_takes_the_place_of_an_older_one(notices):
    notices.tell(("one",), 1.0)
    notices.tell(("two",), 2.0)
    assert notices.at(3.0).lines == ("two",)


def test_who_waits_long_is_told_for_what(notices):
    notices.wait(MAP, False, 10.0)
    assert not shown(notices, 10.0 + 0.9 * PATIENCE_S)
    notices.wait(MAP, False, 12.0)
    assert shown(notices, 10.0 + PATIENCE_S + 0.5 * BREATH_S) and notices.at(12.0).lines == ("preparing Planetary map",)
    notices.wait(None, False, 20.0)
    assert notices.at(20.0) is None


def test_the_first_time_takes_longer(notices):
    notices.wait(MAP, True, 0.0)
    assert len(notices.at(9.0).lines) == 2
    notices.wait(MAP, False, 9.0)
    assert len(notices.at(9.0).lines) == 1


def test_another_wish_is_another_wait(notices):
    notices.wait(MAP, False, 0.0)
    notices.wait(OTHER, False, 50.0)
    assert notices.at(50.0 + 0.9 * PATIENCE_S) is None
    assert notices.at(53.0).lines == ("preparing Something else",)


def test_a_line_that_is_there_for_minutes_never_stands_still(notices):
    notices.wait(MAP, True, 0.0)
    times = np.arange(PATIENCE_S, 300.0, 0.1)
    alphas = np.array([notices.at(t).alpha for t in times])
    assert alphas.min() >= 0.0 and alphas.max() <= 1.0
    for start in range(0, len(alphas) - int(10 * BREATH_S), 100):
        breath = alphas[start : start + int(10 * BREATH_S)]
        assert breath.max() > 0.7 and breath.min() < 0.3
    assert np.abs(np.diff(alphas)).max() < 0.1, "nor does it leap"


def test_an_answer_comes_before_what_is_awaited(notices):
    notices.wait(MAP, True, 0.0)
    notices.tell(("saved still.png",), 30.0)
    assert notices.at(31.0).lines == ("saved still.png",)
    assert notices.at(30.0 + TOLD_S).lines[0] == "preparing Planetary map"
