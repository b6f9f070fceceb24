"""Valleys: the largest rivers of a world as ways that a flight can follow."""

from __future__ import annotations

import numpy as np

from ..worlds.atlas import Atlas
from ..worlds.runoff import Runoff

# Rivers with at least this share of the largest one's water are followed, up to where they have so little.
LEAST_SHARE = 0.01
MOST_STEMS, FEWEST_POINTS = 60, 5


def stems_of(runoff: Runoff | None, atlas: Atlas) -> list[np.ndarray]:
    """Places (k, 3) along each of the largest rivers from mouth to source, as `Atlas.place` has them, the largest first.

    A river goes on upstream where most of its water comes from. Without `runoff` there are none.
    """
    if runoff is None:
        return []
    flow = np.where(runoff.land & (runoff.sample >= 0), runoff.flow, 0.0)
    wet = np.flatnonzero(flow > LEAST_SHARE * max(float(flow.max(initial=0.0)), 1e-30))
    if not len(wet):
        return []
    number = np.full(len(flow), -1)
    number[wet] = np.arange(len(wet))
    down = number[runoff.receiver[wet]]
    down[runoff.receiver[wet] == wet] = -1
    order = np.argsort(flow[wet], kind="stable")
    order = order[down[order] >= 0]
    # Of several values for one place the last one stays: the largest feeder.
    feeder = np.full(len(wet), -1)
    feeder[down[order]] = order
    ends = np.flatnonzero((down < 0) | (feeder[down] != np.arange(len(wet))))
    ends = ends[np.argsort(-flow[wet[ends]], kind="stable")][:MOST_STEMS]
    chains = [_upstream(end, feeder) for end in ends.tolist()]
    return [_places(runoff, atlas, wet[chain]) for chain in chains if len(chain) >= FEWEST_POINTS]


def _upstream(end: int, feeder: np.ndarray) -> list[int]:
    chain = [end]
    while (above := int(feeder[chain[-1]])) >= 0 and len(chain) <= len(feeder):
        chain.append(above)
    return chain


def _places(runoff: Runoff, atlas: Atlas, nodes: np.ndarray) -> np.ndarray:
    face, rest = np.divmod(runoff.sample[nodes], runoff.n * runoff.n)
    j, i = np.divmod(rest, runoff.n)
    return atlas.place(face, i / (runoff.n - 1), j / (runoff.n - 1))
