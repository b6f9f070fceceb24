"""What a report that is shown to strangers leaves out: home folders, and the names of the user and the machine."""

from __future__ import annotations

import os
import platform
import re
import sys
from collections.abc import Callable
from pathlib import Path

from ..process.assets import PACKAGE_FOLDER

NAMES_OF_USERS = ("USER", "LOGNAME", "USERNAME", "LNAME", "SUDO_USER")
NAMES_OF_HOSTS = ("HOSTNAME", "HOST", "COMPUTERNAME")
# Other people's homes, wherever systems keep them.
_HOMES = re.compile(r"(?<![\w~])((?:/var)?/home|/Users|[A-Za-z]:[\\/]Users)[\\/][^\\/\s:;,()'\"]+")
# Names that say nothing about anybody.
PUBLIC = {"", "localhost", "localdomain"}


def without_names() -> Callable[[str], str]:
    """A function that replaces, in a text, what belongs to this user and this machine by `~`, USER and HOST."""
    folders = {_whole(str(folder)): "<landfall>" for folder in _spellings(PACKAGE_FOLDER.parent)}
    folders |= {_whole(str(home)): "~" for home in _homes()}
    words = {_word(name): "USER" for name in _users()} | {_word(name): "HOST" for name in _hosts()}
    # A folder inside another one, and a name inside another one, come before it.
    rules = [
        *sorted(folders.items(), key=lambda rule: -len(rule[0])),
        *sorted(words.items(), key=lambda rule: -len(rule[0])),
    ]
    compiled = [(re.compile(pattern, re.IGNORECASE), put) for pattern, put in rules]

    def cleaned(text: str) -> str:
        for pattern, put in compiled:
            text = pattern.sub(put, text)
        return _HOMES.sub("~", text)

    return cleaned


def _longest_first(rule: tuple[str, str]) -> int:
    return -len(rule[0])


def _whole(folder: str) -> str:
    return re.escape(folder) + r"(?![^\\/\s:;,()'\"])"


def _word(name: str) -> str:
    return rf"(?<![^\W_]){re.escape(name)}(?![^\W_])"


def _spellings(folder: Path) -> set[Path]:
    return {folder, Path(os.path.abspath(folder)), Path(os.path.realpath(folder))}


def _homes() -> set[Path]:
    """The user's home folders: the one of the environment and the one of the system's table, as they are spelled."""
    named = {os.environ.get(name, "") for name in ("HOME", "USERPROFILE")} | {_account("pw_dir")}
    found = {spelled for home in named if os.path.isabs(home) for spelled in _spellings(Path(home))}
    # A service's home may be the root of all folders.
    return {home for home in found if home != home.parent}


def _users() -> set[str]:
    return ({os.environ.get(name, "") for name in NAMES_OF_USERS} | {_account("pw_name")}) - PUBLIC


def _hosts() -> set[str]:
    whole = {platform.node(), *(os.environ.get(name, "") for name in NAMES_OF_HOSTS)}
    return (whole | {name.partition(".")[0] for name in whole}) - PUBLIC


def _account(field: str) -> str:
    """A field of this user's row in the system's table; empty where there is none."""
    if sys.platform == "win32":
        return ""
    import pwd  # POSIX's

    try:
        return str(getattr(pwd.getpwuid(os.getuid()), field))
    except KeyError:
        return ""
