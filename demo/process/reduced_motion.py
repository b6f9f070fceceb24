"""Reduced motion: whether the user has told the desktop that moving pictures are unwelcome.

The desktop portal is asked for its own setting, and else for GNOME's switch of animations, by the programs that systems
bring along for asking. No answer is none: nothing is slowed down then.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import threading
from collections.abc import Callable

PORTAL, PATH = "org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop"
READ = "org.freedesktop.portal.Settings"
# (namespace, key, the answer that asks for less motion). Source: XDG Desktop Portal, Settings; GNOME's desktop schemas.
SETTINGS = (
    ("org.freedesktop.appearance", "reduced-motion", "1"),
    ("org.gnome.desktop.interface", "enable-animations", "false"),
)
# The longest that one question, and all of them together, may take.
QUESTION_S, PATIENCE_S = 1.0, 2.5

Ask = Callable[[str, str], str]


def ask_desktop(namespace: str, key: str) -> str:
    """What the portal answers, as the program that was asked prints it; "" for no answer."""
    for name, words in (
        (
            "gdbus",
            ["call", "--session", "--dest", PORTAL, "--object-path", PATH, "--method", f"{READ}.Read", namespace, key],
        ),
        ("busctl", ["--user", "call", PORTAL, PATH, READ, "Read", "ss", namespace, key]),
    ):
        program = shutil.which(name)
        if program is None:
            continue
        try:
            done = subprocess.run(
                [program, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=QUESTION_S, check=False
            )
        except (OSError, subprocess.TimeoutExpired):
            return ""
        return done.stdout if done.returncode == 0 else ""
    return ""


def wants_less(ask: Ask = ask_desktop) -> bool:
    """Whether the desktop asks for less motion. The first setting that is there decides, unless it has no preference."""
    for namespace, key, least in SETTINGS:
        # gdbus: (<<uint32 1>>,) and (<<false>>,); busctl: v v u 1 and v v b false.
        answer = re.search(r"(\w+)\W*$", ask(namespace, key))
        if answer and answer[1] == least:
            return True
    return False


class ReducedMotion:
    """The question, asked by a thread of its own, so that nobody waits for a slow desktop."""

    def __init__(self, ask: Ask = ask_desktop) -> None:
        self._less = False
        self._thread = threading.Thread(target=self._find, args=(ask,), daemon=True)
        if ask is not ask_desktop or has_session_bus():
            self._thread.start()

    def _find(self, ask: Ask) -> None:
        self._less = wants_less(ask)

    def __call__(self) -> bool:
        """The answer; one that takes longer than PATIENCE_S is no. Called by who needs it, long after the start."""
        if self._thread.is_alive():
            self._thread.join(PATIENCE_S)
        return self._less


def has_session_bus() -> bool:
    """Whether there may be a desktop to ask."""
    if os.environ.get("DBUS_SESSION_BUS_ADDRESS"):
        return True
    return hasattr(os, "getuid") and os.path.exists(f"/run/user/{os.getuid()}/bus")
