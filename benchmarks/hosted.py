"""What a screensaver takes of the machine: processor seconds a shown frame, beside glplanet, and how many processors.

Each scene runs as `--root` in a virtual X server of 1280x720, from its first picture on into its flight; `glplanet --mode
globe` runs before and after them, with a delay that gives it about as many frames a second. Then a window that it draws
into is covered by another and hidden, as by a locker. Processor seconds are those of the whole process with all its threads;
time of the clock would tell what else the machine did.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.frames import HUD_S, PEER_FOLDERS, PEERS
from benchmarks.harness import HERE, Report, display

# What the tests of the hosts know of servers and windows.
sys.path.insert(0, str(HERE.parent / "tests"))

from support.hosting import Child, Owner, x_server

SIZE = 1280, 720
SECONDS, QUICK_SECONDS = 75.0, 36.0
# Frames a second of a hosted show. The peer waits for so long between two frames, besides what it draws for.
RATE, PEER_DELAY_US, PEER_S = 30, 26_000, 12.0
MEDIAN_BAR, WORST_BAR, CORES_BAR = 1.5, 1.8, 1.4
ENDS_S = 120.0
# Shown for so long before it is hidden, with its worlds made; hidden for so long before it is measured.
SHOWN_S, SETTLES_S, UNSEEN_S, QUICK_UNSEEN_S = 25.0, 10.0, 60.0, 20.0
UNSEEN_BAR, WAKES_BAR = 0.01, 2.0


def run(report: Report) -> None:
    """A row for each scene, and what the bars say of all of them."""
    from demo.scenes.scenes import ROTATION

    seconds = QUICK_SECONDS if report.quick else SECONDS
    with display(SIZE) as name:
        peers = [_peer(report, name)]
        seen = {scene: _hosted(name, scene, seconds) for scene in ROTATION}
        peers.append(_peer(report, name))
    _unseen(report, QUICK_UNSEEN_S if report.quick else UNSEEN_S)
    for scene, (frames, used, lasted) in seen.items():
        value = f"**{1e3 * used / frames:.1f} ms** of processor time a frame, {frames / lasted:.1f} frames a second, "
        report.figure(scene, value + f"{used / lasted:.2f} processors")
    cores = statistics.median(used / lasted for _, used, lasted in seen.values())
    report.figure("processors in the median scene", f"{cores:.2f}", f"at most {CORES_BAR:g}", cores <= CORES_BAR)
    known = [peer for peer in peers if peer]
    if not known:
        return
    theirs = statistics.median(known)
    ratios = [used / frames / theirs for frames, used, _ in seen.values()]
    for what, value, bar in (("median", statistics.median(ratios), MEDIAN_BAR), ("worst", max(ratios), WORST_BAR)):
        report.figure(
            f"a frame against glplanet's {1e3 * theirs:.1f} ms, {what} scene", f"**{value:.2f}x**", f"{bar:g}x", value <= bar
        )


def _hosted(name: str, scene: str, seconds: float) -> tuple[int, float, float]:
    """(frames, processor seconds, seconds) of a scene on display `name`."""
    command = [sys.executable, str(HERE / "watched.py"), "hosted", str(seconds), scene]
    with tempfile.TemporaryDirectory() as home:
        env = {**os.environ, "DISPLAY": name, "XDG_CONFIG_HOME": home, "XDG_STATE_HOME": home}
        done = subprocess.run(command, env=env, capture_output=True, text=True, check=True, timeout=seconds + ENDS_S)
    found = json.loads(done.stdout.splitlines()[-1])
    return found["frames"], found["used"], found["lasted"]


def _unseen(report: Report, seconds: float) -> None:
    """Rows: what a covered and what a hidden window cost."""
    with x_server() as name, tempfile.TemporaryDirectory() as home:
        owner = Owner(name)
        words = [sys.executable, "main.py", "--window-id", owner.window, "--scene", "plasma", "--seed", "5"]
        child = Child(words, name, XDG_CONFIG_HOME=home, XDG_STATE_HOME=home)
        try:
            for what, hide, show in (("covered", "cover", "uncover"), ("hidden", "hide", "show")):
                time.sleep(SHOWN_S)
                owner.tell(hide)
                time.sleep(SETTLES_S)
                pid, began = child.process.pid, time.monotonic()
                used, woken = _processor_seconds(pid), _wakes(pid)
                time.sleep(seconds)
                lasted = time.monotonic() - began
                used, woken = (_processor_seconds(pid) - used) / lasted, (_wakes(pid) - woken) / lasted
                value = f"**{100 * used:.2f} %** of a processor, its main thread woken {woken:.2f} times a second"
                report.figure(f"its window {what}", value, "under 1 %, 2 times", used < UNSEEN_BAR and woken < WAKES_BAR)
                owner.tell(show)
        finally:
            child.kill()
            owner.child.kill()


def _peer(report: Report, name: str) -> float | None:
    """Processor seconds a frame of glplanet; None where it is not installed."""
    folder = next((folder for folder in PEER_FOLDERS if (Path(folder) / "glplanet").exists()), None)
    if folder is None or not shutil.which("Xvfb"):
        report.note("glplanet was not run: XScreenSaver's hacks are not installed.")
        return None
    with tempfile.TemporaryDirectory() as dump:
        hud = {"GALLIUM_HUD": "fps", "GALLIUM_HUD_PERIOD": str(HUD_S), "GALLIUM_HUD_VISIBLE": "false"}
        env = {**os.environ, "DISPLAY": name, **hud, "GALLIUM_HUD_DUMP_DIR": dump}
        geometry = "x".join(map(str, SIZE))
        words = [str(Path(folder) / "glplanet"), "--geometry", geometry, "--delay", str(PEER_DELAY_US), *PEERS["glplanet"]]
        running = subprocess.Popen(words, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            # Its start is not counted.
            time.sleep(2.0)
            used, began = _processor_seconds(running.pid), time.monotonic()
            time.sleep(PEER_S)
            used, lasted = _processor_seconds(running.pid) - used, time.monotonic() - began
        finally:
            running.kill()
            running.wait()
        rates = [float(line) for path in Path(dump).iterdir() for line in path.read_text().split()]
    rate = statistics.median(rates[3:])
    report.note(f"glplanet: {rate:.1f} frames a second, {used / lasted:.2f} processors.")
    return used / lasted / rate


def _processor_seconds(pid: int) -> float:
    """Of a process with all its threads, so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _wakes(pid: int) -> int:
    """How often the main thread of a process has slept and gone on."""
    for line in Path(f"/proc/{pid}/task/{pid}/status").read_text().splitlines():
        if line.startswith("voluntary_ctxt_switches"):
            return int(line.split()[1])
    return 0
