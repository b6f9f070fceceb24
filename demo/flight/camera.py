"""Camera: poses, the matrices that follow from them, and the camera that a person steers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..ground.ground import Ground

LOOK_RADIANS_PER_PIXEL = 0.0022
STEEPEST = np.radians(74.0)
VELOCITY_S = 0.35
LEVEL_S = 0.7
WHEEL_FACTOR = 1.18
SLOWEST_M_S, HEIGHTS_A_SECOND = 60.0, 0.9
MOVES = {
    "forward": (0, 1.0),
    "backward": (0, -1.0),
    "right": (1, 1.0),
    "left": (1, -1.0),
    "up": (2, 1.0),
    "down": (2, -1.0),
}


@dataclass(frozen=True)
class Pose:
    """A camera at rest: `position` float64 (3,) metres; `forward` and `up` orthogonal unit (3,); `fov_y` radians."""

    position: np.ndarray
    forward: np.ndarray
    up: np.ndarray
    fov_y: float


def unit(vector: np.ndarray) -> np.ndarray:
    """(..., 3) vectors brought to length 1."""
    return vector / np.sqrt((vector * vector).sum(axis=-1, keepdims=True))


def lengths(vectors: np.ndarray) -> np.ndarray:
    """Lengths (...) of many vectors (..., 3); numpy's sum over so short an axis takes four times as long."""
    x, y, z = (vectors[..., axis] for axis in range(3))
    return np.sqrt(x * x + y * y + z * z)


def cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Cross product of two single vectors; numpy's own takes fifteen times as long for one pair."""
    ax, ay, az = a.tolist()
    bx, by, bz = b.tolist()
    return np.array([ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx])


def facing(position: np.ndarray, forward: np.ndarray, up: np.ndarray, fov_y: float) -> Pose:
    """A pose from a viewing direction and a hint for up, neither of them unit or orthogonal; they must not be parallel."""
    forward = forward / np.sqrt(forward @ forward)
    up = up - (up @ forward) * forward
    return Pose(np.asarray(position, np.float64), forward, up / np.sqrt(up @ up), float(fov_y))


def look_at(eye: np.ndarray, target: np.ndarray, up: np.ndarray, fov_y: float = np.radians(46.0)) -> Pose:
    """The pose of an eye that looks at `target` with `up` upwards; positions (3,) in metres."""
    eye = np.asarray(eye, np.float64)
    return facing(eye, np.asarray(target, np.float64) - eye, np.asarray(up, np.float64), fov_y)


def view_rotation(pose: Pose) -> np.ndarray:
    """World to eye, float64 (3, 3): rows are right, up and backward (OpenGL's eye looks along -z)."""
    return np.array([cross(pose.forward, pose.up), pose.up, -pose.forward])


def projection(pose: Pose, aspect: float, near: float, far: float) -> np.ndarray:
    """OpenGL clip coordinates from eye coordinates, float32 (4, 4); `aspect` is width / height; 0 < near < far, metres."""
    f = 1.0 / np.tan(0.5 * pose.fov_y)
    matrix = np.zeros((4, 4), np.float32)
    matrix[0, 0], matrix[1, 1] = f / aspect, f
    matrix[2, 2], matrix[2, 3] = (far + near) / (near - far), 2.0 * far * near / (near - far)
    matrix[3, 2] = -1.0
    return matrix


def frustum_planes(pose: Pose, aspect: float) -> np.ndarray:
    """Inward unit normals and offsets, float64 (5, 4), of the frustum relative to the eye: left, right, bottom, top, eye.

    A sphere of radius r at c (relative to the eye) is outside when normal . c + offset < -r for any plane.
    """
    half = np.tan(0.5 * pose.fov_y)
    right = cross(pose.forward, pose.up)
    wide = half * aspect
    normals = np.array(
        [
            wide * pose.forward + right,
            wide * pose.forward - right,
            half * pose.forward + pose.up,
            half * pose.forward - pose.up,
            pose.forward,
        ]
    )
    planes = np.zeros((5, 4))
    planes[:, :3] = unit(normals)
    return planes


def slerp(a: np.ndarray, b: np.ndarray, w: float) -> np.ndarray:
    """The unit vector w of the way from unit a to unit b along their great circle; opposite vectors pass by an own side."""
    cosine = min(max(float(a @ b), -1.0), 1.0)
    if cosine > 1.0 - 1e-9:
        return unit(a + (b - a) * w)
    side = b - cosine * a
    if side @ side < 1e-12:
        side = cross(a, np.array([0.0, 1.0, 0.0]) if abs(a[1]) < 0.9 else np.array([1.0, 0.0, 0.0]))
    angle = np.arccos(cosine) * w
    return np.cos(angle) * a + np.sin(angle) * unit(side)


def blend(a: Pose, b: Pose, w: float, spherical: bool = False) -> Pose:
    """The pose w (0..1) of the way from a to b: smooth in w, orientation turning about one axis.

    Over planets the direction from the centre and the logarithm of the distance are blended instead of the position, so
    that the way does not lead through the planet.
    """
    if w <= 0.0 or w >= 1.0:
        return a if w <= 0.0 else b
    position = a.position + (b.position - a.position) * w
    if spherical:
        ra, rb = np.sqrt(a.position @ a.position), np.sqrt(b.position @ b.position)
        position = slerp(a.position / ra, b.position / rb, w) * (ra ** (1.0 - w) * rb**w)
    turn = view_rotation(b).T @ view_rotation(a)
    partial = partial_rotation(turn, w)
    return facing(position, partial @ a.forward, partial @ a.up, a.fov_y + (b.fov_y - a.fov_y) * w)


def partial_rotation(turn: np.ndarray, w: float) -> np.ndarray:
    """The rotation matrix about the axis of `turn` by w times its angle."""
    angle = float(np.arccos(min(max(0.5 * (float(np.trace(turn)) - 1.0), -1.0), 1.0)))
    axis = np.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]])
    length = np.sqrt(axis @ axis)
    if angle < 1e-9:
        return np.eye(3)
    if length < 1e-6:
        # Half a turn: the axis is the column of (turn + 1) that is longest.
        columns = turn + np.eye(3)
        axis = columns[:, int(np.argmax((columns * columns).sum(axis=0)))]
        length = np.sqrt(axis @ axis)
    return rotation(axis / length, angle * w)


def rotation(axis: np.ndarray, angle: float) -> np.ndarray:
    """Rotation matrix (3, 3) about a unit axis by an angle in radians (Rodrigues)."""
    x, y, z = axis.tolist()
    k = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.eye(3) + np.sin(angle) * k + (1.0 - np.cos(angle)) * (k @ k)


class FreeCamera:
    """A camera steered by hand: starts at a pose, moves as fast as its height allows, and stays above the ground.

    `pose` is the present pose. Its up is the world's (radial on planets): a roll that the first pose had is levelled.
    """

    def __init__(self, pose: Pose, ground: Ground) -> None:
        self.pose = pose
        self.ground = ground
        self._velocity = np.zeros(3)
        self._factor = 1.0
        self._clearance = 25.0 + 0.5 * ground.even_m
        # A flight may pass closer to the ground than a hand may steer: no jump when it is taken over there.
        self._closer = max(self._lowest(pose.position) - float(ground.altitude(pose.position[None])[0]), 0.0)

    def update(self, dt: float, held: set[str], dx: float = 0.0, dy: float = 0.0, wheel: float = 0.0) -> None:
        """Let dt seconds pass. `held`: names out of MOVES; dx, dy: pointer motion in pixels; wheel: notches of speed."""
        self._factor = float(np.clip(self._factor * WHEEL_FACTOR**wheel, 0.05, 30.0))
        forward, up = self._turned(dx, dy, dt)
        position = self._moved(dt, held, forward, up)
        if self.ground.atlas.spherical:
            # The view keeps its angle to the horizon while the horizon turns below it.
            turn = _between(self.ground.up(self.pose.position), self.ground.up(position))
            forward, up, self._velocity = turn @ forward, turn @ up, turn @ self._velocity
        self.pose = facing(position, forward, up, self.pose.fov_y)

    def _turned(self, dx: float, dy: float, dt: float) -> tuple[np.ndarray, np.ndarray]:
        vertical = self.ground.up(self.pose.position)
        forward, up = self.pose.forward, self.pose.up
        pitch = float(np.arcsin(np.clip(forward @ vertical, -1.0, 1.0)))
        scale = LOOK_RADIANS_PER_PIXEL * self.pose.fov_y / np.radians(46.0)
        # Looking straight down, turning about the vertical would only roll the picture.
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
        ground, start = self.ground, self.pose.position
        axes = np.stack([forward, cross(forward, up), ground.up(start)])
        wanted = np.zeros(3)
        for name in held & MOVES.keys():
            axis, sign = MOVES[name]
            wanted += sign * axes[axis]
        length = np.sqrt(wanted @ wanted)
        height = max(float(ground.clearance(start[None])[0]), 0.0)
        speed = self._factor * max(HEIGHTS_A_SECOND * height, SLOWEST_M_S)
        target = wanted * (speed / length) if length > 1e-9 else wanted
        self._velocity = target + (self._velocity - target) * np.exp(-dt / VELOCITY_S)
        self._closer *= float(np.exp(-dt / LEVEL_S))
        return self._kept_outside(start + self._velocity * dt)

    def _lowest(self, position: np.ndarray) -> float:
        return float(self.ground.max_near(position[None], self.ground.even_m)[0]) + self._clearance

    def _kept_outside(self, position: np.ndarray) -> np.ndarray:
        """Not below the ground and its clearance, and not lost in space."""
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


def _between(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The smallest rotation that takes unit a to unit b."""
    axis = cross(a, b)
    sine = float(np.sqrt(axis @ axis))
    if sine < 1e-15:
        return np.eye(3)
    return rotation(axis / sine, float(np.arctan2(sine, a @ b)))
