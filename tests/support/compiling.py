"""What the tests of compiling ahead share: children that compile nothing and are ready when a test says so."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest
from support.showing import TOO_LONG_S

from demo.process.compiler import Compiler

PROGRAM = "tests.support.obedient"


class Child:
    """A child of the compiler, as a test sees it. `words`: what it was started for."""

    def __init__(self, connection: socket.socket) -> None:
        connection.settimeout(TOO_LONG_S)
        self._file = connection.makefile("rw")
        number, *self.words = self._file.readline().split()
        self._number = int(number)

    @property
    def nice(self) -> int:
        """How much it gives way to others."""
        return os.getpriority(os.PRIO_PROCESS, self._number)

    def told(self) -> str:
        """The scene that it is told next; empty when it has ended instead."""
        try:
            return self._file.readline().strip()
        except ConnectionError:
            return ""

    def ready(self) -> None:
        """The scene that it was told is ready."""
        self._answer("ready")

    def fail(self) -> None:
        """It ends with a complaint."""
        self._answer("fail")

    def _answer(self, word: str) -> None:
        self._file.write(word + "\n")
        self._file.flush()

    def let_go(self) -> None:
        """Close the connection; what was never said is lost."""
        with suppress(OSError):
            self._file.close()


class Children:
    """A compiler and the children that it starts. Tests of the compiler alone may wait `until` something is so."""

    def __init__(self, server: socket.socket) -> None:
        self.compiler = Compiler(PROGRAM)
        self._server, self._open = server, ExitStack()
        self._news = threading.Condition()
        self.compiler.listen(self._heard)

    def _heard(self) -> None:
        with self._news:
            self._news.notify_all()

    def until(self, condition: Callable[[], bool]) -> None:
        """Wait until something is so, which is asked again whenever the compiler tells of a change."""
        with self._news:
            assert self._news.wait_for(condition, TOO_LONG_S)

    def next(self) -> Child:
        """The child that is started next."""
        child = Child(self._open.enter_context(self._server.accept()[0]))
        self._open.callback(child.let_go)
        return child

    def both(self) -> list[Child]:
        """The children for kernels and for shaders that are started next, in that order."""
        return sorted((self.next() for _ in range(2)), key=lambda child: child.words[0])

    def end(self) -> None:
        """End all children, and close what leads to them."""
        self.compiler.stop()
        self._open.close()


@contextmanager
def obedient(folder: Path) -> Iterator[Children]:
    """A compiler whose caches are in `folder`, ended with the block."""
    with socket.create_server(("127.0.0.1", 0)) as server, pytest.MonkeyPatch.context() as patch:
        server.settimeout(TOO_LONG_S)
        patch.setenv("OBEYS", str(server.getsockname()[1]))
        patch.setenv("NUMBA_CACHE_DIR", str(folder))
        patch.delenv("NUMBA_DISABLE_JIT", raising=False)
        children = Children(server)
        try:
            yield children
        finally:
            children.end()
