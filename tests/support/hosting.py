"""What the tests of the hosts share: a virtual X server, a child whose lines are read along, and bounded waiting."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import numpy as np
import pytest
from PIL import ImageGrab

ROOT = Path(__file__).parents[2]
RECORDING = ROOT / "tests" / "support" / "recording.py"
SCREEN_SAVER_SERVICE = ROOT / "tests" / "support" / "screen_saver_service.py"
DESKTOP = (1024, 768)
PATIENCE_S = 180.0
T = TypeVar("T")

_SERVERS: dict[str, subprocess.Popen] = {}


def need(*programs: str) -> None:
    """Skips the test where a program is not installed."""
    for program in programs:
        if not shutil.which(program):
            pytest.skip(f"{program} is not installed")


def until(condition: Callable[[], T], what: str, seconds: float = PATIENCE_S) -> T:
    """The first true value of `condition`, asked again and again; fails the test when none comes in time."""
    end = time.monotonic() + seconds
    while not (value := condition()):
        if time.monotonic() > end:
            pytest.fail(f"waited {seconds:.0f} s in vain for {what}")
        time.sleep(0.02)
    return value


@contextmanager
def x_server() -> Iterator[str]:
    """The name of the display of a fresh Xvfb, which ends with the block if it has not ended before."""
    need("Xvfb", "xdotool", "xwininfo")
    read, write = os.pipe()
    screen = f"{DESKTOP[0]}x{DESKTOP[1]}x24"
    command = ["Xvfb", "-displayfd", str(write), "-screen", "0", screen, "-nolisten", "tcp", "-noreset", "-ac"]
    server = subprocess.Popen(command, pass_fds=[write], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.close(write)
    try:
        with os.fdopen(read) as pipe:
            number = pipe.readline().strip()
        assert number, "Xvfb did not start"
        _SERVERS[f":{number}"] = server
        yield f":{number}"
    finally:
        server.terminate()
        try:
            server.wait(timeout=10.0)
        except subprocess.TimeoutExpired:
            # Once in many hundred times it never ends by itself.
            server.kill()
            server.wait()


@contextmanager
def wayland_server() -> Iterator[dict[str, str]]:
    """The variables that name a fresh Wayland compositor without a screen or input, which ends with the block."""
    need("cage", "Xwayland")
    with tempfile.TemporaryDirectory() as folder:
        # Cage refuses to run as root.
        user: dict = {"user": "nobody", "group": "nogroup", "extra_groups": []} if os.getuid() == 0 else {}
        if user:
            shutil.chown(folder, "nobody")
        kept = {"PATH": os.environ["PATH"], "XDG_RUNTIME_DIR": folder}
        headless = {"WLR_BACKENDS": "headless", "WLR_RENDERER": "pixman", "WLR_LIBINPUT_NO_DEVICES": "1"}
        server = subprocess.Popen(
            ["cage", "--", "sleep", "infinity"],
            env=kept | headless,
            cwd="/",
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            **user,
        )
        name = f"{folder}/wayland-0"
        _SERVERS[name] = server
        try:
            until(lambda: os.path.exists(name), "the compositor")
            yield {"XDG_RUNTIME_DIR": folder, "WAYLAND_DISPLAY": name}
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(server.pid, signal.SIGKILL)
            server.wait()


def set_screen(display: str, width: int, height: int) -> None:
    """Gives the screen another size, as a user does in the settings of a monitor: at most that of DESKTOP."""
    output = printed(display, "xrandr").splitlines()[1].split()[0]
    name = f"{width}x{height}-test"
    # A made-up timing: clock, then horizontal and vertical places of the visible part and of the pulses.
    timing = ["30", *map(str, (width, width + 1, width + 2, width + 3, height, height + 1, height + 2, height + 3))]
    for words in (["--newmode", name, *timing], ["--addmode", output, name], ["--output", output, "--mode", name]):
        printed(display, "xrandr", *words)


def end_server(display: str) -> None:
    """The server that was started here for that display dies without a word, as by a crash of its driver."""
    _SERVERS[display].kill()
    _SERVERS[display].wait()


def environment(display: str | None, **more: str) -> dict[str, str]:
    """This process's environment with that display alone, and `more`."""
    hidden = ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER", "XSCREENSAVER_WINDOW", "SDL_WINDOWID", "PYOPENGL_PLATFORM")
    kept = {name: value for name, value in os.environ.items() if name not in hidden}
    return kept | ({"DISPLAY": display} if display else {}) | more


class Child:
    """A program whose output is read along line by line."""

    def __init__(self, command: list[str], display: str | None, cwd: Path = ROOT, **more: str) -> None:
        self.lines: list[str] = []
        self.process = subprocess.Popen(
            command,
            cwd=cwd,
            env=environment(display, **more),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        for line in self.process.stdout:
            self.lines.append(line.rstrip("\n"))

    def wait_for(self, line: str, since: int = 0) -> int:
        """The place behind the first line equal to `line`, from `since` on, once it is there."""

        def there() -> int:
            if self.process.poll() is not None:
                self._reader.join()
            if line in self.lines[since:]:
                return self.lines.index(line, since) + 1
            assert self.process.poll() is None, f"ended without '{line}':\n" + self.text()
            return 0

        return until(there, f"'{line}'")

    def wait_frames(self, count: int = 3) -> None:
        """Until `count` more frames began and ended: what was sent before has been seen."""
        since = len(self.lines)
        for _ in range(count):
            since = self.wait_for("update", since)

    def ended(self) -> int:
        """The exit status, once there is one; negative for a signal."""
        until(lambda: self.process.poll() is not None, "the end of the program")
        self._reader.join()
        return self.process.returncode

    def text(self) -> str:
        """Its last lines."""
        return "\n".join(self.lines[-40:])

    def kill(self) -> None:
        """Ends it if it has not ended."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()


@contextmanager
def full_disk(place: Path, size: str = "12k") -> Iterator[Path]:
    """The folder `place` as a file system of its own that holds `size` bytes, until the block ends; skips without rights."""
    if os.name != "posix" or os.geteuid():
        pytest.skip("only root can mount a file system")
    place.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(place)], check=False).returncode:
        pytest.skip("no file system can be mounted")
    try:
        yield place
    finally:
        subprocess.run(["umount", "--lazy", str(place)], check=True)


@contextmanager
def recording(display: str | None, *words: str, cwd: Path = ROOT, **more: str) -> Iterator[Child]:
    """`tests/support/recording.py` with `words`, ended with the block."""
    child = Child([sys.executable, str(RECORDING), *words], display, cwd, **more)
    try:
        yield child
    finally:
        child.kill()


def printed(display: str, *command: str) -> str:
    """What a program prints."""
    done = subprocess.run(command, env=environment(display), capture_output=True, text=True, check=False)
    return done.stdout.strip()


def xdotool(display: str, *words: str) -> str:
    """What xdotool prints."""
    return printed(display, "xdotool", *words)


def window_of(display: str) -> str:
    """The number of the show's visible window, with the pointer put into it, so that it has the keys."""
    found = until(lambda: xdotool(display, "search", "--onlyvisible", "--class", "landfall"), "the window")
    xdotool(display, "mousemove", str(DESKTOP[0] // 2), str(DESKTOP[1] // 2))
    return found.split()[-1]


def close_window(display: str, window: str) -> None:
    """Asks the window to close."""
    printed(display, sys.executable, "-c", XLIB + CLOSE, window)


def screen(display: str) -> np.ndarray:
    """The screen, uint8 (height, width, 3)."""
    return np.asarray(ImageGrab.grab(xdisplay=display).convert("RGB"))


class Desktop:
    """A D-Bus session of its own with a desktop that notes what it is asked about its screen saver."""

    def __init__(self) -> None:
        need("dbus-daemon", "dbus-send")
        command = ["dbus-daemon", "--session", "--nofork", "--nopidfile", "--print-address=1"]
        self._bus = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.session = {"DBUS_SESSION_BUS_ADDRESS": self._bus.stdout.readline().strip()}
        self._service = Child([sys.executable, str(SCREEN_SAVER_SERVICE)], None, **self.session)
        self._service.wait_for("ready")
        self._marks = 0

    def calls(self) -> list[str]:
        """All calls so far, `METHOD ARGUMENT ...` each. A call of our own comes last, and none overtakes it."""
        self._marks += 1
        name = "org.freedesktop.ScreenSaver"
        call = ["dbus-send", "--session", "--print-reply", f"--dest={name}", "/", f"{name}.Mark", f"uint32:{self._marks}"]
        subprocess.run(call, env=os.environ | self.session, stdout=subprocess.DEVNULL, check=True)
        self._service.wait_for(f"Mark {self._marks}")
        return [line for line in self._service.lines[1:] if not line.startswith("Mark")]

    def end(self) -> None:
        """Ends the session."""
        self._service.kill()
        self._bus.kill()
        self._bus.wait()
        self._bus.stdout.close()


XLIB = """
import ctypes, sys
x = ctypes.CDLL("libX11.so.6")
x.XOpenDisplay.restype = ctypes.c_void_p
x.XDefaultRootWindow.restype = x.XCreateSimpleWindow.restype = x.XInternAtom.restype = ctypes.c_ulong
display = ctypes.c_void_p(x.XOpenDisplay(None))
"""

# A client message of 32-bit words, as a window manager sends it when somebody clicks on the window's cross.
CLOSE = """
window = int(sys.argv[1])
atom = lambda name: x.XInternAtom(display, name, 0)
words = [33, 0, 1, 0, window, atom(b"WM_PROTOCOLS"), 32, atom(b"WM_DELETE_WINDOW")] + [0] * 16
message = (ctypes.c_long * 24)(*words)
x.XSendEvent(display, ctypes.c_ulong(window), 0, ctypes.c_long(0), ctypes.byref(message))
x.XSync(display, 0)
"""

OWNER = """
root = ctypes.c_ulong(x.XDefaultRootWindow(display))
window = ctypes.c_ulong(x.XCreateSimpleWindow(display, root, 10, 20, 300, 200, 0, 0, 0))
x.XMapWindow(display, window)
x.XSync(display, 0)
print(window.value, flush=True)
for line in sys.stdin:
    verb, *numbers = line.split()
    if verb == "resize":
        x.XResizeWindow(display, window, *map(int, numbers))
    if verb == "destroy":
        x.XDestroyWindow(display, window)
    if verb == "cover":
        cover = ctypes.c_ulong(x.XCreateSimpleWindow(display, root, 0, 0, 400, 300, 0, 0, 0))
        x.XMapRaised(display, cover)
    if verb == "uncover":
        x.XDestroyWindow(display, cover)
    if verb == "hide":
        x.XUnmapWindow(display, window)
    if verb == "show":
        x.XMapWindow(display, window)
    x.XSync(display, 0)
"""


class Owner:
    """Another program with a window of 300 x 200 pixels at (10, 20), as a screensaver host has one."""

    def __init__(self, display: str) -> None:
        self.child = Child([sys.executable, "-c", XLIB + OWNER], display)
        until(lambda: self.child.lines, "the owner's window")
        self.window = self.child.lines[0]

    def tell(self, *words: object) -> None:
        """`resize WIDTH HEIGHT`, `hide`, `show`, `cover`, `uncover` or `destroy`."""
        self.child.process.stdin.write(" ".join(map(str, words)) + "\n")
        self.child.process.stdin.flush()
