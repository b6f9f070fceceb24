"""What an issue report says besides of the machine, its session and its settings."""

from __future__ import annotations

import locale
import os
import platform
import sys

from ..process.environment import kernel_fingerprint
from .report import Report

SESSION = ("XDG_SESSION_TYPE", "XDG_CURRENT_DESKTOP", "DESKTOP_SESSION")
# Whose variables change what Landfall and the packages under it do.
PREFIXES = (
    "LANDFALL_",
    "NUMBA_",
    "OMP_",
    "SDL_",
    "PYGAME_",
    "PYOPENGL_",
    "LIBGL_",
    "MESA_",
    "GALLIUM_",
    "LP_",
    "EGL_",
    "__GL",
    "__EGL",
    "__NV_",
)


def tell(report: Report) -> None:
    """One line for each fact. A fact that this system does not tell is left out."""
    facts = {
        "processor": f"{platform.machine()} {_value('/proc/cpuinfo', 'model name') or platform.processor()}",
        "memory": _value("/proc/meminfo", "MemTotal"),
        "C library": " ".join(platform.libc_ver()).strip(),
        "interpreter": f"{platform.python_implementation()}, {platform.python_compiler()}",
        "encodings": f"{sys.getfilesystemencoding()}, {locale.getpreferredencoding(False)}",
        "kernel sources": f"{kernel_fingerprint():08x}",
        "session": ", ".join(os.environ[name] for name in SESSION if os.environ.get(name)),
    }
    for name, value in facts.items():
        if value.strip():
            report.line(name, value)
    for name in sorted(name for name in os.environ if name.startswith(PREFIXES)):
        report.line("setting", f"{name}={os.environ[name]}")


def _value(path: str, name: str) -> str:
    """The value of the first line `name : value` of a file of Linux's; empty where there is none."""
    try:
        with open(path, encoding="utf-8", errors="replace") as lines:
            return next((line.partition(":")[2].strip() for line in lines if line.partition(":")[0].strip() == name), "")
    except OSError:
        return ""
