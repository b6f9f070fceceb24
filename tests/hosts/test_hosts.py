"""The table of hosts: each row keeps the form of the contract, and options choose between them."""

from __future__ import annotations

import importlib
import inspect
import os
import sys
import types

import pytest
from support.program import complaint, landfall

from demo.app import cli
from demo.hosts import hosts
from demo.hosts.hosts import HOSTS, Host, HostOption, chosen
from demo.hosts.window import Controls
from demo.hosts.x11_window import for_preview
from demo.show.options import ShowOptions
from demo.tables import keys


@pytest.mark.parametrize("host", HOSTS.values(), ids=HOSTS)
def test_each_row_leads_to_a_module_that_keeps_the_contract(host):
    module = importlib.import_module(host.module, hosts.__package__)
    assert not inspect.signature(module.problem).parameters
    assert list(inspect.signature(module.run).parameters) == ["options", "request"]
    assert host.fps > 0


def test_no_option_belongs_to_two_hosts():
    names = [option.name for host in HOSTS.values() for option in host.options]
    assert len(names) == len(set(names))


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ([], "window"),
        (["--fullscreen"], "window"),
        (["--fullscreen", "--saver"], "saver"),
        (["--root", "--saver"], "x11_window"),
        (["--window-id", "7"], "x11_window"),
    ],
)
def test_the_last_row_with_a_given_option_is_chosen(words, name):
    assert chosen(dict.fromkeys(cli.parse(words).given, True)).name == name


def test_a_row_and_a_module_make_a_host(monkeypatch):
    """The program plays in it with what its own option says, at its frame rate or at that of --fps."""
    played = []
    module = types.SimpleNamespace(problem=lambda: None, run=lambda options, request: played.append((options, request)) or 0)
    monkeypatch.setitem(sys.modules, "demo.hosts.paper", module)
    monkeypatch.setitem(HOSTS, "paper", Host("paper", ".paper", 5, (HostOption("window-id", "draw on paper", "ID"),)))
    assert cli.main(["--window-id", "7", "--size", "64x36", "--scene", "cuts"]) == 0
    assert cli.main(["--window-id", "7", "--fps", "3"]) == 0
    (options, request), (_, faster) = played
    assert (options.scene, request.size, request.fps, dict(request.given)) == ("cuts", (64, 36), 5, {"window-id": 7})
    assert faster.fps == 3


def test_the_window_does_what_the_table_of_keys_leaves_to_it():
    for action in keys.ACTIONS:
        assert callable(getattr(Controls, action.name, None)) == action.by_window, action.name


def test_a_host_that_was_asked_for_and_cannot_play_says_why(tmp_path):
    said = complaint(landfall("--fullscreen", cwd=tmp_path), 1)
    assert said == (
        "landfall: no display: neither DISPLAY nor WAYLAND_DISPLAY is set: "
        "run it in a desktop session, or use 'still' or 'film'\n"
    )


def test_starting_the_display_leaves_the_environment_as_it_was(monkeypatch):
    """What this process says to SDL is not what its child processes are to hear."""
    from demo.hosts import display

    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.delenv("SDL_VIDEO_ALLOW_SCREENSAVER", raising=False)
    before = dict(os.environ)
    display.start()
    assert dict(os.environ) == before


@pytest.mark.parametrize(
    ("size", "compiles"), [((152, 112), False), ((400, 300), False), ((640, 480), True), ((300, 800), True)]
)
def test_the_preview_of_a_dialog_has_nothing_compiled_ahead(size, compiles):
    assert (for_preview(ShowOptions(precompiler="some.module"), size).precompiler is not None) is compiles
