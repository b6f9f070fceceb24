"""What a whole planet's map takes by its size: time and memory of a section of the local mesh, for docs/scale.md.

Each size has a process of its own, which settles the planet and then makes two sections at the equator: the first one has
the kernels loaded. Lakes have shapes only where a section needs them.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from typing import Any

import numpy as np

from benchmarks.harness import HERE, Report, format_seconds
from demo.catalogue.generators import generator
from demo.catalogue.maps import plan_within
from demo.mapping.local import blocks, courses, peaks
from demo.mapping.local.fine_mesh import belts_per_strip
from demo.mapping.local.kept_parts import unkept
from demo.mapping.local.planet_mesh import fine_mesh_of
from demo.mapping.local.sections import Groundwork, sections_of
from demo.mapping.objects.planet_map import settled

GN, SEED, MEMORY_MB = 7, 7, 1500
LEVELS, FLAT = (10, 11, 12, 13), 1.15


def run(report: Report) -> None:
    """A process for each size."""
    peaks_mb = []
    for levels in LEVELS:
        words = [sys.executable, "-m", "benchmarks.scale", str(GN), str(levels - GN)]
        child = subprocess.Popen(words, cwd=HERE.parent, stdout=subprocess.PIPE, env=os.environ)
        assert child.stdout is not None
        told = json.loads(child.stdout.read())
        _, status, usage = os.wait4(child.pid, 0)
        if status:
            raise RuntimeError(f"{' '.join(words)} has failed")
        peaks_mb.append(usage.ru_maxrss / 1e3)
        words_of_time = f"**{format_seconds(told['seconds'] / told['points'] * 1e6)}** a million points"
        report.figure(
            f"gn={GN} ln={levels - GN}",
            f"{told['sections']:,} sections, {told['points']:,} points each: {words_of_time}, {peaks_mb[-1]:.0f} MB",
        )
    ratio = max(peaks_mb) / min(peaks_mb)
    report.figure("peak memory of a process by size", f"**{ratio:.2f}x**", f"at most {FLAT}x", ratio <= FLAT)
    report.note(f"Seed {SEED}, one thread, within {MEMORY_MB} MB; time and points are of the section without its margin.")


def measured(gn: int, ln: int) -> dict[str, Any]:
    """Of a section at the equator: `seconds` of processor time, its own `points`, and how many `sections` there are."""
    values = generator("doublecone").complete({"gn": gn, "ln": ln}, whole=False)
    base = settled(SEED, values, lambda stage, part: None, 1)
    cells, steps = 2**base.planet.gn, 2**base.ln
    plan = plan_within(values, MEMORY_MB, 2, 0.0)
    bare = fine_mesh_of(base.planet, base.ln, base.waters, base.globe.neighbour, lambda mesh: np.zeros(0, np.int64))
    sections = sections_of(cells, steps, plan.points, belts_per_strip(bare))
    chosen = [section for section in sections if section.last > cells][:2]
    needed = np.concatenate([blocks.needed_by(bare, section.triangles(bare))[1] for section in chosen])
    mesh = fine_mesh_of(base.planet, base.ln, base.waters, base.globe.neighbour, lambda mesh: needed)
    lakes = len(base.waters.landmasses.sea_area_m2), len(base.waters.lakes), base.globe.radius_m
    network, summits = courses.network_of(mesh, base.waters), peaks.summits_on(base.waters, base.globe.neighbour)
    work = Groundwork(mesh, network, summits, lakes)
    work.piece(chosen[0], unkept)
    begun = time.process_time()
    work.piece(chosen[1], unkept)
    seconds = time.process_time() - begun
    points = len(chosen[1].triangles(mesh)) * steps * steps // 2
    return {"seconds": seconds, "points": points, "sections": len(sections)}


if __name__ == "__main__":
    print(json.dumps(measured(int(sys.argv[1]), int(sys.argv[2]))))
