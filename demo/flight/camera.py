"""Camera: poses, the matrices that follow from them, and poses between two of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..maths.vectors import cross, crosses, length, rotation, slerp, unit


@dataclass(frozen=True)
class Pose:
    """A camera at rest: `position` float64 (3,) metres; `forward` and `up` orthogonal unit (3,); `fov_y` radians."""

    position: np.ndarray
    forward: np.ndarray
    up: np.ndarray
    fov_y: float


def facing(position: np.ndarray, forward: np.ndarray, up: np.ndarray, fov_y: float) -> Pose:
    """The pose of a viewing direction (3,) and a hint (3,) for up. They may have any length, but must not be parallel."""
    forward = forward / length(forward)
    up = up - (up @ forward) * forward
    return Pose(np.asarray(position, np.float64), forward, up / length(up), float(fov_y))


def facings(position: np.ndarray, forward: np.ndarray, up: np.ndarray, fov_y: np.ndarray) -> np.ndarray:
    """`facing` for many poses at once, with the same bits: (k, 10), as `poses_of` has them. `fov_y`: (k,)."""
    forward = forward / np.sqrt(_dots(forward, forward))[:, None]
    up = up - _dots(up, forward)[:, None] * forward
    return np.column_stack([position, forward, up / np.sqrt(_dots(up, up))[:, None], fov_y])


def _dots(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The scalar product of each pair of vectors (k, 3), with the bits of `@`: (k,)."""
    out: np.ndarray = np.matmul(a[:, None, :], b[:, :, None])[:, 0, 0]
    return out


def poses_of(poses: list[Pose]) -> np.ndarray:
    """Poses as rows (k, 10): position, forward and up, three numbers each, and the field of view in radians."""
    return np.array([[*pose.position, *pose.forward, *pose.up, pose.fov_y] for pose in poses])


def look_at(eye: np.ndarray, target: np.ndarray, up: np.ndarray, fov_y: float = np.radians(46.0)) -> Pose:
    """The pose of an eye that looks at `target` with `up` upwards; positions (3,) in metres."""
    eye = np.asarray(eye, np.float64)
    return facing(eye, np.asarray(target, np.float64) - eye, np.asarray(up, np.float64), fov_y)


def turns(forward: np.ndarray, up: np.ndarray) -> np.ndarray:
    """The angles (k - 1,), in radians, by which the picture turns from each of k views to the next.

    `forward` and `up`: orthogonal unit (k, 3).
    """
    trace = sum((axis[1:] * axis[:-1]).sum(axis=1) for axis in (forward, up, crosses(forward, up)))
    angles: np.ndarray = np.arccos(np.clip(0.5 * (trace - 1.0), -1.0, 1.0))
    return angles


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


WHOLE_EDGES = (-1.0, -1.0, 1.0, 1.0)


def frustum_planes(pose: Pose, aspect: float, edges: tuple[float, float, float, float] = WHOLE_EDGES) -> np.ndarray:
    """Inward unit normals and offsets, float64 (5, 4), of the frustum relative to the eye: left, right, bottom, top, eye.

    `edges`: left, bottom, right and top of what is seen of the picture, in half its width and height from its middle.

    A sphere of radius r at c (relative to the eye) is outside when normal . c + offset < -r for any plane.
    """
    half = np.tan(0.5 * pose.fov_y)
    right = cross(pose.forward, pose.up)
    wide = half * aspect
    first, low, last, high = edges
    normals = np.array(
        [
            -first * wide * pose.forward + right,
            last * wide * pose.forward - right,
            -low * half * pose.forward + pose.up,
            high * half * pose.forward - pose.up,
            pose.forward,
        ]
    )
    planes = np.zeros((5, 4))
    planes[:, :3] = unit(normals)
    return planes


def blend(a: Pose, b: Pose, w: float, spherical: bool = False) -> Pose:
    """The pose that is w (0..1) of the way from a to b: smooth in w, turning about one axis.

    Around a planet (`spherical`) the direction from its centre and the logarithm of the distance are blended instead of the
    position, so that the way does not lead through it.
    """
    if w <= 0.0 or w >= 1.0:
        return a if w <= 0.0 else b
    position = a.position + (b.position - a.position) * w
    if spherical:
        ra, rb = length(a.position), length(b.position)
        position = slerp(a.position / ra, b.position / rb, w) * (ra ** (1.0 - w) * rb**w)
    turn = view_rotation(b).T @ view_rotation(a)
    partial = partial_rotation(turn, w)
    return facing(position, partial @ a.forward, partial @ a.up, a.fov_y + (b.fov_y - a.fov_y) * w)


def partial_rotation(turn: np.ndarray, w: float) -> np.ndarray:
    """The rotation matrix (3, 3) about the axis of the rotation `turn` (3, 3) by w times its angle."""
    angle = float(np.arccos(min(max(0.5 * (float(np.trace(turn)) - 1.0), -1.0), 1.0)))
    axis = np.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]])
    long = length(axis)
    if angle < 1e-9:
        return np.eye(3)
    if long < 1e-6:
        # Half a turn: the axis is the longest column of turn + 1.
        columns = turn + np.eye(3)
        axis = columns[:, int(np.argmax((columns * columns).sum(axis=0)))]
        long = length(axis)
    return rotation(axis / long, angle * w)


def between(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The smallest rotation (3, 3) that takes unit a to unit b."""
    axis = cross(a, b)
    sine = length(axis)
    if sine < 1e-15:
        return np.eye(3)
    return rotation(axis / sine, float(np.arctan2(sine, a @ b)))
