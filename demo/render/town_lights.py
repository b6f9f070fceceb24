"""The lamps of one world's towns, drawn where its night is seen."""

from __future__ import annotations

import numpy as np
from OpenGL import GL

from ..geometry.view import View
from .gl import gl_context, programs
from .gl.meshes import Mesh

# Parts of a planet that are drawn or left out as one: so many along the edge of a cube's face.
PARTS = 4
# The sine of the sun's elevation above which no lamp is lit anywhere in a part.
DUSK = 0.07


class TownsArtist:
    """What the towns of all worlds share: the program."""

    def __init__(self) -> None:
        self.programs = programs.Variants("lamp.vert", "lamp.frag")

    def free(self) -> None:
        self.programs.free()


class Towns:
    """One world's lamps on the GPU, sorted by parts of the planet."""

    def __init__(self, artist: TownsArtist, lamps: np.ndarray, spherical: bool) -> None:
        """`lamps`: records (k,) of `position` in metres in the world, `colour`, `spread` in metres and `late`."""
        self._artist, self._spherical = artist, spherical
        part = _part_of(lamps["position"].astype(np.float64)) if spherical else np.zeros(len(lamps), np.intp)
        order = np.argsort(part, kind="stable")
        lamps, part = lamps[order], part[order]
        self._mesh = Mesh({"position": 0, "colour": 1, "spread": 2, "late": 3}, lamps.dtype)
        self._mesh.fill(np.ascontiguousarray(lamps))
        names, self._first = np.unique(part, return_index=True)
        self._count = np.diff(np.append(self._first, len(lamps)))
        directions = lamps["position"].astype(np.float64)
        directions /= np.maximum(np.sqrt((directions * directions).sum(axis=1, keepdims=True)), 1e-9)
        self._middle = np.array([directions[a : a + n].mean(axis=0) for a, n in zip(self._first, self._count, strict=True)])
        self._middle = self._middle.reshape(len(names), 3)
        self._middle /= np.maximum(np.sqrt((self._middle * self._middle).sum(axis=1, keepdims=True)), 1e-9)
        cosines = [(directions[a : a + n] @ m).min() for a, n, m in zip(self._first, self._count, self._middle, strict=True)]
        self._reach = np.arccos(np.clip(np.array(cosines), -1.0, 1.0))

    def draw(self, view: View, sun: np.ndarray, radius_m: float, shown: float, height: int, **clouds: object) -> None:
        """Add the light of what is lit and above the horizon. `shown`: 0..1; `clouds`: their uniforms, if there are any."""
        parts = self._dark(view.eye, sun, radius_m) if shown > 0.0 else ()
        if not len(parts):
            return
        pixels = 0.5 * height / float(np.sqrt(view.uniforms["up"] @ view.uniforms["up"]))
        program = self._artist.programs.get(SPHERICAL=self._spherical, CLOUDS=bool(clouds))
        program.use(
            **view.uniforms,
            world_eye=view.eye,
            pixels=pixels,
            least=max(1.5, height / 430.0),
            shown=shown,
            height=height,
            **clouds,
        )
        gl_context.drawing(gl_context.NEARER, blend=gl_context.ADD)
        self._mesh.draw_parts(GL.GL_POINTS, self._first[parts], self._count[parts])

    def _dark(self, eye: np.ndarray, sun: np.ndarray, radius_m: float) -> np.ndarray:
        """The parts in which a lamp may be lit and seen: indices."""
        if not self._spherical:
            return np.arange(len(self._first)) if sun[1] < DUSK else np.zeros(0, np.intp)
        away = float(np.sqrt(eye @ eye))
        horizon = np.arccos(min(radius_m / away, 1.0)) + 0.12
        angle = np.arccos(np.clip(self._middle @ (eye / away), -1.0, 1.0))
        to_sun = np.arccos(np.clip(self._middle @ sun, -1.0, 1.0))
        return np.flatnonzero((angle < horizon + self._reach) & (to_sun + self._reach > np.arccos(DUSK)))

    def free(self) -> None:
        self._mesh.free()


def _part_of(positions: np.ndarray) -> np.ndarray:
    """Which part of a planet each place is in: (k,)."""
    size = np.abs(positions)
    axis = size.argmax(axis=1)
    k = np.arange(len(positions))
    longest = size[k, axis]
    others = [positions[k, (axis + n) % 3] / longest for n in (1, 2)]
    i, j = (np.clip(((x + 1.0) * 0.5 * PARTS).astype(np.intp), 0, PARTS - 1) for x in others)
    face = 2 * axis + (positions[k, axis] > 0.0)
    return (face * PARTS + i) * PARTS + j
