"""A host with a show that records: run it as
`python tests/support/recording.py window|saver|x11_window [WINDOW]`. Prints what it is asked for.

The show is one colour, fills what it was resized to, and checks in every frame that its context still owns its texture.
The environment may set GRACE_S (seconds in which a saver ignores touches).
"""

from __future__ import annotations

import os
import sys
import types
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

COLOUR = (1.0, 0.5, 0.0)


def tell(*words: object) -> None:
    """One line to whoever reads along."""
    print(*words, flush=True)


class Show:
    """Stands in for `demo.show.show.Show`."""

    def __init__(self, options: object, width: int, height: int, compiler: object = None) -> None:
        from OpenGL import GL

        self.gl = GL
        self.texture = GL.glGenTextures(1)
        GL.glBindTexture(GL.GL_TEXTURE_2D, self.texture)
        self.wants_quit = self.wants_still = self.free_camera = self.paused = False
        self.updated = False
        self.size = (width, height)
        tell("show", width, height)

    def frames_wanted(self) -> int:
        return 1000

    def resize(self, width: int, height: int) -> None:
        self.size = (width, height)
        tell("resize", width, height)

    def act(self, action: str, pressed: bool = True) -> None:
        tell("act", action, pressed)
        self.wants_quit |= action == "quit"
        self.wants_still |= action == "still"
        self.free_camera ^= action == "free_camera"
        self.paused ^= pressed and action == "pause"

    def pointer(self, dx: float, dy: float) -> None:
        tell("pointer", dx, dy)

    def wheel(self, dy: float) -> None:
        tell("wheel", dy)

    def update(self, dt: float) -> None:
        import pygame

        assert 0.0 <= dt <= 0.1
        if not self.updated:
            tell("display may sleep" if pygame.display.get_allow_screensaver() else "display stays awake")
        self.updated = True
        tell("update")

    def draw(self, framebuffer: int = 0) -> None:
        assert self.gl.glIsTexture(self.texture)
        self.gl.glEnable(self.gl.GL_SCISSOR_TEST)
        self.gl.glScissor(0, 0, *self.size)
        self.gl.glClearColor(*COLOUR, 1.0)
        self.gl.glClear(self.gl.GL_COLOR_BUFFER_BIT)
        tell("draw")

    def read(self):
        import numpy as np

        width, height = self.size
        return np.full((height, width, 3), 200, np.uint8)

    def memory(self):
        return None

    def tell(self, *lines: str) -> None:
        tell("tell", *lines)

    def still_name(self) -> str:
        return "still.png"

    def close(self) -> None:
        tell("close")


def main() -> int:
    from demo.export.picture import write_png
    from demo.hosts import hosts, saver
    from demo.hosts.errors import HostError
    from demo.show.options import ShowOptions
    from demo.worlds.parameters import ParameterError

    sys.modules["demo.show.show"] = types.SimpleNamespace(Show=Show)
    saver.GRACE_S = float(os.environ.get("GRACE_S", saver.GRACE_S))
    # This show needs no kernels, and waits for none.
    os.environ.pop("NUMBA_CACHE_DIR", None)
    name, *words = sys.argv[1:]
    given = {"window-id": int(words[0])} if words else {}
    host = hosts.HOSTS[name]
    try:
        # The program asks this first, which may start SDL.
        problem = host.problem()
        if problem:
            raise HostError(problem)
        return host.run(ShowOptions(), hosts.Request((640, 360), host.fps, write_png, given=given))
    except (HostError, ParameterError) as error:
        tell("error", error)
        return 1 if isinstance(error, HostError) else 2


if __name__ == "__main__":
    sys.exit(main())
