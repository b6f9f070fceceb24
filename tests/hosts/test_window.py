"""The window, driven from outside under a virtual X server: keys, pointer, size, full screen, signals and failures."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time
from itertools import pairwise

import numpy as np
import pytest
from PIL import Image
from support import hosting
from support.hosting import DESKTOP, ROOT, Child, recording, screen, until, window_of, xdotool

from demo.tables import keys

X_NAMES = {
    "SPACE": "space",
    "LEFT": "Left",
    "RIGHT": "Right",
    "PLUS": "plus",
    "EQUALS": "equal",
    "KP_PLUS": "KP_Add",
    "MINUS": "minus",
    "KP_MINUS": "KP_Subtract",
    "ESCAPE": "Escape",
    "COMMA": "comma",
    "PERIOD": "period",
}
ORANGE = np.array([255, 128, 0])


@pytest.fixture(scope="module")
def display():
    with hosting.x_server() as name:
        yield name


@pytest.fixture(scope="module")
def managed():
    """A display with a window manager, without which nobody makes windows full screen."""
    hosting.need("evilwm")
    with hosting.x_server() as name:
        manager = Child(["evilwm", "-fn", "fixed"], name)
        hosting.need("xprop")
        until(
            lambda: hosting.printed(name, "xprop", "-root", "_NET_SUPPORTED").count("_NET_WM_STATE_FULLSCREEN"), "its start"
        )
        yield name
        manager.kill()


@pytest.fixture
def window(display, tmp_path):
    """A recording show in a window, its first frame drawn and the keys its own."""
    with recording(display, "window", cwd=tmp_path) as child:
        child.wait_for("update")
        child.number = window_of(display)
        yield child


def is_orange(picture: np.ndarray) -> bool:
    return bool((np.abs(picture.astype(int) - ORANGE) <= 2).all())


def test_first_picture_comes_before_anything_else(window):
    assert window.lines[:2] == ["show 640 360", "draw"]
    assert "display stays awake" in window.lines


def test_title(display, window):
    assert xdotool(display, "getwindowname", window.number) == "Landfall"


def test_every_key_arrives(display, window):
    for action in keys.ACTIONS:
        for key in action.keys:
            if action.name in ("quit", "fullscreen"):
                continue
            since = len(window.lines)
            xdotool(display, "key", ("shift+" if action.shift else "") + X_NAMES.get(key, key))
            since = window.wait_for(f"act {action.name} True", since)
            if action.held or action.runs:
                window.wait_for(f"act {action.name} False", since)


def test_a_held_key_does_not_repeat(display, window):
    xdotool(display, "keydown", "p")
    window.wait_for("act pause True")
    # The server repeats a key after 0.66 s, 25 times a second.
    window.wait_frames(90)
    xdotool(display, "keyup", "p")
    window.wait_frames()
    assert window.lines.count("act pause True") == 1


@pytest.mark.parametrize("key", ["Escape", "q"])
def test_quit_keys_end_it(display, window, key):
    xdotool(display, "key", key)
    assert window.ended() == 0
    assert window.lines[-1] == "close"


def test_closing_the_window_ends_it(display, window):
    hosting.close_window(display, window.number)
    assert window.ended() == 0
    assert window.lines[-1] == "close"


def test_resize_is_followed_and_filled(display, window):
    xdotool(display, "windowmove", window.number, "0", "0")
    xdotool(display, "windowsize", window.number, "500", "300")
    window.wait_for("resize 500 300")
    until(lambda: is_orange(screen(display)[:300, :500]), "a picture that fills the window")
    xdotool(display, "windowsize", window.number, "900", "700")
    window.wait_for("resize 900 700")
    until(lambda: is_orange(screen(display)[:700, :900]), "a picture that fills the larger window")


@pytest.mark.parametrize("key", ["f", "F11"])
def test_full_screen_and_back_keep_the_context(managed, key):
    """The recording show asserts in every frame that its texture is still there."""
    with recording(managed, "window") as child:
        child.wait_for("update")
        window_of(managed)
        xdotool(managed, "key", key)
        child.wait_for(f"resize {DESKTOP[0]} {DESKTOP[1]}")
        until(lambda: is_orange(screen(managed)), "a full screen")
        since = len(child.lines)
        xdotool(managed, "key", key)
        since = child.wait_for("resize 640 360", since)
        until(lambda: not is_orange(screen(managed)), "a window")
        child.wait_for("draw", len(child.lines))


def test_the_free_camera_has_the_pointer_without_end(display, window):
    xdotool(display, "mousemove_relative", "5", "3")
    xdotool(display, "click", "4")
    window.wait_for("wheel 1.0")
    assert not [line for line in window.lines if line.startswith("pointer")]
    xdotool(display, "key", "c")
    window.wait_for("act free_camera True")
    window.wait_frames()
    for _ in range(40):
        xdotool(display, "mousemove_relative", "60", "0")
        window.wait_frames(1)

    def moved() -> bool:
        return sum(float(line.split()[1]) for line in list(window.lines) if line.startswith("pointer")) > DESKTOP[0]

    until(moved, "more motion than the screen is wide")


def test_keys_let_go_elsewhere_are_released(display, window):
    """Another window takes the keyboard while W is down."""
    xdotool(display, "keydown", "w")
    window.wait_for("act forward True")
    other = hosting.Owner(display)
    xdotool(display, "windowfocus", other.window)
    window.wait_for("act forward False")
    xdotool(display, "keyup", "w")
    other.child.kill()


def test_nothing_is_drawn_while_hidden(display, window):
    since = len(window.lines)
    xdotool(display, "windowunmap", window.number)

    def idle() -> bool:
        return any(pair == ("update", "update") for pair in pairwise(window.lines[since:]))

    until(idle, "frames without a picture")
    xdotool(display, "windowmap", window.number)
    window.wait_for("draw", len(window.lines))


def test_the_display_stays_awake_while_a_moving_picture_is_seen(display, desktop):
    """It asks by its own name, lets go while nothing moves or nothing is seen, and asks again."""
    with recording(display, "window", **desktop.session) as child:
        child.wait_for("update")
        window = window_of(display)
        awake = "Inhibit Landfall Worlds are on show"
        until(lambda: desktop.calls() == [awake], "the first word")
        xdotool(display, "key", "p")
        until(lambda: desktop.calls()[1:] == ["UnInhibit 1"], "its letting go while paused")
        xdotool(display, "key", "p")
        until(lambda: desktop.calls()[2:] == [awake], "its asking again")
        xdotool(display, "windowunmap", window)
        until(lambda: desktop.calls()[3:] == ["UnInhibit 2"], "its letting go while hidden")
        xdotool(display, "windowmap", window)
        until(lambda: desktop.calls()[4:] == [awake], "its asking once more")
        hosting.close_window(display, window)
        assert child.ended() == 0
    assert desktop.calls()[5:] == ["UnInhibit 3"]


def test_a_user_who_lets_the_display_sleep_is_obeyed(display, desktop):
    with recording(display, "window", SDL_VIDEO_ALLOW_SCREENSAVER="1", **desktop.session) as child:
        child.wait_for("update")
        child.wait_frames()
        child.process.terminate()
        child.ended()
    assert desktop.calls() == []


def test_still_is_saved(display, window, tmp_path):
    xdotool(display, "key", "F12")
    # Written by a thread, whose line may run into one of the recording show's.
    until(lambda: any("still.png" in line for line in list(window.lines)), "the name of the still")
    with Image.open(tmp_path / "still.png") as picture:
        assert picture.size == (640, 360)
    # On screen too.
    told = f"tell saved still.png in {tmp_path}"
    until(lambda: any(told in line for line in list(window.lines)), "what is said on screen")


def test_a_still_on_a_full_disk_is_one_line_and_the_show_goes_on(display, tmp_path):
    with hosting.full_disk(tmp_path / "disk", "4k") as disk, recording(display, "window", cwd=disk) as child:
        (disk / "still.png").write_bytes(b"an earlier still")
        with open(disk / "filler", "wb") as filler, contextlib.suppress(OSError):
            filler.write(bytes(1 << 20))
        child.wait_for("update")
        window_of(display)
        xdotool(display, "key", "F12")
        said = until(lambda: [line for line in list(child.lines) if "landfall:" in line], "the complaint")
        assert "cannot write" in said[0] and "still.png (No space left on device): free some space" in said[0]
        told = until(lambda: [line for line in list(child.lines) if line.startswith("tell ")], "the line on screen")
        assert "no still was saved" in told[0] and "No space left on device" in told[0]
        child.wait_frames()
        assert (disk / "still.png").read_bytes() == b"an earlier still"
        assert sorted(path.name for path in disk.iterdir()) == ["filler", "still.png"]
        xdotool(display, "key", "q")
        assert child.ended() == 0
        assert len([line for line in child.lines if "landfall:" in line]) == 1 and "Traceback" not in child.text()


# A parent that ignores Ctrl-C, as a shell does for its background jobs, hands that on to its children, rightly so.
SIGNALS = [signal.SIGTERM] if signal.getsignal(signal.SIGINT) is signal.SIG_IGN else [signal.SIGTERM, signal.SIGINT]


@pytest.mark.parametrize("number", SIGNALS)
def test_signals_end_it_at_once(window, number):
    window.process.send_signal(number)
    assert window.ended() == -number
    assert "Traceback" not in window.text()


def test_a_program_that_was_stopped_goes_on_where_it_was(window):
    """The recording show asserts in every frame how far that frame moves it."""
    window.process.send_signal(signal.SIGSTOP)
    os.waitid(os.P_PID, window.process.pid, os.WSTOPPED | os.WNOWAIT)
    # Longer than any frame may move the show.
    time.sleep(2.0)
    window.process.send_signal(signal.SIGCONT)
    window.wait_frames()
    assert window.process.poll() is None, window.text()


PLANTED = """
import sys
sys.path.insert(0, {root!r})
import main
from demo.process import environment
environment.prepare()
def fail(*words, **given):
    raise ValueError("a planted fault\\nwith more to say")
from {module} import {name} as planted
planted.{function} = fail
sys.exit(main.main(["show", "--scene", "plasma", "--seed", "5", "--size", "160x90", "--set", "plasma.cells=64"]))
"""


@pytest.mark.parametrize(
    ("module", "name", "function"),
    [
        ("demo.catalogue.generator", "Generator", "grow"),
        ("demo.flight", "terrain", "plan"),
        ("demo.story.replay", "PictureMaker", "make"),
    ],
)
def test_a_worker_that_fails_ends_the_program_with_one_line(display, tmp_path, module, name, function):
    text = PLANTED.format(root=str(ROOT), module=module, name=name, function=function)
    child = Child([sys.executable, "-c", text], display, cwd=tmp_path)
    try:
        assert child.ended() == 1
        [line] = child.lines
        assert line.startswith("landfall: ") and "could not be grown: a planted fault" in line, line
    finally:
        child.kill()


def test_no_opengl_3_3_is_said(display):
    with recording(display, "window", MESA_GL_VERSION_OVERRIDE="2.1") as child:
        assert child.ended() == 1
    assert child.lines[-1].startswith("error no OpenGL 3.3")


def test_no_opengl_library_is_said(display):
    with recording(display, "window", SDL_VIDEO_X11_FORCE_EGL="1", SDL_VIDEO_EGL_DRIVER="/nowhere/libEGL.so") as child:
        assert child.ended() == 1
    assert child.lines[-1].startswith("error no OpenGL")
    assert "Traceback" not in child.text()


@pytest.fixture
def program(display, tmp_path):
    """The program itself, its first picture on screen."""
    words = [str(ROOT / "main.py"), "show", "--scene", "plasma", "--seed", "5", "--size", "640x360"]
    child = Child([sys.executable, *words], display, cwd=tmp_path, XDG_STATE_HOME=str(tmp_path / "state"))
    child.number = window_of(display)
    until(lambda: is_filled(display, 640, 360), "the first picture")
    yield child
    child.kill()


def is_filled(display: str, width: int, height: int) -> bool:
    """The window in the middle of the screen has something in each of its quarters."""
    x, y = (DESKTOP[0] - 640) // 2, (DESKTOP[1] - 360) // 2
    picture = screen(display)[y : y + height, x : x + width]
    halves = slice(0, width // 2), slice(width // 2, width)
    return all(part[:, half].any() for part in (picture[: height // 2], picture[height // 2 :]) for half in halves)


def test_the_program_from_its_first_picture_to_the_last(display, program, tmp_path):
    xdotool(display, "windowsize", program.number, "800", "560")
    until(lambda: is_filled(display, 800, 560), "a picture that fills the larger window")
    for key in ("h", "i", "g", "n", "l", "space", "Right", "1", "plus", "p", "p", "c"):
        xdotool(display, "key", key)
    xdotool(display, "key", "F12")
    until(lambda: list(tmp_path.glob("*.png")), "a still")

    def kept() -> list:
        # There may be no world yet.
        xdotool(display, "key", "k")
        return list(tmp_path.glob("state/landfall/history/*-kept.png"))

    until(kept, "a world that is kept")
    xdotool(display, "key", "Escape")
    assert program.ended() == 0, program.text()
    assert [line for line in program.lines if not line.endswith(".png")] == []


@pytest.mark.parametrize("number", SIGNALS)
def test_the_program_ends_by_a_signal_while_it_makes_its_first_world(program, number):
    program.process.send_signal(number)
    assert program.ended() == -number, program.text()
    assert program.lines == []


def test_a_crash_of_the_program_leaves_behind_where_its_threads_were(display, program, tmp_path):
    program.process.send_signal(signal.SIGSEGV)
    assert program.ended() == -signal.SIGSEGV and program.lines == []
    told = (tmp_path / "state" / "landfall" / "crash").read_text()
    # The main thread, and the one that grows worlds.
    assert "Segmentation fault" in told and "in run" in told and "worker.py" in told


PROBLEM = "from demo.hosts import display; print(display.problem())"


def problem(display: str | None, **more: str) -> str:
    """What `display.problem` says in a fresh process."""
    child = Child([sys.executable, "-c", PROBLEM], display, **more)
    assert child.ended() == 0
    return child.lines[-1]


def test_problem_of_a_display_that_is_there(display):
    assert problem(display) == "None"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="displays of Linux")
def test_problem_without_display():
    assert problem(None) == "no display: neither DISPLAY nor WAYLAND_DISPLAY is set"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="displays of Linux")
def test_problem_with_a_dead_display(display):
    assert problem(":4321") == "no display: cannot connect to DISPLAY=:4321"
    assert "WAYLAND_DISPLAY=none-4321" in problem(None, WAYLAND_DISPLAY="none-4321", XDG_RUNTIME_DIR="/nonexistent")
    assert problem(display, WAYLAND_DISPLAY="none-4321") == "None"


@pytest.mark.parametrize("driver", ["offscreen", "dummy"])
def test_problem_with_a_driver_that_shows_nothing(display, driver):
    assert problem(display, SDL_VIDEODRIVER=driver) == f"SDL_VIDEODRIVER={driver} shows no window"


def test_no_window_where_there_is_no_display():
    with recording(None, "window", SDL_VIDEODRIVER="x11") as child:
        assert child.ended() == 1
    assert child.lines[-1].startswith("error no display")
