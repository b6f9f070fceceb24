"""The compiled side of `hashing`, and the options every kernel of Landfall is compiled with.

It imports numba, so it is imported lazily: only after the first picture is on screen.
"""

from __future__ import annotations

import contextlib
from typing import Any

import numba
import numpy as np

# Before the first kernel is declared, here or in a module that takes its options from here. It stands on parts of numba that
# are not public: another numba, without them, keeps its own cache.
with contextlib.suppress(ImportError, AttributeError):
    from . import kernel_cache

    kernel_cache.install()

# No fastmath where heights are decided: its bits depended on the number of threads and on the processor.
# nogil lets frames go on; cache keeps the second start short.
# Nothing calls a kernel from C, so there is no wrapper for it.
# Typed Any, because numba's own annotations want each option by name and not from a table.
OPTIONS: dict[str, Any] = {"nogil": True, "cache": True, "error_model": "numpy", "no_cfunc_wrapper": True}
# For small ones, put into their callers by LLVM: numba's inline="always" infers all types again at each call, and the caller
# takes up to five times as long to compile. Both give the same bits.
INLINED: dict[str, Any] = {**OPTIONS, "forceinline": True}
# numba checks no bounds in parallel code. Where it is told to check them (NUMBA_BOUNDSCHECK=1), all kernels are serial.
PARALLEL: dict[str, Any] = OPTIONS if getattr(numba.config, "BOUNDSCHECK", 0) else {**OPTIONS, "parallel": True}

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_M1 = np.uint64(0xBF58476D1CE4E5B9)
_M2 = np.uint64(0x94D049BB133111EB)


@numba.njit(forceinline=True, **OPTIONS)
def hash64(key, index):
    """64 random bits; `key` is `hashing.stream_key` as uint64. Equals `hashing.bits`."""
    x = np.uint64(key) + (np.uint64(index) + np.uint64(1)) * _GOLDEN
    x = (x ^ (x >> np.uint64(30))) * _M1
    x = (x ^ (x >> np.uint64(27))) * _M2
    return x ^ (x >> np.uint64(31))


@numba.njit(forceinline=True, **OPTIONS)
def uniform64(key, index):
    """Uniform float64 in [0, 1). Equals `hashing.uniform`."""
    return np.float64(hash64(key, index) >> np.uint64(11)) * 2.0**-53


@numba.njit(forceinline=True, **OPTIONS)
def hash32(key, x, y, z):
    """32 random bits of three lattice coordinates. It multiplies 32-bit numbers only, so that loops over it vectorise.

    `key`: uint32, the low half of a `stream_key`; x, y, z are taken modulo 2^32. Every step is cast back to uint32, because
    numba widens integer products to 64 bits.
    """
    h = np.uint32(key)
    h = np.uint32(h ^ np.uint32(np.uint32(x) * np.uint32(0x9E3779B1)))
    h = np.uint32(h ^ np.uint32(np.uint32(y) * np.uint32(0x85EBCA77)))
    h = np.uint32(h ^ np.uint32(np.uint32(z) * np.uint32(0xC2B2AE3D)))
    h = np.uint32(h ^ np.uint32(h >> np.uint32(15)))
    h = np.uint32(h * np.uint32(0x2C1B3C6D))
    h = np.uint32(h ^ np.uint32(h >> np.uint32(12)))
    h = np.uint32(h * np.uint32(0x297A2D39))
    return np.uint32(h ^ np.uint32(h >> np.uint32(15)))


@numba.njit(**INLINED)
def signed_unit32(h):
    """The float32 in [-1, 1) of a uint32 hash, exact in 24 bits."""
    return np.float32(np.int32(np.uint32(h >> np.uint32(8))) - np.int32(1 << 23)) * np.float32(2.0**-23)
