"""Places and settings that a program does not count on: it works there, or says in one line why not."""

from __future__ import annotations

import errno
import os
import re
import shutil
import subprocess
import sys

import pytest
from PIL import Image
from support.program import ROOT, complaint, environment, landfall

pytestmark = pytest.mark.skipif(os.name != "posix", reason="shells and folders of POSIX")

GROW = "grow plasma '{out}.npz' --set cells=16"
STILL = "still '{out}.png' --size 32x16 --time 20 --set plasma.cells=32 --set plasma.carve=0 --quality software"


def shell(line, cwd, *, python=(), before="true", wrapper="", shell=("sh",), **changes):
    """The program's end. A shell does `before` and then reads the words `line`; a variable that is None is not set."""
    run = " ".join([wrapper, f"'{sys.executable}'", *python, f"'{ROOT / 'main.py'}'", line])
    kept = {name: value for name, value in environment(**changes).items() if value is not None}
    return subprocess.run(
        [*shell, "-c", f"{before} && {run}"], cwd=cwd, env=kept, capture_output=True, text=True, timeout=300
    )


def works(result, folder, name="a"):
    """Asserts that a picture or a world of that name was written, and nothing was said."""
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
    (path,) = folder.iterdir()
    assert path.stem == name
    if path.suffix == ".png":
        with Image.open(path) as picture:
            assert picture.size == (32, 16)


def test_the_readme_quotes_what_the_program_says():
    """Each piece of the messages in its section "When something goes wrong" is in the code, or is the system's."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    section = readme.partition("## When something goes wrong\n")[2].partition("\n## ")[0]
    seen = [row.split(" | ")[0] for row in section.splitlines() if row.startswith("| `")]
    messages = [message for words in seen for message in re.findall("`([^`]+)`", words)]
    code = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "demo").rglob("*.py")) + os.strerror(errno.ENOSPC)
    pieces = [piece.strip() for message in messages for piece in re.split(r"\.\.\.|FILE|0x|[()=:]", message)]
    assert len(messages) > 12 and "doctor" in section
    assert [piece for piece in pieces if piece and piece not in code] == []


@pytest.fixture
def out(tmp_path):
    """An empty folder for the output."""
    folder = tmp_path / "out"
    folder.mkdir()
    return folder


@pytest.mark.parametrize("line", [GROW, STILL], ids=["grow", "still"])
@pytest.mark.parametrize("python", [("-O",), ("-OO",), ("-I",), ("-P",)], ids=" ".join)
def test_ways_to_start_python(out, line, python):
    works(shell(line.format(out="a"), out, python=python), out)


def test_a_safe_path_reaches_the_compiling_children(out):
    code = (
        "import os, subprocess, sys; sys.path.insert(0, os.getcwd())\n"
        "from demo.process import environment; environment.prepare()\n"
        "subprocess.run([sys.executable, '-m', 'demo.process.environment'], check=True)\n"
    )
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=environment(PYTHONSAFEPATH="1"), check=True)
    works(shell(GROW.format(out="a"), out, PYTHONSAFEPATH="1"), out)


HOMES = {"none": None, "empty": "", "not there": "/dev/null/home", "not to be written": "/proc"}


@pytest.mark.parametrize("home", HOMES)
def test_homes_that_hold_no_cache(tmp_path, out, home):
    """The kernels go among the temporary files, and are found there by the next run."""
    (tmp_path / "tmp").mkdir()
    changes = {"HOME": HOMES[home], "XDG_CACHE_HOME": None, "NUMBA_CACHE_DIR": None, "TMPDIR": str(tmp_path / "tmp")}
    if home in ("none", "empty"):
        # The home that the system's table of users or "/" names would be used.
        changes["XDG_CACHE_HOME"] = "/proc"
    works(shell(GROW.format(out="a"), out, **changes), out)
    assert list((tmp_path / "tmp").glob("landfall-*/numba-*/**/*.nbc"))


LOCALES = {
    "plain": {"LC_ALL": "C"},
    "not installed": {"LC_ALL": "tr_TR.UTF-8"},
    "ASCII": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
}


@pytest.mark.parametrize("locale", LOCALES)
def test_locales(out, locale):
    works(shell(GROW.format(out="żółw"), out, **LOCALES[locale]), out, "żółw")
    assert "cannot write" in complaint(shell(GROW.format(out="żó/łw"), out, **LOCALES[locale]), 1)


def test_no_folder_for_temporary_files(out):
    works(shell(GROW.format(out="a"), out, TMPDIR="/dev/null/tmp"), out)


@pytest.mark.parametrize("name", ["with space", "żółw 龜", "-a", "'", "$HOME", "a.b", "x" * 200], ids=ascii)
def test_names_of_files(out, name):
    result = landfall("grow", "plasma", "--set", "cells=16", "--", f"{name}.npz", cwd=out)
    works(result, out, name)


def test_a_current_folder_that_is_gone(tmp_path, out):
    gone = tmp_path / "gone"
    gone.mkdir()
    before = f"cd '{gone}' && rmdir '{gone}'"
    works(shell(GROW.format(out=out / "a"), tmp_path, before=before), out)
    gone.mkdir()
    said = complaint(shell(GROW.format(out="a"), tmp_path, before=before), 1)
    assert said == "landfall: cannot write a.npz (No such file or directory): choose another place\n"


def root(*programs):
    """Skips the test without the rights, or where a program is not installed."""
    if os.geteuid() or not all(map(shutil.which, programs)):
        pytest.skip("only root can do that")


@pytest.mark.parametrize("line", [GROW, STILL], ids=["grow", "still"])
def test_without_a_network(out, line):
    root("unshare")
    works(shell(line.format(out="a"), out, wrapper="unshare -n"), out)


def mounted(commands, line, cwd):
    """The program's end after these commands, which mount something that this program alone sees."""
    root("unshare", "mount")
    return shell(line, cwd, before=" && ".join(commands), shell=("unshare", "-m", "sh"))


@pytest.mark.parametrize("line", [GROW, STILL], ids=["grow", "still"])
def test_a_checkout_that_cannot_be_written(out, line):
    mounts = (f"mount --bind '{ROOT}' '{ROOT}'", f"mount -o remount,bind,ro '{ROOT}'", f"! touch '{ROOT}/x' 2>/dev/null")
    works(mounted(mounts, line.format(out="a"), out), out)


def test_a_folder_for_output_that_cannot_be_written(tmp_path, out):
    said = complaint(mounted([f"mount -t tmpfs -o ro tmpfs '{out}'"], GROW.format(out=out / "a"), tmp_path), 1)
    assert f"(the folder {out} is read-only)" in said


@pytest.mark.parametrize("kind", ["a folder", "a pipe", "a device", "a name too long"])
def test_places_that_are_no_files(out, kind):
    name = "n" * 300 + ".npz" if kind == "a name too long" else "a.npz"
    if kind == "a device":
        (out / "a.npz").symlink_to("/dev/full")
    if kind == "a folder":
        (out / "a.npz").mkdir()
    if kind == "a pipe":
        os.mkfifo(out / "a.npz")
    before = sorted(out.iterdir())
    assert "cannot write" in complaint(landfall("grow", "plasma", name, "--set", "cells=16", cwd=out), 1)
    assert sorted(out.iterdir()) == before
