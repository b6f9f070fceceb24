"""The camera that a person steers: it glides, stays above the ground and turns upright again."""

from __future__ import annotations

import numpy as np

from ..ground.ground import Ground
from ..maths.vectors import cross, length, rotation, unit
from .camera import Pose, between, facing

LOOK_RADIANS_PER_PIXEL = 0.0022
# The steepest view up or down, radians.
STEEPEST = np.radians(74.0)
# Time constants of the velocity and of the roll.
VELOCITY_S, LEVEL_S = 0.35, 0.7
# A notch of the wheel multiplies the speed, which is this many heights above the ground per second.
WHEEL_FACTOR = 1.18
SLOWEST_M_S, HEIGHTS_A_SECOND = 60.0, 0.9
# The axis (forward, right, up) and the sign of each motion.
MOVES = {
    "forward": (0, 1.0),
    "backward": (0, -1.0),
    "right": (1, 1.0),
    "left": (1, -1.0),
    "up": (2, 1.0),
    "down": (2, -1.0),
}


class FreeCamera:
    """A camera steered by hand: it starts at a pose, moves as fast as its height allows, and stays above the ground.

    `pose` is the present pose. Its up tends to the world's, radial on planets: a roll of the first pose is levelled.
    """

    def __init__(self, pose: Pose, ground: Ground) -> None:
        self.pose = pose
        self.ground = ground
        self._velocity = np.zeros(3)
        self._factor = 1.0
        self._clearance = 25.0 + 0.5 * ground.even_m
        # A flight may be closer to the ground than a hand may steer: it must not jump when it is taken over there.
        self._closer = max(self._lowest(pose.position) - float(ground.altitude(pose.position[None])[0]), 0.0)

    def update(self, dt: float, held: set[str], dx: float = 0.0, dy: float = 0.0, wheel: float = 0.0) -> None:
        """Let dt seconds pass. `held`: names out of MOVES; dx, dy: pointer motion in pixels; wheel: notches of speed."""
        self._factor = float(np.clip(self._factor * WHEEL_FACTOR**wheel, 0.05, 30.0))
        forward, up = self._turned(dx, dy, dt)
        position = self._moved(dt, held, forward, up)
        if self.ground.atlas.spherical:
            # The view keeps its angle to the horizon, which turns with the place.
            turn = between(self.ground.up(self.pose.position), self.ground.up(position))
            forward, up, self._velocity = turn @ forward, turn @ up, turn @ self._velocity
        self.pose = facing(position, forward, up, self.pose.fov_y)

    def _turned(self, dx: float, dy: float, dt: float) -> tuple[np.ndarray, np.ndarray]:
        """Forward and up after the pointer's motion."""
        vertical = self.ground.up(self.pose.position)
        forward, up = self.pose.forward, self.pose.up
        pitch = float(np.arcsin(np.clip(forward @ vertical, -1.0, 1.0)))
        scale = LOOK_RADIANS_PER_PIXEL * self.pose.fov_y / np.radians(46.0)
        # In a view straight down a turn about the vertical would only roll the picture.
        level = float(np.clip((np.cos(pitch) ** 2 - 0.01) / 0.06, 0.0, 1.0))
        yaw = rotation(unit(level * vertical + (1.0 - level) * up), -dx * scale)
        wanted = float(np.clip(pitch - dy * scale, min(-STEEPEST, pitch), max(STEEPEST, pitch)))
        right = cross(forward, up)
        turn = yaw @ rotation(right, wanted - pitch)
        forward, up = turn @ forward, turn @ up
        roll = float(np.arctan2(-cross(forward, up) @ vertical, up @ vertical))
        share = (1.0 - np.exp(-dt / LEVEL_S)) * level
        return forward, rotation(forward, -roll * share) @ up

    def _moved(self, dt: float, held: set[str], forward: np.ndarray, up: np.ndarray) -> np.ndarray:
        """The position after dt seconds."""
        ground, start = self.ground, self.pose.position
        axes = np.stack([forward, cross(forward, up), ground.up(start)])
        wanted = np.zeros(3)
        for name in held & MOVES.keys():
            axis, sign = MOVES[name]
            wanted += sign * axes[axis]
        long = length(wanted)
        height = max(float(ground.clearance(start[None])[0]), 0.0)
        speed = self._factor * max(HEIGHTS_A_SECOND * height, SLOWEST_M_S)
        target = wanted * (speed / long) if long > 1e-9 else wanted
        self._velocity = target + (self._velocity - target) * np.exp(-dt / VELOCITY_S)
        self._closer *= float(np.exp(-dt / LEVEL_S))
        return self._kept_outside(start + self._velocity * dt)

    def _lowest(self, position: np.ndarray) -> float:
        """The lowest altitude there, metres."""
        return float(self.ground.max_near(position[None], self.ground.even_m)[0]) + self._clearance

    def _kept_outside(self, position: np.ndarray) -> np.ndarray:
        """The position, kept above the lowest altitude and out of deep space."""
        ground = self.ground
        lowest = self._lowest(position) - self._closer
        up = ground.up(position)
        altitude = float(ground.altitude(position[None])[0])
        if ground.atlas.spherical:
            return position + up * (np.clip(altitude, lowest, 8.0 * ground.size_m) - altitude)
        farthest = 2.0 * ground.size_m
        position = np.clip(position, -farthest, farthest)
        position[1] = np.clip(altitude, lowest, ground.size_m)
        return position
