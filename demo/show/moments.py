"""Moments: what of a story a picture shows at a time: its view, its surface, its colours, and those between two stories."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields, replace
from functools import lru_cache

import numpy as np

from ..flight.camera import Pose, blend, facing
from ..flight.paths import Flight
from ..geometry.forms import Sheet, middle_of, sheet_of
from ..geometry.frame_state import Moment
from ..geometry.view import View, make_view
from ..ground.air import Air
from ..maths.easing import ease
from ..maths.vectors import cross, slerp
from ..scenes.map_timing import unrolled_at
from ..scenes.palettes import Palette
from ..scenes.scene import Scene
from ..story.story import Story

CLOUDS_GATHER_S, DETAIL_COMES_S = 6.0, 4.0
# How deep a world lies under its sea before its growth begins, in heights of its highest land.
DEPTH = 0.5
# Over how much of its height the first land passes into the sea, and after how many steps half of that is left.
SOFT, SOFT_STEPS = 0.35, 8.0
# By which share of the birth the sea is as shallow as it is.
SHELVES_BY = 0.6
# How fast seas darken with their depth in highest lands: around a land to fly over, and on a planet seen from afar.
LAND_MURK, SEA_MURK = 7.0, 34.0
SUN_COLOUR = np.array([1.0, 0.97, 0.92]) * 5.0


def moment_of(story: Story, t: float, aspect: float) -> Moment:
    """What the surface shows at time t: clouds gather when the growth is over. `aspect`: width by height of the picture."""
    scene = story.scene
    a, b, mix = story.replay.at(t)
    swell = ease((t - scene.cone[0]) / (scene.cone[1] - scene.cone[0])) if scene.cone else 1.0
    clouds = scene.cloudiness * ease((t - scene.birth_s) / CLOUDS_GATHER_S)
    bearings = story.prepared.daylight.weights(t)
    detail = ease((t - scene.birth_s) / DETAIL_COMES_S)
    sheet = _sheet(story, t, aspect)
    share = mix if a != b else 0.0
    # What the first step makes comes up out of the sea.
    sunk = DEPTH * scene.relief_m * (1.0 - share) ** 2 if a == 0 and story.prepared.timeline.pictures > 1 else 0.0
    # Where the first steps are large, half a world crosses the sea's level at once: no flash of beaches then.
    step = story.prepared.timeline.step_of(a) * (1.0 - mix) + story.prepared.timeline.step_of(b) * mix
    soft = SOFT * scene.relief_m / (1.0 + (step / SOFT_STEPS) ** 2) if scene.relief_exponent else 0.0
    # Early beds are shallow from rim to rim: shelves are seen when there is land to belong to.
    begins = scene.birth[0][0]
    deep = DEPTH * scene.relief_m * (1.0 - ease((t - begins) / (SHELVES_BY * (scene.birth_s - begins))))
    return Moment(
        t,
        share,
        t >= scene.birth_s,
        swell,
        clouds,
        bearings,
        sunk=sunk,
        soft=soft,
        deep=deep,
        detail=detail,
        sheet=sheet,
        lakes=scene.lakes,
    )


def _sheet(story: Story, t: float, aspect: float) -> Sheet | None:
    """The planet unrolled as far as it is at time t; None for the whole sphere."""
    scene, flight = story.scene, story.prepared.flight
    unrolled = unrolled_at(scene, t)
    if unrolled <= 0.0 or scene.map_timing is None:
        return None
    # In its middle stands what is in front half way through, not what the camera has before it now: it turns on.
    middle = _middle_at(flight, 0.5 * (scene.map_timing.unroll[0] + scene.map_timing.roll[1]))
    return sheet_of(flight.pose(t), scene.size_m, unrolled, aspect, middle)


@lru_cache(maxsize=4)
def _middle_at(flight: Flight, t: float) -> int:
    return middle_of(flight.pose(t))


def mixed(a: dict, b: dict, share: float) -> dict:
    """Uniforms between two sets of them; what is whole changes in the middle."""

    def between(x: object, y: object) -> object:
        if isinstance(x, (bool, int)):
            return x if share < 0.5 else y
        if isinstance(x, tuple):
            return tuple(p + (q - p) * share for p, q in zip(x, y, strict=True))
        return x + (y - x) * share

    return {name: between(x, b[name]) for name, x in a.items()}


def pose_between(a: Pose, b: Pose, stretch_a: float, stretch_b: float, share: float, world: World) -> Pose:
    """The pose between two in worlds of their own sizes.

    Around a planet: away from it first, then about it, with the planet in the picture all the while. Over a terrain by way
    of the air, so that no ridge is in the way.
    """
    a = replace(a, position=a.position * stretch_a)
    b = replace(b, position=b.position * stretch_b)
    w = ease(share)
    if not world.spherical:
        pose = blend(a, b, w)
        return replace(pose, position=pose.position + np.array([0.0, 2.4 * world.relief_m * w * (1.0 - w) ** 2, 0.0]))
    away_a, away_b = (float(np.sqrt(pose.position @ pose.position)) for pose in (a, b))
    out = ease(share / 0.75)
    direction = slerp(a.position / away_a, b.position / away_b, ease((share - 0.12) / 0.88))
    # Of the old view, of the planet's middle, and of the new view.
    old, middle, new = (1.0 - w) ** 2, 2.0 * w * (1.0 - w), w * w
    forward = old * a.forward - 5.0 * middle * direction + new * b.forward
    up = (1.0 - w) * a.up + w * b.up
    up = up + 0.2 * cross(direction, cross(a.up + 0.01 * b.up, direction)) * middle
    return facing(direction * away_a ** (1.0 - out) * away_b**out, forward, up, a.fov_y + (b.fov_y - a.fov_y) * w)


def palette_uniforms(palette: Palette, scene: Scene, range_m: tuple[float, float]) -> dict:
    """A palette and the article's look as uniforms."""
    names = ("deep", "shallow", "beach", "lush", "dry", "upland", "rock", "snow")
    colours = asdict(palette)
    printed = scene.printed
    return {
        "palette": np.array([colours[name] for name in names], np.float32),
        "snow_line": palette.snow_line,
        "cold": palette.cold,
        "printed": np.array([printed.sea or printed.low, printed.low, printed.high], np.float32),
        "printed_sea": printed.sea is not None,
        "printed_lit": printed.lit,
        "printed_range": (0.0 if printed.sea else range_m[0], range_m[1]),
        # Shallow basins reach the deep sea's colour too.
        "murk": max(LAND_MURK if scene.is_terrain else SEA_MURK, 3.5 * scene.relief_m / max(-range_m[0], 1.0)),
    }


def story_view(story: Story, t: float, pose: Pose, aspect: float) -> tuple[View, float]:
    """The view of a story's moment, and how much of the stars is seen."""
    # Without the detail: it would make what is near waver with every hill that is flown over, and takes a good part of a
    # millisecond.
    height = float(story.prepared.ground.sampled(pose.position[None])[0])
    rings = story.prepared.moon_and_rings.rings
    return world_view(world_of(story, t), pose, aspect, max(height, 0.0), 1.05 * rings.outer if rings else 1.0)


@dataclass(frozen=True)
class World:
    """What of a world a view needs: lengths in metres, `sun` the unit vector towards it."""

    spherical: bool
    size_m: float
    relief_m: float
    air: Air
    sun: np.ndarray

    def towards(self, other: World, share: float) -> World:
        """The world that is `share` of the way to another one of its kind."""

        def between(a: float, b: float) -> float:
            return a + (b - a) * share

        air = {
            field.name: tuple(map(between, a, b)) if isinstance(a, tuple) else between(a, b)
            for field in fields(Air)
            for a, b in [(getattr(self.air, field.name), getattr(other.air, field.name))]
        }
        sun = slerp(self.sun, other.sun, share)
        return World(
            self.spherical, between(self.size_m, other.size_m), between(self.relief_m, other.relief_m), Air(**air), sun
        )


def world_view(world: World, pose: Pose, aspect: float, height_m: float, reach: float = 1.0) -> tuple[View, float]:
    """The view from `pose` over ground `height_m` high (at least 0), and how much of the stars is seen.

    `reach`: how far from its middle there is something to see around a planet, in radii.
    """
    centre, size_m = np.zeros(3), world.size_m
    if world.spherical:
        away = float(np.sqrt(pose.position @ pose.position))
        altitude = away - size_m
        far = away + size_m * reach
        # What is nearest of rings is as far as their rim, or inside it next to the eye.
        rim = 0.9 * max(away - reach * size_m, 0.02 * size_m) if reach > 1.0 else np.inf
        near = max(min(0.5 * (altitude - 1.3 * world.relief_m), rim), min(0.2 * (altitude - height_m), rim), 20.0)
        up = pose.position / away
    else:
        centre = np.array([0.0, -world.air.ground_radius_m, 0.0])
        altitude = float(pose.position[1])
        far = 2.5 * size_m
        near = min(max(0.15 * (altitude - height_m), 2.0), 400.0)
        up = np.array([0.0, 1.0, 0.0])
    view = make_view(pose, aspect, near, far, world.air, centre, world.sun, SUN_COLOUR, -up * height_m)
    day = min(max((float(up @ world.sun) + 0.12) / 0.25, 0.0), 1.0)
    thickness = float(np.exp(-max(altitude, 0.0) / (3.0 * world.air.rayleigh_height_m)))
    return view, 1.0 - min(2.4 * day * thickness, 1.0)


def world_of(story: Story, t: float) -> World:
    """The world of a story at a moment of it."""
    scene, sun = story.scene, story.prepared.daylight.sun_at(t)
    if story.prepared.atlas.spherical:
        sun = _turned(sun, _birth_turn(story, t))
    return World(story.prepared.atlas.spherical, scene.size_m, scene.relief_m, scene.air, sun)


def _birth_turn(story: Story, t: float) -> float:
    """While a planet is born its sun keeps its place beside the camera: what turns is the planet, front and back."""
    flight = story.prepared.flight
    if t >= story.scene.birth_s:
        return 0.0
    eye = flight.pose(t).position
    return float(np.arctan2(eye[2], eye[0])) - story.prepared.turn


def _turned(vector: np.ndarray, angle: float) -> np.ndarray:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([c * vector[0] - s * vector[2], vector[1], s * vector[0] + c * vector[2]])
