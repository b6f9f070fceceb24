"""Frame: all that a picture of one story's moment depends on, worked out once. Pure arithmetic."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from ..geometry.forms import Sheet, sheet_of
from ..geometry.frame_state import Moment
from ..geometry.view import Part, View, make_view
from ..maths.easing import ease
from ..maths.vectors import length
from ..scenes.cloudiness import clouds_at
from ..scenes.map_timing import MapMoment, map_moment, unrolled_at
from ..scenes.scene import SETTLES_S
from ..scenes.world import World
from ..tables.looks import NATURAL

if TYPE_CHECKING:
    from ..flight.camera import Pose
    from ..flight.paths import Flight
    from ..scenes.scene import Scene
    from ..story.prepared import Prepared
    from ..story.story import Story
    from ..tables.looks import Look

# In which the detail and the shadows of mountains come over land that is not carved.
FINISHES_S = 4.0
# From so high above a map its rivers begin to be lines, and all are, metres.
LINES_M = 45_000.0, 110_000.0
# Seconds in which lakes fill when the land is carved.
LAKES_FILL_S = 3.0
# The least time in which the climate covers the ground.
COVER_COMES_S = 4.0
# How deep a world lies under its sea before its growth begins, in heights of its highest land.
DEPTH = 0.5
# Over how much of its height the first land passes into the sea, and after how many steps half of that is left.
SOFT, SOFT_STEPS = 0.35, 8.0
# After this share of the birth the sea is as shallow as it will be.
SHELVES_BY = 0.6
# By moonlight few stars are lost.
STARS_BY_MOON = 0.75


@dataclass(frozen=True)
class Frame:
    """A story at a moment, seen by a camera.

    `t`: seconds of the story. `view`: the camera and the air. `stars`: how far it is night for the eye, 0..1.
    `moment`: the surface. `look`: how it is drawn, and with how much effort. `exposure`: a factor on the light.
    `part`: what is seen of the whole picture; `pose`: of the camera. `map`: what is shown of a map; None in all other
    stories.
    `picture_a`, `picture_b`, `mix`: the heights are those of key picture a * (1 - mix) + those of b * mix.
    """

    story: Story
    prepared: Prepared
    t: float
    pose: Pose
    part: Part
    view: View
    stars: float
    moment: Moment
    look: Look
    exposure: float
    map: MapMoment | None
    picture_a: int
    picture_b: int
    mix: float

    @property
    def natural(self) -> bool:
        """Whether the world is drawn in its own colours and light."""
        return self.look.name == NATURAL

    @property
    def gathered(self) -> float:
        """How far rivers have gathered their water while the land is carved, 0..1."""
        scene = self.story.scene
        return min(max((self.t - scene.grown_s) / max(scene.birth_s - scene.grown_s, 1e-9), 0.0), 1.0)

    @property
    def bedded(self) -> float:
        """How much of the rivers lies in their beds, 0..1: all but for those of a map, which are lines from afar."""
        if self.map is None:
            return 1.0
        above_m = length(self.pose.position) - self.story.scene.size_m
        return ease((LINES_M[1] - above_m) / (LINES_M[1] - LINES_M[0])) * self.moment.detail


def frame_of(story: Story, pose: Pose, look: Look, part: Part) -> Frame:
    """The frame of a story at its present time, seen from `pose`. `part`: of the picture.

    Raises ValueError before the story is prepared.
    """
    prepared, scene, t = story.prepared, story.scene, story.t
    if prepared is None:
        raise ValueError("a story that is not prepared cannot be drawn")
    moment = moment_of(scene, prepared, story.pictures, t, part.aspect)
    if look.printed:
        moment = replace(moment, sunk=0.0)
        look = replace(look, normals=look.normals or scene.printed.normals)
    if look.borders:
        moment = replace(moment, rhombi=_rhombi(story, prepared))
    if moment.sheet is not None:
        # All of it is seen, and evenly fine: half as many cells along a patch are as many as elsewhere.
        look = replace(look, coarse=True)
    view, stars = story_view(scene, prepared, t, pose, part)
    exposure = scene.exposure * prepared.daylight.exposure(t) if look.name == NATURAL else 1.0
    shown = map_moment(scene, t, look.borders)
    return Frame(story, prepared, t, pose, part, view, stars, moment, look, exposure, shown, *story.pictures)


def _rhombi(story: Story, prepared: Prepared) -> tuple[float, float]:
    """`Moment.rhombi`: of the mesh as far as it is grown; none on a world without one."""
    if "gn" not in story.parameters:
        return 0.0, 1.0
    (a, b, mix), gn = story.pictures, int(story.parameters["gn"])
    before, now = (min(prepared.timeline.step_of(number), gn) for number in (a, b))
    return 2.0**now, mix if now > before else 1.0


def moment_of(scene: Scene, prepared: Prepared, pictures: tuple[int, int, float], t: float, aspect: float) -> Moment:
    """What the surface shows at time t, between two key pictures: (a, b, mix), as `Frame` has them."""
    a, b, mix = pictures
    share, when = mix if a != b else 0.0, prepared.timeline
    # Where the first steps are large, half a world crosses the sea's level at once: no flash of beaches then.
    step = when.step_of(a) * (1.0 - mix) + when.step_of(b) * mix
    # Early beds are shallow from rim to rim: shelves are seen when there is land to belong to.
    begins = scene.birth[0][0]
    shelves = ease((t - begins) / (SHELVES_BY * (scene.grown_s - begins)))
    covered = covered_at(scene, t)
    return Moment(
        t,
        share,
        # A world that melts away while it is born stays between two pictures.
        t >= scene.birth_s and share == 0.0,
        ease((t - scene.cone[0]) / (scene.cone[1] - scene.cone[0])) if scene.cone else 1.0,
        clouds_at(scene, t),
        prepared.daylight.weights(t),
        # A planet keeps horizons for the land that stays.
        1.0 if scene.is_terrain else finished_at(scene, t),
        sunk=sunk_m(scene, prepared, pictures),
        soft=SOFT * scene.relief_m / (1.0 + (step / SOFT_STEPS) ** 2) if scene.relief_exponent else 0.0,
        deep=DEPTH * scene.relief_m * (1.0 - shelves),
        detail=finished_at(scene, t),
        sheet=sheet_at(scene, prepared.flight, prepared.map.middle, t, aspect) if prepared.map else None,
        lakes=prepared.map is not None,
        covered=(covered, covered),
        filled=ease((t - scene.birth_s) / LAKES_FILL_S),
    )


def finished_at(scene: Scene, t: float) -> float:
    """How much there is at time t of what only land has that stays as it is, 0..1: it comes while the carving ends, or
    after the birth of land that is not carved."""
    return ease((t - scene.settles_s) / (SETTLES_S if scene.is_carved else FINISHES_S))


def covered_at(scene: Scene, t: float) -> float:
    """How far the climate has covered the ground at time t, 0..1: while land is carved, while a map has rain, or after
    the birth."""
    start, end = scene.map_timing.rain if scene.map_timing else (scene.grown_s, scene.birth_s)
    return ease((t - start) / max(end - start, COVER_COMES_S))


def sunk_m(scene: Scene, prepared: Prepared, pictures: tuple[int, int, float]) -> float:
    """Metres by which a world lies under its sea: what the first step makes comes up out of it."""
    a, b, mix = pictures
    share = mix if a != b else 0.0
    return DEPTH * scene.relief_m * (1.0 - share) ** 2 if a == 0 and prepared.timeline.pictures > 1 else 0.0


def sheet_at(scene: Scene, flight: Flight, middle: int, t: float, aspect: float) -> Sheet | None:
    """The planet of a map unrolled as far as it is at time t; None for the whole sphere. `middle`: as in `Sheet`."""
    unrolled = unrolled_at(scene, t)
    return sheet_of(flight.pose(t), scene.size_m, unrolled, aspect, middle) if unrolled > 0.0 else None


def story_view(scene: Scene, prepared: Prepared, t: float, pose: Pose, part: float | Part) -> tuple[View, float]:
    """The view of a story's moment, and how much of the stars is seen, 0..1."""
    # Without the detail: it would make what is near waver with every hill that is flown over, and takes a good part of a
    # millisecond.
    height_m = float(prepared.ground.sampled(pose.position[None])[0])
    rings = prepared.moon_and_rings.rings
    return world_view(world_of(scene, prepared, t), pose, part, max(height_m, 0.0), 1.05 * rings.outer if rings else 1.0)


def world_view(world: World, pose: Pose, part: float | Part, height_m: float, reach: float = 1.0) -> tuple[View, float]:
    """The view from `pose` over ground `height_m` high (at least 0), and how much of the stars is seen, 0..1.

    `reach`: how far from its middle there is something to see around a planet, in radii.
    """
    centre, size_m = np.zeros(3), world.size_m
    if world.spherical:
        away = length(pose.position)
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
    view = make_view(pose, part, near, far, world.air, centre, world.sun, world.sun_colour, -up * height_m)
    day = min(max((float(up @ world.sun) + 0.12) / 0.25, 0.0), 1.0)
    thickness = float(np.exp(-max(altitude, 0.0) / (3.0 * world.air.rayleigh_height_m)))
    return view, max(1.0 - min(2.4 * day * thickness, 1.0), STARS_BY_MOON * world.night)


def world_of(scene: Scene, prepared: Prepared, t: float) -> World:
    """The world of a story at t seconds."""
    spherical, sun = prepared.ground.atlas.spherical, prepared.daylight.sun_at(t)
    if spherical:
        sun = _turned(sun, _birth_turn(scene, prepared, t))
    light = prepared.daylight
    return World(spherical, scene.size_m, scene.relief_m, scene.air, sun, light.colour(t), light.night_at(t))


def _birth_turn(scene: Scene, prepared: Prepared, t: float) -> float:
    """While a planet is born its sun keeps its place beside the camera: what turns is the planet, front and back."""
    if t >= scene.leaves_s:
        return 0.0
    eye = prepared.flight.pose(t).position
    return float(np.arctan2(eye[2], eye[0])) - prepared.turn


def _turned(vector: np.ndarray, angle: float) -> np.ndarray:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([c * vector[0] - s * vector[2], vector[1], s * vector[0] + c * vector[2]])
