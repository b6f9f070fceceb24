"""What ends, or does not, where a display, a network or a home is missing or goes away: one line, or none for a daemon."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest
from support import hosting
from support.hosting import ROOT, Child, recording, screen, until, window_of, xdotool

PROGRAM = [sys.executable, str(ROOT / "main.py"), "--scene", "plasma", "--seed", "5", "--size", "640x360"]


def said(child: Child) -> list[str]:
    """The lines that are not the recording show's own."""
    own = {"show", "draw", "update", "resize", "display", "close", "act"}
    return [line for line in child.lines if line.split(" ")[0] not in own]


# --- the X server ends -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("host", ["window", "saver"])
def test_a_lost_server_is_one_line(display, host):
    with recording(display, host) as child:
        child.wait_for("update")
        hosting.end_server(display)
        assert child.ended() == 1
    why = f"the display is gone: the connection to DISPLAY={display} broke: start it again in a session"
    assert said(child) == [f"landfall: {why}"]


def test_a_lost_server_is_no_crash_to_a_daemon(display, owner):
    with recording(display, "x11_window", owner.window) as child:
        child.wait_for("update")
        hosting.end_server(display)
        assert child.ended() == 0
    assert said(child) == []


def test_the_program_ends_quietly_with_the_server_under_a_daemon(display):
    """While its threads make a world or its child compiles."""
    child = Child([*PROGRAM, "--root"], display)
    try:
        until(lambda: screen(display).any(), "a picture on the root window")
        hosting.end_server(display)
        assert child.ended() == 0, child.text()
        assert child.lines == []
    finally:
        child.kill()


# --- there is none -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("words", [["--root"], ["--window-id", "7"], ["--saver"], ["--fullscreen"]])
@pytest.mark.parametrize("display_name", [None, ":4321"])
def test_no_display_is_one_line(words, display_name):
    child = Child([*PROGRAM, *words], display_name)
    assert child.ended() == 1
    (line,) = child.lines
    assert line.startswith("landfall: no ") and "display" in line and line.endswith("use 'still' or 'film'")


# --- no network, no home -----------------------------------------------------------------------------------------------


def plays(child: Child, display: str) -> None:
    """It shows something, and ends by a key without a word."""
    try:
        window_of(display)
        until(lambda: screen(display)[300:460, 300:700].any(), "the first picture")
        xdotool(display, "key", "q")
        assert child.ended() == 0, child.text()
        assert child.lines == []
    finally:
        child.kill()


def test_it_needs_no_network(display):
    """A network of its own, without even the loop back to this machine. The X server listens in the file system."""
    alone = ["unshare", "--net"]
    if not shutil.which("unshare") or subprocess.run([*alone, "true"], capture_output=True).returncode:
        pytest.skip("no process can be kept from the network here")
    plays(Child([*alone, *PROGRAM], display), display)


@pytest.mark.parametrize("home", ["/dev/null/home", "not/absolute"])
def test_it_needs_no_home(display, home, tmp_path):
    forgotten = ["env", "-u", "XDG_CACHE_HOME", "-u", "NUMBA_CACHE_DIR", f"HOME={home}", f"TMPDIR={tmp_path}"]
    plays(Child([*forgotten, *PROGRAM], display, cwd=tmp_path), display)
    assert [path.name for path in tmp_path.iterdir()] == [f"landfall-{os.getuid()}"]
