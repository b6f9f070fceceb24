"""The picture in motion: nothing stands still for long, and nothing jumps, pops or flickers from frame to frame."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from support.showing import picture, showing

from demo.hosts import offscreen
from demo.scenes.scenes import ROTATION, SCENES

SIZE, BLOCK, REACH = (128, 72), 8, 4
STEP_S = 1.0 / 30.0
LONGEST_STILL_S, SAMPLE_S = 120.0, 8.0
# A place moves if it changes by more levels of 255 than this.
MOVED = 3.0
# Frames of a run. A block may change by LEVELS more than FACTOR times its change in the other frames of the run.
RUN, FACTOR, LEVELS = 8, 2.0, 8.0
# Work in progress leaps: a cut raises half a world, particles land, and at the end the ground gets its detail, which is
# much in worlds as small as these.
LEVELS_AT_WORK = 25.0


@pytest.fixture(scope="module", autouse=True)
def context():
    with offscreen.context(SIZE):
        yield


def unexplained(before: np.ndarray, after: np.ndarray) -> np.ndarray:
    """The least difference of each block from the blocks near its place in the picture before: float64 (rows, columns).

    The difference of two blocks is the mean over their pixels. A block that only moved by a few pixels is found again.
    """
    height, width = (side - side % BLOCK for side in after.shape[:2])
    old = np.pad(before.mean(axis=-1), REACH, mode="edge")
    new = after.mean(axis=-1)
    least = np.full((height // BLOCK, width // BLOCK), np.inf)
    for dy in range(2 * REACH + 1):
        for dx in range(2 * REACH + 1):
            apart = np.abs(new - old[dy : dy + new.shape[0], dx : dx + new.shape[1]])[:height, :width]
            apart = apart.reshape(height // BLOCK, BLOCK, width // BLOCK, BLOCK).mean(axis=(1, 3))
            np.minimum(least, apart, out=least)
    return least


def jump(frames: list[np.ndarray]) -> tuple[float, int]:
    """(the largest change of a block that the camera's motion does not explain, in levels; after which frame it comes).

    What changes about as much in every frame of a short run is no pop either: that is what a block with much detail does.
    """
    # Blocks at the rim are left out: what enters there was in no picture before.
    change = np.stack([unexplained(a, b)[1:-1, 1:-1] for a, b in itertools.pairwise(frames)])
    excess = change - FACTOR * np.median(change, axis=0)
    return float(excess.max()), int(excess.max(axis=(1, 2)).argmax())


def moments(name: str) -> list[float]:
    """The times at which something begins, ends or changes its pace, and others evenly over the rest; seconds."""
    scene = SCENES[name]
    begins = scene.birth[0][0]
    marked = [begins + 0.8, begins + 2.0, scene.birth_s, *(scene.cone or ())]
    spread = np.linspace(0.4, scene.birth_s + scene.flight_s - 1.0, 11)
    starts = sorted(max(float(moment) - 0.5 * RUN * STEP_S, 0.0) for moment in [*marked, *spread])
    return [start for k, start in enumerate(starts) if k == 0 or start > starts[k - 1] + RUN * STEP_S]


@pytest.mark.parametrize("name", SCENES)
def test_nothing_pops(name):
    with showing(SIZE, scene=name, seed=3, hold=True, caption=False) as show:
        for moment in moments(name):
            frames = []
            for number in range(RUN):
                show.seek(moment + number * STEP_S)
                frames.append(picture(show))
            excess, after = jump(frames)
            at_work = moment + RUN * STEP_S < SCENES[name].birth_s
            assert excess < (LEVELS_AT_WORK if at_work else LEVELS), (
                f"{name} at {moment + after * STEP_S:.2f} s: {excess:.0f} levels"
            )


def test_a_pop_would_be_seen():
    """A part of the picture that jumps once, and one that flickers, in an otherwise steady motion."""
    ramp = np.linspace(20.0, 200.0, SIZE[0])
    frames = [np.repeat(np.tile(ramp + 2.0 * k, (SIZE[1], 1))[..., None], 3, axis=2) for k in range(RUN)]
    assert jump(frames)[0] < 1.0
    popped = [frame.copy() for frame in frames]
    for frame in popped[4:]:
        frame[24:40, 64:80] += 20.0
    assert jump(popped)[0] > 5.0 and jump(popped)[1] == 3
    flickering = [frame.copy() for frame in frames]
    flickering[5][24:40, 64:80] += 30.0
    assert jump(flickering)[0] > 5.0


def test_no_place_stands_still_for_two_minutes():
    """Through all scenes and into the first again: stars, captions and space move or go."""
    total = sum(SCENES[name].birth_s + SCENES[name].flight_s for name in ROTATION) + LONGEST_STILL_S / 2
    times = np.arange(1.0, total, SAMPLE_S)
    with showing(SIZE, seed=2, quality="software") as show:
        seen = []
        for time in times:
            show.seek(float(time))
            frame = picture(show).astype(np.float64)
            seen.append(frame.reshape(SIZE[1] // 2, 2, SIZE[0] // 2, 2, 3).mean(axis=(1, 3)))
    window = int(LONGEST_STILL_S / SAMPLE_S)
    seen = np.stack(seen)
    assert len(seen) > window
    for first in range(len(seen) - window):
        part = seen[first : first + window + 1]
        still = (part.max(axis=0) - part.min(axis=0)).max(axis=-1) < MOVED
        assert not still.any(), f"{still.sum()} places stand still from {times[first]:.0f} s on"
