"""The levels of a planet's local mesh that its scene does not lay out, for blocks of it that are seen from near."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ...worlds.doublecone import global_mesh as meshes
from ...worlds.doublecone.local_mesh import Planet
from ..local.fine_mesh import belts_per_strip, strip_of
from ..local.planet_mesh import fine_mesh_of
from ..waters.hydrology import Hydrology


@dataclass(frozen=True)
class FinerMesh:
    """What the local mesh of a planet is made from.

    `planet`: the drained mesh, under edits. `ln`: all local levels beyond it, of which the scene lays out all but the last
    `levels`. `waters`: of the planet. `neighbour`: int32 (points, 6).
    """

    planet: Planet
    ln: int
    levels: int
    waters: Hydrology
    neighbour: np.ndarray

    def heights_of(self, first: np.ndarray, edge: int, out: np.ndarray) -> Iterator[None]:
        """Fill `out`, float32 (k, m, m), with the heights in metres of blocks of the local mesh, strip by strip.

        `first`: int (k, 3), face, and row and column of a block's first point, in steps of the local mesh; m - 1 = `edge`
        steps. Places beyond the face have the height at its edge.
        """
        mesh = fine_mesh_of(self.planet, self.ln, self.waters, self.neighbour)
        yield
        belts, per, fine = 2 * mesh.cells, belts_per_strip(mesh), mesh.fine_cells
        line = np.arange(edge + 1)
        rows, columns = (np.clip(first[:, axis, None] + line, 0, fine) for axis in (1, 2))
        low, high = rows[:, 0] + columns[:, 0], rows[:, -1] + columns[:, -1]
        for belt in range(0, belts, per):
            last = min(belt + per, belts)
            begin, end = belt * mesh.steps, last * mesh.steps
            met = np.flatnonzero((low <= end) & (high >= begin))
            if not len(met):
                continue
            strip = strip_of(mesh, belt, last)
            for k in met.tolist():
                ring = rows[k][:, None] + columns[k][None, :]
                inside = (ring >= begin) & (ring <= end)
                row, column = np.broadcast_arrays(rows[k][:, None], columns[k][None, :])
                points = meshes.point_of(fine, int(first[k, 0]), row[inside], column[inside])
                out[k][inside] = strip.heights_m[points - strip.base]
            yield
