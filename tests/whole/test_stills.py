"""Stills of every scene against golden pictures, on the software renderer on which those were drawn.

`pytest tests/whole/test_stills.py --regenerate` draws them anew: after a change that is meant to be seen, and seen to be
good.
A golden picture is kept in 32 levels a channel, which makes it a third of its size and costs at most 4 of 255.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from support.showing import difference, picture, showing, sized

from demo.hosts import offscreen
from demo.scenes.scenes import ROTATION, SCENES

pytestmark = pytest.mark.usefixtures("shared_worlds")

FOLDER = Path(__file__).parents[1] / "golden" / "stills"
SIZE = (256, 144)
SEED = 1
LEVEL = 8
# Mean of the differences, and share of the pixels that differ by more than 24; the levels alone make 2 and 0.
MEAN, SHARE = 4.0, 0.02
MOST_BYTES = 750_000
_WORLD = {"cells": 128, "gn": 6, "ln": 1, "particles": 20_000}

# Name, look, quality, and the moment: in the birth (share of it) or after it (seconds). `software` is what everybody without
# a GPU sees.
MOMENTS = {
    "birth": ("natural", "high", lambda scene: 0.5 * scene.birth_s),
    "printed": ("as-printed", "high", lambda scene: scene.birth_s),
    "flight": ("natural", "high", lambda scene: scene.birth_s + 12.0),
    "software": ("natural", "software", lambda scene: scene.birth_s + 5.0),
}
CASES = [(scene, moment) for scene in SCENES for moment in MOMENTS]


PARAMETERS = {scene: sized(scene, _WORLD) for scene in SCENES}
PLAYED = {scene: PARAMETERS[scene] for scene in ROTATION}


@pytest.fixture(scope="module", autouse=True)
def renderer():
    """The name of the renderer; skips where the golden pictures are those of another."""
    with offscreen.context(SIZE):
        from demo.render.gl import gl_context

        name = gl_context.describe()["renderer"]
        if "llvmpipe" not in name:
            pytest.skip(f"the golden pictures were drawn by llvmpipe, not by {name}")
        yield name


def compare(name: str, image: np.ndarray, regenerate: bool) -> None:
    """Compare with the golden picture `name`, or write it."""
    path = FOLDER / f"{name}.png"
    if regenerate:
        FOLDER.mkdir(parents=True, exist_ok=True)
        Image.fromarray(image // LEVEL * LEVEL + LEVEL // 2).save(path, optimize=True)
        return
    assert path.exists(), f"no golden picture {path.name}: run pytest {Path(__file__).name} --regenerate"
    mean, share = difference(image, np.asarray(Image.open(path).convert("RGB")))
    assert mean < MEAN and share < SHARE, f"{name}: mean difference {mean:.2f}, {share:.1%} of the pixels differ plainly"


@pytest.mark.parametrize("scene, moment", CASES, ids=["-".join(case) for case in CASES])
def test_stills_are_the_golden_ones(scene, moment, regenerate):
    look, quality, time = MOMENTS[moment]
    with showing(SIZE, scene=scene, seed=SEED, look=look, quality=quality, hold=True, parameters=PARAMETERS) as show:
        show.seek(time(SCENES[scene]))
        compare(f"{scene}-{moment}", picture(show), regenerate)


def test_a_melt_is_the_golden_one(regenerate):
    first = SCENES[next(iter(SCENES))]
    with showing(SIZE, scene=first.name, seed=SEED, parameters=PLAYED) as show:
        show.seek(first.birth_s + first.flight_s - 1.6)
        assert show.shot().melt
        compare("melt", picture(show), regenerate)


def test_no_golden_picture_is_left_over_and_all_are_small(regenerate):
    wanted = {f"{scene}-{moment}" for scene, moment in CASES} | {"melt"}
    for path in FOLDER.glob("*.png"):
        if path.stem not in wanted:
            assert regenerate, f"{path.name} is compared with nothing: --regenerate drops it"
            path.unlink()
    assert sum(path.stat().st_size for path in FOLDER.glob("*.png")) < MOST_BYTES


def test_a_wrong_picture_is_told_from_a_right_one():
    """The tolerance is small: another seed, a shift by two pixels and a missing caption are all seen."""
    with showing(SIZE, scene="plasma", seed=SEED, hold=True, parameters=PARAMETERS) as show:
        show.seek(MOMENTS["birth"][-1](SCENES["plasma"]))
        right = picture(show)
    for wrong in (right[:, ::-1], np.roll(right, 2, axis=1), np.minimum(right.astype(int) + 12, 255).astype(np.uint8)):
        mean, share = difference(right, wrong // LEVEL * LEVEL + LEVEL // 2)
        assert mean >= MEAN or share >= SHARE
    mean, share = difference(right, right // LEVEL * LEVEL + LEVEL // 2)
    assert mean < 2.5 and share == 0.0
