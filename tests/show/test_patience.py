"""Patience: growing intervals after failures, and short ones again after a world that was grown in full."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from demo.show.patience import FACTOR, FIRST_S, LONGEST_S, Patience


def story(name: str, seed: int = 1) -> SimpleNamespace:
    return SimpleNamespace(scene=SimpleNamespace(name=name), seed=seed)


def waited(patience: Patience, failed: SimpleNamespace, clock: float) -> float:
    """Seconds from a failure until its story is due."""
    patience.fail(failed, clock)
    passed = 0.0
    while patience.due(clock + passed) is not failed:
        passed += 0.25
        assert passed < 2 * LONGEST_S
    return passed


def test_intervals_grow_up_to_the_longest():
    patience, clock, found = Patience(), 100.0, []
    for number in range(12):
        found.append(waited(patience, story("a", number), clock))
        clock += found[-1]
    assert found[0] == FIRST_S and found[1] == FIRST_S * FACTOR and found[-1] == LONGEST_S
    assert found == sorted(found)


def test_only_the_first_failure_in_a_row_is_told():
    patience, first = Patience(), story("a")
    assert not patience.tried
    assert patience.fail(first, 0.0) and patience.tried
    assert not patience.fail(first, 0.1)
    assert patience.due(FIRST_S) is first and patience.due(FIRST_S) is None
    assert not patience.fail(story("b"), FIRST_S)
    assert patience.due(LONGEST_S).scene.name == "b"
    patience.relieve(story("c"))
    assert not patience.tried
    assert patience.fail(story("d"), LONGEST_S)


def test_a_world_that_stays_on_screen_relieves_once():
    """While it is shown, the one after it fails again and again."""
    patience, shown, clock = Patience(), story("shown"), 0.0
    found = []
    for number in range(4):
        patience.relieve(shown)
        found.append(waited(patience, story("next", number), clock))
        clock += found[-1]
    assert found == pytest.approx([FIRST_S * FACTOR**k for k in range(4)])
