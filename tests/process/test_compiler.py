"""The compiler: its children are stopped, wait for nobody, hold nobody up, and die with their parent."""

from __future__ import annotations

import os
import select
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from support.compiling import PROGRAM, obedient
from support.hosting import until
from support.showing import QUALITY, TOO_LONG_S

from demo.process.compiler import Compiler

PRECOMPILER = "demo.app.precompile"
ROOT = Path(__file__).resolve().parents[2]
# Of all tests; `cold` names another.
CACHE = Path(os.environ["NUMBA_CACHE_DIR"])


@pytest.fixture
def children(monkeypatch):
    """The processes that have been started since."""
    started, real = [], subprocess.Popen

    def popen(*words, **given):
        started.append(real(*words, **given))
        return started[-1]

    monkeypatch.setattr(subprocess, "Popen", popen)
    return started


@pytest.fixture
def cold(monkeypatch, tmp_path):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.delenv("NUMBA_DISABLE_JIT", raising=False)
    compiler = Compiler(PRECOMPILER)
    yield compiler
    compiler.stop()


@pytest.fixture
def nursery(tmp_path):
    """A compiler whose children are ready when the test says so."""
    with obedient(tmp_path) as children:
        yield children


def _others(folder: str, names: list[str]) -> list[str]:
    """What is no kernel: files that say what has been compiled, and those that are being written."""
    return [name for name in names if (Path(folder) == CACHE and "_" not in name) or ".tmp." in name]


def test_stop_ends_the_children(cold, children):
    cold.start_kernels(["cuts"])
    assert children
    cold.stop()
    assert all(child.poll() is not None for child in children)
    cold.stop()


def test_after_stop_no_child_is_started(cold, children):
    cold.stop()
    cold.start_kernels(["cuts"])
    assert not children and not cold.busy


def test_a_stop_while_children_are_being_started(cold, monkeypatch):
    """The main thread may stop while the worker is about to start them."""
    started, real = [], subprocess.Popen

    def popen(*words, **given):
        started.append(real(*words, **given))
        cold.stop()
        return started[-1]

    monkeypatch.setattr(subprocess, "Popen", popen)
    cold.start_kernels(["cuts"])
    assert started and all(child.poll() is not None for child in started)


def test_a_child_that_dies_holds_nobody_up(cold, children):
    heard = threading.Event()
    cold.listen(heard.set)
    cold.start_kernels(["cuts"])
    for child in children:
        child.kill()
    assert cold.busy and not cold.is_ready("cuts")
    heard.wait(TOO_LONG_S)
    assert not cold.busy and cold.is_ready("cuts") and cold.is_ready("plasma")


def test_what_has_been_compiled_is_not_compiled_again(cold, children, tmp_path):
    # The child finds the kernels of other tests: what it has written is asked for, and not how.
    shutil.copytree(CACHE, tmp_path, ignore=_others, dirs_exist_ok=True)
    cold.start_kernels(["plasma"])
    assert cold.busy
    children[0].wait(TOO_LONG_S)
    again = Compiler(PRECOMPILER)
    again.start_kernels(["plasma"])
    assert not again.busy


# --- who is served -----------------------------------------------------------------------------------------------------


def test_one_scene_after_another_and_never_again(nursery):
    nursery.compiler.start_kernels(["a", "b"])
    child = nursery.next()
    for scene in ("a", "b"):
        assert child.told() == scene and not nursery.compiler.is_ready(scene)
        child.ready()
        nursery.until(lambda scene=scene: nursery.compiler.is_ready(scene))
    assert child.told() == ""
    nursery.until(lambda: not nursery.compiler.busy)
    again = Compiler("nobody")
    again.start_kernels(["a", "b"])
    assert not again.busy


@pytest.mark.skipif(not hasattr(os, "getpriority"), reason="there is no niceness here")
def test_a_start_does_not_wait_for_scenes_that_were_ready_before(nursery):
    """The start before was ended while it compiled. What is left is nobody's wish, and gives way."""
    nursery.compiler.start_shaders("low", ["a", "a in other looks", "b"])
    child = nursery.next()
    for scene in ("a", "a in other looks"):
        assert child.told() == scene
        child.ready()
    assert child.told() == "b"
    nursery.compiler.stop()
    again = Compiler(PROGRAM)
    try:
        again.want("a", urgent=True)
        again.start_shaders("low", ["b", "a", "a in other looks"])
        child = nursery.next()
        assert again.is_ready("a") and again.left() == ["b"] and not again.is_ready("b")
        assert child.told() == "b" and child.nice == min(os.getpriority(os.PRIO_PROCESS, 0) + 10, 19)
        again.want("b", urgent=True)
        assert nursery.next().told() == "b"
    finally:
        again.stop()


def test_scenes_that_were_not_asked_for_are_not_taken_for_compiled(nursery):
    nursery.compiler.start_kernels(["a"])
    child = nursery.next()
    assert child.told() == "a"
    child.ready()
    nursery.until(lambda: not nursery.compiler.busy)
    again = Compiler(PROGRAM)
    try:
        again.start_kernels(["a", "b"])
        assert nursery.next().told() == "b"
    finally:
        again.stop()


def test_a_scene_is_ready_when_kernels_and_shaders_are(nursery):
    nursery.compiler.start_kernels(["a"])
    nursery.compiler.start_shaders("low", ["a"])
    kernels, shaders = nursery.both()
    assert kernels.words == ["kernels"] and shaders.words == ["shaders", "low"]
    assert kernels.told() == shaders.told() == "a"
    kernels.ready()
    assert kernels.told() == "" and not nursery.compiler.is_ready("a")
    shaders.ready()
    nursery.until(lambda: nursery.compiler.is_ready("a"))


def test_the_newest_wish_is_compiled_at_once(nursery):
    """What is under way for another scene is given up, and taken up again in the end."""
    nursery.compiler.start_kernels(["a", "b", "c", "d"])
    first = nursery.next()
    assert first.told() == "a"
    nursery.compiler.want("c", urgent=True)
    second = nursery.next()
    assert first.told() == "" and second.told() == "c"
    nursery.compiler.want("d", urgent=True)
    third = nursery.next()
    assert second.told() == ""
    told = []
    while scene := third.told():
        told.append(scene)
        third.ready()
    assert told == ["d", "c", "a", "b"]


def test_who_waits_already_is_not_held_up_by_asking_again(nursery):
    nursery.compiler.start_kernels(["a", "b"])
    child = nursery.next()
    nursery.compiler.want("a", urgent=True)
    nursery.compiler.want("a", urgent=True)
    assert child.told() == "a"
    child.ready()
    assert child.told() == "b"


def test_what_nobody_waits_for_comes_next_but_stops_nothing(nursery):
    nursery.compiler.start_kernels(["a", "b", "c"])
    child = nursery.next()
    assert child.told() == "a"
    nursery.compiler.want("c", urgent=False)
    child.ready()
    assert child.told() == "c"


def test_a_wish_before_the_child_is_started(nursery):
    nursery.compiler.want("b", urgent=True)
    nursery.compiler.start_kernels(["a", "b"])
    child = nursery.next()
    assert child.told() == "b"
    child.ready()
    assert child.told() == "a"


@pytest.mark.skipif(not hasattr(os, "getpriority"), reason="there is no niceness here")
def test_a_child_gives_way_once_and_only_when_nobody_waits(nursery):
    own = os.getpriority(os.PRIO_PROCESS, 0)
    nice = min(own + 10, 19)
    nursery.compiler.start_kernels(["a", "b", "c", "d"])
    child = nursery.next()
    assert child.told() == "a" and child.nice == own
    child.ready()
    for scene in ("b", "c"):
        assert child.told() == scene and child.nice == nice
        child.ready()
    assert child.told() == "d"
    # Somebody waits for what a nice child has begun: another one does it.
    nursery.compiler.want("d", urgent=True)
    assert child.told() == ""
    child = nursery.next()
    assert child.told() == "d" and child.nice == own
    nursery.compiler.want(None, urgent=False)
    assert child.nice == nice
    child.ready()
    assert child.told() == ""


def test_a_child_that_fails_says_why_once_and_holds_nobody_up(nursery, capfd):
    nursery.compiler.start_kernels(["a", "b"])
    child = nursery.next()
    assert child.told() == "a"
    child.fail()
    nursery.until(lambda: not nursery.compiler.busy)
    assert nursery.compiler.is_ready("a") and nursery.compiler.is_ready("b")
    nursery.compiler.want("b", urgent=True)
    assert capfd.readouterr().err == "landfall: a planted\\x1b[2J failure\n"


def test_a_child_that_is_given_up_says_nothing(nursery, capfd):
    nursery.compiler.start_kernels(["a", "b"])
    child = nursery.next()
    assert child.told() == "a"
    nursery.compiler.want("b", urgent=True)
    assert child.told() == "" and nursery.next().told() == "b"
    nursery.compiler.stop()
    assert capfd.readouterr().err == ""


def test_no_child_at_all(monkeypatch, cold):
    """As where there are too many processes already."""

    def refused(*words, **given):
        raise BlockingIOError("resource temporarily unavailable")

    monkeypatch.setattr(subprocess, "Popen", refused)
    cold.start_kernels(["a"])
    assert not cold.busy and cold.is_ready("a")


# --- the end -----------------------------------------------------------------------------------------------------------


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="awaiting another process's child takes Linux's pidfd")
def test_children_die_with_their_parent(tmp_path):
    """Killed, so that the parent can do nothing about it."""
    text = f"""if True:
        import sys
        import subprocess
        started, real = [], subprocess.Popen
        subprocess.Popen = lambda *words, **given: started.append(real(*words, **given)) or started[-1]
        from demo.process import environment
        environment.prepare()
        from demo.scenes.scenes import ROTATION
        from demo.process.compiler import Compiler
        compiler = Compiler("{PRECOMPILER}")
        compiler.start_kernels(list(ROTATION))
        compiler.start_shaders("{QUALITY.name}", list(ROTATION))
        print(*[child.pid for child in started], flush=True)
        sys.stdin.read()
    """
    where = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen([sys.executable, "-c", text], cwd=ROOT, env=where, **pipes) as parent:
        children = [os.pidfd_open(int(word)) for word in parent.stdout.readline().split()]
        assert children
        assert len(select.select(children, [], [], 0)[0]) < len(children), "at least the kernels are still being compiled"
        parent.kill()
        for child in children:
            assert select.select([child], [], [], TOO_LONG_S)[0], "a child lives on"
            os.close(child)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere it ends when its standard input closes")
def test_a_child_does_not_wait_for_its_pipe_to_close(tmp_path):
    """Of a parent that is killed that is the last thing to happen."""
    text = f"""if True:
        import subprocess, sys
        child = subprocess.Popen([sys.executable, "-m", "{PRECOMPILER}", "kernels"], stdin=0)
        print(child.pid, flush=True)
        child.wait()
    """
    where = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    reader, writer = os.pipe()
    with subprocess.Popen([sys.executable, "-c", text], cwd=ROOT, env=where, stdin=reader, stdout=subprocess.PIPE) as parent:
        try:
            child = os.pidfd_open(int(parent.stdout.readline()))
            os.write(writer, b"plasma\n")
            # It has begun when it writes the first kernel that it has compiled.
            until(lambda: any(tmp_path.rglob("*.nbc")), "the first kernel")
            parent.kill()
            assert select.select([child], [], [], TOO_LONG_S)[0], "the child lives on"
            os.close(child)
        finally:
            parent.kill()
            os.close(reader)
            os.close(writer)
