"""The pass that draws surfaces: programs, meshes of a patch, and the picture of tiles, which all worlds share."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..geometry.patch_meshes import isosceles_mesh, patch_mesh
from ..geometry.patch_tree import INSTANCE
from ..worlds.atlas import LATLONG
from .gl import gl_context
from .gl import opengl as GL
from .gl.meshes import Mesh
from .gl.programs import Variants
from .shader_switches import SurfaceSwitches
from .surface_tiles import TILED
from .tiles import Tiles

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

    def draw(
        self, switches: SurfaceSwitches, patches: np.ndarray, halved: bool, units: dict[str, int], lines: bool = False
    ) -> None:
        """Draw patches, TILED (k,) with the switch `tiles`, INSTANCE (k,) without, or the edges of their triangles alone.

        `units`: of the samplers.
        """
        mesh = self._mesh(switches.tiles, halved, switches.isosceles)
        mesh.fill_instances(patches)
        self.programs.get(switches).use(**units)
        culled = None if lines else _hidden_side(switches)
        gl_context.drawing(gl_context.NEARER, keep_depth=True, lines=lines, culled=culled)
        mesh.draw_instanced(GL.GL_TRIANGLES, len(patches))

    def _mesh(self, tiled: bool, halved: bool, isosceles: bool) -> Mesh:
        key = tiled, halved, isosceles
        if key not in self._meshes:
            self._meshes[key] = _mesh(self.patch >> halved, TILED if tiled else INSTANCE, isosceles)
        return self._meshes[key]

    def free(self) -> None:
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
