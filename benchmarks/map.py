"""The planetary map as a user makes it, `main.py map`: processor time and peak memory.

Tiles are measured by a benchmark of their own, `tiles`.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
from pathlib import Path

from benchmarks.harness import HERE, Report, format_seconds

ROOT = HERE.parent
SEED, FORMATS = 7, "pbf,osm,gpkg,tif,sheets,json"
# (gn, ln), and the most seconds of processor time.
COARSE, FINE, FINEST = (7, 3), (6, 5), (7, 5)
COARSE_BAR_S, FINE_BAR_S = 60.0, 100.0
PEAK_BAR, GROWTH_BAR = 900e6, 1.25


def run(report: Report) -> None:
    """Whole runs in child processes. The first one fills the kernel cache and does not count."""
    with tempfile.TemporaryDirectory() as folder:
        make(Path(folder) / "first", 4, 1)
        coarse = [make(Path(folder) / f"coarse{k}", *COARSE) for k in range(report.rounds(3))]
        size = sum(path.stat().st_size for path in (Path(folder) / "coarse0").rglob("*"))
        fine_s, _ = make(Path(folder) / "fine", *FINE)
        finest_s, finest_bytes = make(Path(folder) / "finest", *FINEST)
    seconds = statistics.median(spent for spent, _ in coarse)
    memory = statistics.median(peak for _, peak in coarse)
    words = f"**{format_seconds(seconds)}**, {size / 1e6:.0f} MB of files"
    report.figure(_title(*COARSE), words, f"under {COARSE_BAR_S:g} s", seconds < COARSE_BAR_S)
    report.figure(_title(*FINE), f"**{format_seconds(fine_s)}**", f"under {FINE_BAR_S:g} s", fine_s < FINE_BAR_S)
    report.figure(_title(*FINEST), format_seconds(finest_s))
    bar = f"under {PEAK_BAR / 1e6:g} MB"
    report.figure(f"peak memory, ln={COARSE[1]}", f"**{memory / 1e6:.0f} MB**", bar, memory < PEAK_BAR)
    ratio = finest_bytes / memory
    words = f"{finest_bytes / 1e6:.0f} MB: **{ratio:.2f}x**"
    report.figure(f"peak memory, ln={FINEST[1]}", words, f"at most {GROWTH_BAR:g}x", ratio <= GROWTH_BAR)
    report.note(f"Seed {SEED}, formats {FORMATS}; the peak is the process's largest resident set.")


def _title(gn: int, ln: int) -> str:
    return f"gn={gn} ln={ln}, processor time"


def make(out: Path, gn: int, ln: int) -> tuple[float, int]:
    """(seconds of processor time, peak bytes) of one run of the command in its own process."""
    sizes = ["--gn", str(gn), "--ln", str(ln), "--formats", FORMATS]
    words = [sys.executable, str(ROOT / "main.py"), "map", str(out), "--seed", str(SEED), *sizes]
    with open(os.devnull, "w") as nowhere:
        actions = [(os.POSIX_SPAWN_DUP2, nowhere.fileno(), 1)]
        child = os.posix_spawn(sys.executable, words, os.environ, file_actions=actions)
    _, status, usage = os.wait4(child, 0)
    if status:
        raise RuntimeError(f"{' '.join(words)} ended with status {os.waitstatus_to_exitcode(status)}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024
