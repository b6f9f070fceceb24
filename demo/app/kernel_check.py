"""The cache of compiled kernels, as `doctor` looks at it, clears it and fills it again."""

from __future__ import annotations

import os
import time
from pathlib import Path

from ..process import environment, kernel_folder
from .precompile import compile_kernels
from .report import Report

MEGABYTE = 1e6
NAMED = 3
SLOW = "each start compiles for itself, which takes a minute: set NUMBA_CACHE_DIR to a folder that can"


def check(report: Report) -> None:
    """Where the cache is, whether it can be written, and whether its files are what was written."""
    folder = os.environ.get("NUMBA_CACHE_DIR")
    if not folder:
        report.notes.append(f"no folder for compiled kernels can be written: {SLOW}")
        return
    path = Path(folder)
    # A folder that the user has named is made when it is needed. Until then the nearest folder above it decides.
    above = next(place for place in (path, *path.absolute().parents) if place.exists())
    fine = os.access(above, os.W_OK)
    report.line("kernel cache", f"{folder} ({'can' if fine else 'cannot'} be written)")
    if not fine:
        report.notes.append(f"the kernel cache {folder} cannot be written: {SLOW}")
    elif path.exists() and not environment.is_private(path.resolve()):
        report.notes.append(f"others can write the kernel cache {folder}, which holds code: chmod 700 it")
    _check_files(report)


def _check_files(report: Report) -> None:
    files, damaged = kernel_folder.kernels(), kernel_folder.damaged()
    size = sum(path.stat().st_size for path in files) / MEGABYTE
    state = f"{len(damaged)} of them damaged" if damaged else "all whole"
    report.line("compiled kernels", f"{len(files)} files, {size:.1f} MB, {state}" if files else "none yet")
    if damaged:
        report.wrong.append(
            f'damaged in the kernel cache: {_some(damaged)}: "doctor --fix" compiles all kernels anew; '
            "without it each is compiled when it is next needed"
        )
    replaced = kernel_folder.set_aside()
    if replaced:
        report.notes.append(f"damaged and replaced in the kernel cache: {_some(replaced)}: if more follow, check the disk")


def fix(report: Report) -> None:
    """Removes all compiled kernels, and compiles those of all scenes anew. One line for each scene."""
    report.line("cleared", f"{kernel_folder.clear()} files of the kernel cache")
    # Here: brings numpy along, which may be missing; that is a finding.
    from ..scenes.scenes import ROTATION

    report.line("compiling", f"the kernels of {len(ROTATION)} scenes, which takes minutes")
    for name in ROTATION:
        report.guarded("compiled", lambda name=name: _compiled(name))  # type: ignore[misc]


def _compiled(scene: str) -> str:
    began = time.perf_counter()
    compile_kernels(scene)
    return f"{scene}, {time.perf_counter() - began:.0f} s"


def _some(paths: list[Path]) -> str:
    names = ", ".join(path.name for path in paths[:NAMED])
    return names if len(paths) <= NAMED else f"{names} and {len(paths) - NAMED} more"
