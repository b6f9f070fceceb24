"""The patch walk: each point is covered once, no cracks open, bounds hold, and nothing in view is left out."""

import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from demo.flight.camera import facing, frustum_planes
from demo.geometry.deep_tree import DeepTree
from demo.geometry.frame_kernels import compiled
from demo.geometry.patch_meshes import patch_mesh
from demo.geometry.patch_tree import PatchTree, _nodes, height_bounds
from demo.geometry.patch_walk import select
from demo.ground.detail import detail_of
from demo.worlds.atlas import ATLASES
from demo.worlds.heightfield import sample

SHADER = Path(__file__).parents[2] / "assets" / "shaders" / "surface.vert"
SIZE_M, RELIEF_M = 400_000.0, 11_000.0
NO_PLANES = np.zeros((0, 4))
ATLAS = pytest.mark.parametrize("atlas", ATLASES.values(), ids=ATLASES)
# Altitudes from the ground to far away, in sizes of the world.
ALTITUDES = (1e-5, 2e-4, 3e-3, 0.03, 0.1, 0.3, 1.0, 3.0)


def hills(atlas, n, seed=1):
    """Heights in metres above and below the sea, float32 (faces, n, n), equal where faces meet."""
    at = atlas.positions(n) * 3.0
    shifts = np.random.default_rng(seed).uniform(-9, 9, (4, 3))
    field = sum(np.sin((at * (2.0**k) + shift).sum(axis=-1)) * 0.5**k for k, shift in enumerate(shifts))
    return (field / np.abs(field).max() * RELIEF_M).astype(np.float32)


_trees = {}


def tree_of(atlas, cells=256, patch=8):
    key = atlas.name, cells, patch
    if key not in _trees:
        heights = hills(atlas, cells + 1)
        _trees[key] = PatchTree(atlas, heights, patch, SIZE_M), heights
    return _trees[key]


def eyes(atlas, count=24):
    """Eyes (count, 3) in metres all around, at all altitudes; over a terrain also beside it."""
    rng = np.random.default_rng(5)
    out = []
    for k in range(count):
        altitude = ALTITUDES[k % len(ALTITUDES)] * SIZE_M
        if atlas.spherical:
            direction = rng.normal(size=3)
            # Some at poles and edges of faces, where the meshes are not even.
            direction = direction if k % 3 else np.round(direction)
            direction = direction if direction.any() else np.array([0.0, 1.0, 0.0])
            out.append(direction / np.linalg.norm(direction) * (SIZE_M + altitude))
        else:
            out.append([*(rng.uniform(-0.8, 0.8, 2) * SIZE_M), altitude])
            out[-1] = [out[-1][0], out[-1][2], out[-1][1]]
    return np.array(out)


def drop_of(atlas, eye, ground=3000.0):
    up = eye / np.linalg.norm(eye) if atlas.spherical else np.array([0.0, 1.0, 0.0])
    return -up * ground


def everything(tree, eye, drop=None):
    """The chosen patches when nothing is culled: no planes, and a horizon that hides nothing."""
    drop = np.zeros(3) if drop is None else drop
    return tree.walk(eye, NO_PLANES, drop, True, horizon=False)


def level_of(patches):
    return np.round(-np.log2(patches["patch"][:, 3])).astype(int)


# --- covered once ------------------------------------------------------------------------------------------------------


@ATLAS
@pytest.mark.parametrize("cells, patch", [(256, 8), (250, 16), (64, 16), (7, 8), (1, 8)])
def test_every_point_is_covered_exactly_once(atlas, cells, patch):
    tree, _ = tree_of(atlas, cells, patch)
    finest = 2 ** (len(tree.levels) - 1)
    for eye in eyes(atlas):
        count = np.zeros((atlas.faces, finest, finest), int)
        for face, u, v, size in everything(tree, eye, drop_of(atlas, eye))["patch"]:
            box = [round((c - size / 2) * finest) for c in (v, u)]
            side = round(size * finest)
            count[int(face), box[0] : box[0] + side, box[1] : box[1] + side] += 1
        assert (count == 1).all()


@ATLAS
def test_near_is_finer_than_far(atlas):
    tree, _ = tree_of(atlas)
    for eye in eyes(atlas):
        patches = everything(tree, eye)
        away = np.linalg.norm(patches["anchor"][:, :3].astype(float), axis=1)
        level = level_of(patches)
        assert level[0] == level.max()
        assert (np.diff(away) >= -1e-5 * away[:-1]).all(), "what is near must be drawn first"


@ATLAS
def test_anchors_are_taken_from_the_eye_in_double_precision(atlas):
    tree, _ = tree_of(atlas)
    for eye in eyes(atlas):
        patches = everything(tree, eye)
        face, u, v = patches["patch"][:, 0].astype(int), patches["patch"][:, 1], patches["patch"][:, 2]
        wanted = atlas.place(face, u.astype(float), v.astype(float)) * SIZE_M - eye
        error = np.linalg.norm(patches["anchor"][:, :3] - wanted, axis=1)
        assert (error <= 1e-7 * np.linalg.norm(wanted, axis=1) + 1e-6).all()


# --- no cracks ---------------------------------------------------------------------------------------------------------


def morph_numbers():
    """Where morphing begins and how far it reaches, in ranges, as the vertex shader has it."""
    text = SHADER.read_text(encoding="utf-8")
    assert "a_cell + sign(0.5 * u_patch - a_cell) * fract(a_cell * 0.5) * 2.0 * morph" in text, "as in morphed_rims"
    found = re.search(r"away / a_anchor\.w - ([\d.]+)\) / ([\d.]+), 0\.0, 1\.0", text)
    return float(found[1]), float(found[2])


def rim(patch):
    """Cells (4, patch + 1, 2) along the four edges of a patch."""
    line = np.arange(patch + 1.0)
    zero, full = np.zeros(patch + 1), np.full(patch + 1, float(patch))
    return np.stack([np.stack(edge, axis=1) for edge in ((line, zero), (line, full), (zero, line), (full, line))])


def morphed_rims(tree, patches, patch, eye):
    """Unit positions (patches, 4, patch + 1, 3) of the rims' vertices, as the vertex shader morphs them.

    `eye` is that from which detail is chosen. In double precision throughout, so that equal vertices are nearly bit-equal.
    """
    start, reach = morph_numbers()
    face = patches["patch"][:, 0].astype(int)[:, None, None]
    anchor = patches["patch"][:, None, None, 1:3].astype(float)
    size = patches["patch"][:, None, None, 3].astype(float)
    cell = rim(patch)[None]

    def place(at):
        uv = anchor + (at / patch - 0.5) * size[..., None]
        return tree.atlas.place(face, uv[..., 0], uv[..., 1])

    away = np.linalg.norm(place(cell) * SIZE_M - eye, axis=-1)
    morph = np.clip((away / patches["anchor"][:, None, None, 3] - start) / reach, 0.0, 1.0)
    return place(cell + np.sign(0.5 * patch - cell) * np.mod(cell, 2.0) * morph[..., None])


def without_a_twin(rims):
    """The segments (k, 2, 3) of rims that are not drawn exactly twice, without those of no length."""
    points = np.round(rims * 1e7 + 0.123).astype(np.int64)
    pairs = np.stack([points[:, :, :-1], points[:, :, 1:]], axis=-2).reshape(-1, 2, 3)
    pairs = pairs[(pairs[:, 0] != pairs[:, 1]).any(axis=1)]
    # One number per segment, the same from either end: sums and products of hashes of its ends, modulo 2^64.
    ends = (pairs.astype(np.uint64) * np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9], np.uint64)).sum(
        axis=2
    )
    ends ^= ends >> np.uint64(29)
    ends *= np.uint64(0xBF58476D1CE4E5B9)
    _, first, count = np.unique(ends[:, 0] + ends[:, 1] + ends[:, 0] * ends[:, 1], return_index=True, return_counts=True)
    return pairs[first[count != 2]]


def on_the_border(segments):
    """Which of the segments (k, 2, 3) lie on the rim of a terrain's square."""
    return (np.abs(np.abs(segments[..., [0, 2]]) - 0.5e7) < 2).all(axis=1).any(axis=1)


@ATLAS
@pytest.mark.parametrize("ground", [0.0, 4000.0])
def test_neighbours_share_every_segment_of_their_rims(atlas, ground):
    """What a patch draws along an edge its neighbour draws too, even across faces: so no crack can open."""
    tree, _ = tree_of(atlas)
    levels = set()
    for eye in eyes(atlas):
        drop = drop_of(atlas, eye, ground)
        patches = everything(tree, eye, drop)
        levels |= set(level_of(patches).tolist())
        alone = without_a_twin(morphed_rims(tree, patches, 8, eye + drop))
        if not atlas.spherical:
            assert on_the_border(alone).any()
            alone = alone[~on_the_border(alone)]
        assert not len(alone), f"{len(alone)} segments have no twin, from {eye / SIZE_M}"
    assert len(levels) >= 4


def test_the_patch_is_triangles_that_turn_the_same_way():
    for patch in (2, 8, 16, 64):
        cells, corners = patch_mesh(patch)
        assert len(cells) == (patch + 1) ** 2 == len(np.unique(cells, axis=0)) and corners.dtype == np.uint16
        assert corners.shape == (2 * patch**2, 3) and len(np.unique(np.sort(corners, axis=1), axis=0)) == len(corners)
        a, b = (cells[corners[:, k]] - cells[corners[:, 0]] for k in (1, 2))
        assert np.all(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0] == -1.0)


# --- bounds ------------------------------------------------------------------------------------------------------------


@given(st.integers(1, 70), st.integers(0, 4), st.integers(1, 6), st.integers(0, 1000))
def test_bounds_of_heights_against_brute_force(cells, depth, faces, seed):
    depth = min(depth, int(np.log2(cells)))
    heights = np.random.default_rng(seed).normal(size=(faces, cells + 1, cells + 1)).astype(np.float32)
    for level, (low, high) in enumerate(height_bounds(heights, depth)):
        face, u, v = _nodes(faces, level)
        for k in range(len(face)):
            i, j = (slice(*_samples(c, 0.5**level, cells)) for c in (u[k], v[k]))
            inside = heights[face[k], j, i]
            assert low[k] <= inside.min() and high[k] >= inside.max()
            if cells % 2**depth == 0:
                assert low[k] == inside.min() and high[k] == inside.max()


def _samples(middle, size, cells):
    """The first sample, and one past the last, that bilinear interpolation over middle -+ size / 2 needs."""
    return int(np.floor((middle - size / 2) * cells)), int(np.ceil((middle + size / 2) * cells)) + 1


@ATLAS
def test_a_node_lies_within_its_radius(atlas):
    tree, _ = tree_of(atlas, 64, 8)
    steps = np.linspace(-0.5, 0.5, 9)
    for level in tree.levels:
        du, dv = np.meshgrid(steps * level.size, steps * level.size)
        at = atlas.place(level.face[:, None], level.u[:, None] + du.ravel(), level.v[:, None] + dv.ravel()) * SIZE_M
        away = np.linalg.norm(at - level.anchor[:, None], axis=-1).max(axis=1)
        assert (away <= level.radius * (1 + 1e-9)).all()


# --- culling -----------------------------------------------------------------------------------------------------------


def vertices(tree, heights, patches, patch):
    """Displaced vertices (patches, k, 3) in metres from the eye: those of a patch, unmorphed."""
    line = np.arange(patch + 1) / patch - 0.5
    du, dv = (grid.ravel() for grid in np.meshgrid(line, line))
    face, anchor_u, anchor_v, size = (patches["patch"][:, k, None].astype(float) for k in range(4))
    face, u, v = face.astype(int), anchor_u + du * size, anchor_v + dv * size
    height = np.maximum(sample(heights, np.broadcast_to(face, u.shape), u, v), 0.0) / SIZE_M
    return tree.atlas.place(face, u, v, height) * SIZE_M


def seen(points, eye, planes, spherical):
    """Which points are inside the frustum and not behind the sphere of the sea."""
    relative = points - eye
    inside = (relative @ planes[:, :3].T + planes[:, 3] > 1e-3).all(axis=-1)
    if not spherical:
        return inside
    length = np.linalg.norm(relative, axis=-1)
    ray = relative / length[..., None]
    along = -(ray @ eye)
    clear = (eye @ eye - along**2 >= SIZE_M**2) | (along < 0) | (along > length)
    return inside & clear


@ATLAS
@settings(max_examples=60)
@given(
    st.floats(-1, 1),
    st.floats(0, 2 * np.pi),
    st.floats(-4.5, 0.6),
    st.floats(-1.4, 0.9),
    st.floats(0, 2 * np.pi),
    st.floats(0.3, 2.5),
    st.booleans(),
)
def test_culling_drops_nothing_that_is_seen(atlas, z, longitude, altitude, pitch, yaw, aspect, grown):
    tree, heights = tree_of(atlas, 128, 8)
    ring = np.sqrt(1 - z * z)
    direction = np.array([ring * np.cos(longitude), z, ring * np.sin(longitude)])
    if atlas.spherical:
        up = direction
        face, u, v, _ = atlas.invert(direction)
        ground = float(sample(heights, face, u, v))
    else:
        up = np.array([0.0, 1.0, 0.0])
        u, v = direction[[0, 2]] * 0.6 + 0.5
        ground = float(sample(heights, 0, u, v))
        direction = np.array([u - 0.5, 0.0, v - 0.5])
    ground = max(ground, 0.0)
    eye = direction * SIZE_M + up * (ground + 10.0**altitude * SIZE_M)
    side = np.cross(up, [1.0, 0.1, 0.2])
    side /= np.linalg.norm(side)
    level = np.cos(yaw) * side + np.sin(yaw) * np.cross(up, side)
    pose = facing(eye, np.cos(pitch) * level + np.sin(pitch) * up, up, np.radians(46.0))
    planes = frustum_planes(pose, aspect)
    drop = -up * ground
    kept = {tuple(row) for row in tree.walk(eye, planes, drop, grown)["patch"].tolist()}
    whole = everything(tree, eye, drop)
    dropped = whole[[tuple(row) not in kept for row in whole["patch"].tolist()]]
    assert len(dropped) + len(kept) == len(whole)
    if len(dropped):
        points = vertices(tree, heights, dropped, 8)
        missing = seen(points, eye, planes, atlas.spherical).any(axis=1)
        assert not missing.any(), dropped["patch"][missing]


@ATLAS
def test_most_of_what_is_behind_is_culled(atlas):
    tree, _ = tree_of(atlas)
    eye = np.array([0.0, SIZE_M * (1.05 if atlas.spherical else 0.05), 0.0])
    pose = facing(eye, np.array([1.0, -0.2, 0.0]), np.array([0.0, 1.0, 0.0]), np.radians(46.0))
    patches = tree.walk(eye, frustum_planes(pose, 16 / 9), np.zeros(3), True)
    assert 0 < len(patches) < 0.5 * len(everything(tree, eye))


def test_an_eye_that_looks_away_sees_no_patch():
    tree, _ = tree_of(ATLASES["cube"])
    eye = np.array([0.0, 3.0 * SIZE_M, 0.0])
    pose = facing(eye, np.array([0.0, 1.0, 0.0]), np.array([1.0, 0.0, 0.0]), np.radians(46.0))
    assert len(tree.walk(eye, frustum_planes(pose, 16 / 9), np.zeros(3), True)) == 0


@ATLAS
def test_near_patches_do_not_depend_on_where_the_eye_has_been(atlas):
    """Their nodes are made for some time ahead, and kept."""
    tree, heights = tree_of(atlas, 128, 8)
    detail = detail_of(atlas, heights, SIZE_M, 1)
    kept, levels = DeepTree(tree, detail, 9), set()
    up, ahead = np.array([0.0, 1.0, 0.0]), np.array([1.0, -0.3, 0.2])
    for far in np.linspace(0.0, 0.02, 9) * SIZE_M:
        eye = up * ((SIZE_M if atlas.spherical else 0.0) + 9_000.0) + ahead * far
        planes, drop = frustum_planes(facing(eye, ahead, up, 0.8), 16 / 9), -up * 4_000.0
        patches = tree.walk(eye, planes, drop, True)
        again = DeepTree(tree, detail, 9).refine(patches, eye, planes, drop)
        assert np.array_equal(kept.refine(patches, eye, planes, drop), again)
        levels |= set(level_of(again))
        lowest, (face, u, v, edge) = kept.lowest(again["patch"]), again["patch"].astype(np.float64).T
        assert np.array_equal(np.isfinite(lowest), edge < tree.levels[-1].size)
        assert (lowest <= np.maximum(detail.height(face.astype(np.intp), u + 0.3 * edge, v - 0.4 * edge), 0.0)).all()
    assert max(levels) > len(tree.levels)


def test_the_walk_is_compiled_for_one_kind_of_arguments():
    """With another layout of an array the show would wait for the compiler between two frames."""
    for atlas in ATLASES.values():
        tree = PatchTree(atlas, hills(atlas, 33), 8, SIZE_M)
        deep = DeepTree(tree, detail_of(atlas, hills(atlas, 33), SIZE_M, 1), 6)
        for planes in (NO_PLANES, np.asfortranarray(np.ones((5, 4)))):
            eye = np.array([[0.0, 1.001, 0.0]] * 2).T[:, 0] * SIZE_M
            patches = tree.walk(eye, planes, np.zeros(3), grown=planes is NO_PLANES)
            deep.refine(patches, eye, planes, np.zeros(3))
    assert len(compiled(select).signatures) == 1


@pytest.mark.parametrize("atlas", [ATLASES["plane"], ATLASES["cube"]], ids=lambda atlas: atlas.name)
@pytest.mark.parametrize("rule", ["sample", "mean"])
def test_a_tree_over_other_heights_is_that_which_is_made_of_them(atlas, rule):
    """It shares what does not depend on heights."""
    before, after = hills(atlas, 129, seed=1), np.float32(0.7) * hills(atlas, 129, seed=2)
    first, made = PatchTree(atlas, before, 8, SIZE_M, coarse=rule), PatchTree(atlas, after, 8, SIZE_M, coarse=rule)
    over = first.over(after)
    assert over.relief_m == made.relief_m != first.relief_m
    for one, other in zip(over.nodes.columns(), made.nodes.columns(), strict=True):
        assert one.dtype == other.dtype and one.tobytes() == other.tobytes()
    for one, other in zip(over.levels, made.levels, strict=True):
        assert np.array_equal(one.low, other.low) and np.array_equal(one.high, other.high)
    assert over.nodes.anchor is first.nodes.anchor and over.nodes.low is not first.nodes.low
    eye = np.array([0.0, 1.2 * SIZE_M, 0.0])
    assert (
        over.walk(eye, np.zeros((0, 4)), np.zeros(3), True).tobytes()
        == made.walk(eye, np.zeros((0, 4)), np.zeros(3), True).tobytes()
    )
