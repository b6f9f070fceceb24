"""Counter-based random numbers: every draw is a hash of (seed, stream, index).

No generator has a state that could depend on the order of calls, so a growth can be rewound, resumed, split over threads
and repeated on any machine. This module is plain Python and numpy, for places that must not wait for numba (suns, star
fields). `kernels.py` has the same functions compiled; a test compares the two.

The mixer is the finaliser of SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", 2014).
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

MASK64 = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15


def mix64(x: int) -> int:
    """A bijection of the 64-bit integers; every input bit affects every output bit."""
    x &= MASK64
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & MASK64
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & MASK64
    return x ^ (x >> 31)


def mixed(x: np.ndarray) -> np.ndarray:
    """`mix64` of all numbers of a uint64 array, in its shape."""
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


def stream_key(seed: int, stream: int) -> int:
    """The 64-bit key of one stream of one seed. Negative and huge seeds are taken modulo 2^64."""
    return mix64(mix64(seed + GOLDEN) + (stream + 1) * GOLDEN)


def bits(seed: int, stream: int, index: int) -> int:
    """64 random bits of (seed, stream, index)."""
    return mix64(stream_key(seed, stream) + (index + 1) * GOLDEN)


@lru_cache(maxsize=1024)
def uniform(seed: int, stream: int, index: int) -> float:
    """A float64, uniform in [0, 1) with 53 bits, of (seed, stream, index)."""
    return (bits(seed, stream, index) >> 11) * 2.0**-53


def uniforms(seed: int, stream: int, count: int, start: int = 0) -> np.ndarray:
    """`uniform` for the indices start .. start + count - 1: float64 (count,)."""
    return uniforms_at(seed, stream, np.arange(start, start + count, dtype=np.uint64))


def uniforms_at(seed: int, stream: int, index: np.ndarray) -> np.ndarray:
    """`uniform` for all indices of an integer array: float64, in its shape."""
    with np.errstate(over="ignore"):
        x = np.uint64(stream_key(seed, stream)) + (index.astype(np.uint64) + np.uint64(1)) * np.uint64(GOLDEN)
    return (mixed(x) >> np.uint64(11)).astype(np.float64) * 2.0**-53
