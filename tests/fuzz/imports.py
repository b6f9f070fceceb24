"""The parent of all cases: it imports the whole program, and calls its serial kernels once, without starting a thread."""

from __future__ import annotations

import importlib
import os
import pkgutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HIDDEN = ("DISPLAY", "WAYLAND_DISPLAY", "XSCREENSAVER_WINDOW", "SDL_VIDEODRIVER", "SDL_WINDOWID", "LANDFALL_DEBUG")
# Loading a parallel kernel starts threads: worlds of these generators are grown by the cases alone.
_PARALLEL = ("simplex",)
# For so long a thread that has ended may still be listed.
GONE_S = 5.0
_COMPILE = """
from demo.process import environment
environment.prepare()
import sys
from demo.app.precompile import compile_kernels
for name in sys.argv[1:]:
    compile_kernels(name)
"""


def begin() -> None:
    """What comes before anything of the program is imported."""
    for name in HIDDEN:
        os.environ.pop(name, None)
    # OpenBLAS would start its threads when numpy is imported.
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    os.chdir(ROOT)
    sys.path.insert(0, str(ROOT))
    from demo.process import environment

    environment.prepare()


def load() -> None:
    """Makes this process the parent of all cases."""
    # Parallel kernels too are in the cache from here on.
    subprocess.run([sys.executable, "-c", _COMPILE, *_PARALLEL], cwd=ROOT, check=True)
    _import_all()
    from demo.app.precompile import compile_kernels
    from demo.catalogue.maps import map_planet
    from demo.scenes.scenes import ROTATION

    for name in ROTATION:
        if name not in _PARALLEL:
            compile_kernels(name)
    map_planet(1, {"gn": 2})
    # The system lists a thread that was waited for until it has done with it.
    until = time.monotonic() + GONE_S
    while (threads := len(os.listdir("/proc/self/task"))) > 1 and time.monotonic() < until:
        time.sleep(0.05)
    if threads > 1:
        raise RuntimeError(f"the fuzzer has {threads} threads: what it forks could wait for one of them for ever")


def program() -> Callable[[list[str]], int]:
    """What `python main.py` calls."""
    return importlib.import_module("main").main


def _import_all() -> None:
    """All modules, with those of OpenGL. PyOpenGL chooses its platform now, which is EGL for all cases, windows as well."""
    os.environ["PYOPENGL_PLATFORM"] = "egl"
    import demo

    for row in pkgutil.walk_packages(demo.__path__, "demo."):
        importlib.import_module(row.name)
