"""The compiler: its children are stopped, wait for nobody, hold nobody up, and die with their parent."""

from __future__ import annotations

import os
import select
import subprocess
import sys
from pathlib import Path

import pytest
from support.showing import QUALITY, TOO_LONG_S

from demo.process.compiler import Compiler

PRECOMPILER = "demo.app.precompile"
ROOT = Path(__file__).resolve().parents[2]


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
    cold.start_kernels(["cuts"])
    for child in children:
        child.kill()
    assert cold.busy
    cold.wait_for("cuts")
    cold.wait_for("plasma")
    assert not cold.busy


def test_what_has_been_compiled_is_not_compiled_again(cold, children):
    cold.start_kernels(["plasma"])
    assert cold.busy
    children[0].wait(TOO_LONG_S)
    again = Compiler(PRECOMPILER)
    again.start_kernels(["plasma"])
    assert not again.busy


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
