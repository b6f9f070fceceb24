"""The forms of a planet: double cone, sphere and unrolled sheet, and where a place lies on each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..flight.camera import Pose, partial_rotation
from ..maths.vectors import cross, length, unit
from ..worlds.atlas import DOUBLE_CONE, Atlas, double_cone_place

# The most of the picture's height and width that a sheet takes.
TALL, WIDE = 0.80, 0.92
LEAST_BEND = 1e-3


@dataclass(frozen=True)
class Sheet:
    """A partly unrolled sphere: the twin of assets/shaders/sheet.glsl.

    `bend`: from 1, the sphere, to 0, a flat ellipse. `axes`: float64 (3, 3) metres, rows to the right, up and to the front,
    each as long as the radius; `front`: (3,) metres, the point in front, in world coordinates; `middle`: the quarter (0 to
    3) that begins at the meridian in the middle.
    """

    bend: float
    axes: np.ndarray
    front: np.ndarray
    middle: int

    def place(self, directions: np.ndarray, height_m: np.ndarray | float = 0.0) -> np.ndarray:
        """World coordinates, float64 (k, 3) metres, of unit vectors (k, 3) at heights (k,) above the sea."""
        latitude = np.arcsin(np.clip(directions[:, 1], -1.0, 1.0))
        longitude = np.arctan2(directions[:, 2], directions[:, 0]) - 0.5 * np.pi * self.middle
        longitude = (longitude + np.pi) % (2.0 * np.pi) - np.pi
        bend = max(self.bend, LEAST_BEND)
        flat = latitude / (0.5 * np.pi)
        ring = np.sqrt(np.maximum(1.0 - flat * flat, 0.0)) * (1.0 - self.bend) + np.cos(latitude) * self.bend
        c, s, cl, sl = np.cos(bend * longitude), np.sin(bend * longitude), np.cos(bend * latitude), np.sin(bend * latitude)
        local = np.stack([ring * s, sl, ring * (c - 1.0) + cl - 1.0], axis=1) / bend
        up = np.stack([cl * s, sl, cl * c], axis=1) @ unit(self.axes)
        return self.front + local @ self.axes + up * np.asarray(height_m)[..., None]

    def uniforms(self, eye: np.ndarray) -> dict:
        """The uniforms of sheet.glsl for an eye at (3,) metres."""
        return {
            "bend": self.bend,
            "sheet": np.concatenate([self.axes, (self.front - eye)[None]]).astype(np.float32),
            "middle": float(self.middle),
        }


def middle_of(pose: Pose) -> int:
    """The quarter, 0 to 3, that begins at the meridian nearest to the camera."""
    longitude = np.arctan2(pose.position[2], pose.position[0])
    return int(np.round(longitude / (0.5 * np.pi))) % 4


def sheet_of(pose: Pose, radius_m: float, share: float, aspect: float, middle: int | None = None) -> Sheet:
    """The sphere of `radius_m` unrolled by `share`, 0..1, for a camera at `pose`: at 1 flat, in the middle of the picture.

    `aspect`: the picture's width by its height; `middle`: the quarter that begins in the middle of the sheet, which must
    stay the same while the camera moves; `middle_of(pose)` for None.
    """
    middle = middle_of(pose) if middle is None else middle
    c, s = ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))[middle]
    # The axes are left-handed, because longitude runs to the left where north is up.
    globe = np.array([[-s, 0.0, c], [0.0, 1.0, 0.0], [c, 0.0, s]])
    side = 1.0 if pose.up[1] >= 0.0 else -1.0
    right = cross(pose.forward, pose.up)
    flat = np.stack([-side * right, side * pose.up, -pose.forward])
    turned = globe @ partial_rotation(flat.T @ globe, share).T
    away = length(pose.position)
    half = away * np.tan(0.5 * pose.fov_y)
    fit = min(TALL * half / (0.5 * np.pi), WIDE * half * aspect / np.pi)
    scale = radius_m + (fit - radius_m) * share
    front = turned[2] * radius_m * (1.0 - share) + (pose.position + pose.forward * away) * share
    return Sheet(1.0 - share, turned * scale, front, middle)


def forms_of(directions: np.ndarray, atlas: Atlas = DOUBLE_CONE) -> np.ndarray:
    """Where unit vectors (k, 3) lie on the double cone and on the sphere, in radii: float64 (2, k, 3).

    `atlas`: how the cones are laid on the sphere.
    """
    face, u, v, _ = atlas.invert(directions)
    return np.stack([double_cone_place(face, u, v), directions])


def swollen(forms: np.ndarray, swell: float) -> np.ndarray:
    """Places between the double cone (`swell` 0) and the sphere (1), by their `forms_of`, in radii: float64 (k, 3)."""
    if swell <= 0.0 or swell >= 1.0:
        return forms[int(swell >= 1.0)]
    return forms[0] * (1.0 - swell) + forms[1] * swell
