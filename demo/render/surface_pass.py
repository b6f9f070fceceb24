"""The pass that draws surfaces: programs, meshes of a patch, and the picture of tiles, which all worlds share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..geometry.patch_meshes import isosceles_mesh, patch_mesh
from ..geometry.patch_tree import INSTANCE
from ..worlds.atlas import LATLONG
from .geometry_buffer import GeometryBuffer
from .gl import gl_context
from .gl import opengl as GL
from .gl.meshes import Mesh, screen_triangle
from .gl.programs import Variants
from .shader_switches import DeferredSwitches, GeometrySwitches, SurfaceSwitches
from .surface_tiles import TILED
from .tiles import Tiles

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .gl.targets import Target

VERTEX = np.dtype([("cell", np.float32, 2)])
LOCATIONS = {"patch": 1, "anchor": 2, "direction": 3, "tile": 4}


@dataclass(frozen=True)
class ChosenPatches:
    """What a frame draws of a surface: patches without tiles, INSTANCE (k,), and with tiles, TILED (m,), which are near.

    `halved`: patches are drawn with half as many cells along an edge, of which there are `cells`.
    """

    plain: np.ndarray
    tiled: np.ndarray
    halved: bool
    cells: int

    @property
    def triangles(self) -> int:
        """How many are sent."""
        return 2 * (len(self.plain) + len(self.tiled)) * self.cells**2


class SurfacePass:
    """What all surfaces share: programs, meshes of a patch, and the picture of tiles."""

    def __init__(self, patch: int, tiles: int, measures: bool = False) -> None:
        """`patch`: cells along the edge of a patch; `tiles`: along the edge of the picture of tiles. `measures`: see
        `Quality`."""
        self.patch = patch
        self.tiles = Tiles(patch, tiles, measures)
        self.programs: Variants[SurfaceSwitches] = Variants()
        self._meshes: dict[tuple[bool, bool, bool], Mesh] = {}
        self._geometry: GeometryBuffer | None = None
        self._triangle = screen_triangle()

    def draw(
        self, switches: SurfaceSwitches, patches: np.ndarray, halved: bool, units: dict[str, int], lines: bool = False
    ) -> None:
        """Draw patches, TILED (k,) with the switch `tiles`, INSTANCE (k,) without, or the edges of their triangles alone.

        `units`: of the samplers.
        """
        self._draw_mesh(switches, patches, halved, units, lines)

    def draw_deferred(
        self, parts: Sequence[tuple[SurfaceSwitches, np.ndarray]], halved: bool, units: dict[str, int], onto: Target
    ) -> None:
        """Draw the meshes of parts, TILED (k,) each with its switches, first, and then shade each pixel of them once.

        `onto`: what is being drawn on.
        """
        drawn = [patches for _, patches in parts]
        with self.geometry_of(onto).stored(self.tiles.along, self.tiles.side, drawn) as stored:
            for number, (switches, patches) in enumerate(parts, 1):
                self.draw_geometry(GeometrySwitches.of(switches), patches, halved, units, number)
        for number, (switches, _) in enumerate(parts, 1):
            self.shade(DeferredSwitches.of(switches), units | stored, number)

    def geometry_of(self, onto: Target) -> GeometryBuffer:
        """The geometry buffer for what is drawn on a target."""
        if self._geometry is None or not self._geometry.fits(onto):
            self._free_geometry()
            self._geometry = GeometryBuffer(onto)
        return self._geometry

    def draw_geometry(
        self, switches: GeometrySwitches, patches: np.ndarray, halved: bool, units: dict[str, int], number: int
    ) -> None:
        """Draw the mesh of patches, TILED (k,), into the geometry buffer, and mark its pixels with a number."""
        self._draw_mesh(switches, patches, halved, units, stencil=(gl_context.MARK, number))

    def shade(self, switches: DeferredSwitches, units: dict[str, int], number: int) -> None:
        """Shade the pixels that are marked with a number."""
        self.programs.get(switches).use(**units)
        gl_context.drawing(stencil=(gl_context.MARKED, number))
        self._triangle.draw(GL.GL_TRIANGLES, 3)

    def _draw_mesh(
        self,
        switches: SurfaceSwitches,
        patches: np.ndarray,
        halved: bool,
        units: dict[str, int],
        lines: bool = False,
        stencil: tuple[tuple[int, int], int] | None = None,
    ) -> None:
        mesh = self._mesh(switches.tiles, halved, switches.isosceles)
        mesh.fill_instances(patches)
        self.programs.get(switches).use(**units)
        culled = None if lines else _hidden_side(switches)
        gl_context.drawing(gl_context.NEARER, keep_depth=True, lines=lines, culled=culled, stencil=stencil)
        mesh.draw_instanced(GL.GL_TRIANGLES, len(patches))

    def _mesh(self, tiled: bool, halved: bool, isosceles: bool) -> Mesh:
        key = tiled, halved, isosceles
        if key not in self._meshes:
            self._meshes[key] = _mesh(self.patch >> halved, TILED if tiled else INSTANCE, isosceles)
        return self._meshes[key]

    def _free_geometry(self) -> None:
        if self._geometry is not None:
            self._geometry.free()
            self._geometry = None

    def free(self) -> None:
        self._free_geometry()
        self._triangle.free()
        self.programs.free()
        self.tiles.free()
        for mesh in self._meshes.values():
            mesh.free()


def _hidden_side(switches: SurfaceSwitches) -> int | None:
    """The side of triangles that nobody sees, None for neither.

    From above, what faces away lies behind what faces the eye. A growing terrain, though, may be cut off at its rim, and a
    flat sheet is seen from both sides.
    """
    if switches.sheet or not (switches.spherical or switches.tiles):
        return None
    return gl_context.FRONT if switches.atlas == LATLONG.code else gl_context.BACK


def _mesh(patch: int, instance: np.dtype, isosceles: bool) -> Mesh:
    cells, corners = (isosceles_mesh if isosceles else patch_mesh)(patch)
    locations = {name: LOCATIONS[name] for name in instance.names or ()}
    mesh = Mesh({"cell": 0}, VERTEX, locations, instance, np.ascontiguousarray(corners))
    vertices = np.zeros(len(cells), VERTEX)
    vertices["cell"] = cells
    mesh.fill(vertices)
    return mesh
