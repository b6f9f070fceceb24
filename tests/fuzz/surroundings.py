"""Environments: homes that are not there, displays that do not answer, locales, settings of libraries, closed streams."""

from __future__ import annotations

from pathlib import Path
from random import Random

from .case import Case

_PATHS = (
    None,
    "",
    "/nonexistent",
    "relative",
    "a file",
    "folder",
    "/dev/null",
    "\udcff",
    "x" * 300,
    "closed",
    "link",
    "a\nb",
)
_NUMBERS = (None, "", "0", "-1", "abc", "1", "2", "99999999999", "1.5", " ", "0x2")
# Each variable with what it may be. None: unset.
VARIABLES: dict[str, tuple[str | None, ...]] = {
    "HOME": _PATHS,
    "XDG_CACHE_HOME": _PATHS,
    "XDG_CONFIG_HOME": _PATHS,
    "XDG_RUNTIME_DIR": _PATHS,
    "TMPDIR": _PATHS,
    "NUMBA_CACHE_DIR": ("", "/dev/null", "/nonexistent/x", "a file", "open", "\udcff", "closed"),
    "NUMBA_NUM_THREADS": _NUMBERS,
    "NUMBA_DISABLE_JIT": _NUMBERS,
    "NUMBA_THREADING_LAYER": ("abc", "workqueue", "omp", "tbb", "", "safe"),
    "NUMBA_BOUNDSCHECK": ("0", "", "abc"),
    "NUMBA_DEBUG_CACHE": ("0", "", "abc"),
    "OMP_NUM_THREADS": _NUMBERS,
    "OMP_WAIT_POLICY": ("abc", "", "active"),
    "OPENBLAS_NUM_THREADS": _NUMBERS,
    "LANG": (None, "", "C", "xx_YY.bad", "tr_TR.UTF-8", "ja_JP.SJIS", "de_DE", "\udcff"),
    "LC_ALL": (None, "", "C", "POSIX", "xx_YY.bad", "en_US.ISO-8859-1"),
    "PYTHONUTF8": ("0", "1"),
    "PYTHONIOENCODING": ("ascii", "latin-1", "utf-8:strict", "utf-16"),
    "PYTHONHASHSEED": ("0", "1"),
    "PYTHONOPTIMIZE": ("1", "2"),
    "PYTHONDONTWRITEBYTECODE": ("1",),
    "PYTHONPATH": ("", "/nonexistent", ":", "a file"),
    "PYTHONUNBUFFERED": ("1",),
    "PYTHONFAULTHANDLER": ("1",),
    "DISPLAY": ("", ":4321", "garbage", ":-1", ":", "unix:4321", ":4321.7", "\udcff"),
    "WAYLAND_DISPLAY": ("", "none-4321", "/nonexistent/socket", "a file", "../x"),
    "SDL_VIDEODRIVER": ("", "dummy", "offscreen", "x11", "wayland", "garbage", "x11,wayland", "kmsdrm"),
    "SDL_VIDEO_X11_VISUALID": ("0", "abc"),
    "SDL_RENDER_DRIVER": ("garbage",),
    "XSCREENSAVER_WINDOW": ("", "abc", "0", "0x", "-1", "99999999999", "0x1g", " 0x2a ", "٣", "1\n"),
    "XAUTHORITY": ("/nonexistent", "", "a file"),
    "PYOPENGL_PLATFORM": ("garbage", "", "glx", "osmesa"),
    "MESA_GL_VERSION_OVERRIDE": ("2.1", "3.3", "abc", "4.6COMPAT"),
    "MESA_SHADER_CACHE_DIR": ("/nonexistent", "a file", ""),
    "LIBGL_ALWAYS_SOFTWARE": ("1", "abc", ""),
    "GALLIUM_DRIVER": ("llvmpipe", "garbage", "softpipe"),
    "COLUMNS": ("0", "-5", "abc", "1", "99999", ""),
    "LINES": ("0", "abc"),
    "TERM": ("", "dumb", "garbage", None),
    "NO_COLOR": ("", "1"),
    "USER": ("", None, "\udcff"),
    "LOGNAME": (None, ""),
    "PATH": ("", "/nonexistent", None),
    "TZ": ("", "garbage", "UTC-99"),
    "SOURCE_DATE_EPOCH": ("abc", "0", "-1"),
}
# What changes where compiled kernels are looked for: a command that needs some would compile them for seconds.
_MOVES_CACHE = ("HOME", "XDG_CACHE_HOME", "NUMBA_CACHE_DIR", "TMPDIR")
_CHEAP = (["scenes"], ["--version"], ["--help"], ["grow", "--help"], ["doctor"], ["grow", "nothing", "out.npz"])
_NO_WINDOW = (["--saver"], ["--root"], ["--window-id", "1"], ["--fullscreen"])
_GROWING = ["grow", "plasma", "out.npz", "--set", "cells=4"]
_DRAWING = ["still", "out.png", "--size", "16x16", "--set", "plasma.cells=16", "--quality", "software"]
# With these the show has no display, and a host that was asked for says so.
_NO_DISPLAY = {"DISPLAY": None, "WAYLAND_DISPLAY": None, "SDL_VIDEODRIVER": None}


def make(random: Random) -> Case:
    """A fresh process, with one variable or a few that are odd."""
    names = random.sample(tuple(VARIABLES), random.choice((1, 1, 2, 4)))
    variables = {name: random.choice(VARIABLES[name]) for name in names}
    kind = random.random()
    if kind < 0.25:
        words, variables = random.choice(_NO_WINDOW), {**_NO_DISPLAY, **variables}
    elif kind < 0.6:
        words = random.choice(_CHEAP)
    else:
        words = list(_GROWING if kind < 0.95 else _DRAWING)
        if variables.get("NUMBA_DISABLE_JIT") not in (None, "", "0"):
            words = ["scenes"]
        if any(name in variables for name in _MOVES_CACHE) and random.random() < 0.7:
            words = ["doctor"] if random.random() < 0.2 else ["scenes"]
    closed = random.choice(((0,), (1,), (2,), (0, 1, 2))) if random.random() < 0.08 else ()
    return Case(list(words), lay=_lay, variables=variables, fresh=True, can_fail=True, closed=closed)


def _lay(here: Path) -> None:
    (here / "a file").write_text("no folder")
    (here / "folder").mkdir()
    (here / "open").mkdir()
    (here / "open").chmod(0o777)
    (here / "closed").mkdir(mode=0o500)
    (here / "link").symlink_to("link")
