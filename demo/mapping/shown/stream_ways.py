"""The ways of rivers through the local mesh: which chains of its points each river consists of, and what they carry."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..local.courses import NONE, Chains, Network
from ..local.fine_mesh import LAND, FineMesh
from ..waters.hydrology import Hydrology
from .streams_kernels import BASIN, LAKE, RIVER, SEA


@dataclass(frozen=True)
class StreamWays:
    """Rivers downstream; the chains of river k are chain[first[k]] .. chain[first[k + 1] - 1].

    `chain`: int64 (c,). `first`: int64 (rivers + 1,). By river: `kind`, uint8, what it ends in; `out_of`, int32, the point
    of the lake that it flows out of, or NONE; `head`, `end` and `own`, int32, as in `Streams`.
    """

    chain: np.ndarray
    first: np.ndarray
    kind: np.ndarray
    out_of: np.ndarray
    head: np.ndarray
    end: np.ndarray
    own: np.ndarray

    def __len__(self) -> int:
        return len(self.kind)


@dataclass(frozen=True)
class ChainEnds:
    """Where each of k chains comes from: `cell`, int32 (k,), the global point of its cell; `feeder`, int32 (k,), the global
    point whose course goes on in it, NONE at a source."""

    cell: np.ndarray
    feeder: np.ndarray


def chain_ends(network: Network, chains: Chains) -> ChainEnds:
    """Where each chain of a whole planet comes from."""
    fed = np.diff(network.first)
    feeder = np.full(len(chains.cell), NONE, np.int32)
    feeder[np.repeat(fed > 0, np.maximum(fed, 1))] = network.feeder
    return ChainEnds(network.cell[chains.cell], feeder)


def ways_of(mesh: FineMesh, waters: Hydrology, chains: Chains, ends: ChainEnds) -> StreamWays:
    """All rivers of a planet: every source and every outlet of a lake begins one."""
    cell, feeder, lake = ends.cell, ends.feeder, waters.lake_of_point
    fed = feeder >= 0
    chain_of_feeder = np.full(len(mesh.body), NONE, np.int64)
    chain_of_feeder[feeder[fed]] = np.flatnonzero(fed)
    receiver = mesh.receiver[cell]
    leaves, flows = chains.joins == NONE, receiver >= 0
    lands = leaves & flows & (mesh.body[receiver] != LAND)
    onward = np.where(leaves & flows & ~lands, chain_of_feeder[cell], NONE).tolist()
    kinds = np.where(lands, np.where(lake[receiver] >= 0, LAKE, SEA), np.where(leaves, BASIN, RIVER))
    heads = np.flatnonzero(np.where(fed, lake[feeder] >= 0, flows))
    chain, first = list[int](), [0]
    for head in heads.tolist():
        k = head
        while k != NONE:
            chain.append(k)
            k = onward[k]
        first.append(len(chain))
    last = np.array(chain, np.int64)[np.array(first[1:], np.int64) - 1]
    kind = kinds[last].astype(np.uint8)
    # A river ends where it meets another one; its own last point is the one before.
    end = np.where((kind == SEA) | (kind == LAKE), receiver[last], cell[last])
    own = np.where((kind == RIVER) & fed[last], feeder[last], cell[last])
    out_of = np.where(fed[heads], feeder[heads], NONE)
    begin = np.where(fed[heads], feeder[heads], cell[heads])
    points = (x.astype(np.int32) for x in (out_of, begin, end, own))
    return StreamWays(np.array(chain, np.int64), np.array(first, np.int64), kind, *points)


def flows_of(waters: Hydrology, chains: Chains, ends: ChainEnds) -> np.ndarray:
    """What each vertex of the chains carries, float64 (v,), m^3/s.

    Along the first chain of a cell it grows from what comes in to what the cell passes on.
    """
    goes = waters.discharge_m3_s[ends.cell]
    comes = np.where(ends.feeder >= 0, waters.passed_m3_s[ends.feeder], goes)
    return _along(chains, comes, np.where(chains.slot == 0, goes, comes))


def runs_of(mesh: FineMesh, chains: Chains, ends: ChainEnds, run: np.ndarray, place: np.ndarray) -> np.ndarray:
    """How far each vertex of the chains is from its farthest source, float64 (v,), radians; never less downstream.

    `run`: float64 (points,), of the global points, as `streams_kernels.longest` has it. `place`: float64 (points, 3), unit
    vectors to these.
    """
    to = np.where(mesh.receiver >= 0, mesh.receiver, np.arange(len(run)))
    apart = place[to] - place
    # Where a course leaves a cell it is half way to the next point.
    left = run + 0.5 * np.sqrt((apart * apart).sum(axis=1))
    comes = np.where(ends.feeder >= 0, left[ends.feeder], run[ends.cell])
    goes = np.where(chains.slot == 0, left[ends.cell], run[ends.cell])
    return _along(chains, comes, np.maximum(goes, comes))


def _along(chains: Chains, comes: np.ndarray, goes: np.ndarray) -> np.ndarray:
    """Values (v,) that go from `comes` (k,) at the first vertex of each chain to `goes` (k,) at its last."""
    count = np.diff(chains.first)
    chain = np.repeat(np.arange(len(count)), count)
    step = np.arange(len(chain)) - chains.first[chain]
    part = step / np.maximum(count - 1, 1)[chain]
    along: np.ndarray = comes[chain] + part * (goes - comes)[chain]
    return along
