"""Starting up and running: time to the first picture, gaps between frames, Python's share of a frame, memory.

Everything runs under a virtual X server, in child processes (`watched.py`) that start as a user would start them.
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
from collections.abc import Sequence
from pathlib import Path

from benchmarks.harness import HERE, Clocked, Report, display, format_seconds, interleave, ratio

ROOT = HERE.parent
WATCHED = str(HERE / "watched.py")
# A script that only compiles what a scene needs, as the show's compiling child process does.
BARE_KERNELS = (
    "from demo.process import environment; environment.prepare(); "
    "from demo.app import precompile; precompile.compile_kernels('{}')"
)
SPINNING = "while True: pass"

START_BAR, COLD_BAR, GAP_BAR_S, SHARE_BAR_S, MEMORY_BAR = 1.5, 1.3, 0.1, 0.002, 400e6
SERVED_BAR_S, STILL_BAR_S, COMPILED_BAR = 5.0, 0.5, 3.0
ASKED_WATCH_S, SPINNING_COUNT = 600.0, 2
WARMING_S, WATCH_S, COLD_WATCH_S, PRESS_S = 30.0, 25.0, 40.0, 5.0


def run(report: Report) -> None:
    """All figures, or only a note where Xvfb is missing."""
    if not shutil.which("Xvfb"):
        report.note("Not run: Xvfb is not installed.")
        return
    with display() as name, tempfile.TemporaryDirectory() as folder:
        bench = Bench(report, name, Path(folder))
        bench.first_picture()
        bench.cold()
        bench.asked()
        bench.warm()
        bench.python_share()


class Bench:
    """The measurements of one report."""

    def __init__(self, report: Report, display: str, folder: Path) -> None:
        self.report = report
        self.folder = folder
        hidden = ["WAYLAND_DISPLAY", "SDL_VIDEODRIVER", "PYOPENGL_PLATFORM", "NUMBA_CACHE_DIR", "LANDFALL_GL_CHECK"]
        # The bytecode of our modules is kept, as that of the packages is.
        hidden.append("PYTHONDONTWRITEBYTECODE")
        self.environment = {name: value for name, value in os.environ.items() if name not in hidden}
        self.environment |= {"DISPLAY": display, "PYGAME_HIDE_SUPPORT_PROMPT": "1", "NUMBA_CACHE_DIR": str(folder / "warm")}

    def watched(self, *words: object, **more: str) -> dict:
        """What `watched.py` prints, and `spawned`, the monotonic time just before its process was started."""
        spawned = time.monotonic()
        command = [sys.executable, WATCHED, *map(str, words)]
        done = subprocess.run(command, cwd=ROOT, env=self.environment | more, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"{' '.join(map(str, words))}: {done.stderr}")
        return json.loads(done.stdout.splitlines()[-1]) | {"spawned": spawned}

    def first_picture(self) -> None:
        """Warm: bytecode, kernels and shaders are in their caches, as after the first minute of use."""
        self.watched("frames", WARMING_S, 0)

        def until_shown(verb: str) -> Clocked:
            def call() -> float:
                seen = self.watched(verb)
                return seen["at"] - seen["spawned"]

            return Clocked(call)

        names = {"landfall": "first", "bare": "bare", "bare without numba": "bare-without-numba"}
        times = interleave({name: until_shown(verb) for name, verb in names.items()}, self.report.rounds(15))
        for other, bar in (("bare", START_BAR), ("bare without numba", None)):
            share = 1 / ratio(times, "landfall", other)
            medians = ", ".join(f"{name} {format_seconds(statistics.median(times[name]))}" for name in ("landfall", other))
            limit = f"at most {bar:g}x" if bar else ""
            self.report.figure(
                "process start to first picture, warm", f"{medians}: **{share:.2f}x**", limit, share <= (bar or 9)
            )
        self.report.note("'bare' imports pygame, PyOpenGL, numpy and numba, opens the window and swaps once.")

    def cold(self) -> None:
        """With an empty kernel cache: the gaps between frames, and the time until the first world grows."""
        shares, seen = [], {}
        for number in range(self.report.rounds(3)):
            cache = self.folder / f"cold{number}"
            seen = self.watched("frames", COLD_WATCH_S, 0, NUMBA_CACHE_DIR=str(cache))
            bare = self._fill_cache(f"bare{number}")
            if seen["growing"] is not None:
                shares.append(((seen["growing"] - seen["spawned"]), bare))
            self._gaps("cold, 640x360", seen["gaps"])
        if not shares:
            self.report.figure(
                "cold: the first world grows", f"not within {COLD_WATCH_S:g} s", f"at most {COLD_BAR}x", False
            )
            return
        ours, bare = (statistics.median(column) for column in zip(*shares, strict=True))
        share = statistics.median(a / b for a, b in shares)
        value = f"landfall {format_seconds(ours)}, bare script {format_seconds(bare)}: **{share:.2f}x**"
        self.report.figure("cold: the first world grows", value, f"at most {COLD_BAR}x", share <= COLD_BAR)
        self.report.note("The bare script imports numba and runs the first scene's kernels once, also with an empty cache.")

    def asked(self) -> None:
        """With empty caches, beside spinning processes: a scene that is not compiled, and one that is after it."""
        self._fill_cache("alone")
        alone = self._fill_cache("alone", "map")
        spinning = [subprocess.Popen([sys.executable, "-c", SPINNING]) for _ in range(SPINNING_COUNT)]
        try:
            compiled, served = self._wishes(6), self._wishes(6, 1)
        finally:
            for process in spinning:
                process.kill()
                process.wait()
        for what, seconds, bar_s in (
            ("a compiled scene, asked for after one that is not", served["came"], SERVED_BAR_S),
            ("the longest time that a birth stood still", max(compiled["still"], served["still"]), STILL_BAR_S),
            ("a scene that is not compiled", compiled["came"], COMPILED_BAR * alone),
        ):
            value = "never" if seconds is None else f"**{format_seconds(seconds)}**"
            bar = f"at most {format_seconds(bar_s)}"
            self.report.figure(f"first run: {what}", value, bar, seconds is not None and seconds <= bar_s)
        self.report.note(
            f"First run: empty caches, {SPINNING_COUNT} spinning processes, plasma first; keys 6 and 1 within 3 s, "
            f"or 6 alone, whose scene's kernels take {format_seconds(alone)} alone: the bar is {COMPILED_BAR:g} times that."
        )

    def _wishes(self, *scenes: int) -> dict:
        """What becomes of wishes for these scenes, with caches of their own."""
        name = "-".join(map(str, ("asked", *scenes)))
        caches = {"NUMBA_CACHE_DIR": str(self.folder / name), "MESA_SHADER_CACHE_DIR": str(self.folder / f"{name}-shaders")}
        return self.watched("asked", ASKED_WATCH_S, *scenes, **caches)

    def warm(self) -> None:
        """While the worker grows one world after another."""
        seen = self.watched("frames", WATCH_S, PRESS_S)
        self._gaps(f"a new world every {PRESS_S:g} s, 640x360", seen["gaps"])
        for key, what in (("resident", "resident memory"), ("highest", "resident memory at its highest")):
            if key in seen:
                value = f"{seen[key] / 1e6:.0f} MB"
                self.report.figure(what, value, f"under {MEMORY_BAR / 1e6:.0f} MB", seen[key] < MEMORY_BAR)

    def python_share(self) -> None:
        """With Mesa's driver that draws nothing, a frame is Python's work and a little of Mesa's front end."""
        for what, press in (("flying", 0.0), ("with a worker that grows worlds", PRESS_S)):
            own = sorted(self.watched("frames", WATCH_S, press, GALLIUM_NOOP="1")["own"])
            median, most = statistics.median(own), own[int(0.95 * len(own))]
            value = f"median **{format_seconds(median)}**, 95 % under {format_seconds(most)}"
            self.report.figure(f"update and draw, null driver, {what}", value, "median under 2 ms", median < SHARE_BAR_S)

    def _gaps(self, what: str, gaps: Sequence[float]) -> None:
        ordered = sorted(gaps)
        median, most = statistics.median(ordered), ordered[int(0.99 * len(ordered))]
        value = f"largest **{1e3 * ordered[-1]:.0f} ms**, 99 % under {1e3 * most:.0f} ms, median {1e3 * median:.1f} ms"
        limit = f"at most {1e3 * GAP_BAR_S:.0f} ms"
        self.report.figure(f"gap between frames, {what}", value, limit, ordered[-1] <= GAP_BAR_S)

    def _fill_cache(self, name: str, scene: str = "plasma") -> float:
        """Seconds that a bare script takes to compile a scene's kernels into the cache folder `name`."""
        start = time.monotonic()
        where = self.environment | {"NUMBA_CACHE_DIR": str(self.folder / name)}
        subprocess.run(
            [sys.executable, "-c", BARE_KERNELS.format(scene)], cwd=ROOT, env=where, check=True, capture_output=True
        )
        return time.monotonic() - start
