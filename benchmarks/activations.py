"""The real XScreenSaver daemon activates Landfall, and SIGTERM ends it at random moments, a third of them while it compiles.

`--count N` activations and endings of each kind; moments and stories come from a fixed seed.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.harness import HERE, Report, format_seconds

ROOT = HERE.parent
# What the tests of the hosts know of servers, processes and the daemon.
sys.path.insert(0, str(ROOT / "tests"))

from support import hosting, xscreensaver  # noqa: E402

QUIET_BAR_S, BUSY_BAR_S = 0.3, 1.0
PICTURE_BAR, WORLD_BAR_S = 1.5, 2.5
MOST_OPENINGS = 10
# Seconds for which the daemon shows it, and after which SIGTERM comes: from before the first picture into the flight. A
# third of the endings meets the compiling child, which works for over a minute after a start with an empty cache.
SHOWN_S, ALIVE_S = (0.0, 4.0), (0.1, 12.0)
COMPILING_EVERY = 3
LEFT_BEHIND_AFTER_S = 5.0
SEED = 7
FILL_CACHE = (
    "from demo.process import environment; environment.prepare(); "
    "from demo.app import precompile; from demo.scenes.scenes import ROTATION; "
    "[precompile.compile_kernels(scene) for scene in ROTATION]"
)
SPIN = [sys.executable, "-c", "while True: pass"]


def run(report: Report) -> None:
    """All figures, or only a note where something is missing."""
    missing = [name for name in ("Xvfb", "xscreensaver", "xscreensaver-command", "xdotool") if not shutil.which(name)]
    if missing:
        report.note(f"Not run: {', '.join(missing)} not installed.")
        return
    chance = random.Random(SEED)
    count = report.rounds(10)
    try:
        _activations(report, count, chance)
        _openings(report, min(count, MOST_OPENINGS))
    except xscreensaver.NoUser as error:
        report.note(f"Not activated by the daemon: {error}.")
    # The user's own cache, which is filled after the first minute of use.
    subprocess.run([sys.executable, "-c", FILL_CACHE], cwd=ROOT, check=True)
    _endings(report, "quiet cores", count, QUIET_BAR_S, chance)
    with _spinning(2):
        _endings(report, "beside two spinning processes", count, BUSY_BAR_S, chance)


def _activations(report: Report, count: int, chance: random.Random) -> None:
    """Rows: how many activations ended abnormally, and how soon the picture came."""
    until_drawn, until_gone = [], []
    with xscreensaver.account() as account, hosting.x_server() as display:
        daemon = xscreensaver.Daemon(account, display, ["--scene", "plasma"])
        try:
            for _ in range(count):
                begun = time.monotonic()
                daemon.activate()
                daemon.wait_for_picture()
                until_drawn.append(time.monotonic() - begun)
                time.sleep(chance.uniform(*SHOWN_S))
                asked = time.monotonic()
                daemon.deactivate()
                until_gone.append(time.monotonic() - asked)
            daemon.exit()
        finally:
            daemon.kill()
        faults = daemon.faults()
    for line in faults:
        print(f"  {line}", file=sys.stderr)
    value = f"**{len(faults)} lines** in {count} activations"
    report.figure("activated by the daemon: abnormal ends, complaints", value, "none", not faults)
    value = f"median {format_seconds(statistics.median(until_drawn))}, at most {format_seconds(max(until_drawn))}"
    report.figure("activated by the daemon: until a picture", value)
    value = f"median {format_seconds(statistics.median(until_gone))}, at most {format_seconds(max(until_gone))}"
    report.figure("deactivated by the daemon: until it is gone", value)


def _openings(report: Report, count: int) -> None:
    """Rows: how soon the first picture and the first world are there after `install`, beside a bare program's picture."""
    verbs = ("bare", "activated", "opened")
    times: dict[str, list[float]] = {verb: [] for verb in verbs}
    with xscreensaver.account() as account, hosting.x_server() as display:
        install = f"PYTHONPATH={account.path} {account.python} {account.home}/main.py install xscreensaver"
        account.printed(["sh", "-c", install], display)
        # The first of each fills what the system keeps of files.
        for turn in range(count + 1):
            for verb in verbs:
                daemon = xscreensaver.Daemon(account, display, [], watched=verb)
                try:
                    begun = time.monotonic()
                    seconds = daemon.shown_at() - begun
                    daemon.deactivate()
                    daemon.exit()
                finally:
                    daemon.kill()
                if turn:
                    times[verb].append(seconds)
    bare, picture, world = (statistics.median(times[verb]) for verb in verbs)
    value = f"median {format_seconds(picture)}, bare program {format_seconds(bare)}: **{picture / bare:.2f}x**"
    report.figure(
        "activated by the daemon: first picture", value, f"at most {PICTURE_BAR:g}x", picture <= PICTURE_BAR * bare
    )
    value = f"median **{format_seconds(world)}**, at most {format_seconds(max(times['opened']))}"
    report.figure("activated by the daemon: first world", value, f"{WORLD_BAR_S:g} s", world <= WORLD_BAR_S)


def _endings(report: Report, where: str, count: int, bar_s: float, chance: random.Random) -> None:
    """Rows: the time from SIGTERM to the end of the process, with a filled and with an empty cache, and what was left."""
    times: dict[bool, list[float]] = {False: [], True: []}
    by_signal = left = 0
    with hosting.x_server() as display:
        for number in range(count):
            compiling = number % COMPILING_EVERY == 0
            with tempfile.TemporaryDirectory() as fresh:
                cache = fresh if compiling else os.environ["NUMBA_CACHE_DIR"]
                status, seconds, others = _ending(display, cache, chance.uniform(*ALIVE_S), chance.randrange(1000))
            times[compiling].append(seconds)
            by_signal += status == -signal.SIGTERM
            left += others
    for compiling, seconds in times.items():
        if seconds:
            what = f"SIGTERM{' while compiling' if compiling else ''}, {where}"
            value = f"at most **{format_seconds(max(seconds))}**, median {format_seconds(statistics.median(seconds))}"
            report.figure(what, f"{value}, {len(seconds)} times", f"{bar_s:g} s at worst", max(seconds) <= bar_s)
    report.figure(f"ended by the signal, {where}", f"{by_signal} of {count}", "all", by_signal == count)
    what = f"children left {LEFT_BEHIND_AFTER_S:g} s later, {where}"
    report.figure(what, str(left), "none", not left)


def _ending(display: str, cache: str, alive_s: float, story: int) -> tuple[int, float, int]:
    """(exit status, seconds from SIGTERM to the end, processes left behind) of a show that lives for `alive_s`."""
    words = [sys.executable, str(ROOT / "main.py"), "--root", "--scene", "plasma", "--seed", str(story)]
    environment = hosting.environment(display, NUMBA_CACHE_DIR=cache)
    show = subprocess.Popen(words, env=environment, cwd=ROOT, start_new_session=True)
    try:
        time.sleep(alive_s)
        asked = time.monotonic()
        show.terminate()
        status = show.wait(timeout=60.0)
        seconds = time.monotonic() - asked
        end = asked + LEFT_BEHIND_AFTER_S
        while _of_session(show.pid) and time.monotonic() < end:
            time.sleep(0.05)
        return status, seconds, len(_of_session(show.pid))
    finally:
        for process in _of_session(show.pid):
            os.kill(process, signal.SIGKILL)
        show.wait()


def _of_session(leader: int) -> list[int]:
    """Living processes of the session that `leader` began."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            state, _, _, session = (folder / "stat").read_text().rpartition(")")[2].split()[:4]
        except OSError:
            continue
        if int(session) == leader and state != "Z":
            found.append(int(folder.name))
    return found


@contextmanager
def _spinning(count: int) -> Iterator[None]:
    """Keeps as many cores busy, at the usual priority, until the block ends."""
    busy = [subprocess.Popen(SPIN) for _ in range(count)]
    try:
        yield
    finally:
        for process in busy:
            process.kill()
            process.wait()
