"""Settings of the file and the environment: what comes before what, and that a bad one names its place."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.program import complaint, landfall

from demo.app import cli, outside_settings
from demo.app.config_command import template
from demo.app.show_options import show_options
from demo.worlds.parameters import ParameterError


@pytest.fixture
def written(tmp_path, monkeypatch):
    """A function that writes the user's file."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))

    def write(text: str) -> Path:
        path = outside_settings.settings_file()
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        return path

    return write


def test_the_line_comes_before_the_environment_and_that_before_the_file(written, monkeypatch):
    written('[show]\nquality = "low"\nlook = "unlit"\nfps = 25\n[still]\nquality = "medium"\n')
    monkeypatch.setenv("LANDFALL_LOOK", "as-printed")
    monkeypatch.setenv("LANDFALL_FPS", "50")
    arguments = cli.parse(["show", "--fps", "10"])
    assert (arguments.quality, arguments.look, arguments.fps) == ("low", "as-printed", 10)
    assert cli.parse(["--saver"]).fps == 50
    arguments = cli.parse(["still", "a.png"])
    assert (arguments.quality, arguments.look) == ("medium", "as-printed")
    assert cli.parse(["film", "a.mp4"]).quality == "high"


def test_flags(written, monkeypatch):
    written("[show]\ncalm = true\nfullscreen = true\n")
    arguments = cli.parse([])
    assert arguments.calm is True and {"calm", "fullscreen"} <= arguments.given
    monkeypatch.setenv("LANDFALL_CALM", "off")
    arguments = cli.parse([])
    assert arguments.calm is False and "calm" not in arguments.given


def test_parameters_of_scenes_are_put_together(written, monkeypatch):
    written('[show]\nset = ["cuts.cuts=100", "plasma.cells=64", "surface.mesh=isosceles"]\n')
    monkeypatch.setenv("LANDFALL_SET", "cuts.cuts=200 plasma.carve=0")
    options = show_options(cli.parse(["show", "--set", "plasma.cells=32"]))
    assert options.parameters == {"cuts": {"cuts": 200}, "plasma": {"cells": 32, "carve": 0.0}}
    assert options.mesh == "isosceles"


@pytest.mark.parametrize(
    ("file", "words", "expected"),
    [
        ('scene = "cuts"\nseed = 7\nset = ["cuts.cuts=5"]', ["--code", "plasma-3-3"], ("plasma", 3)),
        ('code = "cuts-5-7"', ["--seed", "3"], ("plasma", 3)),
        ('code = "cuts-5-7"', ["--scene", "simplex"], ("simplex", 1)),
        ('code = "cuts-5-7"', ["--set", "plasma.cells=32"], ("plasma", 1)),
        ('code = "cuts-5-7"', [], ("cuts", 7)),
        (
            'mesh = "isosceles"\nlevels = true',
            ["--set", "surface.mesh=square", "--set", "surface.levels=off"],
            ("plasma", 1),
        ),
        ('set = ["surface.mesh=isosceles"]', ["--mesh", "square"], ("plasma", 1)),
    ],
)
def test_what_names_another_world_gives_way(written, file, words, expected):
    written(f"[still]\n{file}\n")
    options = show_options(cli.parse(["still", "a.png", *words]))
    assert (options.scene, options.seed) == expected
    assert options.mesh != "isosceles" and not options.levels


BAD = {
    "no TOML": ("[show\n", "is no TOML"),
    "table": ("\n[shows]\n", "line 2: there is no table [shows]"),
    "no table": ("quality = 5\n", "line 1: there is no table [quality]"),
    "key": ("[show]\n\nqualty = 'low'\n", "line 3, show.qualty: there is no such setting"),
    "host's own": ("[show]\nroot = true\n", "line 2, show.root: there is no such setting"),
    "value": ("[still]\nquality = 'low'\n[show]\nquality = 'best'\n", "line 4, show.quality: quality=best is not possible"),
    "flag": ("[show]\ncalm = 'yes'\n", "line 2, show.calm: 'yes' is not possible: it takes true or false"),
    "list": ("[show]\nset = 'a.b=5'\n", "line 2, show.set"),
    "type": ("[show]\nfps = [30]\n", "line 2, show.fps"),
    "scene": ("[show]\n  scene='moon' # mine\n", "line 2, show.scene: there is no scene 'moon'"),
    "parameter": ("[show]\nset = ['cuts.hue=5']\n", "line 2, show.set: cuts has no parameter 'hue'"),
    "code": ("[show]\ncode = 'plasma-99-7'\n", "line 2, show.code: the world code 'plasma-99-7' cannot be read"),
    "dotted": ("show.fps = 0\n", "line 1, show.fps: fps=0 is not possible"),
}


@pytest.mark.parametrize(("text", "expected"), BAD.values(), ids=BAD)
def test_a_bad_value_names_its_place(written, text, expected, capsys):
    path = written(text)
    with pytest.raises(ParameterError, match=re.escape(str(path)) + ".*" + re.escape(expected)):
        cli.parse(["show"])
    assert capsys.readouterr().err == ""
    # Nobody could read it there: the default counts, and it is said in the host's log.
    for host in (["--root"], ["--saver"], ["--window-id", "7"]):
        arguments = cli.parse(host)
        assert show_options(arguments).scene is None and arguments.quality is None and not arguments.calm
        said = capsys.readouterr().err
        assert expected in said and said.count("\n") == 1


def test_good_values_count_beside_a_bad_one_in_a_host(written, capsys):
    written("[show]\nquality = 'best'\nlook = 'unlit'\n")
    assert cli.parse(["--root"]).look == "unlit"


def test_a_host_goes_on_without_what_is_not_possible_together(written, capsys):
    from demo.app import show_command

    written("[show]\nscene = 'heightmap'\nlook = 'unlit'\n")
    with pytest.raises(ParameterError, match="needs a file"):
        show_command._possible(cli.parse([]))
    arguments, options = show_command._possible(cli.parse(["--saver", "--calm"]))
    assert (options.scene, options.look, options.calm) == (None, "natural", True) and arguments.saver
    assert "needs a file" in capsys.readouterr().err


@pytest.mark.parametrize(("value", "words"), [("best", "LANDFALL_QUALITY: quality=best"), ("", "")])
def test_variables(monkeypatch, value, words):
    monkeypatch.setenv("LANDFALL_QUALITY", value)
    if words:
        with pytest.raises(ParameterError, match=words):
            cli.parse([])
    else:
        assert cli.parse([]).quality is None


def test_a_file_that_cannot_be_read(written):
    path = written("")
    path.write_bytes(b"[show]\n# \xff\n")
    with pytest.raises(ParameterError, match="not UTF-8 at byte 9"):
        cli.parse([])
    path.unlink()
    path.mkdir()
    with pytest.raises(ParameterError, match="cannot be read"):
        cli.parse([])


def test_all_settings_of_the_template_are_defaults(written):
    plain = {command: cli.parse([command, *words]) for command, words in WORDS.items()}
    text = template()
    options = re.compile(r"^# ([a-z-]+ = \S+)$", re.MULTILINE)
    assert len(options.findall(text)) > 40 and options.sub("", text) != text
    for given in (text, options.sub(r"\1", text)):
        written(given)
        for command, words in WORDS.items():
            arguments = cli.parse([command, *words])
            for setting in outside_settings.settings_in_file(command):
                assert getattr(arguments, setting.key) == getattr(plain[command], setting.key), setting


WORDS = {"show": [], "still": ["a.png"], "film": ["a.mp4"], "grow": ["plasma", "a.npz"], "map": ["folder"]}


def test_config_writes_the_file_once_and_says_what_counts(tmp_path):
    home = {"XDG_CONFIG_HOME": str(tmp_path), "LANDFALL_FPS": "20"}
    path = tmp_path / "landfall" / "config.toml"
    assert "config --init" in landfall("config", **home).stdout
    assert str(path) in landfall("config", "--init", **home).stdout
    assert path.read_text() == template()
    assert "is there already" in complaint(landfall("config", "--init", **home), 1)
    path.write_text("[show]\nlook = 'unlit'\n[film]\nseed = 'x'\n")
    said = landfall("config", **home)
    assert said.returncode == 1 and "show.look" in said.stdout and "line 2" in said.stdout and "LANDFALL_FPS" in said.stdout
    assert said.stderr.count("\n") == 1 and "line 4, film.seed: seed=x" in said.stderr
    assert "line 4" in complaint(landfall("film", "a.mp4", cwd=tmp_path, **home), 2)


def test_a_home_that_cannot_be_used_is_one_line(tmp_path):
    said = complaint(landfall("config", "--init", XDG_CONFIG_HOME="/dev/null"), 1)
    assert "cannot write /dev/null/landfall/config.toml" in said


def test_the_desktop_is_asked_for_less_motion_unless_the_user_has_said(written, monkeypatch):
    assert show_options(cli.parse(["show"])).less_motion is not None
    assert show_options(cli.parse(["show", "--calm"])).less_motion is None
    assert show_options(cli.parse(["still", "out.png"])).less_motion is None
    written("[show]\ncalm = false\n")
    assert show_options(cli.parse(["show"])).less_motion is None


def test_hours_are_the_viewer_s_in_a_screensaver_alone_unless_they_are_given(monkeypatch, written):
    assert show_options(cli.parse(["--saver"])).hours is not None
    assert show_options(cli.parse(["--saver", "--hours", "off"])).hours is None
    for words in (["show"], ["still", "out.png"], ["film", "out.mp4"]):
        assert show_options(cli.parse(words)).hours is None
        hour = show_options(cli.parse([*words, "--hours", "6:00"])).hours()
        assert abs(hour.sun_deg) < 1e-6 and hour.rising and hour.season == 0.0
    assert show_options(cli.parse(["show", "--hours", "12:00", "--latitude", "60"])).hours().sun_deg == pytest.approx(30.0)
    monkeypatch.setenv("LANDFALL_HOURS", "now")
    assert show_options(cli.parse(["show"])).hours is not None
    monkeypatch.delenv("LANDFALL_HOURS")
    written("[still]\nhours = '7:30'\n")
    assert show_options(cli.parse(["still", "out.png"])).hours().sun_deg > 10.0


@pytest.mark.parametrize("text", ["24:00", "7", "7:60", "noon", "07:5", "-1:00"])
def test_no_hours(text):
    with pytest.raises(ParameterError, match=r"it takes HH:MM, 'now' or 'off'"):
        cli.parse(["show", f"--hours={text}"])
