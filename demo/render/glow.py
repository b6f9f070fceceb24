"""The work in progress: cut planes as rings, particles as points, rhombi as dotted lines, in one streaming batch."""

from __future__ import annotations

import numpy as np

from .gl import gl_context
from .gl import opengl as GL
from .gl.meshes import Mesh
from .gl.programs import Variants
from .shader_switches import GlowSwitches

# `side`: -1..1 across a ribbon and 0; or 0 and the size of a point in pixels.
GLOW_POINT = np.dtype([("position", np.float32, 3), ("colour", np.float32, 4), ("side", np.float32, 2)])


class GlowBatch:
    """Coloured, glowing geometry of one frame: `ribbons` and `points`, then `draw`, which empties it."""

    def __init__(self) -> None:
        self.programs: Variants[GlowSwitches] = Variants()
        self._mesh = Mesh({"position": 0, "colour": 1, "side": 2}, GLOW_POINT)
        self._strips = np.zeros((0, 0, 2), GLOW_POINT)
        # Room for points, of which the first `_count` are there.
        self._points, self._count = np.zeros(0, GLOW_POINT), 0

    def ribbons(self, centres: np.ndarray, across: np.ndarray, colours: np.ndarray) -> None:
        """Strips along `centres` (k, p, 3), metres from the eye, reaching `across` (k, p, 3) to both sides; colours (k, 4).

        All of a frame at once: in the busiest moments there are dozens, and one by one they would cost more than all else.
        """
        self._strips = np.zeros((*centres.shape[:2], 2), GLOW_POINT)
        for side, position in enumerate((centres - across, centres + across)):
            self._strips["position"][:, :, side] = position
            self._strips["side"][:, :, side, 0] = 2 * side - 1
        self._strips["colour"] = colours[:, None, None, :]

    def points(self, positions: np.ndarray, colour: np.ndarray, pixels: np.ndarray | float) -> None:
        """Round glowing points at float64 (k, 3) metres from the eye, colour (k, 4) or (4,), size in pixels."""
        first, self._count = self._count, self._count + len(positions)
        if self._count > len(self._points):
            self._points = np.concatenate([self._points[:first], np.zeros(2 * len(positions), GLOW_POINT)])
        out = self._points[first : self._count]
        out["position"] = positions
        out["colour"] = colour
        out["side"][:, 1] = pixels

    def draw(self) -> None:
        """Draw over what the depth buffer lets through, adding light."""
        strips, points = self._strips, self._points[: self._count]
        self._strips, self._count = strips[:0], 0
        if strips.size or points.size:
            self.programs.get(GlowSwitches()).use()
            gl_context.drawing(gl_context.NEARER, blend=gl_context.ADD)
        if strips.size:
            self._mesh.fill(strips.reshape(-1), stream=True)
            count = np.full(len(strips), 2 * strips.shape[1])
            self._mesh.draw_parts(GL.GL_TRIANGLE_STRIP, np.arange(len(strips)) * count, count)
        if points.size:
            self._mesh.fill(points, stream=True)
            self._mesh.draw(GL.GL_POINTS, len(points))

    def free(self) -> None:
        self.programs.free()
        self._mesh.free()
