"""What tiles are told of the materials that lie and grow on their ground."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .gl.textures import Texture


@dataclass(frozen=True)
class TileMaterials:
    """`palette`: the block PALETTE; `noise`: the volume of noise; `relief_m`: metres of the highest land."""

    palette: Mapping[str, object]
    noise: Texture
    relief_m: float
