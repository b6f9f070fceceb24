"""The hosts under a Wayland compositor: the whole screen, its idle time, and its end."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from support import hosting
from support.hosting import recording

# No D-Bus, which SDL would rather speak; and each request to the compositor as a line.
ALONE = {"DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere", "WAYLAND_DEBUG": "1"}


@pytest.fixture
def session() -> Iterator[dict[str, str]]:
    with hosting.wayland_server() as names:
        yield names


def test_a_window_keeps_the_display_awake(session):
    with recording(None, "window", **session, **ALONE) as child:
        child.wait_for("display stays awake")
        child.wait_frames()
    assert len([line for line in child.lines if ".create_inhibitor(" in line]) == 1


def test_a_saver_fills_the_screen_and_leaves_the_idle_time_alone(session):
    with recording(None, "saver", **session, **ALONE) as child:
        child.wait_for("display may sleep")
        child.wait_frames()
    assert any(".set_fullscreen(" in line for line in child.lines)
    assert not [line for line in child.lines if "create_inhibitor" in line]


@pytest.mark.parametrize("host", ["window", "saver"])
def test_the_end_of_the_compositor_closes_it(session, host):
    with recording(None, host, **session) as child:
        child.wait_for("update")
        hosting.end_server(session["WAYLAND_DISPLAY"])
        assert child.ended() == 0
    assert child.lines[-1] == "close" and "Traceback" not in child.text()
