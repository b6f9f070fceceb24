"""The table of scattered light: the sky that it makes against paths of light that are followed one by one."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from support.sky_light import air_light, dust_lobes, molecule_lobe, table_light

from demo.geometry.scattering import GROUND_ALBEDO, air_table, scattering_table
from demo.geometry.sunlight import HEIGHT, WIDTH, sunlight_table
from demo.ground.air import Air
from demo.scenes.scene import planet_air
from demo.scenes.scenes import SCENES

VARIETIES = {
    "thin": planet_air(420_000.0, 0.3),
    "thick": planet_air(420_000.0, 2.0),
    "dust": SCENES["simplex"].varieties[0].air,
}
AIRS = {"earth": Air(), "planet": SCENES["simplex"].air, **VARIETIES}
AIR = pytest.mark.parametrize("air", AIRS.values(), ids=AIRS)
LUMINANCE = np.array([0.2126, 0.7152, 0.0722])
# Metres of the eye; degrees of the sun, of rays, and of them around the zenith from the sun.
ALTITUDES, SUNS, RAYS, ASIDE = (300.0, 9_000.0), (40.0, 10.0, 1.0, -1.9), (2.0, 15.0, 60.0), (40.0, 150.0)
# Paths a ray, the times that they are scattered, and samples along each stretch.
PATHS, ORDERS, SAMPLES = 800, 9, 24
# The errors of the median and of 95 in 100 rays, as shares.
MEDIAN, NEARLY_ALL = 0.05, 0.15


@AIR
def test_the_sky_is_that_of_paths_followed_one_by_one(air):
    """Light of all orders: the first is the same integral on both sides, and compared in tests/render/test_sky.py."""
    ratios = []
    for altitude, sun_degrees in product(ALTITUDES, SUNS):
        up, sun = np.radians(sun_degrees), np.zeros(3)
        sun[:] = np.cos(up), np.sin(up), 0.0
        rise, aside = np.radians(np.array(list(product(RAYS, ASIDE)))).T
        rays = np.stack([np.cos(rise) * np.cos(aside), np.sin(rise), np.cos(rise) * np.sin(aside)], axis=1)
        once = air_light(air, altitude, rays, sun, np.zeros_like(scattering_table(air)), 400)
        got = air_light(air, altitude, rays, sun, scattering_table(air), 400)
        wanted = once + further_orders(air, altitude, rays, sun)
        ratios.append((got @ LUMINANCE) / (wanted @ LUMINANCE))
    errors = np.abs(np.concatenate(ratios) - 1.0)
    assert np.median(errors) < MEDIAN
    assert np.percentile(errors, 95) < NEARLY_ALL


def further_orders(air, altitude, rays, sun):
    """What is scattered more than once into rays (k, 3), by random paths from the eye backwards: (k, 3)."""
    random = np.random.default_rng(5)
    place = np.tile([0.0, air.ground_radius_m + altitude, 0.0], (len(rays) * PATHS, 1))
    ray, weight = np.repeat(rays, PATHS, axis=0), np.ones((len(rays) * PATHS, 3))
    light = np.zeros_like(weight)
    for order in range(1, ORDERS + 1):
        place, ground, molecules, factor = scattered_at(air, place, ray, random)
        weight = weight * factor
        up = place / np.linalg.norm(place, axis=1, keepdims=True)
        cosine = up @ sun
        arriving = table_light(air, np.linalg.norm(place, axis=1) - air.ground_radius_m, cosine, sunlight_table(air))
        if order > 1:
            mu = ray @ sun
            lobes = molecules * molecule_lobe(mu)[:, None] + (1.0 - molecules) * dust_lobes(air, mu)
            light += (
                weight
                * arriving
                * np.where(ground[:, None], (np.maximum(cosine, 0.0) * GROUND_ALBEDO / np.pi)[:, None], lobes)
            )
        ray, factor = onwards(air, ray, up, ground, molecules, random)
        weight = weight * factor
    return light.reshape(len(rays), PATHS, 3).mean(axis=1)


def scattered_at(air, place, ray, random):
    """Where rays are scattered: places, whether on the ground, the molecules' share of it and weights, (k, 3)."""
    along, square = (place * ray).sum(axis=1), (place * place).sum(axis=1)
    top = along**2 - square + (air.ground_radius_m + air.height_m) ** 2
    below = along**2 - square + air.ground_radius_m**2
    ground = (below > 0.0) & (along < 0.0)
    length = np.where(ground, -along - np.sqrt(np.maximum(below, 0.0)), -along + np.sqrt(np.maximum(top, 0.0)))
    edges = np.linspace(0.0, 1.0, SAMPLES + 1)
    edges = np.where((along > 0.0)[:, None], edges**2, edges) * length[:, None]
    there = densities(air, square, along, 0.5 * (edges[:, 1:] + edges[:, :-1]))
    molecules, dust, _ = there
    extinction = air.extinction(*there)
    green = extinction[..., 1] * np.diff(edges)
    depth = np.concatenate([np.zeros((len(green), 1)), np.cumsum(green, axis=1)], axis=1)
    # A ray that meets no ground is scattered in the air.
    most = np.where(ground, 1.0, -np.expm1(-depth[:, -1]))
    at = -np.log1p(-random.random(len(most)) * most)
    falls = ground & (at >= depth[:, -1])
    at = np.minimum(at, depth[:, -1])
    k = np.clip((depth[:, 1:] <= at[:, None]).sum(axis=1), 0, SAMPLES - 1)
    row = np.arange(len(k))
    share = (at - depth[row, k]) / np.maximum(green[row, k], 1e-12)
    way = np.where(falls, length, edges[row, k] + share * (edges[row, k + 1] - edges[row, k]))
    widths = np.diff(edges) * (np.arange(SAMPLES) < k[:, None])
    partly = np.where(falls, edges[row, k + 1] - edges[row, k], way - edges[row, k])
    passed = np.exp(-air.extinction(*((d * widths).sum(axis=1) + d[row, k] * partly for d in there)))
    m, d = molecules[row, k][:, None] * np.array(air.rayleigh), dust[row, k][:, None] * np.array(air.mie)
    chosen = extinction[row, k, 1]
    weight = passed / passed[:, 1:2] * np.where(falls[:, None], 1.0, (m + d) / chosen[:, None] * most[:, None])
    return place + ray * way[:, None], falls, m / (m + d), weight


def densities(air, square, along, way):
    """Of molecules, dust and ozone, at distances `way` (k, s) along rays."""
    height = np.sqrt(square[:, None] + way * way + 2.0 * along[:, None] * way) - air.ground_radius_m
    return air.densities(np.maximum(height, 0.0))


def onwards(air, ray, up, ground, molecules, random):
    """New directions, and weights (k, 3)."""
    count = len(ray)
    grid = np.linspace(-1.0, 1.0, 2001)
    by_dust = random.random(count) >= molecules[:, 1]
    x, mu = random.random(count), np.zeros(count)
    for lobe, chosen in ((molecule_lobe(grid), ~by_dust), (dust_lobes(air, grid)[:, 1], by_dust)):
        rising = np.cumsum(lobe)
        mu[chosen] = np.interp(x[chosen], rising / rising[-1], grid)
    # From the ground: as many as the cosine of the zenith angle is.
    mu = np.where(ground, np.sqrt(x), mu)
    mixed = molecules * molecule_lobe(mu)[:, None] + (1.0 - molecules) * dust_lobes(air, mu)
    weight = np.where(ground[:, None], GROUND_ALBEDO, mixed / mixed[:, 1:2])
    axis = np.where(ground[:, None], up, ray)
    aside = np.cross(axis, np.where(np.abs(axis[:, :1]) < 0.7, [[1.0, 0.0, 0.0]], [[0.0, 1.0, 0.0]]))
    aside /= np.linalg.norm(aside, axis=1, keepdims=True)
    angle, across = random.random(count) * 2.0 * np.pi, np.sqrt(np.maximum(1.0 - mu * mu, 0.0))
    sideways = np.cos(angle)[:, None] * aside + np.sin(angle)[:, None] * np.cross(axis, aside)
    new = mu[:, None] * axis + across[:, None] * sideways
    # A step off the ground, which rounding may have passed.
    return new / np.linalg.norm(new, axis=1, keepdims=True), weight


@AIR
def test_there_is_scattered_light_and_less_of_it_at_night(air):
    table = scattering_table(air)
    assert table.shape == (HEIGHT, WIDTH, 4) and table.dtype == np.float32
    assert np.isfinite(table).all() and (table >= 0.0).all()
    assert (np.diff(table[0, :, :3].sum(axis=1)) > -1e-6).all(), "more of it comes of a higher sun"
    assert table[0, 0, :3].max() < 1e-3 * table[0, -1, :3].max()


def test_without_air_nothing_is_scattered():
    thin = Air(height_m=1.0, rayleigh_height_m=1.0, mie_height_m=1.0)
    assert np.isfinite(scattering_table(thin)).all() and scattering_table(thin).max() < 0.1


@AIR
def test_the_tables_stand_below_one_another(air):
    both = air_table(air)
    assert (both[:HEIGHT] == sunlight_table(air)).all() and (both[HEIGHT:] == scattering_table(air)).all()
