"""The relief of a scene with its valleys cut, and the courses of rivers through it: those of the map's files."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ...worlds.doublecone import global_mesh as meshes
from ..local.courses import Chains, Network, chains_of, owners_of
from ..local.fine_mesh import LAND, FineMesh, belts_per_strip, strip_of
from ..local.strips import joined
from ..waters.landmasses import EARTH_RADIUS_M

# A relief of no more points is laid out at once.
WHOLE = 1 << 20
# Metres of the floor of a valley with 1 m^3/s, by whose root it grows: as wide as the scene's samples can have it, or the
# surface through them would rise and fall along the river.
FLOOR_WIDTH = 800.0
# What is left of the strength of the detail at rivers on plains, and at those that fall by STEEP metres a metre or more.
CALM, STEEP_CALM, STEEP = 0.15, 0.3, 0.02


@dataclass(frozen=True)
class CarvedRelief:
    """All p points of a planet's local mesh.

    `uncut_m`, `cut_m`: float32 (p,), metres, without and with the valleys of rivers. `wet`: uint8 (p,), 1 under water.
    `chains`: the courses of all rivers.
    """

    uncut_m: np.ndarray
    cut_m: np.ndarray
    wet: np.ndarray
    chains: Chains


def carved_relief_of(mesh: FineMesh, network: Network) -> CarvedRelief:
    """The relief of a whole planet."""
    belts, n, start = 2 * mesh.cells, mesh.steps, meshes.ring_starts(mesh.fine_cells)
    points = meshes.point_count(mesh.fine_cells)
    per = belts if points <= WHOLE else belts_per_strip(mesh)
    uncut, cut, wet = np.empty(points, np.float32), np.empty(points, np.float32), np.empty(points, np.uint8)
    parts = []
    for first in range(0, belts, per):
        last = min(first + per, belts)
        # Rivers beyond a strip cut their valleys into it.
        strip = strip_of(mesh, max(first - 1, 0), min(last + 1, belts))
        span = slice(int(start[first * n]), points if last == belts else int(start[last * n]))
        own = slice(span.start - strip.base, span.stop - strip.base)
        uncut[span], wet[span] = strip.heights_m[own], strip.wet[own]
        chains = chains_of(mesh, network, strip, owners_of(mesh, network, strip), first, last + 1, FLOOR_WIDTH)
        cut[span] = strip.heights_m[own]
        parts.append(chains if last == belts else _up_to(chains, mesh, network, last))
    return CarvedRelief(uncut, cut, wet, joined(parts, "vertex"))


def _up_to(chains: Chains, mesh: FineMesh, network: Network, ring: int) -> Chains:
    """Those of `chains` that lie in the cells of global rings before `ring`."""
    end = int(meshes.ring_starts(mesh.cells)[ring])
    count = int(np.searchsorted(chains.cell, np.searchsorted(network.cell, end)))
    made = int(chains.first[count])
    # A gate belongs to the point on land.
    to = mesh.receiver[chains.gate_of]
    kept = np.where(mesh.body[chains.gate_of] == LAND, chains.gate_of, to) < end
    return replace(
        chains,
        cell=chains.cell[:count],
        slot=chains.slot[:count],
        joins=chains.joins[:count],
        vertex=chains.vertex[:made],
        level_m=chains.level_m[:made],
        toward=chains.toward[:made],
        part=chains.part[:made],
        first=chains.first[: count + 1],
        gate_of=chains.gate_of[kept],
        shore=chains.shore[kept],
        wet=chains.wet[kept],
    )


def calm_beside(mesh: FineMesh, chains: Chains) -> np.ndarray:
    """What rivers leave of the strength of the detail at each local point: float32 (p,), 1 away from them."""
    step_m = 0.5 * np.pi * EARTH_RADIUS_M / mesh.fine_cells
    fall = np.zeros(len(chains.vertex))
    fall[:-1] = chains.level_m[:-1] - chains.level_m[1:]
    # From the last vertex of a chain on the river falls as it did before.
    last = chains.first[1:] - 1
    fall[last] = np.where(np.diff(chains.first) > 1, fall[last - 1], 0.0)
    left = np.ones(meshes.point_count(mesh.fine_cells), np.float32)
    calm = CALM + (STEEP_CALM - CALM) * np.clip(fall / (STEEP * step_m), 0.0, 1.0)
    np.minimum.at(left, chains.vertex, calm.astype(np.float32))
    return left
