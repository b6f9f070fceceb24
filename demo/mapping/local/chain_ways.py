"""The ways of rivers through the local mesh: which chains of its points each river consists of, and what they carry."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..waters.hydrology import Hydrology
from .courses import NONE, Chains, Network
from .fine_mesh import LAND, FineMesh

# What a river ends in, as an index into `records.MOUTHS`.
SEA, LAKE, RIVER, BASIN = range(4)


@dataclass(frozen=True)
class RiverWays:
    """Rivers downstream; the chains of river k are chain[first[k]] .. chain[first[k + 1] - 1].

    `chain`: int64 (c,). `first`: int64 (rivers + 1,). By river: `kind`, uint8, what it ends in; `out_of`, int32, the point
    of the lake that it flows out of, or NONE; `head` and `end`, int32, the points at which it begins and ends; `own`, int32,
    the last point that no other river flows through, which gives it its name.
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


def ways_of(mesh: FineMesh, waters: Hydrology, chains: Chains, ends: ChainEnds) -> RiverWays:
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
    return RiverWays(np.array(chain, np.int64), np.array(first, np.int64), kind, *points)
