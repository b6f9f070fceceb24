"""The time until a wanted world is ready to be seen: grown in full, its birth planned, its first two pictures made. Warm.

Then the time until the rest is there, carved and with its flight, for which its birth is long enough.

And the memory that growing a large world takes, in its own process: `python -m benchmarks.ready NAME`.
"""

from __future__ import annotations

import json
import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path

from benchmarks.harness import Report, format_seconds

BAR_S = 1.0
MEMORY_TIMES, MEMORY_MORE = 3, 150e6
ROOT = Path(__file__).resolve().parents[1]
# A small world, which loads everything that a world needs, and a large one.
SIZES = {
    "plasma": ({"cells": 64}, {"cells": 4096}),
    "cuts": ({"cells": 32}, {"cells": 1024}),
    "particles": ({"cells": 64, "particles": 500}, {"cells": 2048, "particles": 1_000_000}),
    "simplex": ({"cells": 32}, {"cells": 1024}),
    "doublecone": ({"gn": 3, "ln": 1}, {"gn": 10}),
}


def run(report: Report) -> None:
    """Every scene's default world, several seeds, as the show's worker makes it."""
    from demo.scenes.scenes import ROTATION, SCENES
    from demo.story.story import Story
    from demo.tables.quality import QUALITIES

    for name in ROTATION:
        times, whole = [], []
        for seed in range(report.rounds(7) + 1):
            story = Story(SCENES[name], seed, {}, QUALITIES["software"])
            begun = time.perf_counter()
            while story.born is None:
                story.work()
            story.make_picture()
            story.make_picture()
            times.append(time.perf_counter() - begun)
            story.prepare()
            whole.append(time.perf_counter() - begun)
        # The first round loads or compiles the kernels.
        median, last = statistics.median(times[1:]), max(whole[1:])
        report.figure(f"{name}: ready after", f"median **{format_seconds(median)}**", "within 1 s", median <= BAR_S)
        grown_s = story.scene.grown_s
        value = f"at most **{format_seconds(last)}**"
        report.figure(f"{name}: carved, with its flight", value, f"within its birth of {grown_s:g} s", last <= grown_s)
    for name in SIZES if Path("/proc/self/clear_refs").exists() else ():
        words = [sys.executable, "-m", "benchmarks.ready", name]
        done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True)
        heights, peak = json.loads(done.stdout.splitlines()[-1])
        bar = MEMORY_TIMES * heights + MEMORY_MORE
        value = f"**{peak / 1e6:.0f} MB** for {heights / 1e6:.0f} MB of heights"
        report.figure(f"{name}: peak memory of a large world", value, f"under {bar / 1e6:.0f} MB", peak <= bar)


def _child(name: str) -> None:
    """Prints the bytes of a large world's heights, and the bytes by which the process grew while it grew the world."""
    from demo.process import environment

    environment.prepare()
    small, large = SIZES[name]
    _grown(name, small)
    page = resource.getpagesize()
    before = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * page
    # Linux: the highest resident size counts from here.
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    heights = _grown(name, large)
    status = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    highest = next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmHWM"))
    print(json.dumps([heights, highest - before]))


def _grown(name: str, given: dict) -> int:
    from demo.catalogue.generators import GENERATORS

    growth = GENERATORS[name].grow(1, GENERATORS[name].complete(given))
    growth.advance(growth.total)
    assert growth.sea_level is not None
    return growth.heights.nbytes


if __name__ == "__main__":
    _child(sys.argv[1])
