"""A child process of the show that compiles ahead, so that the picture never waits for a compiler.

    python -m demo.app.precompile kernels STAMP SCENE...           fills numba's cache with the kernels of scenes
    python -m demo.app.precompile shaders STAMP QUALITY SCENE...   has the graphics driver compile and cache the shaders

Either prints a scene's name when everything of that scene is ready, and makes the file STAMP when all scenes are. It ends
at once when its standard input closes, because that means that its parent has died.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from pathlib import Path

from ..process import environment
from ..tables.quality import QUALITIES
from ..worlds.parameters import Value

# Small worlds call the kernels with the same signatures as large ones.
SMALL: dict[str, Value] = {"cells": 32, "gn": 3, "particles": 500, "cuts": 40, "octaves": 2}


def main() -> None:
    """Does what the words after the module's name ask for, and ends the process."""
    environment.prepare()
    threading.Thread(target=_end_with_parent, daemon=True).start()
    what, stamp, *words = sys.argv[1:]
    if what == "shaders":
        # The other child compiles the kernels.
        os.environ["NUMBA_DISABLE_JIT"] = "1"
    try:
        if what == "shaders":
            rehearse(*words)
        for name in words if what == "kernels" else []:
            compile_kernels(name)
            _ready(name)
    except Exception as error:  # whatever it is, the parent hears of it and goes on without
        reason = " ".join(str(error).split()) or type(error).__name__
        print(f"landfall: {what} cannot be compiled ahead: {reason}", file=sys.stderr, flush=True)
        os._exit(1)
    with contextlib.suppress(OSError):
        Path(stamp).touch()
    os._exit(0)


def compile_kernels(name: str) -> None:
    """Calls every kernel that the worker calls for the scene, on a small world."""
    # Imports inside functions: the parent imports nothing from here, and each child only its own half. The environment
    # must be set before them.
    import numpy as np

    from ..geometry.patch_tree import PatchTree
    from ..ground.cloud_field import cloud_field
    from ..ground.relief import Relief
    from ..ground.relief_maker import ReliefMaker
    from ..scenes.scenes import SCENES

    if name not in SCENES:
        # Somebody added it to the parent's tables alone: it is compiled there, when it is shown.
        return
    scene, generator = SCENES[name], SCENES[name].generator
    known = {parameter.name for parameter in generator.parameters}
    small = {key: value for key, value in SMALL.items() if key in known}
    growth = generator.grow(1, scene.complete(small))
    maker = ReliefMaker(growth.atlas, growth.n, scene.size_m, scene.relief_m, np.eye(3)[:, :2] + 0.1)
    for step in (growth.total // 2, growth.total):
        growth.advance(step)
        maker.fill(Relief.empty(growth.atlas, growth.n), growth.heights, growth.sea_level, 1.0, above=growth.above)
    growth.marks(0, max(1, growth.total // 3))
    generator.contents(growth)
    cloud_field(1, 32)
    PatchTree(growth.atlas, growth.heights, 8, scene.size_m)


def rehearse(quality: str, *scenes: str) -> None:
    """Draws each scene once, small and from a made-up world, in a context of its own, and prints its name."""
    from ..hosts import offscreen

    with offscreen.context():
        # Imports OpenGL, which must come after the context.
        from ..scenes.scenes import SCENES
        from ..show.rehearsal import rehearse as rehearse_scene

        for scene in scenes:
            if scene in SCENES:
                rehearse_scene(SCENES[scene], QUALITIES[quality])
            _ready(scene)


def _ready(scene: str) -> None:
    """Prints that a scene is ready. From the first one on, the parent has a world to show, which is more urgent."""
    print(scene, flush=True)
    if hasattr(os, "nice"):
        os.nice(10)


def _end_with_parent() -> None:
    sys.stdin.buffer.read()
    os._exit(0)


if __name__ == "__main__":
    main()
