"""Frames of every scene on a GPU, 3840x2160 at quality `high`: the whole picture, and what a live show draws of it.

Each scene runs in its own process, `python -m benchmarks.gpu SCENE FRAMES`, without a display. The story goes on by 1/60 s a
frame, as on a monitor of 60 pictures a second, so tiles and worlds are made at the rate at which such a show asks for them.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

from benchmarks.harness import Report, format_seconds
from benchmarks.soak import Causes

ROOT = Path(__file__).resolve().parents[1]
SIZE = 3840, 2160
QUALITY = "high"
SEED = 1
RATE = 60
FRAMES = 480
# Of those, how many are drawn whole: one in so many.
WHOLE_SHARE = 4
# Frames before those that count, in which the render scale settles.
SETTLING = 60
# Moments at which a part begins: a share of the birth, and seconds after it.
SHARE_OF_BIRTH, AFTER_BIRTH_S = 0.3, 12.0
GPU_BAR = 320e6


def run(report: Report) -> None:
    """Rows for each scene: its birth, carving and flight and the melt into the next, and what they take on the GPU."""
    from demo.scenes.scenes import ROTATION

    _compile_ahead(list(ROTATION))
    renderer, causes = "", Counter[str]()
    for name in ROTATION:
        command = [sys.executable, "-m", "benchmarks.gpu", name, str(report.rounds(FRAMES))]
        done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
        seen = json.loads(done.stdout.splitlines()[-1])
        renderer = seen["renderer"]
        causes.update(seen["causes"])
        for part in seen["whole"]:
            whole, live = (seen[kind][part]["times"] for kind in ("whole", "live"))
            value = f"the whole picture in **{format_seconds(statistics.median(whole))}**; live: median "
            value += f"{format_seconds(statistics.median(live))}, 99 % under {format_seconds(_high(live))}, longest "
            value += f"{format_seconds(max(live))}, render scale {seen['live'][part]['scale']:.2f}"
            met = statistics.median(live) <= 1.0 / RATE and _high(live) <= 2.0 / RATE
            report.figure(f"{name}, {part}", value, f"live: {RATE} frames a second, 99 % above {RATE // 2}", met)
        held = seen["held"]
        report.figure(f"{name}: memory on the GPU", f"{held / 1e6:.0f} MB", f"under {GPU_BAR / 1e6:.0f} MB", held < GPU_BAR)
    report.figure("drawn by", renderer)
    report.note(
        f"{SIZE[0]}x{SIZE[1]}, quality {QUALITY}; a frame is update, draw and glFinish. Each is 1/{RATE} s of the story."
    )
    report.note("Kernels and programs have been compiled before, as they have after the first minutes of the first show.")
    report.note("Textures, targets and buffers as they were asked for.")
    said = ", ".join(f"{count} {cause}" for cause, count in causes.most_common())
    report.note(f"Live frames of over {2e3 / RATE:.0f} ms by what took most of them: {said or 'none'}.")


def _compile_ahead(scenes: list[str]) -> None:
    """Has the caches hold all kernels and programs, as the show's own child processes see to it in its first minutes.

    A worker that compiles would keep the main thread waiting, as it never does in a show.
    """
    from demo.process import environment
    from demo.process.compiler import Compiler

    environment.prepare()
    compiler = Compiler("demo.app.precompile")
    compiler.start_kernels(scenes)
    compiler.start_shaders(QUALITY, scenes)
    while compiler.busy:
        time.sleep(0.1)


def _high(times: list[float]) -> float:
    """What 99 % of them do not exceed."""
    return statistics.quantiles(times, n=100)[98]


def _child(name: str, frames: int) -> None:
    from demo.process import environment

    environment.prepare()
    from demo.hosts import offscreen
    from demo.tables.quality import quality_for

    with offscreen.context(SIZE):
        from demo.render.gl import gl_context
        from demo.show import painter
        from demo.show.pace import FrameBudget

        clock = Causes()
        renderer = gl_context.describe()["renderer"]
        if quality_for(renderer).name == "software":
            raise SystemExit(f"this benchmark needs a GPU, but the renderer is {renderer}")
        live, held = _parts(name, frames, clock)
        # A show that may take as long as it likes keeps the whole picture, and is live in all else.
        painter.GPU = FrameBudget(*(4 * [float("inf")]), comfortable=1.0, first_pixels=float("inf"))
        whole, more = _parts(name, max(frames // WHOLE_SHARE, 2), clock)
    causes = [cause for part in live.values() for cause in part["causes"]]
    print(json.dumps({"live": live, "whole": whole, "held": max(held, more), "renderer": renderer, "causes": causes}))


def _parts(name: str, frames: int, clock: Causes) -> tuple[dict[str, dict], int]:
    """({part: seconds of each frame, causes of long ones and the render scale}, most bytes on the GPU) of one show."""
    from demo.render.gl import gl_context, gpu_memory
    from demo.scenes.scenes import SCENES
    from demo.show.melt import MELT_S
    from demo.show.options import ShowOptions
    from demo.show.show import Show

    scene, settling = SCENES[name], SETTLING / RATE
    moments = {
        "birth": SHARE_OF_BIRTH * scene.birth_s - settling,
        "carving": scene.birth_s - 0.5 * frames / RATE - settling,
        "flight": scene.birth_s + AFTER_BIRTH_S - settling,
        "melt": scene.birth_s + scene.flight_s - MELT_S - settling,
    }
    parts, held = {}, 0
    show = Show(ShowOptions(scene=name, seed=SEED, quality=QUALITY), *SIZE)
    for part, moment in moments.items():
        show.seek(moment)
        times, long = [], []
        for number in range(SETTLING + frames):
            start = time.perf_counter()
            show.update(1 / RATE)
            drawn = show.draw()
            gl_context.finish()
            times.append(time.perf_counter() - start)
            cause = clock.cause(times[-1])
            if number >= SETTLING and times[-1] > 2.0 / RATE:
                long.append(cause)
            held = max(held, gpu_memory.in_use())
        parts[part] = {"times": times[SETTLING:], "causes": long, "scale": drawn.width / SIZE[0]}
    show.close()
    return parts, held


if __name__ == "__main__":
    _child(sys.argv[1], int(sys.argv[2]))
