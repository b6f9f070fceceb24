"""What the tests of the hosts share: an X server of its own for each test, another program's window, and a desktop."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from support import hosting
from support.hosting import Desktop, Owner


@pytest.fixture
def display() -> Iterator[str]:
    """A server of its own for each test: what was drawn on the root window stays there."""
    with hosting.x_server() as name:
        yield name


@pytest.fixture
def owner(display: str) -> Iterator[Owner]:
    """Another program with a window."""
    owner = Owner(display)
    yield owner
    owner.child.kill()


@pytest.fixture
def desktop() -> Iterator[Desktop]:
    """A D-Bus session whose desktop notes what it is asked about its screen saver."""
    desktop = Desktop()
    yield desktop
    desktop.end()
