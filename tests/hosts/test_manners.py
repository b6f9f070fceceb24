"""Manners: a battery halves the rate, one that is nearly empty leaves a picture a second, and mains bring it back."""

from __future__ import annotations

import time

import pygame
import pytest
from test_player import ENOUGH, Counting, request

from demo.hosts import offscreen
from demo.hosts.manners import LOOK_S, Manners
from demo.hosts.player import LONGEST_STEP_S, play
from demo.process.power import MAINS, Power


@pytest.mark.parametrize(
    ("power", "fps"),
    [(MAINS, 30), (Power(True, 0.9), 15), (Power(True, None), 15), (Power(True, 0.2), 15), (Power(True, 0.19), 1)],
)
def test_the_rate_at_a_power(power, fps):
    assert Manners(30, lambda: power, hot=lambda: False).fps() == fps


def test_heat_halves_the_rate_once():
    assert Manners(30, lambda: MAINS, hot=lambda: True).fps() == 15
    assert Manners(30, lambda: Power(True, 0.9), hot=lambda: True).fps() == 15
    assert Manners(30, lambda: Power(True, 0.1), hot=lambda: True).fps() == 1


def test_it_follows_the_power_without_asking_for_every_frame():
    asked, clock = [], [0.0]

    def power() -> Power:
        asked.append(clock[0])
        return Power(True, 0.5) if clock[0] < LOOK_S else MAINS

    manners = Manners(30, power, lambda: clock[0], lambda: False)
    rates = []
    for step in range(21):
        clock[0] = step * LOOK_S / 10.0
        rates.append(manners.fps())
    assert rates == [15] * 10 + [30] * 11 and asked == [0.0, LOOK_S, 2 * LOOK_S]


def test_an_event_is_answered_at_once_even_at_a_picture_a_second():
    with offscreen.context():
        show, handled = Counting(ENOUGH), []

        def handle(event: object) -> bool:
            handled.append(event)
            return event.type == pygame.KEYDOWN

        def rate() -> int:
            # Between this picture and the next one, a second later.
            pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_a))
            return 1

        # The clock of the show stands still: it ends by the event alone.
        play(show, request(), handle, measure=lambda: (64, 64), visible=lambda: True, rate=rate, now=time.perf_counter)
        assert len(show.steps) == 1 and show.steps[0] <= LONGEST_STEP_S
        assert [event.type for event in handled][-1] == pygame.KEYDOWN


def test_while_nothing_is_seen_it_wakes_less_than_twice_a_second_and_draws_nothing():
    with offscreen.context():
        show, naps = Counting(4), []

        def nap(seconds: float, seen: bool) -> None:
            naps.append((seconds, seen))

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(show, "draw", pytest.fail)
            play(show, request(), lambda event: False, measure=lambda: (64, 64), visible=lambda: False, wait=nap)
        assert show.steps == [0.0] * 4 and naps and all(seconds > 0.5 and not seen for seconds, seen in naps)
