"""Python's share of a frame in every part of every scene's story: update and draw with a driver that draws nothing.

Each scene runs in its own process, `python -m benchmarks.shares SCENE`, which samples the story from birth to the end of
the flight while the worker grows worlds, as in the window. The scenes take turns, round after round, so that a machine that
is busy for a while affects all of them.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

from benchmarks.harness import Report, format_seconds

ROOT = Path(__file__).resolve().parents[1]
SIZE = (640, 360)
SEED = 1
# A sample every EVERY_S of a story: FRAMES of FRAME_S each, after SETTLING frames in which buffers are made.
EVERY_S, FRAMES, SETTLING, FRAME_S = 2.0, 40, 10, 1 / 60
# The longest wait for a picture of the growth.
PATIENCE_S = 60.0
ROUNDS = 5
BAR_S = 0.0015


def run(report: Report) -> None:
    """Two rows a scene, its birth and its flight; the slowest sample of each stands against the bar."""
    from demo.scenes.scenes import ROTATION, SCENES

    rounds = [{name: _measured(name) for name in ROTATION} for _ in range(report.rounds(ROUNDS))]
    for name in ROTATION:
        samples: dict[float, list[float]] = {}
        for of_round in rounds:
            for moment, times in of_round[name]:
                samples.setdefault(moment, []).extend(times)
        birth = {moment: times for moment, times in samples.items() if moment < SCENES[name].birth_s}
        _row(report, f"{name}, birth", birth)
        _row(report, f"{name}, flight", {moment: times for moment, times in samples.items() if moment not in birth})
    report.note(f"A sample is {FRAMES} consecutive frames; there is one every {EVERY_S:g} s of a story.")
    report.note("Processor time of the main thread at 640x360. It includes Mesa's front end, which the null driver keeps.")


def _row(report: Report, what: str, samples: dict[float, list[float]]) -> None:
    together = sorted(seconds for times in samples.values() for seconds in times)
    slowest = max(samples, key=lambda moment: statistics.median(samples[moment]))
    most = statistics.median(samples[slowest])
    value = f"median {format_seconds(statistics.median(together))}, 95 % under {format_seconds(_of(together, 0.95))}, "
    value += f"slowest sample **{format_seconds(most)}** (at {slowest:g} s)"
    report.figure(what, value, f"slowest sample under {format_seconds(BAR_S)}", most < BAR_S)


def _of(ordered: list[float], share: float) -> float:
    return ordered[min(int(share * len(ordered)), len(ordered) - 1)]


def _measured(name: str) -> list[tuple[float, list[float]]]:
    """(moment, seconds of each frame) of every sample of a scene's story."""
    command = [sys.executable, "-m", "benchmarks.shares", name]
    environment = os.environ | {"GALLIUM_NOOP": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


# --- the child ---------------------------------------------------------------------------------------------------------


def _child(name: str) -> None:
    from demo.process import environment

    environment.prepare()
    from demo.hosts import offscreen
    from demo.scenes.scenes import SCENES
    from demo.show.options import ShowOptions

    samples, moment = [], 0.0
    with offscreen.context(SIZE):
        from demo.show.show import Show

        show = Show(ShowOptions(scene=name, seed=SEED, hold=True), *SIZE)
        scene = SCENES[name]
        while moment < scene.birth_s + scene.flight_s:
            show.seek(max(moment, show.shot().clock))
            samples.append((moment, _frames(show)))
            moment += EVERY_S
        show.close()
    print(json.dumps(samples))


def _frames(show) -> list[float]:
    """Processor seconds of each frame."""
    times, frame, until = [], 0, time.monotonic() + PATIENCE_S
    while frame < SETTLING + FRAMES:
        before, start = show.shot().current.t, time.thread_time()
        show.update(FRAME_S)
        show.draw()
        spent = time.thread_time() - start
        if show.shot().current.t == before and time.monotonic() < until:
            # The story waits for its worker, as it need not at the pace of a window; and after a wait nothing is at hand.
            time.sleep(FRAME_S)
            show.draw()
            continue
        frame += 1
        if frame > SETTLING:
            times.append(spent)
    return times


if __name__ == "__main__":
    _child(sys.argv[1])
