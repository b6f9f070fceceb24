"""Frames of every scene without a display: time, Python's share of it, OpenGL calls, triangles, memory.

Each scene and size runs in a process of its own, `python -m benchmarks.frames SCENE WIDTH HEIGHT FRAMES`, with its worker
growing beside it as in the window, so that no frame profits from another's buffers.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.harness import Report, format_seconds

ROOT = Path(__file__).resolve().parents[1]
SIZES = ((640, 360), (1280, 720))
SEED = 1
FRAMES = 90
# In the birth, and over the ground: share of the birth, seconds after it.
SHARE_OF_BIRTH, SECONDS_AFTER = 0.3, 12.0
MEMORY_BAR = 400e6


def run(report: Report) -> None:
    """One row for a scene, a size and a part of its story, and the memory against its bar."""
    from demo.scenes import ROTATION

    for name in ROTATION:
        for width, height in SIZES:
            command = [sys.executable, "-m", "benchmarks.frames", name, str(width), str(height), str(report.rounds(FRAMES))]
            done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
            _rows(report, name, f"{width}x{height}", json.loads(done.stdout.splitlines()[-1]))
    report.note("A frame is update, draw and glFinish, with the settings of a software renderer (steered render scale).")
    report.note(
        "Python: the main thread's processor time outside OpenGL's functions, beside a driver and a worker that want"
    )
    report.note("the same processors and caches. Without them, and against its bar: in 'Starting up and running'.")


def _rows(report: Report, name: str, size: str, seen: dict) -> None:
    for part, figures in seen["parts"].items():
        times = sorted(figures["times"])
        value = f"median **{format_seconds(statistics.median(times))}**, 99 % under {format_seconds(_high(times))}, "
        value += f"Python {format_seconds(statistics.median(figures['own']))}, {figures['calls']:.0f} calls, "
        value += f"{figures['triangles']:,.0f} triangles, render scale {figures['scale']:.2f}"
        report.figure(f"{name}, {part}, {size}", value)
    value = f"{seen['resident'] / 1e6:.0f} MB, at its highest {seen['highest'] / 1e6:.0f} MB"
    report.figure(f"{name}, {size}: resident memory", value, "under 400 MB", seen["highest"] < MEMORY_BAR)


def _high(ordered: list[float]) -> float:
    return ordered[min(int(0.99 * len(ordered)), len(ordered) - 1)]


# --- the child ---------------------------------------------------------------------------------------------------------


class Calls:
    """Counts the functions of OpenGL, and the processor's seconds in them on this thread.

    Not the clock's: the driver's own threads and the worker take the processor from this one whenever they can.
    """

    def __init__(self) -> None:
        from OpenGL import GL

        self.count, self.seconds = 0, 0.0
        for name in [name for name in dir(GL) if name.startswith("gl") and callable(getattr(GL, name))]:
            setattr(GL, name, self._watched(getattr(GL, name)))
        self.cost = self._own_cost()

    def _own_cost(self, times: int = 2000) -> float:
        """Seconds that the watching of one call takes outside what it measures."""
        nothing = self._watched(lambda: None)
        start = time.thread_time()
        for _ in range(times):
            nothing()
        return max(time.thread_time() - start - self.seconds, 0.0) / times

    def _watched(self, function: Callable) -> Callable:
        def call(*words: object, **named: object) -> object:
            start = time.thread_time()
            try:
                return function(*words, **named)
            finally:
                self.seconds += time.thread_time() - start
                self.count += 1

        return call


def _child(name: str, size: tuple[int, int], frames: int) -> None:
    from demo import environment

    environment.prepare()
    from demo.hosts import offscreen
    from demo.options import ShowOptions
    from demo.scenes import SCENES

    scene, seen = SCENES[name], {"parts": {}}
    moments = {"birth": SHARE_OF_BIRTH * scene.birth_s, "flight": scene.birth_s + SECONDS_AFTER}
    with offscreen.context(size):
        from demo.render import gpu
        from demo.show import Show

        show = Show(ShowOptions(scene=name, seed=SEED, hold=True), *size)
        for part, moment in moments.items():
            show.seek(moment)
            times = _frames(show, frames, gpu.finish)
            scale = show._steering.scale if show._steering else 1.0
            seen["parts"][part] = {"times": times, "triangles": show._stage.triangles(), "scale": scale}
        seen |= dict(zip(("resident", "highest"), _memory(), strict=True))
        show.close()
        # Again under watch, which would lengthen the frames measured above.
        calls = Calls()
        show = Show(ShowOptions(scene=name, seed=SEED, hold=True), *size)
        for part, moment in moments.items():
            show.seek(moment)
            seen["parts"][part] |= _watched(show, frames, calls)
        show.close()
    print(json.dumps(seen))


def _frames(show, count: int, finish: Callable[[], None]) -> list[float]:
    """Seconds of each frame; a few go before, in which the render scale is steered and buffers are made."""
    times, dt = [], 1 / 30
    for number in range(count + 15):
        start = time.perf_counter()
        show.update(min(dt, 0.1))
        show.draw()
        finish()
        dt = time.perf_counter() - start
        if number >= 15:
            times.append(dt)
    return times


def _watched(show, count: int, calls: Calls) -> dict:
    own, counts, dt = [], [], 1 / 30
    for number in range(count + 15):
        calls.count, calls.seconds = 0, 0.0
        start, started = time.thread_time(), time.perf_counter()
        show.update(min(dt, 0.1))
        show.draw()
        dt = time.perf_counter() - started
        if number >= 15:
            own.append(time.thread_time() - start - calls.seconds - calls.count * calls.cost)
            counts.append(calls.count)
    return {"own": own, "calls": statistics.median(counts)}


def _memory() -> tuple[float, float]:
    """Bytes that are resident now, and at their highest."""
    import resource

    highest = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
        return float(pages * resource.getpagesize()), float(highest)
    except OSError:
        return float(highest), float(highest)


if __name__ == "__main__":
    _child(sys.argv[1], (int(sys.argv[2]), int(sys.argv[3])), int(sys.argv[4]))
