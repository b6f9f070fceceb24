"""The table of options: what it takes, and that command line and README say the same."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from demo.app import cli, option_values, settings
from demo.app.assignments import read_pairs, read_scene_pairs
from demo.app.commands import COMMANDS
from demo.app.show_options import show_options
from demo.catalogue.generators import GENERATORS
from demo.hosts.hosts import read_window_id
from demo.tables import keys, map_formats
from demo.worlds.parameters import ParameterError

ROOT = Path(__file__).resolve().parents[2]


def keys_table() -> str:
    rows = ["| keys | what they do |", "|---|---|"]
    return "\n".join([*rows, *(f"| {row.keys} | {': '.join(filter(None, (row.text, row.more)))} |" for row in keys.HELP)])


README_TABLES = {
    "app/settings": settings.readme_table,
    "tables/keys": keys_table,
    "tables/map_formats": map_formats.readme_table,
}


@pytest.mark.parametrize(("module", "table"), README_TABLES.items(), ids=README_TABLES)
def test_readme_shows_the_table(module, table, regenerate):
    readme = ROOT / "README.md"
    text = readme.read_text(encoding="utf-8")
    name = module.rpartition("/")[2]
    pattern = rf"(<!-- {name}: from demo/{module}\.py -->\n).*?(<!-- end of {name} -->)"
    expected = re.sub(pattern, lambda match: f"{match[1]}{table()}\n{match[2]}", text, flags=re.DOTALL)
    assert re.search(pattern, text, re.DOTALL)
    if regenerate:
        readme.write_text(expected, encoding="utf-8")
    else:
        assert text == expected


def test_every_option_is_parsed_by_its_commands():
    _, parsers = cli.parsers()
    for command, parser in parsers.items():
        usage = parser.format_usage()
        assert set(re.findall(r"\[(--[a-z-]+)", usage)) == {setting.option for setting in settings.settings_of(command)}


def test_every_default_is_a_value_of_its_option():
    for setting in settings.SETTINGS:
        for command, default in setting.defaults.items():
            assert command in COMMANDS
            if default:
                setting.read(default)


@pytest.mark.parametrize("text", ["1280x720", "16x16", "16384X16384", " 640x360 "])
def test_sizes(text):
    width, height = option_values.read_size(text)
    assert f"{width}x{height}" == text.strip().lower()


@pytest.mark.parametrize(
    "text", ["", "x", "640", "640x", "15x100", "100x16385", "-640x360", "640x360x3", "1e3x1e3", "٦٤٠x360"]
)
def test_no_sizes(text):
    with pytest.raises(ParameterError, match="it takes WIDTHxHEIGHT"):
        option_values.read_size(text)


@given(st.integers())
def test_any_integer_is_a_seed(seed):
    assert cli.parse(["grow", "plasma", "x.npz", f"--seed={seed}"]).seed == seed


@pytest.mark.parametrize(("text", "number"), [("0x1e00003", 0x1E00003), ("31457283", 31457283)])
def test_window_ids(text, number):
    assert read_window_id(text) == number


@pytest.mark.parametrize("text", ["", "0", "-1", "0xzz", "4294967296", "1.5"])
def test_no_window_ids(text):
    with pytest.raises(ParameterError):
        read_window_id(text)


@pytest.mark.parametrize(
    "words",
    [["--root"], ["-root"], ["show", "-root"], ["--window-id", "7"], ["-window-id", "0x7"], ["--saver"], []],
)
def test_options_without_a_command_are_those_of_show(words):
    assert cli.parse(words).command == "show"


@pytest.mark.parametrize(
    ("words", "own"),
    [
        (["/s"], ["--saver"]),
        (["-S"], ["--saver"]),
        (["/p", "1234"], ["--window-id", "1234"]),
        (["/P:1234"], ["--window-id", "1234"]),
        (["-p", "1234"], ["--window-id", "1234"]),
        (["/c:77"], ["config"]),
        (["/C"], ["config"]),
        (["show", "/s"], ["show", "/s"]),
        ([], []),
    ],
)
def test_words_of_windows(words, own):
    assert cli.from_windows(words) == own


def test_pairs():
    plasma = GENERATORS["plasma"]
    assert read_pairs(["cells=64", "roughness=1", "cells=128"], plasma) == {"cells": 128, "roughness": 1.0}
    assert read_scene_pairs(["cuts.offset=off", "plasma.cells=64", "cuts.cuts=5"]) == {
        "cuts": {"offset": "off", "cuts": 5},
        "plasma": {"cells": 64},
    }


@pytest.mark.parametrize("pair", ["cells", "cells=", "=4", "cells=6.5", "cells=x", "cells=16384", "hue=1", "roughness=nan"])
def test_no_pairs(pair):
    with pytest.raises(ParameterError):
        read_pairs([pair], GENERATORS["plasma"])


@pytest.mark.parametrize("pair", ["cells=64", "moon.cells=64", "plasma.hue=1", "plasma.=1", ".cells=64", "plasma.cells"])
def test_no_scene_pairs(pair):
    with pytest.raises(ParameterError):
        read_scene_pairs([pair])


def test_the_command_line_alone_loads_nothing_heavy():
    heavy = "numpy, numba, pygame, OpenGL, PIL, av"
    code = f"import sys, demo.app.cli, demo.app.settings; print(*sorted(set('{heavy}'.split(', ')) & set(sys.modules)))"
    result = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert result.stdout.strip() == ""


def test_the_show_begins_without_what_writes_files_or_compiles():
    heavy = "numba, OpenGL, PIL, av, zipfile, tempfile, demo.export.files, demo.show.show"
    code = f"import sys, demo.app.show_command; print(*sorted(set('{heavy}'.split(', ')) & set(sys.modules)))"
    result = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert result.stdout.strip() == ""


@pytest.mark.parametrize("name", ["gn", "ln"])
def test_a_map_takes_what_its_generator_takes(name):
    parameter = next(p for p in GENERATORS["doublecone"].parameters if p.name == name)
    setting = next(s for s in settings.SETTINGS if s.name == name)
    assert setting.takes == parameter.describe()


def test_formats_come_in_the_tables_order():
    assert option_values.read_formats("json, pbf") == ("pbf", "json")
    with pytest.raises(ParameterError, match="it takes some of " + ",".join(map_formats.MAP_FORMATS)):
        option_values.read_formats("pbf,shp")


def test_stills_and_films_take_what_keys_switch():
    words = ["--scene", "map", "--normals", "printed", "--wire", "--borders", "--mesh", "isosceles", "--levels"]
    for command in ("still", "film"):
        options = show_options(cli.parse([command, "x.png", *words]))
        assert options.switches == keys.Switches(normals="printed", wire=True, borders=True)
        assert options.mesh == "isosceles" and options.levels
    plain = show_options(cli.parse(["still", "x.png"]))
    assert plain.switches == keys.Switches() and plain.mesh == "auto" and not plain.levels


@pytest.mark.parametrize("words", [["show"], ["still", "x.png"], ["film", "x.mp4"]])
def test_captions(words):
    assert show_options(cli.parse(words)).caption
    assert not show_options(cli.parse([*words, "--captions", "off"])).caption


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--scene", "cuts", "--borders"], "--borders"),
        (["--mesh", "isosceles", "--set", "surface.mesh=square"], "surface.mesh"),
        (["--levels", "--set", "surface.levels=off"], "surface.levels"),
        (["--normals", "round"], "flat or smooth or printed"),
    ],
)
def test_what_would_do_nothing_or_two_things_is_refused(words, complaint):
    with pytest.raises(ParameterError, match=complaint):
        show_options(cli.parse(["still", "x.png", *words]))
