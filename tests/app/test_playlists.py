"""Playlists of the settings file: what they play, and that a bad one names its line."""

from __future__ import annotations

import pytest
from app.test_outside_settings import written  # noqa: F401  # a fixture

from demo.app import cli
from demo.app.show_options import show_options
from demo.catalogue.generators import GENERATORS
from demo.show.playlist import Playlist, Turn
from demo.worlds.parameters import ParameterError

CODE = "simplex-5-7-octaves=2"
TWO = f"""\
[show]
calm = true
[playlist.evening]
worlds = ["plasma", "{CODE}"]
order = "chance"
hours = "18:00-24:00"
look = "unlit"
[playlist.rest]
worlds = ["map"]
"""


def options_of(*words: str):
    return show_options(cli.parse(["show", *words]))


def test_what_a_file_says(written):  # noqa: F811
    written(TWO)
    simplex = Turn("simplex", 7, GENERATORS["simplex"].complete({"octaves": 2}))
    evening = Playlist("evening", (Turn("plasma"), simplex), True, (1080, 1440), "unlit")
    assert options_of().playlists == (evening, Playlist("rest", (Turn("map"),)))
    assert options_of().calm


def test_an_option_chooses_one_at_any_time_of_day_with_its_look(written, monkeypatch):  # noqa: F811
    written(TWO)
    options = options_of("--playlist", "evening")
    assert [playlist.name for playlist in options.playlists] == ["evening"] and options.playlists[0].hours is None
    assert options.look == "unlit" and options_of("--playlist", "evening", "--look", "natural").look == "natural"
    assert options_of("--playlist", "all").playlists == ()
    for words in (("--scene", "cuts"), ("--code", "cuts-5-7")):
        assert options_of(*words).playlists == ()
        with pytest.raises(ParameterError, match="both choose the worlds"):
            options_of("--playlist", "evening", *words)
    with pytest.raises(ParameterError, match="there is no playlist 'late': there are evening, rest, all"):
        options_of("--playlist", "late")
    written("")
    with pytest.raises(ParameterError, match="has none"):
        options_of("--playlist", "late")
    written(TWO)
    monkeypatch.setenv("LANDFALL_PLAYLIST", "rest")
    assert [playlist.name for playlist in options_of().playlists] == ["rest"]
    assert options_of("--scene", "cuts").playlists == ()


def test_stills_and_films_have_none(written):  # noqa: F811
    written(TWO)
    assert show_options(cli.parse(["film", "a.mp4"])).playlists == ()


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ("", "line 2, playlist.bad: a playlist is a table with worlds"),
        ('worlds = "plasma"', "line 3, playlist.bad.worlds: 'plasma' is not possible"),
        ('worlds = ["atlantis"]', "line 3, playlist.bad.worlds: there is no scene 'atlantis'"),
        ('worlds = ["heightmap"]', "line 3, playlist.bad.worlds: there is no scene 'heightmap'"),
        ('worlds = ["plasma-9999-1"]', "line 3, playlist.bad.worlds: "),
        ('worlds = ["map"]\norder = "random"', "line 4, playlist.bad.order: 'random' is not possible"),
        ('worlds = ["map"]\nhours = "25:00-26:00"', "line 4, playlist.bad.hours: '25:00-26:00' is not possible"),
        ('worlds = ["map"]\nlook = "pretty"', "line 4, playlist.bad.look: 'pretty' is not possible"),
        ('worlds = ["map"]\nspeed = 2', "line 4, playlist.bad.speed: there is no such setting"),
    ],
)
def test_a_bad_one_names_its_line_and_a_screensaver_leaves_it_out(written, capsys, rows, words):  # noqa: F811
    written(f'[show]\n[playlist.bad]\n{rows}\n[playlist.good]\nworlds = ["cuts"]\n')
    with pytest.raises(ParameterError) as raised:
        options_of()
    assert words in str(raised.value)
    assert [playlist.name for playlist in options_of("--root").playlists] == ["good"]
    assert words in capsys.readouterr().err
