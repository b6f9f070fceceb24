"""Detail below the samples: the noise, the picture of tiles against the same hash on the CPU, and the deep patches."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise, product
from pathlib import Path

import numpy as np
import pytest
import test_patch_tree

from demo.flight.camera import facing, frustum_planes
from demo.geometry.deep_tree import DeepTree
from demo.geometry.patch_tree import PatchTree
from demo.geometry.river_beds import RiverBeds, river_beds
from demo.ground import gullies
from demo.ground.detail import Detail, detail_of
from demo.ground.gradients import cubic_weights
from demo.ground.lattice_noise import simplex
from demo.ground.relief import GUTTER
from demo.ground.relief_blocks import CELLS as BLOCK
from demo.ground.relief_blocks import ReliefBlocks, numbered, risen, share_of, with_blocks
from demo.ground.rivers import Rivers
from demo.ground.smooth_surface import cubic, floor_of, held_up, lift_of
from demo.ground.warmth import Warmth
from demo.scenes.scenes import SCENES
from demo.show.palette_block import palette_uniforms
from demo.worlds.atlas import ATLASES

SIZE_M, TOP_M, CELLS = 400_000.0, 9_000.0, 48
ATLAS = pytest.mark.parametrize("atlas", ATLASES.values(), ids=ATLASES)
PATCH = 8
TEXELS_SHADER = str(Path(__file__).parents[1] / "support" / "shaders" / "texels.frag")


@cache
def hills(atlas) -> np.ndarray:
    at = atlas.positions(CELLS + 1) * 4.0
    shifts = np.random.default_rng(3).uniform(-9, 9, (6, 3))
    field = sum(np.sin((at * (1.9**k) + shift).sum(axis=-1)) * 0.6**k for k, shift in enumerate(shifts))
    return ((field / field.max()) * TOP_M).astype(np.float32)


@cache
def detail(atlas) -> Detail:
    return detail_of(atlas, hills(atlas), SIZE_M, 7)


@cache
def known_detail(atlas) -> Detail:
    """The detail with relief blocks over all of the last face, of arbitrary heights."""
    parts, samples = CELLS // BLOCK, CELLS + 1
    chosen = np.array([(atlas.faces - 1, row, column) for row in range(parts) for column in range(parts)])
    number = numbered(chosen, parts, atlas.faces)
    share = share_of(number, samples)
    side = (BLOCK + 2) * 4 + 1
    blocks = []
    for face, row, column in chosen.tolist():
        y, x = (np.clip((np.arange(side) / 4.0 - 1.0 + k * BLOCK), 0, CELLS) for k in (row, column))
        known = (
            hills(atlas)[face, y.astype(int)[:, None], x.astype(int)[None, :]] + 300.0 * np.sin(2.0 * x) * np.cos(y)[:, None]
        )
        blocks.append(risen(detail(atlas), (face, row, column), known.astype(np.float32), share))
    return with_blocks(detail(atlas), ReliefBlocks(number, np.stack(blocks), samples), share)


# --- the noise ---------------------------------------------------------------------------------------------------------


def test_noise_is_of_one_size_and_its_gradient_is_its_slope():
    at = np.random.default_rng(0).uniform(-500, 500, (20_000, 3))
    found, moved_found, other = np.empty((3, len(at), 4))
    simplex(at, np.uint64(99), found)
    value, gradient = found[:, 0], found[:, 1:]
    assert 0.28 < value.std() < 0.33 and np.abs(value).max() <= 1.0 and abs(value.mean()) < 0.01
    for axis in range(3):
        moved = at.copy()
        moved[..., axis] += 1e-6
        simplex(moved, np.uint64(99), moved_found)
        assert np.abs((moved_found[:, 0] - value) / 1e-6 - gradient[..., axis]).max() < 1e-3
    simplex(at, np.uint64(100), other)
    assert abs(np.corrcoef(value, other[:, 0])[0, 1]) < 0.02


@ATLAS
def test_detail_follows_its_seed_and_passes_near_the_samples(atlas):
    whole = detail(atlas)
    u, v = np.random.default_rng(1).uniform(0, 1, (2, 3000))
    found = whole.height(0, u, v)
    assert np.array_equal(found, whole.height(0, u, v))
    assert not np.array_equal(found, detail_of(atlas, hills(atlas), SIZE_M, 8).height(0, u, v))
    line = np.linspace(0.0, 1.0, CELLS + 1)
    assert np.allclose(whole.height(0, line[None, :], line[:, None], octaves=0), hills(atlas)[0], atol=1e-2)
    assert np.abs(found - whole.height(0, u, v, octaves=0)).max() < whole.margin_m


@pytest.mark.parametrize("name", ["latlong", "doublecone", "cube"])
def test_faces_meet(name):
    """Asked for on either side of a seam, the ground is equally high."""
    atlas = ATLASES[name]
    copies, owners = atlas.seams(CELLS + 1)
    (a, ja, ia), (b, jb, ib) = (np.unravel_index(k, hills(atlas).shape) for k in (copies, owners))
    one, other = (detail(atlas).height(face, i / CELLS, j / CELLS) for face, i, j in ((a, ia, ja), (b, ib, jb)))
    assert np.abs(one - other).max() < 0.05


@ATLAS
def test_octaves_fade(atlas):
    """From the second on, which cuts the first gullies, each octave adds less; and the deep sea stays as it is."""
    whole = detail(atlas)
    u, v = np.random.default_rng(2).uniform(0, 1, (2, 4000))
    steps = [whole.height(0, u, v, octaves=k) for k in range(whole.octaves + 1)]
    added = [np.abs(b - a).mean() for a, b in pairwise(steps)]
    assert all(b < 0.75 * a for a, b in pairwise(added[1:]))
    deep = steps[0] < -0.03 * TOP_M
    assert deep.any() and np.array_equal(steps[-1][deep], steps[0][deep])


def test_a_world_of_one_cell_or_none_of_land_has_detail_too():
    for atlas in ATLASES.values():
        for heights in (np.full((atlas.faces, 2, 2), -5.0), np.full((atlas.faces, 2, 2), 800.0)):
            flat = detail_of(atlas, heights.astype(np.float32), SIZE_M, 1)
            assert np.allclose(flat.height(0, np.linspace(0, 1, 9), 0.3), heights[0, 0, 0], atol=1e-3)


def test_the_smooth_surface_is_the_one_that_is_written_out():
    """Bit for bit, up to beyond the edges of faces: heights must not depend on who works them out."""
    chance = np.random.default_rng(5)
    padded = (1e3 * chance.normal(size=(4, 20 + 2 * GUTTER, 20 + 2 * GUTTER))).astype(np.float32)
    face, (x, y), last = chance.integers(0, 4, 3000), chance.uniform(-0.9, 19.9, (2, 3000)), 19
    x[:200], y[100:300] = np.floor(x[:200]), np.floor(y[100:300])
    i, j = (np.clip(np.floor(part).astype(int), -1, last) for part in (x, y))
    fx, fy = x - i, y - j
    wx, wy = cubic_weights(fx), cubic_weights(fy)
    around = [[padded[face, j + (GUTTER - 1 + b), i + (GUTTER - 1 + a)] for a in range(4)] for b in range(4)]
    total = sum(wy[b] * sum(wx[a] * around[b][a] for a in range(4)) for b in range(4))
    floor, room = np.zeros((2, len(x)))
    for b, a in product((0, 1), repeat=2):
        part = (fy if b else 1.0 - fy) * (fx if a else 1.0 - fx)
        low, spare = floor_of([around[b + k // 3][a + k % 3] for k in range(9)])
        floor += part * low
        room += part * spare
    lift = held_up(x, y, last) * lift_of(floor - total, room)
    found = cubic(padded, face, x, y)
    np.testing.assert_array_equal(found, (total + lift, lift))
    assert (lift > 0.0).any() and (lift == 0.0).any()


def test_a_floor_is_met_without_a_crease():
    """A straight slope that is held up at its foot bends evenly into the floor, and samples stay where they are."""
    room = np.full(4001, 5.0)
    down = np.linspace(40.0, -40.0, 4001)
    surface = down + lift_of(-down, room)
    slope = np.diff(surface) / np.diff(down)
    assert np.abs(np.diff(slope)).max() < 0.01 and (slope >= 0.0).all()
    assert surface[-1] == 0.0 and np.array_equal(surface[down >= 5.0], down[down >= 5.0])


# --- gullies -----------------------------------------------------------------------------------------------------------


def crest_of(v: np.ndarray) -> np.ndarray:
    return 0.5 + 0.06 * np.sin(7.0 * v)


@cache
def ridge() -> Detail:
    """A ridge that winds from v = 0 to v = 1 of a plane and falls off to both sides, with small hills."""
    u, v = np.meshgrid(*2 * [np.linspace(0.0, 1.0, 97)])
    hills = 5.0 * np.sin(55.0 * u) * np.sin(51.0 * v) + 8.0 * np.sin(190.0 * u)
    high = 3000.0 - 5500.0 * np.sqrt((u - crest_of(v)) ** 2 + 5e-5) + 500.0 * v + hills
    return detail_of(ATLASES["plane"], high[None].astype(np.float32), 12_000.0, 3)


def test_gullies_run_down_the_slope():
    """Where the detail has a hollow, it is much steeper across the slope of the samples than along it."""
    whole, step = ridge(), 2.0 / 12_000.0
    u, v = np.random.default_rng(5).uniform(0.05, 0.95, (2, 4000))
    u = u[aside := np.abs(u - crest_of(v)) > 0.08]
    v = v[aside]
    places = np.stack([u + step, u - step, u, u]), np.stack([v, v, v + step, v - step])
    added = whole.height(0, *places, octaves=3) - whole.height(0, *places, octaves=1)
    below = whole.height(0, *places, octaves=0)
    (ax, ay), (bx, by) = ((field[0] - field[1], field[2] - field[3]) for field in (added, below))
    along = (ax * bx + ay * by) / np.hypot(bx, by)
    across = (ax * by - ay * bx) / np.hypot(bx, by)
    assert np.abs(across).mean() > 1.6 * np.abs(along).mean()


def test_gullies_of_every_octave_run_within_30_degrees_of_downhill():
    """Measured at a gully's own scale: on its crest and in its bed the slope of a point alone says nothing of its way."""
    whole = ridge()
    u, v = np.random.default_rng(6).uniform(0.08, 0.92, (2, 700))
    u, v = (part[np.abs(u - crest_of(v)) > 0.1] for part in (u, v))
    for octave in (2, 3, 4):
        wide = whole.wavelength_m * 0.5 ** (octave - 1) / whole.size_m
        spread, slope = np.zeros((3, len(u))), np.zeros((2, len(u)))
        for du, dv in product(np.linspace(-0.6, 0.6, 7) * wide, repeat=2):
            below, above = (gradient_of(whole, u + du, v + dv, octaves, 0.03 * wide) for octaves in (octave, octave + 1))
            added = above - below
            spread += np.stack([added[0] ** 2, added[0] * added[1], added[1] ** 2])
            slope += below
        # The direction in which an octave changes most lies across its gullies (M. Kass and A. Witkin, 1987).
        across = 0.5 * np.arctan2(2.0 * spread[1], spread[0] - spread[2])
        off = np.abs(np.cos(across) * slope[0] + np.sin(across) * slope[1]) / np.hypot(*slope)
        there = spread[0] + spread[2] > np.percentile(spread[0] + spread[2], 30)
        assert (off < 0.5)[there].mean() > 0.9, octave


def gradient_of(detail: Detail, u: np.ndarray, v: np.ndarray, octaves: int, step: float) -> np.ndarray:
    """The slope of the ground with so many octaves, (2, k)."""
    sides = [(step, 0.0), (-step, 0.0), (0.0, step), (0.0, -step)]
    east, west, south, north = (detail.height(0, u + a, v + b, octaves) for a, b in sides)
    return np.stack([east - west, south - north])


def test_no_gully_crosses_a_ridge_of_the_samples():
    whole, v = ridge(), np.linspace(0.05, 0.95, 3000)
    # Where the samples' surface is highest across the ridge.
    u = crest_of(v) + np.linspace(-0.02, 0.02, 81)[:, None]
    u = u[whole.height(0, u, np.broadcast_to(v, u.shape), octaves=0).argmax(axis=0), np.arange(len(v))]
    step = 3.0 / 12_000.0
    value = whole.height_and_ridge(0, np.stack([u, u + step, u - step, u, u]), np.stack([v, v, v, v + step, v - step]))[1]
    # A hollow runs at right angles to the slope of its walls; the ridge runs along v, or nearly.
    crosses = np.abs(value[3] - value[4]) > np.tan(np.radians(60.0)) * np.abs(value[1] - value[2])
    assert ((value[0] < -0.5) & crosses).mean() < 0.01
    # On its flanks there are gullies.
    assert (whole.height_and_ridge(0, u + 0.1, v)[1] < -0.4).mean() > 0.05


def test_gentle_hills_have_gullies_of_their_own():
    """Where the samples hardly slope, the hills between them do: they are no smooth domes."""
    count, length = 3000, 400.0
    up = np.broadcast_to([0.0, 1.0, 0.0], (count, 3)).copy()
    lean = np.broadcast_to([0.03, 0.0, 0.0], (count, 3)).copy()
    at = np.random.default_rng(8).uniform(0.0, 40.0, (count, 3))
    metres, ridge = np.empty((2, count))
    around, strength = np.full(count, 0.03), np.full(count, 0.06 * length)
    gullies.octaves(at, up, lean, around, strength, length, 5, np.uint64(77), metres, ridge)
    assert (ridge < -0.3).mean() > 0.05 and (ridge > 0.3).mean() > 0.05


def test_level_ground_has_no_gullies():
    level = detail_of(ATLASES["plane"], np.full((1, 33, 33), 900.0, np.float32), 12_000.0, 3)
    height, value = level.height_and_ridge(0, np.linspace(0.0, 1.0, 50), 0.4)
    assert np.ptp(height) < 1e-6 and not value.any()


# --- the picture of tiles ----------------------------------------------------------------------------------------------


def read_back(unit: int, size: tuple[int, int]) -> np.ndarray:
    """The texels of the flat texture bound to a unit, `size` is (width, height): float32 (height, width, 4)."""
    from OpenGL import GL

    from demo.render.gl import gl_context
    from demo.render.gl.meshes import screen_triangle
    from demo.render.gl.programs import Program
    from demo.render.gl.targets import Target
    from demo.render.gl.textures import RGBA32F

    program, triangle = Program("screen.vert", TEXELS_SHADER), screen_triangle()
    target = Target(*size, RGBA32F, depth=False)
    target.begin()
    program.use(picture=unit)
    gl_context.drawing()
    triangle.draw(GL.GL_TRIANGLES, 3)
    found = target.read_floats()
    for thing in (program, triangle, target):
        thing.free()
    return found


@pytest.fixture(scope="module")
def workshop():
    """make(atlas, patches (k, 4), cover) -> heights (k, texels + 1, texels + 1, 2), slopes (..., 4), levels, ridges (..., 2)
    and what lies there (..., 4). `cover`: the four bytes of it everywhere. `whole`: the detail, unless it is the usual one.
    `beds`: of rivers.
    """
    from demo.hosts import offscreen

    with offscreen.context():
        from demo.geometry.tile_levels import tile_levels
        from demo.ground.relief import Relief
        from demo.render.block_textures import BlockTextures
        from demo.render.gl.textures import ARRAY, RGBA8, RGBA_HALVES, Texture
        from demo.render.height_textures import HeightTextures, Land
        from demo.render.shared_textures import noise_texture
        from demo.render.tile_materials import TileMaterials
        from demo.render.tiles import TILE, Tiles

        tiles = Tiles(PATCH, 22)
        scene, noise = SCENES["plasma"], noise_texture()
        palette = palette_uniforms(scene.palettes[0], scene, (0.0, 1.0), Warmth(20.0, (0.0, 0.0), 0.0))
        made = [noise]

        def make(atlas, patches, cover=(128, 0, 85, 128), whole=None, beds=None):
            whole = whole or detail(atlas)
            shown = HeightTextures(
                Relief(
                    whole.padded_m,
                    np.zeros((*whole.padded_m.shape, 4), np.int16),
                    np.zeros((atlas.faces, 1, 1, 4), np.uint8),
                )
            )
            rough = Texture(ARRAY, RGBA_HALVES, whole.rough_m.shape, linear=False)
            covered = Texture(ARRAY, RGBA8, (atlas.faces, 8, 8))
            covered.upload(np.full((atlas.faces, 8, 8, 4), cover, np.uint8))
            made.extend([shown, rough, covered])
            rough.upload(np.concatenate([whole.lean, whole.rough_m[..., None]], axis=-1))
            wanted = np.zeros(len(patches), TILE)
            wanted["patch"] = patches
            tiles.forget(atlas.code)
            slots, missing = tiles.slots(atlas.code, wanted)
            assert len(missing) == len(patches)
            wanted["place"][:, :2] = slots
            materials, land = TileMaterials(palette, noise, TOP_M), Land(shown, shown, TOP_M, 1.0, covered)
            blocks = BlockTextures(whole.blocks) if whole.blocks else None
            made.extend([blocks] if blocks else [])
            tiles.make(atlas, whole, tile_levels(whole, tiles.texels), wanted, land, rough, materials, beds, blocks)
            heights, slopes = tiles.pictures
            textures = heights.colours[0], slopes.colours[0], heights.colours[1], slopes.colours[1]
            pictures = [read_back(texture.bind(), tiles.size) for texture in textures]
            inner = slice(1, tiles.texels + 2)
            cut = [[picture[int(y) :, int(x) :][inner, inner] for x, y in slots] for picture in pictures]
            heights, slopes, ridges, lies = (np.stack(part) for part in cut)
            return heights[..., :2], slopes, tile_levels(whole, tiles.texels), 2.0 * ridges[..., :2] - 1.0, lies

        yield make
        for thing in (tiles, *made):
            thing.free()


def patches_of(atlas, levels):
    draw = np.random.default_rng(4)
    found = []
    for level in (levels.first, levels.first + 1, levels.first + 4, levels.last):
        for _ in range(3):
            i, j = draw.integers(0, 2**level, 2)
            found.append((draw.integers(atlas.faces), (i + 0.5) / 2**level, (j + 0.5) / 2**level, 0.5**level))
    # A corner of a face.
    found.append((0, 0.5 ** (levels.last + 1), 0.5 ** (levels.last + 1), 0.5**levels.last))
    return np.array(found, np.float32)


@ATLAS
def test_the_picture_of_tiles_is_the_detail_of_the_cpu(workshop, atlas):
    from demo.geometry.tile_levels import tile_levels
    from demo.render.tiles import TEXELS_A_CELL

    levels = tile_levels(detail(atlas), PATCH * TEXELS_A_CELL)
    patches = patches_of(atlas, levels)
    heights, _, levels, ridges, _ = workshop(atlas, patches)
    line = np.linspace(-0.5, 0.5, heights.shape[1])
    for patch, found, ridge in zip(patches.astype(np.float64), heights, ridges, strict=True):
        u, v = np.meshgrid(patch[1] + line * patch[3], patch[2] + line * patch[3])
        level = round(-np.log2(patch[3]))
        octaves = levels.octaves_of(level)
        assert 1 <= octaves <= detail(atlas).octaves
        wanted, crests = detail(atlas).height_and_ridge(int(patch[0]), u, v, octaves)
        assert np.abs(found[..., 0] - wanted).max() < 0.5, (atlas.name, level)
        # Eight bits.
        assert np.abs(ridge[..., 0] - crests).max() < 0.02, (atlas.name, level)
        if level > levels.first:
            coarser = detail(atlas).height(int(patch[0]), u, v, octaves - 1)
            assert np.abs(found[..., 1] - coarser).max() < 0.5, (atlas.name, level)


@ATLAS
def test_tiles_have_the_relief_blocks_of_the_cpu(workshop, atlas):
    from demo.geometry.tile_levels import tile_levels
    from demo.render.tiles import TEXELS_A_CELL

    known = known_detail(atlas)
    levels = tile_levels(known, PATCH * TEXELS_A_CELL)
    patches = patches_of(atlas, levels)
    # One in a block, for those that chance has put beside all.
    size = 0.5**levels.last
    patches = np.vstack([patches, [(atlas.faces - 1, *(np.floor(0.45 / size) + 0.5,) * 2 * np.array(size), size)]])
    heights, _, levels, _, _ = workshop(atlas, patches.astype(np.float32), whole=known)
    line, rises = np.linspace(-0.5, 0.5, heights.shape[1]), []
    for patch, found in zip(patches.astype(np.float32).astype(np.float64), heights, strict=True):
        u, v = np.meshgrid(patch[1] + line * patch[3], patch[2] + line * patch[3])
        level = round(-np.log2(patch[3]))
        octaves = levels.octaves_of(level)
        assert np.abs(found[..., 0] - known.height(int(patch[0]), u, v, octaves)).max() < 0.7, (atlas.name, level)
        if level > levels.first:
            coarser = np.abs(found[..., 1] - known.height(int(patch[0]), u, v, octaves - 1))
            assert np.median(coarser) < 0.7, (atlas.name, level)
        rises.append(np.abs(found[..., 0] - detail(atlas).height(int(patch[0]), u, v, octaves)).max())
    assert max(rises) > 50.0


def test_slopes_are_those_of_the_heights_and_of_what_lies_there(workshop):
    atlas = ATLASES["plane"]
    size = 0.5**6
    j, i = np.unravel_index(np.argmax(hills(atlas)[0]), hills(atlas)[0].shape)
    u, v = (min(np.floor(k / CELLS / size), 63) * size + 0.5 * size for k in (i, j))
    # Bare and dry; of trees a texel sees nothing yet.
    heights, slopes, *_ = workshop(atlas, np.array([(0, u, v, size)], np.float32), (0, 0, 85, 128))
    land = np.maximum(heights[0, ..., 0].astype(np.float64), 0.0)
    step = 2.0 * size * SIZE_M / (land.shape[0] - 1)
    # Of the plane's frame the first vector is x, the second -z.
    along, down = (land[1:-1, 2:] - land[1:-1, :-2]) / step, (land[2:, 1:-1] - land[:-2, 1:-1]) / step
    assert land.max() > 50.0
    assert np.abs(slopes[0, 1:-1, 1:-1, 0] + along).max() < 2e-3
    assert np.abs(np.abs(slopes[0, 1:-1, 1:-1, 1]) - np.abs(down)).max() < 2e-3


def finest(atlas, levels):
    """The four finest patches around the middle of one coarser patch, (4, 4)."""
    size = 0.5**levels.last
    first = np.floor(0.37 / size) * size
    return np.array(
        [(0, first + (i + 0.5) * size, first + (j + 0.5) * size, size) for j in (0, 1) for i in (0, 1)], np.float32
    )


def test_woods_have_crowns_and_dry_ground_has_none(workshop):
    from demo.geometry.tile_levels import tile_levels
    from demo.render.tiles import TEXELS_A_CELL

    atlas = ATLASES["cube"]
    patches = finest(atlas, tile_levels(detail(atlas), PATCH * TEXELS_A_CELL))
    _, wet, *_, woods = workshop(atlas, patches, (250, 0, 85, 128))
    _, dry, *_, bare = workshop(atlas, patches, (10, 0, 85, 128))
    grown, inside = woods[..., 0] > 0.6, bare[..., 0] > 0.5
    assert grown.mean() > 0.1 and not inside.any()
    crowns = np.abs(wet - dry)[..., :2].max(axis=-1)
    assert np.median(crowns[grown]) > 3.0 * np.median(crowns[woods[..., 0] < 0.4])


def test_where_woods_lack_water_trees_stand_apart(workshop):
    from demo.geometry.tile_levels import tile_levels
    from demo.render.tiles import TEXELS_A_CELL

    atlas = ATLASES["cube"]
    patches = finest(atlas, tile_levels(detail(atlas), PATCH * TEXELS_A_CELL))

    def inside(moisture: int) -> np.ndarray:
        *_, lies = workshop(atlas, patches, (moisture, 0, 85, 128))
        return lies[..., 0] > 0.5

    def edges(grown: np.ndarray) -> float:
        """The part of texels with trees that lie beside one without."""
        within = grown[:, 1:-1, 1:-1]
        around = grown[:, :-2, 1:-1] & grown[:, 2:, 1:-1] & grown[:, 1:-1, :-2] & grown[:, 1:-1, 2:]
        return 1.0 - (within & around).sum() / within.sum()

    desert, steppe, wet = (inside(moisture) for moisture in (10, 40, 250))
    assert not desert.any()
    assert 0.001 < steppe.mean() < 0.3 * wet.mean()
    assert edges(steppe) > 2.0 * edges(wet)


def river_in(atlas, half_m: float, level_m: float, high_m: float) -> RiverBeds:
    """The bed of a straight river through the middle of a face, in level land."""
    count = 600
    place = atlas.place(np.zeros(count, int), np.linspace(0.45, 0.55, count), np.full(count, 0.5))
    each = {
        name: np.ones(count, np.float32) for name in Rivers.__dataclass_fields__ if name not in ("place", "first", "size_m")
    }
    each |= {"half_m": half_m * each["half_m"], "level_m": level_m * each["half_m"]}
    each |= {"gap_m": (high_m - level_m) * each["shown"], "bank": 0.4 * each["shown"], "depth_m": 5.0 * each["shown"]}
    return river_beds(Rivers(place=place, first=np.array([0, count]), size_m=SIZE_M, **each), atlas)


@ATLAS
def test_walls_of_valleys_have_spurs_that_go_on_from_tile_to_tile(workshop, atlas):
    half, level, high = 60.0, 700.0, 900.0
    plateau = detail_of(atlas, np.full((atlas.faces, CELLS + 1, CELLS + 1), high, np.float32), SIZE_M, 7)
    size = 0.5**9
    patches = np.array([(0, 0.5 + (i - 0.5) * size, 0.5 + (j - 0.5) * size, size) for j in (0, 1) for i in (0, 1)])
    heights, *_ = workshop(atlas, patches.astype(np.float32), whole=plateau, beds=river_in(atlas, half, level, high))
    above = heights[..., 0].astype(np.float64)
    # Beside each other, and above each other; their edges are shared.
    across = np.abs(above[[0, 2]][:, :, -1] - above[[1, 3]][:, :, 0])
    down = np.abs(above[[0, 1]][:, -1] - above[[2, 3]][:, 0])
    assert max(across.max(), down.max()) < 0.25
    assert above.min() < level and above.max() == pytest.approx(high, abs=0.1)
    # Rows are as far from the river all along.
    wall = above[2][1:]
    between = (wall.mean(axis=1) > level + 30.0) & (wall.mean(axis=1) < high - 30.0)
    assert between.sum() >= 2 and wall[between].std(axis=1).max() > 15.0


def river_with_a_fall(atlas, half_m: float, levels_m: tuple[float, float], high_m: float) -> RiverBeds:
    """The bed of a winding river with a fall amid a face, in level land."""
    count, step_m = 200, 50.0
    turned = np.radians(50.0) * np.sin(np.arange(count) / 2.5)
    along, aside = (np.cumsum(step_m * turn(turned)) for turn in (np.cos, np.sin))
    along, aside = along - along[count // 2], aside - aside[count // 2]
    place = atlas.place(np.zeros(count, int), 0.5 + along / SIZE_M / atlas.edge, 0.5 + aside / SIZE_M / atlas.edge)
    one = np.ones(count, np.float32)
    each = {name: one for name in Rivers.__dataclass_fields__ if name not in ("place", "first", "size_m")}
    level = np.where(np.arange(count) <= count // 2, *levels_m).astype(np.float32)
    each |= {"half_m": half_m * one, "level_m": level, "gap_m": high_m - level, "bank": 0.4 * one}
    return river_beds(Rivers(place=place, first=np.array([0, count]), size_m=SIZE_M, **each), atlas)


@ATLAS
def test_the_head_of_a_gorge_has_no_teeth(workshop, atlas):
    half, levels, high = 60.0, (899.0, 780.0), 900.0
    plateau = detail_of(atlas, np.full((atlas.faces, CELLS + 1, CELLS + 1), high, np.float32), SIZE_M, 7)
    size = 0.5**9
    patch = np.array([(0, 0.5, 0.5, size)], np.float32)
    heights, *_ = workshop(atlas, patch, whole=plateau, beds=river_with_a_fall(atlas, half, levels, high))
    ground = heights[0, ..., 0].astype(np.float64)
    middle = ground.shape[0] // 2
    # The lip stands, and the water has its bed below it.
    assert ground[middle, : middle - 2].min() > levels[0] - 8.0
    assert (ground < levels[1] + 5.0).any()
    # Where the gorge begins in each row that it cuts, from the fall outwards on either side.
    cut = ground < high - 20.0
    begins = np.where(cut.any(axis=1), cut.argmax(axis=1), -1)
    for rows in (begins[middle::-1], begins[middle:]):
        seen = rows[: np.append(rows < 0, True).argmax()]
        assert len(seen) >= 4
        back = np.abs(np.diff(seen[:-2])).sum() - np.ptp(seen[:-2])
        assert back <= 2, "it recedes and comes forward again"


def test_tiles_do_not_depend_on_what_is_made_with_them(workshop):
    from demo.geometry.tile_levels import tile_levels
    from demo.render.tiles import TEXELS_A_CELL

    atlas = ATLASES["cube"]
    patches = finest(atlas, tile_levels(detail(atlas), PATCH * TEXELS_A_CELL))
    together = workshop(atlas, patches, (200, 40, 85, 128))
    for which in (3, 1):
        alone = workshop(atlas, patches[which : which + 1], (200, 40, 85, 128))
        for k in (0, 1, 3, 4):
            assert np.array_equal(alone[k][0], together[k][which])


def test_tiles_are_kept_and_the_oldest_give_way():
    from demo.hosts import offscreen

    with offscreen.context():
        from demo.render.tiles import TILE, Tiles

        tiles = Tiles(PATCH, 22)
        patches = np.zeros(tiles.capacity, TILE)
        # Some of each of three levels.
        number = np.arange(tiles.capacity)
        edge = 0.5 ** (4.0 + number % 3)
        columns = number // 3 % 6, (number // 18 % 4 + 0.5) * edge, (number // 72 + 0.5) * edge, edge
        patches["patch"] = np.stack(columns, axis=1)
        first, missing = tiles.slots(1, patches)
        assert len(missing) == tiles.capacity == len(np.unique(first, axis=0))
        again, missing = tiles.slots(1, patches[10:])
        assert not len(missing) and np.array_equal(again, first[10:])
        _, missing = tiles.slots(2, patches[:10])
        assert len(missing) == 10
        assert not len(tiles.slots(1, patches[10:])[1])
        tiles.forget(1)
        assert len(tiles.slots(1, patches[10:])[1]) == tiles.capacity - 10
        tiles.free()


# --- deep patches ------------------------------------------------------------------------------------------------------


def trees(atlas, last=12):
    tree = PatchTree(atlas, hills(atlas), PATCH, SIZE_M)
    return tree, DeepTree(tree, detail(atlas), last)


def eye_above(atlas, face, u, v, height_m):
    at = atlas.place(face, u, v) * SIZE_M
    ground = max(float(detail(atlas).height(face, u, v)), 0.0)
    up = at / SIZE_M if atlas.spherical else np.array([0.0, 1.0, 0.0])
    return at + up * (ground + height_m), up, ground


@ATLAS
def test_deep_patches_cover_what_they_replace(atlas):
    tree, deep = trees(atlas)
    for u, v, height in ((0.31, 0.42, 200.0), (0.7, 0.2, 5_000.0), (0.5, 0.5, 60.0), (0.45, 0.9, 60_000.0)):
        eye, up, ground = eye_above(atlas, 0, u, v, height)
        drop = -up * ground
        before = tree.walk(eye, np.zeros((0, 4)), drop, True, horizon=False)
        after = deep.refine(before, eye, np.zeros((0, 4)), drop, horizon=False)
        sizes = after["patch"][:, 3].astype(float)
        assert (sizes**2).sum() == pytest.approx((before["patch"][:, 3].astype(float) ** 2).sum(), rel=1e-12)
        assert len(np.unique(after["patch"], axis=0)) == len(after)
        # Neighbours' sizes: a patch's range reaches beyond what its own splitting leaves over.
        away = np.linalg.norm(after["anchor"][:, :3] - drop, axis=1)
        if height < 1_000.0:
            assert sizes.min() == 0.5**12
            assert sizes[np.argmin(away)] == 0.5**12
        wanted = atlas.place(after["patch"][:, 0].astype(int), *after["patch"][:, 1:3].T.astype(float)) * SIZE_M - eye
        assert np.abs(after["anchor"][:, :3] - wanted).max() < 0.05


@ATLAS
def test_deep_patches_share_every_segment_of_their_rims(atlas, monkeypatch):
    text = test_patch_tree.SHADER.read_text(encoding="utf-8")
    found = re.search(r"#else\n.*away / a_anchor\.w - ([\d.]+)\) / ([\d.]+), 0\.0, 1\.0", text)
    monkeypatch.setattr(test_patch_tree, "morph_numbers", lambda: (float(found[1]), float(found[2])))
    monkeypatch.setattr(test_patch_tree, "SIZE_M", SIZE_M)
    tree, deep = trees(atlas, 9)
    for u, v, height in ((0.31, 0.42, 200.0), (0.5, 0.5, 2_000.0), (0.02, 0.97, 500.0), (0.45, 0.5, 30_000.0)):
        eye, up, ground = eye_above(atlas, 0, u, v, height)
        drop = -up * ground
        patches = deep.refine(test_patch_tree.everything(tree, eye, drop), eye, np.zeros((0, 4)), drop, horizon=False)
        alone = test_patch_tree.without_a_twin(test_patch_tree.morphed_rims(tree, patches, PATCH, eye + drop))
        alone = alone if atlas.spherical else alone[~test_patch_tree.on_the_border(alone)]
        assert not len(alone), f"{len(alone)} segments have no twin at {u}, {v}, {height}"


@ATLAS
def test_deep_culling_drops_nothing_that_is_seen(atlas):
    draw = np.random.default_rng(8)
    tree, deep = trees(atlas)
    _, whole = trees(atlas)
    line = np.linspace(-0.5, 0.5, 9)
    for _ in range(6):
        eye, up, ground = eye_above(atlas, 0, *draw.uniform(0.2, 0.8, 2), draw.uniform(50.0, 900.0))
        side = np.cross(up, draw.normal(size=3))
        pose = facing(eye, side / np.linalg.norm(side) - 0.2 * up, up, np.radians(50.0))
        planes, drop = frustum_planes(pose, 1.6), -up * ground
        walked = tree.walk(eye, np.zeros((0, 4)), drop, True, horizon=False)
        kept = {tuple(row) for row in deep.refine(walked, eye, planes, drop)["patch"].tolist()}
        everything = whole.refine(walked, eye, np.zeros((0, 4)), drop, horizon=False)["patch"].tolist()
        face, u, v, size = (
            np.array([row for row in everything if tuple(row) not in kept]).reshape(-1, 4, 1, 1).swapaxes(0, 1)
        )
        du, dv = u + line * size, v + line[:, None] * size
        height = np.maximum(detail(atlas).height(face.astype(int), du, dv), 0.0)
        points = atlas.place(face.astype(int), du, dv, height / SIZE_M) * SIZE_M - eye
        inside = (points @ planes[:, :3].T + planes[:, 3] > 0.5).all(axis=-1)
        if atlas.spherical:
            # Not behind the sphere of the sea.
            ray = points / np.linalg.norm(points, axis=-1, keepdims=True)
            along = -(ray @ eye)
            inside &= (eye @ eye - along**2 >= SIZE_M**2) | (along > np.linalg.norm(points, axis=-1))
        assert not inside.any(), (atlas.name, size[inside.any(axis=(1, 2))].ravel())


# --- the surface through the samples ------------------------------------------------------------------------------------


def test_the_floor_of_a_valley_between_mountains_has_no_potholes():
    """A Catmull-Rom surface falls an eighth of the mountains' height below a floor of two samples, and less along others."""
    heights = np.full((1, 33, 33), 3000.0, np.float32)
    heights[0, 16:18] = 200.0
    heights[0, :17, 8] = 200.0
    whole = detail_of(ATLASES["plane"], heights, 60_000.0, 3)
    along, across = np.meshgrid(np.linspace(2.0, 30.0, 500) / 32.0, np.linspace(16.0, 17.0, 21) / 32.0)
    floor = whole.height(0, along, across, octaves=0)
    assert floor.min() > 200.0 - 0.031 * 2800.0
    # The samples stay where they are, and summits are as round as ever.
    line = np.arange(1, 32) / 32.0
    u, v = np.meshgrid(line, line)
    assert np.abs(whole.height(0, u, v, octaves=0) - heights[0, 1:-1, 1:-1]).max() < 1e-3
    assert whole.height(0, along, 25.5 / 32.0, octaves=0).max() > 3000.0 - 1e-3


@pytest.mark.parametrize("atlas", ["cube", "doublecone"])
def test_the_surface_has_no_steps_where_it_is_held_up(atlas):
    """Two points a millionth of a cell apart on two sides of a cell's edge are as high."""
    n = 17
    place = ATLASES[atlas].positions(n)
    heights = (2000.0 * np.sign(np.sin(40.0 * place[..., 0]) * np.sin(37.0 * place[..., 1]))).astype(np.float32)
    whole = detail_of(ATLASES[atlas], heights, 500_000.0, 3)
    draws = np.random.default_rng(4)
    line, edge = draws.uniform(0.0, 1.0, 4000), draws.integers(0, n, 4000) / (n - 1)
    step = 1e-7
    for face in range(ATLASES[atlas].faces):
        for first, second in (((edge - step, line), (edge + step, line)), ((line, edge - step), (line, edge + step))):
            inside = [np.clip(np.stack(points), 0.0, 1.0) for points in (first, second)]
            apart = whole.height(face, *inside[0], octaves=0) - whole.height(face, *inside[1], octaves=0)
            assert np.abs(apart).max() < 0.1
