"""What runs in a forked case: the program itself, and what stands in for the user's hands."""

from __future__ import annotations

import atexit
import os
import sys
import threading
import traceback
from typing import NoReturn

from .case import Case
from .checks import REACHED
from .imports import ROOT, program


def drive(case: Case) -> int:
    """Runs the case to its end and returns the exit status."""
    if case.fresh:
        os.execv(sys.executable, [sys.executable, str(ROOT / "main.py"), *case.words])
    main = program()
    if case.stop:
        _stop_at_work()
    if case.script is not None:
        _play(case.script)
    try:
        status = main(list(case.words))
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
    except BaseException:
        traceback.print_exc()
        status = 70
    return _ended(status)


def _ended(status: int) -> int:
    """What Python does at the end of a process: waits for threads, tidies up, and flushes."""
    for thread in threading.enumerate():
        if thread is not threading.main_thread() and not thread.daemon:
            thread.join()
    atexit._run_exitfuncs()
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        return status or 120
    return status


def _stop_at_work() -> None:
    """Ends the process where a world, a map or a picture is asked for: what comes before is what is tried."""
    from demo.app import compile_now, map_command, map_edits
    from demo.catalogue.generator import Generator
    from demo.hosts import offscreen

    for owner, name in (
        (Generator, "grow"),
        (map_command, "map_edited_planet"),
        (map_edits, "map_edited_planet"),
        (offscreen, "still"),
        (offscreen, "frames"),
        # Installing a saver compiles everything.
        (compile_now, "compile_all"),
    ):
        if not hasattr(owner, name):
            raise AttributeError(f"{owner} has no {name}: the fuzzer must stop elsewhere")
        setattr(owner, name, _reached)


def _reached(*arguments: object, **more: object) -> NoReturn:
    sys.stdout.flush()
    os._exit(REACHED)


def _play(script: list[list[tuple[str, dict]]]) -> None:
    """Posts a script's events to SDL's queue, those of one frame each time that the host asks; the last frame's end it."""
    import pygame

    # A child that compiles ahead would take the processor from the cases.
    from demo.app import show_options

    show_options.PRECOMPILER = None
    asked, frames = pygame.event.get, iter(script)

    def get(*arguments: object) -> list:
        for kind, values in next(frames, [("QUIT", {})]):
            pygame.event.post(pygame.event.Event(getattr(pygame, kind), values))
        return asked(*arguments)

    pygame.event.get = get
