"""Generator: one row of the table of algorithms, and how its worlds are grown. Importing it does not import numba."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..worlds import limits
from ..worlds.growth import Growth
from ..worlds.heightfield import HeightField
from ..worlds.parameters import Parameter, ParameterError, Value, complete, is_printed, rows_with
from .code_grammar import joined

if TYPE_CHECKING:
    # Brings numba along.
    from ..mapping.shown.map_contents import MapContents

# `worlds` and `mapping` read no files; these modules of the catalogue read them.
FILE_READER, EDITS_READER = ".heightmap_in", ".edits_in"
# What goes on after the growth of any generator with the parameters CARVING.
CARVER = "..worlds.carving.growth"


@dataclass(frozen=True)
class Generator:
    """One published algorithm: its name, its source, and its parameters.

    `version` rises whenever the same seed and parameters would give other heights. `title` and `source` are shown to users.
    `work` names the units of work, in the plural with s. `module` has `grow(seed, parameters) -> Growth`; it is imported at
    first use, because it imports numba. Where a parameter is called `file`, `grow` takes the picture in it as a third
    argument: float32 (rows, columns) in 0..1, or None. Where one is called `edits`, it takes the rounds of edits in that.
    `limits` raises ParameterError for values, complete, that are not possible together (`worlds.limits`).
    `contents_module`, of an algorithm with more to show than relief, has `contents_of(growth) -> MapContents`.
    """

    name: str
    version: int
    title: str
    source: str
    work: str
    module: str
    parameters: tuple[Parameter, ...]
    limits: Callable[[Mapping[str, Value]], None] | None = None
    contents_module: str = ""

    def amount(self, count: int) -> str:
        """So much work in words: '10,000 cuts', '1 cut'."""
        return f"{count:,} {self.work[:-1] if count == 1 else self.work}"

    def complete(self, given: dict[str, Value], whole: bool = True) -> dict[str, Value]:
        """The values of all parameters: the given ones, checked, and the defaults of the rest; raises ParameterError.

        Each value is checked alone, and then all of them together. `whole`: whether all of the world is to be grown; a part
        of it may be finer.
        """
        values = complete(self.parameters, given, self.name)
        limits.carving(values)
        if self.limits is not None and whole:
            self.limits(values)
        return values

    def grow(self, seed: int, given: dict[str, Value] | None = None) -> Growth:
        """A new growth at step 0; raises ParameterError."""
        values = self.complete(given or {})
        grow = importlib.import_module(self.module, __package__).grow
        if "file" in values:
            image = importlib.import_module(FILE_READER, __package__).read(values["file"]) if values["file"] else None
            growth = grow(seed, values, image)
        elif values.get("edits"):
            reader = importlib.import_module(EDITS_READER, __package__)
            growth = grow(seed, values, reader.rounds_in(str(values["edits"]), seed, values))
        else:
            growth = grow(seed, values)
        return importlib.import_module(CARVER, __package__).carved(growth, values) if values.get("carve") else growth

    def contents(self, growth: Growth) -> MapContents | None:
        """What is drawn over the relief of a world grown in full (rivers, names); None where there is only relief."""
        if not self.contents_module:
            return None
        return importlib.import_module(self.contents_module, __package__).contents_of(growth)

    def code(self, seed: int, given: dict[str, Value], whole: bool = True) -> str:
        """The world code, 'algorithm-version-seed[-name=value...]', with the parameters that differ from their defaults.

        The defaults are those of the method, which the code names where it is as-printed. `whole`: as in `complete`.
        """
        values = self.complete(given, whole)
        printed = is_printed(values)
        rows = rows_with(self.parameters, values)
        changed = [(p.name, p.format(values[p.name])) for p in rows if values[p.name] != p.default_with(printed)]
        return joined(self.name, self.version, seed, changed)

    def world(self, seed: int, given: dict[str, Value] | None = None, at: int | None = None) -> HeightField:
        """The height field after `at` units of work, by default all of them; raises ParameterError."""
        growth = self.grow(seed, given)
        to = growth.total if at is None else at
        if not 0 <= to <= growth.total:
            raise ParameterError(f"step {to} is not possible: {self.name} grows from 0 to {self.amount(growth.total)}")
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
