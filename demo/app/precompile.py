"""A child process of the show: compiles ahead, so that the picture need not wait for a compiler, and ends.

`python -m demo.app.precompile kernels STAMP SCENE...` puts the kernels of scenes into numba's cache. `python -m
demo.app.precompile shaders STAMP QUALITY SCENE...` has the graphics driver compile the shaders, which it keeps in a cache of
its own. Either prints a scene's name when its own are ready, creates the file STAMP when all are, and ends at once when its
standard input closes, because its parent has then died.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from pathlib import Path

from ..process import environment

# Small worlds run through the same signatures as large ones.
SMALL = {"cells": 32, "gn": 3, "particles": 500, "cuts": 40, "octaves": 2}


def main() -> None:
    environment.prepare()
    threading.Thread(target=_end_with_parent, daemon=True).start()
    what, stamp, *words = sys.argv[1:]
    if what == "shaders":
        # Kernels are the other child's.
        os.environ["NUMBA_DISABLE_JIT"] = "1"
        rehearse(*words)
    for name in words if what == "kernels" else []:
        compile_kernels(name)
        _ready(name)
    with contextlib.suppress(OSError):
        Path(stamp).touch()
    os._exit(0)


def compile_kernels(name: str) -> None:
    """Run a small world of the scene through every kernel the worker calls for it."""
    import numpy as np

    from ..geometry.patch_tree import PatchTree
    from ..ground.cloud_field import cloud_field
    from ..ground.relief import Relief
    from ..ground.relief_maker import ReliefMaker
    from ..scenes.scenes import SCENES

    scene, generator = SCENES[name], SCENES[name].generator
    known = {parameter.name for parameter in generator.parameters}
    small = {key: value for key, value in SMALL.items() if key in known}
    growth = generator.grow(1, scene.complete(small))
    maker = ReliefMaker(growth.atlas, growth.n, scene.size_m, scene.relief_m, np.eye(3)[:, :2] + 0.1)
    for step in (growth.total // 2, growth.total):
        growth.advance(step)
        maker.fill(Relief.empty(growth.atlas, growth.n), growth.heights, growth.sea_level, 1.0, above=growth.above)
    growth.marks(0, max(1, growth.total // 3))
    if scene.map_timing:
        from ..mapping.shown.map_contents import chart_of

        chart_of(growth.survey)
    cloud_field(1, 32)
    PatchTree(growth.atlas, growth.heights, 8, scene.size_m)


def rehearse(quality: str, *scenes: str) -> None:
    """Draw each scene once, small and from a made-up world, in a context of its own, and print its name."""
    # Stands above the hosts in this one place: a child process is a program of its own.
    from ..hosts import offscreen

    with offscreen.context():
        from ..show.stage import Stage
        from ..tables.quality import QUALITIES

        stage = Stage(QUALITIES[quality])
        for scene in scenes:
            stage.rehearse(scene)
            _ready(scene)


def _ready(scene: str) -> None:
    """Say that a scene's part is compiled. From the first one on there is a world to show, which comes before the rest."""
    print(scene, flush=True)
    if hasattr(os, "nice"):
        os.nice(10)


def _end_with_parent() -> None:
    sys.stdin.buffer.read()
    os._exit(0)


if __name__ == "__main__":
    main()
