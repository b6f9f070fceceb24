"""How sharp live pictures are without a GPU: each is compared with the still of the same moment and quality, drawn in full.

Each scene runs in its own process, `python -m benchmarks.sharpness SCENE WIDTH HEIGHT MOMENTS`, which draws the stills
first. Then the live show rests at each moment until its pace has settled, and its last pictures count. After that it is held
on the last rung with all effects: that does not go by how busy the machine is. Fine detail is what a copy of half the size
loses; what of it is found again is its amplitude along that of the still.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

from benchmarks.colours import mean_difference
from benchmarks.harness import Report

ROOT = Path(__file__).resolve().parents[1]
SIZE, SMALL_SIZE = (1280, 720), (640, 360)
SEED, QUALITY, BEST = 501, "software", "high"
# Of the flight, where moments lie; a quick run has the first one alone.
SHARES = 0.10, 0.45, 0.80
# Seconds that the pace has to settle, and those after them that count; at least so many pictures in each.
SETTLING_S, STEADY_S, LEAST = 3.0, 1.0, 12
SIMILAR, LEAST_SIMILAR, FOUND_AGAIN, RATE = 0.95, 0.88, 0.35, 30.0
# CIEDE2000 between the stills of both qualities.
APART = 4.0
# Of the window of the structural similarity: Z. Wang et al., "Image Quality Assessment: From Error Visibility to Structural
# Similarity", 2004.
DEVIATION, REACH = 1.5, 5


def run(report: Report) -> None:
    """A row for each scene, and the medians and the worst of all moments against their bars."""
    from demo.scenes.scenes import ROTATION

    size, seen = SMALL_SIZE if report.quick else SIZE, []
    for name in ROTATION:
        words = [name, *map(str, size), str(min(report.rounds(len(SHARES)), len(SHARES)))]
        command = [sys.executable, "-m", "benchmarks.sharpness", *words]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
        moments = json.loads(done.stdout.splitlines()[-1])
        report.figure(name, "; ".join(map(_told, moments)))
        seen += moments
    similar, found, rates, apart = ([moment[key] for moment in seen] for key in ("similar", "found", "rate", "apart"))
    for what, value, bar in (
        ("structural similarity, median", statistics.median(similar), SIMILAR),
        ("structural similarity, worst", min(similar), LEAST_SIMILAR),
        ("fine detail found again, median", statistics.median(found), FOUND_AGAIN),
        ("frames a second, median", statistics.median(rates), RATE),
    ):
        report.figure(what, f"**{value:.3g}**", f"at least {bar:g}", value >= bar)
    report.figure("frames a second, slowest moment", f"{min(rates):.0f}")
    similar, found, busy = ([moment[key] for moment in seen] for key in ("held_similar", "held_found", "held_ms"))
    for what, value in (
        ("held: structural similarity, median", statistics.median(similar)),
        ("held: structural similarity, worst", min(similar)),
        ("held: fine detail found again, median", statistics.median(found)),
    ):
        report.figure(what, f"{value:.3g}")
    report.figure("held: processor time a picture, median", f"{statistics.median(busy):.0f} ms")
    value = statistics.median(apart)
    report.figure(f"colours of {QUALITY} and {BEST}, median", f"**{value:.2f}**", f"under {APART:g}", value < APART)
    report.note(
        f"{size[0]}x{size[1]}, quality {QUALITY}. Moments: similarity / detail found again, rate at scale; then held: drawn"
        " at the smallest scale with all effects, in no hurry. Colours: CIEDE2000 between full stills."
    )


def _told(moment: dict[str, float]) -> str:
    live = f"{moment['similar']:.3f} / {moment['found']:.2f}, {moment['rate']:.0f} at {moment['scale']:.2f}"
    return f"{live}, held {moment['held_similar']:.3f} / {moment['held_found']:.2f}"


# --- comparing pictures ------------------------------------------------------------------------------------------------


def grey(picture: np.ndarray) -> np.ndarray:
    """A picture, uint8 (height, width, 3), as float32 (height, width) in 0..255."""
    return picture.astype(np.float32) @ np.array([0.299, 0.587, 0.114], np.float32)


def similarity(a: np.ndarray, b: np.ndarray) -> float:
    """The mean structural similarity of two grey pictures, up to 1."""
    mean_a, mean_b = _smoothed(a), _smoothed(b)
    var_a, var_b = _smoothed(a * a) - mean_a**2, _smoothed(b * b) - mean_b**2
    both = _smoothed(a * b) - mean_a * mean_b
    c1, c2 = (0.01 * 255.0) ** 2, (0.03 * 255.0) ** 2
    top = (2.0 * mean_a * mean_b + c1) * (2.0 * both + c2)
    return float((top / ((mean_a**2 + mean_b**2 + c1) * (var_a + var_b + c2))).mean())


def found_again(live: np.ndarray, full: np.ndarray) -> float:
    """How much of the fine detail of a grey picture another one has."""
    mine, theirs = _fine(live), _fine(full)
    return float((mine * theirs).sum() / max((theirs * theirs).sum(), 1e-9))


def _smoothed(picture: np.ndarray) -> np.ndarray:
    weights = np.exp(-0.5 * (np.arange(-REACH, REACH + 1) / DEVIATION) ** 2)
    weights = (weights / weights.sum()).astype(np.float32)
    rows, columns = (n - 2 * REACH for n in picture.shape)
    picture = sum(weight * picture[k : k + rows] for k, weight in enumerate(weights))
    return sum(weight * picture[:, k : k + columns] for k, weight in enumerate(weights))


def _fine(picture: np.ndarray) -> np.ndarray:
    """What a copy of half the size, enlarged again, lacks."""
    height, width = (n // 2 * 2 for n in picture.shape)
    picture = picture[:height, :width]
    half = picture.reshape(height // 2, 2, width // 2, 2).mean(axis=(1, 3))
    return picture - _doubled(_doubled(half).T).T


def _doubled(picture: np.ndarray) -> np.ndarray:
    """Twice as many rows, blended between neighbours."""
    padded = np.concatenate([picture[:1], picture, picture[-1:]])
    rows = np.stack([0.75 * picture + 0.25 * padded[:-2], 0.75 * picture + 0.25 * padded[2:]], axis=1)
    return rows.reshape(2 * len(picture), -1)


# --- the child ---------------------------------------------------------------------------------------------------------


def _child(name: str, size: tuple[int, int], count: int) -> None:
    from demo.process import environment

    environment.prepare()
    from demo.hosts import offscreen
    from demo.scenes.scenes import SCENES

    scene = SCENES[name]
    moments = [scene.birth_s + share * scene.flight_s for share in SHARES[:count]]
    with offscreen.context(size):
        best = [show.read() for show in _at(name, size, moments, paced=False, quality=BEST)]
        stills = [show.read() for show in _at(name, size, moments, paced=False)]
        apart = [mean_difference(*both) for both in zip(best, stills, strict=True)]
        live = zip(_at(name, size, moments, paced=True), stills, strict=True)
        seen = [_live(show, grey(still)) | _held(show, grey(still)) for show, still in live]
    print(json.dumps([{**moment, "apart": one} for moment, one in zip(seen, apart, strict=True)]))


def _at(name: str, size: tuple[int, int], moments: list[float], paced: bool, quality: str = QUALITY):
    """A show, at one moment after the other."""
    from demo.show.options import ShowOptions
    from demo.show.show import Show

    show = Show(ShowOptions(scene=name, seed=SEED, hold=True, caption=False, paced=paced, quality=quality), *size)
    try:
        for moment in moments:
            show.seek(moment)
            yield show
    finally:
        show.close()


def _live(show, still: np.ndarray) -> dict[str, float]:
    _rest(show, SETTLING_S)
    times, drawn = _rest(show, STEADY_S)
    picture = grey(show.read())
    found = {"similar": similarity(picture, still), "found": found_again(picture, still)}
    return {**found, "rate": 1.0 / statistics.median(times), "scale": drawn.scale}


def _held(show, still: np.ndarray) -> dict[str, float]:
    """The same moment drawn on one rung, whatever that takes."""
    painter, pace = show._painter, show._painter._pace
    painter._pace = _Held()
    try:
        _rest(show, 0.0)
        begun = time.process_time()
        times, _ = _rest(show, 0.0)
        busy = 1e3 * (time.process_time() - begun) / len(times)
        picture = grey(show.read())
    finally:
        painter._pace = pace
    return {"held_similar": similarity(picture, still), "held_found": found_again(picture, still), "held_ms": busy}


class _Held:
    """A pace that stays on the last rung of the ladder that has all effects."""

    def __init__(self) -> None:
        from demo.show.pace import RUNGS

        self.rung = [rung for rung in RUNGS if rung.effects][-1]


def _rest(show, seconds: float) -> tuple[list[float], object]:
    """Draw the same moment for a while: (seconds of each picture, what the last one was drawn with)."""
    times: list[float] = []
    while sum(times) < seconds or len(times) < LEAST:
        begun = time.perf_counter()
        show.update(0.0)
        drawn = show.draw()
        times.append(time.perf_counter() - begun)
    return times, drawn


if __name__ == "__main__":
    _child(sys.argv[1], (int(sys.argv[2]), int(sys.argv[3])), int(sys.argv[4]))
