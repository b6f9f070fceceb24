"""`map --edits`: files changed as QGIS, JOSM and osmium change them, from outside."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("osmium")
pytest.importorskip("pyogrio")
pytest.importorskip("shapely")

import osmium
import shapely
from pyogrio import raw
from support.editors import Josm, save_gpkg
from support.program import complaint, landfall

from demo.app import cli

WORLD = ("--seed", "79", "--gn", "4", "--ln", "2")


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """A map in all formats that can be given back."""
    out = tmp_path_factory.mktemp("edits") / "world"
    assert cli.main(["map", str(out), *WORLD, "--formats", "osm,pbf,gpkg,json"]) == 0
    return out


def run(*words: object) -> int:
    return cli.main(["map", *map(str, words)])


def rows(path: Path, layer: str) -> list[dict]:
    meta, _, shapes, columns = raw.read(path, layer=layer)
    return [
        {"geometry": shape, **dict(zip(meta["fields"], row, strict=True))}
        for shape, row in zip(shapely.from_wkb(shapes), zip(*columns, strict=True), strict=True)
    ]


def test_a_geopackage_from_qgis(folder, tmp_path, capsys):
    """A renamed and raised peak, a moved river, new land; the same file again: the same bytes."""
    ocean = shapely.Point(next(row for row in rows(folder / "world.gpkg", "oceans") if row["id"] == 0)["geometry"])
    island = shapely.box(ocean.x - 12, ocean.y - 9, ocean.x + 12, ocean.y + 9).segmentize(3.0)

    def peaks(held):
        held[0] |= {"name": "Tor", "height_m": held[0]["height_m"] + 800.0}
        return held

    def rivers(held):
        longest = sorted(held, key=lambda row: -row["length_km"])[2]
        line = shapely.get_coordinates(longest["geometry"])
        line[:, 1] += 6.0 * np.sin(np.linspace(0.0, np.pi, len(line)))
        longest |= {"geometry": shapely.MultiLineString([line]), "name": "Anduin"}
        return held

    def land(held):
        return [*held, held[0] | {"id": 10_000, "geometry": shapely.MultiPolygon([island]), "name": "Numenor"}]

    (tmp_path / "changed").mkdir()
    given = tmp_path / "changed" / "mine.gpkg"
    save_gpkg(folder / "world.gpkg", given, {"peaks": peaks, "rivers": rivers, "landmasses": land})
    assert run(tmp_path / "out", "--edits", given, "--formats", "gpkg,osm,json") == 0
    said = capsys.readouterr().out
    assert "edits: 3 honoured" in said and "reaches" in said and "river Anduin" in said
    made = tmp_path / "out" / "world.gpkg"
    assert "Tor" in {row["name"] for row in rows(made, "peaks")}
    assert "Anduin" in {row["name"] for row in rows(made, "rivers")}
    assert any(row["geometry"].contains(ocean) for row in rows(made, "landmasses"))
    assert not any(row["geometry"].contains(ocean) for row in rows(folder / "world.gpkg", "landmasses"))
    # The same world from the small file.
    kept = tmp_path / "out" / "edits.json"
    assert kept.stat().st_size < 20_000
    assert run(tmp_path / "again", "--edits", kept, "--formats", "gpkg,osm,json") == 0
    for name in ("world.gpkg", "world.osm", "summary.json", "edits.json"):
        assert (tmp_path / "again" / name).read_bytes() == (tmp_path / "out" / name).read_bytes(), name


def test_a_file_from_josm(folder, tmp_path, capsys):
    """What is deleted is marked and still there; what is new has ids of its own."""
    josm = Josm(folder / "world.osm")
    peaks = josm.tagged("node", natural="peak")
    josm.tag(peaks[0], "name", "Tor & <Co>")
    josm.delete(josm.tagged("relation", water="lake")[0])
    josm.tag(josm.tagged("node", place="continent")[0], "name", "Mu")
    ocean = josm.tagged("node", place="ocean")[0]
    x, y = float(ocean.attrib["lon"]), float(ocean.attrib["lat"])
    josm.way([(x - 14, y - 5), (x + 14, y - 5), (x + 14, y + 9), (x - 14, y + 9), (x - 14, y - 5)], natural="coastline")
    josm.way([(x - 14, y - 9), (x + 14, y + 9)], highway="road")
    (tmp_path / "mine").mkdir()
    josm.save(tmp_path / "mine" / "world.osm")
    assert run(tmp_path / "out", "--edits", tmp_path / "mine" / "world.osm", *WORLD, "--formats", "osm,json") == 0
    said = capsys.readouterr().out
    assert "cannot be honoured: 1" in said and "a map holds no such thing" in said
    made = Josm(tmp_path / "out" / "world.osm")
    named = {made.tags(node).get("name") for node in made.root.iter("node")}
    assert {"Tor & <Co>", "Mu"} <= named
    assert len(made.tagged("relation", water="lake")) < len(Josm(folder / "world.osm").tagged("relation", water="lake"))
    land = [made.places(way) for way in made.tagged("way", natural="coastline")]
    assert any((np.abs(line - (x, y)) < (40.0, 25.0)).all() for line in land)


def test_a_file_from_osmium(folder, tmp_path, capsys):
    """A peak renamed and a river taken out of the .osm.pbf."""
    (tmp_path / "mine").mkdir()
    given, gone = tmp_path / "mine" / "world.osm.pbf", []
    rivers = [
        thing.id
        for thing in osmium.FileProcessor(str(folder / "world.osm.pbf"))
        if thing.is_way() and "waterway" in thing.tags
    ]
    with osmium.SimpleWriter(str(given)) as writer:
        for thing in osmium.FileProcessor(str(folder / "world.osm.pbf")):
            if thing.is_node() and thing.tags.get("natural") == "peak" and not gone:
                gone.append(thing.id)
                thing = thing.replace(tags=dict(thing.tags) | {"name": "Tor"})
            if thing.id != rivers[-1] or not thing.is_way():
                writer.add(thing)
    assert run(tmp_path / "out", "--edits", given, *WORLD, "--formats", "pbf") == 0
    assert "peak Tor" in capsys.readouterr().out
    held = json.loads((tmp_path / "out" / "edits.json").read_text(encoding="utf-8"))
    assert {(row["thing"], row["act"]) for row in held["rounds"][0]["edits"]} >= {("peak", "renamed"), ("river", "deleted")}
    names = {thing.tags.get("name") for thing in osmium.FileProcessor(str(tmp_path / "out" / "world.osm.pbf"))}
    assert "Tor" in names


def test_a_file_without_changes_is_the_same_world(folder, tmp_path, capsys):
    for name in ("world.osm", "world.osm.pbf", "world.gpkg"):
        out = tmp_path / name
        assert run(out, "--edits", folder / name, "--formats", "osm,json") == 0
        assert (out / "world.osm").read_bytes() == (folder / "world.osm").read_bytes()
        assert json.loads((out / "edits.json").read_text(encoding="utf-8"))["rounds"] == []
    assert "cannot" not in capsys.readouterr().out


def test_a_map_without_edits_takes_them_out_of_its_folder(folder, tmp_path):
    """Otherwise the next changed file would be compared with another world."""
    out = tmp_path / "out"
    (tmp_path / "edits.json").write_text(
        '{"version": 1, "code": "doublecone-8-79-gn=4-ln=2", "not_honoured": [], "rounds": [{"file": "", "edits": '
        '[{"thing": "ocean", "act": "renamed", "at": [0, -80], "name": "Blue"}]}]}',
        encoding="utf-8",
    )
    assert run(out, "--edits", tmp_path / "edits.json", "--formats", "json") == 0
    assert "Blue" in (out / "edits.json").read_text(encoding="utf-8")
    assert run(out, *WORLD, "--formats", "json") == 0
    assert "Blue" not in (out / "edits.json").read_text(encoding="utf-8")


BAD = {
    "none.osm": (None, "there is no file"),
    "world.shp": (b"", "is no .osm, .osm.pbf, .gpkg or edits.json"),
    "cut.osm": (b"<osm><node id='1' lon='2'", "cannot be read"),
    "other.osm": (b"<gpx></gpx>", "cannot be read"),
    "empty.osm": (b"<osm version='0.6'></osm>", "is of another world"),
    "cut.osm.pbf": (b"\0\0\0\x0dpbf", "cannot be read"),
    "cut.gpkg": (b"SQLite format 3\0" + bytes(80), "cannot be read"),
    "edits.json": (b"{}", "holds no edits"),
    "far.json": (
        b'{"version": 1, "code": "x", "not_honoured": [], "rounds": [{"file": "", "edits": [{"thing": "peak", '
        b'"act": "deleted", "at": [0, 1e9]}]}]}',
        "holds no edits",
    ),
    "new.json": (b'{"version": 2}', "is of version 2"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_files(tmp_path, capsys, name):
    content, expected = BAD[name]
    if content is not None:
        (tmp_path / name).write_bytes(content)
    assert run(tmp_path / "out", "--edits", tmp_path / name, *WORLD, "--formats", "json") == 2
    said = capsys.readouterr().err
    assert said.startswith("landfall: ") and said.count("\n") == 1 and expected in said
    assert not (tmp_path / "out").exists()


def test_another_world(folder, tmp_path):
    """From outside: one line, and nothing is written."""
    words = ("map", str(tmp_path / "out"), "--edits", str(folder / "world.gpkg"), "--formats", "json", "--seed", "2")
    assert "is of the world doublecone-8-79-gn=4-ln=2, not of" in complaint(landfall(*words), 2)
    assert not (tmp_path / "out").exists()
