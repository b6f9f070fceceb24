"""Parameters of generators and of the program: name, default, range, unit, help, and how text is read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

Value = int | float | str | bool

# The value of `method` with which a generator follows its article to the letter.
AS_PRINTED = "as-printed"


class ParameterError(ValueError):
    """A value that a parameter does not take. The message names the parameter and says which values it takes."""


@dataclass(frozen=True)
class Parameter:
    """One row of a table of settings. The value has the type of `default`.

    `printed`: the default with method=as-printed, where that is another one. `low` and `high` are inclusive bounds of a
    number. `choices`: the value is one of these words. `words`: these words are
    accepted beside numbers (`land=printed`). `power_of_two`: an integer must be one. `path`: the value names a file.
    """

    name: str
    default: Value
    help: str
    low: float | None = None
    high: float | None = None
    unit: str = ""
    choices: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    power_of_two: bool = False
    path: bool = False
    printed: Value | None = None

    def default_with(self, printed: bool) -> Value:
        """The default; with `printed`, that of method=as-printed."""
        return self.default if self.printed is None or not printed else self.printed

    def kind(self) -> type:
        """bool, str, int or float; a number where the default is one of `words`."""
        if self.choices or self.path:
            return str
        return float if isinstance(self.default, str) else type(self.default)

    def describe(self) -> str:
        """What the parameter takes, in words: 'on or off', 'an integer from 1 to 8192, a power of two'."""
        if self.choices:
            return " or ".join(self.choices)
        if self.path:
            return "the name of a file"
        if self.kind() is bool:
            return "on or off"
        text = "an integer" if self.kind() is int else "a number"
        if self.low is not None and self.high is not None:
            text += f" from {_plain(self.low)} to {_plain(self.high)}"
        if self.power_of_two:
            text += ", a power of two"
        if self.unit:
            text += f" ({self.unit})"
        return text + "".join(f", or '{word}'" for word in self.words)

    def parse(self, text: str) -> Value:
        """The value written as `text` on a command line or in a world code; raises ParameterError."""
        if self.kind() is bool:
            return self.check({"on": True, "off": False}.get(text.lower(), text))
        if self.choices or self.path or text in self.words:
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
        elif isinstance(value, str):
            ok = value in self.words
        elif self.kind() is bool:
            ok = isinstance(value, bool)
        else:
            return self._check_number(value)
        if not ok:
            raise self._error(value)
        return value

    def _check_number(self, value: int | float) -> int | float:
        kind = self.kind()
        if isinstance(value, bool) or value != value or (kind is int and value != int(value)):
            raise self._error(value)
        too_low = self.low is not None and value < self.low
        too_high = self.high is not None and value > self.high
        odd = self.power_of_two and (int(value) & (int(value) - 1))
        if too_low or too_high or odd:
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


def complete(parameters: tuple[Parameter, ...], given: dict[str, Value], owner: str) -> dict[str, Value]:
    """The values of all `parameters` of `owner`: those in `given`, checked, and the defaults of the rest.

    With method=as-printed in `given`, the defaults are the article's.

    Raises ParameterError for a value that is not allowed and for a name that `owner` does not have.
    """
    known = {parameter.name for parameter in parameters}
    for name in given:
        if name not in known:
            raise ParameterError(f"{owner} has no parameter '{name}': it has {', '.join(sorted(known))}")
    printed = is_printed(given)
    return {p.name: p.check(given[p.name]) if p.name in given else p.default_with(printed) for p in parameters}


def is_printed(values: Mapping[str, Value]) -> bool:
    """Whether parameters ask for an article's method to the letter."""
    return values.get("method") == AS_PRINTED
