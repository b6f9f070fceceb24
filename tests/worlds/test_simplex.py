"""The simplex planet: its noise against a slow reference, its statistics, its faces, its land."""

from __future__ import annotations

import os
import subprocess
import sys
import tracemalloc
import zlib
from pathlib import Path

import llvmlite.binding as llvm
import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import simplex_reference as reference

from demo.catalogue.generators import generator
from demo.worlds.atlas import CUBE
from demo.worlds.heightfield import sample
from demo.worlds.land_share import cube_level
from demo.worlds.parameters import ParameterError
from demo.worlds.simplex.growth import main_octaves, permutation_table
from demo.worlds.simplex.kernels import NOISE_GAIN, add_noise_row, printed_noise

PLAIN = {"detail": 0.0, "ridges": 0.0}
PRINTED = {"method": "as-printed"}


@numba.njit
def _noise(points, key, out):
    out[:] = 0
    octave = np.array([1, 0, 0, 0, 1], np.float32)
    add_noise_row(points, octave, key, np.float32(-np.inf), np.float32(np.inf), out)


@numba.njit
def _printed(points, table, out):
    for k in range(out.size):
        out[k] = printed_noise(points[0, k], points[1, k], points[2, k], table)


def noise(points, key=1) -> np.ndarray:
    """One octave of the default noise at points (k, 3)."""
    out = np.empty(len(points), np.float32)
    _noise(np.ascontiguousarray(points.T, np.float32), np.uint32(key), out)
    return out


def grown(seed=1, at=None, **given):
    growth = generator("simplex").grow(seed, given)
    growth.advance(growth.total if at is None else at)
    return growth


def areas(n: int) -> np.ndarray:
    """Share of the sphere (n, n) that belongs to each sample of one face; six faces sum to 1."""
    line = np.linspace(-1, 1, n)
    edge = np.where(np.abs(line) == 1, 0.5, 1.0)
    area = edge[:, None] * edge / (1 + line[:, None] ** 2 + line**2) ** 1.5
    return area / (6 * area.sum())


def land_share(growth) -> float:
    return float(((growth.heights > growth.sea_level) * areas(growth.n)).sum())


@pytest.mark.parametrize("spread", [1.0, 200.0])
def test_noise_equals_the_slow_reference(spread):
    points = np.random.default_rng(1).uniform(-spread, spread, (20_000, 3)).astype(np.float32)
    slow = reference.noise(points.astype(np.float64), lambda c: reference.hashed_gradient(c, 77), 0.5, float(NOISE_GAIN))
    assert np.abs(noise(points, 77) - slow).max() < 2e-5 * spread**0.5


def test_printed_noise_equals_the_slow_reference():
    points = np.random.default_rng(2).uniform(-3, 3, (3000, 3)).astype(np.float32)
    table = permutation_table(5)
    fast = np.empty(len(points), np.float32)
    _printed(np.ascontiguousarray(points.T), table, fast)
    slow = reference.noise(points.astype(np.float64), lambda c: reference.table_gradient(c, table), 0.6, 32.0)
    # Its reach of 0.6 leaves small cliffs, over which rounding may step.
    assert np.percentile(np.abs(fast - slow), 99.5) < 2e-5 and np.abs(fast - slow).max() < 5e-3


@pytest.mark.parametrize("steps", [0, 1, 3, 8])
def test_heights_after_k_steps_are_the_first_k_octaves(steps):
    growth = generator("simplex").grow(9, {"cells": 7, **PLAIN})
    octaves, keys = main_octaves(9, generator("simplex").complete({"cells": 7, **PLAIN}))
    growth.advance(steps)
    expected = np.full(growth.heights.size, -3.25)
    weights, gain = 0.6 ** np.arange(8), generator("simplex").complete({})["gain"]
    for k in range(steps):
        points = CUBE.positions(8).reshape(-1, 3) * 2.0**k + octaves[k, 1:4]
        octave = reference.noise(points, lambda c, k=k: reference.hashed_gradient(c, keys[k]), 0.5, float(NOISE_GAIN))
        expected += gain * 27.75 * weights[k] / weights.sum() * octave
    assert np.abs(growth.heights.reshape(-1) - np.clip(expected, -31, 24.5)).max() < 2e-3


@pytest.mark.parametrize("gain", [None, 1.3])
def test_as_printed_is_the_articles_sum(gain):
    """The mean of the octaves by their amplitudes, from bound to bound; and times a gain where one is asked for."""
    growth = grown(4, cells=6, **PRINTED, **({"gain": gain} if gain else {}))
    weights, table = 0.6 ** np.arange(8), permutation_table(4)
    points = CUBE.positions(7).reshape(-1, 3)
    total = sum(
        w * reference.noise(points * 2.0**k, lambda c: reference.table_gradient(c, table), 0.6, 32.0)
        for k, w in enumerate(weights)
    )
    expected = np.clip(-3.25 + (gain or 1.0) * 27.75 * total / weights.sum(), -31, 24.5)
    apart = np.abs(growth.heights.reshape(-1) - expected)
    assert np.percentile(apart, 95) < 1e-3 and apart.max() < 0.2  # the cliffs again
    assert growth.total == 8 and growth.sea_level == 0.0


def test_the_permutation_is_whole_and_repeated():
    table = permutation_table(3)
    assert table.shape == (512,) and np.array_equal(table[:256], table[256:])
    assert np.array_equal(np.sort(table[:256]), np.arange(256))
    assert not np.array_equal(table, permutation_table(4))


def test_noise_is_bounded_and_centred():
    octave = noise(np.random.default_rng(3).uniform(-300, 300, (500_000, 3)))
    assert np.abs(octave).max() < 1.02
    assert abs(octave.mean()) < 3e-3 and 0.29 < octave.std() < 0.32


def correlations(direction, lag, pairs=300_000) -> float:
    start = np.random.default_rng(4).uniform(-2000, 2000, (pairs, 3))
    a, b = noise(start), noise(start + lag * np.asarray(direction) / np.linalg.norm(direction))
    return float((a * b).mean() / (a * a).mean())


@pytest.mark.parametrize("lag", [0.1, 0.3, 0.5])
def test_noise_is_isotropic(lag):
    axes = [correlations(d, lag) for d in ((1, 0, 0), (0, 1, 0), (0, 0, 1))]
    others = [correlations(d, lag) for d in ((1, 1, 0), (0, 1, -1), (1, 1, 1), (1, -1, 1), (3, 1, -2))]
    assert np.ptp(axes + others) < 0.012


def peak(field: np.ndarray) -> float:
    """The greatest ratio of the mean power spectrum along the last axis to its own running median."""
    power = (np.abs(np.fft.rfft(field * np.hanning(field.shape[1]), axis=1)) ** 2).mean(axis=0)
    windows = np.lib.stride_tricks.sliding_window_view(power, 33)
    return float((power[16:-16] / np.median(windows, axis=1))[4:200].max())


def lines(direction, rows=1500, length=1024, step=1 / 12) -> np.ndarray:
    starts = np.random.default_rng(5).uniform(-900, 900, (rows, 1, 3))
    return (starts + np.arange(length)[:, None] * step * np.asarray(direction)).reshape(-1, 3).astype(np.float32)


@pytest.mark.parametrize("direction", [(1, 0, 0), (0, 0, 1), (1, 1, 0), (1, 1, 1), (5 / 6, -1 / 6, -1 / 6)])
def test_the_spectrum_has_no_lattice_peaks(direction):
    assert peak(noise(lines(direction)).reshape(1500, 1024)) < 1.35


def test_that_spectrum_would_show_a_weak_hash():
    points = lines((5 / 6, -1 / 6, -1 / 6), rows=100).astype(np.float64)
    weak = reference.noise(points, lambda c: reference.hashed_gradient(c, 1, reference.one_multiply), 0.5, 64.0)
    assert peak(weak.reshape(100, 1024)) > 2.0


@pytest.mark.parametrize("given", [{}, PRINTED, {"octaves": 1, "low": -5.0, "high": 1.0}, {"ridges": 1.0, "detail": 1.0}])
def test_heights_stay_within_the_bounds_at_every_step(given):
    for seed in range(5):
        growth = generator("simplex").grow(seed, {"cells": 20, **given})
        for step in range(growth.total + 1):
            growth.advance(step)
            assert growth.heights.min() >= given.get("low", -31.0) and growth.heights.max() <= given.get("high", 24.5)


@pytest.mark.parametrize("given", [PLAIN, {}, PRINTED], ids=["plain", "default", "as-printed"])
def test_continuous_across_all_edges_and_corners(given):
    n = 97
    heights = grown(2, cells=n - 1, octaves=5, **given).heights
    inside = max(np.abs(np.diff(heights, axis=axis)).max() for axis in (1, 2))
    along, pairs = np.arange(n), set()
    for face in range(6):
        for i, j, i1, j1 in (
            (-1, along, 0, along),
            (n, along, n - 1, along),
            (along, -1, along, 0),
            (along, n, along, n - 1),
        ):
            there, u, v = CUBE.beyond(face, i, j, n)
            step = np.abs(sample(heights, there, u, v) - heights[face, j1, i1])
            assert step.max() <= 1.01 * inside
            pairs |= {frozenset((face, other)) for other in there[1:-1].tolist()}
    assert len(pairs) == 12
    copies, owners = CUBE.seams(n)
    corners = [(f * n + j) * n + i for f in range(6) for j in (0, n - 1) for i in (0, n - 1)]
    assert len(set(corners) - set(copies.tolist())) == 8
    assert np.array_equal(heights.reshape(-1)[copies], heights.reshape(-1)[owners])


def test_a_finer_lattice_has_the_same_heights():
    coarse, fine = grown(3, cells=24).heights, grown(3, cells=48).heights
    assert np.array_equal(coarse, fine[:, ::2, ::2])


def test_octaves_come_in_by_persistence():
    growth = generator("simplex").grow(6, {"cells": 64, **PLAIN})
    steps = []
    for step in range(1, 9):
        before = growth.heights.copy()
        growth.advance(step)
        steps.append((growth.heights - before).std())
    # The first few octaves have too few cells on a sphere for their deviation to be exact.
    assert np.allclose(np.array(steps[4:]) / steps[3:-1], 0.6, atol=0.05)


def test_mountains_rise_on_land_and_leave_the_sea():
    before, after = grown(5, cells=64, at=9), grown(5, cells=64)
    assert after.total == 10
    sea = before.heights <= before.sea_level
    assert np.array_equal(before.heights[sea], after.heights[sea])
    assert after.heights[~sea].min() >= before.sea_level
    assert (after.heights - before.heights).max() > 5.0
    assert after.sea_level == pytest.approx(before.sea_level, abs=0.02)


@settings(max_examples=20)
@given(seed=st.integers(-(2**70), 2**70), land=st.floats(0.01, 0.99), cells=st.integers(1, 40))
def test_the_land_share_is_exact_by_area(seed, land, cells):
    growth = grown(seed, cells=cells, land=land)
    area = np.broadcast_to(areas(cells + 1), growth.heights.shape)
    share = land_share(growth)
    at_level = area[growth.heights == growth.sea_level].sum()
    assert share <= land + 1e-6 <= share + at_level + 2e-6


def test_the_level_of_land_is_that_of_sorting():
    heights = np.random.default_rng(6).normal(0, 9, (6, 33, 33)).astype(np.float32)
    area = np.broadcast_to(areas(33), heights.shape).reshape(-1)
    order = np.argsort(heights.reshape(-1))
    for land in (0.1, 0.36, 0.9):
        level = heights.reshape(-1)[order][np.searchsorted(np.cumsum(area[order]), 1 - land)]
        assert cube_level(heights, land) == level


@pytest.mark.parametrize("given", [{**PRINTED, "gain": 1.3}, {"land": "printed"}, {"land": "printed", **PLAIN}], ids=str)
def test_with_a_gain_the_printed_bounds_give_the_33_to_40_percent_of_land_that_the_article_chose_them_for(given):
    shares = [land_share(grown(seed, cells=20, **given)) for seed in range(100)]
    assert 0.335 < np.mean(shares) < 0.395


def test_to_the_letter_the_bounds_give_less_and_cut_nothing_off():
    planets = [grown(seed, cells=20, **PRINTED) for seed in range(100)]
    assert np.mean([land_share(planet) for planet in planets]) == pytest.approx(0.308, abs=0.01)
    assert max(planet.heights.max() for planet in planets) < 24.5 and min(planet.heights.min() for planet in planets) > -31.0


def test_as_printed_takes_land_and_mountains_where_they_are_asked_for():
    assert land_share(grown(3, cells=40, land=0.5, **PRINTED)) == pytest.approx(0.5, abs=0.005)
    plain, raised = grown(3, cells=20, **PRINTED), grown(3, cells=20, ridges=1.0, detail=0.5, **PRINTED)
    assert (plain.total, raised.total) == (8, 10)
    assert raised.heights.max() > plain.heights.max()


def test_an_octave_too_fine_for_float32_is_refused():
    with pytest.raises(ParameterError, match=r"^octaves=16, .* are not possible together: .* lower one of the three$"):
        generator("simplex").grow(1, {"octaves": 16, "lacunarity": 2.5})


def test_memory_stays_within_the_bar():
    grown(cells=8)
    tracemalloc.start()
    try:
        growth = grown(cells=700)
        assert np.isfinite(growth.sea_level)
        peak_bytes = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak_bytes <= 3 * growth.heights.nbytes


SCRIPT = """
import zlib
from demo.catalogue.generators import generator
growth = generator("simplex").grow(11, {"cells": 37})
growth.advance(growth.total)
print(zlib.crc32(growth.heights.tobytes()), growth.sea_level)
"""


def without(*names: str) -> str:
    """This processor's features without some."""
    features = llvm.get_host_cpu_features()
    return ",".join(("+" if on and name not in names else "-") + name for name, on in features.items())


@pytest.mark.parametrize(
    "target",
    [
        {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": "", "NUMBA_NUM_THREADS": "1"},
        {"NUMBA_CPU_FEATURES": without("fma", "fma4", "avx2", "avx512f"), "NUMBA_NUM_THREADS": "2"},
        {"NUMBA_CPU_FEATURES": without("prefer-256-bit"), "NUMBA_NUM_THREADS": "1"},
    ],
    ids=["generic", "narrow", "wide"],
)
def test_the_same_bits_on_every_processor(target):
    root = str(Path(__file__).resolve().parents[2])
    env = {**os.environ, **target, "PYTHONPATH": root}
    told = subprocess.run([sys.executable, "-c", SCRIPT], env=env, capture_output=True, text=True, check=True, cwd=root)
    growth = grown(11, cells=37)
    assert told.stdout.split() == [str(zlib.crc32(growth.heights.tobytes())), str(growth.sea_level)]


def test_each_octave_has_a_key_and_a_place_of_its_own():
    octaves, keys = main_octaves(1, generator("simplex").complete({"cells": 1, "octaves": 16}))
    assert len(set(keys.tolist())) == 16
    assert len(np.unique(octaves[:, 1:4])) == 48
