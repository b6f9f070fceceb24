"""The map's files, read back by osmium and GDAL and looked over by their own tools."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("osmium")
pytest.importorskip("pyogrio")
pytest.importorskip("rasterio")
pytest.importorskip("shapely")
pytest.importorskip("skia")

import dataclasses
import itertools
from xml.etree import ElementTree

import osmium
import pyogrio
import rasterio
import shapely
from support import map_cases

from demo.export.files import ExportError
from demo.export.maps import formats, gpkg, osm_ids, osm_objects, summary
from demo.export.maps.sheets import book as folder
from demo.mapping.degrees import degrees_of
from demo.tables.map_formats import MAP_FORMATS
from demo.worlds.atlas import DOUBLE_CONE

PLANET = map_cases.planet()
THREADED = tuple(name for name, row in MAP_FORMATS.items() if row.threaded)
LAYERS = (
    "landmasses",
    "coastlines",
    "seas",
    "oceans",
    "catchments",
    "lakes",
    "rivers",
    "confluences",
    "outlets",
    "peaks",
    "river_points",
    "rhombi",
)


def write(folder: Path, *names: str) -> Path:
    formats.write(folder, PLANET, names or tuple(MAP_FORMATS), lambda part: None)
    return folder


@pytest.fixture(scope="module", autouse=True)
def small_sheets():
    """Sheets of a quarter of the pixels' rows and columns: what is on them is the same."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(folder, "PIXELS_PER_POINT", 0.5)
        yield


@pytest.fixture(scope="module")
def written(tmp_path_factory, small_sheets) -> Path:
    return write(tmp_path_factory.mktemp("map") / "out")


def tool(name: str, *words: object) -> str:
    """What a system tool says; skips where it is not installed, and fails where it complains."""
    if not shutil.which(name):
        pytest.skip(f"{name} is not installed")
    done = subprocess.run([name, *map(str, words)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


class World(osmium.SimpleHandler):
    """All that is in a file: nodes id -> (longitude, latitude, tags), ways id -> (nodes, tags), relations."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.nodes, self.ways, self.relations = {}, {}, {}
        self.order: list[tuple[str, int]] = []
        self.apply_file(str(path))

    def node(self, n):
        self.order.append(("n", n.id))
        self.nodes[n.id] = (n.location.lon, n.location.lat, dict(n.tags))

    def way(self, w):
        self.order.append(("w", w.id))
        self.ways[w.id] = ([n.ref for n in w.nodes], dict(w.tags))

    def relation(self, r):
        self.order.append(("z", r.id))
        self.relations[r.id] = ([(m.type, m.ref, m.role) for m in r.members], dict(r.tags))

    def tagged(self, key: str, value: str) -> list[tuple[list[int], dict[str, str]]]:
        return [way for way in self.ways.values() if way[1].get(key) == value]

    def line(self, nodes: list[int]) -> np.ndarray:
        return np.array([self.nodes[node][:2] for node in nodes])


@pytest.fixture(scope="module", params=["world.osm.pbf", "world.osm"])
def world(request, written) -> World:
    return World(written / request.param)


def test_every_format_is_written(written):
    assert {path.name for path in written.iterdir()} == {form.file for form in MAP_FORMATS.values()}


@pytest.mark.parametrize("name", ["world.osm.pbf", "world.osm"])
def test_osmium_tool_finds_nothing_wrong(written, name):
    tool("osmium", "check-refs", "-r", written / name)
    facts = json.loads(tool("osmium", "fileinfo", "-e", "-j", written / name))["data"]
    assert facts["objects_ordered"] and not facts["multiple_versions"]
    assert facts["count"]["relations"] >= 1
    signs = {facts[which][kind] > 0 for which in ("minid", "maxid") for kind in ("nodes", "ways", "relations")}
    assert signs == {name.endswith("pbf")}


def test_ids_are_sorted_and_those_for_editors_are_negative(written):
    """JOSM would take positive ids for the real Earth's. Tools keep sets of ids as bits, so they stay below 2^31."""
    whole, edited = (World(written / name).order for name in ("world.osm.pbf", "world.osm"))
    assert whole == sorted(whole) and edited == [(kind, -number) for kind, number in whole]
    assert min(number for _, number in whole) > 0 and max(number for _, number in whole) <= 2**31
    assert len(set(whole)) == len(whole)


def test_headers_say_what_readers_need(written):
    head = (written / "world.osm").read_text(encoding="utf-8")[:400]
    assert 'upload="never"' in head and '<bounds minlat="-90" minlon="-180" maxlat="90" maxlon="180"/>' in head
    reader = osmium.io.Reader(str(written / "world.osm.pbf"))
    assert reader.header().get("sorting") == "Type_then_ID" and reader.header().box().valid()
    reader.close()


def test_a_thing_keeps_its_id_when_another_is_added():
    def ids(planet):
        data = osm_objects.data_of(planet)
        places = zip(data.nodes.tolist(), data.node_ids.tolist(), strict=False)
        lines = ((way.kind, way.keys.tobytes()) for way in data.ways)
        named = (tuple(sorted(group.tags.items())) for group in data.relations)
        return (
            dict(places),
            dict(zip(lines, data.way_ids.tolist(), strict=True)),
            dict(zip(named, data.relation_ids.tolist(), strict=True)),
        )

    before = ids(dataclasses.replace(PLANET, rivers=PLANET.rivers[1:], coastlines=PLANET.coastlines[::-1]))
    after = ids(PLANET)
    for kind, old in enumerate(before):
        assert old and all(after[kind][thing] == number for thing, number in old.items())


def test_coastlines_have_land_on_their_left(world):
    coasts = world.tagged("natural", "coastline")
    closing = [tags.get("closure_segment") == "yes" for _, tags in coasts]
    assert len(coasts) == 3 + 5 and sum(closing) == 5
    for (nodes, _), closes in zip(coasts, closing, strict=True):
        if closes:
            assert len(nodes) == 2
            continue
        line = world.line(nodes)
        middle, step = (line[:-1] + line[1:]) / 2, np.diff(line, axis=0)
        left = np.stack([-step[:, 1], step[:, 0]], 1) / np.linalg.norm(step, axis=1)[:, None] * 0.5
        assert (PLANET.relief.sample(*(middle + left).T) > 0.0).all()
        assert (PLANET.relief.sample(*(middle - left).T) < 0.0).all()


def test_what_meets_shares_a_node(world):
    rivers = world.tagged("waterway", "river")
    coast = {node for nodes, _ in world.tagged("natural", "coastline") for node in nodes}
    trunk = [nodes for nodes, tags in rivers if tags.get("name") == "Ister"]
    assert len(trunk) == 2 and sum(nodes[-1] in coast for nodes in trunk) == 1
    brook = next(nodes for nodes, tags in rivers if "name" not in tags)
    assert any(brook[-1] in nodes for nodes in trunk)
    inflow = next(nodes for nodes, tags in rivers if tags.get("name") == "Ané")
    lake = next(members for members, tags in world.relations.values() if tags.get("natural") == "water")
    shores = {node for kind, way, _ in lake if kind == "w" for node in world.ways[way][0]}
    assert inflow[-1] in shores


def test_lakes_are_multipolygons_with_their_islands(world):
    members, tags = next(group for group in world.relations.values() if group[1].get("natural") == "water")
    assert tags["type"] == "multipolygon" and tags["natural"] == "water" and tags["water"] == "lake"
    assert tags["name"] == "Lake Möri" and [role for _, _, role in members] == ["outer", "inner"]
    for _, way, _ in members:
        nodes, own = world.ways[way]
        assert nodes[0] == nodes[-1] and not own


def test_peaks_and_places_are_named(world):
    tags = [tags for _, _, tags in world.nodes.values() if tags]
    assert {"natural": "peak", "ele": "1987.7", "prominence": "1987.7", "name": "Mount Ashk"} in tags
    assert {"place": "continent", "name": "Arvandia"} in tags and {"place": "ocean", "name": "Ocean of Lell"} in tags


def test_long_lines_become_several_ways_that_hang_together():
    places = np.stack([np.linspace(0.0, 50.0, 5000), np.linspace(0.0, 10.0, 5000)], 1)
    river = dataclasses.replace(PLANET.rivers[0], lines=(places,), widths_m=(np.ones(5000),))
    data = osm_objects.data_of(dataclasses.replace(PLANET, rivers=(river,)))
    pieces = [way for way in data.ways if way.tags.get("waterway") == "river"]
    assert len(pieces) > 2 and max(len(piece.keys) for piece in pieces) <= 2000
    joined = np.concatenate([pieces[0].keys, *(piece.keys[1:] for piece in pieces[1:])])
    assert (joined == osm_objects.keys_of(places)).all()
    assert all(a.keys[-1] == b.keys[0] for a, b in itertools.pairwise(pieces))


def test_positions_survive_the_whole_numbers():
    corners = np.array([[-180.0, -90.0], [180.0, 90.0], [0.0, 0.0], [12.3456789, -45.6789012]])
    assert np.abs(osm_objects.places_of(osm_objects.keys_of(corners)) - corners).max() <= 0.5e-7 + 1e-12


def test_geopackage_has_all_layers(written):
    assert tuple(pyogrio.list_layers(written / "world.gpkg")[:, 0]) == (*LAYERS, "layer_styles")
    for name in LAYERS:
        facts = pyogrio.read_info(written / "world.gpkg", layer=name, force_feature_count=True)
        assert "6371000" in facts["crs"] or "Landfall" in facts["crs"]
        vertices = sum(len(line) for river in PLANET.rivers for line in river.lines)
        counts = {"rhombi": 4**5, "river_points": vertices, "outlets": 0}
        assert facts["features"] == (counts[name] if name in counts else len(getattr(PLANET, name)))
        assert facts["layer_metadata"]["DESCRIPTION"]


@pytest.mark.parametrize("name", LAYERS)
def test_ogrinfo_opens_every_layer(written, name):
    said = tool("ogrinfo", "-al", "-so", written / "world.gpkg", name)
    assert "Feature Count" in said and "ERROR" not in said and "Warning" not in said


def test_geopackage_columns_come_back(written):
    _, _, geometry, columns = pyogrio.raw.read(written / "world.gpkg", layer="rivers")
    names = pyogrio.read_info(written / "world.gpkg", layer="rivers")["fields"].tolist()
    read = dict(zip(names, columns, strict=True))
    assert read["mouth"].tolist() == ["sea", "river", "lake", "basin"] and read["mouth_id"].tolist() == [0, 0, 0, -1]
    assert read["discharge_m3_s"][0] == 21_000.0 and read["order"][0] == 2 and read["name"][2] == "Ané"
    trunk = shapely.from_wkb(geometry[0])
    assert [part.coords[-1] for part in trunk.geoms] == [(180.0, -8.0), (-172.0, -20.0)]


def test_things_of_the_geopackage_are_ranked_and_say_where_they_come_from(written):
    for name in LAYERS[:-2]:
        facts, _, _, columns = pyogrio.raw.read(written / "world.gpkg", layer=name)
        read = dict(zip(facts["fields"].tolist(), columns, strict=True))
        count = len(read["id"])
        assert sorted(read["rank"]) == list(range(1, count + 1))
        assert all(zoom in range(15) for zoom in read["min_zoom"])
        assert set(read["source"]) <= {f"Landfall, {PLANET.code}"} and set(read["licence"]) <= {"CC0-1.0"}
    facts, _, _, columns = pyogrio.raw.read(written / "world.gpkg", layer="landmasses")
    read = dict(zip(facts["fields"].tolist(), columns, strict=True))
    assert read["rank"].tolist() == [1, 2] and (np.diff(read["min_zoom"]) >= 0).all()


def test_qgis_opens_the_geopackage_styled(written):
    """Its table `layer_styles` has a default style for each layer."""
    facts, _, _, columns = pyogrio.raw.read(written / "world.gpkg", layer="layer_styles", read_geometry=False)
    read = dict(zip(facts["fields"].tolist(), columns, strict=True))
    assert tuple(read["f_table_name"]) == LAYERS and all(read["useAsDefault"])
    for name, style in zip(LAYERS, read["styleQML"], strict=True):
        kinds = {symbol.get("type") for symbol in ElementTree.fromstring(style).iter("symbol")}
        geometry = pyogrio.read_info(written / "world.gpkg", layer=name)["geometry_type"]
        assert kinds == {"marker" if geometry == "Point" else "line" if "Line" in geometry else "fill"}


def test_areas_of_the_geopackage_are_valid(written):
    for name in ("landmasses", "lakes", "catchments", "rhombi"):
        areas = shapely.from_wkb(pyogrio.raw.read(written / "world.gpkg", layer=name)[2])
        assert shapely.is_valid(areas).all()


def test_the_geopackage_has_some_geometries_at_once_and_the_same_wkb():
    places, asked = np.random.default_rng(1).uniform(-80.0, 80.0, (2 * gpkg.AT_ONCE + 5, 2)), []

    def points(some):
        asked.append(len(some))
        return shapely.points(some)

    made = gpkg.wkb_of(places, points)
    assert made.tolist() == shapely.to_wkb(shapely.points(places), byte_order=1).tolist()
    assert asked == [gpkg.AT_ONCE, gpkg.AT_ONCE, 5]
    assert gpkg.wkb_of([]).shape == (0,)


def test_ids_of_nodes_in_runs_of_rows_are_those_of_all_at_once():
    """Many share a row, so that several in it would have the same id."""
    chance = np.random.default_rng(3)
    places = np.column_stack([chance.uniform(-180.0, 180.0, 60000), chance.uniform(-0.05, 0.05, 60000)])
    poles = np.array([[x, y] for x in (-180.0, 180.0) for y in (-90.0, 90.0)])
    keys = np.unique(osm_objects.keys_of(np.concatenate([places, poles])))
    points = osm_objects.keys_of(np.concatenate([poles, places[:50]]))
    kinds = np.repeat(np.array([osm_ids.kind_key(kind) for kind in ("vertex", "peak")]), [len(keys), len(points)])
    whole = osm_ids.node_ids(np.concatenate([keys, points]), kinds)
    runs, before, seen = list(osm_ids.node_runs(keys, points, 700)), 0, np.zeros(len(whole), int)
    for begin, end, some in runs:
        here = np.concatenate([np.arange(begin, end), len(keys) + some])
        made = osm_ids.node_ids(np.concatenate([keys, points])[here], kinds[here])
        assert np.array_equal(made, whole[here]) and made.min() > before
        before, seen[here] = made.max(), seen[here] + 1
    assert len(runs) > 10 and (seen == 1).all()


@pytest.mark.parametrize("gn", [1, 2, 6])
def test_rhombi_tile_the_sheet(gn):
    area = 0.0
    for outlines, (_, face, row, column) in gpkg.rhombi(gn):
        assert shapely.is_valid(outlines).all() and shapely.is_ccw(shapely.get_exterior_ring(outlines)).all()
        middles = DOUBLE_CONE.direction(face, (column + 0.5) / 2**gn, (row + 0.5) / 2**gn)
        assert shapely.contains_xy(outlines, *degrees_of(middles).T).all()
        area += shapely.area(outlines).sum()
    assert DOUBLE_CONE.faces == 4 and area == pytest.approx(360.0 * 180.0)


def test_geotiff_is_georeferenced_and_holds_the_heights(written):
    with rasterio.open(written / "relief.tif") as file:
        assert (file.width, file.height, file.dtypes) == (128, 64, ("float32",))
        assert tuple(file.bounds) == pytest.approx((-180.0, -90.0, 180.0, 90.0))
        assert file.crs.is_geographic and "6371000" in file.crs.to_wkt()
        heights = file.read(1)
        columns, rows = np.meshgrid(np.arange(128), np.arange(64))
        longitude, latitude = file.xy(rows.ravel(), columns.ravel())
    assert (heights.ravel() == PLANET.relief.sample(np.array(longitude), np.array(latitude))).all()


def test_the_relief_is_never_held_at_once(tmp_path):
    planet = map_cases.planet(gn=8, ln=2)
    formats.write(tmp_path / "out", planet, ("tif",), lambda part: None)
    assert sum(planet.relief.asked) == 4096 * 2048 and max(planet.relief.asked) <= 2**19
    with rasterio.open(tmp_path / "out" / "relief.tif") as file:
        assert file.block_shapes == [(256, 256)] and file.compression.name == "deflate"
    said = tool("gdalinfo", tmp_path / "out" / "relief.tif")
    assert "ERROR" not in said and "Landfall sphere" in said


def test_summary_holds_the_figures(written):
    facts = json.loads((written / "summary.json").read_text(encoding="utf-8"))
    assert facts["counts"]["rivers"] == 4 and facts["land_ratio"] == 0.071
    assert facts["longest_rivers"][0]["name"] == "Ister" and facts["highest_peaks"][0]["height_m"] == 2000.0
    assert facts["largest_lakes"][0]["name"] == "Lake Möri"
    assert facts["stretch_of_parallels"] == {"minimum": 0.785, "mean": 1.11, "maximum": 1.571}
    words = summary.table(PLANET)
    assert "Ister" in words and "Lake Möri" in words and "7.1%" in words


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_the_same_bytes_every_time(written, tmp_path):
    again = contents(write(tmp_path / "again"))
    for name, data in contents(written).items():
        assert again[name] == data, name


def test_the_same_bytes_on_any_number_of_threads(tmp_path):
    planet = map_cases.planet(gn=6, ln=2)
    for threads in (1, 3):
        formats.write(
            tmp_path / str(threads), planet, ("json", "pbf", "gpkg", *THREADED), lambda part: None, threads=threads
        )
    assert contents(tmp_path / "1") == contents(tmp_path / "3")


@pytest.mark.parametrize("threads", [1, 3])
def test_progress_rises_to_the_end(tmp_path, threads):
    told: list[float] = []
    formats.write(tmp_path / "out", PLANET, tuple(MAP_FORMATS), told.append, threads=threads)
    assert told == sorted(told) and told[-1] == pytest.approx(1.0)


def test_other_files_of_the_folder_stay(tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    (tmp_path / "summary.json").write_text("old")
    write(tmp_path, "json")
    assert (tmp_path / "mine.txt").read_text() == "mine" and "doublecone" in (tmp_path / "summary.json").read_text()
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize("name", MAP_FORMATS)
def test_a_failure_leaves_nothing(tmp_path, name, monkeypatch):
    def fail(*_):
        raise OSError(28, "No space left on device")

    real = formats.writer_of(name)
    monkeypatch.setattr(
        formats, "writer_of", lambda name: lambda path, *more, **shared: (real(path, *more, **shared), fail())
    )
    with pytest.raises(ExportError, match="No space left on device"):
        write(tmp_path / "out", name)
    assert not (tmp_path / "out").exists()
    (tmp_path / "out").mkdir()
    with pytest.raises(ExportError):
        write(tmp_path / "out", name)
    assert not list((tmp_path / "out").iterdir())


@pytest.fixture
def small_disk(tmp_path):
    """A folder on a file system of its own of 64 KB; skips where this user may not mount one."""
    disk = tmp_path / "disk"
    disk.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(disk)]
    if os.name != "posix" or os.geteuid() != 0 or subprocess.run(command, capture_output=True).returncode:
        pytest.skip("no file system can be mounted")
    yield disk
    # Lazily: whatever looks at new file systems may still be looking at this one.
    subprocess.run(["umount", "-l", str(disk)], check=True)


FULL = [*((name, 1) for name in MAP_FORMATS if name != "json"), *((name, 3) for name in THREADED)]


@pytest.mark.parametrize(("name", "threads"), FULL)
def test_a_full_disk_is_said_in_one_line(small_disk, name, threads, capfd):
    (small_disk / "ballast").write_bytes(b"x" * 62_000)
    with pytest.raises(ExportError, match=r"cannot write .* free some space"):
        formats.write(small_disk, PLANET, (name,), lambda part: None, threads=threads)
    assert capfd.readouterr().err == ""
    assert [path.name for path in small_disk.iterdir()] == ["ballast"]


def test_a_folder_that_cannot_be_made(tmp_path):
    (tmp_path / "file").write_text("")
    for place in (tmp_path / "file", tmp_path / "no" / "such"):
        with pytest.raises(ExportError, match="cannot write the folder"):
            write(place, "json")


@pytest.mark.skipif(os.name != "posix", reason="signals are POSIX's")
@pytest.mark.parametrize("there", [False, True])
def test_sigterm_leaves_the_folder_as_it_was(tmp_path, there):
    code = (
        "import signal, sys; from pathlib import Path; from demo.export import files\n"
        "files.install_signal_handler()\n"
        "with files.adding_to_folder(Path(sys.argv[1])) as folder:\n"
        "    (folder / 'world.osm').write_text('half'); print('begun', flush=True); signal.pause()\n"
    )
    out = tmp_path / "out"
    if there:
        out.mkdir()
        (out / "world.osm").write_text("whole")
    root = Path(__file__).resolve().parents[2]
    with subprocess.Popen([sys.executable, "-c", code, str(out)], cwd=root, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout.readline() == "begun\n"
        child.terminate()
        assert child.wait(timeout=60) == -signal.SIGTERM
    assert out.exists() == there
    if there:
        assert [path.read_text() for path in out.iterdir()] == ["whole"]


def test_what_fails_while_two_threads_write_is_said_once_and_leaves_nothing(tmp_path, monkeypatch):
    """Whichever of them it is. The other one ends at once."""
    begun, given, told = threading.Event(), formats.writer_of, list[float]()

    def waits(path: Path, planet: object, report: formats.Progress, threads: int = 1) -> None:
        path.write_bytes(b"half")
        begun.set()
        while True:
            report(0.5)

    def fails(path: Path, planet: object, report: formats.Progress, threads: int = 1) -> None:
        assert begun.wait(60.0)
        raise OSError(28, "No space left on device")

    writers = {"tif": waits, "json": fails}
    monkeypatch.setattr(formats, "writer_of", lambda name: writers.get(name) or given(name))
    with pytest.raises(ExportError, match="json"):
        formats.write(tmp_path / "out", PLANET, ("json", "tif"), told.append, threads=2)
    assert not (tmp_path / "out").exists() or not any((tmp_path / "out").iterdir())

    begun.set()
    writers["tif"] = fails
    del writers["json"]
    with pytest.raises(ExportError, match=r"relief\.tif"):
        formats.write(tmp_path / "out", PLANET, ("json", "tif"), told.append, threads=2)
    assert not (tmp_path / "out").exists() or not any((tmp_path / "out").iterdir())
