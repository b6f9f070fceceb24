"""The standard streams, whatever the parent process has left of them."""

from __future__ import annotations

import io
import os
import sys
from typing import TextIO

NAMES = ("stdin", "stdout", "stderr")


class OutputError(OSError):
    """Stdout cannot be written."""


class Output(io.TextIOWrapper):
    """Stdout, whose failures are told from those of files: it raises OutputError in the place of OSError."""

    def write(self, text: str, /) -> int:
        """Writes `text`, or keeps it for later."""
        try:
            return super().write(text)
        except OSError as error:
            raise OutputError(error.errno, error.strerror) from None

    def flush(self) -> None:
        """Writes what has been kept."""
        try:
            super().flush()
        except OSError as error:
            raise OutputError(error.errno, error.strerror) from None


def mend() -> None:
    """Opens closed streams on nothing, and makes stdout an Output that prints characters its encoding lacks as escapes.

    Otherwise the next file that is opened gets the number of a closed one, and what a library prints goes into that file.
    """
    # Any other kind has been put there by somebody who knows what to do with it.
    if type(sys.stdout) is io.TextIOWrapper:
        out = sys.stdout
        errors = "backslashreplace" if out.errors == "strict" else out.errors
        sys.stdout = Output(out.buffer, out.encoding, errors, line_buffering=out.line_buffering)
    for number, name in enumerate(NAMES):
        if not _is_open(number):
            # The lowest free number, which is this one.
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)
        if getattr(sys, name) is None:
            setattr(sys, name, open(number, "w" if number else "r", closefd=False))  # noqa: SIM115  # for ever


def silence(stream: TextIO) -> None:
    """Points a stream that cannot be written at nothing. Python flushes it at the end, and would then complain again."""
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, stream.fileno())
    os.close(nothing)


def _is_open(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return False
    return True
