"""Made-up rivers all over a world, and tiles of the ground that they run through."""

from __future__ import annotations

import numpy as np

from demo.ground.rivers import Rivers
from demo.worlds.atlas import Atlas

SIZE_M, TEXELS = 500_000.0, 48
# What `cuts_in` reads of a tile's record. The record itself is where OpenGL is, which must not be imported before a context.
TILE = np.dtype([("patch", np.float32, 4), ("place", np.float32, 4), ("direction", np.float32, 3)])


def rivers(atlas: Atlas, lines: int = 40, points: int = 50, seed: int = 0) -> Rivers:
    """Wandering lines all over a world, some as wide as a tile."""
    rng = np.random.default_rng(seed)
    count = lines * points
    if atlas.spherical:
        walk = rng.normal(size=(lines, 1, 3)) + np.cumsum(rng.normal(0.0, 0.004, (lines, points, 3)), axis=1)
        place = walk / np.linalg.norm(walk, axis=-1, keepdims=True)
    else:
        walk = np.cumsum(rng.normal(0.0, 0.004, (lines, points, 3)), axis=1)
        place = (rng.uniform(-0.45, 0.45, (lines, 1, 3)) + walk) * (1.0, 0.0, 1.0)
    half_m = np.repeat(10.0 ** rng.uniform(0.5, 3.0, lines), points)
    ones = np.ones(count, np.float32)
    level_m = np.tile(np.linspace(500.0, 0.0, points), lines)
    each = {name: ones for name in Rivers.__dataclass_fields__ if name not in ("place", "first", "size_m")}
    each |= {"level_m": level_m, "half_m": half_m, "gap_m": rng.uniform(0.0, 300.0, count), "bank": 0.4 * ones}
    shape = {"place": place.reshape(-1, 3), "first": points * np.arange(lines + 1), "size_m": SIZE_M}
    return Rivers(**shape, **{name: np.asarray(values, np.float32) for name, values in each.items()})


def tiles_on(atlas: Atlas, found: Rivers, count: int = 90) -> np.ndarray:
    """Tiles of several levels that lie on points of rivers, TILE (count,)."""
    some = found.place[np.linspace(0, len(found.place) - 1, count).astype(np.intp)]
    face, u, v, _ = atlas.invert(some if atlas.spherical else some * (1.0, 0.0, 1.0))
    edge = 0.5 ** np.tile([4, 6, 8, 10, 12], count)[:count]
    tiles = np.zeros(count, TILE)
    middle = [(np.floor(np.clip(x, 0.0, 1.0 - 1e-9) / edge) + 0.5) * edge for x in (u, v)]
    tiles["patch"] = np.stack([face, *middle, edge], axis=1)
    tiles["place"][:, 2] = TEXELS + 3
    return tiles
