"""The program in two X windows side by side, as a daemon starts it on two monitors: one world, right to the seam."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from support import hosting
from support.hosting import ROOT, XLIB, Child, need, printed, screen, until

WIDTH, HEIGHT = 320, 240
WINDOWS = f"""
root = ctypes.c_ulong(x.XDefaultRootWindow(display))
for left in (0, {WIDTH}):
    window = ctypes.c_ulong(x.XCreateSimpleWindow(display, root, left, 0, {WIDTH}, {HEIGHT}, 0, 0, 0))
    x.XMapWindow(display, window)
    x.XSync(display, 0)
    print(window.value, flush=True)
sys.stdin.read()
"""
# As `--saver` tells that its user is back, by a client message of 32-bit words, and goes without waiting for anybody.
HALT_AND_GO = """
window = int(sys.argv[1])
words = [33, 0, 1, 0, window, x.XInternAtom(display, b"_LANDFALL_HALT", 0), 32, 1] + [0] * 16
message = (ctypes.c_long * 24)(*words)
x.XSendEvent(display, ctypes.c_ulong(window), 0, ctypes.c_long(1 << 17), ctypes.byref(message))
x.XDestroyWindow(display, ctypes.c_ulong(window))
x.XSync(display, 0)
"""
# Small worlds of a terrain, which fills all of a picture, at noon: by night it would be dark.
WORDS = [
    "--scene",
    "plasma",
    "--hours",
    "12:00",
    "--set",
    "plasma.cells=64",
    "--captions",
    "off",
    "--quality",
    "low",
    "--fps",
    "10",
]


@pytest.fixture(scope="module")
def two_monitors() -> Iterator[str]:
    need("Xvfb", "xrandr")
    with hosting.x_server() as display:
        output = printed(display, "xrandr").splitlines()[1].split()[0]
        for number, left in enumerate((0, WIDTH)):
            place = f"{WIDTH}/80x{HEIGHT}/60+{left}+0"
            printed(display, "xrandr", "--setmonitor", f"test{number}", place, output if number == 0 else "none")
        yield display


def in_windows(display: str, windows: list[str], home: Path, *words: str) -> list[Child]:
    """The program in each window, all started by this process."""
    command = [sys.executable, str(ROOT / "main.py"), "--root", *WORDS, *words]
    more = {"XDG_CONFIG_HOME": str(home), "XDG_STATE_HOME": str(home)}
    return [Child(command, display, XSCREENSAVER_WINDOW=window, **more) for window in windows]


def both(display: str) -> np.ndarray:
    return screen(display)[:HEIGHT, : 2 * WIDTH].astype(int)


def is_a_world(picture: np.ndarray) -> bool:
    """Light in all four quarters of both windows: space before a world is black."""
    blocks = picture.reshape(2, HEIGHT // 2, 4, WIDTH // 2, 3)
    return bool((blocks.mean(axis=(1, 3, 4)) > 12.0).all())


def fits(picture: np.ndarray) -> bool:
    """The columns on both sides of the seam differ no more than neighbours do elsewhere, and others differ by far."""
    steps = np.abs(np.diff(picture, axis=1)).mean(axis=(0, 2))
    alien = np.abs(picture[:, WIDTH - 1] - picture[:, -1]).mean()
    return bool(steps[WIDTH - 1] <= np.percentile(steps, 99) + 1.0 and steps[WIDTH - 1] < 0.3 * alien)


def test_two_processes_show_one_world_across_two_windows(two_monitors, tmp_path):
    display = two_monitors
    owner = Child([sys.executable, "-c", XLIB + WINDOWS], display)
    try:
        until(lambda: len(owner.lines) == 2, "two windows")
        children = in_windows(display, owner.lines, tmp_path)
        try:
            until(lambda: is_a_world(both(display)), "a world in each window")
            # One of them may have been late, and melts in while the other has its world already.
            until(lambda: fits(both(display)), "one world across both windows")
        finally:
            for child in children:
                child.kill()
    finally:
        owner.kill()


def test_the_last_picture_is_kept_when_the_window_goes_before_the_halt_ends(two_monitors, tmp_path):
    display = two_monitors
    owner = Child([sys.executable, "-c", XLIB + WINDOWS], display)
    try:
        until(lambda: len(owner.lines) == 2, "two windows")
        (child,) = in_windows(display, owner.lines[:1], tmp_path, "--monitors", "same")
        try:
            until(lambda: screen(display)[:HEIGHT, :WIDTH].mean() > 40.0, "a world in the window")
            subprocess.run(
                [sys.executable, "-c", XLIB + HALT_AND_GO, owner.lines[0]],
                env=hosting.environment(display),
                check=True,
            )
            assert child.ended() == 0, child.text()
        finally:
            child.kill()
    finally:
        owner.kill()
    (last,) = tmp_path.rglob("landfall/last.png")
    with Image.open(last) as kept:
        assert kept.size == (WIDTH, HEIGHT)
        assert np.asarray(kept.convert("RGB")).mean() > 25.0


def test_the_monitors_are_there(two_monitors):
    told = subprocess.run(
        ["xrandr", "--listmonitors"], env=hosting.environment(two_monitors), capture_output=True, text=True, check=True
    ).stdout
    assert f"{WIDTH}/80x{HEIGHT}/60+{WIDTH}+0" in told


def test_saver_fills_both_monitors_until_somebody_comes_back(two_monitors, tmp_path):
    need("xdotool")
    display = two_monitors
    more = {"XDG_CONFIG_HOME": str(tmp_path), "XDG_STATE_HOME": str(tmp_path)}
    child = Child([sys.executable, str(ROOT / "main.py"), "--saver", *WORDS], display, **more)
    try:
        until(lambda: is_a_world(both(display)), "a world on each monitor")
        until(lambda: fits(both(display)), "one world across both monitors")
        first = both(display)[:, :WIDTH]
        hosting.xdotool(display, "key", "z")
        assert child.ended() == 0, child.text()
    finally:
        child.kill()
    until(lambda: not both(display).any(), "an empty screen")
    # Its halt has left what the first monitor showed, or half a second later.
    (last,) = tmp_path.rglob("landfall/last.png")
    with Image.open(last) as kept:
        assert kept.size == (WIDTH, HEIGHT)
        assert np.abs(np.asarray(kept.convert("RGB")).astype(int) - first).mean() < 30.0
