"""The contract of every generator: what `worlds/growth.py` promises, over the whole table."""

from __future__ import annotations

import re

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.worlds_cases import FILE, all_cases, label, sets_of

from demo.catalogue.generators import GENERATORS, generator
from demo.catalogue.world_code import read_code
from demo.worlds.atlas import ATLASES
from demo.worlds.parameters import Parameter, ParameterError, Value

SEED = 42


@pytest.fixture(scope="session")
def height_map(tmp_path_factory):
    path = tmp_path_factory.mktemp("maps") / "map.npy"
    y, x = np.mgrid[0:20, 0:31]
    np.save(path, (np.sin(x / 5.0) * np.cos(y / 4.0)).astype(np.float32))
    return str(path)


@pytest.fixture(params=all_cases(), ids=label)
def case(request, height_map):
    name, values = request.param
    return generator(name), {key: height_map if value == FILE else value for key, value in values.items()}


def grown(source, values, seed=SEED, at=None):
    growth = source.grow(seed, values)
    growth.advance(growth.total if at is None else at)
    return growth


def some_steps(total):
    return sorted({0, min(1, total), total // 3, total // 2, max(total - 1, 0), total})


def test_shape_dtype_and_finiteness_at_several_steps(case):
    growth = case[0].grow(SEED, case[1])
    assert growth.atlas in ATLASES.values()
    assert growth.total >= 0 and growth.size > 0 and growth.unit
    for step in some_steps(growth.total):
        growth.advance(step)
        assert growth.done == step
        assert growth.heights.dtype == np.float32
        assert growth.heights.shape == (growth.atlas.faces, growth.n, growth.n)
        assert np.isfinite(growth.heights).all()
        assert isinstance(growth.sea_level, float) and np.isfinite(growth.sea_level)


def test_same_seed_same_bits(case):
    assert np.array_equal(grown(*case).heights, grown(*case).heights)


def test_other_seed_other_heights(case):
    if case[0].name == "heightmap":
        pytest.skip("a file's heights come from no seed")
    assert not np.array_equal(grown(*case).heights, grown(*case, seed=SEED + 1).heights)


@pytest.mark.parametrize("seed", [0, -1, 2**64 + 5], ids=str)
def test_any_integer_is_a_seed(case, seed):
    assert np.isfinite(grown(*case, seed=seed).heights).all()


def test_seams_are_shared_bit_for_bit_at_every_step(case):
    growth = case[0].grow(SEED, case[1])
    copies, owners = growth.atlas.seams(growth.n)
    for step in some_steps(growth.total):
        growth.advance(step)
        flat = growth.heights.reshape(-1)
        assert np.array_equal(flat[copies], flat[owners])


@settings(max_examples=6)
@given(data=st.data())
@pytest.mark.parametrize("name, values", all_cases(), ids=map(label, all_cases()))
def test_advance_composes(name, values, height_map, data):
    values = {key: height_map if value == FILE else value for key, value in values.items()}
    growth = generator(name).grow(SEED, values)
    steps = data.draw(st.lists(st.integers(0, growth.total), max_size=4).map(sorted))
    for step in steps:
        growth.advance(step)
        if data.draw(st.booleans()):
            _ = growth.heights, growth.sea_level, growth.marks(0, step)  # looking must not change anything
    last = steps[-1] if steps else 0
    assert np.array_equal(growth.heights, grown(generator(name), values, at=last).heights)
    growth.advance(growth.total)
    assert np.array_equal(growth.heights, grown(generator(name), values).heights)


def test_one_thread_gives_the_bits_of_many(case):
    before = numba.get_num_threads()
    many = grown(*case).heights.copy()
    try:
        numba.set_num_threads(1)
        one = grown(*case).heights
    finally:
        numba.set_num_threads(before)
    assert np.array_equal(one, many)


def test_steps_outside_the_work_are_refused(case):
    growth = grown(*case)
    with pytest.raises(ValueError, match="outside"):
        growth.advance(growth.total + 1)
    if growth.total > 0:
        with pytest.raises(ValueError, match="outside"):
            growth.advance(growth.total - 1)
    for step in (-1, growth.total + 1):
        with pytest.raises(ParameterError, match=re.escape(str(step))):
            case[0].world(SEED, case[1], at=step)


def test_sea_level_lies_near_the_heights(case):
    growth = grown(*case)
    low, high = float(growth.heights.min()), float(growth.heights.max())
    margin = high - low
    assert margin > 0
    assert low - margin <= growth.sea_level <= high + margin


def test_marks_are_arrays_of_the_promised_forms(case):
    growth = grown(*case)
    marks = growth.marks(0, growth.total)
    assert marks.rings.dtype == marks.points.dtype == marks.lines.dtype == np.float32
    assert marks.steps.shape == marks.rings.shape[:1]
    assert marks.rings.shape[1:] == (4,) and marks.points.shape[1:] == (4,) and marks.lines.shape[1:] == (2, 3)
    assert all(np.isfinite(array).all() for array in (marks.rings, marks.points, marks.lines))


def test_a_snapshot_is_read_only_and_its_own(case):
    growth = case[0].grow(SEED, case[1])
    growth.advance(growth.total // 2)
    field = case[0].snapshot(growth, case[1])
    kept = field.heights.copy()
    with pytest.raises(ValueError, match="read-only"):
        field.heights[0, 0, 0] = 1.0
    growth.advance(growth.total)
    assert np.array_equal(field.heights, kept)
    assert (
        field.n == growth.n
        and field.seed == SEED
        and field.sea_level == case[0].world(SEED, case[1], growth.total // 2).sea_level
    )


@pytest.mark.parametrize("seed", [7, -7])
def test_the_code_brings_the_world_back(case, seed):
    source, values = case
    world = source.world(seed, values)
    read = read_code(world.code)
    assert (read.generator, read.seed) == (source, seed)
    assert read.parameters == world.parameters
    assert np.array_equal(read.generator.world(read.seed, read.parameters).heights, world.heights)


def sizes() -> list[tuple[str, int]]:
    names = [name for name, entry in GENERATORS.items() if any(p.name == "cells" for p in entry.parameters)]
    return [(name, cells) for name in names for cells in (1, 2, 3, 4, 7)]


def parameter_of(name: str, parameter: str) -> Parameter:
    return next(p for p in generator(name).parameters if p.name == parameter)


@pytest.mark.parametrize("name, cells", sizes())
def test_tiny_sizes(name, cells, height_map):
    low = parameter_of(name, "cells").low
    if cells < low:
        with pytest.raises(ParameterError, match="cells"):
            generator(name).grow(SEED, {"cells": cells})
        return
    for values in sets_of(name):
        values = {key: height_map if value == FILE else value for key, value in values.items()} | {"cells": cells}
        growth = grown(generator(name), values)
        assert growth.n == cells + 1
        assert np.isfinite(growth.heights).all() and np.isfinite(growth.sea_level)


def wrong_values() -> list[tuple[str, str, Value]]:
    wrong: list[tuple[str, str, Value]] = []
    for name, entry in GENERATORS.items():
        for p in entry.parameters:
            if p.low is not None:
                wrong.append((name, p.name, p.low - 1))
            if p.high is not None:
                wrong.append((name, p.name, p.high + 1))
            if p.choices or p.kind() is not str:
                wrong.append((name, p.name, "nonsense"))
            if p.kind() is float:
                wrong.append((name, p.name, float("nan")))
    return wrong


@pytest.mark.parametrize("name, parameter, value", wrong_values(), ids=str)
def test_a_value_out_of_range_is_refused_by_name(name, parameter, value):
    with pytest.raises(ParameterError, match=rf"^{parameter}=.* is not possible"):
        generator(name).grow(SEED, {parameter: value})


@pytest.mark.parametrize("name", GENERATORS)
def test_an_unknown_parameter_is_refused_by_name(name):
    with pytest.raises(ParameterError, match="no parameter 'bogus'"):
        generator(name).grow(SEED, {"bogus": 1})


def test_an_unknown_generator_is_refused_by_name():
    with pytest.raises(ParameterError, match="no generator 'bogus'"):
        generator("bogus")


@pytest.mark.parametrize("name", GENERATORS)
def test_every_default_is_allowed_and_written_as_it_is_read(name):
    for parameter in generator(name).parameters:
        assert parameter.check(parameter.default) == parameter.default
        assert parameter.parse(parameter.format(parameter.default)) == parameter.default
        assert parameter.help and parameter.describe()
