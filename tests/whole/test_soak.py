"""A short soak of small worlds: what must not grow over many of them, by counts alone."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from support.program import ROOT, environment

from benchmarks import soak
from demo.scenes.scenes import ROTATION
from demo.tables import keys

WORLDS = 40
TOO_LONG_S = 900


@pytest.fixture(scope="module")
def rounds() -> list[dict]:
    """What the soak saw in each round."""
    command = [sys.executable, "-m", "benchmarks.soak", str(WORLDS), "small"]
    done = subprocess.run(
        command, cwd=ROOT, env=environment(LANDFALL_GL_CHECK=""), capture_output=True, text=True, timeout=TOO_LONG_S
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_all_scenes_and_keys_are_soaked(rounds):
    for seen in rounds:
        assert set(seen["scenes"]) == set(ROTATION)
        assert {action.name for action in keys.ACTIONS} - set(seen["pressed"]) == soak.unpressed(len(ROTATION))
    assert rounds[-1]["worlds"] >= WORLDS


def test_a_round_leaves_no_more_behind_than_the_one_before(rounds):
    first, *others = rounds
    assert others
    for seen in others:
        assert [kind for kind in soak.LASTING if seen["objects"][kind] > first["objects"][kind]] == []
        assert seen["threads"] <= first["threads"] and seen["files"] <= first["files"]


def test_the_programs_stay_within_bounds(rounds):
    from demo.render.gl import living_programs

    assert all(0 < seen["programs"] <= living_programs.MOST <= soak.PROGRAMS_BAR for seen in rounds)
