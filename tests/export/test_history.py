"""The history: the newest worlds with their codes, those that were kept for ever, and nothing that is not ours."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image
from support.program import complaint, landfall

from demo.export import history


@pytest.fixture(autouse=True)
def state(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    return tmp_path


def picture(grey: int, width: int = 32) -> np.ndarray:
    return np.full((18, width, 3), grey, np.uint8)


def codes() -> list[str]:
    return [entry.code for entry in history.entries()]


def test_the_oldest_are_forgotten_but_for_those_that_were_kept(monkeypatch):
    monkeypatch.setattr(history, "MOST", 3)
    for number in range(6):
        history.remember(f"plasma-3-{number}", number == 1, picture(number))
    assert codes() == ["plasma-3-1", "plasma-3-3", "plasma-3-4", "plasma-3-5"]
    assert [entry.kept for entry in history.entries()] == [True, False, False, False]


def test_a_world_seen_again_goes_to_the_end_and_stays_kept():
    for code, kept in (("a-1-1", True), ("b-1-1", False), ("a-1-1", False), ("c-1-1", False), ("c-1-1", True)):
        history.remember(code, kept, picture(9))
    assert [(entry.code, entry.kept) for entry in history.entries()] == [("b-1-1", False), ("a-1-1", True), ("c-1-1", True)]


def test_any_program_sees_the_picture_and_the_code():
    path = history.remember("plasma-3-7-cells=64", False, picture(77))
    with Image.open(path) as opened:
        assert opened.size == (32, 18) and opened.getpixel((3, 4)) == (77, 77, 77)
        assert "plasma-3-7-cells=64" in opened.info.values()


def test_damaged_and_strange_files_are_passed_over():
    whole = history.remember("plasma-3-7", False, picture(1))
    (history.folder() / "notes.txt").write_text("mine")
    (history.folder() / "holiday.png").write_bytes(whole.read_bytes())
    (history.folder() / whole.name.replace("Z", "Z-1")).write_bytes(b"damaged")
    assert codes() == ["plasma-3-7"]


def test_half_a_picture_leaves_a_black_place_on_the_sheet(tmp_path):
    for code in ("plasma-3-7", "cuts-5-8"):
        half = history.remember(code, False, picture(200))
    half.write_bytes(half.read_bytes()[:-30])
    done = landfall("history", "--sheet", str(tmp_path / "sheet.png"), XDG_STATE_HOME=str(tmp_path))
    assert (done.returncode, done.stderr) == (0, "")
    with Image.open(tmp_path / "sheet.png") as sheet:
        assert [sheet.getpixel((8 + 40 * k + 20, 12)) for k in (0, 1)] == [(200, 200, 200), (0, 0, 0)]


def test_the_command_lists_them_and_writes_a_sheet(tmp_path):
    said = landfall("history", XDG_STATE_HOME=str(tmp_path)).stdout
    assert "no world has been shown yet" in said
    history.remember("plasma-3-7", True, picture(1, 64))
    history.remember("cuts-5-8", False, picture(200))
    done = landfall("history", "--sheet", str(tmp_path / "sheet.png"), XDG_STATE_HOME=str(tmp_path))
    rows = done.stdout.splitlines()
    assert done.returncode == 0 and rows[0].endswith("kept  plasma-3-7") and rows[1].endswith("      cuts-5-8")
    with Image.open(tmp_path / "sheet.png") as sheet:
        assert sheet.width == 2 * 64 + 3 * 8
    for name in (str(tmp_path / "sheet.jpg"), ""):
        assert "end the name in .png" in complaint(landfall("history", "--sheet", name), 2)
