"""What is made strip by strip, brought together: tables of all strips, and lines through many triangles joined to rings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from ...worlds.doublecone import global_mesh as meshes
from ...worlds.shapes import check_shape
from .courses import Network
from .fine_mesh import FineMesh, Strip

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Table = TypeVar("Table", bound="DataclassInstance")
Traced = tuple[np.ndarray, np.ndarray, np.ndarray]


def traced(
    kernel: Callable[..., Traced],
    mesh: FineMesh,
    network: Network,
    strip: Strip,
    owner: np.ndarray,
    first: int,
    last: int,
) -> Traced:
    """(arcs, vertices, first) of the lines that `shore_kernels.trace` or `divide_kernels.borders` follow.

    The triangles are those in the belts first .. last - 1 that the strip is asked for. `owner`: as `courses.owners_of`
    returns it; raises ValueError for one of another length.
    """
    check_shape("owner", owner, len(strip.heights_m))
    here = strip.asked_in(mesh, first, last)
    place, corner = (table[here] for table in strip.triangles(mesh))
    sines = meshes.ring_sines(mesh.cells)
    # By the longer ring of a belt: the other one of a polar belt has no length.
    points, shrink = strip.points(mesh), np.maximum(sines[:-1], sines[1:])
    whole = strip.whole[here]
    made = kernel(place, corner, mesh.catchment, points, mesh.waters, network.runs, owner, mesh.tolerance, shrink, whole)
    strip.whole[here] = whole
    return made


def joined(parts: Sequence[Table], counted: str) -> Table:
    """The tables of all strips as one, in their order; a table is a dataclass of arrays.

    Its field `first` says where each row begins in the field `counted`, and where the last row ends.
    """
    counts = np.cumsum([0] + [len(getattr(part, counted)) for part in parts])
    columns = {field.name: [getattr(part, field.name) for part in parts] for field in fields(parts[0])}
    begins = [first[:-1] + before for first, before in zip(columns["first"], counts, strict=False)]
    columns["first"] = [*begins, counts[-1:]]
    return type(parts[0])(**{name: np.concatenate(column) for name, column in columns.items()})


def cycles(following: np.ndarray, order: np.ndarray) -> Iterator[list[int]]:
    """The closed rings of lines, where line following[k] follows line k; each ring begins at its first line in `order`."""
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
    """A number for the global edge between two points, int64; the same in either direction."""
    low, high = np.minimum(one, two).astype(np.int64), np.maximum(one, two).astype(np.int64)
    return low << 32 | high
