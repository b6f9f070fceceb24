"""Faults of the graphics driver, planted in a process of its own: each ends it with one clear line and status 1."""

from __future__ import annotations

import subprocess
import sys

import pytest
from support.program import PATIENCE_S, ROOT, complaint, environment

# The fault is planted before the first picture: `GL` is what everything that draws calls.
RUN = """
import sys
from demo.process import environment
environment.prepare()
{before}
from demo.app import cli
from demo.hosts import context
open_window = context.open_window
def opened(*words, **named):
    open_window(*words, **named)
    from demo.render.gl import opengl as GL, shaders
    {planted}
context.open_window = opened
sys.exit(cli.main(["still", sys.argv[1], "--scene", "plasma", "--set", "plasma.cells=32", "--time", "0", "--size", "64x36"]))
"""
REFUSED = """
import pygame
def refused(*words, **named):
    raise pygame.error("Could not create GL context")
pygame.display.set_mode = refused
"""
LIMIT = "given = GL.glGetIntegerv; GL.glGetIntegerv = lambda name: 16 if name == GL.GL_MAX_TEXTURE_SIZE else given(name)"
FAULTS = {
    "rejected": ("", 'shaders.VERSION_LINE = "#version 999 core\\n"', "update the driver"),
    "limits": ("", LIMIT, "choose fewer cells"),
    "refused": (REFUSED, "pass", "no OpenGL 3.3 core context"),
    "lost": ("", "GL.glGetError = lambda: 0x0507", "start again"),
    "no memory": ("", "GL.glGetError = lambda: GL.GL_OUT_OF_MEMORY", "choose a smaller size"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_of_the_driver_is_one_line(fault, tmp_path):
    before, planted, advice = FAULTS[fault]
    out = tmp_path / "still.png"
    done = subprocess.run(
        [sys.executable, "-c", RUN.format(before=before, planted=planted), str(out)],
        cwd=ROOT,
        env=environment(LANDFALL_GL_CHECK=""),
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
    )
    said = complaint(done, 1)
    assert advice in said and "fault of Landfall" not in said
    assert not list(tmp_path.iterdir()), "nothing is left half-written"
