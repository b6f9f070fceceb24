"""The shapes of lakes: the fine relief around their global points, flooded until each has its area."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from ...worlds.doublecone import global_mesh as meshes
from ...worlds.doublecone.local_mesh import displacement_m
from ...worlds.doublecone.ring_spans import refine_spans, spans_of
from ...worlds.hashing import stream_key, uniforms_at
from .condition_kernels import LakeShapes
from .engines import Engine, Numbers, Threads
from .fine_mesh import FineMesh, belts_per_strip
from .fine_mesh_kernels import NONE, StripMesh
from .kept_parts import Arrays, Keeper, digest_of_mesh, key_of
from .lake_bank_kernels import lay_banks
from .lake_shape_kernels import LakeTriangles, flood
from .shared_arrays import Shared, mesh_from, shared_mesh
from .strip_rows import in_order, ring_of_points, rows_of

# A lake over more belts keeps the shape that conditioning gives it: its shores are those of the global mesh.
MOST_BELTS = 24
TROUGH_STREAM, BANK_STREAM = 3220, 3221
# The least mean depth that banks are measured by, in metres.
SHALLOW_M = np.float32(10.0)
# The arrays of a `LakeGround`, and those of a piece of it.
OWN, MADE = ("area", "own", "begins", "across"), ("bank", "rise_m", "depth_m")


def without_lakes(triangles: int, ln: int) -> LakeShapes:
    """No shapes, for a mesh of so many triangles."""
    side, none = 2**ln + 1, np.zeros(0, np.float32)
    return LakeShapes(np.full(triangles, NONE, np.int32), np.zeros((0, side, side), np.int8), none, none)


@dataclass(frozen=True)
class LakeGround:
    """The stage of the shapes of lakes: a piece has those of some lakes, by their numbers.

    `mesh`: without shapes. `area`: float64 (lakes,), in parts of the sphere. `own`: int64 (k,), the triangles with a lake,
    lake by lake; those of lake l are begins[l] .. begins[l + 1] - 1. `across`: float32 (k, 3), as `_across` returns it.
    """

    mesh: FineMesh
    seas: int
    area: np.ndarray
    own: np.ndarray
    begins: np.ndarray
    across: np.ndarray

    kind: ClassVar[str] = "lakes"

    @cached_property
    def digest(self) -> str:
        """As in `Stage`."""
        mesh = self.mesh
        waters = mesh.body, mesh.level_m, mesh.coast, mesh.receiver
        return digest_of_mesh(mesh, (self.kind, self.seas), (*waters, self.area, self.across))

    def shared(self) -> Shared:
        """As in `Stage`."""
        mesh = shared_mesh(self.mesh)
        own = {name: getattr(self, name) for name in OWN}
        return Shared(mesh.arrays | own, mesh.facts | {"seas": self.seas})

    @classmethod
    def of(cls, shared: Shared) -> LakeGround:
        """The stage whose `shared` has returned this."""
        return cls(mesh_from(shared), shared.facts["seas"], *(shared.arrays[name] for name in OWN))

    def piece(self, numbers: Numbers, keep: Keeper) -> Arrays:
        """`bank`, `rise_m` and `depth_m`, as in `LakeShapes`, of the triangles that `places` has."""
        some = np.array(numbers, np.int64)
        return keep(key_of(self.digest, self.kind, some), lambda: self._flooded(some))

    def places(self, some: np.ndarray) -> list[np.ndarray]:
        """Where the triangles of the lakes `some` are in `own`, a lake after the other."""
        return [np.arange(self.begins[k], self.begins[k + 1]) for k in some.tolist()]

    def _flooded(self, some: np.ndarray) -> Arrays:
        mesh, places = self.mesh, self.places(some)
        n, fine, at = mesh.steps, mesh.fine_cells, np.concatenate(places)
        which = self.own[at]
        strip = _ground(mesh, which)
        first = np.cumsum([0] + [len(part) for part in places])
        body = (some + self.seas).astype(np.int32)
        of = np.repeat(np.arange(len(some)), np.diff(first))
        corner = mesh.triangles.corner[which]
        mine = mesh.body[corner] == body[of][:, None]
        point = corner[first[:-1], mine[first[:-1]].argmax(axis=1)]
        rough, narrow = displacement_m(mesh.planet)[point], _narrow(mesh, point)
        place = mesh.triangles.place[which]
        lakes = LakeTriangles(first, place, corner, body, self.area[some], rough, narrow, self.across[at])
        wet, bank = (np.zeros((len(which), n + 1, n + 1), kind) for kind in (np.uint8, np.int8))
        top, mean = np.zeros(len(some), np.float32), np.zeros(len(some))
        flood(lakes, strip, mesh.body, mesh.coast, meshes.ring_weights(fine, mesh.planet.atlas), wet, top, mean)
        lay_banks(place, strip, wet, np.uint32(stream_key(mesh.planet.seed, BANK_STREAM) & 0xFFFFFFFF), bank)
        grown = np.isfinite(top)
        rise = np.where(grown, mesh.level_m[point] - top, np.float32(0.0)).astype(np.float32)
        depth = np.maximum(np.where(grown, top - mean, 0.0), SHALLOW_M).astype(np.float32)
        return {"bank": bank, "rise_m": rise[of], "depth_m": depth[of]}


def lake_shapes_of(
    mesh: FineMesh,
    area: np.ndarray,
    seas: int,
    flow_m3_s: np.ndarray,
    wanted: np.ndarray | None = None,
    engine: Engine | None = None,
) -> LakeShapes:
    """The shapes of a planet's lakes, whose bodies follow those of the `seas`.

    `area`: float64 (lakes,), how large they are, in parts of the sphere. `flow_m3_s`: float64 (points,), what each global
    point passes on. `wanted`: bool (lakes,), the lakes that need a shape; None for all. `engine`: has them made.
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
    stage = LakeGround(mesh, seas, area, own, begins, _across(mesh, own, seas, flow_m3_s))
    strip = _strips(low, high, belts_per_strip(mesh))
    if wanted is None:
        groups = _groups(strip)
    else:
        together = _touching(mesh.triangles.corner[own], np.repeat(np.arange(len(area)), np.diff(begins)), strip)
        groups = _groups(np.where(np.isin(together, together[wanted]), together, NONE))
    pieces = [tuple(some.tolist()) for some in groups]
    made = (engine or Threads()).made(stage, pieces, lambda done: None)
    triangle = [own[np.concatenate(stage.places(some))] for some in groups]
    which = np.concatenate([*triangle, np.zeros(0, np.int64)])
    shapes.row[which] = np.arange(len(which), dtype=np.int32)
    return LakeShapes(shapes.row, *(np.concatenate([getattr(shapes, name), *(one[name] for one in made)]) for name in MADE))


def _strips(low: np.ndarray, high: np.ndarray, belts: int) -> np.ndarray:
    """The strip, of so many belts, whose lakes each lake is made with; NONE for a lake without a shape: int64 (lakes,).

    `low`, `high`: the first and the last belt of each. Where belts are too long to be held, each lake is made from what is
    around it alone.
    """
    strip = low // belts if belts > 1 else np.arange(len(low))
    return np.where(high - low < MOST_BELTS, strip, NONE).astype(np.int64)


def _groups(number: np.ndarray) -> list[np.ndarray]:
    """The lakes that have a number in common, for one number after the other; those with NONE are in no group."""
    order = np.argsort(number, kind="stable")
    order = order[number[order] != NONE]
    return np.split(order, np.flatnonzero(np.diff(number[order])) + 1) if len(order) else []


def _touching(corner: np.ndarray, lake: np.ndarray, strip: np.ndarray) -> np.ndarray:
    """The least number among the lakes of its strip that each lake touches, or that touch those: int64 (lakes,), or NONE.

    Banks of lakes that touch depend on one another. `corner`: the global points of triangles with a lake, (k, 3); `lake`:
    (k,), whose they are; `strip`: as `_strips` returns it.
    """
    corner, lake = corner[strip[lake] != NONE], lake[strip[lake] != NONE]
    _, place = np.unique(np.stack([np.repeat(strip[lake], 3), corner.ravel()]), axis=1, return_inverse=True)
    least = np.where(strip == NONE, NONE, np.arange(len(strip)))
    while True:
        before = least.copy()
        here = np.full(place.max(initial=0) + 1, len(strip))
        np.minimum.at(here, place.ravel(), np.repeat(least[lake], 3))
        np.minimum.at(least, lake, here[place.reshape(-1, 3)].min(axis=1))
        if np.array_equal(least, before):
            return least


def _ground(mesh: FineMesh, which: np.ndarray) -> StripMesh:
    """The raw relief around the triangles `which`."""
    t = mesh.triangles
    window, raw = refine_spans(mesh.planet, mesh.ln, spans_of(mesh.cells, t.place[which, 1:].sum(axis=1), t.corner[which]))
    dry = np.zeros(0, np.uint8)
    return StripMesh(mesh.steps, mesh.fine_cells, *rows_of(window), ring_of_points(window), in_order(window, raw), dry)


def _across(mesh: FineMesh, own: np.ndarray, seas: int, flow_m3_s: np.ndarray) -> np.ndarray:
    """How far the corners of the triangles lie off the troughs of lakes, float32 (k, 3); `own`: int64 (k,), those
    with a lake.

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
    return off.astype(np.float32)


def _narrow(mesh: FineMesh, point: np.ndarray) -> np.ndarray:
    """How narrow the troughs of lakes at global points are, float32 0..1: by chance, half of them more than 0.7."""
    return np.sqrt(uniforms_at(mesh.planet.seed, TROUGH_STREAM, point)).astype(np.float32)
