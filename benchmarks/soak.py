"""A soak: many worlds one after another in the real show, with every scene, key and size, and what must not grow meanwhile.

The show runs in a process of its own without a display: `python -m benchmarks.soak WORLDS [small]` prints a line of JSON
for each round; `small`: the worlds of the tests in small pictures and on plain flights, with nothing compiled ahead, in few
frames, and none while a world that was asked for is prepared. A round visits all scenes in all sizes, presses every key
that does not end the show, and ends where it began: in the first scene, in the first size, in the natural look. So all
rounds should end with the same objects, but for programs. A frame lasts a tenth of a second for the show however quickly
it was drawn, and the next world is asked for early: that makes stories short.
"""

from __future__ import annotations

import gc
import json
import os
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.harness import Report

if TYPE_CHECKING:
    from demo.show.show import Show
    from demo.story.worker import Worker

ROOT = Path(__file__).resolve().parents[1]
# About half an hour on two cores.
WORLDS, QUICK_WORLDS = 500, 40
SEED = 1
SIZES = ((640, 360), (960, 540), (160, 90))
SMALL_SIZES = ((128, 72), (192, 108), (96, 54))
# Seconds of the show that a frame lasts.
FRAME_S, SMALL_FRAME_S = 0.1, 0.25
# Seconds of a world that are looked at between two keys, and after its birth where that is waited for.
LOOK_S, FLIGHT_S = 0.5, 8.0
# Of the clock, after a frame of a small soak that waits for the worker: drawn at once, the next one takes time from it.
PAUSE_S = 0.05
# Of the clock, without which a world that never comes would be waited for.
PATIENCE_S = 240.0
# Keys that are pressed in turn, each group in a world of its own; after a group all is as it was.
KEYS: tuple[tuple[str, ...], ...] = (
    ("look", "look", "look"),
    ("normals", "wireframe", "normals", "wireframe"),
    ("free_camera", "forward", "left", "backward", "right", "up", "down", "free_camera"),
    ("help", "figures", "still", "keep", "help", "figures"),
    ("look", "normals", "look", "normals", "look"),
    ("borders", "pause", "pause", "borders", "slower", "faster"),
    # A step pauses.
    ("run_back", "run_on", "step_back", "step_on", "pause"),
)
# Other ways to ask for a world than by its number.
WAYS = ("new_world", "next_scene", "previous_scene")
KINDS = ("Texture", "Buffer", "Framebuffer", "Renderbuffer", "VertexArray", "Program", "Shader")
# Of those, the kinds of which no round may leave more than the first. Idle programs go by the clock, and have a bar of their
# own.
LASTING = tuple(kind for kind in KINDS if kind != "Program")
PROGRAMS_BAR, PEAK_BAR, GROWTH_BAR = 40, 440e6, 0.02
GAP_BAR_S, LONGEST_BAR_S, GAP_SHARE = 0.1, 0.3, 0.001


def run(report: Report) -> None:
    """One row for each bar. An interrupted run is judged by what was seen until then."""
    command = [sys.executable, "-m", "benchmarks.soak", str(report.asked or (QUICK_WORLDS if report.quick else WORLDS))]
    rounds: list[dict[str, Any]] = []
    child = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    try:
        for line in child.stdout or ():
            rounds.append(json.loads(line))
            print("  " + progress(rounds[-1]), flush=True)
    except KeyboardInterrupt:
        report.note("Interrupted.")
    finally:
        child.kill()
        failed = child.wait() not in (0, -9)
    if failed:
        raise RuntimeError("the soak ended with an error")
    if len(rounds) < 2:
        report.note("Fewer than two rounds: nothing can be compared.")
        return
    _judge(report, rounds)


def progress(seen: dict[str, Any]) -> str:
    """A round in one line."""
    objects = sum(seen["objects"].values())
    last, (gap, cause) = seen["memory"][-1], max(seen["gaps"])
    return (
        f"{seen['worlds']:>4} worlds, {seen['seconds']:.0f} s: {seen['objects']['Program']} programs, {objects} GL objects, "
        f"{last[0] / 1e6:.0f} MB resident, {last[1] / 1e6:.0f} anonymous, peak {seen['peak'] / 1e6:.0f}, "
        f"{seen['threads']} threads, {seen['files']} files, longest gap {1e3 * gap:.0f} ms, {cause}"
    )


def _judge(report: Report, rounds: list[dict[str, Any]]) -> None:
    first, second, last = rounds[0], rounds[1], rounds[-1]
    value = f"{last['worlds']} worlds of {len(last['scenes'])} scenes, {len(last['pressed'])} keys, {len(SIZES)} sizes"
    report.figure("seen", f"{value}, {last['seconds'] / 60:.0f} min")
    grown = {kind: seen["objects"][kind] - first["objects"][kind] for seen in rounds[1:] for kind in LASTING}
    more = {kind: count for kind, count in grown.items() if count > 0}
    value = ", ".join(f"{count} {kind.lower()}s" for kind, count in second["objects"].items() if count)
    report.figure("GL objects after each round", value, "no more than after the first", not more)
    most = max(seen["programs"] for seen in rounds)
    report.figure("programs alive at a time", f"{most}", f"at most {PROGRAMS_BAR}", most <= PROGRAMS_BAR)
    judge_memory(report, [sample for seen in rounds for sample in seen["memory"]], last["peak"])
    for what in ("threads", "files"):
        value = f"{first[what]} after the first round, {last[what]} after the last"
        report.figure(what, value, "no more", last[what] <= first[what])
    _gaps(report, [tuple(gap) for seen in rounds for gap in seen["gaps"]], sum(seen["frames"] for seen in rounds))


def quarters(samples: list[float]) -> list[float]:
    """The medians of the four quarters of a run."""
    length = max(len(samples) // 4, 1)
    return [statistics.median(samples[k * length : (k + 1) * length]) for k in range(4)]


def judge_memory(report: Report, samples: list[list[float]], peak: float) -> None:
    resident, anonymous = (quarters(list(column)) for column in zip(*samples, strict=True))
    for what, by_quarter, bar in (("resident", resident, None), ("anonymous", anonymous, GROWTH_BAR)):
        value = " / ".join(f"{size / 1e6:.0f}" for size in by_quarter) + " MB"
        growth = by_quarter[3] / by_quarter[1] - 1.0
        value += f", last against second **{100.0 * growth:+.1f} %**"
        met = bar is None or growth <= bar
        report.figure(f"{what} memory by quarter", value, f"at most {100.0 * bar:+.0f} %" if bar else "", met)
    report.figure("peak resident memory", f"{peak / 1e6:.0f} MB", f"under {PEAK_BAR / 1e6:.0f} MB", peak < PEAK_BAR)


def _gaps(report: Report, gaps: list[tuple[float, str]], frames: int) -> None:
    long = [gap for gap, _ in gaps if gap > GAP_BAR_S]
    longest = max(gaps, default=(0.0, "drawing"))
    value = f"{len(long)} of {frames:,} over {1e3 * GAP_BAR_S:.0f} ms"
    limit = f"at most {100.0 * GAP_SHARE:g} %"
    report.figure("gaps between frames", value, limit, len(long) <= GAP_SHARE * frames)
    value = f"{1e3 * longest[0]:.0f} ms, {longest[1]}"
    report.figure("longest gap", value, f"at most {1e3 * LONGEST_BAR_S:.0f} ms", longest[0] <= LONGEST_BAR_S)
    causes = Counter(cause for gap, cause in gaps if gap > GAP_BAR_S)
    report.note(
        "Gaps over 100 ms by what took most of them: " + (", ".join(f"{n} {c}" for c, n in causes.items()) or "none") + "."
    )


# --- the child ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Visit:
    """One world of a round: the action that asks for it, the picture's size, the keys, and whether its birth is watched."""

    ask: str
    size: tuple[int, int]
    keys: tuple[str, ...]
    to_flight: bool


def unpressed(scenes: int) -> set[str]:
    """The keys that are not pressed: those that end the show, are the window's, or ask for scenes that are not there."""
    return {"quit", "fullscreen", *(f"scene_{number}" for number in range(scenes + 1, 10))}


def visits(scenes: int, sizes: tuple[tuple[int, int], ...] = SIZES) -> list[Visit]:
    """The worlds of a round, of that many scenes, in all `sizes`."""
    found = []
    for number, size in enumerate(sizes):
        for scene in range(scenes):
            # Each scene is watched into its flight once in a round, in another size each.
            found.append(Visit(f"scene_{scene + 1}", size, KEYS[(scene + number) % len(KEYS)], scene % len(sizes) == number))
    found += [Visit(way, sizes[0], (), False) for way in WAYS]
    return [*found, Visit("scene_1", sizes[0], (), True)]


class Soak:
    """A show that is driven through rounds, and what was seen of it."""

    def __init__(self, show: Show, finish: Callable[[], None], small: bool, worker: Worker) -> None:
        """`finish` waits until everything is drawn; `worker`: the show's."""
        self.show, self._finish, self._worker = show, finish, worker
        self._small, self._frame_s = small, SMALL_FRAME_S if small else FRAME_S
        self.worlds = 0
        self.frames = 0
        self.scenes: set[str] = set()
        self.pressed: set[str] = set()
        self.gaps: list[tuple[float, str]] = []
        self.memory: list[tuple[float, float]] = []
        self.programs = 0
        self.clock = Causes()
        self._ended = time.perf_counter()

    def frame(self) -> None:
        """One frame, and how long it took."""
        from demo.render.gl import living_programs

        self.show.update(self._frame_s)
        self.show.draw()
        self._finish()
        if self.show.wants_still:
            self.show.wants_still = False
            self.show.read()
        now = time.perf_counter()
        self.frames += 1
        self.programs = max(self.programs, living_programs.count())
        self.gaps.append((now - self._ended, self.clock.cause(now - self._ended)))
        self._ended = now

    def until(self, ready: Callable[[], bool]) -> None:
        """Frames until something is so; fails when that takes too long."""
        ends = time.monotonic() + PATIENCE_S
        while not ready():
            if time.monotonic() > ends:
                raise RuntimeError(f"waited {PATIENCE_S:.0f} s in vain")
            before = self._passed_s()
            self.frame()
            if self._small and self._waits(before):
                time.sleep(PAUSE_S)

    def _passed_s(self) -> float:
        story = self._current()
        return story.t if story else 0.0

    def _waits(self, before_s: float) -> bool:
        """Whether the world in the picture stands where it stood, or the one that was asked for is not prepared."""
        shot = self.show.shot()
        late = shot.coming is not None and not shot.melt and shot.coming.prepared is None
        return late or self._passed_s() == before_s

    def start_anew(self) -> None:
        """Forget frames, gaps and memory: those of the next round are counted by themselves."""
        self.frames = self.programs = 0
        self.gaps, self.memory = [], []
        self._ended = time.perf_counter()

    def watch(self, seconds: float) -> None:
        """Seconds of the show."""
        for _ in range(round(seconds / self._frame_s)):
            self.frame()

    def press(self, key: str) -> None:
        """One key, down and up."""
        self.pressed.add(key)
        self.show.act(key)
        self.watch(LOOK_S)
        self.show.act(key, False)

    def visit(self, visit: Visit) -> None:
        """Ask for a world, see it come, press its keys."""
        self.show.resize(*visit.size)
        self.pressed.add(visit.ask)
        self._melt_into(visit.ask)
        story = self._current()
        self.scenes.add(story.scene.name)
        for key in visit.keys:
            self.press(key)
        if visit.to_flight:
            self._to_flight(story)
        self.worlds += 1
        self.memory.append(memory())

    def _wait_for(self, story: Any) -> None:
        """Until a story that was asked for can begin, or has failed."""
        if story:
            self._worker.wait_until(lambda: story.prepared is not None or story.failure is not None)

    def _melt_into(self, ask: str) -> None:
        """Ask for a world, and see the present one go: who still held it here would count it with those that follow."""
        before = self._current()
        self.show.act(ask)
        if self._small:
            self._wait_for(self.show.shot().coming)
        self.until(lambda: self._current() is not before and self.show.shot().melt is None)

    def _to_flight(self, story: Any) -> None:
        for _ in range(3):
            self.press("faster")
        self.until(lambda: story.t >= story.scene.birth_s + FLIGHT_S or self._current() is not story)
        for _ in range(3):
            self.press("slower")

    def _current(self) -> Any:
        return self.show.shot().current


class Causes:
    """Which of some kinds of work took most of a frame: calls of the program are timed from outside."""

    def __init__(self) -> None:
        from demo.render import tiles
        from demo.render.gl import programs, textures
        from demo.show import rehearsal, stage

        self._seconds: Counter[str] = Counter()
        self._watch(rehearsal.Rehearsal, "draw", "compile")
        self._watch(programs.Program, "__init__", "compile")
        self._watch(stage.Stage, "receive", "upload")
        self._watch(stage.Stage, "upload", "upload")
        self._watch(textures.Texture, "upload", "upload")
        self._watch(tiles.Tiles, "make", "tile")
        gc.callbacks.append(self._collected)

    def _watch(self, owner: type, name: str, cause: str) -> None:
        original = getattr(owner, name)

        def watched(*words: object, **named: object) -> object:
            began = time.perf_counter()
            try:
                return original(*words, **named)
            finally:
                self._seconds[cause] += time.perf_counter() - began

        setattr(owner, name, watched)

    def _collected(self, phase: str, about: dict[str, int]) -> None:
        self._seconds["collection"] += time.perf_counter() * (1.0 if phase == "stop" else -1.0)

    def cause(self, frame_s: float) -> str:
        """What took most of the frame that ends now: the rest of it is drawing and waiting for the processor."""
        self._seconds["drawing"] = frame_s - sum(self._seconds.values())
        [(cause, _)] = self._seconds.most_common(1)
        self._seconds.clear()
        return cause


def objects() -> dict[str, int]:
    """Living OpenGL objects by kind."""
    # The program in use would count as alive after its end.
    from demo.render.gl import gl_context
    from demo.render.gl import opengl as GL

    gl_context.finish()
    found = {}
    for kind in KINDS:
        of_shaders = kind in ("Program", "Shader")
        top = GL.glCreateProgram() if of_shaders else getattr(GL, f"glGen{kind}s")(1)[0]
        GL.glDeleteProgram(top) if of_shaders else getattr(GL, f"glDelete{kind}s")(1, [top])
        alive = getattr(GL, f"glIs{kind}")
        found[kind] = sum(bool(alive(name)) for name in range(1, top))
    return found


def memory() -> tuple[float, float]:
    """Resident and anonymous bytes of this process."""
    rows = dict(line.split(":", 1) for line in Path("/proc/self/smaps_rollup").read_text().splitlines()[1:])
    return tuple(float(rows[name].split()[0]) * 1024 for name in ("Rss", "Anonymous"))


def peak() -> float:
    """The highest resident bytes of this process so far."""
    rows = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    return float(rows["VmHWM"].split()[0]) * 1024


def _child(worlds: int, small: bool) -> None:
    """Prints a line for each round, until there were so many worlds."""
    from demo.process import environment

    environment.prepare()
    from demo.hosts import offscreen
    from demo.process.compiler import Compiler
    from demo.scenes.scenes import ROTATION
    from demo.show.options import ShowOptions

    sizes = SMALL_SIZES if small else SIZES
    compiler = Compiler(None if small else "demo.app.precompile")
    with offscreen.context(sizes[0]):
        from demo.render.gl import gl_context
        from demo.show.show import Show
        from demo.story.worker import Worker

        options = ShowOptions(scene=ROTATION[0], seed=SEED, parameters=_small_worlds() if small else {})
        hired: list[Worker] = []

        def hire(*words: Any) -> Worker:
            hired.append(Worker(*words))
            return hired[-1]

        show = Show(options, *sizes[0], compiler, hire)
        try:
            show.update(0.0)
            soak = Soak(show, gl_context.finish, small, hired[0])
            soak.until(lambda: show.shot().current is not None)
            while compiler.busy:
                time.sleep(0.1)
            soak.start_anew()
            began = time.monotonic()
            for seen in _rounds(soak, worlds, visits(len(ROTATION), sizes)):
                print(json.dumps({"seconds": time.monotonic() - began, **seen}), flush=True)
        finally:
            show.close()


def _small_worlds() -> dict[str, dict[str, Any]]:
    """Parameters of the worlds of the tests, by scene; their flights are plain from now on."""
    sys.path.insert(0, str(ROOT / "tests"))
    from support.plain_flights import make_plain
    from support.showing import SMALL

    from demo.scenes.scenes import ROTATION

    make_plain(setattr)
    return {name: SMALL[name] for name in ROTATION}


def _rounds(soak: Soak, worlds: int, round_: list[Visit]) -> Iterator[dict[str, Any]]:
    while soak.worlds < worlds:
        for visit in round_:
            soak.visit(visit)
        yield {
            "worlds": soak.worlds,
            "frames": soak.frames,
            "scenes": sorted(soak.scenes),
            "pressed": sorted(soak.pressed),
            "objects": objects(),
            "programs": soak.programs,
            "threads": len(os.listdir("/proc/self/task")),
            "files": len(os.listdir("/proc/self/fd")),
            "memory": soak.memory,
            "peak": peak(),
            "gaps": soak.gaps,
        }
        soak.start_anew()


if __name__ == "__main__":
    _child(int(sys.argv[1]), "small" in sys.argv)
