"""What is prepared for a map: its lines, its rain and its names."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ..flight import river
from ..geometry.forms import forms_of, middle_of
from ..geometry.ribbons import FAR_EVERY, divide_ribbons, river_ribbons
from ..scenes.map_timing import WAY
from .prepared import PreparedMap

if TYPE_CHECKING:
    from ..flight.paths import Flight
    from ..ground.detail import Detail
    from ..ground.ground import Ground
    from ..mapping.shown.map_contents import MapContents
    from ..mapping.shown.map_labels import Label
    from ..scenes.scene import Scene
    from ..worlds.atlas import Atlas

RIVER_LIFT_M = 4.0
# Which river is followed shows from this share of the flight on.
FOLLOWED_FROM = 0.75
# Parts of the river from the mouth on at which its name stands.
NAMED_AT = 0.35, 0.8
# A river of no more points bears its name once.
SHORT_STEM = 10


def smooth_under_water(detail: Detail, contents: MapContents) -> Detail:
    """The same detail, but none in and beside lakes, and less beside rivers."""
    return replace(detail, rough_m=(detail.rough_m * contents.dry).astype(detail.rough_m.dtype))


def prepare_map(contents: MapContents, atlas: Atlas, birth: Flight, scene: Scene) -> PreparedMap:
    """What a map shows over its planet before it rains: the lines between catchments, which a key asks for at any time."""
    return PreparedMap(divide_ribbons(contents.divides), sheet_middle(birth, scene), forms_of(np.zeros((0, 3)), atlas))


def with_rivers(
    shown: PreparedMap, contents: MapContents, world: tuple[Ground, Detail], flight: Flight, scene: Scene, metres: float
) -> PreparedMap:
    """The same with rain, rivers, and the names on the planet and along `flight`.

    `world`: its ground and that one's detail; `metres`: of the show in a metre of the planet.
    """
    (ground, detail), streams = world, contents.streams
    face, u, v, _ = ground.atlas.invert(streams.place)
    # The ground as it is drawn is smoother than its samples, and rivers lie on it.
    drawn_m = detail.height(face, u, v, octaves=0)
    height_m = np.maximum(streams.height_m * metres, drawn_m) + RIVER_LIFT_M
    return replace(
        shown,
        labels=(*contents.labels, *_names_on_the_way(contents, flight, ground, scene)),
        rain=forms_of(contents.rain, ground.atlas),
        rivers=river_ribbons(streams, height_m),
        far_rivers=river_ribbons(streams, height_m, FAR_EVERY),
    )


def sheet_middle(flight: Flight, scene: Scene) -> int:
    """The quarter in the middle of a map's sheet: what the turning camera has before it when half of its time is over."""
    timing = scene.map_timing
    return middle_of(flight.pose(0.5 * (timing.unroll[0] + timing.roll[1]))) if timing else 0


def _names_on_the_way(contents: MapContents, flight: Flight, ground: Ground, scene: Scene) -> list[Label]:
    """The name of the river that the flight follows, once or twice along it."""
    # Brings numba along, which the worker alone waits for.
    from ..mapping.shown.map_labels import Label

    if not contents.routes:
        return []
    start, end = (scene.birth_s + share * scene.flight_s for share in (FOLLOWED_FROM, WAY[1]))
    number = river.followed(flight, contents.routes, start, end)
    name, points = contents.stems[number]
    shares = NAMED_AT if points > SHORT_STEM else NAMED_AT[:1]
    at = contents.routes[number][[int(share * (points - 1)) for share in shares]]
    return [Label(name, "way", place, height) for place, height in zip(at, ground.sampled(at), strict=True) if name]
