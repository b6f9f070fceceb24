"""The mesh on which a planet's waters are settled: the global mesh, or a finer one where the local mesh is fine.

Rivers, lakes and coasts have the topology of this mesh, so they would not grow in number with `ln` if it were always the
global one. A local mesh with more than FINE_LN levels has the rest of them drained as well, up to MOST_LEVEL.
"""

from __future__ import annotations

from dataclasses import replace

from ...worlds.doublecone.global_relief import RingWindow
from ...worlds.doublecone.local_mesh import Planet, local_level
from .ponds import without_ponds

# The levels of the local mesh between two neighbouring points of the drained one.
FINE_LN = 3
# Of this level the mesh has steps of 78 km on the Earth. Finer ones would take half as much memory again for the lines.
MOST_LEVEL = 7


def drainage_level(gn: int, ln: int) -> int:
    """The level of the drained mesh of a planet with `gn` global levels and `ln` local ones."""
    return gn + max(min(ln - FINE_LN, MOST_LEVEL - gn), 0)


def drainage_mesh_of(planet: Planet, ln: int) -> tuple[Planet, int]:
    """(the planet on its drained mesh, the local levels beyond that); `ln`: those of the whole local mesh.

    Heights are those that `refine` has at the same places, but where small inland seas have been filled (`ponds`).
    """
    heights, levels = planet.heights_m, drainage_level(planet.gn, ln) - planet.gn
    for k in range(1, levels + 1):
        rings = RingWindow.whole(2 ** (planet.gn + k - 1)), RingWindow.whole(2 ** (planet.gn + k))
        heights = local_level(planet, heights, *rings, k)
    return replace(planet, gn=planet.gn + levels, heights_m=without_ponds(heights)), ln - levels
