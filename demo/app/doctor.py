"""`doctor`: what is installed, what draws, and what is missing with what to do about it."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import sys
from argparse import Namespace

from .. import __version__
from ..process import crashes, log
from ..process.installation import NEEDED, how_to_get
from ..tables.map_formats import MAP_FORMATS, distribution_of, packages_of
from ..tables.quality import QUALITIES, quality_for
from . import kernel_check, machine_facts
from .privacy import without_names
from .report import Report

REQUIRED = ("numpy", "numba", "llvmlite", "PyOpenGL", "Pillow")
INSTALL_FILM = f"{how_to_get('requirements-film.txt', ['av'])} for MP4 films; without it films are PNG frames"
FOR_MAPS = (*(distribution_of(package) for package in packages_of(MAP_FORMATS)), "fsspec")
INSTALL_MAPS = f"{how_to_get('requirements-map.txt', FOR_MAPS)} for map files"
INSTALL_CLUSTER = f"{how_to_get('requirements-cluster.txt', ['distributed'])} for maps made on a Dask cluster"
LOGGED, CRASH_LINES = 20, 60
SERVERS = ("DISPLAY", "WAYLAND_DISPLAY", "XSCREENSAVER_WINDOW", "SDL_VIDEODRIVER")


def run(arguments: Namespace) -> int:
    """Prints the report. Returns 0 when the show can run, at least without a display, and nothing is damaged; else 1."""
    report = Report(without_names() if arguments.report else str)
    _system(report)
    if arguments.report:
        machine_facts.tell(report)
        for line in log.last_lines(LOGGED):
            report.line("log", line)
        for line in crashes.last_lines(CRASH_LINES):
            report.line("crash", line)
    _packages(report)
    complete = not report.wrong
    if arguments.fix and complete:
        kernel_check.fix(report)
    kernel_check.check(report)
    if complete:
        _display(report)
        _opengl(report)
    return report.conclude()


def _system(report: Report) -> None:
    report.line("Landfall", __version__)
    report.line("Python", f"{platform.python_version()} ({sys.executable})")
    report.line("system", f"{platform.platform()}, {os.cpu_count()} processors")


def _packages(report: Report) -> None:
    for name in REQUIRED:
        found = installed(name)
        report.line(name, found or "missing")
        if not found:
            report.wrong.append(f"{name} is missing: {how_to_get(NEEDED, [name])}")
    _pygame(report)
    film = installed("av")
    report.line("av (optional)", film or "missing")
    if not film:
        report.notes.append(f"av is missing: {INSTALL_FILM}")
    maps = {name: installed(name) for name in FOR_MAPS}
    report.line("for maps (optional)", ", ".join(f"{name} {version or 'missing'}" for name, version in maps.items()))
    if not all(maps.values()):
        report.notes.append(f"{', '.join(name for name in maps if not maps[name])} missing: {INSTALL_MAPS}")
    cluster = installed("distributed")
    report.line("distributed (optional)", cluster or "missing")
    if not cluster:
        report.notes.append(f"distributed is missing: {INSTALL_CLUSTER}")


def _pygame(report: Report) -> None:
    both = [name for name in ("pygame-ce", "pygame") if installed(name)]
    report.line("pygame", ", ".join(f"{name} {installed(name)}" for name in both) or "missing")
    if not both:
        report.wrong.append(f"pygame-ce is missing: {how_to_get(NEEDED, ['pygame-ce'])}")
        return
    if len(both) == 2:
        report.notes.append("pygame and pygame-ce share a folder: uninstall both, then install one of them")
    report.guarded("SDL", _sdl_version)


def _sdl_version() -> str:
    # Here and below: imports pygame, which may be missing or broken; that is a finding.
    from ..hosts import facts

    return facts.sdl_version()


def installed(name: str) -> str | None:
    """The version of a distribution; None where it is not installed."""
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def _display(report: Report) -> None:
    # Imports pygame, which may be what is missing: this comes after it has been looked for.
    from ..hosts import display, facts

    named = [f"{name}={os.environ[name]}" for name in SERVERS if os.environ.get(name)]
    report.line("display", ", ".join(named) or "none named by the environment")
    problem = display.problem()
    if problem:
        report.notes.append(f"{problem}: the show has no window here, and renders its tour to files")
        return
    report.guarded("desktops", facts.desktops)


def _opengl(report: Report) -> None:
    # Imports pygame too.
    from ..hosts import offscreen

    try:
        facts = offscreen.gl_info()
    except Exception as error:  # see Report.guarded
        report.fault(error)
        return
    for name in ("vendor", "renderer", "version"):
        report.line(f"OpenGL {name}", facts[name])
    report.line("quality", f"{quality_for(facts['renderer']).name} (of {', '.join(QUALITIES)})")
