"""The shapes of lakes: the fine relief around their global points, flooded until each has its area."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...worlds.doublecone import global_mesh as meshes
from ...worlds.doublecone.local_mesh import displacement_m
from ...worlds.doublecone.ring_spans import refine_spans, spans_of
from ...worlds.hashing import stream_key, uniforms_at
from .condition_kernels import LakeShapes
from .fine_mesh import FineMesh, belts_per_strip, raw_rings
from .fine_mesh_kernels import NONE, StripMesh
from .lake_bank_kernels import lay_banks
from .lake_shape_kernels import LakeTriangles, flood
from .strip_rows import in_order, ring_of_points, rows_of, whole_ring_of_points, whole_rows

# A lake over more belts keeps the shape that conditioning gives it: its shores are those of the global mesh.
MOST_BELTS = 24
TROUGH_STREAM, BANK_STREAM = 3220, 3221
# The least mean depth that banks are measured by, in metres.
SHALLOW_M = np.float32(10.0)


def without_lakes(triangles: int, ln: int) -> LakeShapes:
    """No shapes, for a mesh of so many triangles."""
    side, none = 2**ln + 1, np.zeros(0, np.float32)
    return LakeShapes(np.full(triangles, NONE, np.int32), np.zeros((0, side, side), np.int8), none, none)


def lake_shapes_of(
    mesh: FineMesh, area: np.ndarray, seas: int, flow_m3_s: np.ndarray, wanted: np.ndarray | None = None
) -> LakeShapes:
    """The shapes of a planet's lakes, whose bodies follow those of the `seas`.

    `area`: float64 (lakes,), how large they are, in parts of the sphere. `flow_m3_s`: float64 (points,), what each global
    point passes on. `wanted`: bool (lakes,), the lakes that need a shape; None for all.
    """
    shapes = without_lakes(len(mesh.triangles.place), mesh.ln)
    if len(area) == 0 or mesh.ln == 0:
        return shapes
    lake = mesh.body[mesh.triangles.corner].max(axis=1) - seas
    own = np.flatnonzero(lake >= 0)
    own = own[np.argsort(lake[own], kind="stable")]
    belt = mesh.triangles.place[:, 1:].sum(axis=1)
    begins = np.searchsorted(lake[own], np.arange(len(area) + 1))
    low, high = (reduce.reduceat(belt[own], begins[:-1]) for reduce in (np.minimum, np.maximum))
    banks, rises, depths = [shapes.bank], [shapes.rise_m], [shapes.depth_m]
    row, across = shapes.row, _across(mesh, own, seas, flow_m3_s)
    made = 0
    per = belts_per_strip(mesh)
    if wanted is None and per == 1:
        # Whole belts would be too long: each lake is made from what is around it.
        wanted = np.ones(len(area), bool)
    for some in _groups(low, high, per) if wanted is None else _singly(low, high, wanted):
        span = [own[begins[k] : begins[k + 1]] for k in some.tolist()]
        which = np.concatenate(span)
        row[which] = np.arange(made, made + len(which), dtype=np.int32)
        made += len(which)
        belts = (int(low[some].min()), int(high[some].max())) if wanted is None else None
        flooded = _flooded(mesh, some, span, area, across, seas, belts)
        for all_of_them, more in zip((banks, rises, depths), flooded, strict=True):
            all_of_them.append(more)
    return LakeShapes(row, np.concatenate(banks), np.concatenate(rises), np.concatenate(depths))


def _groups(low: np.ndarray, high: np.ndarray, belts: int) -> Iterator[np.ndarray]:
    """The numbers of lakes that begin in one strip, strip by strip; `low`, `high`: their first and last belts."""
    strip = np.where(high - low < MOST_BELTS, low // belts, NONE)
    for number in np.unique(strip[strip >= 0]):
        yield np.flatnonzero(strip == number)


def _singly(low: np.ndarray, high: np.ndarray, wanted: np.ndarray) -> Iterator[np.ndarray]:
    """The numbers of the `wanted` lakes that have a shape, one by one."""
    yield from np.flatnonzero(wanted & (high - low < MOST_BELTS))[:, None]


def _ground(mesh: FineMesh, which: np.ndarray, belts: tuple[int, int] | None) -> StripMesh:
    """The raw relief of the triangles `which`: on all rings of the `belts` first .. last, or without these around them."""
    n, fine, planet, ln = mesh.steps, mesh.fine_cells, mesh.planet, mesh.ln
    dry = np.zeros(0, np.uint8)
    if belts is None:
        t = mesh.triangles
        window, raw = refine_spans(planet, ln, spans_of(mesh.cells, t.place[which, 1:].sum(axis=1), t.corner[which]))
        return StripMesh(n, fine, *rows_of(window), ring_of_points(window), in_order(window, raw), dry)
    first, last = belts[0] * n, (belts[1] + 1) * n
    raw = raw_rings(planet, ln, first, last)
    return StripMesh(n, fine, *whole_rows(fine, first), whole_ring_of_points(fine, first, last), raw, dry)


def _flooded(
    mesh: FineMesh,
    some: np.ndarray,
    span: list[np.ndarray],
    area: np.ndarray,
    across: np.ndarray,
    seas: int,
    belts: tuple[int, int] | None,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(`bank`, `rise_m`, `depth_m`) of the lakes `some` as `LakeShapes` has them.

    `span`: their triangles. `belts`: as `_ground` takes them.
    """
    n, fine, which = mesh.steps, mesh.fine_cells, np.concatenate(span)
    strip = _ground(mesh, which, belts)
    first = np.cumsum([0] + [len(part) for part in span])
    body = (some + seas).astype(np.int32)
    of = np.repeat(np.arange(len(some)), np.diff(first))
    corner = mesh.triangles.corner[which]
    mine = mesh.body[corner] == body[of][:, None]
    point = corner[first[:-1], mine[first[:-1]].argmax(axis=1)]
    rough = displacement_m(mesh.planet)[point]
    narrow = _narrow(mesh, point)
    lakes = LakeTriangles(first, mesh.triangles.place[which], corner, body, area[some], rough, narrow, across[which])
    wet, bank = (np.zeros((len(which), n + 1, n + 1), kind) for kind in (np.uint8, np.int8))
    top, mean = np.zeros(len(some), np.float32), np.zeros(len(some))
    flood(lakes, strip, mesh.body, mesh.coast, meshes.ring_weights(fine, mesh.planet.atlas), wet, top, mean)
    lay_banks(lakes.place, strip, wet, np.uint32(stream_key(mesh.planet.seed, BANK_STREAM) & 0xFFFFFFFF), bank)
    grown = np.isfinite(top)
    rise = np.where(grown, mesh.level_m[point] - top, np.float32(0.0)).astype(np.float32)
    depth = np.maximum(np.where(grown, top - mean, 0.0), SHALLOW_M).astype(np.float32)
    return bank, rise[of], depth[of]


def _across(mesh: FineMesh, own: np.ndarray, seas: int, flow_m3_s: np.ndarray) -> np.ndarray:
    """How far the corners of the triangles lie off the troughs of lakes, float32 (triangles, 3); `own`: those with a lake.

    The trough of a lake with one global point runs from the greatest river into it to the river out of it. A larger lake
    has none: its points tell its way.
    """
    points = np.arange(len(mesh.body))
    large = np.bincount(mesh.body[mesh.body >= 0], minlength=seas)[np.maximum(mesh.body, 0)] > 1
    small = (mesh.body >= seas) & ~large
    to = np.maximum(mesh.receiver, 0)
    feeds = np.flatnonzero((mesh.receiver >= 0) & (mesh.body < 0) & small[to])
    feeds = feeds[np.lexsort((feeds, -flow_m3_s[feeds], to[feeds]))]
    feeder = np.full(len(points), NONE, np.int64)
    feeder[to[feeds[::-1]]] = feeds[::-1]
    corner = mesh.triangles.corner[own]
    lake = np.take_along_axis(corner, (mesh.body[corner] >= seas).argmax(axis=1)[:, None], axis=1)
    off = small[lake] & (corner != lake) & (corner != mesh.receiver[lake]) & (corner != feeder[lake])
    off &= (mesh.receiver[lake] >= 0) | (feeder[lake] >= 0)
    across = np.zeros((len(mesh.triangles.corner), 3), np.float32)
    across[own] = off
    return across


def _narrow(mesh: FineMesh, point: np.ndarray) -> np.ndarray:
    """How narrow the troughs of lakes at global points are, float32 0..1: by chance, half of them more than 0.7."""
    return np.sqrt(uniforms_at(mesh.planet.seed, TROUGH_STREAM, point)).astype(np.float32)
