"""Generator: one row of the table of algorithms, and how a world is grown from it. Importing it imports no numba."""

from __future__ import annotations

import importlib
from dataclasses import dataclass

from ..worlds.growth import Growth
from ..worlds.heightfield import HeightField
from ..worlds.parameters import Parameter, ParameterError, Value, complete
from .code_grammar import joined

# Worlds are made of arrays: files are read above them, by the one module named here.
FILE_READER = ".heightmap_in"


@dataclass(frozen=True)
class Generator:
    """One published algorithm: what it is called, whose it is, and what can be set.

    `version` rises whenever the same seed and parameters would give other heights.
    `module` holds `grow(seed, parameters) -> Growth`; it is imported at first use, because it brings numba along.
    """

    name: str
    version: int
    title: str
    source: str
    work: str
    module: str
    parameters: tuple[Parameter, ...]

    def complete(self, given: dict[str, Value]) -> dict[str, Value]:
        """All parameters: the given ones, checked, and the defaults of the rest; raises ParameterError."""
        return complete(self.parameters, given, self.name)

    def grow(self, seed: int, given: dict[str, Value] | None = None) -> Growth:
        """A growth at step 0; raises ParameterError."""
        values = self.complete(given or {})
        grow = importlib.import_module(self.module, __package__).grow
        if "file" not in values:
            return grow(seed, values)
        image = importlib.import_module(FILE_READER, __package__).read(values["file"]) if values["file"] else None
        return grow(seed, values, image)

    def code(self, seed: int, given: dict[str, Value]) -> str:
        """The world's code, 'algorithm-version-seed[-name=value...]', naming only what differs from the defaults."""
        values = self.complete(given)
        changed = [(p.name, p.format(values[p.name])) for p in self.parameters if values[p.name] != p.default]
        return joined(self.name, self.version, seed, changed)

    def world(self, seed: int, given: dict[str, Value] | None = None, at: int | None = None) -> HeightField:
        """The height field at step `at` (default: fully grown); raises ParameterError."""
        growth = self.grow(seed, given)
        to = growth.total if at is None else at
        if not 0 <= to <= growth.total:
            raise ParameterError(f"step {to} is not possible: {self.name} grows from 0 to {growth.total} {self.work}")
        growth.advance(to)
        return self.snapshot(growth, given)

    def snapshot(self, growth: Growth, given: dict[str, Value] | None = None) -> HeightField:
        """The present state of a growth of this generator as an immutable height field."""
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
