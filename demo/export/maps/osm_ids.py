"""Ids of OpenStreetMap objects, from their places and kinds: a thing keeps its id when another one is added.

They are at most 2^31, because tools hold sets of ids as arrays of bits. Ids of nodes rise with latitude, so nodes that are
neighbours in a file are also neighbours on the planet, which makes it smaller. Nodes in different rows of latitude never
have the same id, so the ids of a run of rows are made without the others.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

# A position's key has the latitude in its upper half, 180 degrees in units of 1e-7; so have ids of nodes.
_LATITUDES = np.uint64(1_800_000_001)
_ROW_BITS, _BITS = np.uint64(15), np.uint64(31)
_HALF = np.uint64(32)
# Vertices whose ids are made at once, but for the rest of their last row: they take ten times the memory of their ids.
RUN = 1 << 16


class NodeRun(NamedTuple):
    """Nodes whose ids lie between those of the runs before and behind: the vertices begin .. end - 1, and some `points`."""

    begin: int
    end: int
    points: np.ndarray


def kind_key(kind: str) -> np.uint64:
    """A number for a kind of objects."""
    return np.uint64(zlib.crc32(kind.encode()))


def node_ids(keys: np.ndarray, kind: np.ndarray) -> np.ndarray:
    """Distinct ids, int64 (k,), of nodes.

    `keys`: their positions, as `osm_objects.keys_of` has them; `kind`: uint64 (k,), see `kind_key`.
    """
    return _distinct(_row(keys) << (_BITS - _ROW_BITS), _BITS - _ROW_BITS, _mixed(keys ^ (kind << _HALF)))


def node_runs(vertices: np.ndarray, points: np.ndarray, most: int = RUN) -> Iterator[NodeRun]:
    """All nodes in runs of whole rows from the south, about `most` vertices in each.

    `vertices`: their positions, ascending, `points`: those of points, in any order.
    """
    row, begin, low = _row(points), 0, np.uint64(0)
    while begin < len(vertices):
        last = min(begin + most, len(vertices)) - 1
        high = _row(vertices[last : last + 1])[0] + np.uint64(1)
        end = int(np.searchsorted(vertices, _first_key(high)))
        if end == len(vertices):
            break
        yield NodeRun(begin, end, np.flatnonzero((row >= low) & (row < high)))
        begin, low = end, high
    yield NodeRun(begin, len(vertices), np.flatnonzero(row >= low))


def _row(keys: np.ndarray) -> np.ndarray:
    return ((keys >> _HALF) << _ROW_BITS) // _LATITUDES


def _first_key(row: np.uint64) -> np.uint64:
    """The least key that may lie in a row."""
    return np.uint64(-(-int(row) * int(_LATITUDES) // (1 << int(_ROW_BITS))) << int(_HALF))


def ids_of(places: np.ndarray) -> np.ndarray:
    """Distinct ids, int64 (k,), of ways or relations; `places`: uint64 (k, c), numbers that tell them apart."""
    mixed = np.zeros(len(places), np.uint64)
    for column in places.T:
        mixed = _mixed(mixed ^ column)
    return _distinct(np.zeros(len(places), np.uint64), _BITS, mixed)


def _distinct(base: np.ndarray, bits: np.uint64, mixed: np.ndarray) -> np.ndarray:
    """base + 1 + some `bits` of `mixed`; of those that would have the same id all but the first are mixed again."""
    order = np.argsort(mixed, kind="stable")
    base, mixed = base[order], mixed[order]
    mask = (np.uint64(1) << bits) - np.uint64(1)
    tries = np.zeros(len(mixed), np.int64)
    while True:
        ids = base + (mixed & mask) + np.uint64(1)
        # Who has the id from an earlier try keeps it.
        rank = np.lexsort((tries, ids))
        again = rank[1:][ids[rank[1:]] == ids[rank[:-1]]]
        if len(again) == 0:
            break
        mixed[again] = _mixed(mixed[again])
        tries[again] += 1
    out = np.empty(len(ids), np.int64)
    out[order] = ids.astype(np.int64)
    return out


def _mixed(x: np.ndarray) -> np.ndarray:
    """The mixer of `worlds.hashing` for uint64 arrays."""
    with np.errstate(over="ignore"):
        x = x + np.uint64(0x9E3779B97F4A7C15)
        x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return x ^ (x >> np.uint64(31))
