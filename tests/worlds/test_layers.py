"""Layers: climate and waters of the worlds of every generator, and the ground of carved ones."""

from __future__ import annotations

import numpy as np
import pytest
from support.worlds_cases import FILE, label

from demo.catalogue.generators import GENERATORS, generator
from demo.worlds.carving.node_graph import node_graph
from demo.worlds.climate.mesh_climate import climate_of
from demo.worlds.doublecone import global_mesh as meshes
from demo.worlds.layers import layers_of

SIZE_M, METRES = 50_000.0, 10_000.0
CASES = [
    ("plasma", {"cells": 64}),
    ("plasma", {"cells": 64, "carve": 1.0}),
    ("cuts", {"cells": 16, "cuts": 400}),
    ("cuts", {"cells": 20, "cuts": 300, "atlas": "latlong", "carve": 1.0}),
    ("particles", {"cells": 32, "particles": 3000}),
    ("simplex", {"cells": 24, "carve": 1.0}),
    ("doublecone", {"gn": 4, "carve": 1.0}),
    ("map", {"gn": 3}),
    ("heightmap", {"cells": 24, "file": FILE}),
]


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("maps") / "map.npy"
    y, x = np.mgrid[0:20, 0:31]
    np.save(path, (np.sin(x / 5.0) * np.cos(y / 4.0)).astype(np.float32))
    return str(path)


def world(name, given, file="", seed=3):
    growth = generator(name).grow(seed, {key: file if value == FILE else value for key, value in given.items()})
    growth.keeps_ground = True
    growth.advance(growth.total)
    return growth


def test_every_generator_has_a_case():
    assert {name for name, _ in CASES} == set(GENERATORS)


@pytest.mark.parametrize("name, given", CASES, ids=map(label, CASES))
def test_layers_of_every_generator(name, given, file):
    growth = world(name, given, file)
    layers = layers_of(growth, SIZE_M, METRES)
    arrays = layers.arrays()
    carved = "carve" in given
    assert ({"sediment_m", "hardness"} <= set(arrays)) == carved
    copies, owners = growth.atlas.seams(growth.n)
    for values in arrays.values():
        assert values.dtype == np.float32 and values.shape == growth.heights.shape and np.isfinite(values).all()
        assert np.array_equal(values.reshape(-1)[copies], values.reshape(-1)[owners])
    land = growth.heights > growth.sea_level
    assert (layers.area_km2[~land] == 0.0).all() and (layers.discharge_m3_s[~land] == 0.0).all()
    assert layers.temperature_c.max() <= 27.0 and layers.temperature_c.min() > -70.0
    assert (layers.rain_mm > 0.0).any() and layers.rain_mm.min() >= 0.0 and layers.rain_mm.max() < 25_000.0
    nodes = node_graph(growth.atlas, growth.n)
    own = nodes.to_samples(nodes.area) * (1e-6 * SIZE_M * SIZE_M)
    inside = land & (nodes.to_samples(nodes.place) > 1)
    assert (layers.area_km2[inside] >= 0.999 * own[inside]).all()
    # No river drains more than there is, nor carries more than falls on its land.
    whole = nodes.area[nodes.of_samples(growth.heights) > growth.sea_level].sum(dtype=np.float64) * 1e-6 * SIZE_M * SIZE_M
    assert layers.area_km2.max() <= 1.001 * whole
    most = layers.area_km2 * (layers.rain_mm[land].max() * 1e3 / 3.156e7)
    assert (layers.discharge_m3_s <= 1.001 * most + 1e-9).all()
    if carved:
        assert layers.sediment_m.min() >= 0.0 and layers.sediment_m.max() > 0.0
        assert layers.hardness.min() > 0.5 and layers.hardness.max() > 1.0


def test_the_sea_and_lakes_are_as_deep_as_their_beds():
    growth = world("plasma", {"cells": 64})
    layers = layers_of(growth, SIZE_M, METRES)
    below = growth.sea_level - growth.heights
    sea = below > 0.0
    np.testing.assert_allclose(layers.water_m[sea], below[sea] * METRES, rtol=1e-4, atol=0.1)
    assert (layers.water_m[~sea] > 0.0).any(), "there are depressions in land that is not carved"


def test_it_is_colder_higher_up_and_nearer_a_pole():
    growth = world("simplex", {"cells": 32})
    layers, latitude = layers_of(growth, SIZE_M, METRES), np.abs(growth.atlas.positions(growth.n)[..., 1])
    low = growth.heights <= growth.sea_level
    assert np.corrcoef(latitude[low], layers.temperature_c[low])[0, 1] < -0.9
    belt = ~low & (latitude < 0.2)
    assert np.corrcoef(growth.heights[belt], layers.temperature_c[belt])[0, 1] < -0.9


def test_a_planet_has_one_climate_on_its_mesh_and_on_its_atlas():
    """The maps' model and that of the layers are two: what is dry in one is dry in the other; maps have wider deserts."""
    growth = world("doublecone", {"gn": 6})
    layers, mesh = layers_of(growth, growth.size, 1.0), climate_of(meshes.from_faces(growth.heights))
    land = growth.heights > growth.sea_level
    rain, of_mesh = layers.rain_mm[land], meshes.to_faces(mesh.rain_mm, 64)[land]
    assert np.corrcoef(np.log(rain + 30.0), np.log(of_mesh + 30.0))[0, 1] > 0.7
    assert 0.6 < np.median(rain) / np.median(of_mesh) < 1.8
    assert np.abs(layers.temperature_c - meshes.to_faces(mesh.temperature_c, 64)).max() < 0.1


def test_keeping_the_ground_changes_no_height():
    given = {"cells": 256, "carve": 1.0}
    plain, kept = generator("plasma").grow(3, given), world("plasma", given)
    plain.advance(plain.total)
    assert np.array_equal(plain.heights, kept.heights)
    assert plain.sediment is None and kept.sediment.shape == kept.heights.shape


@pytest.mark.parametrize("name, given", [case for case in CASES if "carve" in case[1]], ids=lambda value: str(value))
def test_rivers_of_the_show_have_the_discharges_of_the_layers(name, given):
    """The runoff that rivers are drawn from and the layer that `grow` writes are one, at every sample of land."""

    def grow():
        return generator(name).grow(3, given)

    growth = grow()
    growth.advance(growth.stages["grown"])
    growth.again(grow, [])
    growth.advance(growth.total)
    runoff, layer = growth.runoff, layers_of(growth, SIZE_M, METRES).discharge_m3_s.ravel()
    drawn = runoff.discharge_m3_s(SIZE_M)[runoff.land]
    assert drawn.size > 50 and drawn.max() > 10.0 * np.median(drawn)
    np.testing.assert_allclose(drawn, layer[runoff.sample[runoff.land]], rtol=1e-5, atol=1e-9)
