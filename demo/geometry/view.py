"""View: the camera, sun and air of a frame as shaders take them. Large numbers are subtracted here, in float64."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ..flight.camera import Pose, frustum_planes, projection, view_rotation
from ..ground.air import Air
from ..maths.vectors import length

# Of the table of the sky: the sun's elevation goes in steps, radians, and the eye's height by a share of what it is above
# LOW_M below the ground.
SUN_STEP, HEIGHT_STEP, LOW_M = np.radians(1.0 / 32.0), 0.003, 1_000.0


@dataclass(frozen=True)
class Part:
    """What one of several adjacent pictures shows of the whole.

    `middle`, `half`: the middle and half the sides of the part, in half the width and height of the whole, from its middle,
    to the right and upwards. `aspect`: the whole's width by its height.
    """

    middle: tuple[float, float]
    half: tuple[float, float]
    aspect: float

    @property
    def edges(self) -> tuple[float, float, float, float]:
        """Left, bottom, right and top."""
        (x, y), (across, up) = self.middle, self.half
        return x - across, y - up, x + across, y + up

    def of_clip(self) -> np.ndarray:
        """From clip coordinates of the whole to those of the part, float64 (4, 4)."""
        matrix = np.eye(4)
        for axis in range(2):
            matrix[axis, axis] = 1.0 / self.half[axis]
            matrix[axis, 3] = -self.middle[axis] / self.half[axis]
        return matrix


def whole(aspect: float) -> Part:
    """All of a picture of that width by height."""
    return Part((0.0, 0.0), (1.0, 1.0), aspect)


@dataclass(frozen=True)
class View:
    """A frame's view.

    `eye`: float64 (3,), metres in world coordinates; `planes`: float64 (5, 4), those of `frustum_planes`; `uniforms` by
    name.
    `drop`: float64 (3,), metres from the eye down by the height of the ground below it. Distances for the choice of detail
    are taken from there, because undisplaced patches lie at the sea's level.
    """

    eye: np.ndarray
    planes: np.ndarray
    uniforms: dict = field(repr=False)
    drop: np.ndarray = field(default_factory=lambda: np.zeros(3))


def make_view(
    pose: Pose,
    aspect: float | Part,
    near: float,
    far: float,
    air: Air,
    centre: np.ndarray,
    sun: np.ndarray,
    sun_colour: np.ndarray,
    drop: np.ndarray | None = None,
) -> View:
    """The view from `pose`.

    `aspect`: the picture's width by its height, or the part that it is of a whole one; `near`, `far`: metres,
    0 < near < far; `centre`: (3,) metres, the planet's centre in world coordinates; `sun`: unit (3,) towards it;
    `sun_colour`: (3,) linear; `drop`: as in View, 0 for None.
    """
    rotation = view_rotation(pose)
    matrix = np.eye(4)
    matrix[:3, :3] = rotation
    part = aspect if isinstance(aspect, Part) else whole(aspect)
    half = np.tan(0.5 * pose.fov_y)
    right, up = rotation[0] * half * part.aspect, rotation[1] * half
    uniforms = {
        "view_projection": part.of_clip() @ projection(pose, part.aspect, near, far).astype(np.float64) @ matrix,
        "right": right * part.half[0],
        "up": up * part.half[1],
        "forward": right * part.middle[0] + up * part.middle[1] - rotation[2],
        "sun": sun,
        "sun_colour": sun_colour,
        **_in_air(pose.position - centre, air),
        **_in_table(pose.position - centre, air, sun),
    }
    below = np.zeros(3) if drop is None else drop
    return View(np.asarray(pose.position, np.float64), frustum_planes(pose, part.aspect, part.edges), uniforms, below)


def _in_air(eye: np.ndarray, air: Air) -> dict:
    """The uniforms of an eye, (3,) metres from the planet's centre, and of the air around it."""
    radius, top = length(eye), air.ground_radius_m + air.height_m
    return {
        "eye": eye,
        "eye_radius": (radius, radius - top),
        "horizon": _horizon(radius, air),
        "air": (air.ground_radius_m, top),
        "scale_height": (air.rayleigh_height_m, air.mie_height_m),
        "rayleigh": air.rayleigh,
        "absorption": air.absorption,
        "ozone": (air.ozone_m, 1.0 / air.ozone_half_m),
        "mie": air.mie,
        "mie_extinction": air.mie_extinction,
        "mie_forward": air.mie_forward,
        "skylight": air.skylight,
    }


def _in_table(eye: np.ndarray, air: Air, sun: np.ndarray) -> dict:
    """The uniforms of the table of the sky: heights of eye and sun in steps that nobody sees, so that it is drawn seldom."""
    radius, top = length(eye), air.ground_radius_m + air.height_m
    step = np.round(np.log1p(max(radius - air.ground_radius_m, 0.0) / LOW_M) / HEIGHT_STEP)
    table_radius = air.ground_radius_m + LOW_M * float(np.expm1(step * HEIGHT_STEP))
    # Its rows end at the zenith for an eye in the air, and at the air's rim for one above it.
    table_radius = max(table_radius, float(np.nextafter(top, np.inf))) if radius > top else min(table_radius, top)
    elevation = np.arcsin(np.clip(eye @ sun / radius, -1.0, 1.0))
    return {
        "table_eye": (table_radius, table_radius - air.ground_radius_m - air.height_m),
        "table_horizon": _horizon(table_radius, air),
        "table_sun": float(np.sin(np.round(elevation / SUN_STEP) * SUN_STEP)),
    }


def _horizon(radius: float, air: Air) -> tuple[float, float]:
    """The sines of the elevations of the ground's horizon and of where the air ends, 1 from within."""
    top = air.ground_radius_m + air.height_m
    return _edge(radius, air.ground_radius_m), _edge(radius, top) if radius > top else 1.0


def _edge(radius: float, sphere: float) -> float:
    """The sine of the elevation at which rays from a distance of a sphere's centre graze it; from inside 0."""
    return -float(np.sqrt(max(1.0 - (sphere / radius) ** 2, 0.0)))
