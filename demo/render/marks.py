"""The work in progress: cut planes as rings, particles as points, rhombi as dotted lines, through one streaming batch."""

from __future__ import annotations

import numpy as np
from OpenGL import GL

from demo.render import gpu, programs, state
from demo.render.view import View

MARK = np.dtype([("position", np.float32, 3), ("colour", np.float32, 4), ("side", np.float32, 2)])
RING_POINTS = 96


class Batch:
    """Coloured, glowing geometry of one frame: `ribbons` and `points`, then `draw`, which empties it."""

    def __init__(self) -> None:
        self._program = programs.Program("mark.vert", "mark.frag")
        self._mesh = gpu.Mesh({"position": 0, "colour": 1, "side": 2}, MARK)
        self._triangles: list[np.ndarray] = []
        self._points: list[np.ndarray] = []

    def ribbons(self, centres: np.ndarray, across: np.ndarray, colours: np.ndarray) -> None:
        """Strips along `centres` (k, p, 3), metres from the eye, reaching `across` (k, p, 3) to both sides; colours (k, 4).

        All at once: in the busiest moments there are dozens, and one by one they would cost more than all else in a frame.
        """
        left, right = (centres - across).astype(np.float32), (centres + across).astype(np.float32)
        out = np.zeros((centres.shape[0], centres.shape[1] - 1, 6), MARK)
        for corner, (line, first, side) in enumerate(
            ((left, 0, -1), (right, 0, 1), (left, 1, -1), (left, 1, -1), (right, 0, 1), (right, 1, 1))
        ):
            out["position"][:, :, corner] = line[:, first : centres.shape[1] - 1 + first]
            out["side"][:, :, corner, 0] = side
        out["colour"] = colours[:, None, None, :]
        self._triangles.append(out.reshape(-1))

    def points(self, positions: np.ndarray, colour: np.ndarray, pixels: np.ndarray | float) -> None:
        """Round glowing points at float64 (k, 3) metres from the eye, colour (k, 4) or (4,), size in pixels."""
        out = np.zeros(len(positions), MARK)
        out["position"] = positions
        out["colour"] = colour
        out["side"][:, 1] = pixels
        self._points.append(out)

    def draw(self, view: View) -> None:
        """Draw over what the depth buffer lets through, adding light."""
        triangles, points = self._triangles, self._points
        self._triangles, self._points = [], []
        if not triangles and not points:
            return
        state.drawing(state.NEARER, blend=state.ADD)
        for arrays, mode, is_point in ((triangles, GL.GL_TRIANGLES, 0), (points, GL.GL_POINTS, 1)):
            if arrays:
                vertices = arrays[0] if len(arrays) == 1 else np.concatenate(arrays)
                self._mesh.fill(vertices, stream=True)
                self._program.use(view_projection=view.uniforms["view_projection"], points=is_point)
                self._mesh.draw(mode, len(vertices))

    def free(self) -> None:
        self._program.free()
        self._mesh.free()


def rings(normals: np.ndarray, offsets: np.ndarray, radius_m: float) -> np.ndarray:
    """The circles in which planes normal . p = offset, (k, 3) and (k,), meet the unit sphere, lifted to `radius_m`.

    float64 (k, RING_POINTS + 1, 3), the last point being the first.
    """
    helper = np.where(np.abs(normals[:, 1:2]) < 0.9, [0.0, 1.0, 0.0], [1.0, 0.0, 0.0])
    e1 = np.cross(normals, helper)
    e1 /= np.sqrt((e1 * e1).sum(axis=1, keepdims=True))
    e2 = np.cross(normals, e1)
    angle = np.linspace(0, 2 * np.pi, RING_POINTS + 1)[:, None]
    around = np.sqrt(np.maximum(1.0 - offsets * offsets, 0.0))[:, None, None]
    circle = np.cos(angle) * e1[:, None, :] + np.sin(angle) * e2[:, None, :]
    return radius_m * ((offsets[:, None] * normals)[:, None, :] + around * circle)
