"""River beds: a tile is cut by every bed that reaches it, however few of them are looked at."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from support.river_lines import SIZE_M, TEXELS, rivers, tiles_on

from demo.geometry import bed_search
from demo.geometry.frame_kernels import compiled
from demo.geometry.river_beds import SEEN_FROM, RiverBeds, cuts_in, river_beds
from demo.worlds.atlas import ATLASES, Atlas

# Of all beds of a world no more than this share is in parts that reach a tile, and no more than that is looked at.
MOST_NEAR, MOST_SEEN = 0.02, 0.012


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


def all_near(beds: RiverBeds) -> RiverBeds:
    """As if every bed could reach every tile."""
    within, around = beds.within.copy(), beds.around.copy()
    within[3] = around[3] = 1e6
    return replace(beds, within=within, around=around)


@pytest.mark.parametrize("atlas", ATLASES.values(), ids=ATLASES)
def test_a_bed_that_is_not_looked_at_does_not_reach_the_tile(atlas):
    found = rivers(atlas)
    beds, tiles = river_beds(found, atlas), tiles_on(atlas, found)
    quick = [cut.tobytes() for cut in cuts_in(beds, tiles, atlas, SIZE_M, TEXELS)]
    slow = cuts_in(all_near(beds), tiles, atlas, SIZE_M, TEXELS)
    known, every_one = set(quick), {cut.tobytes() for cut in slow}
    assert known <= every_one and len(tiles) < len(quick) < 0.02 * len(tiles) * len(beds.segments)
    left_out = [cut for cut in slow if cut.tobytes() not in known]
    assert len(left_out) < 0.1 * len(slow)
    for cut in left_out:
        reach_m = max(cut["begin"][3] + cut["reach"][0], cut["end"][3] + cut["reach"][1])
        assert distance_m(cut, atlas) > reach_m


@pytest.mark.parametrize("atlas", ATLASES.values(), ids=ATLASES)
def test_few_beds_are_looked_at(atlas):
    """Of all beds of a world no more than a share is in parts that reach a tile, and no more than another may reach it."""
    found = rivers(atlas)
    beds, tiles = river_beds(found, atlas), tiles_on(atlas, found)
    face, u, v, edge = tiles["patch"].astype(np.float64).T
    middle = atlas.place(face.astype(np.intp), u, v)
    across = atlas.place(face.astype(np.intp), u + 0.5 * edge, v) - atlas.place(face.astype(np.intp), u - 0.5 * edge, v)
    radius, half_m = 1.44 * np.linalg.norm(across, axis=1), SEEN_FROM * atlas.edge * SIZE_M * edge / TEXELS
    in_parts = looked_at = 0
    for at, far, narrow in zip(middle, radius, half_m, strict=True):
        apart = np.linalg.norm(beds.within[:3].T - at, axis=1)
        in_parts += beds.count[(apart < beds.within[3] + far) & (beds.within[4] > narrow)].sum()
        apart = np.linalg.norm(beds.around[:3].T - at, axis=1)
        looked_at += ((apart < beds.around[3] + far) & (beds.around[4] > narrow)).sum()
    every = len(tiles) * len(beds.segments)
    assert 0 < looked_at < MOST_SEEN * every and looked_at < in_parts < MOST_NEAR * every


@pytest.mark.parametrize("atlas", ATLASES.values(), ids=ATLASES)
def test_a_cut_lies_where_its_bed_does_in_the_tile(atlas):
    """Against a projection of each bed onto its tile, worked out by least squares."""
    found = rivers(atlas, lines=12, points=20)
    beds, tiles = river_beds(found, atlas), tiles_on(atlas, found, 30)
    tiles["place"][:, :2] = np.arange(60.0).reshape(30, 2)
    cuts = cuts_in(beds, tiles, atlas, SIZE_M, TEXELS)
    by_ends = {segment["half_m"].tobytes() + segment["level_m"].tobytes(): segment for segment in beds.segments}
    assert len(cuts) > 60 and len(by_ends) == len(beds.segments)
    for cut in cuts[:200]:
        face, u, v, edge = cut["patch"].astype(np.float64)
        aside = 0.5 * edge * np.array([[0, 1, -1, 0, 0], [0, 0, 0, 1, -1]])
        middle, right, left, below, above = atlas.place(np.full(5, int(face)), u + aside[0], v + aside[1])
        axes = np.stack([right - left, below - above], axis=1) * SIZE_M / TEXELS
        levels = cut["depths"][:2]
        bed = by_ends[np.array([cut["begin"][3], cut["end"][3]], np.float32).tobytes() + levels.tobytes()]
        ends = (bed["ends"].astype(np.float64) - middle) * SIZE_M
        assert np.allclose([cut["begin"][:3], cut["end"][:3]], ends, rtol=1e-5, atol=0.02)
        assert np.array_equal(cut["reach"][:2], bed["reach_m"]) and np.array_equal(cut["bank"][:2], bed["bank"])
        assert cut["bank"][2] == bed["behind"]
        assert np.allclose(cut["reach"][2:], atlas.edge * SIZE_M * edge / TEXELS * np.array([1.0, 2.0]))
        at = np.linalg.lstsq(axes, ends.T, rcond=None)[0].T + 0.5 * TEXELS
        inside = np.clip(at, -1.0, TEXELS + 2.0) + cut["place"][:2] + 1.0
        low, high = np.sort(np.stack([inside.min(axis=0), inside.max(axis=0)]), axis=0)
        assert (cut["box"][:2] <= low + 1e-3).all() and (cut["box"][2:] >= high - 1e-3).all()
        # The box is within the tile and its rim.
        rim = np.concatenate([cut["place"][:2], cut["place"][:2] + TEXELS + 3.0])
        assert (cut["box"][:2] >= rim[:2] - 1e-3).all() and (cut["box"][2:] <= rim[2:] + 1e-3).all()


def test_there_is_room_for_any_number_of_cuts(monkeypatch):
    atlas = ATLASES["plane"]
    found = rivers(atlas)
    beds, tiles = river_beds(found, atlas), tiles_on(atlas, found)
    cuts = cuts_in(beds, tiles, atlas, SIZE_M, TEXELS)
    monkeypatch.setattr(bed_search, "USUAL", 3)
    assert cuts_in(beds, tiles, atlas, SIZE_M, TEXELS).tobytes() == cuts.tobytes() and len(cuts) > 3


def test_the_search_is_compiled_for_one_kind_of_arguments():
    """With another layout of an array the show would wait for the compiler between two frames."""
    for atlas in ATLASES.values():
        for found in (rivers(atlas), rivers(atlas, 0, 2)):
            tiles = tiles_on(atlas, rivers(atlas), 6)
            for some in (tiles, tiles[:1], tiles[::2], tiles[:0]):
                cuts_in(river_beds(found, atlas), some, atlas, SIZE_M, TEXELS)
    assert len(compiled(bed_search.search).signatures) == 1


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
