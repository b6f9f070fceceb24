"""The program itself in windows that other programs own, and started by the real XScreenSaver daemon."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from support import hosting, xscreensaver
from support.hosting import ROOT, Child, screen, until

STORY = ["--scene", "plasma", "--seed", "5"]


def filled(display: str, width: int, height: int) -> bool:
    """Something is drawn in each quarter of the owner's window, and nothing beside it."""
    picture = screen(display)
    inside = picture[20 : 20 + height, 10 : 10 + width]
    return xscreensaver.in_each_quarter(inside) and not picture[:, 10 + width :].any()


def test_the_program_in_another_programs_window(display, owner):
    """Stopped by SIGTERM while its first world is being made, or its kernels compiled."""
    words = ["--window-id", owner.window, *STORY]
    child = Child([sys.executable, str(ROOT / "main.py"), *words], display)
    try:
        until(lambda: filled(display, 300, 200), "a picture in the owner's window")
        owner.tell("resize", 500, 400)
        until(lambda: filled(display, 500, 400), "a picture in the larger window")
        child.process.send_signal(signal.SIGTERM)
        assert child.ended() == -signal.SIGTERM, child.text()
        assert child.lines == []
    finally:
        child.kill()


def test_the_program_ends_quietly_with_its_window(display, owner):
    child = Child([sys.executable, str(ROOT / "main.py"), "--root", *STORY], display, XSCREENSAVER_WINDOW=owner.window)
    try:
        until(lambda: filled(display, 300, 200), "a picture in the owner's window")
        owner.tell("destroy")
        assert child.ended() == 0, child.text()
        assert child.lines == []
    finally:
        child.kill()


# --- worlds that cannot be grown ---------------------------------------------------------------------------------------

BROKEN = """
import os
with open(os.environ["TRIES"], "a") as tries:
    tries.write("one\\n")
raise ImportError("broken on purpose")
"""


@pytest.fixture
def broken(tmp_path):
    """The environment of a program whose numba cannot be imported, and a file that gets a line for each try."""
    (tmp_path / "numba").mkdir()
    (tmp_path / "numba" / "__init__.py").write_text(BROKEN)
    # Without the compiling child, which would complain as well.
    return {"PYTHONPATH": str(tmp_path), "TRIES": str(tmp_path / "tries"), "NUMBA_DISABLE_JIT": "1"}


def tries(broken) -> int:
    path = Path(broken["TRIES"])
    return path.read_text().count("one") if path.exists() else 0


@pytest.mark.parametrize("words", [["--root"], ["--window-id"], ["--saver"]], ids=" ".join)
def test_stars_where_no_world_can_be_grown(display, owner, broken, words):
    """One line, and it goes on trying."""
    named = [owner.window] if words == ["--window-id"] else []
    where = {"XSCREENSAVER_WINDOW": owner.window} if words == ["--root"] else {}
    child = Child([sys.executable, str(ROOT / "main.py"), *words, *named, *STORY], display, **broken, **where)
    try:
        until(lambda: tries(broken) > 2 or child.process.poll() is not None, "another try")
        assert child.process.poll() is None, child.text()
        picture = screen(display)
        assert picture[20:220, 10:310].max() > 60 and (picture[20:220, 10:310] < 30).mean() > 0.5, "stars in the dark"
        child.process.send_signal(signal.SIGTERM)
        assert child.ended() == -signal.SIGTERM, child.text()
        assert len(child.lines) == 1 and "broken on purpose: it is tried again" in child.lines[0], child.text()
    finally:
        child.kill()


def test_a_window_ends_where_no_world_can_be_grown(display, broken):
    child = Child([sys.executable, str(ROOT / "main.py"), *STORY], display, **broken)
    try:
        assert child.ended() == 1
        assert len(child.lines) == 1 and child.lines[0].endswith("could not be grown: broken on purpose"), child.text()
    finally:
        child.kill()


# --- the daemon ------------------------------------------------------------------------------------------------------


@pytest.fixture
def account() -> Iterator[xscreensaver.Account]:
    hosting.need("xscreensaver", "xscreensaver-command")
    try:
        with xscreensaver.account() as account:
            yield account
    except xscreensaver.NoUser as error:
        pytest.skip(str(error))


def test_the_daemon_starts_it_and_ends_it(display, account):
    daemon = xscreensaver.Daemon(account, display, STORY)
    try:
        daemon.activate()
        daemon.wait_for_picture()
        daemon.deactivate()
        daemon.exit()
    finally:
        daemon.kill()
    assert daemon.faults() == [], daemon.reports()
