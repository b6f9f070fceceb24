"""The process environment: defaults that give way to the user's, and a cache for code that nobody else can write."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
from support.program import landfall

from demo.process import environment

ROOT = Path(__file__).resolve().parents[2]
posix = pytest.mark.skipif(os.name != "posix", reason="owners and modes are POSIX's")


@pytest.fixture
def home(tmp_path, monkeypatch):
    """An empty home and folder for temporary files; returns the folder that holds both."""
    import tempfile

    for name in ("home", "tmp"):
        (tmp_path / name).mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    monkeypatch.setattr(tempfile, "tempdir", None)
    for name in ("MESA_SHADER_CACHE_DIR", "MESA_SHADER_CACHE_DISABLE"):
        # Set first, so that the end of the test takes away what `prepare` sets.
        monkeypatch.setenv(name, "")
        monkeypatch.delenv(name)
    for name in ("XDG_CACHE_HOME", "NUMBA_CACHE_DIR", "OMP_WAIT_POLICY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    return tmp_path


def test_sets_defaults_once(home):
    environment.prepare()
    first = dict(os.environ)
    environment.prepare()
    assert dict(os.environ) == first
    assert os.environ["OMP_WAIT_POLICY"] == "passive"
    assert Path(os.environ["NUMBA_CACHE_DIR"]).is_relative_to(home / "home" / ".cache" / "landfall")


def test_gives_way_to_the_user(home, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", "/mine")
    monkeypatch.setenv("OMP_WAIT_POLICY", "active")
    environment.prepare()
    assert os.environ["NUMBA_CACHE_DIR"] == "/mine"
    assert os.environ["OMP_WAIT_POLICY"] == "active"
    assert not (home / "home" / ".cache").exists()


@posix
def test_a_named_folder_that_everybody_can_write_is_not_used(home, monkeypatch, capsys):
    """Nor one behind a link to it."""
    (home / "shared").mkdir()
    (home / "shared").chmod(0o777)
    (home / "link").symlink_to(home / "shared")
    for name in ("shared", "link"):
        monkeypatch.setenv("NUMBA_CACHE_DIR", str(home / name))
        environment.prepare()
        used = Path(os.environ["NUMBA_CACHE_DIR"])
        assert used.is_relative_to(home / "home" / ".cache" / "landfall") and environment.is_private(used)
        said = capsys.readouterr().err
        assert said.startswith(f"landfall: others can write NUMBA_CACHE_DIR={home / name}") and str(used) in said
        assert said.count("\n") == 1
        # What is in the environment now is the private folder, for child processes too.
        environment.prepare()
        assert os.environ["NUMBA_CACHE_DIR"] == str(used) and capsys.readouterr().err == ""


@posix
@pytest.mark.parametrize("mode", [0o700, 0o755, 0o775])
def test_a_named_folder_of_ones_own_is_used(home, monkeypatch, capsys, mode):
    (home / "own").mkdir()
    (home / "own").chmod(mode)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(home / "own"))
    environment.prepare()
    assert os.environ["NUMBA_CACHE_DIR"] == str(home / "own") and capsys.readouterr().err == ""


@pytest.mark.skipif(os.name != "posix" or os.getuid() != 0, reason="only root can give a folder away")
def test_a_named_folder_of_somebody_else_is_not_used(home, monkeypatch, capsys):
    (home / "theirs").mkdir()
    os.chown(home / "theirs", 12345, -1)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(home / "theirs"))
    environment.prepare()
    assert Path(os.environ["NUMBA_CACHE_DIR"]).is_relative_to(home / "home")
    assert capsys.readouterr().err.count("\n") == 1


@posix
def test_what_a_folders_name_does_to_a_terminal_is_not_said(home, monkeypatch, capsys):
    strange = home / "a\x1b[31m\nb"
    strange.mkdir()
    strange.chmod(0o777)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(strange))
    environment.prepare()
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and "\x1b" not in said


def test_an_empty_name_is_no_name(home, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", "")
    environment.prepare()
    assert Path(os.environ["NUMBA_CACHE_DIR"]).is_relative_to(home / "home")


@posix
def test_the_cache_is_private_even_under_an_open_umask(home):
    before = os.umask(0)
    try:
        folder = environment.kernel_cache()
    finally:
        os.umask(before)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE(folder.parent.stat().st_mode) == 0o700


def test_follows_the_base_directory_specification(home, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(home / "elsewhere"))
    assert environment.kernel_cache().is_relative_to(home / "elsewhere" / "landfall")
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert environment.cache_home() == home / "home" / ".cache"


@pytest.mark.parametrize(
    ("platform", "variable", "expected"), [("darwin", "", "home/Library/Caches"), ("win32", "local", "local")]
)
def test_other_systems(home, monkeypatch, platform, variable, expected):
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setenv("LOCALAPPDATA", str(home / variable))
    assert environment.cache_home() == home / expected


def test_a_home_that_cannot_be_written_is_replaced(home):
    # A file in the place of the folder fails for root too, whom no mode of a folder stops.
    (home / "home" / ".cache").write_text("")
    folder = environment.kernel_cache()
    assert folder.is_relative_to(home / "tmp")
    assert environment.kernel_cache() == folder, "the next start must find the compiled kernels again"


def test_shaders_are_kept_beside_kernels_where_the_home_cannot_keep_them(home, monkeypatch):
    """Otherwise Mesa complains on stderr."""
    pwd = pytest.importorskip("pwd")
    account = SimpleNamespace(pw_dir=str(home / "home"))
    monkeypatch.setattr(pwd, "getpwuid", lambda number: account)
    environment.prepare()
    assert "MESA_SHADER_CACHE_DIR" not in os.environ
    # The account's own folder counts for Mesa, whatever HOME says.
    account.pw_dir = "/nonexistent"
    monkeypatch.delenv("NUMBA_CACHE_DIR")
    environment.prepare()
    assert Path(os.environ.pop("MESA_SHADER_CACHE_DIR")).is_relative_to(home / "home")
    monkeypatch.delenv("NUMBA_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", "/dev/null/caches")
    environment.prepare()
    assert Path(os.environ["MESA_SHADER_CACHE_DIR"]).is_relative_to(home / "tmp")
    assert "MESA_SHADER_CACHE_DISABLE" not in os.environ


@posix
def test_a_cache_that_others_can_write_is_not_used(home):
    shared = home / "home" / ".cache" / "landfall"
    shared.mkdir(parents=True)
    shared.chmod(0o777)
    assert environment.kernel_cache().is_relative_to(home / "tmp")


@posix
def test_a_link_in_the_place_of_the_cache_is_not_followed(home):
    (home / "target").mkdir(mode=0o700)
    (home / "home" / ".cache").mkdir()
    (home / "home" / ".cache" / "landfall").symlink_to(home / "target")
    assert environment.kernel_cache().is_relative_to(home / "tmp")
    assert not list((home / "target").iterdir())


@posix
def test_a_name_taken_by_others_is_left_alone(home):
    (home / "home" / ".cache").write_text("")
    taken = home / "tmp" / f"landfall-{os.getuid()}"
    taken.mkdir()
    taken.chmod(0o777)
    folder = environment.kernel_cache()
    assert folder.parent == home / "tmp" and folder != taken
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


@posix
def test_a_throwaway_cache_dies_with_its_process(home):
    """As it is when neither the home folder nor the usual name among temporary files can be had."""
    (home / "home" / ".cache").write_text("")
    (home / "tmp" / f"landfall-{os.getuid()}").write_text("")
    code = "from demo.process import environment; print(environment.kernel_cache())"
    result = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert Path(result.stdout.strip()).is_relative_to(home / "tmp")
    assert not Path(result.stdout.strip()).exists()


def test_other_kernels_mean_another_cache(home, monkeypatch):
    first = environment.kernel_cache()
    monkeypatch.setattr(environment, "KERNEL_SOURCES", ("worlds/atlas.py",))
    assert environment.kernel_cache() != first


def test_only_what_is_long_unused_is_dropped(home, monkeypatch):
    old, recent = environment.kernel_cache(), None
    month = time.time() - 2 * environment.STALE_AFTER_S
    monkeypatch.setattr(environment, "KERNEL_SOURCES", ("worlds/atlas.py",))
    recent = environment.kernel_cache()
    os.utime(old, (month, month))
    monkeypatch.setattr(environment, "KERNEL_SOURCES", ("worlds/growth.py",))
    used = environment.kernel_cache()
    assert sorted(used.parent.iterdir()) == sorted([recent, used])


def test_main_is_readable_by_old_pythons():
    """What main.py says to a Python that is too old, it must be able to say there."""
    import ast

    parsed = ast.parse((ROOT / "main.py").read_text(encoding="utf-8"), feature_version=(3, 4))
    assert any(isinstance(part, ast.FunctionDef) and part.name == "main" for part in parsed.body)


def test_an_old_python_is_told_in_one_line(monkeypatch, capsys):
    import main

    monkeypatch.setattr(main, "OLDEST", (99, 0))
    assert main.main([]) == 1
    error = capsys.readouterr().err
    assert error.startswith("landfall: this is Python") and error.count("\n") == 1


@pytest.mark.parametrize("value", ["", "abc"])
def test_what_numba_cannot_read_is_left_out_in_silence(tmp_path, value):
    """numba would warn of it with a traceback, a dozen lines."""
    done = landfall("grow", "plasma", str(tmp_path / "out.npz"), "--set", "cells=4", NUMBA_DEBUG_CACHE=value)
    assert done.returncode == 0 and done.stderr == "", done.stderr


@pytest.mark.parametrize("named", ["0", "-1", "2.5", "many", "9" * 30])
def test_what_is_no_number_of_threads_is_said_once_and_not_used(home, monkeypatch, capsys, named):
    monkeypatch.setenv("NUMBA_NUM_THREADS", named)
    environment.prepare()
    assert "NUMBA_NUM_THREADS" not in os.environ
    said = capsys.readouterr().err
    assert said.startswith(f"landfall: NUMBA_NUM_THREADS={named} is no number of threads") and said.count("\n") == 1
    environment.prepare()
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("named", ["1", " 2", "64"])
def test_a_number_of_threads_is_the_users(home, monkeypatch, capsys, named):
    monkeypatch.setenv("NUMBA_NUM_THREADS", named)
    environment.prepare()
    assert os.environ["NUMBA_NUM_THREADS"] == named and capsys.readouterr().err == ""
