"""Preparation: from a full growth to all that its story needs but the heights of a moment. Runs on the worker."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from ..flight import planet, planet_birth, river, terrain
from ..flight.landing_site import Outlook
from ..flight.paths import Flight, join
from ..flight.valleys import LEAST_SHARE, stems_of
from ..geometry.forms import forms_of
from ..geometry.patch_tree import PatchTree
from ..geometry.scattering import air_table
from ..ground.detail import Detail, detail_of
from ..ground.ground import Ground
from ..ground.rivers import calmed
from ..ground.standing_water import calmed_by, lakes_of, lasting
from ..ground.warmth import Warmth, in_season, warmth_of
from ..ground.woods import moisture, wooded
from ..scenes.cloud_cover import CloudCover
from ..scenes.cloudiness import clouds_at
from ..scenes.daylight import NIGHTFALL, Daylight, from_angles, over_planet, over_terrain
from ..scenes.eye import opened
from ..scenes.hourly_light import moonlit
from ..scenes.hours import Hour
from ..scenes.moon_and_rings import MoonAndRings, moon_and_rings_of
from ..scenes.timeline import Timeline, pauses, timeline
from ..scenes.towns import LAMP, lamps
from ..worlds import hashing
from ..worlds.atlas import DOUBLE_CONE
from ..worlds.carving.river_ways import LEAST_M3_S
from .map_preparation import prepare_map, smooth_under_water, with_rivers
from .prepared import Prepared
from .river_preparation import strips_on

if TYPE_CHECKING:
    from ..mapping.shown.map_contents import MapContents
    from ..scenes.palettes import Palette
    from ..scenes.scene import Scene
    from ..tables.quality import Quality
    from ..worlds.atlas import Atlas
    from ..worlds.growth import Growth, Marks
    from ..worlds.runoff import Runoff

    Pieces = Generator[None, None, Prepared]

SUN_STREAM = 102
# A flight is planned for this much longer than it is shown.
EXTRA_S = 14.0
# The sun goes on for this long after a flight's end.
LINGER_S = 4.0
CLOUD_CELLS = 512
# By clouds and woods sites are judged at this share of the flight.
LOW_AT = 0.6
# Rivers with so many times the least water that anybody asks for are kept.
WITH_ROOM = 0.9
# What is worth seeing of the work itself is seen in the first of this many parts of the steps.
MARKED_PARTS = 3


@dataclass(frozen=True)
class GrownWorld:
    """What is kept of a full growth.

    `detail`: the ground's. `datum_m`: the datum of heights, metres above the sea. `stages`, `years`, `sinking`: as in
    `Growth`. `warmth`: how warm it is where. `contents`: of its map; None for a world without one. `runoff`: as in
    `Growth`, with the lakes that last. `hour`: of the viewer, which the light follows; None: the world has its own. The
    other fields are those of `Prepared`.
    """

    ground: Ground
    detail: Detail
    samples: int
    stages: dict[str, int]
    years: np.ndarray
    metres: float
    datum_m: float
    marks: Marks
    sinking: float
    warmth: Warmth
    contents: MapContents | None
    runoff: Runoff | None
    hour: Hour | None


@dataclass(frozen=True)
class Journey:
    """The camera and the sun over a story; the fields are those of `Prepared`."""

    flight: Flight
    whole: Flight
    daylight: Daylight
    turn: float


def grown_world(
    growth: Growth, scene: Scene, seed: int, metres: float | None = None, hour: Hour | None = None
) -> GrownWorld:
    """What a story keeps of a growth that is "grown" or done; its heights are copied.

    `metres`: of the show in a unit of heights; None: the highest land is as high as the scene wants it. `hour`: of the
    viewer, which the world follows; None: its own.
    """
    heights, sea, grown = growth.heights, float(growth.sea_level), growth.stages["grown"]
    if metres is None:
        metres = scene.relief_m / max(float(heights.max()) - sea, 1e-9)
    contents = scene.generator.contents(growth)
    detail = detail_of(growth.atlas, (heights - np.float32(sea)) * np.float32(metres), scene.size_m, seed)
    if contents:
        detail = smooth_under_water(detail, contents)
    above_m = None if growth.above is None else growth.above * np.float32(metres)
    runoff, lakes = growth.runoff, None
    if runoff:
        runoff = lasting(runoff, growth.atlas, scene.size_m, metres)
        lakes = lakes_of(runoff, growth.atlas, detail.heights_m, scene.size_m, metres)
        detail = calmed(detail, runoff)
        detail = calmed_by(lakes, detail) if lakes else detail
        # Flights follow the largest rivers, however little water these have.
        most = float(runoff.flow[runoff.land & (runoff.sample >= 0)].max(initial=0.0))
        runoff = runoff.of_rivers(WITH_ROOM * min(LEAST_M3_S / runoff.m3_s(scene.size_m), LEAST_SHARE * most))
    return GrownWorld(
        # The detail holds a copy of the heights: the ground shares it.
        ground=Ground(growth.atlas, detail.heights_m, scene.size_m, detail, lakes, above_m),
        detail=detail,
        samples=growth.n,
        stages=growth.stages,
        years=growth.years,
        metres=metres,
        # In the look of the article, where a relief may have the height that it is printed with.
        datum_m=-sea * (metres if growth.printed_relief is None else growth.printed_relief * scene.size_m),
        marks=growth.marks(0, max(1, grown // MARKED_PARTS)),
        sinking=growth.sinking,
        warmth=in_season(warmth_of(growth), hour.warmer_c if hour else 0.0),
        contents=contents,
        runoff=runoff,
        hour=hour,
    )


def prepare(world: GrownWorld, scene: Scene, seed: int, quality: Quality, calm: bool, code: str) -> Pieces:
    """All that pictures of a story need of a grown world, piece by piece: the worker does other things in between.

    `quality`: what it will be drawn with; `calm`: whether the camera flies slowly; `code`: the world's code.
    """
    ground, palette, clouds = world.ground, scene.palette_of(seed), _clouds(seed)
    journey = yield from _journey(world, scene, seed, calm, clouds)
    yield
    tree = PatchTree(ground.atlas, ground.surface_m, quality.patch, scene.size_m, quality.reach, quality.coarse)
    yield
    drawn_map = prepare_map(world.contents, ground.atlas, journey.flight, scene) if world.contents else None
    yield
    # They are lit after the birth. Where more of the land is known by then, they are worked out with that.
    late = scene.is_carved or scene.map_timing is not None
    towns = np.zeros(0, LAMP) if late else lamps(ground, seed, scene.relief_m, palette.cold, palette.snow_line)
    yield
    when = timeline(scene, world.stages)
    return Prepared(
        ground=ground,
        tree=tree,
        samples=world.samples,
        timeline=when,
        grown=world.stages["grown"],
        years=world.years,
        flight=journey.flight,
        whole=journey.whole,
        daylight=journey.daylight,
        turn=journey.turn,
        marks=world.marks,
        ring_times=_ring_times(world.marks, when),
        sinking_m=world.sinking * scene.size_m,
        outline=_outline(world.marks, ground.atlas) if scene.cone else None,
        clouds=clouds,
        sunlight=air_table(scene.air),
        lamps=towns,
        moon_and_rings=_moon_and_rings(world, scene, seed, journey.flight),
        warmth=world.warmth,
        metres=world.metres,
        range_m=(float(ground.heights_m.min()), float(ground.heights_m.max())),
        code=code,
        map=drawn_map,
    )


def prepare_flown(world: GrownWorld, born: Prepared, scene: Scene, seed: int, calm: bool) -> Pieces:
    """What pictures of a map need from its rain on, but the cover of its land: its flight, its rivers and its names.

    `born`: what is shown before.
    """
    if world.contents is None or born.map is None:
        return born
    journey = yield from _journey(world, scene, seed, calm, born.clouds, born)
    yield
    shown = with_rivers(born.map, world.contents, (world.ground, world.detail), journey.flight, scene, world.metres)
    return replace(born, flight=journey.flight, whole=journey.whole, daylight=journey.daylight, map=shown)


def prepare_carved(world: GrownWorld, born: Prepared, scene: Scene, seed: int, calm: bool) -> Pieces:
    """What pictures need from the moment on at which the world of `born` begins to be carved into `world`, piece by piece.

    Sky, clouds and whatever else the birth shows stay as they are.
    """
    ground, palette = world.ground, scene.palette_of(seed)
    journey = yield from _journey(world, scene, seed, calm, born.clouds, born)
    yield
    tree = born.tree.over(ground.surface_m)
    yield
    towns = lamps(ground, seed, scene.relief_m, palette.cold, palette.snow_line)
    yield
    rivers, beds = yield from strips_on(world.runoff, ground, journey.flight, scene.birth_s, world.metres, seed)
    return replace(
        born,
        ground=ground,
        tree=tree,
        flight=journey.flight,
        whole=journey.whole,
        daylight=journey.daylight,
        lamps=towns,
        rivers=rivers,
        river_beds=beds,
    )


def _moon_and_rings(world: GrownWorld, scene: Scene, seed: int, flight: Flight) -> MoonAndRings:
    if world.contents is not None:
        # They have no place in an atlas.
        return MoonAndRings()
    found = moon_and_rings_of(world.ground, seed, flight, scene.leaves_s, scene.birth_s + scene.flight_s)
    # By moonlight the moon is where that comes from.
    return replace(found, moon=None) if moonlit(world.hour) else found


def _ring_times(marks: Marks, when: Timeline) -> np.ndarray:
    return np.array([when.time_of_step(int(step)) for step in marks.steps])


def _journey(
    world: GrownWorld, scene: Scene, seed: int, calm: bool, clouds: np.ndarray, born: Prepared | None = None
) -> Generator[None, None, Journey]:
    """`clouds`: as in `Prepared`; `born`: what is known for the birth, which the way goes on from."""
    low, high = scene.sun_elevation
    elevation = np.radians(low + (high - low) * hashing.uniform(seed, SUN_STREAM, 0))
    azimuth = 2 * np.pi * hashing.uniform(seed, SUN_STREAM, 1)
    before = born.ground if born else world.ground
    # Where more is prepared later, only the birth is seen: what there is to see on the flight does not matter.
    is_flown = born is not None or not (scene.is_carved or world.contents)
    ground, palette, cover, over = world.ground, scene.palette_of(seed), born.cover if born else None, None
    if ground.atlas.spherical:
        over = CloudCover(clouds, partial(clouds_at, scene))
        outlook = _outlook(world, scene, palette, cover, over) if cover is not None else None
        journey = yield from _around_planet(world, before, scene, seed, calm, azimuth, is_flown, outlook)
    else:
        journey = yield from _over_terrain(world, before, scene, seed, calm, elevation, azimuth, is_flown)
    if world.contents and not is_flown:
        return journey
    rings = born.moon_and_rings.rings if born else None
    daylight = opened(journey.daylight, ground, journey.flight, scene.leaves_s, palette, world.warmth, cover, rings, over)
    return replace(journey, daylight=daylight)


def _over_terrain(
    world: GrownWorld, before: Ground, scene: Scene, seed: int, calm: bool, elevation: float, azimuth: float, is_flown: bool
) -> Generator[None, None, Journey]:
    ground = world.ground
    birth = terrain.birth(before, seed, scene.leaves_s)
    # The sun stands to the side of the birth's view, so that slopes are modelled by light and shade.
    eye = birth.pose(0.5 * scene.leaves_s).position
    side = 1.0 if hashing.uniform(seed, SUN_STREAM, 2) < 0.5 else -1.0
    azimuth = np.arctan2(eye[2], eye[0]) + side * (1.25 + 0.7 * azimuth / (2 * np.pi))
    daylight = over_terrain(seed, elevation, azimuth, scene.birth_s, scene.flight_s + LINGER_S, world.hour)
    sun = daylight.sun_at(scene.birth_s + 0.6 * scene.flight_s)
    carving_s = scene.birth_s - scene.leaves_s
    past = terrain.Past(before, carving_s) if before is not ground else None
    shown = carving_s + scene.flight_s
    stems = stems_of(world.runoff, ground.atlas)
    after = yield from terrain.plan(ground, seed, shown + EXTRA_S, calm, sun, past, stems, shown, is_flown)
    flight = join(birth, after)
    return Journey(flight, scene.printed.view.flight(scene.size_m, world.datum_m, flight.seconds), daylight, 0.0)


def _around_planet(
    world: GrownWorld,
    before: Ground,
    scene: Scene,
    seed: int,
    calm: bool,
    azimuth: float,
    is_flown: bool,
    outlook: Outlook | None,
) -> Generator[None, None, Journey]:
    ground, contents = world.ground, world.contents
    carving_s = scene.birth_s - scene.leaves_s
    seconds, view = carving_s + scene.flight_s + EXTRA_S, planet_birth.view_seed(before, seed)
    birth = planet_birth.birth(scene.size_m, view, scene.leaves_s, pauses(scene))
    eye = birth.pose(scene.leaves_s).position
    turn = float(np.arctan2(eye[2], eye[0]))
    sun = from_angles(turn + 0.85, np.radians(14.0) * np.cos(azimuth))
    if contents and not is_flown:
        after = Flight(seconds, lambda t: birth.beyond(birth.seconds + t), spherical=True)
    elif contents and contents.routes:
        after = yield from river.plan(ground, contents.routes, view, sun, seconds, scene.flight_s, calm)
    else:
        stems = stems_of(world.runoff, ground.atlas)
        after = yield from planet.plan(ground, view, sun, seconds, calm, stems, seconds - EXTRA_S, is_flown, outlook)
    flight = join(birth, after)
    # A map is looked at by day.
    nightfall = 0.0 if contents else NIGHTFALL
    end_s = scene.birth_s + scene.flight_s
    daylight = over_planet(seed, sun, scene.size_m, flight, scene.leaves_s, end_s, nightfall, world.hour)
    # The view of the birth goes on evenly beyond its end.
    return Journey(flight, Flight(flight.seconds, birth.beyond, spherical=True), daylight, turn)


def _outlook(world: GrownWorld, scene: Scene, palette: Palette, cover: np.ndarray, clouds: CloudCover) -> Outlook:
    ground, warmth = world.ground, palette.felt(world.warmth)
    when = scene.birth_s + LOW_AT * scene.flight_s

    def hidden(up: np.ndarray) -> np.ndarray:
        return clouds.over(up[None], np.array([when]))[0]

    def woods(up: np.ndarray, height_m: np.ndarray) -> np.ndarray:
        height = np.clip(height_m / max(ground.highest_m, 1.0), 0.0, 1.0)
        return wooded(moisture(ground, cover, up), warmth.celsius(up[..., 1] ** 2, height))

    return Outlook(hidden, woods, green=palette.lush[1] > palette.lush[0])


def _outline(marks: Marks, atlas: Atlas) -> np.ndarray:
    """Points of a double cone's rhombi: `forms_of` them."""
    ends = marks.lines.astype(np.float64)
    on_sphere = np.concatenate([ends[:, 0], ends.mean(axis=1)])
    on_sphere /= np.sqrt((on_sphere * on_sphere).sum(axis=1, keepdims=True))
    return forms_of(on_sphere, atlas if atlas.cone else DOUBLE_CONE)


def _clouds(seed: int) -> np.ndarray:
    # Brings numba along, which the worker alone waits for.
    from ..ground.cloud_field import cloud_field

    return cloud_field(seed, CLOUD_CELLS)
