"""Kernels that are called in the frame loop, on the main thread.

Compiled by numba, which is imported with the first of them and not before the first picture.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from typing import Any


@cache
def compiled(kernel: Callable[..., Any]) -> Callable[..., Any]:
    """A kernel, compiled unless the environment says otherwise."""
    if os.environ.get("NUMBA_DISABLE_JIT"):
        return kernel
    # numba takes half a second to import: the first picture does not wait for it.
    import numba

    from ..worlds.kernels import OPTIONS

    return numba.njit(**OPTIONS)(kernel)
