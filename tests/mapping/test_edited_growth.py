"""The planet of a map in the show: its land and waters are those of the files, under edits too."""

from __future__ import annotations

import functools

import numpy as np
import pytest

from demo.catalogue.edits_file import FILE, Edits, text_of
from demo.catalogue.generators import generator
from demo.mapping.degrees import degrees_of, directions
from demo.mapping.edits.edit import Edit
from demo.mapping.growth import MapGrowth
from demo.mapping.local.fine_mesh import strip_of
from demo.mapping.local.planet_mesh import fine_mesh_of
from demo.mapping.objects.planet_map import planet_map_of
from demo.mapping.shown.edited_names import names_of
from demo.mapping.shown.map_contents import MapContents
from demo.worlds.doublecone.global_mesh import to_faces
from demo.worlds.parameters import ParameterError

SEED, SIZES = 25, {"gn": 4, "ln": 2}


def grown(values: dict, rounds=()) -> MapGrowth:
    growth = MapGrowth(SEED, generator("map").complete(values), rounds)
    growth.advance(growth.total)
    return growth


@functools.cache
def plain() -> MapGrowth:
    return grown(SIZES)


def peak_of(growth: MapGrowth, height_m: float) -> Edit:
    """The highest point of the mesh, renamed and raised."""
    heights = growth.waters.hydrology.heights_m
    place = degrees_of(growth.waters.place[[int(heights.argmax())]])[0]
    return Edit("peak", "height", (float(place[0]), float(place[1])), "Tor", height_m)


def lake_of(growth: MapGrowth) -> Edit:
    """The largest lake, drained."""
    lakes = growth.waters.hydrology.lakes
    place = degrees_of(growth.waters.place[[int(lakes.bottom[lakes.area_m2.argmax()])]])[0]
    return Edit("lake", "deleted", (float(place[0]), float(place[1])))


@functools.cache
def rounds() -> tuple[tuple[Edit, ...], ...]:
    return ((peak_of(plain(), 12_000.0),), (lake_of(plain()),))


@functools.cache
def edited() -> MapGrowth:
    return grown(SIZES, rounds())


@pytest.mark.parametrize("wanted", [(), "edits"])
def test_land_and_waters_are_those_of_the_files(wanted):
    pytest.importorskip("shapely")
    laid = rounds() if wanted else ()
    values = generator("doublecone").complete(SIZES)
    shown = (edited() if wanted else plain()).waters
    made, files = planet_map_of(SEED, values, "", rounds=laid or ((Edit("sea", "renamed", (0.0, 0.0), "Mare"),),))
    for name in ("heights_m", "surface_m", "receiver_of_point", "lake_of_point", "discharge_m3_s"):
        assert np.array_equal(getattr(shown.hydrology, name), getattr(files.waters, name)), name
    assert len(made.lakes) == len(shown.hydrology.lakes)


def test_a_raised_peak_stands_there_and_a_drained_lake_is_dry():
    before, after = plain().waters, edited().waters
    peak, lake = rounds()[0][0], rounds()[1][0]
    at = int(np.argmax(after.place @ directions(np.array(peak.at))))
    assert after.hydrology.heights_m[at] > before.hydrology.heights_m[at] + 1000.0
    assert edited().heights.max() > plain().heights.max() + 1000.0
    at = int(np.argmax(after.place @ directions(np.array(lake.at))))
    assert before.hydrology.lake_of_point[at] >= 0 > after.hydrology.lake_of_point[at]


def test_far_from_an_edit_the_relief_is_bit_for_bit_what_it_was():
    peak = peak_of(plain(), 12_000.0)
    after = grown(SIZES, ((peak,),))
    apart = plain().atlas.positions(plain().n) @ directions(np.array(peak.at))
    same = (after.heights == plain().heights) & (after.above == plain().above)
    assert not same.all()
    # The other half of the planet is as it was.
    assert same[apart < 0.0].all()


def test_the_relief_grows_as_ever_until_the_valleys_bring_the_edits():
    one, two = MapGrowth(SEED, generator("map").complete(SIZES), rounds()), MapGrowth(SEED, generator("map").complete(SIZES))
    relief = one.stages["relief"]
    for growth in (one, two):
        growth.advance(relief)
    assert np.array_equal(one.heights, two.heights)
    for growth in (one, two):
        growth.advance(relief + 1)
    assert not np.array_equal(one.heights, two.heights)


def test_a_growth_shown_again_has_the_edits():
    again = edited().again(lambda: pytest.fail("grown anew"), ())
    again.advance(again.total)
    assert np.array_equal(again.heights, edited().heights) and np.array_equal(again.above, edited().above)


def test_names_are_kept_and_given():
    before = {(label.kind, label.name) for label in MapContents(plain().waters).labels}
    after = {(label.kind, label.name) for label in MapContents(edited().waters).labels}
    assert ("peak", "Tor") in after and ("peak", "Tor") not in before
    assert len(before & after) > 0.6 * len(before)


def test_things_of_all_kinds_bear_the_names_that_edits_give():
    waters = plain().waters
    contents = MapContents(waters)
    edits = []
    for kind in ("landmass", "river", "lake", "peak"):
        label = next(label for label in contents.labels if label.kind == kind)
        place = degrees_of(label.place[None])[0]
        edits.append(Edit(kind, "renamed", (float(place[0]), float(place[1])), f"New {kind}"))
    named = grown(SIZES, (tuple(edits),))
    labels = MapContents(named.waters).labels
    assert {(edit.thing, edit.name) for edit in edits} <= {(label.kind, label.name) for label in labels}
    assert np.array_equal(named.heights, plain().heights)
    # Asked again, the same planet has the same names.
    assert names_of(named.waters).landmasses() == names_of(named.waters).landmasses()


def test_fewer_levels_are_the_same_planet():
    whole, part = grown({"gn": 4, "ln": 3}).waters, grown({"gn": 4, "ln": 3, "finest": 5}).waters
    assert part.bed.ground_m.shape == (4, 33, 33)
    for name in ("heights_m", "surface_m", "receiver_of_point", "lake_of_point", "discharge_m3_s"):
        assert np.array_equal(getattr(whole.hydrology, name), getattr(part.hydrology, name)), name
    # What both have is nearly the same: the levels left out shape coasts and valleys a little.
    shared = whole.bed.ground_m[:, ::4, ::4]
    assert ((shared > 0.0) == (part.bed.ground_m > 0.0)).mean() > 0.99
    assert np.abs(shared - part.bed.ground_m).mean() < 0.02 * np.ptp(shared)


def test_no_fewer_levels_than_the_mesh_of_the_waters():
    assert grown({"gn": 5, "ln": 0, "finest": 2}).n == 33


def test_edits_are_read_from_their_file(tmp_path):
    code = generator("doublecone").code(SEED, SIZES)
    (tmp_path / FILE).write_text(text_of(Edits(code, rounds(), ("one", "two"))))
    given = {**SIZES, "edits": str(tmp_path / FILE)}
    growth = generator("map").grow(SEED, given)
    growth.advance(growth.total)
    assert np.array_equal(growth.heights, edited().heights)
    with pytest.raises(ParameterError, match=f"of the world {code}, not of"):
        generator("map").grow(SEED + 1, given)
    with pytest.raises(ParameterError, match=f"of the world {code}, not of"):
        generator("map").grow(SEED, {**given, "land": 0.5})
    with pytest.raises(ParameterError, match="cannot read"):
        generator("map").grow(SEED, {**given, "edits": str(tmp_path / "none.json")})
    assert generator("map").code(SEED, given) != generator("map").code(SEED, SIZES)


def test_blocks_of_the_finer_mesh_are_cut_out_of_the_whole():
    """Blocks at a pole, over the equator and at the edge of a face."""
    whole = grown({"gn": 4, "ln": 3}).waters
    finer = grown({"gn": 4, "ln": 3, "finest": 5}).waters.finer
    assert finer is not None and finer.levels == 2 and whole.finer is None
    mesh = fine_mesh_of(finer.planet, finer.ln, finer.waters, finer.neighbour)
    faces = to_faces(strip_of(mesh, 0, 2 * mesh.cells).heights_m, mesh.fine_cells)
    first, edge = np.array([(0, -4, -4), (1, 40, 56), (3, 100, 3), (2, 124, 124)]), 24
    found = np.full((len(first), edge + 1, edge + 1), np.nan, np.float32)
    for _ in finer.heights_of(first, edge, found):
        pass
    line = np.arange(edge + 1)
    for (face, row, column), block in zip(first.tolist(), found, strict=True):
        rows, columns = (np.clip(k + line, 0, mesh.fine_cells) for k in (row, column))
        assert np.array_equal(block, faces[face, rows[:, None], columns[None, :]])
