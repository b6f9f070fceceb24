"""The rehearsal of a scene compiles all that its story needs, and says so when it fails."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pytest
from support.program import ROOT
from support.showing import nothing_filled, showing

from demo.hosts import offscreen
from demo.scenes.scenes import SCENES
from demo.tables.quality import QUALITIES

pytestmark = pytest.mark.usefixtures("plain_flights")

SIZE = (48, 27)
# Seconds after the birth at which detail, clouds, towns and rings come in.
COMING_IN_S = 0.02, 0.5, 2.0, 4.5
# Seconds between the moments that are looked at elsewhere.
STEP_S = 2.5
# Seconds of a melt before the end of a story, and moments around that end: some worlds flow on into the next one.
MELT_S = 3.0
AROUND_END_S = -3.1, -2.9, -2.4, -1.5, -0.5, 0.5, 1.5, 2.5
# A terrain, a cube around a world and a double cone: what is drawn at the finer qualities differs by atlas.
FINE = "plasma", "simplex", "map"


@contextmanager
def compiled() -> Iterator[set[str]]:
    """The texts of all shaders that are compiled inside the block. A driver that knows a text compiles nothing."""
    from demo.render.gl import opengl as GL

    texts: set[str] = set()
    with pytest.MonkeyPatch.context() as patch:
        given = GL.glShaderSource
        patch.setattr(GL, "glShaderSource", lambda shader, text: texts.add(text) or given(shader, text))
        yield texts


def switches(texts: set[str]) -> list[str]:
    """The `#define`s of each text, to tell them apart."""
    return sorted(" ".join(line[8:] for line in text.splitlines() if line.startswith("#define")) for text in texts)


def moments(scene) -> list[float]:
    """Times of a story, in order."""
    end = scene.birth_s + scene.flight_s
    coming_in = [scene.birth_s + more for more in COMING_IN_S]
    return sorted({scene.birth_s, *coming_in, *np.arange(0.0, end - MELT_S, STEP_S).tolist()})


@pytest.mark.parametrize(
    ("name", "quality"), [*((name, "software") for name in SCENES), *((name, "medium") for name in FINE)]
)
def test_nothing_is_compiled_after_the_rehearsal(name, quality):
    """Over a whole story."""
    with offscreen.context(SIZE), nothing_filled():
        from demo.show.rehearsal import rehearse

        with compiled() as rehearsed:
            rehearse(SCENES[name], QUALITIES[quality])
        with compiled() as needed, showing(SIZE, scene=name, quality=quality, hold=True) as show:
            for seconds in moments(SCENES[name]):
                show.seek(seconds)
                show.draw()
    assert needed and not switches(needed - rehearsed)


@pytest.mark.parametrize("name", SCENES)
def test_nothing_is_compiled_while_one_world_turns_into_another(name):
    """By melting, or by flowing from one land into the other."""
    end, seen, melting = SCENES[name].birth_s + SCENES[name].flight_s, set(), 0
    with offscreen.context(SIZE), nothing_filled():
        from demo.show.rehearsal import rehearse

        with compiled() as needed, showing(SIZE, scene=name, quality="software") as show:
            for more in AROUND_END_S:
                show.seek(end + more)
                show.draw()
                shot = show.shot()
                seen |= {story.scene.name for story in (shot.current, shot.coming) if story}
                melting += bool(shot.melt)
        with compiled() as rehearsed:
            for other in seen:
                rehearse(SCENES[other], QUALITIES["software"])
    assert len(seen) > 1 and melting > 3
    assert needed and not switches(needed - rehearsed)


FAILING = """
import sys
from demo.hosts import offscreen
from demo.process import environment
environment.prepare()
with offscreen.context():
    from demo.render.gl import shaders
shaders.VERSION_LINE = "#version 999 core\\n"
from demo.app import precompile
sys.argv[1:] = ["shaders", "low"]
precompile.main()
"""


def test_a_rehearsal_that_fails_says_so():
    command = [sys.executable, "-c", FAILING]
    child = subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        child.stdin.write("plasma\n")
        child.stdin.flush()
        out, said = child.stdout.read(), child.stderr.read()
    finally:
        child.communicate()
    assert child.returncode == 1 and out == ""
    [line] = said.splitlines()
    assert line.startswith("landfall: shaders cannot be compiled ahead: ") and "version" in line
