"""A minute of the fuzzer, always the same cases: nothing odd from outside ends in a traceback, a signal or half a file."""

from __future__ import annotations

import subprocess
import sys

import pytest
from support.program import ROOT, environment

SECONDS, SEED = 60, 1
# Kernels may have to be compiled first.
PATIENCE_S = 900


def run(*words: str) -> subprocess.CompletedProcess[str]:
    """The finished `python -m WORDS`."""
    command = [sys.executable, "-m", *words]
    return subprocess.run(command, cwd=ROOT, env=environment(), capture_output=True, text=True, timeout=PATIENCE_S)


@pytest.fixture(scope="module")
def minute() -> subprocess.CompletedProcess[str]:
    """A minute of cases, with a line for each."""
    return run("tests.fuzz", "all", "200", str(SEED), "--seconds", str(SECONDS), "--verbose")


def test_a_minute_of_odd_cases(minute):
    assert minute.returncode == 0, minute.stdout[-6000:] + minute.stderr[-2000:]
    assert "| all |" in minute.stdout


def test_planted_faults_are_seen():
    """A traceback, a signal, a hang, a strange status, a second line, half a file and more, each in a program of its own."""
    done = run("tests.support.planted_faults")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "judged rightly" in done.stdout


def test_a_case_alone_is_the_same_case(minute):
    """What a fault's report says to run is the case that had it."""
    among = next(line for line in minute.stdout.splitlines() if line.startswith("worlds "))
    kind, seed = among.split(":")[0].split()
    alone = run("tests.fuzz", kind, "1", seed, "--verbose").stdout.splitlines()
    assert _ending(alone[0]) == _ending(among)


def _ending(line: str) -> tuple[str, str]:
    """(kind, seed and status, what was said) of a line of --verbose, without the seconds."""
    return line.partition(" after ")[0], line.partition(" s  ")[2]


def test_an_unknown_kind_is_refused():
    done = run("tests.fuzz", "nothing")
    assert done.returncode == 2 and "there is no kind 'nothing'" in done.stderr
