"""Reduced motion: the portal's answers as gdbus and busctl print them, and programs that fail or hang."""

from __future__ import annotations

import threading

import pytest

from demo.process import reduced_motion
from demo.process.reduced_motion import ReducedMotion, wants_less


def answering(motion: str, animations: str = ""):
    answers = {"reduced-motion": motion, "enable-animations": animations}
    return lambda namespace, key: answers[key]


@pytest.mark.parametrize(
    ("motion", "animations", "less"),
    [
        ("(<<uint32 1>>,)\n", "", True),
        ("v v u 1\n", "", True),
        ("(<<uint32 0>>,)\n", "(<<true>>,)\n", False),
        # GNOME's switch where the portal has no preference, or no such setting.
        ("(<<uint32 0>>,)\n", "(<<false>>,)\n", True),
        ("", "(<<false>>,)\n", True),
        ("", "v v b false\n", True),
        ("", "v v b true\n", False),
        ("", "", False),
        ("Error: no such thing\n", "1", False),
    ],
)
def test_what_the_desktop_says(motion, animations, less):
    assert wants_less(answering(motion, animations)) is less
    assert ReducedMotion(answering(motion, animations))() is less


def test_a_desktop_that_does_not_answer_holds_nothing_up(monkeypatch):
    monkeypatch.setattr(reduced_motion, "PATIENCE_S", 0.01)
    asked, answer = threading.Event(), threading.Event()

    def slow(namespace: str, key: str) -> str:
        asked.set()
        answer.wait(20.0)
        return "(<<uint32 1>>,)"

    less = ReducedMotion(slow)
    assert asked.wait(20.0) and less() is False
    answer.set()


GDBUS = """#!/bin/sh
echo "$@" >> "$0.asked"
case "$*" in
  *"call --session --dest org.freedesktop.portal.Desktop"*reduced-motion) echo '(<<uint32 0>>,)' ;;
  *"org.gnome.desktop.interface enable-animations") echo '(<<false>>,)' ;;
  *) exit 1 ;;
esac
"""
BUSCTL = """#!/bin/sh
test "$9" = reduced-motion || exit 1
echo 'v v u 1'
"""
REFUSING = "#!/bin/sh\necho 'Error: GDBus.Error:org.freedesktop.DBus.Error.ServiceUnknown' >&2\nexit 1\n"


@pytest.mark.parametrize(
    ("programs", "less"),
    [({"gdbus": GDBUS}, True), ({"busctl": BUSCTL}, True), ({"gdbus": REFUSING}, False), ({}, False)],
    ids=["gdbus", "busctl", "no service", "neither"],
)
def test_the_programs_of_the_system_are_asked(tmp_path, monkeypatch, programs, less):
    for name, text in programs.items():
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert wants_less() is less


def test_without_a_session_bus_nobody_is_asked(monkeypatch):
    monkeypatch.delenv("DBUS_SESSION_BUS_ADDRESS", raising=False)
    monkeypatch.setattr(reduced_motion.os.path, "exists", lambda path: False)
    assert not reduced_motion.has_session_bus() and ReducedMotion()() is False
