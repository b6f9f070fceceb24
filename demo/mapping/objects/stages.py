"""STAGES: what a planet or a region is made in by others. Who makes pieces elsewhere finds their stage here."""

from __future__ import annotations

from collections.abc import Callable

from ..local.engines import Stage
from ..local.lake_shapes import LakeGround
from ..local.landmass_ground import LandmassGround
from ..local.region_blocks import RegionBlocks
from ..local.relief_ground import ReliefGround
from ..local.sections import Groundwork
from ..local.shared_arrays import Shared
from .catchment_ground import CatchmentGround

STAGES: dict[str, Callable[[Shared], Stage]] = {
    LandmassGround.kind: LandmassGround.of,
    LakeGround.kind: LakeGround.of,
    Groundwork.kind: Groundwork.of,
    RegionBlocks.kind: RegionBlocks.of,
    ReliefGround.kind: ReliefGround.of,
    CatchmentGround.kind: CatchmentGround.of,
}
"""By its kind, how a stage is put together again from what its `shared` has returned."""
