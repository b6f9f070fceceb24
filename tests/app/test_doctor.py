"""`doctor`: it sees what is damaged, mends it when asked to, and tells strangers nothing that is private."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support.damage import harm
from support.program import PATIENCE_S, ROOT, environment, landfall

from demo.app import kernel_check
from demo.app.privacy import without_names
from demo.app.report import Report
from demo.process import checked_files, kernel_folder

# A kernel of the package that is compiled in no time.
FILL = "import numpy as np; from demo.worlds.kernels import hash64; hash64(np.uint64(1), np.uint64(2))"
# The generator with the smallest kernels stands for all of them.
ONE_SCENE = """
import sys
from demo.process import environment
environment.prepare()
from demo.scenes import scenes
scenes.ROTATION = ("plasma",)
from demo.app import cli
sys.exit(cli.main(["doctor", "--fix"]))
"""


def python(text: str, cache: Path) -> subprocess.CompletedProcess[str]:
    command, where = [sys.executable, "-c", text], environment(NUMBA_CACHE_DIR=str(cache))
    return subprocess.run(command, cwd=ROOT, env=where, capture_output=True, text=True, timeout=PATIENCE_S)


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    """A cache with one kernel of the package, without numba's runtime, which is kept with the first one."""
    folder = tmp_path_factory.mktemp("filled")
    folder.chmod(0o700)
    result = python(FILL, folder)
    assert result.returncode == 0, result.stderr
    runtime = list(folder.rglob("*_runtime*"))
    assert len(runtime) == 2 and all(checked_files.is_whole(str(path)) for path in runtime)
    for path in runtime:
        path.unlink()
    return folder


@pytest.fixture
def cache(filled, tmp_path, monkeypatch):
    """A copy of `filled` that is in use, and in it the kernel of another program."""
    shutil.copytree(filled, tmp_path / "cache")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    others = tmp_path / "cache" / "worlds_0123456789012345678901234567890123456789"
    others.mkdir()
    (others / "theirs.nbi").write_bytes(b"what another program keeps here")
    return tmp_path / "cache"


def checked():
    """What `doctor` finds in the cache."""
    report = Report()
    kernel_check.check(report)
    return report


def test_a_whole_cache_is_all_well(cache, capsys):
    report = checked()
    assert not report.wrong and not report.notes
    assert "2 files" in (said := capsys.readouterr().out) and "all whole" in said and str(cache) in said


@pytest.mark.parametrize("damage", ["emptied", "halved", "bit at 0.5"])
def test_damaged_files_are_named(cache, capsys, damage):
    path = kernel_folder.kernels()[0]
    harm(path, damage)
    (wrong,) = checked().wrong
    assert path.name in wrong and "doctor --fix" in wrong and "1 of them damaged" in capsys.readouterr().out
    assert path.exists(), "it looks and changes nothing"
    for other in kernel_folder.kernels()[1:]:
        harm(other, damage)
    assert all(other.name in checked().wrong[0] for other in kernel_folder.kernels())


def test_files_that_were_set_aside_are_a_note(cache):
    path = kernel_folder.kernels()[0]
    shutil.copy(path, f"{path}{checked_files.DAMAGED}")
    report = checked()
    assert not report.wrong and path.name in report.notes[0]


def test_no_folder_and_one_that_cannot_be_written_are_notes(tmp_path, monkeypatch):
    """The show can run: each start compiles for itself."""
    monkeypatch.delenv("NUMBA_CACHE_DIR")
    assert not checked().wrong and "NUMBA_CACHE_DIR" in checked().notes[0]
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    assert not checked().wrong and "cannot be written" in checked().notes[0]


def test_clearing_removes_all_of_ours_and_nothing_else(cache):
    path = kernel_folder.kernels()[0]
    for ending in (checked_files.DAMAGED, ".tmp.123-456"):
        shutil.copy(path, f"{path}{ending}")
    (cache / "kernels-plasma-0123456789abcdef").touch()
    (cache / "mine.txt").touch()
    assert kernel_folder.clear() == 4
    assert sorted(path.name for path in cache.rglob("*") if path.is_file()) == ["mine.txt", "theirs.nbi"]


def test_doctor_says_it_and_mends_it(cache):
    harm(kernel_folder.kernels()[0], "halved")
    result = landfall("doctor", NUMBA_CACHE_DIR=str(cache))
    assert result.returncode == 1 and "\nWRONG" in result.stdout and "all is well" not in result.stdout
    assert "\nOpenGL renderer" in result.stdout
    assert result.stderr == "landfall: something is wrong here: see the lines that say WRONG\n"
    result = python(ONE_SCENE, cache)
    assert result.returncode == 0 and result.stderr == "", result
    assert "\ncleared               2 files" in result.stdout and "\ncompiled              plasma" in result.stdout
    assert "\nall is well" in result.stdout
    assert any("plasma" in path.parent.name for path in kernel_folder.kernels()) and not kernel_folder.damaged()


def test_a_report_names_nobody(tmp_path):
    home = tmp_path / "Zaphod Beeble-Brox"
    home.mkdir()
    names = {"USER": "zaphod", "LOGNAME": "zaphod.b", "HOSTNAME": "heart-of-gold.example", "HOME": str(home)}
    more = {"XDG_CACHE_HOME": str(home / "caches"), "NUMBA_NUM_THREADS": "2", "SDL_AUDIODRIVER": f"{home}/lib of zaphod"}
    result = landfall("doctor", "--report", **names, **more, NUMBA_CACHE_DIR="")
    assert result.returncode == 0 and result.stderr == "", result
    said = result.stdout
    for private in ("zaphod", "beeble", "heart-of-gold", str(tmp_path), str(ROOT)):
        assert private.lower() not in said.lower(), private
    node = platform.node()
    assert node in ("", "localhost") or f" {node} " not in said.replace("\n", " ")
    for name in ("Landfall", "Python", "processor", "numba", "kernel cache", "OpenGL renderer", "setting", "kernel sources"):
        assert f"\n{name}" in "\n" + said
    assert "~/caches/landfall" in said and "NUMBA_NUM_THREADS=2" in said and "SDL_AUDIODRIVER=~/lib of USER" in said


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("/home/ann/x and /home/ann", "~/x and ~"),
        ("/home/anna/x", "~/x"),
        ("/Users/bob/Library", "~/Library"),
        (r"C:\Users\bob\AppData", r"~\AppData"),
        ("ann@box:ann", "USER@HOST:USER"),
        ("annex, an box.lan", "annex, an HOST"),
        ("BOX:10.0", "HOST:10.0"),
        (f"{ROOT}/demo", "<landfall>/demo"),
        ("1280x720 /usr/lib", "1280x720 /usr/lib"),
    ],
)
def test_what_is_private_is_replaced(monkeypatch, text, cleaned):
    monkeypatch.setattr(platform, "node", lambda: "box.lan")
    for name, value in {"HOME": "/home/ann", "USER": "ann", "LOGNAME": "ann"}.items():
        monkeypatch.setenv(name, value)
    assert without_names()(text) == cleaned


def test_a_home_that_is_the_root_of_all_folders_hides_nothing(monkeypatch):
    monkeypatch.setenv("HOME", "/")
    assert without_names()("/usr/lib") == "/usr/lib"


def test_what_mesa_says_of_a_driver_that_is_not_there_is_not_on_stderr(tmp_path):
    result = landfall("doctor", GALLIUM_DRIVER="garbage", NUMBA_CACHE_DIR=str(tmp_path))
    assert result.returncode in (0, 1) and "OpenGL" in result.stdout and "EGL" not in result.stderr
