"""Files with a checksum in front: a power cut, a full disk or a tired memory chip shows before their content is used."""

from __future__ import annotations

import contextlib
import hashlib
import os
import time

# Raise the number when the content before or behind the checksum changes its form.
HEAD = b"landfall checked 1\n"
DIGEST_BYTES = 16
DAMAGED = ".damaged"


class DamagedError(ValueError):
    """A file is not what was written; the message is its path."""


def write(path: str, content: bytes) -> None:
    """Puts `content` with its checksum into the file `path`, whole or not at all. Raises OSError."""
    unfinished = f"{path}.tmp.{os.getpid()}-{time.monotonic_ns()}"
    try:
        with open(unfinished, "wb") as file:
            file.write(HEAD + _digest(content))
            file.write(content)
        os.replace(unfinished, path)
    except OSError:
        with contextlib.suppress(OSError):
            os.unlink(unfinished)
        raise


def read(path: str) -> memoryview:
    """The content of the file `path`.

    A damaged file is set aside, and DamagedError raised. Raises OSError where the file is missing or cannot be read.
    """
    with open(path, "rb") as file:
        seen, found = os.fstat(file.fileno()), file.read()
    start = len(HEAD) + DIGEST_BYTES
    content = memoryview(found)[start:]
    if found[:start] != HEAD + _digest(content):
        set_aside(path, seen)
        raise DamagedError(path)
    return content


def is_whole(path: str) -> bool:
    """Whether the file can be read and is what was written. Nothing is changed."""
    start = len(HEAD) + DIGEST_BYTES
    try:
        with open(path, "rb") as file:
            found = file.read()
    except OSError:
        return False
    return found[:start] == HEAD + _digest(memoryview(found)[start:])


def set_aside(path: str, seen: os.stat_result) -> None:
    """Renames the file `path` to end in DAMAGED, unless it has been replaced since it was `seen`: somebody mended it."""
    with contextlib.suppress(OSError):
        now = os.stat(path)
        if (now.st_ino, now.st_mtime_ns, now.st_size) == (seen.st_ino, seen.st_mtime_ns, seen.st_size):
            os.replace(path, path + DAMAGED)


def _digest(content: bytes | memoryview) -> bytes:
    return hashlib.blake2b(content, digest_size=DIGEST_BYTES).digest()
