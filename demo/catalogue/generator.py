"""Generator: one row of the table of algorithms, and how its worlds are grown. Importing it does not import numba."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..worlds.growth import Growth
from ..worlds.heightfield import HeightField
from ..worlds.parameters import Parameter, ParameterError, Value, complete
from .code_grammar import joined

if TYPE_CHECKING:
    # Brings numba along.
    from ..mapping.shown.map_contents import MapContents

# `worlds` takes arrays and reads no files; this module of the catalogue reads them.
FILE_READER = ".heightmap_in"


@dataclass(frozen=True)
class Generator:
    """One published algorithm: its name, its source, and its parameters.

    `version` rises whenever the same seed and parameters would give other heights. `title` and `source` are shown to users.
    `work` names the units of work, in the plural. `module` has `grow(seed, parameters) -> Growth`; it is imported at first
    use, because it imports numba. Where a parameter is called `file`, `grow` takes the picture in it as a third argument:
    float32 (rows, columns) in 0..1, or None.
    `contents_module`, of an algorithm with more to show than relief, has `contents_of(growth) -> MapContents`.
    """

    name: str
    version: int
    title: str
    source: str
    work: str
    module: str
    parameters: tuple[Parameter, ...]
    contents_module: str = ""

    def complete(self, given: dict[str, Value]) -> dict[str, Value]:
        """The values of all parameters: the given ones, checked, and the defaults of the rest; raises ParameterError."""
        return complete(self.parameters, given, self.name)

    def grow(self, seed: int, given: dict[str, Value] | None = None) -> Growth:
        """A new growth at step 0; raises ParameterError."""
        values = self.complete(given or {})
        grow = importlib.import_module(self.module, __package__).grow
        if "file" not in values:
            return grow(seed, values)
        image = importlib.import_module(FILE_READER, __package__).read(values["file"]) if values["file"] else None
        return grow(seed, values, image)

    def contents(self, growth: Growth) -> MapContents | None:
        """What is drawn over the relief of a world grown in full (rivers, names); None where there is only relief."""
        if not self.contents_module:
            return None
        return importlib.import_module(self.contents_module, __package__).contents_of(growth)

    def code(self, seed: int, given: dict[str, Value]) -> str:
        """The world code, 'algorithm-version-seed[-name=value...]', with the parameters that differ from their defaults."""
        values = self.complete(given)
        changed = [(p.name, p.format(values[p.name])) for p in self.parameters if values[p.name] != p.default]
        return joined(self.name, self.version, seed, changed)

    def world(self, seed: int, given: dict[str, Value] | None = None, at: int | None = None) -> HeightField:
        """The height field after `at` units of work, by default all of them; raises ParameterError."""
        growth = self.grow(seed, given)
        to = growth.total if at is None else at
        if not 0 <= to <= growth.total:
            raise ParameterError(f"step {to} is not possible: {self.name} grows from 0 to {growth.total} {self.work}")
        growth.advance(to)
        return self.snapshot(growth, given)

    def snapshot(self, growth: Growth, given: dict[str, Value] | None = None) -> HeightField:
        """The present heights of a growth of this generator, as an immutable height field."""
        heights = growth.heights.copy()
        heights.flags.writeable = False
        values = self.complete(given or {})
        return HeightField(
            atlas=growth.atlas,
            heights=heights,
            sea_level=float(growth.sea_level),
            size=growth.size,
            unit=growth.unit,
            seed=growth.seed,
            parameters=values,
            code=self.code(growth.seed, values),
        )
