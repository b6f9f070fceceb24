"""The climate model on the double cone: temperature, winds, rain and its shadow, runoff, biomes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from demo.catalogue.generators import generator
from demo.worlds.climate import laws
from demo.worlds.climate import mesh_climate as climate
from demo.worlds.doublecone import global_mesh as meshes

CELLS = 32


def angles(cells):
    """Latitude and longitude of the mesh points in degrees, north and east; rings turn to the west."""
    counts, starts = meshes.ring_counts(cells), meshes.ring_starts(cells)
    ring = np.repeat(np.arange(2 * cells + 1), counts)
    return 90.0 - 90.0 * ring / cells, 360.0 - 360.0 * (np.arange(ring.size) - starts[ring]) / counts[ring]


def planet(seed, gn):
    growth = generator("doublecone").grow(seed, {"gn": gn})
    growth.advance(gn)
    return growth.planet.heights_m


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 6))
def test_climates_of_planets_are_sound(seed, gn):
    heights = planet(seed, gn) if gn else np.array([100, -5, 3000, -4000, 0, 1], np.float32)
    result = climate.climate_of(heights)
    for values in (result.temperature_c, result.rain_mm, result.evaporation_mm, result.runoff_mm):
        assert values.shape == heights.shape and values.dtype == np.float32 and np.isfinite(values).all()
    assert (result.rain_mm >= 0).all() and result.rain_mm.max() < 20_000
    assert (result.runoff_mm >= 0).all() and (result.runoff_mm <= result.rain_mm).all()
    assert result.temperature_c.max() <= 27.0 and result.temperature_c.min() > -70.0
    sea = heights <= 0
    assert (result.biome[sea] == 0).all() and (result.biome[~sea] > 0).all() and (result.runoff_mm[sea] == 0).all()
    assert result.biome.max() < len(laws.BIOMES)
    np.testing.assert_array_equal(climate.climate_of(heights).rain_mm, result.rain_mm)


@pytest.mark.parametrize("height", [-3000.0, 500.0])
def test_all_sea_and_all_land(height):
    result = climate.climate_of(np.full(meshes.point_count(CELLS), height, np.float32))
    assert np.isfinite(result.rain_mm).all()
    # Without a sea the air is never filled again, and a planet dries out.
    land = height > 0
    assert (result.rain_mm.mean() < 150.0) == land
    assert (result.biome > 0).all() == land


def test_sea_level_is_the_datum_of_everything():
    heights = planet(3, 5)
    shifted, plain = climate.climate_of(heights + 500, 500.0), climate.climate_of(heights)
    np.testing.assert_allclose(shifted.temperature_c, plain.temperature_c, atol=1e-3)


def test_temperature_falls_with_latitude_and_height():
    latitude, _ = angles(CELLS)
    low = climate.temperature_of(np.zeros(latitude.size), CELLS)
    assert low.max() == pytest.approx(27.0) and (np.diff(low[np.argsort(np.abs(latitude))]) <= 1e-9).all()
    high = climate.temperature_of(np.full(latitude.size, 2000.0), CELLS)
    np.testing.assert_allclose(low - high, 13.0)
    np.testing.assert_array_equal(climate.temperature_of(np.full(latitude.size, -2000.0), CELLS), low)


def test_winds_blow_in_belts():
    east, north = climate.wind(CELLS)
    latitude = climate.latitudes(CELLS)
    trades, westerlies = np.abs(latitude) < 25, (np.abs(latitude) > 35) & (np.abs(latitude) < 60)
    assert (east[trades] < 0).all() and (east[westerlies] > 0).all()
    assert (north * latitude)[westerlies].min() >= 0 and (north * latitude)[trades].max() <= 0
    np.testing.assert_allclose(east, east[::-1])
    np.testing.assert_allclose(north, -north[::-1])


@pytest.mark.parametrize("cells", [1, 2, 8, 32])
def test_upwind_shares_are_a_mean_of_points_nearby(cells):
    stencil = climate.upwind(cells)
    np.testing.assert_allclose(stencil.share.sum(axis=0), 1.0)
    assert stencil.share.min() >= -1e-12
    assert stencil.source.min() >= 0 and stencil.source.max() < meshes.point_count(cells)


def test_air_over_the_trades_comes_from_the_east():
    latitude, longitude = angles(CELLS)
    mark = ((np.abs(longitude - 180) < 6) & (np.abs(latitude) < 5)).astype(float)
    stencil = climate.upwind(CELLS)
    carried = (stencil.share * mark[stencil.source]).sum(axis=0)
    assert np.average(longitude, weights=carried) < np.average(longitude, weights=mark) - 1.0


def test_mountains_cast_a_rain_shadow():
    """A range across the westerlies: wet on its western side, dry on its eastern, against the same land without it."""
    latitude, longitude = angles(CELLS)
    continent = (np.abs(latitude - 45) < 14) & (np.abs(longitude - 180) < 40)
    flat = np.where(continent, 100.0, -3000.0)
    ridge = np.where(continent & (np.abs(longitude - 165) < 5), 3000.0, flat)
    core = np.abs(latitude - 45) < 6
    west, east = core & (np.abs(longitude - 161) < 4), core & (np.abs(longitude - 185) < 8)
    with_it, without = (climate.climate_of(h.astype(np.float32)).rain_mm for h in (ridge, flat))
    assert with_it[west].mean() > 1.5 * without[west].mean()
    assert with_it[east].mean() < 0.7 * without[east].mean()


def test_inland_is_drier_than_the_windward_coast():
    latitude, longitude = angles(CELLS)
    land = (latitude > 15) & (latitude < 75) & (np.abs(longitude - 180) < 70)
    rain = climate.climate_of(np.where(land, 100.0, -3000.0).astype(np.float32)).rain_mm
    core = np.abs(latitude - 45) < 6
    assert rain[core & (np.abs(longitude - 118) < 8)].mean() > 1.5 * rain[core & (np.abs(longitude - 230) < 15)].mean()


def test_rain_has_no_edge_where_the_winds_turn():
    """The calm belts move with the seasons, so a desert ends by degrees: rain at most doubles from one ring to the next."""
    cells = 128
    latitude, longitude = angles(cells)
    land = (latitude > 10) & (latitude < 52) & (np.abs(longitude - 180) < 60)
    rain = climate.climate_of(np.where(land, 100.0, -3000.0).astype(np.float32)).rain_mm
    for middle in (135, 180, 225):
        here = np.abs(longitude - middle) < 8
        rings = [rain[here & (np.abs(latitude - ring) < 0.1)].mean() for ring in climate.latitudes(cells)[72:100]]
        assert np.abs(np.diff(np.log(rings))).max() < np.log(2.0)


def test_smoothing_keeps_a_constant_and_lowers_a_spike():
    ones = np.ones(meshes.point_count(8))
    np.testing.assert_allclose(climate.smoothed(ones, 8, 3), 1.0)
    ones[200] = 50.0
    assert climate.smoothed(ones, 8, 2).max() < 15.0
    np.testing.assert_array_equal(climate.smoothed(ones, 8, 0), ones)


def test_fine_meshes_take_the_rain_of_the_coarser_one(monkeypatch):
    heights = planet(4, 5)
    monkeypatch.setattr(climate, "MAX_CELLS", 8)
    fine = climate.climate_of(heights)
    kept = np.arange(0, 33, 4)
    coarse = meshes.from_faces(meshes.to_faces(heights, 32)[:, kept][:, :, kept])
    rain = climate.rain_of(coarse.astype(np.float64), 8).astype(np.float32)
    np.testing.assert_allclose(meshes.to_faces(fine.rain_mm, 32)[:, kept][:, :, kept], meshes.to_faces(rain, 8), rtol=1e-5)
    assert fine.rain_mm.max() <= rain.max() * (1 + 1e-6) and fine.rain_mm.min() >= rain.min() * (1 - 1e-6)


@settings(max_examples=50, deadline=None)
@given(st.floats(0, 8000), st.floats(0, 2000))
def test_runoff_is_part_of_the_rain_and_grows_with_it(rain, evaporation):
    runoff = laws.runoff_of(np.array([rain, rain + 100]), np.array([evaporation, evaporation]))
    assert 0 <= runoff[0] <= rain and runoff[0] <= runoff[1] + 1e-9


def test_biomes_follow_temperature_and_rain():
    cases = {
        (-20, 500): "ice",
        (-8, 300): "tundra",
        (0, 500): "boreal forest",
        (10, 100): "temperate desert",
        (10, 400): "temperate grassland",
        (10, 900): "temperate forest",
        (10, 2500): "temperate rain forest",
        (26, 100): "hot desert",
        (26, 800): "savanna",
        (26, 1700): "tropical seasonal forest",
        (26, 3000): "tropical rain forest",
    }
    t, p = np.array(list(cases), float).T
    assert [laws.BIOMES[k] for k in laws.biome_of(t, p)] == list(cases.values())


def test_another_count_of_points_is_refused():
    with pytest.raises(ValueError, match="power of two"):
        climate.climate_of(np.zeros(meshes.point_count(3), np.float32))
    with pytest.raises(ValueError, match="no double-cone mesh"):
        climate.climate_of(np.zeros(10, np.float32))
