"""What a story's preparation keeps in memory, and for how long: stories come for weeks, two at a time."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import fields

import numpy as np
import pytest
from support.showing import SIZE, showing, story_of

from demo.catalogue.generators import generator
from demo.geometry import patch_tree
from demo.geometry.patch_tree import PatchTree
from demo.geometry.river_strips import RiverStrips
from demo.ground import cover, detail, ragged_shores, river_bends, river_forms, standing_water
from demo.ground.cover import cover_parts
from demo.ground.detail import Detail, detail_of
from demo.ground.relief import Relief
from demo.ground.relief_maker import ReliefMaker
from demo.hosts import offscreen
from demo.maths import lines
from demo.scenes.scenes import SCENES
from demo.story import preparation
from demo.story.replay import LONG_S
from demo.story.river_preparation import strips_on
from demo.story.story import Story
from demo.worlds import atlas
from demo.worlds.atlas import CUBE, PLANE
from demo.worlds.carving.carved_runoff import climate_runoff
from demo.worlds.carving.carver import Bench, Carver
from demo.worlds.carving.node_graph import NodeGraph, node_graph
from demo.worlds.carving.record import CarvingRecord, Packed
from demo.worlds.growth import Growth
from demo.worlds.runoff import Runoff

pytestmark = pytest.mark.usefixtures("plain_flights")


@contextmanager
def counted() -> Iterator[list[int]]:
    """Bytes that are held more than before at the most inside the block, once it is over."""
    found: list[int] = []
    tracemalloc.start()
    try:
        tracemalloc.reset_peak()
        before = tracemalloc.get_traced_memory()[0]
        yield found
        found.append(tracemalloc.get_traced_memory()[1] - before)
    finally:
        tracemalloc.stop()


def alive(kind: type) -> int:
    """How many objects of a kind somebody still holds."""
    gc.collect()
    return sum(isinstance(found, kind) for found in gc.get_objects())


def waiting(name: str) -> Story:
    """A small world's story that waits for its turn, with all done that can be."""
    story = story_of(name, waits=True)
    while story.wants_work():
        story.work()
    return story


def test_the_climate_of_a_whole_world_takes_a_few_times_its_heights():
    growth = generator("plasma").grow(3, {"cells": 512})
    growth.advance(growth.total)
    climate_runoff(growth, growth.heights)
    with counted() as peak:
        temperature, rain, runoff = climate_runoff(growth, growth.heights)
    assert {field.dtype for field in (temperature, rain, runoff)} == {np.dtype(np.float32)}
    assert peak[0] < 5.0 * growth.heights.nbytes


@pytest.mark.parametrize("kind", [PLANE, CUBE], ids=lambda kind: kind.name)
def test_the_detail_of_a_whole_world_takes_a_few_times_its_heights(kind):
    n = 513 if kind is PLANE else 209
    heights = np.random.default_rng(1).normal(0.0, 100.0, (kind.faces, n, n)).astype(np.float32)
    detail_of(kind, heights, 60_000.0, 1)
    with counted() as peak:
        found = detail_of(kind, heights, 60_000.0, 1)
    kept = found.padded_m.nbytes + found.rough_m.nbytes + found.lean.nbytes
    # On a planet, where faces meet, gradients are told in single precision first: three times the heights.
    assert peak[0] - kept < (5.5 if kind.spherical else 2.5) * heights.nbytes


def test_the_patches_of_a_whole_planet_take_less_than_twice_what_is_kept_of_them():
    heights = np.random.default_rng(1).normal(0.0, 100.0, (CUBE.faces, 257, 257)).astype(np.float32)
    PatchTree(CUBE, heights, 8, 60_000.0)
    with counted() as peak:
        tree = PatchTree(CUBE, heights, 8, 60_000.0)
    nodes = tree.nodes
    kept = sum(getattr(nodes, field.name).nbytes for field in fields(nodes))
    assert peak[0] < 2.0 * kept + heights.nbytes


CHUNKED = detail, ragged_shores, river_bends, river_forms, lines, patch_tree, standing_water


@pytest.mark.parametrize("name", ["cuts", "map"])
def test_what_is_worked_out_in_chunks_is_the_same_in_others(name, monkeypatch):
    def prepared():
        story = story_of(name)
        story.prepare()
        found = story.carved
        assert len(found.rivers.points)
        nodes = [getattr(found.tree.nodes, field.name) for field in fields(found.tree.nodes)]
        lakes = [found.ground.lakes.padded_m] if found.ground.lakes else []
        return [*nodes, *lakes, found.rivers.points, found.river_beds.segments, found.lamps]

    whole = prepared()
    for module in CHUNKED:
        monkeypatch.setattr(module, "CHUNK", 97)
    monkeypatch.setattr(atlas, "ROWS", 3)
    for one, other in zip(whole, prepared(), strict=True):
        assert one.tobytes() == other.tobytes()


def test_what_carving_changes_is_kept_in_fewer_bytes_and_comes_back_as_it_was():
    rng = np.random.default_rng(1)
    smooth = np.cumsum(rng.normal(0.0, 1.0, (2, 65, 65)), axis=-1).astype(np.float32)
    record = CarvingRecord({3})
    record.keep(3, smooth, smooth > 20.0)
    change, drowned = record.change(3)
    assert np.abs(change - smooth).max() <= np.ptp(smooth) / 65_535 and np.array_equal(drowned, smooth > 20.0)
    fine = np.cumsum(rng.integers(-90, 90, (1, 257, 257)), axis=-1).astype(np.uint16)
    packed = Packed.of(fine)
    assert len(packed.low) + len(packed.high) < 0.7 * fine.nbytes and np.array_equal(packed.values(), fine)
    for odd in (rng.integers(0, 65_536, (2, 9, 9)).astype(np.uint16), np.zeros((1, 2, 2), np.uint16)):
        assert np.array_equal(Packed.of(odd).values(), odd)


@pytest.mark.parametrize("name", ["plasma", "cuts"])
def test_while_land_is_carved_no_buffer_waits_for_the_pictures_that_come_after_nor_what_fills_it(name):
    before = alive(Relief), alive(ReliefMaker)
    story = story_of(name)
    while story.born is None:
        story.work()
    replay, shown, picture = story.replay, 0, None
    while replay.wants_work():
        replay.make_picture()
        picture = replay.take(shown)
        replay.give_back(picture)
        shown += 1
    picture = None
    assert story.carved is None and (alive(Relief), alive(ReliefMaker)) == before
    story.prepare()
    assert replay.wants_work()
    replay.make_picture()
    assert replay.take(shown) is not None


@pytest.mark.parametrize("name", ["cuts", "simplex"])
def test_a_world_that_waits_for_its_turn_keeps_its_first_picture_and_not_what_filled_it(name):
    before = alive(Relief), alive(ReliefMaker)
    story = waiting(name)
    assert (alive(Relief), alive(ReliefMaker)) == (before[0] + 1, before[1])
    picture = story.replay.take(0)
    assert picture
    story.replay.give_back(picture)
    story.replay.make_picture()
    assert story.replay.take(1)


@pytest.mark.parametrize("name", ["plasma", "cuts"])
def test_a_world_that_melts_in_keeps_no_buffer_and_grows_when_the_other_one_has_gone(name):
    before = alive(Relief), alive(ReliefMaker)
    story = waiting(name)
    story.hold()
    picture = story.replay.take(0)
    story.replay.give_back(picture)
    picture = None
    assert not story.wants_work() and (alive(Relief), alive(ReliefMaker)) == before
    assert story.replay.take(1) is None and not story.wants_work()
    story.begin()
    assert story.wants_work()
    story.work()
    assert story.replay.take(1) is not None


def test_no_picture_is_made_before_the_next_one_while_each_lasts_long_and_land_is_carved_meanwhile():
    story = story_of("plasma")
    while story.born is None:
        story.work()
    replay, when = story.replay, story.born.timeline
    possible = int(when.picture[when.steps.searchsorted(story.born.grown)]) + 1
    assert when.shortest_s(possible) >= LONG_S > when.shortest_s(when.pictures)
    before = alive(Relief)
    for number in (0, 1):
        replay.make_picture()
        if number == 0:
            replay.give_back(replay.take(0))
        assert alive(Relief) == before + 1
    assert not replay.wants_work()
    # Those of carving come faster, once there is a growth to be seen.
    story.prepare()
    assert not replay.wants_work()
    picture = replay.take(1)
    assert replay.wants_work() and picture


@pytest.mark.parametrize("name", ["plasma", "map"])
def test_the_points_of_rivers_go_when_they_are_drawn(name):
    with offscreen.context(SIZE), showing(scene=name, hold=True) as show:
        show.seek(SCENES[name].birth_s + 1.0)
        story = show.shot().current
        assert story.carved.rivers and len(story.carved.rivers.first)
        gc.collect()
        assert not [found for found in gc.get_objects() if type(found) is RiverStrips and len(found.points)]


def test_a_world_that_melts_away_keeps_neither_its_birth_nor_what_its_growth_needs():
    before = alive(CarvingRecord), alive(Growth), alive(Detail)
    story = story_of("plasma")
    story.begin()
    story.prepare()
    for number in range(story.born.timeline.pictures):
        story.make_picture()
        story.replay.give_back(story.replay.take(number))
    story.t = story.scene.birth_s + 1.0
    assert alive(CarvingRecord) > before[0] and story.prepared is story.carved is not story.born
    story.stand_still()
    assert (alive(CarvingRecord), alive(Growth), alive(Detail)) == (before[0], before[1], before[2] + 1)
    assert story.born is story.carved and story.prepared and not story.wants_work()


def test_a_world_that_is_asked_to_go_while_it_is_born_keeps_what_it_shows():
    story = story_of("plasma")
    story.prepare()
    born, story.t = story.born, 0.5 * story.scene.grown_s
    story.stand_still()
    assert story.prepared is born is not story.carved


def test_a_carved_world_is_covered_without_rivers_and_has_its_rivers_without_the_graph_of_the_cover(monkeypatch):
    seen: dict[str, tuple[int, int]] = {}

    def noted(name: str, work: Callable) -> Callable:
        def watched(*given: object) -> object:
            seen[name] = alive(RiverStrips) - before[0], alive(NodeGraph) - before[1]
            return work(*given)

        return watched

    monkeypatch.setattr(cover, "cover_parts", noted("cover", cover_parts))
    monkeypatch.setattr(preparation, "strips_on", noted("rivers", strips_on))
    before, runoffs = (alive(RiverStrips), alive(NodeGraph)), alive(Runoff)
    story = story_of("plasma")
    story.prepare()
    assert story.carved and story.carved.rivers and story.carved.cover is not None
    assert seen == {"cover": (0, 0), "rivers": (0, 0)}
    assert alive(Runoff) == runoffs, "where all water flows takes 16 to 26 MB"


def test_what_is_drained_keeps_no_more_than_it_tells():
    nodes = node_graph(CUBE, 33)
    carver = Carver(nodes, np.zeros(nodes.count, np.float32), 0.0, 0.0, 1)
    drained = carver.drained()
    assert drained.nodes.table is nodes.table and drained.nodes.count == nodes.count and not drained.nodes.nearness.size
    assert not any(isinstance(value, Bench | Carver) for value in vars(drained).values())
