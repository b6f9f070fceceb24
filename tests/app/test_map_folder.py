"""`--map OUTDIR`: the planet of a map's folder in the show, and one line for each folder that has none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from demo.app import cli
from demo.app.map_folder import FINEST
from demo.app.show_options import show_options
from demo.catalogue.edits_file import FILE, Edits, text_of
from demo.catalogue.generators import generator
from demo.mapping.edits.edit import Edit

SMALL = {"gn": 4, "ln": 2, "land": 0.4}
PEAK = Edit("peak", "renamed", (1.0, 2.0), "Tor")


def code_of(seed: int = 3, **more) -> str:
    return generator("doublecone").code(seed, {**SMALL, **more}, whole=False)


def folder_of(tmp_path: Path, code: str, edits: Edits | None = None) -> Path:
    """What of a map's folder the show reads."""
    out = tmp_path / "out"
    out.mkdir()
    (out / "summary.json").write_text(json.dumps({"code": code}))
    if edits is not None:
        (out / FILE).write_text(text_of(edits))
    return out


def options(*words: object):
    return show_options(cli.parse([str(word) for word in words]))


@pytest.mark.parametrize("words", [["show"], ["still", "a.png"], ["film", "a.mp4"]])
def test_the_planet_of_a_folder_is_shown_and_no_other(tmp_path, words):
    asked = options(*words, "--map", folder_of(tmp_path, code_of()))
    assert (asked.scene, asked.seed) == ("map", 3)
    values = asked.parameters["map"]
    assert {name: values[name] for name in SMALL} == SMALL and values["edits"] == ""
    (playlist,) = asked.playlists
    assert [(turn.scene, turn.seed) for turn in playlist.turns] == [("map", 3)]


def test_its_edits_come_along(tmp_path):
    out = folder_of(tmp_path, code_of(), Edits(code_of(), ((PEAK,),), ("hash",)))
    assert options("show", "--map", out).parameters["map"]["edits"] == str(out / FILE)


def test_a_folder_that_says_that_it_has_no_edits(tmp_path):
    out = folder_of(tmp_path, code_of(), Edits(code_of()))
    assert options("show", "--map", out).parameters["map"]["edits"] == ""


def test_the_finest_planet_that_is_mapped_is_laid_out_coarser(tmp_path):
    out = folder_of(tmp_path, code_of(gn=8, ln=5), Edits(code_of(gn=8, ln=5), ((PEAK,),), ("hash",)))
    values = options("show", "--map", out).parameters["map"]
    assert (values["gn"], values["ln"], values["finest"], values["edits"]) == (8, 5, FINEST, str(out / FILE))


def test_a_folder_of_tiles_alone(tmp_path):
    out = folder_of(tmp_path, code_of())
    (out / "tiles").mkdir()
    (out / "summary.json").rename(out / "tiles" / "world.json")
    assert options("show", "--map", out).seed == 3


def test_carving_of_the_double_cone_is_no_part_of_a_map(tmp_path):
    asked = options("show", "--map", folder_of(tmp_path, code_of(carve=0.5)))
    assert {name: asked.parameters["map"][name] for name in SMALL} == SMALL


def test_of_a_fine_mesh_no_more_is_laid_out_than_the_show_can(tmp_path):
    out = folder_of(tmp_path, code_of(gn=7, ln=5))
    values = options("show", "--map", out).parameters["map"]
    assert values["ln"] == 5 and values["finest"] < 12
    assert options("show", "--map", out, "--set", "map.finest=8").parameters["map"]["finest"] == 8


def text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)


DAMAGED = {
    "nothing": ({}, "holds no summary.json"),
    "no JSON": ({"summary.json": "{"}, "summary.json is damaged"),
    "no object": ({"summary.json": []}, "summary.json is damaged"),
    "no code": ({"summary.json": {"seed": 1}}, "summary.json is damaged"),
    "no UTF-8": ({"summary.json": "\udcff"}, "summary.json is damaged"),
    "another version": ({"summary.json": {"code": "doublecone-1-7"}}, "asks for version 1 of doublecone"),
    "another algorithm": ({"summary.json": {"code": generator("plasma").code(1, {})}}, "a world of plasma"),
    "too fine": ({"summary.json": {"code": f"{code_of()}-gn=99"}}, "cannot be grown"),
    "too fine together": ({"summary.json": {"code": code_of(gn=7, ln=8)}}, "gn=7 with ln=8 is too fine"),
    "damaged edits": ({"summary.json": {"code": code_of()}, FILE: "{"}, "holds no edits"),
    "edits of another world": (
        {"summary.json": {"code": code_of()}, FILE: text_of(Edits(code_of(4), ((PEAK,),), ("hash",)))},
        "is of the world",
    ),
    "edits of another version": (
        {"summary.json": {"code": code_of()}, FILE: text_of(Edits(code_of(), ((PEAK,),), ("hash",))).replace("1", "9", 1)},
        "is of version 9",
    ),
}


@pytest.mark.parametrize(("files", "expected"), DAMAGED.values(), ids=DAMAGED)
def test_what_is_wrong_with_a_folder_is_one_line(tmp_path, capsys, files, expected):
    for name, content in files.items():
        (tmp_path / name).write_bytes(text(content).encode("utf-8", "surrogateescape"))
    assert cli.main(["still", str(tmp_path / "a.png"), "--map", str(tmp_path)]) == 2
    complaint = capsys.readouterr().err
    assert expected in complaint and complaint.startswith("landfall: ") and complaint.count("\n") == 1
    assert not (tmp_path / "a.png").exists()


CONFLICTS = {
    "a seed": (["--seed", "1"], "--map and --seed both"),
    "a code": (["--code", "map-10-7"], "--map and --code both"),
    "a height map": (["--heightmap", "a.png"], "--map and --heightmap both"),
    "a playlist": (["--playlist", "all"], "--map and --playlist both"),
    "another scene": (["--scene", "cuts"], "leave --scene out"),
    "a parameter of it": (["--set", "map.land=0.5"], "leave --set map.land out"),
    "no folder": (["--map", "nowhere"], "there is no folder nowhere"),
}


@pytest.mark.parametrize(("words", "expected"), CONFLICTS.values(), ids=CONFLICTS)
def test_one_world_is_chosen_once(tmp_path, capsys, words, expected):
    out = folder_of(tmp_path, code_of())
    assert cli.main(["show", "--map", str(out), *words]) == 2
    complaint = capsys.readouterr().err
    assert expected in complaint and complaint.count("\n") == 1


def test_map_takes_no_parameters_of_the_show(capsys):
    for words, expected in {
        ("--set", "map.finest=3"): "is for the show",
        ("--set", "map.edits=e.json"): "is for the show",
        ("--code", generator("map").code(1, {"edits": "e.json"})): "give --edits e.json",
    }.items():
        assert cli.main(["map", "out", *words]) == 2
        assert expected in capsys.readouterr().err
