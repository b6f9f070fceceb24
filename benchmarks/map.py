"""The planetary map as a user makes it, `main.py map` with all formats: time and peak memory."""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.harness import HERE, Report, format_seconds

ROOT = HERE.parent
SEED, GN, LN, FINE_LN = 7, 7, 3, 5
TIME_BAR_S, MEMORY_BAR = 120.0, 1.25


def run(report: Report) -> None:
    """Whole runs in child processes. The first one fills the kernel cache and does not count."""
    with tempfile.TemporaryDirectory() as folder:
        make(Path(folder) / "first", 4, 1)
        coarse = [make(Path(folder) / f"coarse{k}", GN, LN) for k in range(report.rounds(3))]
        size = sum(path.stat().st_size for path in (Path(folder) / "coarse0").rglob("*"))
        fine_s, fine_bytes = make(Path(folder) / "fine", GN, FINE_LN)
    seconds = statistics.median(spent for spent, _ in coarse)
    memory = statistics.median(peak for _, peak in coarse)
    words = f"**{format_seconds(seconds)}**, {size / 1e6:.0f} MB of files"
    report.figure(f"gn={GN} ln={LN}, all formats", words, f"under {TIME_BAR_S:g} s", seconds < TIME_BAR_S)
    ratio = fine_bytes / memory
    words = f"ln={LN} {memory / 1e6:.0f} MB, ln={FINE_LN} {fine_bytes / 1e6:.0f} MB: **{ratio:.2f}x**"
    report.figure("peak memory", words, f"at most {MEMORY_BAR:g}x", ratio <= MEMORY_BAR)
    report.figure(f"gn={GN} ln={FINE_LN}, all formats", format_seconds(fine_s))
    report.note(f"Seed {SEED}; {len(os.sched_getaffinity(0))} processors; the peak is the process's largest resident set.")


def make(out: Path, gn: int, ln: int) -> tuple[float, int]:
    """(seconds, peak bytes) of one run of the command in its own process."""
    words = [sys.executable, str(ROOT / "main.py"), "map", str(out), "--seed", str(SEED), "--gn", str(gn), "--ln", str(ln)]
    start = time.perf_counter()
    with open(os.devnull, "w") as nowhere:
        actions = [(os.POSIX_SPAWN_DUP2, nowhere.fileno(), 1)]
        child = os.posix_spawn(sys.executable, words, os.environ, file_actions=actions)
    _, status, usage = os.wait4(child, 0)
    if status:
        raise RuntimeError(f"{' '.join(words)} ended with status {os.waitstatus_to_exitcode(status)}")
    return time.perf_counter() - start, usage.ru_maxrss * 1024
