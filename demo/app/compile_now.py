"""Compiling everything now, with progress, so that the first activation of a screensaver finds it done."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass

from ..hosts import offscreen
from ..process.compiler import Compiler
from ..process.stderr import say
from ..scenes.scenes import ROTATION, kernels_order
from ..tables.looks import others_of
from ..tables.quality import quality_for
from .progress import Progress
from .show_options import PRECOMPILER


@dataclass(frozen=True)
class Compiled:
    """What came of it. `jobs`: how many scenes' kernels and shaders there were to do; `missing`: how many were not done."""

    jobs: int
    missing: int
    seconds: float


def compile_all(quality: str | None = None) -> Compiled:
    """Kernels and shaders of all scenes, by the children that compile ahead for every show; returns when they have ended.

    `quality`: a name of QUALITIES; None: the renderer's. Where there is no OpenGL, a line says so, and kernels alone are
    compiled.
    """
    began, news = time.monotonic(), threading.Event()
    compiler = Compiler(PRECOMPILER)
    compiler.listen(news.set)
    order = kernels_order(ROTATION[0])
    try:
        compiler.start_kernels(order)
        quality = quality or _quality()
        if quality:
            compiler.start_shaders(quality, [*order, *map(others_of, order)])
        jobs = len(compiler.left())
        with Progress("compiling", jobs) as progress:
            while compiler.busy:
                news.wait()
                news.clear()
                progress.to(jobs - len(compiler.left()))
        return Compiled(jobs, len(compiler.left()), time.monotonic() - began)
    finally:
        compiler.stop()


def _quality() -> str | None:
    try:
        return quality_for(offscreen.gl_info()["renderer"]).name
    except Exception as error:  # a driver may raise anything, and the show will say it again
        say(f"shaders are not compiled now: {error}")
        return None
