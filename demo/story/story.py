"""Story: one scene with one seed, from birth to melt: what the worker prepares for it and what a moment of it shows."""

from __future__ import annotations

import threading
from collections import deque
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from ..flight import planet as planet_flight
from ..flight import planet_birth
from ..flight import river as river_flight
from ..flight import terrain as terrain_flight
from ..flight.paths import Flight, join
from ..geometry.forms import forms_of
from ..geometry.patch_tree import PatchTree
from ..geometry.ribbons import FAR_EVERY, Ribbons, divide_ribbons, river_ribbons
from ..geometry.sunlight import sunlight_table
from ..ground.detail import detail_of
from ..ground.ground import Ground
from ..ground.relief import Relief
from ..scenes.daylight import NIGHTFALL, Daylight, from_angles, over_planet, over_terrain
from ..scenes.map_timing import WAY
from ..scenes.moon_and_rings import Companions, companions
from ..scenes.palettes import Palette
from ..scenes.scene import Scene
from ..scenes.timeline import Timeline, pauses, timeline
from ..scenes.towns import lamps
from ..tables.quality import Quality
from ..worlds import hashing
from ..worlds.atlas import Atlas
from ..worlds.growth import Growth, Marks
from ..worlds.parameters import Value

if TYPE_CHECKING:
    # Brings numba along.
    from ..mapping.shown.map_contents import Chart, Label

# One is filled while the other waits; they go when the growth is over. A world's buffer is 13 to 20 MB, so a growth whose
# pictures stand so long that no frame skips one, even when it is played at its fastest, has only one.
BUFFERS, LONG_S = 2, 1.0
PALETTE_STREAM, SUN_STREAM = 101, 102


@dataclass(frozen=True)
class Prepared:
    """What is known once a world has been grown in full: everything that a picture of any moment needs but the heights."""

    atlas: Atlas
    samples: int
    timeline: Timeline
    ground: Ground
    tree: PatchTree
    flight: Flight
    marks: Marks
    ring_times: np.ndarray
    sinking_m: float
    outline: np.ndarray | None
    labels: tuple[Label, ...]
    rain: np.ndarray
    clouds: np.ndarray
    lamps: np.ndarray
    companions: Companions
    code: str
    total: int
    daylight: Daylight
    turn: float
    range_m: tuple[float, float]


@dataclass
class Picture:
    """A filled buffer on its way from the worker to the renderer, and what hangs over its highest point."""

    number: int
    relief: Relief
    points: np.ndarray
    highest_m: float


class Story:
    """A scene being shown. The worker fills, the main thread takes; `lock` guards what both touch."""

    def __init__(self, scene: Scene, seed: int, given: dict[str, Value], quality: Quality, calm: bool = False) -> None:
        """`quality`: what it is drawn with."""
        self.scene, self.seed, self.calm, self._quality = scene, seed, calm, quality
        self.parameters = scene.complete(given)
        self.prepared: Prepared | None = None
        self.failure: Exception | None = None
        self.cancelled = False
        self.t = 0.0
        self._lock = threading.Lock()
        self._ready: deque[Picture] = deque()
        self._free: list[Relief] = []
        self._made = 0
        self._next = 0
        self._begun = False
        self._stands_at = float("inf")
        self._growth: Growth | None = None
        self._maker = None
        self._metres = 1.0
        self._ribbons: tuple[Ribbons, ...] = ()

    @property
    def palette(self) -> Palette:
        """One of the scene's palettes, chosen by the seed."""
        palettes = self.scene.palettes
        return palettes[int(hashing.uniform(self.seed, PALETTE_STREAM, 0) * len(palettes))]

    @property
    def metres(self) -> float:
        """Metres of the show in a unit of the finished world's heights."""
        return self._metres

    @property
    def seconds(self) -> float:
        """Length from the first picture to the end of the flight."""
        return self.scene.birth_s + self.scene.flight_s

    # --- the worker's side -----------------------------------------------------------------------------------------

    def prepare(self) -> None:
        """Grow the whole world once, plan the flight over it, and stand ready to replay its growth."""
        generator = self.scene.generator
        growth = generator.grow(self.seed, self.parameters)
        for step in np.linspace(0, growth.total, 17)[1:]:
            if self.cancelled:
                return
            growth.advance(int(step))
        heights, sea = growth.heights, float(growth.sea_level)
        self._metres = self.scene.relief_m / max(float(heights.max()) - sea, 1e-9)
        metres = (heights - np.float32(sea)) * np.float32(self._metres)
        # What is worth seeing of the work itself is seen in the first third.
        marks = growth.marks(0, max(1, growth.total // 3))
        chart = _chart(growth) if self.scene.map_timing else None
        atlas, samples, total, stages = growth.atlas, growth.n, growth.total, growth.stages
        sinking_m = growth.sinking * self.scene.size_m
        self._growth = growth.again(lambda: generator.grow(self.seed, self.parameters))
        del growth, heights
        detail = detail_of(atlas, metres, self.scene.size_m, self.seed)
        # The same heights, kept once.
        metres = detail.heights_m
        if chart:
            detail = replace(detail, rough_m=(detail.rough_m * chart.dry).astype(detail.rough_m.dtype))
        ground = Ground(atlas, metres, self.scene.size_m, detail)
        flight, daylight, turn = self._flight(ground, chart)
        # Kept by its function: the renderer finds it ready.
        sunlight_table(self.scene.air)
        self._maker = _relief_maker(atlas, samples, self.scene, daylight)
        when = timeline(self.scene, stages)
        self._ribbons = _ribbons(chart, ground, self._metres) if chart else ()
        self.prepared = Prepared(
            atlas=atlas,
            samples=samples,
            timeline=when,
            ground=ground,
            tree=PatchTree(atlas, metres, self._quality.patch, self.scene.size_m, self._quality.reach),
            flight=flight,
            marks=marks,
            sinking_m=sinking_m,
            outline=_outline(marks) if self.scene.cone else None,
            labels=(*chart.labels, *_way(chart, flight, ground, self.scene)) if chart else (),
            rain=forms_of(chart.rain if chart else np.zeros((0, 3))),
            clouds=_clouds(self.seed),
            # On a sheet of an atlas they have no place.
            companions=Companions() if chart else companions(ground, self.seed, flight, self.scene.birth_s, self.seconds),
            lamps=lamps(ground, self.seed, self.scene.relief_m, self.palette.cold, self.palette.snow_line),
            ring_times=np.array([when.time_of_step(k + 1) for k in range(len(marks.rings))]),
            code=generator.code(self.seed, self.parameters),
            total=total,
            daylight=daylight,
            turn=turn,
            range_m=(float(metres.min()), float(metres.max())),
        )

    def _flight(self, ground: Ground, chart: Chart | None) -> tuple[Flight, Daylight, float]:
        """(flight over birth and after, the sun on its way, angle by which the birth turns the sky)."""
        scene = self.scene
        low, high = scene.sun_elevation
        elevation = np.radians(low + (high - low) * hashing.uniform(self.seed, SUN_STREAM, 0))
        azimuth = 2 * np.pi * hashing.uniform(self.seed, SUN_STREAM, 1)
        seconds = scene.flight_s + EXTRA_S
        if not ground.atlas.spherical:
            birth = terrain_flight.birth(ground, self.seed, scene.birth_s)
            # The sun stands to the side of the birth's view, so that slopes are modelled by light and shade.
            eye = birth.pose(0.5 * scene.birth_s).position
            side = 1.0 if hashing.uniform(self.seed, SUN_STREAM, 2) < 0.5 else -1.0
            azimuth = np.arctan2(eye[2], eye[0]) + side * (1.25 + 0.7 * azimuth / (2 * np.pi))
            daylight = over_terrain(self.seed, elevation, azimuth, scene.birth_s, scene.flight_s + LINGER_S)
            sun = daylight.sun_at(scene.birth_s + 0.6 * scene.flight_s)
            return join(birth, terrain_flight.plan(ground, self.seed, seconds, self.calm, sun)), daylight, 0.0
        view = planet_birth.view_seed(ground, self.seed)
        birth = planet_birth.birth(scene.size_m, view, scene.birth_s, pauses(scene))
        eye = birth.pose(scene.birth_s).position
        turn = float(np.arctan2(eye[2], eye[0]))
        sun = from_angles(turn + 0.85, np.radians(14.0) * np.cos(azimuth))
        if chart and chart.routes:
            after = river_flight.plan(ground, chart.routes, view, sun, seconds, scene.flight_s, self.calm)
        else:
            after = planet_flight.plan(ground, view, sun, seconds, self.calm)
        flight = join(birth, after)
        # A map is looked at by day.
        nightfall = 0.0 if chart else NIGHTFALL
        return flight, over_planet(self.seed, sun, scene.size_m, flight, scene.birth_s, self.seconds, nightfall), turn

    def wants_work(self) -> bool:
        """Whether the worker could do something for this story now."""
        if self.cancelled or self.failure:
            return False
        if self.prepared is None:
            return True
        with self._lock:
            pending = self._next < self.prepared.timeline.pictures and self._stands_at == float("inf")
            # One picture is enough to begin with: a world that waits for its turn keeps no more.
            most = BUFFERS if self._begun and self.prepared.timeline.shortest_s < LONG_S else 1
            return pending and (bool(self._free) or self._made < most)

    def make_picture(self) -> None:
        """Grow to the next key picture and fill a buffer with it."""
        prepared = self.prepared
        with self._lock:
            growth, maker = self._growth, self._maker
            if maker is None:
                return
            number = self._next
            self._next += 1
            relief = self._free.pop() if self._free else None
        if relief is None:
            relief = Relief.empty(prepared.atlas, prepared.samples)
            self._made += 1
        step = prepared.timeline.step_of(number)
        if step < growth.done:
            growth = self._growth = self.scene.generator.grow(self.seed, self.parameters)
        growth.advance(step)
        share = max(step, 1) / max(prepared.total, 1)
        metres = self._metres * share**-self.scene.relief_exponent
        last = number == prepared.timeline.pictures - 1
        maker.fill(relief, growth.heights, growth.sea_level, metres, moving=last, above=growth.above)
        if last:
            self._growth = self._maker = None
        points, highest_m = self._points(growth, step, metres), float(relief.heights_m.max())
        with self._lock:
            if self._stands_at == float("inf"):
                self._ready.append(Picture(number, relief, points, highest_m))

    def _points(self, growth: Growth, step: int, metres: float) -> np.ndarray:
        """What hangs in the air at a step, in metres: float32 (k, 4), x, y, z and size."""
        if self.prepared.atlas.spherical or not 0 < step < growth.total:
            return np.zeros((0, 4), np.float32)
        points = growth.marks(step, step, metres / self.scene.size_m).points * np.float32(self.scene.size_m)
        points[:, 1] -= growth.sea_level * metres
        return points

    # --- the main thread's side ------------------------------------------------------------------------------------

    def growth_at(self, t: float) -> tuple[int, int, float]:
        """(picture a, picture b, mix) of the growth at time t, once prepared."""
        return self.prepared.timeline.at(min(t, self._stands_at))

    def stand_still(self) -> None:
        """Grow no further from now on, and let go of what that needed: this world is melting away."""
        with self._lock:
            self._stands_at = self.t
            self._growth = self._maker = None
            self._free.clear()
            self._ready.clear()

    def has(self, numbers: list[int]) -> bool:
        """Whether all of the pictures `numbers`, in order, can be taken.

        Earlier ones are handed back, and the worker skips to the first of them if it is behind.
        """
        with self._lock:
            while self._ready and self._ready[0].number < numbers[0]:
                self._free.append(self._ready.popleft().relief)
            self._next = max(self._next, numbers[0])
            return set(numbers) <= {picture.number for picture in self._ready}

    def take(self, number: int) -> Picture | None:
        """The picture `number` if it is ready; earlier ones are handed back, and the worker skips to it if it is behind."""
        with self._lock:
            while self._ready and self._ready[0].number < number:
                self._free.append(self._ready.popleft().relief)
            if self._ready and self._ready[0].number == number:
                self._begun = True
                return self._ready.popleft()
            self._next = max(self._next, number)
            return None

    def take_ribbons(self) -> tuple[Ribbons, ...]:
        """The lines of a map: of rivers, from near and from afar, and of divides. Once: they are large."""
        ribbons, self._ribbons = self._ribbons, ()
        return ribbons

    def give_back(self, picture: Picture) -> None:
        """Return a buffer whose content has been uploaded; those that nothing more will fill are let go."""
        with self._lock:
            self._free.append(picture.relief)
            if self._next >= self.prepared.timeline.pictures:
                self._free.clear()


EXTRA_S = 14.0
# The sun goes on so long after a flight's end.
LINGER_S = 4.0
CLOUD_CELLS = 512
RIVER_LIFT_M = 4.0
# Parts of the river from the mouth on at which its name stands.
NAMED_AT = 0.35, 0.8
# A river of no more points bears its name once.
SHORT_STEM = 10


def _outline(marks: Marks) -> np.ndarray:
    """Points of a double cone's rhombi: `forms_of` them."""
    ends = marks.lines.astype(np.float64)
    on_sphere = np.concatenate([ends[:, 0], ends.mean(axis=1)])
    on_sphere /= np.sqrt((on_sphere * on_sphere).sum(axis=1, keepdims=True))
    return forms_of(on_sphere)


def _ribbons(chart: Chart, ground: Ground, metres: float) -> tuple[Ribbons, ...]:
    """As `Story.take_ribbons` has them. Rivers lie on the ground as it is drawn, which is smoother than its samples."""
    streams = chart.streams
    face, u, v, _ = ground.atlas.invert(streams.place)
    height_m = np.maximum(streams.height_m * metres, ground.detail.height(face, u, v, octaves=0)) + RIVER_LIFT_M
    rivers = [river_ribbons(streams, height_m, every) for every in (1, FAR_EVERY)]
    return *rivers, divide_ribbons(chart.divides)


def _chart(growth: Growth) -> Chart:
    from ..mapping.shown.map_contents import chart_of

    return chart_of(growth.survey)


def _way(chart: Chart, flight: Flight, ground: Ground, scene: Scene) -> list[Label]:
    """The name of the river that the flight follows, some times over along it."""
    from ..mapping.shown.map_contents import Label

    if not chart.routes:
        return []
    start, end = (scene.birth_s + share * scene.flight_s for share in (0.75, WAY[1]))
    number = river_flight.followed(flight, chart.routes, start, end)
    name, points = chart.stems[number]
    shares = NAMED_AT if points > SHORT_STEM else NAMED_AT[:1]
    at = chart.routes[number][[int(share * (points - 1)) for share in shares]]
    return [Label(name, "way", place, height) for place, height in zip(at, ground.sampled(at), strict=True) if name]


def _clouds(seed: int) -> np.ndarray:
    from ..ground.cloud_field import cloud_field

    return cloud_field(seed, CLOUD_CELLS)


def _relief_maker(atlas: Atlas, samples: int, scene: Scene, daylight: Daylight):
    from ..ground.relief_maker import ReliefMaker

    return ReliefMaker(atlas, samples, scene.size_m, 2.0 * scene.relief_m, daylight.bearings)
