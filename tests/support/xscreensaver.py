"""The real XScreenSaver daemon, run by an ordinary user with Landfall as its only saver: for tests and benchmarks."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from demo.app.saver_hosts import LAUNCHER, SAVER_HOSTS, Places

from . import hosting
from .hosting import DESKTOP, ROOT, screen, until

OTHER_USERS = ("nobody", "games", "daemon")
SYSTEM_PYTHON = "/usr/bin/python3"
# What can run in the place of the program, to say when it shows what.
WATCHED, SAYS = "benchmarks/watched.py", '{"at": '
# Words that must not be in the daemon's log, in small letters.
ABNORMAL = ("traceback", "exited abnormally", "crash")


class NoUser(RuntimeError):
    """Nobody here can run the daemon; the message says why."""


@dataclass
class Account:
    """Who runs the daemon, which refuses to start savers as root, and the folder that is this user's home."""

    home: Path
    name: str | None
    python: str = ""
    path: str = ""

    def spawn(self, command: list[str], display: str, **more: object) -> subprocess.Popen:
        """A process of this user."""
        user = {"user": self.name, "group": pwd.getpwnam(self.name).pw_gid, "extra_groups": []} if self.name else {}
        environment = hosting.environment(display, HOME=str(self.home), PATH="/usr/local/bin:/usr/bin:/bin:/usr/games")
        for name in ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR", "XDG_STATE_HOME"):
            environment.pop(name, None)
        return subprocess.Popen(command, env=environment, cwd=self.home, text=True, **user, **more)

    def printed(self, command: list[str], display: str) -> str:
        """What a process of this user prints."""
        return self.spawn(command, display, stdout=subprocess.PIPE, stderr=subprocess.STDOUT).communicate()[0]

    def processes(self) -> list[int]:
        """Living processes of the copied program, without its compiling children: those that hold a window."""
        wanted = f"{self.home}/main.py".encode(), f"{self.home}/{WATCHED}".encode()
        return [number for number, words in processes() if not set(wanted).isdisjoint(words)]


def processes() -> Iterator[tuple[int, list[bytes]]]:
    """(number, words of the command line) of all processes that live."""
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes().split(b"\0")
            alive = (folder / "stat").read_text().rpartition(")")[2].split()[0] != "Z"
        except OSError:
            continue
        if alive:
            yield int(folder.name), words


@contextmanager
def account() -> Iterator[Account]:
    """A user who is not root, with a copy of the program and an interpreter that this user can read; raises NoUser."""
    name = None
    if os.getuid() == 0:
        name = next((name for name in OTHER_USERS if _exists(name)), None)
        if name is None:
            raise NoUser("the daemon starts no savers as root, and there is no other user")
    home = Path(tempfile.mkdtemp(prefix="landfall-xscreensaver-"))
    try:
        for part in ("demo", "assets"):
            shutil.copytree(ROOT / part, home / part)
        for file in ("main.py", WATCHED):
            (home / file).parent.mkdir(exist_ok=True)
            shutil.copy(ROOT / file, home / file)
        account = Account(home, name)
        account.python, account.path = _interpreter(account)
        _give(home, name)
        yield account
    finally:
        shutil.rmtree(home, ignore_errors=True)


def _exists(name: str) -> bool:
    try:
        return pwd.getpwnam(name).pw_uid != 0
    except KeyError:
        return False


def _interpreter(account: Account) -> tuple[str, str]:
    """(interpreter, PYTHONPATH) with which this user can import what the show needs; raises NoUser."""
    packages = sysconfig.get_paths()["purelib"]
    tries: list[Callable[[], tuple[str, str]]] = [
        lambda: (sys.executable, ""),
        lambda: (SYSTEM_PYTHON, packages),
        lambda: (SYSTEM_PYTHON, _copied(packages, account.home / "packages")),
    ]
    _give(account.home, account.name)
    for attempt in tries:
        python, path = attempt()
        if _imports(account, python, path):
            return python, path
    raise NoUser(f"user {account.name} can read no interpreter like {sys.executable} ({SYSTEM_PYTHON} is another version)")


def _imports(account: Account, python: str, path: str) -> bool:
    program = f"import sys; sys.path.append({path!r}); import numpy, numba, pygame, OpenGL, PIL; print(sys.version_info[:2])"
    try:
        return account.printed([python, "-c", program], "").strip().endswith(str(tuple(sys.version_info[:2])))
    except OSError:
        return False


def _copied(packages: str, to: Path) -> str:
    """The packages of an environment in a folder that others cannot enter; hard links where the disk is the same.

    With their bytecode, as an installed program has it: without, each start would take seconds longer.
    """

    def link(source: str, target: str) -> None:
        try:
            os.link(source, target)
        except OSError:
            shutil.copy2(source, target)

    shutil.copytree(packages, to, copy_function=link)
    return str(to)


def _give(home: Path, name: str | None) -> None:
    """The home belongs to the user; hard-linked packages inside stay as they are."""
    home.chmod(0o755)
    if name:
        shutil.chown(home, name)


class Daemon:
    """The daemon on a display, at once and without a lock, with nothing but Landfall to show."""

    def __init__(self, account: Account, display: str, words: list[str], watched: str = "") -> None:
        """`words`: the options of the show besides --root. `watched`: a verb of WATCHED, which then runs instead."""
        self.account, self.display = account, display
        self._log, self._errors = account.home / "log", account.home / "errors"
        self._write_settings(words, watched)
        with self._log.open("w") as file:
            self._process = account.spawn(["xscreensaver", "--no-splash", "--verbose"], display, stdout=file, stderr=file)
        until(lambda: "non-blanked" in self._says("-time"), "the daemon")

    def _write_settings(self, words: list[str], watched: str) -> None:
        program = f"{WATCHED}' '{watched}" if watched else "main.py"
        home = self.account.home
        saver = home / LAUNCHER
        saver.write_text(
            "#!/bin/sh\n"
            f"export PYTHONPATH='{self.account.path}' PYTHONDONTWRITEBYTECODE=1\n"
            f"exec '{self.account.python}' '{home}/{program}' \"$@\" {' '.join(words)} 2>>'{self._errors}'\n"
        )
        saver.chmod(0o755)
        rows = {"timeout": "1:00:00", "lock": "False", "splash": "False", "fade": "False", "unfade": "False", "mode": "one"}
        lines = [f"{name}: {value}" for name, value in rows.items()]
        settings = home / ".xscreensaver"
        settings.write_text("\n".join([*lines, "selected: 0", "programs: \\", "", ""]))
        # The entry as `install` writes it.
        (entry,) = SAVER_HOSTS["xscreensaver"].files(Places(home, home, home, home))
        settings.write_bytes(entry.add(settings.read_bytes()))

    def _says(self, *words: str) -> str:
        return self.account.printed(["xscreensaver-command", *words], self.display)

    def activate(self) -> None:
        """Blanks the screen and waits until the saver's process is there."""
        self._says("-activate")
        until(lambda: "screen blanked" in self._says("-time"), "a blank screen")
        until(self.account.processes, "the saver")

    def wait_for_picture(self) -> None:
        """Until something is drawn in each quarter of the screen; fails when the saver ends before."""
        until(lambda: drawn(self.display) or not self.account.processes(), "a picture")
        assert self.account.processes(), self.reports()

    def deactivate(self) -> None:
        """Brings the screen back and waits until the saver's process is gone."""
        self._says("-deactivate")
        until(lambda: not self.account.processes(), "the end of the saver")

    def shown_at(self) -> float:
        """The monotonic time in seconds that the next watched program says, once it has done so."""
        said = self._log.read_text().count(SAYS)
        self.activate()
        until(lambda: self._log.read_text().count(SAYS) > said, "a watched program's word")
        return float(self._log.read_text().rpartition(SAYS)[2].split("}")[0])

    def exit(self) -> None:
        """Ends the daemon by its own command."""
        self._says("-exit")
        until(lambda: self._process.poll() is not None, "the end of the daemon")

    def kill(self) -> None:
        """Ends whatever is left."""
        for process in self.account.processes():
            os.kill(process, signal.SIGKILL)
        self._process.kill()
        self._process.wait()

    def reports(self) -> str:
        """What the daemon and its savers said so far."""
        return self._log.read_text() + self._complaints()

    def _complaints(self) -> str:
        return self._errors.read_text() if self._errors.exists() else ""

    def faults(self) -> list[str]:
        """What the savers complained of, and what the daemon says of one that ended in any way but its own."""
        log = self._log.read_text().splitlines()
        return self._complaints().splitlines() + [line for line in log if any(word in line.lower() for word in ABNORMAL)]


def drawn(display: str) -> bool:
    """Something is drawn in each quarter of the screen."""
    return in_each_quarter(screen(display)[: DESKTOP[1], : DESKTOP[0]])


def in_each_quarter(picture) -> bool:
    """Each quarter of a picture, uint8 (height, width, 3), holds something besides black."""
    height, width = picture.shape[:2]
    halves = slice(0, width // 2), slice(width // 2, width)
    return all(part[:, half].any() for part in (picture[: height // 2], picture[height // 2 :]) for half in halves)
