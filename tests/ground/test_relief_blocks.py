"""Relief blocks: the ground passes through what is known of it, and goes over into the surface of the samples."""

from __future__ import annotations

import numpy as np
import pytest

from demo.ground import gullies, relief_blocks
from demo.ground.detail import detail_of
from demo.ground.relief_blocks import CELLS, ReliefBlocks, numbered, risen, share_of, with_blocks
from demo.ground.smooth_surface import cubic
from demo.worlds.atlas import DOUBLE_CONE

SIZE_M, PARTS, LEVELS = 500_000.0, 4, 2
SAMPLES, STEPS = PARTS * CELLS + 1, 2**LEVELS
FACE = 1


def known(rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """Heights in metres at places in samples, of FACE."""
    return (900.0 * np.sin(0.9 * columns + 0.3 * rows) * np.cos(0.7 * rows) + 2000.0).astype(np.float32)


def made(chosen: list[tuple[int, int]]):
    """(detail with blocks, detail without, share) where blocks of FACE, by row and column, are known."""
    line = np.arange(SAMPLES, dtype=np.float64)
    heights = np.zeros((4, SAMPLES, SAMPLES), np.float32)
    heights[FACE] = known(line[:, None], line[None, :])
    plain = detail_of(DOUBLE_CONE, heights, SIZE_M, 5)
    blocks = np.array([(FACE, row, column) for row, column in chosen])
    number = numbered(blocks, PARTS, 4)
    share = share_of(number, SAMPLES)
    rises = []
    for face, row, column in blocks.tolist():
        at = np.arange((CELLS + 2) * STEPS + 1) / STEPS - 1.0
        y, x = (np.clip(at + k * CELLS, 0, SAMPLES - 1) for k in (row, column))
        rises.append(risen(plain, (face, row, column), known(y[:, None], x[None, :]), share))
    return with_blocks(plain, ReliefBlocks(number, np.stack(rises), SAMPLES), share), plain, share


@pytest.fixture(scope="module")
def whole():
    return made([(row, column) for row in range(PARTS) for column in range(PARTS)])


def surface(detail, rows, columns, levels=LEVELS) -> np.ndarray:
    """The samples' smooth surface and what rises above it, at places (k,) in samples."""
    face = np.full(len(rows), FACE)
    u, v = columns / (SAMPLES - 1), rows / (SAMPLES - 1)
    return cubic(detail.padded_m, face, columns, rows)[0] + detail.blocks.rise(face, u, v, levels)


def test_the_ground_passes_through_what_is_known(whole):
    detail, plain, share = whole
    inner = np.arange(CELLS * STEPS, (SAMPLES - 1 - CELLS) * STEPS + 1) / STEPS
    rows, columns = (x.ravel() for x in np.meshgrid(inner, inner, indexing="ij"))
    assert (share[FACE, CELLS:-CELLS, CELLS:-CELLS] == 1.0).all()
    apart = np.abs(surface(detail, rows, columns) - known(rows, columns))
    assert apart.max() < 0.5
    before = np.abs(cubic(plain.padded_m, np.full(len(rows), FACE), columns, rows)[0] - known(rows, columns))
    assert before.max() > 20.0


def test_fewer_levels_pass_through_fewer_places(whole):
    detail = whole[0]
    inner = np.arange(CELLS * 2, (SAMPLES - 1 - CELLS) * 2 + 1) / 2
    rows, columns = (x.ravel() for x in np.meshgrid(inner, inner, indexing="ij"))
    apart = np.abs(surface(detail, rows, columns, 1) - known(rows, columns))
    assert apart.max() < 0.5
    quarter = np.abs(surface(detail, rows + 0.25, columns, 1) - known(rows + 0.25, columns))
    assert quarter.max() > 5.0
    assert (detail.blocks.rise(np.full(2, FACE), np.full(2, 0.4), np.full(2, 0.4), 0) == 0.0).all()


@pytest.mark.parametrize("chosen", [[(1, 1), (1, 2), (2, 1), (2, 2)], [(0, 0), (0, 1), (1, 0), (1, 1)]])
def test_it_has_no_steps_and_ends_where_nothing_is_known(chosen):
    detail, _, share = made(chosen)
    cross = np.linspace(0.01, SAMPLES - 1.01, 301)
    for edge in np.arange(1, PARTS) * CELLS:
        for rows, columns in ((np.full(301, edge), cross), (cross, np.full(301, edge))):
            ahead = (surface(detail, rows + a, columns + b) for a, b in ((1e-6, 1e-6), (-1e-6, -1e-6)))
            assert np.abs(np.subtract(*ahead)).max() < 0.1
    corners = share[FACE, ::CELLS, ::CELLS]
    assert corners.max() == 1.0 and corners.sum() == 1.0
    assert (share[[0, 2, 3]] == 0.0).all()
    outside = detail.blocks.rise(np.array([FACE, 0]), np.array([0.9, 0.3]), np.array([0.9, 0.3]), LEVELS)
    assert (outside == 0.0).all()


def test_what_is_known_takes_the_place_of_the_first_octaves(whole):
    detail, plain, share = whole
    assert relief_blocks.GAIN == gullies.GAIN
    full = share == 1.0
    assert np.allclose(detail.rough_m[full], plain.rough_m[full] * gullies.GAIN**LEVELS, rtol=2e-3)
    assert np.array_equal(detail.rough_m[share == 0.0], plain.rough_m[share == 0.0])
    assert detail.margin_m >= detail.blocks.most_m > 0.0


def test_no_block_sinks_below_its_bound(whole):
    blocks = whole[0].blocks
    places = np.random.default_rng(1).uniform(0.0, 1.0, (2000, 2))
    face = np.full(2000, FACE)
    sunk = blocks.sunk_m(face, *places.T)
    # A cubic goes a little beyond its points.
    assert (blocks.rise(face, *places.T, LEVELS) >= -1.3 * sunk - 0.1).all() and sunk.max() > 1.0
    assert (blocks.sunk_m(np.zeros(5, int), *places[:5].T) == 0.0).all()
