"""Engines that make a map: two workers against one, Dask against worker processes, and a map that is killed again and again.

Each map is made by a process of its own. Its kernels are compiled by a first one, which does not count.
"""

from __future__ import annotations

import json
import os
import random
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.harness import HERE, Report, format_seconds
from demo.catalogue.maps import map_edited_planet, plan_within
from demo.export.block_store import FOLDER, store_in
from demo.export.maps import formats
from demo.export.workers.dask_cluster import DaskCluster
from demo.export.workers.process_pool import ProcessPool
from demo.process import environment, memory

SEED, MEMORY_MB, NAMES = 7, 1500, ("pbf", "gpkg", "tif", "json")
LARGE, USUAL, SMALL = (8, 4), (7, 4), (6, 3)
BEFORE, WHOLE, OVERHEAD, FLAT = 1.7, 1.5, 1.15, 1.15
KILLS = 20
ROUNDS = 3


def run(report: Report) -> None:
    """Speed, overhead, memory of workers, and kills."""
    large, usual = (USUAL, USUAL) if report.quick else (LARGE, USUAL)
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder)
        measured(*SMALL, "2", out)
        rounds = [[measured(*large, workers, out) for workers in ("1", "2")] for _ in range(report.rounds(ROUNDS))]
        for name, part, bar in (("stages before writing", ("grown",), BEFORE), ("as a whole", ("grown", "written"), WHOLE)):
            first, second = (median(sum(told[k][key] for key in part) for told in rounds) for k in (0, 1))
            words = f"{format_seconds(first)} with one worker, {format_seconds(second)} with two: **{first / second:.2f}x**"
            report.figure(f"gn={large[0]} ln={large[1]}, {name}", words, f"{bar}x", first / second >= bar)
        compare_dask(report, usual, out)
        flat_memory(report, out)
        killed(report, out)
    report.note(f"Seed {SEED}, formats {','.join(NAMES)}, --memory {MEMORY_MB}; wall-clock time on {os.cpu_count()} cores.")
    report.note(f"One and two workers took turns, {report.rounds(ROUNDS)} times each; their medians.")


def compare_dask(report: Report, size: tuple[int, int], out: Path) -> None:
    with cluster() as address:
        # Its workers load their kernels.
        measured(*SMALL, address, out)
        dask, pool = measured(*size, address, out)["grown"], measured(*size, "2", out)["grown"]
    words = f"{format_seconds(dask)} by Dask, {format_seconds(pool)} by processes: **{dask / pool:.2f}x**"
    report.figure(
        f"gn={size[0]} ln={size[1]}, two workers each, before writing", words, f"{OVERHEAD}x", dask / pool <= OVERHEAD
    )


def flat_memory(report: Report, out: Path) -> None:
    peaks = [measured(7, ln, "1", out, only_growing=True)["worker_mb"] for ln in (3, 4, 5, 6)]
    told = ", ".join(f"{peak:.0f} MB at gn + ln = {10 + k}" for k, peak in enumerate(peaks))
    report.figure(
        "peak memory of a worker", f"{told}: **{max(peaks) / min(peaks):.2f}x**", f"{FLAT}x", max(peaks) / min(peaks) <= FLAT
    )


def killed(report: Report, out: Path) -> None:
    """A map whose process is killed at random moments, until it has been killed often enough; then it goes on to its end."""
    whole, place = out / "whole", out / "killed"
    begun = time.monotonic()
    subprocess.run(command(whole), cwd=HERE.parent, check=True, stdout=subprocess.DEVNULL)
    lasts, kept, repeated, chance = time.monotonic() - begun, dict[str, int](), 0, random.Random(SEED)
    count = report.rounds(KILLS)
    done = most = 0
    while done < count:
        process = subprocess.Popen(command(place), cwd=HERE.parent, stdout=subprocess.DEVNULL)
        time.sleep(chance.uniform(0.1, 0.5) * lasts)
        if process.poll() is not None:
            kept = {}
            continue
        process.send_signal(signal.SIGKILL)
        process.wait()
        done += 1
        now = {path.name: path.stat().st_mtime_ns for path in (place / FOLDER).glob("[!.]*.block")}
        repeated += sum(now.get(name) != moment for name, moment in kept.items())
        # Half of them are lost, so that each run has something to make.
        lost = chance.sample(sorted(now), len(now) // 2)
        for name in lost:
            (place / FOLDER / name).unlink()
        kept = {name: moment for name, moment in now.items() if name not in lost}
        most = max(most, len(now))
    subprocess.run(command(place), cwd=HERE.parent, check=True, stdout=subprocess.DEVNULL)
    same = all((place / path.name).read_bytes() == path.read_bytes() for path in whole.iterdir())
    report.figure(f"finished pieces made again after {count} kills", f"**{repeated}**, {most} at most", "0", repeated == 0)
    report.figure("files of the killed map", "the same" if same else "others", "the same", same)


def command(out: Path) -> list[str]:
    gn, ln = SMALL
    words = f"--seed {SEED} --gn {gn} --ln {ln} --formats {','.join(NAMES)} --workers 2".split()
    return [sys.executable, "main.py", "map", str(out), *words]


def measured(gn: int, ln: int, engine: str, out: Path, only_growing: bool = False) -> dict[str, Any]:
    """What `make` tells, in a process of its own; `engine`: a count of workers, or a scheduler's address."""
    words = [sys.executable, "-m", "benchmarks.engines", str(gn), str(ln), engine, str(out / "made"), str(only_growing)]
    told: dict[str, Any] = json.loads(subprocess.run(words, cwd=HERE.parent, check=True, stdout=subprocess.PIPE).stdout)
    return told


def make(gn: int, ln: int, engine: str, out: Path, only_growing: bool) -> dict[str, float]:
    """Seconds in which a map is `grown` and `written`, and the peak memory of a worker of this machine in `worker_mb`."""
    values, begun = {"gn": gn, "ln": ln}, time.monotonic()
    plan = plan_within(values, MEMORY_MB, 1, formats.most_bytes(NAMES))
    with store_in(out) as keep:
        with ProcessPool(int(engine), keep) if engine.isdigit() else DaskCluster(engine, keep) as workers:
            threads = int(engine) if engine.isdigit() else 2
            planet, _ = map_edited_planet(SEED, values, (), None, threads, keep, plan, workers)
            grown = time.monotonic() - begun
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1e3
        if not only_growing:
            formats.write(out, planet, NAMES, lambda part: None, threads=threads, store=keep)
    return {"grown": grown, "written": time.monotonic() - begun - grown, "worker_mb": peak}


@contextmanager
def cluster() -> Iterator[str]:
    """The address of a Dask scheduler on the loopback address, with two workers."""
    dask = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard"]
    pipe = subprocess.PIPE
    scheduler = subprocess.Popen(dask, cwd=HERE.parent, stderr=pipe, text=True)
    assert scheduler.stderr is not None
    address = next(found[0] for line in scheduler.stderr if (found := re.search(r"tcp://127\.0\.0\.1:\d+", line)))
    words = [sys.executable, "-m", "distributed.cli.dask_worker", address, "--nthreads", "1", "--no-dashboard", "--no-nanny"]
    environment = os.environ | {"PYTHONPATH": str(HERE.parent)}
    quiet = {"stderr": subprocess.DEVNULL, "cwd": HERE.parent, "env": environment}
    workers = [subprocess.Popen(words, **quiet) for _ in range(2)]
    try:
        yield address
    finally:
        for process in (*workers, scheduler):
            process.kill()
            process.wait()


if __name__ == "__main__":
    # As the command does.
    environment.prepare()
    memory.reuse_memory()
    gn, ln, engine, out, only_growing = sys.argv[1:]
    print(json.dumps(make(int(gn), int(ln), engine, Path(out), only_growing == "True")))
