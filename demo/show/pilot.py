"""Pilot: the camera in a person's hands, from being taken over from the flight to having glided back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..flight.camera import Pose, blend
from ..flight.free_camera import FreeCamera
from ..maths.easing import smoothstep

if TYPE_CHECKING:
    from ..ground.ground import Ground

RETURN_S = 1.6


class Pilot:
    """The free camera, the keys that are held, and the motion of pointer and wheel that it has yet to answer."""

    def __init__(self) -> None:
        self._camera: FreeCamera | None = None
        # The pose in which the camera was given back, and when.
        self._left: tuple[Pose, float] | None = None
        self._held: set[str] = set()
        self._motion_px = np.zeros(2)
        self._notches = 0.0

    @property
    def flies(self) -> bool:
        """Whether the camera is in a person's hands."""
        return self._camera is not None

    def hold(self, move: str, pressed: bool) -> None:
        """A key of a move, a name of `keys.HELD`, is pressed or released."""
        (self._held.add if pressed else self._held.discard)(move)

    def pointer(self, dx: float, dy: float) -> None:
        """The pointer moved by so many pixels."""
        self._motion_px += (dx, dy)

    def wheel(self, notches: float) -> None:
        """The wheel turned."""
        self._notches += notches

    def take(self, pose: Pose, ground: Ground) -> None:
        """Fly from a pose on, over that ground."""
        self._camera, self._left = FreeCamera(pose, ground), None

    def give_back(self, clock: float) -> None:
        """Glide back to the flight, from that time of the show's clock on."""
        if self._camera:
            self._left = self._camera.pose, clock
        self._camera = None
        self._held.clear()

    def glide(self, pose: Pose, clock: float) -> None:
        """Glide from a pose to the flight, from that time of the show's clock on, unless a person flies."""
        if self._camera is None:
            self._left = pose, clock

    def land(self) -> None:
        """Another world is shown: the camera is back on the flight at once."""
        self._camera = self._left = None
        self._held.clear()

    def update(self, dt: float) -> None:
        """Let `dt` seconds pass. What was not flown is kept for the next flight."""
        if self._camera is None:
            return
        motion, self._motion_px = self._motion_px, np.zeros(2)
        notches, self._notches = self._notches, 0.0
        self._camera.update(dt, self._held, motion[0], motion[1], notches)

    def pose(self, planned: Pose, clock: float, spherical: bool) -> Pose:
        """The camera's pose at a time of the show's clock, where the flight has it `planned`.

        `spherical`: the way back leads around a planet.
        """
        if self._camera:
            return self._camera.pose
        if self._left is None:
            return planned
        left, since = self._left
        share = (clock - since) / RETURN_S
        if share >= 1.0:
            return planned
        return blend(left, planned, float(smoothstep(share)), spherical)
