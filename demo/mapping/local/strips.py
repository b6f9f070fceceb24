"""What is made strip by strip, brought together: tables, and the closed rings that lines of many triangles make."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields
from typing import TypeVar

import numpy as np

from ...worlds.doublecone import global_mesh as meshes
from .courses import Network
from .fine_mesh import Ground, Strip

Table = TypeVar("Table")


def traced(
    kernel: Callable, ground: Ground, network: Network, strip: Strip, owner: np.ndarray, first: int, last: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(arcs, vertices, first) by one of the kernels that follow lines through the triangles of a strip's belts first ..
    last - 1; `owner`: the global point of each dry local one."""
    place, corner = strip.triangles(ground, first, last)
    return kernel(
        place,
        corner,
        ground.catchment,
        ground.steps,
        ground.fine_cells,
        strip.start,
        strip.base,
        strip.ring,
        ground.body,
        ground.level_m,
        ground.receiver,
        network.runs,
        strip.heights_m,
        strip.wet,
        owner,
        ground.tolerance,
        meshes.ring_sines(ground.cells),
    )


def joined(parts: Sequence[Table], counted: str) -> Table:
    """The tables of all strips as one, in their order: dataclasses of arrays.

    Their field `first` says where each thing begins in the field `counted`, and where the last one ends.
    """
    counts = np.cumsum([0] + [len(getattr(part, counted)) for part in parts])
    columns = {field.name: [getattr(part, field.name) for part in parts] for field in fields(parts[0])}
    begins = [first[:-1] + before for first, before in zip(columns["first"], counts, strict=False)]
    columns["first"] = [*begins, counts[-1:]]
    return type(parts[0])(**{name: np.concatenate(column) for name, column in columns.items()})


def cycles(following: np.ndarray, order: np.ndarray) -> Iterator[list[int]]:
    """The closed ways of lines, line k being followed by following[k]: each from its first one in `order` on."""
    ahead = following.tolist()
    seen = np.zeros(len(ahead), bool)
    for start in order.tolist():
        members, k = [], start
        while not seen[k]:
            seen[k] = True
            members.append(k)
            k = ahead[k]
        if members:
            yield members


def edge_key(one: np.ndarray, two: np.ndarray) -> np.ndarray:
    """A number for the global edge between two points, int64, the same in either direction."""
    low, high = np.minimum(one, two).astype(np.int64), np.maximum(one, two).astype(np.int64)
    return low << 32 | high
