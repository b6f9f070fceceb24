"""Damaged caches of compiled kernels: files cut short, with flipped bits, gone, or of another kind. Worlds stay the same."""

from __future__ import annotations

import os
import shutil
from functools import cache
from pathlib import Path
from random import Random

import numpy as np

from demo.catalogue.generators import generator

from . import values
from .case import Case

CELLS = 8
# The folders of numba's cache that a plasma terrain needs.
_FOLDERS = "plasma_*"


def make(random: Random) -> Case:
    """A terrain from kernels in a cache with a few files that are damaged."""
    damages = [(random.random(), random.randrange(8), random.random()) for _ in range(random.choice((1, 1, 2, 5)))]
    words = ["grow", "plasma", "out.npz", "--seed", "1", "--set", f"cells={CELLS}"]
    text = values.odd(random)
    return Case(
        words,
        lay=lambda here: _lay(here.parent / "cache", damages, text),
        variables={"NUMBA_CACHE_DIR": "../cache"},
        fresh=True,
        check=_is_right,
    )


def _lay(folder: Path, damages: list[tuple[float, int, float]], text: str) -> None:
    """A copy of the cache, outside of the folder in which nothing may be left behind."""
    folder.mkdir(mode=0o700)
    for part in Path(os.environ["NUMBA_CACHE_DIR"]).glob(_FOLDERS):
        shutil.copytree(part, folder / part.name)
    for where, kind, place in damages:
        # An earlier damage may have taken a file away, or put a folder in its place.
        files = sorted(path for path in folder.rglob("*") if path.is_file())
        if files:
            _damage(files[int(where * len(files))], kind, place, text)


def _damage(path: Path, kind: int, place: float, text: str) -> None:
    data = bytearray(path.read_bytes())
    at = int(place * max(len(data) - 1, 0))
    if kind == 0:
        path.write_bytes(b"")
    elif kind == 1:
        path.write_bytes(data[:at])
    elif kind in (2, 3) and data:
        data[at] ^= 1 << kind
        path.write_bytes(data)
    elif kind == 4:
        path.write_bytes(data + b"more")
    elif kind == 5:
        path.write_bytes(text.encode(errors="surrogateescape"))
    else:
        path.unlink()
        if kind == 7:
            path.mkdir()


@cache
def _right() -> np.ndarray:
    return generator("plasma").world(1, {"cells": CELLS}).heights


def _is_right(here: Path) -> str | None:
    with np.load(here / "out.npz", allow_pickle=False) as arrays:
        return None if np.array_equal(arrays["heights"], _right()) else "the world has other heights"
