"""Display power: a dark display is not drawn for, and comes back within a second."""

from __future__ import annotations

import ctypes

import pytest
from support.hosting import need, x_server

from demo.hosts import xlib
from demo.hosts.display_power import LOOK_S, DisplayPower, x_display_power


def test_it_is_not_asked_in_every_frame_but_at_once_while_dark():
    lit, clock, asked = [True], [0.0], []

    def ask() -> bool:
        asked.append(clock[0])
        return lit[0]

    power = DisplayPower(ask, lambda: clock[0])
    for frame in range(30):
        clock[0] = frame / 30.0
        assert power.is_lit()
    assert asked == [0.0]
    lit[0], clock[0] = False, LOOK_S
    assert not power.is_lit()
    lit[0], clock[0] = True, LOOK_S + 0.1
    assert power.is_lit()


class FakeXext:
    """Answers as libXext does; Xvfb has no such extension."""

    def __init__(self, level: int, enabled: bool, there: bool = True) -> None:
        self.level, self.enabled, self.there = level, enabled, there

    def DPMSQueryExtension(self, display: object, base: object, error: object) -> int:  # as X names it
        return self.there

    def DPMSInfo(self, display: object, level: object, enabled: object) -> int:
        ctypes.cast(level, ctypes.POINTER(ctypes.c_ushort))[0] = self.level
        ctypes.cast(enabled, ctypes.POINTER(ctypes.c_ubyte))[0] = self.enabled
        return 1


@pytest.mark.parametrize(
    ("fake", "lit"),
    [
        (FakeXext(0, True), True),
        (FakeXext(1, True), False),
        (FakeXext(2, True), False),
        (FakeXext(3, True), False),
        (FakeXext(3, False), True),
        (FakeXext(3, True, there=False), True),
    ],
    ids=["on", "standby", "suspended", "off", "disabled", "no extension"],
)
def test_what_x_says_of_its_display(monkeypatch, fake, lit):
    need("Xvfb")
    with x_server() as display:
        monkeypatch.setenv("DISPLAY", display)
        monkeypatch.setattr(xlib, "load_dpms", lambda: fake)
        assert x_display_power()() is lit


def test_a_server_without_the_extension_is_asked_once(monkeypatch):
    need("Xvfb")
    with x_server() as display:
        monkeypatch.setenv("DISPLAY", display)
        assert x_display_power()()


def test_without_a_server_every_display_is_lit(monkeypatch):
    monkeypatch.setenv("DISPLAY", ":7654")
    assert x_display_power()()
