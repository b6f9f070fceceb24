"""The log of screensavers: what is said is in it, it has a limit, and nothing that happens to it matters."""

from __future__ import annotations

import pytest
from support.program import landfall

from demo.process import log
from demo.process.stderr import say


@pytest.fixture
def state(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    yield tmp_path / "landfall"
    log.end()


def test_what_is_said_is_logged(state, capsys):
    say("before")
    log.begin("the words")
    say("some\nthing \x1b[2J")
    log.end()
    say("after")
    lines = log.last_lines(9)
    assert [line.split(" ", 2)[2] for line in lines] == ["the words", "some thing \\x1b[2J"]
    assert log.last_lines(1) == lines[1:]
    assert state.stat().st_mode & 0o777 == 0o700 and log.log_file().stat().st_mode & 0o777 == 0o600


def test_a_full_log_gives_way_to_a_new_one(state, capsys):
    log.begin("first")
    for number in range(2600):
        say(f"{number:04d} {'x' * 60}")
    assert {path.name for path in state.iterdir()} == {"log", "log.1"}
    assert all(path.stat().st_size <= log.FULL_BYTES for path in state.iterdir())
    before = (state / "log.1").read_text().splitlines()[-1].split()[2]
    assert int(log.log_file().read_text().split()[2]) == int(before) + 1


@pytest.mark.parametrize("where", ["/dev/null/state", "relative"])
def test_no_log_is_no_fault(monkeypatch, tmp_path, capsys, where):
    monkeypatch.setenv("XDG_STATE_HOME", where)
    monkeypatch.setenv("HOME", "/dev/null")
    log.begin("words")
    say("something")
    log.end()
    assert capsys.readouterr().err == "landfall: something\n" and log.last_lines(3) == []


def test_a_link_in_its_place_is_not_followed(state):
    state.mkdir()
    (state / "log").symlink_to(state / "victim")
    log.begin("words")
    assert not (state / "victim").exists()


def test_a_screensavers_complaints_are_there_and_in_the_report(tmp_path):
    home = {"XDG_STATE_HOME": str(tmp_path), "XSCREENSAVER_WINDOW": "nonsense"}
    assert landfall("--root", "--calm", **home).returncode == 2
    assert landfall("--look", "pretty", **home).returncode == 2
    begun, said = (tmp_path / "landfall" / "log").read_text().splitlines()
    assert begun.endswith(": show --root --calm") and "XSCREENSAVER_WINDOW=nonsense is not possible" in said
