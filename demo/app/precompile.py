"""A child process of the show that compiles ahead, so that the picture never waits for a compiler.

    python -m demo.app.precompile kernels           fills numba's cache with the kernels of scenes
    python -m demo.app.precompile shaders QUALITY   has the graphics driver compile and cache the shaders

Either reads the names of scenes from its standard input, one a line, and prints a name when everything of that scene is
ready. It ends at once when its standard input closes, because nothing is left to do, and when its parent dies.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterable, Iterator
from queue import SimpleQueue

from ..process import environment
from ..process.parent import die_with_parent
from ..process.stderr import say
from ..tables.quality import QUALITIES
from ..worlds.parameters import Value

# Small worlds call the kernels with the same signatures as large ones. These have lakes, which on a map have shapes.
SMALL: dict[str, Value] = {"cells": 32, "gn": 5, "ln": 1, "particles": 500, "cuts": 40, "octaves": 2}
SMALL_SEED = 3
# A terrain that is carved on a coarser lattice first, as large worlds are.
LEVELLED: dict[str, Value] = {"cells": 256, "carve": 1.0}


def main() -> None:
    """Does what the words after the module's name ask for, until its standard input closes; then it ends the process."""
    die_with_parent()
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
    """Calls every kernel that the worker calls for the scene, by preparing a small world and making all its pictures."""
    # Imports inside functions: the parent imports nothing from here, and each child only its own half. The environment
    # must be set before them.
    from ..catalogue.generators import generator
    from ..scenes.scenes import SCENES
    from ..story.story import Story

    if name not in SCENES:
        # Somebody added it to the parent's tables alone: it is compiled there, when it is shown.
        return
    known = {parameter.name for parameter in SCENES[name].generator.parameters}
    small = {key: value for key, value in SMALL.items() if key in known}
    story = Story(SCENES[name], SMALL_SEED, small, QUALITIES["low"])
    story.prepare()
    for _ in range(story.born.timeline.pictures if story.born else 0):
        story.make_picture()
    terrain = generator("plasma")
    levelled = terrain.grow(SMALL_SEED, terrain.complete(LEVELLED))
    for step in range(1, levelled.total + 1):
        levelled.advance(step)


def rehearse(quality: str, scenes: Iterable[str]) -> None:
    """Draws each scene once, small and from a made-up world, in a context of its own, and prints its name.

    `scenes`: their names, for the natural look, and what `others_of` makes of these for all other looks.
    """
    # The kernels' half does without pygame.
    from ..hosts import offscreen

    with offscreen.context():
        # Imports OpenGL, which must come after the context.
        from ..render.geometry_buffer import supported
        from ..render.shader_variants import looks_of_keys
        from ..scenes.scenes import SCENES
        from ..show.rehearsal import rehearse as rehearse_scene
        from ..tables.looks import others_of

        level = supported(QUALITIES[quality])
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
