"""A child process of the show that compiles ahead, so that the picture never waits for a compiler.

    python -m demo.app.precompile kernels           fills numba's cache with the kernels of scenes
    python -m demo.app.precompile shaders QUALITY   has the graphics driver compile and cache the shaders

Either reads the names of scenes from its standard input, one a line, and prints a name when everything of that scene is
ready. It ends at once when its standard input closes: nothing is left to do, or its parent has died.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterable, Iterator
from queue import SimpleQueue

from ..process import environment
from ..process.stderr import say
from ..tables.quality import QUALITIES
from ..worlds.parameters import Value

# Small worlds call the kernels with the same signatures as large ones.
SMALL: dict[str, Value] = {"cells": 32, "gn": 3, "particles": 500, "cuts": 40, "octaves": 2}


def main() -> None:
    """Does what the words after the module's name ask for, until its standard input closes; then it ends the process."""
    environment.prepare()
    told: SimpleQueue[str] = SimpleQueue()
    threading.Thread(target=_listen, args=(told,), daemon=True).start()
    what, *words = sys.argv[1:]
    if what == "shaders":
        # The other child compiles the kernels.
        os.environ["NUMBA_DISABLE_JIT"] = "1"
    try:
        if what == "shaders":
            rehearse(words[0], _each(told))
        for name in _each(told):
            compile_kernels(name)
            print(name, flush=True)
    except Exception as error:  # whatever it is, the parent hears of it and goes on without
        say(f"{what} cannot be compiled ahead: {str(error).strip() or type(error).__name__}")
        os._exit(1)


def _listen(told: SimpleQueue[str]) -> None:
    for line in sys.stdin:
        told.put(line.strip())
    os._exit(0)


def _each(told: SimpleQueue[str]) -> Iterator[str]:
    """What is told, for ever: the process ends when nothing more will be."""
    while True:
        yield told.get()


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
        relief = Relief.empty(growth.atlas, growth.n)
        maker.fill(relief, growth.heights, growth.sea_level, 1.0, above=growth.above, suns=np.eye(3))
    growth.marks(0, max(1, growth.total // 3))
    generator.contents(growth)
    cloud_field(1, 32)
    PatchTree(growth.atlas, growth.heights, 8, scene.size_m)


def rehearse(quality: str, scenes: Iterable[str]) -> None:
    """Draws each scene once, small and from a made-up world, in a context of its own, and prints its name.

    `scenes`: their names, for the natural look, and what `others_of` makes of these for all other looks.
    """
    # The kernels' half does without pygame.
    from ..hosts import offscreen

    with offscreen.context():
        # Imports OpenGL, which must come after the context.
        from ..render.shader_variants import looks_of_keys
        from ..scenes.scenes import SCENES
        from ..show.rehearsal import rehearse as rehearse_scene
        from ..tables.looks import others_of

        level = QUALITIES[quality]
        natural, *others = looks_of_keys(level)
        # A scene that somebody added to the parent's tables alone is compiled there, when it is shown.
        known = {name: (scene, [natural]) for name, scene in SCENES.items()}
        known |= {others_of(name): (scene, others) for name, scene in SCENES.items()}
        for word in scenes:
            if word in known:
                scene, looks = known[word]
                rehearse_scene(scene, level, looks)
            print(word, flush=True)


if __name__ == "__main__":
    main()
