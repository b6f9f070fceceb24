"""What all tests share: the process environment of the program itself, and the flag that renews golden values."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from demo.process import environment

if TYPE_CHECKING:
    from support.shared_worlds import SharedWorlds

environment.prepare()
# No settings of the user's count, and none can be made.
os.environ["XDG_CONFIG_HOME"] = os.path.join(os.devnull, "config")
os.environ["XDG_STATE_HOME"] = os.path.join(os.devnull, "state")
# Before OpenGL is imported: a wrong call fails the test that made it.
os.environ.setdefault("LANDFALL_GL_CHECK", "1")

# The same examples on every run, and no deadline: the first call of a kernel compiles it.
settings.register_profile("landfall", deadline=None, derandomize=True, database=None, max_examples=30)
settings.load_profile("landfall")

COLLECTED_AFTER = 10_000


def pytest_addoption(parser: pytest.Parser) -> None:
    """--regenerate: write golden values instead of comparing with them."""
    parser.addoption("--regenerate", action="store_true", help="write golden values instead of comparing with them")


def pytest_collection_finish() -> None:
    """Python looks for garbage among what the tests make, and not in the modules; seldom, as compilers make much."""
    gc.freeze()
    gc.set_threshold(COLLECTED_AFTER)


@pytest.fixture(scope="session")
def regenerate(request: pytest.FixtureRequest) -> bool:
    """True when golden values are to be written."""
    return request.config.getoption("--regenerate")


@pytest.fixture(scope="module")
def plain_flights() -> Iterator[None]:
    """Flights go the first of their ways and do not glance aside: to look for better ones is most of a world's preparation.

    For tests of shows that are about something else.
    """
    from support.plain_flights import make_plain

    with pytest.MonkeyPatch.context() as patch:
        make_plain(patch.setattr)
        yield


@pytest.fixture(scope="module")
def worlds_of_module() -> SharedWorlds:
    """The worlds that the stories of a module share."""
    from support.shared_worlds import SharedWorlds

    return SharedWorlds()


@pytest.fixture
def shared_worlds(request: pytest.FixtureRequest, worlds_of_module: SharedWorlds) -> Iterator[None]:
    """Stories of a module prepare each world once. Those of tests that replace something prepare their own."""
    if "monkeypatch" in request.fixturenames:
        yield
        return
    with worlds_of_module.shared():
        yield
