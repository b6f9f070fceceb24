"""The planetary map as a scene: its waters, its forms, its names, its flight, and key B."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.showing import difference, picture, showing, still, story_of

from demo.catalogue.generators import GENERATORS
from demo.flight import planet_birth, river
from demo.flight.camera import look_at
from demo.flight.paths import Flight, join
from demo.geometry.forms import forms_of, sheet_of, swollen
from demo.geometry.label_layout import settled
from demo.geometry.view import whole
from demo.ground.ground import Ground
from demo.ground.warmth import Warmth
from demo.hosts import key_events, offscreen
from demo.mapping.growth import LAKE_STEPS, MapGrowth
from demo.mapping.shown.map_contents import MapContents
from demo.mapping.shown.scene_waters import LEAST_BANK_M
from demo.scenes.daylight import from_angles
from demo.scenes.map_timing import map_moment
from demo.scenes.scenes import SCENES
from demo.worlds.atlas import DOUBLE_CONE
from demo.worlds.carving.parts import Parts
from demo.worlds.heightfield import sample

pytestmark = pytest.mark.usefixtures("plain_flights")

SCENE = SCENES["map"]
SIZES = {"gn": 6, "ln": 1}
SEEDS = (1, 2, 3)
# When the sheet is flat, and when it rains.
SHEET_S, RAIN_S = SCENE.map_timing.unroll[1] + 2.0, 13.0


@cache
def grown(seed: int) -> tuple[MapGrowth, MapContents]:
    growth = GENERATORS["map"].grow(seed, SIZES)
    growth.advance(growth.total)
    return growth, MapContents(growth.waters)


def unit(vector: np.ndarray) -> np.ndarray:
    return vector / np.sqrt(vector @ vector)


def at(field: np.ndarray, places: np.ndarray) -> np.ndarray:
    face, u, v, _ = DOUBLE_CONE.invert(places)
    return sample(field, face, u, v)


# --- growth ------------------------------------------------------------------------------------------------------------


def test_relief_is_that_of_the_double_cone_until_waters_come():
    growth, dry = GENERATORS["map"].grow(5, SIZES), GENERATORS["doublecone"].grow(5, SIZES)
    for step in (0, 3, dry.total):
        growth.advance(step)
        dry.advance(step)
        assert np.array_equal(growth.heights, dry.heights) and growth.sea_level == dry.sea_level
        assert growth.above is None


def test_rhombi_are_marked_while_the_relief_grows():
    growth = GENERATORS["map"].grow(5, SIZES)
    growth.advance(3)
    # As a story asks for them: those of the first third of all steps.
    assert len(growth.marks(0, growth.total // 3).lines) > 100
    assert not len(growth.marks(SIZES["gn"], growth.total).lines)


def test_growth_composes_and_comes_back():
    one, two = GENERATORS["map"].grow(5, SIZES), GENERATORS["map"].grow(5, SIZES)
    for step in (2, one.total - LAKE_STEPS, one.total - 3, one.total):
        one.advance(step)
    two.advance(two.total)
    assert np.array_equal(one.heights, two.heights) and np.array_equal(one.above, two.above)


def test_a_planet_grown_again_is_the_same_and_finds_its_waters_but_once(monkeypatch):
    one = GENERATORS["map"].grow(5, SIZES)
    one.advance(one.total)
    monkeypatch.setattr("demo.mapping.growth.scene_waters_of", lambda *words: pytest.fail("the waters were found twice"))
    two = one.again(lambda: GENERATORS["map"].grow(5, SIZES), range(one.total + 1))
    assert two.done == 0 and two.total == one.total
    for step in (3, two.total - LAKE_STEPS, two.total):
        two.advance(step)
    assert np.array_equal(one.heights, two.heights) and np.array_equal(one.above, two.above)


@pytest.mark.parametrize("seed", SEEDS)
def test_lakes_rise_from_nothing_to_their_levels(seed):
    waters = grown(seed)[0].waters
    dry, full = waters.bed.filled(0.0), waters.bed.filled(1.0)
    assert (dry[1][waters.bed.level_m > waters.bed.bottom_m] >= 0.0).all()
    lake = (full[1] < 0.0) & (full[0] > 0.0)
    assert lake.sum() > 20
    apart = np.abs(full[0][lake][:, None] - waters.hydrology.lakes.level_m[None]).min(axis=1)
    assert apart.max() < 0.01
    before = dry[0]
    for share in (0.25, 0.5, 1.0):
        heights, above = waters.bed.filled(share)
        assert (heights >= before).all() and (above <= dry[1]).all()
        before = heights


@pytest.mark.parametrize("seed", SEEDS)
def test_samples_that_faces_share_have_the_same_waters(seed):
    growth = grown(seed)[0]
    copies, owners = DOUBLE_CONE.seams(growth.n)
    for field in (growth.heights, growth.above, growth.waters.dry):
        flat = field.reshape(-1)
        assert np.array_equal(flat[copies], flat[owners])


# --- rivers ------------------------------------------------------------------------------------------------------------


def crosses(p, q):
    """Whether segments p (a, 2, 2) and q (b, 2, 2) of a plane cross, not at an end: bool (a, b)."""

    def across(a, b):
        return a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]

    along, other, apart = (p[:, 1] - p[:, 0])[:, None], (q[:, 1] - q[:, 0])[None], q[None, :, 0] - p[:, None, 0]
    turn = across(along, other)
    turn = np.where(np.abs(turn) < 1e-18, np.inf, turn)
    at_p, at_q = across(apart, other) / turn, across(apart, along) / turn
    return (at_p > 1e-4) & (at_p < 1.0 - 1e-4) & (at_q > 1e-4) & (at_q < 1.0 - 1e-4)


@pytest.mark.parametrize("seed", SEEDS)
def test_rivers_do_not_cross_those_they_join(seed):
    streams = grown(seed)[1].streams
    inner = np.flatnonzero(np.diff(streams.of_point) == 0)
    segments = np.stack([streams.place[inner], streams.place[inner + 1]], axis=1)
    line = streams.of_point[inner]
    joining = np.flatnonzero(np.array(streams.mouth) == "river")
    crossing = 0
    for k in joining:
        end = streams.place[streams.first[k + 1] - 1]
        east = unit(np.cross(end, [0.3, 0.9, 0.2]))
        plane = np.stack([east, np.cross(end, east)], axis=1)
        near = segments[:, 0] @ end > np.cos(1.5 * 0.5 * np.pi / 2 ** SIZES["gn"])
        crossing += crosses(segments[near & (line == k)] @ plane, segments[near & (line != k)] @ plane).any()
    assert len(joining) > 50 and crossing <= 0.006 * len(joining)


@pytest.mark.parametrize("seed", SEEDS)
def test_rivers_end_in_water_in_a_river_or_in_a_basin(seed):
    growth, chart = grown(seed)
    streams, waters = chart.streams, growth.waters.hydrology
    ends = streams.place[streams.first[1:] - 1]
    edge = 0.5 * np.pi / 2 ** SIZES["gn"]
    assert set(streams.mouth) <= {"sea", "lake", "river", "basin"}
    assert {"sea", "lake", "river"} <= set(streams.mouth)
    joins = []
    for k, mouth in enumerate(streams.mouth):
        last = int(streams.end[k])
        if mouth == "sea":
            assert waters.landmasses.landmass_of_point[last] < 0
        elif mouth == "lake":
            assert waters.lake_of_point[last] >= 0
        elif mouth == "basin":
            assert waters.receiver_of_point[last] < 0
        else:
            others = np.concatenate([streams.place[: streams.first[k]], streams.place[streams.first[k + 1] :]])
            joins.append(np.arccos(np.clip((others @ ends[k]).max(), -1.0, 1.0)) / edge)
    # Where the larger river comes out of a lake its line begins at the shore.
    assert max(joins) < 0.6 and np.mean(np.array(joins) < 0.01) > 0.95
    drowned = np.isin(streams.mouth, ("sea", "lake"))
    # The last point is in the water, or no further from it than one step of the line.
    near = at(growth.above, ends[drowned]) <= 0.0
    assert near.mean() > 0.95


@pytest.mark.parametrize("seed", SEEDS)
def test_rivers_fall_and_their_valleys_are_cut(seed):
    growth, chart = grown(seed)
    streams = chart.streams
    same = np.diff(streams.of_point) == 0
    assert (np.diff(streams.height_m)[same] <= 1e-9).all()
    assert (np.diff(streams.run)[same] >= -1e-9).all()
    ground = at(growth.waters.bed.ground_m, streams.place)
    lowest = np.concatenate([np.minimum.accumulate(ground[streams.line(k)]) for k in range(len(streams))])
    on_land = streams.shown >= 1.0
    # The line lies in its valley, neither on its side nor over a trench, and the valley falls.
    assert (np.abs(ground - np.maximum(streams.height_m, LEAST_BANK_M))[on_land] < 100.0).mean() > 0.8
    assert (ground - lowest > 100.0)[on_land].mean() < 0.055


def test_rivers_run_downstream_in_time():
    first = [map_moment(SCENE, t, False).reached for t in np.arange(0.0, 40.0, 0.5)]
    assert first[0] == 0.0 and max(first) > 1.0 and (np.diff(first) >= 0.0).all()


# --- forms -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(6))
def test_sheet_begins_as_the_sphere_and_ends_flat_within_the_picture(seed):
    pose = planet_birth.birth(1000.0, seed, 30.0, []).pose(12.0)
    places = np.random.default_rng(seed).normal(size=(400, 3))
    places /= np.sqrt((places * places).sum(axis=1, keepdims=True))
    assert np.allclose(sheet_of(pose, 1000.0, 0.0, 1.5).place(places), 1000.0 * places, atol=1e-6)
    for aspect in (0.6, 1.0, 16 / 9):
        seen = sheet_of(pose, 1000.0, 1.0, aspect).place(places) - pose.position
        deep = seen @ pose.forward
        assert np.ptp(deep) < 0.01 * deep.mean()
        high = np.abs(seen @ pose.up) / (deep * np.tan(0.5 * pose.fov_y))
        wide = np.abs(seen @ np.cross(pose.forward, pose.up)) / (deep * np.tan(0.5 * pose.fov_y) * aspect)
        assert high.max() < 0.9 and wide.max() < 0.97


def test_sheet_keeps_neighbours_together_but_at_its_cut():
    pose = planet_birth.birth(1.0, 4, 30.0, []).pose(12.0)
    angle = np.linspace(-np.pi, np.pi, 721)
    places = np.stack([np.cos(angle) * 0.9, np.full(721, np.sqrt(0.19)), np.sin(angle) * 0.9], axis=1)
    for share in (0.2, 0.6, 1.0):
        step = np.sqrt((np.diff(sheet_of(pose, 1.0, share, 1.7).place(places), axis=0) ** 2).sum(axis=1))
        assert (step > 5.0 * np.median(step)).sum() <= 1


def test_cone_swells_into_the_sphere():
    places = DOUBLE_CONE.direction(np.arange(4)[:, None], 0.3, np.linspace(0.0, 0.6, 5)[None]).reshape(-1, 3)
    forms = forms_of(places)
    assert np.allclose(swollen(forms, 1.0), places)
    assert np.sqrt((swollen(forms, 0.0) ** 2).sum(axis=1)).max() < 1.3


# --- names -------------------------------------------------------------------------------------------------------------


BOX = st.tuples(*[st.floats(0.0, 300.0)] * 2, st.floats(10.0, 90.0), st.floats(8.0, 20.0))


@given(st.lists(st.tuples(BOX, st.floats(0.0, 1.0)), min_size=1, max_size=12))
def test_names_never_overlap_and_never_leave_the_picture(drawn):
    boxes = np.array([(x, y, x + w, y + h) for (x, y, w, h), _ in drawn])
    seen = settled(boxes, np.array([wanted for _, wanted in drawn]), 320, 240)
    assert ((seen >= 0.0) & (seen <= 1.0)).all()
    shown = boxes[seen > 0.0]
    for k, a in enumerate(shown):
        for b in shown[:k]:
            assert a[0] >= b[2] or b[0] >= a[2] or a[1] >= b[3] or b[1] >= a[3]
    assert (shown[:, :2] > -5.0).all() and (shown[:, 2] < 325.0).all() and (shown[:, 3] < 245.0).all()


def test_most_important_name_stands_alone_of_two():
    boxes = np.array([[50.0, 50.0, 90.0, 62.0], [60.0, 55.0, 99.0, 67.0], [60.0, 120.0, 99.0, 132.0]])
    seen = settled(boxes, np.ones(3), 320, 240)
    assert seen[0] == 1.0 and seen[1] == 0.0 and seen[2] == 1.0


@pytest.mark.parametrize("seed", SEEDS)
def test_names_are_of_rivers_lakes_and_peaks_and_differ(seed):
    labels = grown(seed)[1].labels
    assert {"landmass", "river", "lake", "peak"} == {label.kind for label in labels}
    assert len({(label.kind, label.name) for label in labels}) == len(labels)
    for label in labels:
        assert label.name and abs(label.place @ label.place - 1.0) < 1e-9


@pytest.mark.parametrize("seed", SEEDS)
def test_all_is_called_as_in_the_files(seed):
    pytest.importorskip("shapely")
    from demo.catalogue.maps import map_planet

    files = map_planet(seed, SIZES)
    things = {"landmass": files.landmasses, "lake": files.lakes, "river": files.rivers, "peak": files.peaks}
    for label in grown(seed)[1].labels:
        # The rivers between the lakes of one stem have one name.
        named = [thing for thing in things[label.kind] if thing.name == label.name]
        assert named, label.name
        latitude = np.degrees(np.arcsin(label.place[1]))
        if label.kind == "peak":
            assert abs(named[0].point[1] - latitude) < 90.0 / 2 ** SIZES["gn"]
            continue
        river = label.kind == "river"
        lines = [line for thing in named for line in (thing.lines if river else [polygon[0] for polygon in thing.polygons])]
        south, north = (pick([pick(line[:, 1]) for line in lines]) for pick in (min, max))
        assert south - 1.0 < latitude < north + 1.0


# --- the flight --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(1, 17))
def test_flight_follows_a_river_up_to_its_source_within_its_bounds(seed):
    growth, chart = grown(seed)
    heights = growth.heights * np.float32(SCENE.relief_m / growth.heights.max())
    ground = Ground(growth.atlas, heights, SCENE.size_m)
    birth = planet_birth.birth(SCENE.size_m, seed, SCENE.birth_s, [])
    eye = birth.pose(SCENE.birth_s).position
    sun = from_angles(np.arctan2(eye[2], eye[0]) + 0.85, 0.1)
    flight = join(birth, Parts(river.plan(ground, chart.routes, seed, sun, SCENE.flight_s + 14.0, SCENE.flight_s)).result())
    t = np.arange(SCENE.birth_s, SCENE.birth_s + SCENE.flight_s, 0.25)
    poses = [flight.pose(x) for x in t]
    position = np.stack([pose.position for pose in poses])
    clearance = ground.clearance(position)
    assert clearance.min() > 1_000.0
    acceleration = np.sqrt((np.diff(position, 2, axis=0) ** 2).sum(axis=1)) / 0.25**2
    assert (acceleration / clearance[1:-1]).max() < 0.75
    forward = np.stack([pose.forward for pose in poses])
    up = np.stack([pose.up for pose in poses])
    trace = sum((a[1:] * a[:-1]).sum(axis=1) for a in (forward, up, np.cross(forward, up)))
    turn = np.degrees(np.arccos(np.clip(0.5 * (trace - 1.0), -1.0, 1.0))) / 0.25
    assert turn.max() <= 12.0
    # One and the same river from end to end, from below the mouth to near the source.
    low = position[(t > SCENE.birth_s + 0.5 * SCENE.flight_s) & (t < t[-1] - 3.0)]
    low = low / np.sqrt((low * low).sum(axis=1, keepdims=True))
    apart = [np.arccos(np.clip((low @ route.T).max(axis=1), -1.0, 1.0)).max() * SCENE.size_m for route in chart.routes]
    followed = int(np.argmin(apart))
    assert apart[followed] < 30_000.0
    route = chart.routes[followed]
    nearest = np.argmax(low @ route.T, axis=1) / (len(route) - 1)
    assert nearest[0] < 0.3 and nearest[-1] > 0.7 and (np.diff(nearest) >= -0.1).all()


def test_flight_without_any_river_is_refused():
    growth = grown(1)[0]
    with pytest.raises(ValueError, match="no river"):
        Parts(river.plan(Ground(growth.atlas, growth.heights, 1e6), (), 1, np.array([1.0, 0.0, 0.0]), 30.0, 20.0)).result()


def test_name_of_the_river_stands_along_the_flight():
    story = story_of("map", seed=2, gn=6, ln=0)
    story.prepare()
    way = [label for label in story.carved.map.labels if label.kind == "way"]
    assert way and len({label.name for label in way}) == 1
    t = np.linspace(SCENE.birth_s + 0.5 * SCENE.flight_s, SCENE.birth_s + 0.9 * SCENE.flight_s, 60)
    at = np.stack([story.carved.flight.pose(x).position for x in t])
    at /= np.sqrt((at * at).sum(axis=1, keepdims=True))
    for label in way:
        assert np.arccos((at @ label.place).max()) * SCENE.size_m < 30_000.0
    assert map_moment(SCENE, 0.5 * (t[0] + t[-1]), False).way == 1.0 and map_moment(SCENE, SCENE.birth_s, False).way == 0.0


# --- the picture -------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def screen():
    with offscreen.context((320, 180)):
        yield


def key_b() -> tuple[str, bool]:
    import pygame

    return key_events.action_of(pygame.event.Event(pygame.KEYDOWN, {"key": pygame.K_b, "mod": 0, "unicode": "b"}))


@pytest.mark.usefixtures("screen")
def test_key_b_switches_borders_on_and_off():
    with showing((320, 180), scene="map", seed=2, hold=True) as show:
        show.seek(SCENE.birth_s + 0.5)
        plain = picture(show)
        show.act(*key_b())
        with_borders = picture(show)
        show.act(*key_b())
        assert np.array_equal(picture(show), plain)
        assert difference(plain, with_borders)[1] > 0.002


@pytest.mark.usefixtures("screen")
def test_key_b_dots_the_rhombi_of_the_mesh_where_there_is_one():
    """In the double cone's scene too, while it grows; a world of another algorithm has none."""
    for scene, seen in (("doublecone", True), ("simplex", False)):
        with showing((320, 180), scene=scene, seed=2, hold=True, caption=False) as show:
            show.seek(4.5)
            plain = picture(show)
            show.act(*key_b())
            assert (difference(plain, picture(show))[1] > 0.005) is seen


@pytest.mark.usefixtures("screen")
@pytest.mark.parametrize(
    ("what", "seconds", "least"), [("rivers", SHEET_S, 0.1), ("names", SHEET_S, 0.1), ("rain", RAIN_S, 0.01)]
)
def test_rivers_rain_and_names_are_seen_when_it_is_their_time(what, seconds, least, monkeypatch):
    """The picture differs from that of a scene whose timing never shows them."""
    seen = still(seconds, (320, 180), scene="map", seed=2, hold=True, caption=False)
    never = replace(SCENE.map_timing, **{what: (1e6, 1e6 + 1.0)})
    monkeypatch.setitem(SCENES, "map", replace(SCENE, map_timing=never))
    without = still(seconds, (320, 180), scene="map", seed=2, hold=True, caption=False)
    assert difference(seen, without)[0] > least


def test_rivers_are_prepared_for_near_and_for_far():
    story = story_of("map", seed=2)
    story.prepare()
    assert story.carved.map.rivers.count.sum() > story.carved.map.far_rivers.count.sum() > 0


@pytest.mark.usefixtures("screen")
@pytest.mark.parametrize("seed", range(4))
def test_sheet_keeps_its_middle_while_the_camera_turns(seed):
    """From the first frame in which it is unrolled to the last, whatever meridian the camera passes meanwhile."""
    from demo.show.frame import frame_of
    from demo.tables.looks import Look

    story = story_of("map", seed=seed, gn=3, ln=0)
    story.prepare()
    sheets = []
    for story.t in np.arange(SCENE.map_timing.unroll[0], SCENE.map_timing.roll[1], 0.25):
        sheets.append(frame_of(story, story.prepared.flight.pose(story.t), Look(), whole(1.7)).moment.sheet)
    assert len({sheet.middle for sheet in sheets if sheet}) == 1


@pytest.mark.usefixtures("screen")
def test_lakes_freeze_where_the_sea_does_not(monkeypatch):
    """Seen from 3 km above the deepest lake and the deepest sea, where it is 8 degrees below zero and where it is mild."""
    from demo.story import preparation

    red = []
    for degrees in (-8.0, 12.0):
        monkeypatch.setattr(preparation, "warmth_of", lambda growth, c=degrees: Warmth(c, (0.0, 0.0), 0.0))
        with showing((320, 180), scene="map", seed=2, hold=True, caption=False, parameters={"map": SIZES}) as show:
            show.seek(SCENE.birth_s + 8.0)
            picture(show)
            story = show.shot().current
            ground = story.carved.ground
            places = ground.atlas.positions(ground.heights_m.shape[-1]).reshape(-1, 3)
            # In a lake heights are those of its level.
            level = np.maximum(ground.heights_m, 0.0)
            for water in (level > 100.0, level == 0.0):
                deepest = np.where(water, ground.above_m, 0.0).argmin()
                place, high_m = places[deepest], ground.size_m + level.ravel()[deepest] + 3_000.0
                above = look_at(place * high_m, place, np.roll(place, 1))
                sun = unit(place + np.roll(place, 1))
                noon = replace(story.carved.daylight, sun_at=lambda t, sun=sun: sun, exposures=np.ones(1))
                down = Flight(1.0, lambda t, pose=above: pose, spherical=True)
                story.carved = replace(story.carved, flight=down, daylight=noon)
                red.append(np.median(picture(show)[80:100, 150:170, 0].astype(float)))
    (frozen, sea), (open_, same) = red[:2], red[2:]
    assert frozen > open_ + 60.0 and abs(sea - same) < 20.0, red


@pytest.mark.usefixtures("screen")
def test_a_sheet_has_no_holes():
    """The flat sheet fills its ellipse and nothing else: no cell is stretched over the cut, none is missing."""
    with showing((320, 180), scene="map", seed=1, hold=True, caption=False) as show:
        show.seek(0.5 * (SCENE.map_timing.unroll[1] + SCENE.map_timing.roll[0]))
        bright = picture(show).max(axis=-1) > 40
    y, x = np.mgrid[0:180, 0:320]
    inside = ((x - 159.5) / 144.0) ** 2 + ((y - 89.5) / 72.0) ** 2
    assert bright[inside < 0.94].mean() > 0.98
    assert bright[inside > 1.06].mean() < 0.02


def test_tiny_planets_have_maps_too():
    for gn in (1, 2):
        growth = GENERATORS["map"].grow(3, {"gn": gn, "ln": 0})
        growth.advance(growth.total)
        chart = MapContents(growth.waters)
        assert np.isfinite(growth.heights).all() and len(chart.rain)
    story = story_of("map", gn=2, ln=0)
    story.prepare()
    assert story.prepared.flight.pose(40.0).position.shape == (3,)
