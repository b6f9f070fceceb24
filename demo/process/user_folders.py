"""The user's folders for settings, data and state, by the XDG Base Directory Specification and elsewhere its likes."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from .environment import home


def settings_home() -> Path:
    """Where programs keep what the user has set."""
    if sys.platform == "win32":
        return Path(os.environ.get("APPDATA") or home() / "AppData" / "Roaming")
    return _named("XDG_CONFIG_HOME", ".config")


def data_home() -> Path:
    """Where programs keep files that other programs find."""
    return _named("XDG_DATA_HOME", ".local/share")


def state_home() -> Path:
    """Where programs keep their logs and histories."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home() / "AppData" / "Local")
    return _named("XDG_STATE_HOME", ".local/state")


def _named(name: str, default: str) -> Path:
    """The specification: a relative path is invalid and must be ignored."""
    given = os.environ.get(name, "")
    return Path(given) if os.path.isabs(given) else home() / default
