"""River beds: a tile is cut by every bed that reaches it, however few of them are looked at."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from demo.geometry import river_beds as module
from demo.geometry.river_beds import cuts_in, river_beds
from demo.ground.rivers import Rivers
from demo.worlds.atlas import ATLASES, Atlas

SIZE_M, TEXELS = 500_000.0, 48
# Of all beds of a world no more than this share is in parts that reach a tile, and no more than that is looked at.
MOST_NEAR, MOST_SEEN = 0.02, 0.012
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


def distance_m(cut: np.void, atlas: Atlas) -> float:
    """Metres from a tile, its rim included, to the line that is cut into it."""
    face, u, v, edge = cut["patch"].astype(np.float64)
    j, i = np.meshgrid(*[edge * np.linspace(-0.5 - 1.0 / TEXELS, 0.5 + 1.0 / TEXELS, 41)] * 2)
    middle = atlas.place(int(face), u, v)
    points = (atlas.place(np.full(i.shape, int(face)), u + j, v + i) - middle).reshape(-1, 3) * SIZE_M
    begin, end = cut["begin"][:3].astype(np.float64), cut["end"][:3].astype(np.float64)
    way = end - begin
    share = np.clip((points - begin) @ way / max(way @ way, 1e-9), 0.0, 1.0)
    return np.linalg.norm(begin + share[:, None] * way - points, axis=1).min()


@pytest.mark.parametrize("atlas", ATLASES.values(), ids=ATLASES)
def test_a_bed_that_is_not_looked_at_does_not_reach_the_tile(atlas, monkeypatch):
    found = rivers(atlas)
    beds, tiles = river_beds(found, atlas), tiles_on(atlas, found)
    close, there, looked_at = module._close, [], []

    def some(beds, tile, part, *rest):
        there.append(beds.count[part].sum())
        index, of = close(beds, tile, part, *rest)
        looked_at.append(len(index))
        return index, of

    def every_one_near(beds, tile, part, *_):
        index = np.concatenate([beds.first[j] + np.arange(beds.count[j]) for j in part])
        return index, np.repeat(tile, beds.count[part])

    monkeypatch.setattr(module, "_close", some)
    quick = [cut.tobytes() for cut in cuts_in(beds, tiles, atlas, SIZE_M, TEXELS)]
    every = len(tiles) * len(beds.segments)
    assert len(tiles) < len(quick) <= sum(looked_at) < MOST_SEEN * every and sum(there) < MOST_NEAR * every
    monkeypatch.setattr(module, "_close", every_one_near)
    slow = cuts_in(beds, tiles, atlas, SIZE_M, TEXELS)
    known, every_one = set(quick), {cut.tobytes() for cut in slow}
    assert known <= every_one
    left_out = [cut for cut in slow if cut.tobytes() not in known]
    assert len(left_out) < 0.1 * len(slow)
    for cut in left_out:
        reach_m = max(cut["begin"][3] + cut["reach"][0], cut["end"][3] + cut["reach"][1])
        assert distance_m(cut, atlas) > reach_m


@pytest.mark.parametrize("atlas", ATLASES.values(), ids=ATLASES)
def test_parts_are_small_even_where_points_lie_closer_than_beds(atlas):
    found = rivers(atlas)
    wide = replace(found, half_m=np.full_like(found.half_m, 4_000.0))
    beds = river_beds(wide, atlas)
    assert len(beds.segments) < 0.8 * len(found.place)
    parts = 8 if atlas.spherical else 12
    assert (beds.within[3] < 2.0 / parts + 0.2).all()
    middles = beds.segments["ends"].mean(axis=1)
    of = np.repeat(np.arange(len(beds.first)), beds.count)
    assert (np.linalg.norm(middles - beds.within[:3].T[of], axis=1) < beds.within[3][of]).all()
