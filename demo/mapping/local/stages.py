"""STAGES: what the local mesh of a planet or of a region is made in. Who makes pieces elsewhere finds their stage here."""

from __future__ import annotations

from collections.abc import Callable

from .engines import Stage
from .lake_shapes import LakeGround
from .region_blocks import RegionBlocks
from .sections import Groundwork
from .shared_arrays import Shared

STAGES: dict[str, Callable[[Shared], Stage]] = {
    LakeGround.kind: LakeGround.of,
    Groundwork.kind: Groundwork.of,
    RegionBlocks.kind: RegionBlocks.of,
}
"""By its kind, how a stage is put together again from what its `shared` has returned."""
