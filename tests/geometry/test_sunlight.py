"""The table of sunlight against another integration: many equal steps along a straight ray."""

from pathlib import Path

import numpy as np
import pytest

from demo.geometry.sunlight import BEND, HEIGHT, SUN_RADIUS, WIDTH, optical_depth, sunlight_table
from demo.ground.air import Air
from demo.scenes.scenes import SCENES

AIRS = {"earth": Air(), **{name: scene.air for name, scene in SCENES.items() if scene.air != Air()}}
AIR = pytest.mark.parametrize("air", AIRS.values(), ids=AIRS)
SHADERS = Path(__file__).parents[2] / "assets" / "shaders"


def column_cosine(column):
    return np.tan((column / (WIDTH - 1) * 2 - 1) * np.arctan(BEND)) / BEND


def row_altitude(air, row):
    return (row / (HEIGHT - 1)) ** 2 * air.height_m


def slow_depths(air, altitude, cosine, steps=40_000):
    """(molecules, dust, ozone) in metres of full density along the ray, by equal steps through points in the plane."""
    start = np.array([0.0, air.ground_radius_m + altitude])
    ray = np.array([np.sqrt(1.0 - cosine * cosine), cosine])
    top = air.ground_radius_m + air.height_m
    # The ray leaves the air at the positive root of |start + x ray| = top.
    way = np.roots([1.0, 2.0 * start @ ray, start @ start - top * top]).max()
    x = (np.arange(steps) + 0.5) * way / steps
    height = np.hypot(start[0] + x * ray[0], start[1] + x * ray[1]) - air.ground_radius_m
    ozone = np.maximum(1.0 - np.abs(height - air.ozone_m) / air.ozone_half_m, 0.0)
    densities = (np.exp(-height / air.rayleigh_height_m), np.exp(-height / air.mie_height_m), ozone)
    return [density.sum() * way / steps for density in densities]


def horizon_cosine(air, altitude):
    return -np.sqrt(max(1.0 - (air.ground_radius_m / (air.ground_radius_m + altitude)) ** 2, 0.0))


@AIR
@pytest.mark.parametrize("row", [0, 1, 5, 12, 20, 31])
def test_the_table_is_the_integral(air, row):
    table, altitude = sunlight_table(air), row_altitude(air, row)
    checked = 0
    for column in range(0, WIDTH, 3):
        cosine = column_cosine(column)
        if cosine < horizon_cosine(air, altitude) + 0.021:
            continue
        molecules, dust, ozone = slow_depths(air, altitude, cosine)
        for channel in range(3):
            extinction = (
                air.rayleigh[channel] * molecules + air.mie_extinction[channel] * dust + air.absorption[channel] * ozone
            )
            assert table[row, column, channel] == pytest.approx(np.exp(-extinction), abs=2e-3)
        checked += 1
    assert checked > WIDTH // 8


@AIR
def test_in_the_shadow_of_the_planet_nothing_is_left(air):
    table = sunlight_table(air)
    for row in range(HEIGHT):
        horizon = horizon_cosine(air, row_altitude(air, row))
        columns = [column for column in range(WIDTH) if column_cosine(column) < horizon - 0.021]
        assert (table[row, columns, :3] == 0.0).all()
    assert (table[0, : WIDTH // 3, :3] == 0.0).all()


@AIR
def test_at_the_top_looking_up_nearly_all_is_left(air):
    table = sunlight_table(air)
    assert (table[-1, -1, :3] > 0.995).all()
    assert (table[0, -1, :3] > 0.6).all() and table[0, -1, 0] > table[0, -1, 2], "the sun is yellow at the ground"


@AIR
def test_more_is_left_of_a_higher_sun_and_higher_up(air):
    table = sunlight_table(air)[..., :3].astype(float)
    assert table.min() >= 0.0 and table.max() <= 1.0 and np.isfinite(table).all()
    assert (np.diff(table, axis=1) >= -1e-6).all()
    up = column_cosine(np.arange(WIDTH)) >= 0.0
    assert (np.diff(table[:, up], axis=0) >= -1e-6).all()


@AIR
def test_the_low_sun_is_red(air):
    table = sunlight_table(air)
    column = next(c for c in range(WIDTH) if column_cosine(c) > 0.03)
    red, green, blue = table[0, column, :3]
    assert red > green > blue


def test_no_air_takes_no_light():
    thin = Air(height_m=1.0, rayleigh_height_m=1.0, mie_height_m=1.0)
    table = sunlight_table(thin)
    assert np.isfinite(table).all() and (table[:, -1, :3] > 0.999).all()


def test_depth_straight_up_is_the_closed_form():
    air = Air()
    molecules, dust, _ = optical_depth(air, np.array([0.0]), np.array([1.0]))
    for got, scale in ((molecules, air.rayleigh_height_m), (dust, air.mie_height_m)):
        assert got[0] == pytest.approx(scale * (1.0 - np.exp(-air.height_m / scale)), rel=2e-3)


def test_the_shader_reads_the_table_where_it_was_written():
    text = (SHADERS / "sunlight.glsl").read_text(encoding="utf-8")
    assert f"atan(cosine * {BEND:.1f}) / {np.arctan(BEND):.7f}" in text
    assert "sqrt(clamp(altitude / (u_air.y - u_air.x)" in text
    assert SUN_RADIUS < 0.02
