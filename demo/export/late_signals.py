"""Signals that end the process, put off for a moment in which it could not tidy up after itself."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

# For each block of `undisturbed`, the signals that have arrived in it; by the number of that list.
_put_off: dict[int, list[int]] = {}


@contextmanager
def undisturbed() -> Iterator[None]:
    """Signals that end the process do so after this block, which must be short."""
    arrived: list[int] = []
    _put_off[id(arrived)] = arrived
    try:
        yield
    finally:
        del _put_off[id(arrived)]
        for number in arrived:
            os.kill(os.getpid(), number)


def put_off(number: int) -> bool:
    """Whether a signal that has arrived comes again at the end of a block of `undisturbed`."""
    for arrived in reversed(_put_off.values()):
        arrived.append(number)
        return True
    return False
