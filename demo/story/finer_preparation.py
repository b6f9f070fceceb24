"""What is prepared of a map for its flight: its rivers, and where it is finer than its samples, its relief from near."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ..ground.ground import Ground
from ..ground.relief_blocks import CELLS, ReliefBlocks, numbered, risen, share_of, with_blocks
from ..mapping.shown.carved_relief import STEEP_CALM
from ..scenes.towns import lamps
from .map_rivers import rivers_near

if TYPE_CHECKING:
    from ..flight.paths import Flight
    from ..mapping.shown.finer_mesh import FinerMesh
    from ..scenes.scene import Scene
    from .preparation import GrownWorld
    from .prepared import Prepared

# Blocks are made that come so near to the camera, in metres, which is looked for so often, in seconds.
NEAR_M, LOOKED_S = 170_000.0, 1.0
# No more texels than these: 16 MB. The nearest blocks come first.
MOST_TEXELS = 8_000_000


def refined(world: GrownWorld, flight: Flight, begins_s: float) -> Generator[None, None, GrownWorld]:
    """The same world with the relief of its map near a flight, piece by piece; `begins_s`: when that leaves the birth."""
    finer = world.contents.finer if world.contents else None
    if finer is None or world.contents is None or (world.samples - 1) % CELLS:
        return world
    ground, detail, samples = world.ground, world.detail, world.samples
    parts = (samples - 1) // CELLS
    chosen = _near(ground, flight, begins_s, parts, _most(finer))
    yield
    number = numbered(chosen, parts, ground.atlas.faces)
    # Rivers and lakes are laid into the samples: what is finer keeps away from both.
    share = share_of(number, samples) * np.clip((world.contents.dry - STEEP_CALM) / (1.0 - STEEP_CALM), 0.0, 1.0)
    steps = 2**finer.levels
    edge = (CELLS + 2) * steps
    known = np.empty((len(chosen), edge + 1, edge + 1), np.float32)
    first = np.column_stack([chosen[:, 0], (chosen[:, 1:] * CELLS - 1) * steps])
    yield from finer.heights_of(first, edge, known)
    known *= np.float32(world.metres)
    rise = []
    for block, heights in zip(chosen.tolist(), known, strict=True):
        rise.append(risen(detail, tuple(block), heights, share))
        yield
    if not rise:
        return world
    yield
    blocks = ReliefBlocks(number, np.stack(rise), samples)
    blocks.lay_out()
    detail = with_blocks(detail, blocks, share)
    return replace(world, detail=detail, ground=ground.with_detail(detail))


def prepare_refined(world: GrownWorld, born: Prepared, scene: Scene, seed: int) -> Generator[None, None, Prepared]:
    """What pictures need of the flight once `world` has the relief of its map near it, with pauses.

    `born`: what its birth shows.
    """
    if world.contents is None:
        return born
    palette, ground = scene.palette_of(seed), world.ground
    towns = lamps(ground, seed, scene.relief_m, palette.cold, palette.snow_line)
    yield
    rivers, beds = yield from rivers_near(world.contents.streams, ground, born.flight, scene.birth_s, world.metres, seed)
    return replace(born, ground=ground, lamps=towns, rivers=rivers, river_beds=beds)


def _most(finer: FinerMesh) -> int:
    """How many blocks there can be."""
    return int(MOST_TEXELS // (finer.levels * (CELLS * 2**finer.levels + 3) ** 2))


def _near(ground: Ground, flight: Flight, begins_s: float, parts: int, most: int) -> np.ndarray:
    """The blocks that a flight comes near to, the nearest first: int64 (k, 3), face, row and column."""
    faces = ground.atlas.faces
    face, row, column = (x.ravel() for x in np.indices((faces, parts, parts)))
    middle = ground.atlas.place(face, (column + 0.5) / parts, (row + 0.5) / parts) * ground.size_m
    apart = np.full(len(middle), np.inf)
    for t in np.arange(begins_s, flight.seconds, LOOKED_S):
        away = middle - flight.pose(float(t)).position
        np.minimum(apart, (away * away).sum(axis=1), out=apart)
    order = np.argsort(apart, kind="stable")[:most]
    order = order[apart[order] < NEAR_M**2]
    return np.column_stack([face[order], row[order], column[order]])
