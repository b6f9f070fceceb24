"""Pictures without a display: the context, and how still and film ask the show for them."""

from __future__ import annotations

import subprocess
import sys

import pytest
from support import hosting
from support.hosting import Child
from support.program import PATIENCE_S, ROOT, complaint, environment

pytestmark = pytest.mark.usefixtures("plain_flights")

SHOW = """
import sys, types
import numpy as np

class Show:
    def __init__(self, options, width, height):
        self.size = (width, height)
        print("show", width, height)
    def seek(self, seconds):
        self.seconds = seconds
        print("seek", round(seconds, 6))
    def read(self):
        from OpenGL import GL
        GL.glViewport(0, 0, *self.size)
        GL.glClearColor(self.seconds / 10, 0.2, 0.4, 1)
        GL.glClear(GL.GL_COLOR_BUFFER_BIT)
        width, height = self.size
        pixels = GL.glReadPixels(0, 0, width, height, GL.GL_RGB, GL.GL_UNSIGNED_BYTE)
        return np.frombuffer(pixels, np.uint8).reshape(height, width, 3)
    def close(self):
        print("close")

sys.modules["demo.show.show"] = types.SimpleNamespace(Show=Show)
from demo.hosts import offscreen
from demo.hosts.errors import HostError
"""


def run(program: str, display: str | None = None, **more: str) -> list[str]:
    """The lines of a fresh process that runs `program` after the lines above."""
    child = Child([sys.executable, "-c", SHOW + program], display, **more)
    assert child.ended() == 0, child.text()
    return child.lines


def test_still_is_one_picture_of_the_size():
    lines = run("p = offscreen.still(None, 2.0, (96, 54)); print(p.shape, p.dtype, p[0, 0], (p == p[0, 0]).all())")
    assert lines == ["show 96 54", "seek 2.0", "close", "(54, 96, 3) uint8 [ 51  51 102] True"]


def test_frames_are_evenly_spaced():
    lines = run("print(len([p for p in offscreen.frames(None, 0.5, 8, (32, 16))]))")
    assert lines == ["show 32 16", *(f"seek {k / 8}" for k in range(4)), "close", "4"]


def test_a_film_broken_off_closes_its_show():
    lines = run("f = offscreen.frames(None, 9, 8, (32, 16)); next(f); f.close(); print('closed')")
    assert lines[-2:] == ["close", "closed"]


def test_sizes_larger_than_any_display():
    assert run("print(offscreen.still(None, 1.0, (3000, 2000)).shape)")[-1] == "(2000, 3000, 3)"


def test_contexts_come_one_after_another_and_one_inside_another():
    lines = run(
        """
from OpenGL import GL
for _ in range(3):
    with offscreen.context():
        texture = GL.glGenTextures(1)
        GL.glBindTexture(GL.GL_TEXTURE_2D, texture)
        with offscreen.context((128, 128)):
            print(GL.glIsTexture(texture))
        print(GL.glIsTexture(texture), GL.glGetString(GL.GL_VERSION)[:1] >= b"3")
"""
    )
    assert lines == ["1", "1 True"] * 3


def test_the_display_of_the_user_is_left_alone():
    """The context is the same with a display that is there, and with one that is not."""
    program = "import os; print(offscreen.gl_info()['renderer'], 'SDL_VIDEODRIVER' in os.environ)"
    with hosting.x_server() as display:
        there = run(program, display)
        assert there[0].endswith("False")
        assert hosting.xdotool(display, "search", "--class", "landfall") == ""
    assert run(program) == run(program, ":4321") == there


def test_another_programs_window_is_left_alone():
    """The children of a show in such a window draw without one."""
    assert run("print(sorted(offscreen.gl_info()))", SDL_WINDOWID="0x123") == ["['renderer', 'vendor', 'version']"]


def test_after_asking_for_a_display():
    """Asking may leave SDL with another driver."""
    with hosting.x_server() as display:
        program = "from demo.hosts import display; print(display.problem()); print(sorted(offscreen.gl_info()))"
        assert run(program, display) == ["None", "['renderer', 'vendor', 'version']"]


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ({"SDL_VIDEO_EGL_DRIVER": "/nowhere/libEGL.so"}, "no OpenGL without a display"),
        ({"MESA_GL_VERSION_OVERRIDE": "2.1"}, "no OpenGL 3.3 core context"),
    ],
)
def test_what_is_missing_is_said(setting, message):
    program = """
try:
    offscreen.gl_info()
except HostError as error:
    print(error)
"""
    assert run(program, **setting)[-1].startswith(message)


def test_not_even_sdl_is_broken_for_the_next(tmp_path):
    """A context that failed leaves nothing behind."""
    program = """
import os
os.environ["SDL_VIDEO_EGL_DRIVER"] = "/nowhere/libEGL.so"
try:
    offscreen.gl_info()
except HostError:
    del os.environ["SDL_VIDEO_EGL_DRIVER"]
print(sorted(offscreen.gl_info()))
"""
    assert run(program)[-1] == "['renderer', 'vendor', 'version']"


def test_nothing_is_said_of_missing_vertical_sync():
    """pygame-ce raises an error then, and pygame warns, which would print a line and its source."""
    program = """
import warnings
import pygame
real = pygame.display.set_mode

def like_pygame(*words, vsync=0, **more):
    if vsync:
        warnings.warn("regular vsync for OpenGL not available", Warning, 2)
    return real(*words, **more)

pygame.display.set_mode = like_pygame
print(sorted(offscreen.gl_info()))
"""
    assert run(program) == ["['renderer', 'vendor', 'version']"]


POOR = """
import sys
from demo.process import environment
environment.prepare()
from demo.hosts import offscreen
with offscreen.context():
    from demo.render.gl import opengl as GL
real = GL.glGetIntegerv
GL.glGetIntegerv = lambda name: LIMITS.get(name, real(name))
from demo.app.cli import main
sys.exit(main(["still", sys.argv[1], "--scene", "SCENE", "--set", "SCENE.cells=128", "--size", "64x36", "--time", "1"]))
"""


@pytest.mark.parametrize(
    ("scene", "limits"),
    [("cuts", "{GL.GL_MAX_ARRAY_TEXTURE_LAYERS: 4}"), ("plasma", "{GL.GL_MAX_TEXTURE_SIZE: 128}")],
)
def test_a_poor_driver_is_told_of_in_one_line(tmp_path, scene, limits):
    program = POOR.replace("SCENE", scene).replace("LIMITS", limits)
    command = [sys.executable, "-c", program, str(tmp_path / "world.png")]
    result = subprocess.run(command, cwd=ROOT, env=environment(), capture_output=True, text=True, timeout=PATIENCE_S)
    said = complaint(result, 1)
    assert "array textures" in said and "fewer cells" in said
    assert not list(tmp_path.iterdir())
