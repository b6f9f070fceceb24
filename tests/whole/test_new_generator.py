"""A new generator is one module and one row in each of two tables: a toy is added in a child process, grown and shown."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from support.program import PATIENCE_S, ROOT, environment

# What a contributor writes: the module of the generator, and a row in GENERATORS and in SCENES. The program itself follows.
GROWTH = '''
"""Waves: one sine after another, across a terrain."""

import numpy as np

from demo.worlds.atlas import PLANE
from demo.worlds.growth import Growth
from demo.worlds.hashing import uniforms
from demo.worlds.land_share import level_by_rank


class Waves(Growth):
    atlas = PLANE
    unit = "extent"

    def __init__(self, seed, cells, waves):
        super().__init__(seed, cells + 1)
        self.total = waves

    def _advance(self, to):
        line = np.linspace(0.0, 1.0, self.n)
        for wave in range(self.done, to):
            along, across, phase = uniforms(self.seed, wave, 3)
            height = np.sin(2.0 * np.pi * ((1 + 3 * along) * line[:, None] + (1 + 3 * across) * line[None, :] + phase))
            self.heights[0] += (0.02 * height / (1 + wave)).astype(np.float32)

    @property
    def sea_level(self):
        return level_by_rank(self.heights, 0.5)


def grow(seed, parameters):
    return Waves(seed, int(parameters["cells"]), int(parameters["waves"]))
'''
PROGRAM = """
import sys

from demo.process import environment

environment.prepare()
from demo.app import cli
from demo.catalogue.generator import Generator
from demo.catalogue.generators import GENERATORS
from demo.scenes.palettes import Printed
from demo.scenes.scene import Scene
from demo.scenes.scenes import SCENES
from demo.worlds.parameters import Parameter

GENERATORS["toy"] = Generator(
    name="toy",
    version=1,
    title="Toy waves",
    source="after nobody",
    work="waves",
    module="toy_waves",
    parameters=(
        Parameter("cells", 64, "cells along the edge", 1, 512),
        Parameter("waves", 8, "the count of waves", 1, 100),
    ),
)
SCENES["toy"] = Scene(
    name="toy",
    title=TITLE,
    atlas="plane",
    size_m=40_000.0,
    relief_m=3_000.0,
    birth=((0.0, 0), (5.0, "end")),
    flight_s=20.0,
    printed=Printed(low=(0.1, 0.3, 0.1), high=(0.8, 0.8, 0.7)),
)
sys.exit(cli.main(sys.argv[1:]))
"""
SIZE = (320, 180)


@pytest.fixture
def program(tmp_path):
    """Runs the program with the toy in its tables; it must succeed without a word of complaint."""
    (tmp_path / "toy_waves.py").write_text(GROWTH, encoding="utf-8")

    def run(*words: str, title: str = "Toy waves") -> str:
        script = tmp_path / "program.py"
        script.write_text(f"TITLE = {title!r}\n{PROGRAM}", encoding="utf-8")
        result = subprocess.run(
            [sys.executable, str(script), *words],
            cwd=tmp_path,
            env=environment(PYTHONPATH=str(ROOT)),
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
        )
        assert result.returncode == 0 and result.stderr == "", result
        return result.stdout

    return run


def read(path: Path) -> np.ndarray:
    with Image.open(path) as image:
        assert image.size == SIZE
        return np.asarray(image).astype(int)


def test_a_toy_generator_is_listed_and_grown(program, tmp_path):
    assert "toy: Toy waves" in program("scenes")
    program("grow", "toy", "toy.npz", "--seed", "5", "--set", "waves=3")
    with np.load(tmp_path / "toy.npz") as arrays:
        assert arrays["heights"].shape == (1, 65, 65) and float(arrays["heights"].std()) > 0.005
        assert str(arrays["code"]) == "toy-1-5-waves=3"


def test_a_toy_generator_is_shown(program, tmp_path):
    words = "--code", "toy-1-5-waves=3", "--time", "6", "--size", f"{SIZE[0]}x{SIZE[1]}", "--quality", "low"
    program("still", "a.png", "--scene", "toy", *words)
    program("still", "b.png", "--scene", "toy", *words, title="Another title")
    program("still", "c.png", "--scene", "toy", "--seed", "6", *words[2:])
    picture, retitled, other = (read(tmp_path / name) for name in ("a.png", "b.png", "c.png"))
    # Land, sea and sky: many colours, all over the picture.
    assert len(np.unique(picture.reshape(-1, 3), axis=0)) > 1000
    assert all(part.std() > 5.0 for half in np.array_split(picture, 2) for part in np.array_split(half, 2, axis=1))
    assert (np.abs(picture - other).max(axis=2) > 8).mean() > 0.2
    # The caption has the scene's title, at the bottom left, and nothing else of the picture depends on it.
    row, column = np.nonzero(np.abs(picture - retitled).max(axis=2))
    assert row.size > 20 and row.min() > SIZE[1] // 2 and column.max() < SIZE[0] // 2
