"""The work in progress: cut planes as rings, particles as points, rhombi as dotted lines, through one streaming batch."""

from __future__ import annotations

import numpy as np
from OpenGL import GL

from ..geometry.view import View
from .gl import gl_context, programs
from .gl.meshes import Mesh

MARK = np.dtype([("position", np.float32, 3), ("colour", np.float32, 4), ("side", np.float32, 2)])


class Batch:
    """Coloured, glowing geometry of one frame: `ribbons` and `points`, then `draw`, which empties it."""

    def __init__(self) -> None:
        self._program = programs.Program("mark.vert", "mark.frag")
        self._mesh = Mesh({"position": 0, "colour": 1, "side": 2}, MARK)
        self._strips = np.zeros((0, 0, 2), MARK)
        # Room for points, of which the first `_count` are there.
        self._points, self._count = np.zeros(0, MARK), 0

    def ribbons(self, centres: np.ndarray, across: np.ndarray, colours: np.ndarray) -> None:
        """Strips along `centres` (k, p, 3), metres from the eye, reaching `across` (k, p, 3) to both sides; colours (k, 4).

        All of a frame at once: in the busiest moments there are dozens, and one by one they would cost more than all else.
        """
        self._strips = np.zeros((*centres.shape[:2], 2), MARK)
        for side, position in enumerate((centres - across, centres + across)):
            self._strips["position"][:, :, side] = position
            self._strips["side"][:, :, side, 0] = 2 * side - 1
        self._strips["colour"] = colours[:, None, None, :]

    def points(self, positions: np.ndarray, colour: np.ndarray, pixels: np.ndarray | float) -> None:
        """Round glowing points at float64 (k, 3) metres from the eye, colour (k, 4) or (4,), size in pixels."""
        first, self._count = self._count, self._count + len(positions)
        if self._count > len(self._points):
            self._points = np.concatenate([self._points[:first], np.zeros(2 * len(positions), MARK)])
        out = self._points[first : self._count]
        out["position"] = positions
        out["colour"] = colour
        out["side"][:, 1] = pixels

    def draw(self, view: View) -> None:
        """Draw over what the depth buffer lets through, adding light."""
        strips, points = self._strips, self._points[: self._count]
        self._strips, self._count = strips[:0], 0
        if strips.size or points.size:
            gl_context.drawing(gl_context.NEARER, blend=gl_context.ADD)
        if strips.size:
            self._begin(strips.reshape(-1), view, 0)
            count = np.full(len(strips), 2 * strips.shape[1])
            self._mesh.draw_parts(GL.GL_TRIANGLE_STRIP, np.arange(len(strips)) * count, count)
        if points.size:
            self._begin(points, view, 1)
            self._mesh.draw(GL.GL_POINTS, len(points))

    def _begin(self, vertices: np.ndarray, view: View, points: int) -> None:
        self._mesh.fill(vertices, stream=True)
        self._program.use(view_projection=view.uniforms["view_projection"], points=points)

    def free(self) -> None:
        self._program.free()
        self._mesh.free()
