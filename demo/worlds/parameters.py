"""Parameters of generators and of the program: name, default, range, unit, help, and how text is read."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

Value = int | float | str | bool

# The value of `method` with which a generator follows its article to the letter.
AS_PRINTED = "as-printed"


# The end of a name that stands for as many parameters as are given.
NUMBER = ".N"


class ParameterError(ValueError):
    """A value that a parameter does not take. The message names the parameter and says which values it takes."""


@dataclass(frozen=True)
class Parameter:
    """One row of a table of settings. The value has the type of `default`.

    `printed`: the default with method=as-printed, where that is another one. `low` and `high` are inclusive bounds of a
    number. `choices`: the value is one of these words. `words`: these words are
    accepted beside numbers (`land=printed`). `path`: the value names a file. `reads`: the value is text that it takes, or ""
    for none; it raises ValueError for other text, and `takes` says which in words. A name that ends in .N stands for as many
    parameters as are given, .1, .2 and so on.
    """

    name: str
    default: Value
    help: str
    low: float | None = None
    high: float | None = None
    unit: str = ""
    choices: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    path: bool = False
    reads: Callable[[str], object] | None = None
    takes: str = ""
    printed: Value | None = None

    @property
    def numbered(self) -> bool:
        """Whether it stands for any number of parameters."""
        return self.name.endswith(NUMBER)

    def default_with(self, printed: bool) -> Value:
        """The default; with `printed`, that of method=as-printed."""
        return self.default if self.printed is None or not printed else self.printed

    def kind(self) -> type:
        """bool, str, int or float; a number where the default is one of `words`."""
        if self.choices or self.path or self.reads:
            return str
        return float if isinstance(self.default, str) else type(self.default)

    def describe(self) -> str:
        """What the parameter takes, in words: 'on or off', 'an integer from 1 to 8192'."""
        if self.choices:
            return " or ".join(self.choices)
        if self.path:
            return "the name of a file"
        if self.reads:
            return self.takes
        if self.kind() is bool:
            return "on or off"
        text = "an integer" if self.kind() is int else "a number"
        if self.low is not None and self.high is not None:
            text += f" from {_plain(self.low)} to {_plain(self.high)}"
        if self.unit:
            text += f" ({self.unit})"
        return text + "".join(f", or '{word}'" for word in self.words)

    def parse(self, text: str) -> Value:
        """The value written as `text` on a command line or in a world code; raises ParameterError."""
        if self.kind() is bool:
            return self.check({"on": True, "off": False}.get(text.lower(), text))
        if self.kind() is str or text in self.words:
            return self.check(text)
        try:
            return self.check(self.kind()(text))
        except ValueError:
            raise self._error(text) from None

    def check(self, value: Value) -> Value:
        """`value`, in this parameter's type, if it is allowed; raises ParameterError otherwise."""
        if self.choices:
            ok = value in self.choices
        elif self.path:
            ok = isinstance(value, str)
        elif self.reads:
            ok = isinstance(value, str) and (value == "" or self._is_read(value))
        elif isinstance(value, str):
            ok = value in self.words
        elif self.kind() is bool:
            ok = isinstance(value, bool)
        else:
            return self._check_number(value)
        if not ok:
            raise self._error(value)
        return value

    def _is_read(self, text: str) -> bool:
        assert self.reads is not None
        try:
            self.reads(text)
        except ValueError:
            return False
        return True

    def _check_number(self, value: int | float) -> int | float:
        kind = self.kind()
        if isinstance(value, bool) or value != value or (kind is int and value != int(value)):
            raise self._error(value)
        too_low = self.low is not None and value < self.low
        too_high = self.high is not None and value > self.high
        if too_low or too_high:
            raise self._error(value)
        return kind(value)

    def format(self, value: Value) -> str:
        """`value` as text that `parse` reads back."""
        if isinstance(value, bool):
            return "on" if value else "off"
        return repr(value) if isinstance(value, float) else str(value)

    def _error(self, value: object) -> ParameterError:
        return ParameterError(f"{self.name}={value} is not possible: it takes {self.describe()}")


def _plain(number: float) -> str:
    return f"{number:,.0f}" if abs(number) >= 10_000 else f"{number:g}"


def row_of(parameters: Iterable[Parameter], name: str) -> Parameter | None:
    """The row that takes `name`, with that name where it stands for several; None where no row does."""
    for parameter in parameters:
        if parameter.name == name:
            return None if parameter.numbered else parameter
        if parameter.numbered and re.fullmatch(
            rf"{re.escape(parameter.name.removesuffix(NUMBER))}\.[1-9][0-9]{{0,2}}", name
        ):
            return replace(parameter, name=name)
    return None


def rows_with(parameters: Iterable[Parameter], names: Iterable[str]) -> list[Parameter]:
    """All rows, those that stand for several once for each of `names`, in the order of their numbers."""
    given, rows = list(names), list[Parameter]()
    for parameter in parameters:
        if parameter.numbered:
            found = (row_of((parameter,), name) for name in given)
            rows += sorted((row for row in found if row), key=lambda row: int(row.name.rpartition(".")[2]))
        else:
            rows.append(parameter)
    return rows


def complete(parameters: tuple[Parameter, ...], given: dict[str, Value], owner: str) -> dict[str, Value]:
    """The values of all `parameters` of `owner`: those in `given`, checked, and the defaults of the rest.

    With method=as-printed in `given`, the defaults are the article's.

    Raises ParameterError for a value that is not allowed and for a name that `owner` does not have.
    """
    for name in given:
        if row_of(parameters, name) is None:
            known = ", ".join(sorted(parameter.name for parameter in parameters))
            raise ParameterError(f"{owner} has no parameter '{name}': it has {known}")
    printed = is_printed(given)
    rows = rows_with(parameters, given)
    return {p.name: p.check(given[p.name]) if p.name in given else p.default_with(printed) for p in rows}


def is_printed(values: Mapping[str, Value]) -> bool:
    """Whether parameters ask for an article's method to the letter."""
    return values.get("method") == AS_PRINTED
