"""Frames of every scene without a display: time, Python's share of it, OpenGL calls, triangles, memory; and two peers.

Each scene and size runs in its own process, `python -m benchmarks.frames SCENE WIDTH HEIGHT FRAMES`, so that no frame
profits from another's buffers; the worker grows worlds beside it, as in the window. The peers are XScreenSaver's
`crackberg --nsubdivs 6` (221,184 flat triangles) and `glplanet --mode globe` (a smooth textured ball), without a cap on
their frame rates, in a virtual X server. Mesa itself logs those rates.
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
from collections.abc import Callable
from pathlib import Path

from benchmarks.harness import Report, display, format_seconds

ROOT = Path(__file__).resolve().parents[1]
SIZES = ((640, 360), (1280, 720))
SEED = 1
FRAMES = 90
# Frames before those that count, in which the render scale settles and buffers are made.
SETTLING = 60
# The moments that are drawn: a share of the birth, and seconds after it, over the ground.
SHARE_OF_BIRTH, SECONDS_AFTER = 0.3, 12.0
# Seconds into a melt. Where one world flows into the next, both are drawn at first; elsewhere the next one shows more later.
INTO_MELT_S = 0.4, 1.6
MEMORY_BAR = 440e6
LARGE = (3840, 2160)
# Bytes of a GPU's memory; of a picture of the size LARGE.
GPU_BAR, LARGE_GPU_BAR = 200e6, 320e6
# Frames a second by height of the picture: of the median, and of 99 % of the frames.
RATE_BARS = {360: (45.0, None), 720: (30.0, 20.0)}
CALLS_BAR = 60
PEERS = {"crackberg": ("--nsubdivs", "6"), "glplanet": ("--mode", "globe")}
PEER_FOLDERS = ("/usr/libexec/xscreensaver", "/usr/lib/xscreensaver")
PEER_S, HUD_S = 8.0, 0.5


def run(report: Report) -> None:
    """One row for each scene, size and part of the story, and the memory against its bar."""
    from demo.scenes.scenes import ROTATION

    slowest, peers = [], [_peers(report)]
    for name in ROTATION:
        for width, height in SIZES:
            command = [sys.executable, "-m", "benchmarks.frames", name, str(width), str(height), str(report.rounds(FRAMES))]
            done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
            rate = _rows(report, name, (width, height), json.loads(done.stdout.splitlines()[-1]))
            if height == SIZES[-1][1]:
                slowest.append(rate)
    peers.append(_peers(report))
    for peer in [peer for peer in PEERS if all(peer in seen for seen in peers)]:
        theirs = statistics.median(seen[peer] for seen in peers)
        value = f"slowest scene **{min(slowest):.0f}** frames a second, {peer} {theirs:.0f}"
        if peer == "crackberg":
            report.figure(
                f"against {peer}, {SIZES[-1][0]}x{SIZES[-1][1]}", value, "at least its rate", min(slowest) >= theirs
            )
        else:
            report.figure(f"against {peer}, {SIZES[-1][0]}x{SIZES[-1][1]}", value)
    report.note("A frame is update, draw and glFinish, with the settings of a software renderer (paced render scale).")
    report.note(
        "Python: the main thread's processor time outside OpenGL's functions, while a driver and a worker compete for the "
        'same processors and caches. "Python\'s share of a frame" measures it without the driver and against its bar.'
    )


def _rows(report: Report, name: str, size: tuple[int, int], seen: dict) -> float:
    """Writes the rows of one run; returns its lowest median rate in frames a second."""
    rates, what = [], f"{size[0]}x{size[1]}"
    least, least_99 = RATE_BARS[size[1]]
    for part, figures in seen["parts"].items():
        times = sorted(figures["times"])
        median, high = 1.0 / statistics.median(times), 1.0 / _high(times)
        value = f"median **{median:.0f}** frames a second, 99 % above {high:.0f}, "
        value += f"Python {format_seconds(statistics.median(figures['own']))}, {figures['calls']:.0f} calls, "
        value += f"{figures['triangles']:,.0f} triangles, render scale {figures['scale']:.2f}"
        bar = f"{least:.0f}, {least_99:.0f}; {CALLS_BAR} calls" if least_99 else f"{least:.0f}; {CALLS_BAR} calls"
        met = median >= least and high >= (least_99 or 0.0) and figures["calls"] < CALLS_BAR
        report.figure(f"{name}, {part}, {what}", value, bar, met)
        rates.append(median)
    value = f"{seen['resident'] / 1e6:.0f} MB, at its highest {seen['highest'] / 1e6:.0f} MB"
    report.figure(f"{name}, {what}: resident memory", value, "under 440 MB", seen["highest"] < MEMORY_BAR)
    for high, by in seen["gpu"].items():
        most = LARGE_GPU_BAR if high == f"{LARGE[0]}x{LARGE[1]}" else GPU_BAR
        for into, held in by.items():
            row = f"{name}, {into}{high}, quality high: memory on the GPU"
            report.figure(row, f"{held / 1e6:.0f} MB", f"under {most / 1e6:.0f} MB", held < most)
    return min(rates)


def _peers(report: Report) -> dict[str, float]:
    """Median frame rates of the peers that are installed; none without Xvfb."""
    folder = next((folder for folder in PEER_FOLDERS if Path(folder).is_dir()), None)
    if folder is None or not shutil.which("Xvfb"):
        report.note("The peers were not run: XScreenSaver's hacks or Xvfb are not installed.")
        return {}
    rates, size = {}, f"{SIZES[-1][0]}x{SIZES[-1][1]}"
    with display() as name:
        for peer in [peer for peer in PEERS if (Path(folder) / peer).exists()]:
            with tempfile.TemporaryDirectory() as dump:
                hud = {"GALLIUM_HUD": "fps", "GALLIUM_HUD_PERIOD": str(HUD_S), "GALLIUM_HUD_VISIBLE": "false"}
                env = {**os.environ, "DISPLAY": name, **hud, "GALLIUM_HUD_DUMP_DIR": dump}
                words = [str(Path(folder) / peer), "--geometry", size, "--delay", "0", *PEERS[peer]]
                running = subprocess.Popen(words, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                try:
                    running.wait(PEER_S)
                except subprocess.TimeoutExpired:
                    running.kill()
                    running.wait()
                seen = [float(line) for path in Path(dump).iterdir() for line in path.read_text().split()]
                # The first values belong to a program that is still starting.
                if len(seen) > 4:
                    rates[peer] = statistics.median(seen[3:])
    return rates


def _high(ordered: list[float]) -> float:
    return ordered[min(int(0.99 * len(ordered)), len(ordered) - 1)]


# --- the child ---------------------------------------------------------------------------------------------------------


class Calls:
    """Counts the calls of OpenGL's functions, and the processor seconds in them on this thread.

    Seconds of the clock would tell less: the driver's threads and the worker compete with this thread for the processors.
    """

    def __init__(self) -> None:
        from demo.render.gl import opengl as GL

        self.count, self.seconds = 0, 0.0
        everything = {name for home in GL.HOMES for name in dir(home)}
        for name in [name for name in everything if name.startswith("gl") and callable(getattr(GL, name))]:
            setattr(GL, name, self._watched(getattr(GL, name)))
        self.cost = self._own_cost()

    def _own_cost(self, times: int = 2000) -> float:
        """The seconds that watching one call costs outside of what it measures."""
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
    from demo.process import environment

    environment.prepare()
    from demo.hosts import offscreen
    from demo.scenes.scenes import SCENES
    from demo.show.options import ShowOptions

    scene, seen = SCENES[name], {"parts": {}}
    moments = {"birth": SHARE_OF_BIRTH * scene.birth_s, "flight": scene.birth_s + SECONDS_AFTER}
    with offscreen.context(size):
        from demo.render.gl import gl_context
        from demo.show.show import Show

        show = Show(ShowOptions(scene=name, seed=SEED, hold=True), *size)
        for part, moment in moments.items():
            show.seek(moment)
            times = _frames(show, frames, gl_context.finish)
            drawn = show.draw()
            scale = round(drawn.width / size[0], 2)
            seen["parts"][part] = {"times": times, "triangles": drawn.triangles, "scale": scale}
        seen |= dict(zip(("resident", "highest"), _memory(), strict=True))
        show.close()
        # Watching makes frames longer, so it has a show of its own.
        calls = Calls()
        show = Show(ShowOptions(scene=name, seed=SEED, hold=True), *size)
        for part, moment in moments.items():
            show.seek(moment)
            seen["parts"][part] |= _watched(show, frames, calls)
        show.close()
        seen["gpu"] = _at_high(name, (size, LARGE)) if size == SIZES[-1] else {}
    print(json.dumps(seen))


def _at_high(name: str, sizes: tuple[tuple[int, int], ...]) -> dict[str, dict[str, int]]:
    """Bytes on the GPU at the highest quality, in flight and in the melt into the next scene: {size: {melt: bytes}}."""
    from demo.render.gl import gpu_memory
    from demo.scenes.scenes import SCENES
    from demo.show.melt import MELT_S
    from demo.show.options import ShowOptions
    from demo.show.show import Show

    scene, found = SCENES[name], {}
    for size in sizes:
        seen = found.setdefault(f"{size[0]}x{size[1]}", {})
        show = Show(ShowOptions(scene=name, seed=SEED, paced=False, quality="high"), *size)
        melt = scene.birth_s + scene.flight_s - MELT_S
        for moment in (scene.birth_s + SECONDS_AFTER, *(melt + more for more in INTO_MELT_S)):
            show.seek(moment)
            show.draw()
            shot = show.shot()
            into = f"melting into {shot.coming.scene.name}, " if shot.melt else ""
            seen[into] = max(seen.get(into, 0), gpu_memory.in_use())
        show.close()
    return found


def _frames(show, count: int, finish: Callable[[], None]) -> list[float]:
    """Seconds of each frame."""
    times, dt = [], 1 / 30
    for number in range(count + SETTLING):
        start = time.perf_counter()
        show.update(min(dt, 0.1))
        show.draw()
        finish()
        dt = time.perf_counter() - start
        if number >= SETTLING:
            times.append(dt)
    return times


def _watched(show, count: int, calls: Calls) -> dict:
    own, counts, dt = [], [], 1 / 30
    for number in range(count + SETTLING):
        calls.count, calls.seconds = 0, 0.0
        start, started = time.thread_time(), time.perf_counter()
        show.update(min(dt, 0.1))
        show.draw()
        dt = time.perf_counter() - started
        if number >= SETTLING:
            own.append(time.thread_time() - start - calls.seconds - calls.count * calls.cost)
            counts.append(calls.count)
    return {"own": own, "calls": statistics.median(counts)}


def _memory() -> tuple[float, float]:
    """(resident bytes now, highest so far)."""
    import resource

    highest = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
        return float(pages * resource.getpagesize()), float(highest)
    except OSError:
        return float(highest), float(highest)


if __name__ == "__main__":
    _child(sys.argv[1], (int(sys.argv[2]), int(sys.argv[3])), int(sys.argv[4]))
