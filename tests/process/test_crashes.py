"""Crashes: a process that ends by a signal leaves behind where its threads were, and nothing that happens to it matters."""

from __future__ import annotations

import signal
import stat
import subprocess
import sys

import pytest
from support.program import ROOT, landfall

from demo.process import crashes

# As C code does it that uses a wrong address, in a function whose name is to be found.
DIES = """
from demo.process import crashes
crashes.watch()
def draws_with_a_driver():
    import ctypes
    ctypes.string_at(0)
draws_with_a_driver()
"""


@pytest.fixture
def state(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.delenv("PYTHONFAULTHANDLER", raising=False)
    return tmp_path / "landfall"


def _crash() -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", DIES], cwd=ROOT, capture_output=True, text=True, timeout=60)


def test_a_crash_is_told_in_the_report_alone(state):
    died = _crash()
    assert died.returncode == -signal.SIGSEGV and died.stderr == ""
    assert stat.S_IMODE(crashes.crash_file().stat().st_mode) == 0o600
    report = landfall("doctor", "--report", XDG_STATE_HOME=str(state.parent))
    told = [line for line in report.stdout.splitlines() if line.startswith("crash")]
    assert any("Segmentation fault" in line for line in told) and any("draws_with_a_driver" in line for line in told)
    assert "crash" not in landfall("doctor", XDG_STATE_HOME=str(state.parent)).stdout


def test_what_crashes_leave_has_a_limit(state):
    state.mkdir()
    crashes.crash_file().write_text("before\n" * crashes.FULL_BYTES)
    _crash()
    assert "before" not in crashes.crash_file().read_text() and "draws_with_a_driver" in "".join(crashes.last_lines(60))


def test_where_nothing_can_be_kept_a_crash_is_what_it_was(state):
    state.parent.chmod(0o700)
    state.write_text("not a folder")
    died = _crash()
    assert died.returncode == -signal.SIGSEGV and died.stderr == "" and crashes.last_lines(9) == []


def test_nothing_is_said_where_nothing_has_crashed(state):
    assert crashes.last_lines(9) == []
    crashes.crash_file().parent.mkdir()
    crashes.crash_file().touch()
    assert crashes.last_lines(9) == []
