"""How a frame is to be shown. Plain data."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Look:
    """How a frame is to be shown.

    `name`: natural, as-printed or unlit. `flat`: one normal a triangle. `wireframe`: edges alone. `fine`: for machines that
    can afford it. With more than `triangles`, patches are drawn with half their cells; `coarse` halves them anyway.
    `effects`: False for a machine that is short of time. `isosceles`: the mesh. `borders`: those of rhombi and catchments
    are asked for. `levels`: the levels of detail are coloured.
    """

    name: str = "natural"
    flat: bool = False
    wireframe: bool = False
    fine: bool = True
    triangles: float = float("inf")
    coarse: bool = False
    effects: bool = True
    isosceles: bool = False
    borders: bool = False
    levels: bool = False

    @property
    def code(self) -> int:
        """The number by which the shaders know the look."""
        return {"natural": 0, "as-printed": 1, "unlit": 2}[self.name]
