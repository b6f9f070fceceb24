"""The random numbers: plain Python, numpy and numba give the same; they are spread evenly; streams do not repeat."""

from __future__ import annotations

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from demo.worlds import hashing, kernels

SEEDS = st.integers(-(2**70), 2**70)
STREAMS = st.integers(0, 2**16)
INDICES = st.integers(0, 2**48)
WORDS = st.integers(0, 2**32 - 1)


def hash32_python(key, x, y, z):
    mask = 0xFFFFFFFF
    h = (key ^ x * 0x9E3779B1 ^ y * 0x85EBCA77 ^ z * 0xC2B2AE3D) & mask
    h = ((h ^ h >> 15) * 0x2C1B3C6D) & mask
    h = ((h ^ h >> 12) * 0x297A2D39) & mask
    return h ^ h >> 15


@numba.njit
def signed(h):
    return kernels.signed_unit32(h)


@given(SEEDS, STREAMS, INDICES)
def test_python_and_numba_agree(seed, stream, index):
    key = np.uint64(hashing.stream_key(seed, stream))
    assert int(kernels.hash64(key, np.uint64(index))) == hashing.bits(seed, stream, index)
    assert kernels.uniform64(key, np.uint64(index)) == hashing.uniform(seed, stream, index)


@given(SEEDS, STREAMS, INDICES, st.integers(0, 20))
def test_python_and_numpy_agree(seed, stream, start, count):
    many = hashing.uniforms(seed, stream, count, start)
    assert many.dtype == np.float64 and many.shape == (count,)
    assert many.tolist() == [hashing.uniform(seed, stream, start + k) for k in range(count)]


@given(WORDS, *[st.integers(-(2**31), 2**32 - 1)] * 3)
def test_hash32_is_the_same_in_python_and_numba(key, x, y, z):
    assert int(kernels.hash32(np.uint32(key), x, y, z)) == hash32_python(key, x, y, z)


@given(WORDS)
def test_signed_unit_is_exact(h):
    value = signed(np.uint32(h))
    assert isinstance(value, float) and -1.0 <= value < 1.0
    assert value == ((h >> 8) - 2**23) / 2**23


@given(st.integers(0, 2**64 - 1))
def test_the_mixer_is_a_bijection_of_64_bits(x):
    y = hashing.mix64(x)
    assert 0 <= y < 2**64
    assert unmix64(y) == x


@given(st.lists(st.integers(0, 2**64 - 1)))
def test_arrays_are_mixed_as_numbers_are(many):
    assert hashing.mixed(np.array(many, np.uint64)).tolist() == [hashing.mix64(x) for x in many]


def unmix64(x):
    mask = hashing.MASK64
    x ^= x >> 31 ^ x >> 62
    x = x * pow(0x94D049BB133111EB, -1, 2**64) & mask
    x ^= x >> 27 ^ x >> 54
    x = x * pow(0xBF58476D1CE4E5B9, -1, 2**64) & mask
    return x ^ x >> 30 ^ x >> 60


@pytest.mark.parametrize("seed", [0, -1, 12345, 2**64 - 1])
def test_uniforms_are_spread_evenly(seed):
    draws = hashing.uniforms(seed, 3, 64_000)
    counts = np.bincount((draws * 64).astype(int), minlength=64)
    chi_squared = float(((counts - 1000.0) ** 2 / 1000.0).sum())
    assert chi_squared < 120  # 63 degrees of freedom: beyond this once in 50,000
    assert abs(np.corrcoef(draws[1:], draws[:-1])[0, 1]) < 0.02


def test_streams_and_neighbouring_seeds_do_not_repeat():
    keys = {hashing.stream_key(seed, stream) for seed in range(-50, 50) for stream in range(50)}
    assert len(keys) == 5000
    assert hashing.stream_key(5, 1) == hashing.stream_key(5 + 2**64, 1)


def test_hash32_over_a_lattice_has_no_pattern():
    n = 128
    key = 0x1234567
    field = np.array([[hash32_python(key, x, y, 0) for x in range(n)] for y in range(n)]) / 2**32 - 0.5
    spectrum = np.abs(np.fft.rfft2(field)) ** 2
    expected = n * n / 12.0
    assert spectrum.max() / expected < 20  # a lattice peak would stand far above; white noise stays below about 15
