"""What the tests of the hosts share: an X server of its own for each test, another program's window, and a desktop."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import pytest
from support import hosting
from support.hosting import Desktop, Owner
from support.program import ROOT, environment

COMPILE = [sys.executable, "-m", "demo.app.precompile", "kernels"]


@pytest.fixture(scope="session", autouse=True)
def compiled() -> None:
    """The kernels of the scene that most tests show: where nothing is compiled yet, that takes longer than a test waits."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(COMPILE, cwd=ROOT, env=environment(), **pipes) as child:
        child.stdin.write("plasma\n")
        child.stdin.flush()
        assert child.stdout.readline() == "plasma\n"


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
