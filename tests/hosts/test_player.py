"""The frame loop: whatever the clock does, the show goes on where it was, and what was saved is said on screen."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from demo.hosts import offscreen
from demo.hosts.hosts import Request
from demo.hosts.player import LONGEST_STEP_S, play, remember, save_still
from demo.show.remembering import Memory

ENOUGH = 10_000
PICTURE = np.zeros((2, 3, 3), np.uint8)


class Counting:
    """Stands in for the show: it notes by how much each frame moves it and what it is told.

    It ends after that, or after some frames.
    """

    def __init__(self, frames: int) -> None:
        self.steps: list[float] = []
        self.told: list[tuple[str, ...]] = []
        self.wants_still = False
        self.worlds: list[Memory] = []
        self._frames = frames

    @property
    def wants_quit(self) -> bool:
        return bool(self.told) or len(self.steps) >= self._frames

    def frames_wanted(self) -> int:
        return 1000

    def resize(self, width: int, height: int) -> None:
        pass

    def update(self, dt: float) -> None:
        self.steps.append(dt)

    def draw(self) -> None:
        pass

    def read(self) -> np.ndarray:
        return PICTURE

    def thumbnail(self) -> np.ndarray:
        return PICTURE

    def memory(self) -> Memory | None:
        return self.worlds.pop() if self.worlds else None

    def still_name(self) -> str:
        return "still.png"

    def tell(self, *lines: str) -> None:
        self.told.append(lines)


@pytest.fixture(scope="module", autouse=True)
def context():
    with offscreen.context():
        yield


def request(save=lambda path, picture: None, remember=None) -> Request:
    return Request((64, 64), 1000, save, remember)


def steps_of(times: list[float]) -> list[float]:
    """By how much each frame moves a show when the clock shows these times, in seconds."""
    show, clock = Counting(len(times) - 1), iter(times)
    play(show, request(), lambda event: False, measure=lambda: (64, 64), visible=lambda: True, now=lambda: next(clock))
    return show.steps


def test_frames_move_the_show_by_the_time_that_passed():
    assert steps_of([7.0, 7.02, 7.05, 7.06]) == pytest.approx([0.02, 0.03, 0.01])


@pytest.mark.parametrize("gap", [60.0, 86_400.0, 1e9])
def test_after_a_stop_or_a_sleep_it_neither_leaps_nor_catches_up(gap):
    times = [7.0, 7.02, 7.04 + gap, 7.06 + gap, 7.08 + gap]
    assert steps_of(times) == pytest.approx([0.02, LONGEST_STEP_S, 0.02, 0.02], rel=1e-4)


def test_a_clock_that_is_set_back_moves_nothing_back():
    assert steps_of([7.0, 7.02, 3.0, 3.02, 3.05]) == pytest.approx([0.02, 0.0, 0.02, 0.03])


def test_where_a_still_was_saved_is_said_on_screen(monkeypatch, tmp_path, capsys):
    monkeypatch.chdir(tmp_path)
    show, saved, said = Counting(0), [], []
    save_still(show, lambda path, picture: saved.append((path, picture)), said.append).join()
    assert saved == [(tmp_path / "still.png", PICTURE)]
    assert said == [("saved still.png", f"in {tmp_path}")]
    assert capsys.readouterr() == (f"{tmp_path / 'still.png'}\n", "")


def test_why_no_still_was_saved_is_said_on_screen(monkeypatch, tmp_path, capsys):
    def full(path: Path, picture: np.ndarray) -> None:
        raise OSError("cannot write still.png: free some space")

    monkeypatch.chdir(tmp_path)
    said = []
    save_still(Counting(0), full, said.append).join()
    assert said == [("no still was saved:", "cannot write still.png: free some space")]
    assert capsys.readouterr() == ("", "landfall: cannot write still.png: free some space\n")


def test_a_still_when_the_current_folder_is_gone(monkeypatch, tmp_path, capsys):
    (tmp_path / "gone").mkdir()
    (tmp_path / "home").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("USERPROFILE", str(tmp_path / "home"))
    (tmp_path / "gone").rmdir()
    said = []
    save_still(Counting(0), lambda path, picture: None, said.append).join()
    assert said == [("saved still.png", f"in {tmp_path / 'home'}")] and capsys.readouterr().err == ""


def test_the_show_is_told_where_its_still_is(monkeypatch, tmp_path):
    """By the frame loop, though another thread writes the still."""
    monkeypatch.chdir(tmp_path)
    show, written = Counting(ENOUGH), []
    show.wants_still = True

    def save(path: Path, picture: np.ndarray) -> None:
        written.append(path.name)

    play(show, request(save), lambda event: False, measure=lambda: (64, 64), visible=lambda: True)
    assert written == ["still.png"] and show.told == [("saved still.png", f"in {tmp_path}")]


def test_a_world_that_is_kept_is_remembered_and_said():
    show, seen = Counting(ENOUGH), []
    show.worlds = [Memory("plasma-11-7", kept=True)]
    asked = request(remember=lambda world, picture: seen.append((world, picture)))
    play(show, asked, lambda event: False, measure=lambda: (64, 64), visible=lambda: True)
    assert seen == [(Memory("plasma-11-7", kept=True), PICTURE)]
    assert show.told == [("kept in the history:", "plasma-11-7")]


@pytest.mark.parametrize("kept", [False, True])
def test_only_who_keeps_a_world_is_told_that_it_cannot_be(capsys, kept):
    def full(world: Memory, picture: np.ndarray) -> None:
        raise OSError("cannot write it: free some space")

    said = []
    remember(Memory("plasma-11-7", kept), PICTURE, full, said.append).join()
    assert said == ([("this world was not kept:", "cannot write it: free some space")] if kept else [])
    assert capsys.readouterr().err == ("landfall: cannot write it: free some space\n" if kept else "")
