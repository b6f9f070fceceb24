"""The shapes of arrays that come from a caller, checked before a kernel takes them.

A kernel reads and writes without bounds: with an array of another shape it would take numbers from beside it, or end the
process. So every public function that hands arrays on to kernels checks them first. The kernels themselves check nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def check_shape(name: str, array: np.ndarray, *shape: int | None) -> None:
    """Raises ValueError unless `array` has this shape, in which None stands for any length."""
    fits = array.ndim == len(shape)
    if not fits or any(wanted not in (None, length) for wanted, length in zip(shape, array.shape, strict=True)):
        raise _error(name, array, _tuple(["any" if wanted is None else wanted for wanted in shape]))


def check_square(name: str, array: np.ndarray, *before: int) -> int:
    """The n of an array (*before, n, n) with n of at least 2; raises ValueError for another shape."""
    n = array.shape[-1] if array.ndim else 0
    if n < 2 or array.shape != (*before, n, n):
        raise _error(name, array, _tuple([*before, "n", "n"]) + " with n of at least 2")
    return n


def check_dtype(name: str, array: np.ndarray, dtype: type) -> None:
    """Raises ValueError unless `array` has this dtype: for arrays that are changed in place, or whose bits are read."""
    if array.dtype != dtype:
        raise ValueError(f"{name} is of {array.dtype}: it takes {np.dtype(dtype)}")


def check_indices(name: str, indices: np.ndarray, count: int) -> None:
    """Raises ValueError unless all of `indices` are from 0 to `count` - 1."""
    if indices.size and not (indices.min() >= 0 and indices.max() < count):
        raise ValueError(f"{name} has indices from {indices.min()} to {indices.max()}: it takes 0 to {count - 1}")


def _error(name: str, array: np.ndarray, wanted: str) -> ValueError:
    return ValueError(f"{name} has the shape {array.shape}: it takes {wanted}")


def _tuple(lengths: Sequence[object]) -> str:
    return "(" + ", ".join(map(str, lengths)) + ("," if len(lengths) == 1 else "") + ")"
