"""The program itself in windows that other programs own, and started by the real XScreenSaver daemon."""

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
from dataclasses import dataclass
from pathlib import Path

import pytest
from support import hosting
from support.hosting import DESKTOP, ROOT, Child, Owner, screen, until

STORY = ["--scene", "plasma", "--seed", "5"]
OTHER_USERS = ("nobody", "games", "daemon")
SYSTEM_PYTHON = "/usr/bin/python3"


@pytest.fixture
def display():
    with hosting.x_server() as name:
        yield name


@pytest.fixture
def owner(display):
    owner = Owner(display)
    yield owner
    owner.child.kill()


def filled(display: str, width: int, height: int) -> bool:
    """Something is drawn in each quarter of the owner's window, and nothing beside it."""
    picture = screen(display)
    inside = picture[20 : 20 + height, 10 : 10 + width]
    quarters = [part[:, half] for part in (inside[: height // 2], inside[height // 2 :]) for half in _halves(width)]
    return all(part.any() for part in quarters) and not picture[:, 10 + width :].any()


def _halves(width: int) -> tuple[slice, slice]:
    return slice(0, width // 2), slice(width // 2, width)


def test_the_program_in_another_programs_window(display, owner):
    """Stopped by SIGTERM while its first world is being made, or its kernels compiled."""
    words = ["--window-id", owner.window, *STORY]
    child = Child([sys.executable, str(ROOT / "main.py"), *words], display)
    try:
        until(lambda: filled(display, 300, 200), "a picture in the owner's window")
        owner.tell("resize", 500, 400)
        until(lambda: filled(display, 500, 400), "a picture in the larger window")
        child.process.send_signal(signal.SIGTERM)
        assert child.ended() == -signal.SIGTERM, child.text()
        assert child.lines == []
    finally:
        child.kill()


def test_the_program_ends_quietly_with_its_window(display, owner):
    child = Child([sys.executable, str(ROOT / "main.py"), "--root", *STORY], display, XSCREENSAVER_WINDOW=owner.window)
    try:
        until(lambda: filled(display, 300, 200), "a picture in the owner's window")
        owner.tell("destroy")
        assert child.ended() == 0, child.text()
        assert child.lines == []
    finally:
        child.kill()


# --- the daemon ------------------------------------------------------------------------------------------------------


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
        for name in ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR"):
            environment.pop(name, None)
        return subprocess.Popen(command, env=environment, cwd=self.home, text=True, **user, **more)

    def printed(self, command: list[str], display: str) -> str:
        """What a process of this user prints."""
        return self.spawn(command, display, stdout=subprocess.PIPE, stderr=subprocess.STDOUT).communicate()[0]


@pytest.fixture
def account() -> Iterator[Account]:
    """A user who is not root, with a copy of the program and an interpreter that this user can read."""
    hosting.need("xscreensaver", "xscreensaver-command")
    name = None
    if os.getuid() == 0:
        name = next((name for name in OTHER_USERS if _exists(name)), None)
        if name is None:
            pytest.skip("the daemon starts no savers as root, and there is no other user")
    home = Path(tempfile.mkdtemp(prefix="landfall-xscreensaver-"))
    try:
        for part in ("demo", "assets"):
            shutil.copytree(ROOT / part, home / part, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(ROOT / "main.py", home)
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
    """(interpreter, PYTHONPATH) with which this user can import what the show needs; skips the test when there is none."""
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
    pytest.skip(f"user {account.name} can read no interpreter like {sys.executable} ({SYSTEM_PYTHON} is another version)")


def _imports(account: Account, python: str, path: str) -> bool:
    program = f"import sys; sys.path.append({path!r}); import numpy, numba, pygame, OpenGL, PIL; print(sys.version_info[:2])"
    try:
        return account.printed([python, "-c", program], "").strip().endswith(str(tuple(sys.version_info[:2])))
    except OSError:
        return False


def _copied(packages: str, to: Path) -> str:
    """The packages of an environment in a folder that others cannot enter; hard links where the disk is the same."""

    def link(source: str, target: str) -> None:
        try:
            os.link(source, target)
        except OSError:
            shutil.copy2(source, target)

    shutil.copytree(packages, to, copy_function=link, ignore=shutil.ignore_patterns("__pycache__"))
    return str(to)


def _give(home: Path, name: str | None) -> None:
    """The home belongs to the user; hard-linked packages inside stay as they are."""
    home.chmod(0o755)
    if name:
        shutil.chown(home, name)


def write_settings(account: Account) -> None:
    """A daemon that shows nothing but Landfall, at once and without a lock."""
    saver = account.home / "landfall-saver"
    saver.write_text(
        "#!/bin/sh\n"
        f"export PYTHONPATH='{account.path}' PYTHONDONTWRITEBYTECODE=1\n"
        f"exec '{account.python}' '{account.home}/main.py' \"$@\" {' '.join(STORY)} 2>>'{account.home}/errors'\n"
    )
    saver.chmod(0o755)
    rows = {"timeout": "1:00:00", "lock": "False", "splash": "False", "fade": "False", "unfade": "False", "mode": "one"}
    lines = [f"{name}: {value}" for name, value in rows.items()]
    (account.home / ".xscreensaver").write_text(
        "\n".join([*lines, "selected: 0", "programs: \\", f"  GL: {saver} --root \\n\\", "", ""])
    )


def savers(account: Account) -> list[int]:
    """Processes of the copied program that hold a window, that is, not its compiling child."""
    wanted = f"{account.home}/main.py".encode()
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes().split(b"\0")
            alive = (folder / "stat").read_text().rpartition(")")[2].split()[0] != "Z"
        except OSError:
            continue
        if wanted in words and alive:
            found.append(int(folder.name))
    return found


def test_the_daemon_starts_it_and_ends_it(display, account):
    write_settings(account)
    log = account.home / "log"
    with log.open("w") as file:
        daemon = account.spawn(["xscreensaver", "--no-splash", "--verbose"], display, stdout=file, stderr=file)

    def says(*words: str) -> str:
        return account.printed(["xscreensaver-command", *words], display)

    def reports() -> str:
        errors = account.home / "errors"
        return log.read_text() + (errors.read_text() if errors.exists() else "")

    try:
        until(lambda: "non-blanked" in says("-time"), "the daemon")
        says("-activate")
        until(lambda: "screen blanked" in says("-time"), "a blank screen")
        until(lambda: savers(account), "the saver")
        until(lambda: drawn(display) or not savers(account), "a picture")
        assert savers(account), reports()
        says("-deactivate")
        until(lambda: not savers(account), "the end of the saver")
        says("-exit")
        until(lambda: daemon.poll() is not None, "the end of the daemon")
    finally:
        for process in savers(account):
            os.kill(process, signal.SIGKILL)
        daemon.kill()
        daemon.wait()
    text = reports()
    assert "Traceback" not in text and "exited abnormally" not in text and "crash" not in text.lower(), text


def drawn(display: str) -> bool:
    """Something is drawn in each quarter of the screen."""
    picture = screen(display)
    top, bottom = picture[: DESKTOP[1] // 2], picture[DESKTOP[1] // 2 :]
    return all(part[:, half].any() for part in (top, bottom) for half in _halves(DESKTOP[0]))
