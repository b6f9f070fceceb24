"""How soon a world asked for is there: grown in full, its flight planned, its first two pictures made. Warm."""

from __future__ import annotations

import statistics
import time

from benchmarks.harness import Report, format_seconds

BAR_S = 1.0
PATCH = 8


def run(report: Report) -> None:
    """Every scene's default world, several seeds, as the show's worker makes it."""
    from demo.scenes import ROTATION, SCENES
    from demo.story import Story

    for name in ROTATION:
        times = []
        for seed in range(report.rounds(7) + 1):
            story = Story(SCENES[name], seed, {}, PATCH)
            begun = time.perf_counter()
            story.prepare()
            story.make_picture()
            story.make_picture()
            times.append(time.perf_counter() - begun)
        # The first round loads or compiles the kernels.
        median = statistics.median(times[1:])
        report.figure(f"{name}: ready after", f"median **{format_seconds(median)}**", "within 1 s", median <= BAR_S)
