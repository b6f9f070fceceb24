"""The screen saver: full screen until somebody comes back, and in a window that belongs to another program."""

from __future__ import annotations

import signal
from itertools import pairwise
from pathlib import Path

import pytest
from support import hosting
from support.hosting import DESKTOP, recording, screen, until, xdotool
from test_window import is_orange

from demo.hosts.saver import GRACE_S, Wake

# --- the rule --------------------------------------------------------------------------------------------------------


def event(name: str, **more: object):
    pygame = pytest.importorskip("pygame")
    return pygame.event.Event(getattr(pygame, name), more)


TOUCHES = ["KEYDOWN", "MOUSEBUTTONDOWN", "MOUSEWHEEL", "FINGERDOWN"]


@pytest.mark.parametrize("name", TOUCHES)
def test_a_touch_ends_it_after_the_grace(name):
    wake = Wake(started=100.0)
    assert not wake.wakes(event(name), 100.0 + GRACE_S - 0.01)
    assert wake.wakes(event(name), 100.0 + GRACE_S)


def test_grace_is_a_second():
    assert GRACE_S == 1.0


def test_motion_adds_up_to_more_than_ten_pixels_within_a_second():
    wake = Wake(started=0.0)
    assert not wake.wakes(event("MOUSEMOTION", rel=(300, 300)), 0.5)
    assert not wake.wakes(event("MOUSEMOTION", rel=(-6, 0)), 2.0)
    assert not wake.wakes(event("MOUSEMOTION", rel=(0, 4)), 2.5)
    assert wake.wakes(event("MOUSEMOTION", rel=(1, 0)), 2.9)


def test_a_desk_that_trembles_does_not_end_it():
    wake = Wake(started=0.0)
    assert not any(wake.wakes(event("MOUSEMOTION", rel=(1, 0)), 2.0 + number / 8) for number in range(1000))
    assert not wake.wakes(event("MOUSEMOTION", rel=(10, 0)), 200.0)
    assert not wake.wakes(event("MOUSEMOTION", rel=(0, 10)), 201.0)
    assert wake.wakes(event("MOUSEMOTION", rel=(0, 1)), 201.9)


def test_other_events_do_not_end_it():
    wake = Wake(started=0.0)
    assert not any(wake.wakes(event(name), 9.0) for name in ("KEYUP", "MOUSEBUTTONUP", "WINDOWEXPOSED", "ACTIVEEVENT"))
    assert wake.wakes(event("QUIT"), 0.0)


# --- full screen -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("touch", [("key", "z"), ("click", "1"), ("mousemove_relative", "9", "9")])
def test_saver_fills_the_screen_until_touched(display, touch):
    with recording(display, "saver", GRACE_S="0") as child:
        child.wait_for("update")
        until(lambda: is_orange(screen(display)), "a full screen")
        assert child.lines[0] == f"show {DESKTOP[0]} {DESKTOP[1]}"
        child.wait_for("display may sleep")
        child.wait_frames()
        xdotool(display, *touch)
        assert child.ended() == 0
    assert child.lines[-1] == "close"
    assert not [line for line in child.lines if line.startswith("act")]


def test_a_small_motion_does_not_end_it(display):
    with recording(display, "saver", GRACE_S="0") as child:
        child.wait_for("update")
        child.wait_frames()
        xdotool(display, "mousemove_relative", "6", "0")
        child.wait_frames(5)
        xdotool(display, *["mousemove_relative", "6", "0"] * 2)
        assert child.ended() == 0


def test_saver_follows_a_screen_that_changes(display):
    """No window manager runs, so nobody else resizes a full-screen window."""
    hosting.need("xrandr")
    with recording(display, "saver", GRACE_S="3600") as child:
        child.wait_for("update")
        until(lambda: is_orange(screen(display)), "a full screen")
        for width, height in ((800, 600), (640, 480), DESKTOP):
            since = len(child.lines)
            hosting.set_screen(display, width, height)
            child.wait_for(f"resize {width} {height}", since)
            until(
                lambda size=(height, width): screen(display).shape[:2] == size and is_orange(screen(display)), "its picture"
            )


# --- the desktop's idle time -------------------------------------------------------------------------------------------


def test_saver_leaves_the_idle_time_alone(display, desktop):
    """What it tells the desktop would reset the clock that started it."""
    with recording(display, "saver", GRACE_S="0", **desktop.session) as child:
        child.wait_for("update")
        child.wait_frames()
        xdotool(display, "key", "z")
        assert child.ended() == 0
    assert desktop.calls() == []


def test_a_show_in_another_programs_window_leaves_the_idle_time_alone(display, owner, desktop):
    with recording(display, "x11_window", owner.window, **desktop.session) as child:
        child.wait_for("update")
        child.wait_frames()
        owner.tell("destroy")
        assert child.ended() == 0
    assert desktop.calls() == []


def test_touches_within_the_grace_do_not_end_it(display):
    with recording(display, "saver", GRACE_S="3600") as child:
        child.wait_for("update")
        for touch in (("key", "q"), ("click", "1"), ("mousemove_relative", "90", "90")):
            xdotool(display, *touch)
            child.wait_frames()
        child.process.terminate()
        assert child.ended() == -signal.SIGTERM


# --- another program's window ----------------------------------------------------------------------------------------


def inside(display: str, width: int, height: int) -> bool:
    """The owner's window is filled and nothing beyond it."""
    picture = screen(display)
    return is_orange(picture[20 : 20 + height, 10 : 10 + width]) and not picture[:, 10 + width :].any()


def test_window_of_an_owner_is_filled_and_followed(display, owner):
    with recording(display, "x11_window", owner.window) as child:
        child.wait_for("show 300 200")
        until(lambda: inside(display, 300, 200), "a picture in the owner's window")
        child.wait_for("display may sleep")
        owner.tell("resize", 400, 250)
        child.wait_for("resize 400 250")
        until(lambda: inside(display, 400, 250), "a picture in the larger window")
        owner.tell("resize", 120, 80)
        child.wait_for("resize 120 80")
        child.process.terminate()
        assert child.ended() == -signal.SIGTERM


@pytest.mark.parametrize("form", [str, hex, lambda number: f"0x{number:08X}"])
def test_window_from_the_environment(display, owner, form):
    with recording(display, "x11_window", XSCREENSAVER_WINDOW=form(int(owner.window))):
        until(lambda: inside(display, 300, 200), "a picture in the owner's window")


def test_touches_do_not_end_a_show_in_another_programs_window(display, owner):
    with recording(display, "x11_window", owner.window) as child:
        child.wait_for("update")
        xdotool(display, "mousemove", "50", "60")
        xdotool(display, "windowfocus", owner.window)
        for touch in (("key", "q"), ("click", "1"), ("mousemove_relative", "30", "30")):
            xdotool(display, *touch)
            child.wait_frames()
    assert not [line for line in child.lines if line.startswith("act")]


@pytest.mark.parametrize(("away", "back"), [("cover", "uncover"), ("hide", "show")])
def test_nothing_is_drawn_in_a_window_that_nobody_can_see(display, owner, away, back):
    with recording(display, "x11_window", owner.window) as child:
        child.wait_for("draw")
        since = len(child.lines)
        owner.tell(away)
        until(lambda: ("update", "update") in pairwise(child.lines[since:]), "frames without a picture")
        assert wakes_a_frame(child) < 5
        owner.tell(back)
        child.wait_for("draw", len(child.lines))


def test_the_end_of_the_owners_window_is_quiet(display, owner):
    with recording(display, "x11_window", owner.window) as child:
        child.wait_for("draw")
        child.wait_frames()
        owner.tell("destroy")
        assert child.ended() == 0
    assert {line.split()[0] for line in child.lines} <= {"show", "draw", "update", "resize", "display", "close"}


def test_root_window_keeps_its_name(display):
    hosting.need("xprop")
    hosting.printed(display, "xprop", "-root", "-f", "WM_NAME", "8s", "-set", "WM_NAME", "status line")
    with recording(display, "x11_window") as child:
        child.wait_for(f"show {DESKTOP[0]} {DESKTOP[1]}")
        until(lambda: is_orange(screen(display)), "a picture on the root window")
        child.wait_frames()
        listing = hosting.printed(display, "xprop", "-root").splitlines()
        names = [line for line in listing if "_NAME(" in line or "_ICON" in line]
    assert [line for line in names if "XKB" not in line] == ['WM_NAME(STRING) = "status line"']


def test_a_stopped_show_goes_on_where_it_was(display, owner):
    """The recording show asserts that no step is longer than 0.1 s."""
    with recording(display, "x11_window", owner.window) as child:
        child.wait_for("update")
        child.process.send_signal(signal.SIGSTOP)
        until(lambda: stopped(child.process.pid), "the stop")
        child.process.send_signal(signal.SIGCONT)
        child.wait_frames()


def wakes_a_frame(child, frames: int = 3) -> float:
    """How often its main thread has slept in each of the next frames."""
    child.wait_frames(1)
    before = voluntary_switches(child.process.pid)
    child.wait_frames(frames)
    return (voluntary_switches(child.process.pid) - before) / frames


def voluntary_switches(pid: int) -> int:
    lines = Path(f"/proc/{pid}/task/{pid}/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("voluntary_ctxt_switches")).split()[1])


def stopped(pid: int) -> bool:
    with open(f"/proc/{pid}/stat") as stat:
        return stat.read().rpartition(")")[2].split()[0] == "T"


def test_no_such_window(display):
    with recording(display, "x11_window", str(0x12345678)) as child:
        assert child.ended() == 1
    assert child.lines[-1] == "error no X window 0x12345678: pass the number of an existing window"


def test_no_x_display():
    with recording(":4321", "x11_window") as child:
        assert child.ended() == 1
    assert child.lines[-1].startswith("error no X display")


@pytest.mark.parametrize("word", ["abc", "-1", "0", "0x1ffffffff", "12 34"])
def test_a_word_that_is_no_window_is_an_error_of_one_line(display, word):
    with recording(display, "x11_window", XSCREENSAVER_WINDOW=word) as child:
        assert child.ended() == 2
    takes = "the number of an X window, decimal or 0x..."
    assert child.lines == [f"error XSCREENSAVER_WINDOW={word} is not possible: it takes {takes}"]


def test_a_token_of_wayland_gives_a_full_screen_saver(display):
    """XWayland has a DISPLAY beside it."""
    named = {"XSCREENSAVER_WINDOW": "wayland-surface", "WAYLAND_DISPLAY": "none-4321"}
    with recording(display, "x11_window", GRACE_S="0", **named) as child:
        child.wait_for(f"show {DESKTOP[0]} {DESKTOP[1]}")
        child.wait_for("update")
        child.wait_frames()
        xdotool(display, "key", "z")
        assert child.ended() == 0
