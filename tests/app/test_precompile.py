"""What is compiled ahead for a scene is all that its worlds need, so that none of them waits for a compiler."""

from __future__ import annotations

import subprocess
import sys

import pytest
from support.program import ROOT, environment

# Prints the kernels, with their signatures, that a larger world needs and that were not compiled ahead.
LATE = """
import gc, sys
from demo.process import environment
environment.prepare()
from numba.core.registry import CPUDispatcher
from demo.app.precompile import compile_kernels
from demo.scenes.scenes import SCENES
from demo.story.story import Story
from demo.tables.quality import QUALITIES

def compiled():
    every = (one for one in gc.get_objects() if isinstance(one, CPUDispatcher))
    return {(one.py_func.__module__, one.py_func.__name__, str(kind)) for one in every for kind in one.signatures}

name, sizes = sys.argv[1], eval(sys.argv[2])
compile_kernels(name)
ahead = compiled()
story = Story(SCENES[name], 7, sizes, QUALITIES["high"])
story.prepare()
for _ in range(4):
    story.make_picture()
assert ahead
print(*sorted(one for one in compiled() - ahead if one[0].startswith("demo.")), sep="\\n", end="")
"""


@pytest.mark.parametrize(
    ("scene", "sizes"),
    [
        ("particles", {"cells": 256, "particles": 20_000}),
        ("cuts", {"cells": 256, "cuts": 600}),
        ("map", {"gn": 6, "ln": 1}),
    ],
)
def test_larger_worlds_need_no_other_kernels(scene, sizes):
    command = [sys.executable, "-c", LATE, scene, repr(sizes)]
    done = subprocess.run(command, cwd=ROOT, env=environment(), capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    assert done.stdout == ""
