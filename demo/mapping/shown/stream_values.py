"""What the vertices of rivers' chains carry, and how far they are from their sources."""

from __future__ import annotations

import numpy as np

from ..local.chain_ways import ChainEnds
from ..local.courses import Chains
from ..local.fine_mesh import FineMesh
from ..waters.hydrology import Hydrology


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
