"""Names of temporary files, and the removal of those whose process was killed before it could remove them.

A temporary name tells the machine, the process and the time of its start:

    .NAME-landfall-HOST-PID-BOOT-START-RANDOM.ENDING

HOST is a hash of the machine and of the namespace in which process ids count. BOOT names the run of the machine's kernel,
and START counts its clock ticks: together with PID they name one process for ever. What has another form of name, comes
from another host, or belongs to a process that lives, is not touched.
"""

from __future__ import annotations

import hashlib
import os
import platform
import re
import secrets
import shutil
import stat
from contextlib import suppress
from functools import cache
from pathlib import Path

NAME_LENGTH = 40
"""Letters of the final name that a temporary name repeats."""

_NAME = re.compile(
    rf"\..{{0,{NAME_LENGTH}}}-landfall-"
    r"(?P<host>[0-9a-f]{8})-(?P<pid>[0-9]+)-(?P<boot>[0-9a-f]{8})-(?P<start>[0-9]+)-[0-9a-f]{8}(\..*)?",
    re.DOTALL,
)
# Fields of /proc/PID/stat after the name of the program: the state, and the start in clock ticks since the boot.
_STATE, _START = 0, 19
_UNKNOWN = 0


def temporary_name(name: str, ending: str = "") -> str:
    """A new name for a temporary file or folder of this process that will be called `name` + `ending`."""
    pid = os.getpid()
    start = _start_of(pid) or _UNKNOWN
    return f".{name[:NAME_LENGTH]}-landfall-{_host()}-{pid}-{_boot()}-{start}-{secrets.token_hex(4)}{ending}"


def remove_leftovers(folder: Path) -> None:
    """Removes the temporary files and folders in `folder` whose processes have ended. Never raises OSError."""
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if _is_leftover(entry.name):
                remove(Path(entry.path))


def remove(path: Path) -> None:
    """Removes a file, or a folder with all that is in it; leaves links and devices alone. Never raises OSError."""
    with suppress(OSError):
        mode = path.lstat().st_mode
        if stat.S_ISDIR(mode):
            shutil.rmtree(path, ignore_errors=True)
        elif stat.S_ISREG(mode):
            path.unlink()


def _is_leftover(name: str) -> bool:
    """True when `name` is a temporary name of a process of this machine that has ended."""
    parts = _NAME.fullmatch(name)
    if parts is None or parts["host"] != _host():
        return False
    return parts["boot"] != _boot() or not _lives(int(parts["pid"]), int(parts["start"]))


def _lives(pid: int, start: int) -> bool:
    """False when it is certain that the process with this id and this start has ended."""
    found = _start_of(pid)
    if found is not None and start != _UNKNOWN:
        return found == start
    # Processes of other users may be hidden from /proc, and some systems have none.
    if os.name != "posix":
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return not _is_zombie(pid)


def _start_of(pid: int) -> int | None:
    """The start of a running process in clock ticks since the boot; None when there is no such process, or no /proc."""
    fields = _stat_of(pid)
    return None if fields is None or fields[_STATE] in "ZX" else int(fields[_START])


def _is_zombie(pid: int) -> bool:
    """True for a process that has ended and whose parent has not asked for its status."""
    fields = _stat_of(pid)
    return fields is not None and fields[_STATE] in "ZX"


def _stat_of(pid: int) -> list[str] | None:
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    # The name of the program is in brackets and may hold spaces and brackets itself.
    fields = text.rpartition(")")[2].split()
    return fields if len(fields) > _START else None


@cache
def _boot() -> str:
    """Eight hexadecimal digits that change with every boot, or zeros where the system does not tell."""
    text = _read("/proc/sys/kernel/random/boot_id")
    return hashlib.sha256(text.encode()).hexdigest()[:8] if text else "0" * 8


@cache
def _host() -> str:
    """Eight hexadecimal digits of the machine and of the namespace of its process ids."""
    namespace = ""
    with suppress(OSError):
        namespace = os.readlink("/proc/self/ns/pid")
    words = "\n".join((platform.node(), _read("/etc/machine-id"), namespace))
    return hashlib.sha256(words.encode()).hexdigest()[:8]


def _read(path: str) -> str:
    try:
        return Path(path).read_text(encoding="ascii", errors="replace").strip()
    except OSError:
        return ""
