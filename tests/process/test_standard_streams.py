"""The standard streams: closed, full, or in an encoding that lacks what is printed."""

from __future__ import annotations

import itertools
import os
import pty
import subprocess
import sys

import pytest
from support.program import ROOT, complaint, environment

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the shell's way to close streams")

PROGRAM = f"'{sys.executable}' '{ROOT / 'main.py'}'"
GROW = "grow plasma a.npz --set cells=16"
CLOSED = [chosen for count in (1, 2, 3) for chosen in itertools.combinations(("<&-", ">&-", "2>&-"), count)]


def shell(words, cwd=None, **changes):
    """What the program does when a shell starts it so."""
    run = ["sh", "-c", f"{PROGRAM} {words}"]
    return subprocess.run(run, cwd=cwd, env=environment(**changes), capture_output=True, text=True, timeout=120)


@pytest.mark.parametrize("closed", CLOSED, ids=" ".join)
def test_closed_streams_change_nothing(tmp_path, closed):
    result = shell(f"{GROW} {' '.join(closed)}", tmp_path)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
    assert [path.name for path in tmp_path.iterdir()] == ["a.npz"]


@pytest.mark.parametrize("words", ["scenes", "--help", "grow --help", "--version"])
def test_nobody_wants_the_output(words):
    assert shell(f"{words} >&-").returncode == 0


def test_an_error_does_not_go_to_another_stream():
    result = shell("fly 2>&-")
    assert (result.returncode, result.stdout, result.stderr) == (2, "", "")


def test_no_file_gets_the_number_of_a_closed_stream(tmp_path):
    """What a library prints to a stream that is closed must not go into a file that was opened since."""
    code = (
        "import os, sys; from demo.process import environment; environment.prepare()\n"
        "with open(sys.argv[1], 'w') as file:\n"
        "    for number in (0, 1, 2): os.fstat(number); assert number != file.fileno()\n"
        "    os.write(1, b'noise'); os.write(2, b'noise'); print('words'); print('words', file=sys.stderr)\n"
    )
    run = f"'{sys.executable}' -c \"$0\" '{tmp_path / 'a'}' <&- >&- 2>&-"
    result = subprocess.run(["sh", "-c", run, code], cwd=ROOT, env=environment(), capture_output=True, text=True)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
    assert (tmp_path / "a").read_bytes() == b""


needs_full = pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")


@needs_full
@pytest.mark.parametrize("words", ["scenes", "--help", "grow --help", "--version"])
def test_output_that_cannot_be_written_is_one_line(words):
    said = complaint(shell(f"{words} >/dev/full"), 1)
    assert said.startswith("landfall: the output cannot be printed (No space left on device): ")


@needs_full
def test_an_error_that_cannot_be_written_leaves_the_status():
    assert shell("fly 2>/dev/full").returncode == 2
    assert shell("grow plasma no/such.npz 2>/dev/full").returncode == 1
    assert shell("scenes >/dev/full 2>/dev/full").returncode == 1


def test_characters_that_the_encoding_lacks_are_escaped():
    """The names on a planet, or that of a file."""
    code = "from demo.process import environment; environment.prepare(); print('\\u0141ysa', '\\udcff')"
    run = [sys.executable, "-c", code]
    changes = {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    result = subprocess.run(run, cwd=ROOT, env=environment(**changes), capture_output=True, text=True)
    assert (result.returncode, result.stdout, result.stderr) == (0, "\\u0141ysa \\udcff\n", "")


def test_a_terminal_that_is_closed_does_not_end_the_work(tmp_path):
    """The bar is drawn on a terminal that hangs up before anything is drawn."""
    ours, theirs = pty.openpty()
    os.close(ours)
    run = [sys.executable, str(ROOT / "main.py"), *GROW.split()]
    result = subprocess.run(run, cwd=tmp_path, env=environment(), stderr=theirs, timeout=120)
    os.close(theirs)
    assert result.returncode == 0 and (tmp_path / "a.npz").stat().st_size > 0
