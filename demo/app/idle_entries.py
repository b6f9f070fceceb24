"""The entry of Landfall in the settings of programs that start something: what is added to a text, and taken out again.

Each class has `add(content)` and `remove(content)`, as `file_changes.UsersFile` wants them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from ..worlds.parameters import ParameterError

BEGIN, END = b"# Landfall: begin", b"# Landfall: end"
APP_DEFAULTS = tuple(
    Path(f"{folder}/X11/app-defaults/XScreenSaver") for folder in ("/etc", "/usr/share", "/usr/lib", "/usr/local/lib")
)
# An entry of XScreenSaver's list ends with a written-out line feed, and its line goes on on the next one.
NEXT = rb" \n" + b"\\"


@dataclass(frozen=True)
class MarkedLines:
    """Lines at the end of a file that takes `#` for comments, between two marks."""

    lines: tuple[str, ...]

    def add(self, content: bytes | None) -> bytes:
        """With the lines at its end."""
        before = content or b""
        gap = b"" if before.endswith(b"\n") or not before else b"\n"
        return before + gap + b"\n".join([BEGIN, *(line.encode() for line in self.lines), END, b""])

    def remove(self, content: bytes) -> bytes:
        """Without what stands between the marks."""
        return re.sub(rb"(?ms)^" + BEGIN + rb"$.*?^" + END + rb"$\n?", b"", content)


@dataclass(frozen=True)
class XScreenSaverProgram:
    """An entry in the list `programs` of ~/.xscreensaver. `launcher`: by whose path it is known; `entry`: its text.

    It comes last, because the user's choice among the others is kept by their numbers. A file without a list of its own gets
    that of the system first, which it would otherwise hide.
    """

    launcher: str
    entry: str

    def add(self, content: bytes | None) -> bytes:
        """With the entry at the end of the list."""
        lines = (content or b"").split(b"\n")
        start = _start(lines, rb"programs:")
        if start is None:
            gap = b"" if not content or content.endswith(b"\n") else b"\n"
            return self.add((content or b"") + gap + b"\n".join([b"programs: \\", *_system_programs(), b"", b""]))
        end = _end(lines, start)
        entry = b"  " + self.entry.encode()
        # The last line is an entry, or empty.
        if end < len(lines) and lines[end].strip():
            return b"\n".join([*lines[:end], lines[end] + NEXT, entry, *lines[end + 1 :]])
        return b"\n".join([*lines[:end], entry + NEXT, *lines[end:]])

    def remove(self, content: bytes) -> bytes:
        """Without the entries that start the launcher, however they were changed."""
        lines = content.split(b"\n")
        start = _start(lines, rb"programs:")
        if start is None:
            return content
        kept = lines[: start + 1]
        end = _end(lines, start)
        for number in range(start + 1, min(end + 1, len(lines))):
            if self.launcher.encode() not in lines[number]:
                kept.append(lines[number])
            elif not lines[number].endswith(b"\\"):
                kept[-1] = kept[-1].removesuffix(NEXT)
        return b"\n".join([*kept, *lines[end + 1 :]])


def _start(lines: list[bytes], name: bytes) -> int | None:
    return next((number for number, line in enumerate(lines) if re.match(name, line)), None)


def _end(lines: list[bytes], start: int) -> int:
    """The first line from `start` on that does not go on: the last one of the list, often empty."""
    return next((number for number in range(start, len(lines)) if not lines[number].endswith(b"\\")), len(lines))


def _system_programs() -> list[bytes]:
    """The list of the system, a line for each entry; empty where XScreenSaver is not installed."""
    for path in APP_DEFAULTS:
        try:
            lines = path.read_bytes().split(b"\n")
        except OSError:
            continue
        start = _start(lines, rb"\*(XScreenSaver\.)?programs:")
        if start is not None:
            found = lines[start + 1 : _end(lines, start) + 1]
            return [re.sub(rb"\s*(\\n)?\\?$", b"", line) + NEXT for line in found if line.strip(b" \t\\n")]
    return []


@dataclass(frozen=True)
class KdeIdleCommand:
    """The command that PowerDevil of Plasma 6 runs after idle time on mains power. Source: its kcfg."""

    command: str
    seconds: int

    GROUP = b"[AC][RunScript]"

    def add(self, content: bytes | None) -> bytes:
        """With the command; raises ParameterError where there is another one."""
        lines = (content or b"").split(b"\n")
        keys = [b"IdleTimeoutCommand=" + self.command.encode(), b"RunScriptIdleTimeoutSec=%d" % self.seconds]
        if self.GROUP not in lines:
            gap = b"" if not content or content.endswith(b"\n") else b"\n"
            return (content or b"") + gap + b"\n".join([self.GROUP, *keys, b""])
        first, last = self._group(lines)
        others = [line for line in lines[first:last] if re.match(rb"IdleTimeoutCommand=.", line)]
        if others:
            other = others[0].partition(b"=")[2].decode(errors="replace")
            raise ParameterError(f"Plasma already runs '{other}' after idle time: remove that in its power settings first")
        kept = [line for line in lines[first:last] if not re.match(rb"(IdleTimeoutCommand|RunScriptIdleTimeoutSec)=", line)]
        return b"\n".join([*lines[:first], *keys, *kept, *lines[last:]])

    def remove(self, content: bytes) -> bytes:
        """Without the command and its time, and without their group where nothing else is in it."""
        lines = content.split(b"\n")
        if self.GROUP not in lines:
            return content
        first, last = self._group(lines)
        if b"IdleTimeoutCommand=" + self.command.encode() not in lines[first:last]:
            return content
        kept = [line for line in lines[first:last] if not re.match(rb"(IdleTimeoutCommand|RunScriptIdleTimeoutSec)=", line)]
        head = lines[: first - 1] if not any(kept) else lines[:first]
        return b"\n".join([*head, *kept, *lines[last:]])

    def _group(self, lines: list[bytes]) -> tuple[int, int]:
        first = lines.index(self.GROUP) + 1
        return first, next((number for number in range(first, len(lines)) if lines[number].startswith(b"[")), len(lines))
