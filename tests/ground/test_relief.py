"""Relief: gutters that continue a face over its edges, normals that agree there, shadows that fall away from the sun."""

import numpy as np
import pytest

from demo.ground.relief import GUTTER, HORIZON, Relief
from demo.ground.relief_maker import ReliefMaker
from demo.worlds.atlas import ATLASES
from demo.worlds.heightfield import sample

SIZE_M, SCALE_M = 400_000.0, 40_000.0
EAST = np.array([[1.0, 0.0], [1.0, 0.0], [1.0, 0.0]])
ATLAS = pytest.mark.parametrize("atlas", ATLASES.values(), ids=ATLASES)
SPHERICAL = {name: atlas for name, atlas in ATLASES.items() if atlas.spherical}
SPHERE = pytest.mark.parametrize("atlas", SPHERICAL.values(), ids=SPHERICAL)


def height_m(at):
    """Smooth heights in metres at positions (..., 3) of size 1."""
    x, y, z = at[..., 0], at[..., 1], at[..., 2]
    return 16_000.0 * (np.sin(2.3 * x + 0.4) * np.cos(1.9 * z - 0.2) + 0.7 * np.sin(2.7 * y + 1.1 * x))


def heights_of(atlas, n):
    at = atlas.positions(n)
    return height_m(at * [1.0, 0.0, 1.0] if not atlas.spherical else at).astype(np.float32)


def filled(atlas, n, heights, bearings=EAST, sea=0.0, metres=1.0, size_m=SIZE_M, moving=True):
    relief = Relief.empty(atlas, n)
    ReliefMaker(atlas, n, size_m, SCALE_M, bearings).fill(relief, heights, sea, metres, moving)
    return relief


def inner(array, n):
    return array[:, GUTTER : n + GUTTER, GUTTER : n + GUTTER]


def normals(relief):
    return relief.shade[..., :3].astype(np.float64) / 32767.0


def degrees_between(a, b):
    cosine = (a * b).sum(axis=-1) / np.linalg.norm(a, axis=-1) / np.linalg.norm(b, axis=-1)
    return np.degrees(np.arccos(np.clip(cosine, -1.0, 1.0)))


def allowed_degrees(atlas, n):
    """How far differences over a lattice may lean: on the double cone, whose lattice bends where faces meet and at the
    equator, by a part of a cell; elsewhere by its square."""
    cell = 0.5 * np.pi / (n - 1)
    return np.degrees(1.6 * cell if atlas.cone else 2.0 * cell**2) + 0.05


def off_the_poles(atlas, n):
    """Samples (faces, n, n) where the lattice is one: not at poles, which are whole rows of one point, or corners."""
    return np.abs(atlas.positions(n)[..., 1]) < 1.0 - 1e-9 if atlas.name != "cube" else np.ones((6, n, n), bool)


def grid(atlas, n, rim=0):
    """Face, column and row of a face's lattice with `rim` samples around it, over (faces, side, side)."""
    line = np.arange(-rim, n + rim)
    return np.broadcast_arrays(np.arange(atlas.faces)[:, None, None], line[None, None, :], line[None, :, None])


# --- gutters -----------------------------------------------------------------------------------------------------------


@ATLAS
@pytest.mark.parametrize("n", [2, 3, 18, 33])
def test_the_gutter_holds_what_lies_beyond(atlas, n):
    """Each sample of the rim against the neighbour face, asked where that sample truly is."""
    heights = heights_of(atlas, n) + np.random.default_rng(1).normal(0, 300, (atlas.faces, n, n)).astype(np.float32)
    copies, owners = atlas.seams(n)
    heights.reshape(-1)[copies] = heights.reshape(-1)[owners]
    relief = filled(atlas, n, heights)
    wanted = sample(heights, *atlas.beyond(*grid(atlas, n, GUTTER), n))
    assert np.abs(relief.heights_m - wanted).max() < 0.05


@ATLAS
def test_the_gutter_continues_a_smooth_field(atlas):
    n = 65
    relief = filled(atlas, n, heights_of(atlas, n))
    face, i, j = grid(atlas, n, GUTTER)
    if atlas.spherical:
        wanted = height_m(atlas.direction(face, i / (n - 1), j / (n - 1)))
    else:
        wanted = height_m(atlas.place(face, np.clip(i / (n - 1), 0, 1), np.clip(j / (n - 1), 0, 1)))
    assert np.abs(relief.heights_m - wanted).max() < 60.0


@ATLAS
def test_heights_are_metres_above_the_sea(atlas):
    n = 9
    heights = np.random.default_rng(2).uniform(0, 1, (atlas.faces, n, n)).astype(np.float32)
    relief = filled(atlas, n, heights, sea=0.4, metres=5000.0)
    assert np.abs(inner(relief.heights_m, n) - (heights - 0.4) * 5000.0).max() < 1e-2
    kept = relief.shade[..., 3] / 32767.0 * relief.height_scale
    assert np.abs(kept - relief.heights_m).max() <= SCALE_M / 32767.0 + 1e-2


def test_heights_beyond_the_scale_are_held_at_it():
    n = 5
    atlas = ATLASES["plane"]
    relief = filled(atlas, n, np.full((1, n, n), 3 * SCALE_M, np.float32))
    assert (relief.shade[..., 3] == 32767).all()


# --- normals -----------------------------------------------------------------------------------------------------------


def slow_normals(atlas, relief, n):
    """Cross products of central differences of the placed samples, in float64: (faces, n, n, 3)."""
    face, i, j = grid(atlas, n, GUTTER)
    height = relief.heights_m.astype(np.float64)
    if atlas.spherical:
        at = atlas.direction(face, i / (n - 1), j / (n - 1)) * (SIZE_M + height)[..., None]
    else:
        at = np.stack([i / (n - 1) * SIZE_M, height, j / (n - 1) * SIZE_M], axis=-1)
    along = inner(np.roll(at, -1, 2) - np.roll(at, 1, 2), n)
    down = inner(np.roll(at, -1, 1) - np.roll(at, 1, 1), n)
    found = np.cross(down, along)
    up = inner(at, n) / np.linalg.norm(inner(at, n), axis=-1)[..., None] if atlas.spherical else np.array([0.0, 1.0, 0.0])
    outward = (found * up).sum(axis=-1)
    found = np.where((outward < 0)[..., None], -found, found)
    flat = np.abs(outward) < 1e-5 * np.linalg.norm(found, axis=-1) + 1e-3
    found = np.where(flat[..., None], up, found)
    return joined(atlas, n, found / np.linalg.norm(found, axis=-1)[..., None]), flat


def joined(atlas, n, unit):
    """Unit normals (faces, n, n, 3) with the mean, one by one, of those of all samples that are the same point."""
    out, flat = unit.reshape(-1, 3).copy(), unit.reshape(-1, 3)
    same = {}
    for copy, owner in zip(*atlas.seams(n), strict=True):
        same.setdefault(owner, [owner]).append(copy)
    for group in same.values():
        out[group] = flat[group].mean(axis=0)
    return out.reshape(unit.shape)


@ATLAS
@pytest.mark.parametrize("rough", [0.0, 2000.0])
def test_normals_against_a_slow_reference(atlas, rough):
    n = 33
    heights = heights_of(atlas, n) + np.random.default_rng(3).normal(0, 1, (atlas.faces, n, n)).astype(np.float32) * rough
    relief = filled(atlas, n, heights)
    wanted, poles = slow_normals(atlas, relief, n)
    got = inner(normals(relief), n)
    assert np.abs(np.linalg.norm(got, axis=-1) - 1.0).max() < 1e-4
    assert degrees_between(got, wanted)[~poles].max() < 0.25


def true_normals(at):
    """Of the sphere with height_m on it, by small steps on the tangent plane: (..., 3)."""
    helper = np.where(np.abs(at[..., 1:2]) < 0.9, [0.0, 1.0, 0.0], [1.0, 0.0, 0.0])
    side = np.cross(helper, at)
    side /= np.linalg.norm(side, axis=-1)[..., None]
    ahead, step = np.cross(at, side), 1e-5

    def surface(p):
        p = p / np.linalg.norm(p, axis=-1)[..., None]
        return p * (SIZE_M + height_m(p))[..., None]

    a = surface(at + step * side) - surface(at - step * side)
    b = surface(at + step * ahead) - surface(at - step * ahead)
    return np.cross(a, b)


@SPHERE
def test_normals_are_those_of_the_land(atlas):
    n = 65
    relief = filled(atlas, n, heights_of(atlas, n))
    got, wanted = inner(normals(relief), n), true_normals(atlas.positions(n))
    away = degrees_between(got, wanted)[off_the_poles(atlas, n)]
    assert degrees_between(wanted, atlas.positions(n)).max() > 4.0, "the land has slopes"
    assert away.max() < allowed_degrees(atlas, n) and np.median(away) < 0.1


@SPHERE
def test_normals_agree_where_faces_meet(atlas):
    """Also where the land is rough, and every face's lattice would find another one."""
    n = 65
    rough = np.random.default_rng(5).normal(0, 2000, (atlas.faces, n, n)).astype(np.float32)
    heights = heights_of(atlas, n) + rough
    copies, owners = atlas.seams(n)
    heights.reshape(-1)[copies] = heights.reshape(-1)[owners]
    relief = filled(atlas, n, heights)
    flat = inner(normals(relief), n).reshape(-1, 3)
    copies, owners = atlas.seams(n)
    kept = off_the_poles(atlas, n).reshape(-1)[copies]
    away = degrees_between(flat[copies[kept]], flat[owners[kept]])
    assert kept.sum() >= 2 * (n - 2) and away.max() < 0.01


@SPHERE
def test_the_gutters_normals_are_the_neighbours(atlas):
    """The sampler blends across the edge: what it finds there must be the neighbour's light."""
    n = 65
    relief = filled(atlas, n, heights_of(atlas, n))
    face, i, j = grid(atlas, n, 1)
    outside = (i < 0) | (j < 0) | (i >= n) | (j >= n)
    got = normals(relief)[:, 1:-1, 1:-1][outside]
    there, u, v = atlas.beyond(face[outside], i[outside], j[outside], n)
    shade = inner(normals(relief), n)
    wanted = np.stack([sample(shade[..., k], there, u, v) for k in range(3)], axis=-1)
    assert degrees_between(got, wanted).max() < 2.5 * allowed_degrees(atlas, n) + 1.0


@ATLAS
def test_a_flat_world_points_up(atlas):
    n = 17
    relief = filled(atlas, n, np.zeros((atlas.faces, n, n), np.float32))
    up = atlas.positions(n) if atlas.spherical else np.array([0.0, 1.0, 0.0])
    away = degrees_between(inner(normals(relief), n), up)
    assert away.max() < allowed_degrees(atlas, n)


# --- light -------------------------------------------------------------------------------------------------------------


def light_of(heights, azimuths=(0.0, 0.0, 0.0), moving=True):
    """Horizons (their sines) and open sky of a terrain (n, n) on every second sample: ((n + 1) / 2, (n + 1) / 2, 4)."""
    n, a = heights.shape[-1], np.radians(azimuths)
    bearings = np.stack([np.cos(a), np.sin(a)], axis=1)
    relief = filled(ATLASES["plane"], n, heights[None].astype(np.float32), bearings, size_m=100.0 * (n - 1), moving=moving)
    rim, kept = GUTTER // 2, (n + 1) // 2
    return relief.light[0, rim : rim + kept, rim : rim + kept] / 255.0 * [HORIZON, HORIZON, HORIZON, 1.0]


def sun_of(horizon, elevation):
    """The share of the sun, as horizon.glsl says it."""
    return np.clip((np.sin(np.radians(elevation)) - horizon) * 14.0 + 0.5, 0.0, 1.0)


def test_flat_ground_has_all_of_sun_and_sky():
    light = light_of(np.zeros((33, 33)))
    assert (light[..., :3] == 0.0).all() and (light[..., 3] == 1.0).all()


@pytest.mark.parametrize("azimuth", [0.0, 90.0, 180.0, 270.0])
def test_a_wall_casts_its_shadow_away_from_the_sun(azimuth):
    n, thick = 65, slice(30, 35)
    along_x = azimuth % 180.0 == 0.0
    heights = np.zeros((n, n))
    heights[(slice(None), thick) if along_x else (thick, slice(None))] = 400.0
    share = sun_of(light_of(heights, [azimuth] * 3)[..., 0], 30.0)
    line = share[16] if along_x else share[:, 16]
    if azimuth >= 180.0:
        line = line[::-1]
    # The sun stands on the side of the higher samples; the shadow is 400 m / tan(30 deg) = 6.9 samples long.
    assert (line[15:] == 1).all()
    assert (line[13:15] == 0).all() and line[12] < 0.8
    assert (line[:9] == 1).all()


def test_shadows_have_soft_edges_and_grow_as_the_sun_sinks():
    heights = np.zeros((129, 129))
    heights[:, 80:86] = 1000.0
    horizon = light_of(heights)[32, :, 0]
    shares = [sun_of(horizon, elevation) for elevation in (60.0, 40.0, 25.0, 12.0)]
    dark = [(1.0 - share).sum() for share in shares]
    assert dark == sorted(dark) and dark[0] < dark[-1]
    assert any(((share > 0) & (share < 1)).any() for share in shares)


def test_each_bearing_has_its_horizon_and_a_resting_sun_has_one():
    heights = np.zeros((65, 65))
    heights[:, 50:60] = 800.0
    towards, aside, away = np.moveaxis(light_of(heights, (0.0, 90.0, 180.0))[16, :24, :3], -1, 0)
    assert (towards[:20] > 0.05).all() and (aside == 0.0).all() and (away == 0.0).all()
    resting = light_of(heights, (0.0, 90.0, 180.0), moving=False)[16, :24]
    assert (resting[:, :3] == towards[:, None]).all()


def test_a_horizon_is_as_high_as_what_makes_it():
    heights = np.zeros((129, 129))
    heights[:, 100:] = 600.0
    for place in (10, 30, 40):
        away = (100 - 2 * place) * 100.0
        sine = 600.0 / np.hypot(600.0, away)
        assert light_of(heights)[32, place, 0] == pytest.approx(sine, abs=0.15 * sine + HORIZON / 255.0)


def test_the_sky_is_open_on_a_peak_and_narrow_in_a_pit():
    x, z = np.meshgrid(np.arange(33) - 16, np.arange(33) - 16)
    cone = -100.0 * np.hypot(x, z)
    peak, pit = light_of(cone + 3000.0)[8, 8, 3], light_of(-cone)[8, 8, 3]
    assert peak >= 0.99 and 0.2 < pit < 0.4, "slopes of 45 degrees all around leave 1 - sin(45 deg) of the sky"


def test_the_sea_is_lit_at_its_level_and_not_at_its_bed():
    bed = np.full((33, 33), -100.0)
    bed[12:20, 12:20] = -4000.0
    light = light_of(bed)
    assert (light[..., :3] == 0.0).all() and (light[..., 3] == 1.0).all()


@SPHERE
def test_planets_are_lit_whole(atlas):
    assert (filled(atlas, 9, heights_of(atlas, 9)).light == (0, 0, 0, 255)).all()


def test_the_same_buffers_are_filled_again_alike():
    atlas, n = ATLASES["cube"], 17
    maker, relief = ReliefMaker(atlas, n, SIZE_M, SCALE_M, EAST), Relief.empty(atlas, n)
    maker.fill(relief, heights_of(atlas, n), 0.0, 1.0)
    first = [array.copy() for array in (relief.heights_m, relief.shade, relief.light)]
    maker.fill(relief, -heights_of(atlas, n), 1.0, 2.0)
    maker.fill(relief, heights_of(atlas, n), 0.0, 1.0)
    for array, before in zip((relief.heights_m, relief.shade, relief.light), first, strict=True):
        assert np.array_equal(array, before)
