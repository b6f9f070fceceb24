"""Double-cone relief: generalised midpoint displacement on the mesh of two cones, in two levels. DOUBLE_CONE, EVEN_CONE.

Source: the Habr article "Procedural generation of planetary maps". The global mesh has 4 N^2 + 2 points, N = 2^gn, and grows
level by level from the six points of the octahedron; it settles land, sea and mountain ranges. The local mesh divides every
edge of a rhombus into 2^ln steps and refines the rhombus from the global heights around it. Only the global mesh has to be
in memory, and a point's height does not depend on which rhombus is refined. The result is a kind of multifractal: roughness
varies over the planet by a field of its own, and at the local level with the height too.

The article counts land in points; here, as everywhere in this project, a point weighs the area that it stands for. The sea
is settled on the global mesh, as in the article, so that a rhombus needs no other. Heights there are metres above the sea,
so the sea level is 0. Heights need no trigonometry: the sine of each ring, which weighs its area, comes from square roots.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..atlas import DOUBLE_CONE, EVEN_CONE, Atlas
from ..growth import RELIEF, Growth, Marks
from ..parameters import Value
from . import global_mesh as meshes
from . import global_relief as relief
from .global_relief import RingWindow, displace, sea_level_of
from .kernels import lay_on_faces
from .local_mesh import Planet, local_level, refine, refine_block

__all__ = ["DoubleConeGrowth", "Planet", "grow", "refine", "refine_block", "rhombus_lines"]

RADIUS_M = 6.371e6
MARKED_LEVEL, MAX_SEGMENTS = 3, 2000
# How the cones are laid on the sphere, by what is kept of them.
CONES = {"distances": DOUBLE_CONE, "areas": EVEN_CONE}


class DoubleConeGrowth(Growth):
    """gn levels of the global mesh, then ln levels of the local one. Heights in metres above the sea."""

    unit = "m"
    size = RADIUS_M

    def __init__(self, seed: int, gn: int, ln: int, land: float, poles: str, keeps: str = "distances") -> None:
        self.atlas = CONES[keeps]
        super().__init__(seed, 2 ** (gn + ln) + 1)
        self.gn, self.ln, self.land, self.poles = gn, ln, land, poles
        self.total = gn + ln
        self._rough = relief.roughness_field(seed, self.atlas)
        self._base = relief.octahedron(seed, relief.BASE, relief.BASE_AMPLITUDES[0])
        self._ranges = relief.octahedron(seed, relief.RANGES, relief.RANGE_AMPLITUDES[0])
        self._planet: Planet | None = None
        self._sea_level = 0.0
        self._mesh = self._relief()
        self._show(0)

    @property
    def sea_level(self) -> float:
        """0 on the global mesh, which settles the share of land; the local mesh's finer coast moves it by a few metres."""
        return self._sea_level

    @property
    def planet(self) -> Planet:
        """The global mesh, which `refine` takes; raises ValueError before step gn."""
        if self._planet is None:
            raise ValueError(f"the global mesh is at hand from step {self.gn} on, not at step {self.done}")
        return self._planet

    def _advance(self, to: int) -> None:
        for level in range(self.done + 1, min(to, self.gn) + 1):
            self._global_level(level)
        if self.done < self.gn:
            self._mesh = self._relief()
        if self._planet is None and to >= self.gn:
            self._planet = Planet(self.seed, self.gn, self._mesh, self._rough, self.atlas)
            self._base = self._ranges = np.zeros(0, np.float32)
        for level in range(max(self.done, self.gn) + 1, to + 1):
            rings = RingWindow.whole(2 ** (level - 1)), RingWindow.whole(2**level)
            self._mesh = local_level(self.planet, self._mesh, *rings, level - self.gn)
        if to > self.gn:
            self._sea_level = sea_level_of(self._mesh, self.land, self.atlas)
        self._show(to)

    def _global_level(self, level: int) -> None:
        self._base = self._finer(self._base, level, relief.BASE, relief.BASE_AMPLITUDES, relief.BASE_FALL)
        self._ranges = self._finer(self._ranges, level, relief.RANGES, relief.RANGE_AMPLITUDES, relief.RANGE_FALL)

    def _finer(self, field: np.ndarray, level: int, stream: int, amplitudes: tuple[float, ...], fall: float) -> np.ndarray:
        """A global field at `level`, from the one a level coarser."""
        rings = RingWindow.whole(2 ** (level - 1)), RingWindow.whole(2**level)
        amplitude = relief.amplitude_at(amplitudes, fall, level)
        return displace(field, *rings, self.seed, stream + level, amplitude, self._rough, atlas=self.atlas)

    def _relief(self) -> np.ndarray:
        return relief.relief_of(self._base, self._ranges, self.land, self.poles == "ocean", self.atlas)

    def _show(self, level: int) -> None:
        lay_on_faces(self._mesh, meshes.ring_starts(2**level), 2**level, self.heights)

    def marks(self, first: int, last: int, relief: float = RELIEF) -> Marks:
        """Outlines of the rhombi of the mesh at level `last`, or at level 3 if that is coarser; none on the local mesh."""
        if not 0 <= first < last <= self.gn:
            return Marks.none()
        return replace(Marks.none(), lines=rhombus_lines(2 ** min(last, MARKED_LEVEL), self.atlas))


def rhombus_lines(cells: int, atlas: Atlas = DOUBLE_CONE) -> np.ndarray:
    """Outlines of all rhombi on the unit sphere, float32 (k, 2, 3). Edges are divided into equal parts so that k <= 2000."""
    parts = min(16, MAX_SEGMENTS // (8 * cells * cells))
    if parts < 1:
        raise ValueError(f"outlines of {4 * cells * cells} rhombi are more than {MAX_SEGMENTS} segments")
    face, line = np.arange(4)[:, None, None], np.arange(cells)[None, :, None] / cells
    along = np.arange(cells * parts + 1)[None, None, :] / (cells * parts)
    # A face has its first row and its last column; the other two rims are its neighbours'.
    rows = atlas.direction(face, along, line)
    columns = atlas.direction(face, line, along)
    rim = atlas.direction(face, np.ones(1)[None, None], along)
    paths = np.concatenate([path.reshape(-1, cells * parts + 1, 3) for path in (rows, columns[:, 1:], rim)])
    return np.stack([paths[:, :-1], paths[:, 1:]], axis=2).reshape(-1, 2, 3).astype(np.float32)


def grow(seed: int, parameters: dict[str, Value]) -> DoubleConeGrowth:
    """A planet at step 0, the octahedron; `parameters` complete."""
    gn, ln = int(parameters["gn"]), int(parameters["ln"])
    return DoubleConeGrowth(seed, gn, ln, float(parameters["land"]), str(parameters["poles"]), str(parameters["keeps"]))
