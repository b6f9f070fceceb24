"""Drawing the printed planet, 500 x 250 vertices after 10,000 cuts: the show against the article's loop in Python.

The article calls glColor and glVertex for every vertex of every frame. Its loop runs in a child process with a context of
the compatibility profile: `python -m benchmarks.draw WORLD.npz PICTURE.npy` draws one frame for each line that it reads.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from benchmarks.harness import Clocked, Report, interleave, seconds_of

SIZE = (640, 360)
CELLS = 250  # of a face of the longitude-colatitude atlas: two faces of 250 x 250 make 500 meridians
SEED = 1
BAR = 10
SEA, PLAIN = (0.0, 0.0, 0.9), 24


def run(report: Report) -> None:
    """The time of a frame, and whether both draw the same picture."""
    from demo.process import environment

    environment.prepare()
    from demo.hosts import offscreen
    from demo.show.options import ShowOptions

    world = {"cuts": {"cells": CELLS, "atlas": "latlong", "cuts": 10_000}}
    options = ShowOptions(
        scene="cuts", seed=SEED, look="as-printed", parameters=world, hold=True, caption=False, paced=False
    )
    with offscreen.context(SIZE), tempfile.TemporaryDirectory() as folder:
        from demo.render.gl import gl_context
        from demo.scenes.scenes import SCENES
        from demo.show.show import Show

        show = Show(options, *SIZE)
        show.seek(SCENES["cuts"].birth_s)

        def ours() -> None:
            show.draw()
            gl_context.finish()

        ours()
        files = Path(folder) / "world.npz", Path(folder) / "picture.npy"
        write_world(show, files[0])
        with article(*files) as frame:
            candidates = {"ours": ours, **{name: Clocked(lambda n=name: frame(n)) for name in LOOPS}}
            times = interleave(candidates, report.rounds(15))
        for name in LOOPS:
            report.compare("640x360, as printed", times, "ours", name, at_least=BAR if name == "calls alone" else None)
        _same_picture(report, show.read(), np.load(files[1]))
        report.figure("drawn by", gl_context.describe()["renderer"])
        show.close()
    report.note(
        "Ours is a whole frame of the show: patches by level of detail, sky, film curve, dither and the copy to the window."
    )
    report.note(
        "'article' computes the colour and position of each vertex as printed; 'calls alone' has them ready in Python lists."
    )


def write_world(show, path: Path) -> None:
    """Writes what the article's loop needs: unit positions and radii of the lattice, and the camera as a matrix."""
    from demo.flight.camera import projection, view_rotation

    prepared, scene = show.shot().current.prepared, show.shot().current.scene
    heights, n = prepared.ground.heights_m.astype(np.float64), prepared.samples
    # Both faces side by side, the meridian between them once: (parallels, meridians).
    radii = scene.size_m + np.concatenate([heights[0][:, :-1], heights[1]], axis=1)
    at = prepared.atlas.positions(n)
    units = np.concatenate([at[0][:, :-1], at[1]], axis=1)
    pose = prepared.flight.pose(show.shot().current.t)
    view = np.eye(4)
    view[:3, :3] = view_rotation(pose)
    view[:3, 3] = -view[:3, :3] @ pose.position
    away = float(np.linalg.norm(pose.position))
    camera = projection(pose, SIZE[0] / SIZE[1], 0.5 * (away - scene.size_m), away + scene.size_m).astype(np.float64) @ view
    np.savez(path, units=units, radii=radii, sea=scene.size_m, camera=camera)


@contextmanager
def article(world: Path, picture: Path) -> Iterator[Callable[[str], float]]:
    """A function that makes the child draw one frame by one of LOOPS and returns its seconds."""
    command = [sys.executable, "-m", "benchmarks.draw", str(world), str(picture)]
    root = Path(__file__).resolve().parents[1]
    with subprocess.Popen(command, cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as child:

        def frame(name: str) -> float:
            print(name, file=child.stdin, flush=True)
            return float(child.stdout.readline())

        yield frame
        child.stdin.close()


def _same_picture(report: Report, ours: np.ndarray, theirs: np.ndarray) -> None:
    """Compares both pictures. The article blends colours across a coast and ours are sharp, so a pixel may move by one."""
    planet = (ours.max(axis=-1) > 16) | (theirs.max(axis=-1) > 16)
    moved = [np.roll(theirs, (dy, dx), (0, 1)).astype(int) for dy in (-1, 0, 1) for dx in (-1, 0, 1)]
    apart = np.min([np.abs(ours - other).max(axis=-1) for other in moved], axis=0)[planet]
    share = float((apart > PLAIN).mean())
    value = f"{share:.1%}, the planet being {planet.mean():.0%} of the picture"
    report.figure("pixels of the planet unlike any near in the other", value, "under 2 %", share < 0.02)


# --- the article's loop ------------------------------------------------------------------------------------------------


def as_article(gl, units: list, radii: list, sea: float, highest: float) -> None:
    """One triangle strip over the whole planet; the colour and position of each vertex are computed in turn."""
    colour, vertex = gl.glColor3f, gl.glVertex3f
    gl.glBegin(gl.GL_TRIANGLE_STRIP)
    for j in range(len(radii) - 1):
        for i in range(len(radii[0])):
            for row in (j, j + 1):
                r = radii[row][i]
                if r <= sea:
                    r = sea
                    colour(*SEA)
                else:
                    t = (r - sea) / (highest - sea)
                    colour(0.455 * t, 0.39 * t + (1.0 - t), 0.196 * t)
                x, y, z = units[row][i]
                vertex(r * x, r * y, r * z)
    gl.glEnd()


def calls_alone(gl, strip: list) -> None:
    """The same calls with nothing to compute: as fast as Python can make them."""
    colour, vertex = gl.glColor3f, gl.glVertex3f
    gl.glBegin(gl.GL_TRIANGLE_STRIP)
    for r, g, b, x, y, z in strip:
        colour(r, g, b)
        vertex(x, y, z)
    gl.glEnd()


LOOPS = ("article", "calls alone")


def _strip(units: np.ndarray, radii: np.ndarray, sea: float) -> list:
    t = np.clip((radii - sea) / (radii.max() - sea), 0.0, 1.0)
    land = np.stack([0.455 * t, 0.39 * t + 1.0 - t, 0.196 * t], axis=-1)
    colours = np.where((radii <= sea)[..., None], SEA, land)
    vertices = np.concatenate([colours, units * np.maximum(radii, sea)[..., None]], axis=-1)
    return np.stack([vertices[:-1], vertices[1:]], axis=2).reshape(-1, 6).tolist()


def _child(world: str, picture: str) -> None:
    gl = _compatible_context()
    with np.load(world) as file:
        units, radii, sea, camera = file["units"], file["radii"], float(file["sea"]), file["camera"]
    strip, highest = _strip(units, radii, sea), float(radii.max())
    units, radii = units.tolist(), radii.tolist()
    loops = {"article": lambda: as_article(gl, units, radii, sea, highest), "calls alone": lambda: calls_alone(gl, strip)}
    gl.glEnable(gl.GL_DEPTH_TEST)
    gl.glViewport(0, 0, *SIZE)
    gl.glMatrixMode(gl.GL_PROJECTION)
    gl.glLoadMatrixd(camera.T.copy())

    def drawn(name: str) -> None:
        gl.glClear(gl.GL_COLOR_BUFFER_BIT | gl.GL_DEPTH_BUFFER_BIT)
        loops[name]()
        gl.glFinish()

    for line in sys.stdin:
        name = line.strip()
        seconds = seconds_of(lambda name=name: drawn(name))
        out = np.empty((SIZE[1], SIZE[0], 3), np.uint8)
        gl.glPixelStorei(gl.GL_PACK_ALIGNMENT, 1)
        gl.glReadPixels(0, 0, *SIZE, gl.GL_RGB, gl.GL_UNSIGNED_BYTE, out)
        np.save(picture, out[::-1])
        print(seconds, flush=True)


def _compatible_context():
    """PyOpenGL's functions for a context that still has glBegin; without error checks, which would cost one call each."""
    import os

    os.environ |= {"SDL_VIDEODRIVER": "offscreen", "PYGAME_HIDE_SUPPORT_PROMPT": "1", "PYOPENGL_PLATFORM": "egl"}
    import OpenGL
    import pygame

    OpenGL.ERROR_CHECKING = OpenGL.ERROR_LOGGING = False
    pygame.display.init()
    pygame.display.gl_set_attribute(pygame.GL_DEPTH_SIZE, 24)
    pygame.display.set_mode(SIZE, pygame.OPENGL | pygame.DOUBLEBUF)
    from OpenGL import GL

    return GL


if __name__ == "__main__":
    _child(*sys.argv[1:])
