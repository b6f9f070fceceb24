"""A long stay on the root window at real speed, as a host has it: what must not grow in an hour and a half.

`--count N` minutes. The show runs at the low priority that it has under hosts, so other work beside it only slows it.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.harness import HERE, Report, display
from benchmarks.soak import judge_memory, quarters

SIZE = 1280, 720
MINUTES, QUICK_MINUTES = 90, 10
LOOK_S = 5.0
# Its first worlds, programs and tiles are not growth.
SETTLES_S = 120.0


def run(report: Report) -> None:
    """Rows for memory by quarter, threads, files, the worlds that were seen, and how it ended."""
    seconds = 60.0 * (report.asked or (QUICK_MINUTES if report.quick else MINUTES))
    with display(SIZE) as name, tempfile.TemporaryDirectory() as home:
        folders = dict.fromkeys(("XDG_CONFIG_HOME", "XDG_STATE_HOME"), home)
        words = [sys.executable, str(HERE.parent / "main.py"), "--root", "--seed", "5"]
        show = subprocess.Popen(words, env={**os.environ, "DISPLAY": name, **folders})
        samples, counts = [], []
        try:
            began = time.monotonic()
            while time.monotonic() < began + seconds and show.poll() is None:
                time.sleep(LOOK_S)
                if time.monotonic() > began + SETTLES_S and show.poll() is None:
                    resident, anonymous, peak = _memory(show.pid)
                    samples.append([resident, anonymous])
                    counts.append((_entries(show.pid, "task"), _entries(show.pid, "fd")))
            lasted = time.monotonic() - began
            show.send_signal(signal.SIGTERM)
            status = show.wait(timeout=60.0)
        finally:
            show.kill()
            show.wait()
        worlds = len(list(Path(home).rglob("*.png")))
    value = f"{worlds} worlds, {lasted / 60.0:.0f} min, ended by SIGTERM with status {status}"
    report.figure("on the root window", value, "ended by the signal", status == -signal.SIGTERM)
    judge_memory(report, samples, peak)
    for what, column in zip(("threads", "files"), zip(*counts, strict=True), strict=True):
        by_quarter = quarters(list(column))
        value = " / ".join(f"{number:g}" for number in by_quarter)
        report.figure(f"{what} by quarter", value, "no more", by_quarter[3] <= by_quarter[1])


def _memory(pid: int) -> tuple[float, float, float]:
    """(resident, anonymous, resident at its highest) in bytes."""
    rows = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
    resident, anonymous, peak = (float(rows[name].split()[0]) * 1024 for name in ("VmRSS", "RssAnon", "VmHWM"))
    return resident, anonymous, peak


def _entries(pid: int, folder: str) -> int:
    return len(os.listdir(f"/proc/{pid}/{folder}"))
