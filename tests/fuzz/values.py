"""Odd values: what no table of options expects, and values at and beside the bounds of a parameter."""

from __future__ import annotations

import math
from random import Random

from demo.worlds.parameters import Parameter

# Words that are numbers somewhere, or nearly, or not at all; and characters that have a meaning somewhere.
_NUMBERS = (
    "0 -0 1 -1 2 0.5 1e-9 1e9 1e309 -1e309 nan inf -inf 0x10 1_000 １２ ٣ 1,5 1. .5 +3 1e 1x1 16x16 16x -16x-16 1280x720"
)
_WORDS = (
    "-- - --- true on off None -h --help --version --set --seed show grow plasma map today now cells cells=8 plasma.cells=8"
)
_CODES = (
    "plasma-3-7 plasma-3-7-cells=8 particles-7-1-box=-0.5 plasma-4-7 plasma-3-x cuts-1-1-step -1-1-1 surface.mesh=square"
)
_MARKS = "é \udcff 💥 %s % {0} = a=b == ' \" \\ ; * ~ x \x1b[31mred \x07"
ODD = (*f"{_NUMBERS} {_WORDS} {_CODES} {_MARKS}".split(" "), "", " ", "a\nb", "a\rb", "9" * 30, "9" * 5000, "x" * 300)
SEEDS = (0, 1, -1, 2**31, -(2**31), 2**32, 2**53, 2**63 - 1, 2**63, -(2**63), 2**64 - 1, 2**64, 10**30, -(10**30))


def odd(random: Random) -> str:
    """Any odd word."""
    return random.choice(ODD)


def seed(random: Random) -> int:
    """Any integer, often one at an edge of the machine's."""
    return random.choice(SEEDS) if random.random() < 0.4 else random.randrange(-100, 10_000)


def value(random: Random, parameter: Parameter, low: float | None = None, high: float | None = None) -> str:
    """Text for a parameter: mostly a value that it takes, at its bounds or between; `low`, `high`: closer bounds."""
    if parameter.choices or parameter.kind() is bool:
        return random.choice(parameter.choices or ("on", "off"))
    if parameter.words and random.random() < 0.2:
        return random.choice(parameter.words)
    low = max(parameter.low if parameter.low is not None else -math.inf, low if low is not None else -math.inf)
    high = min(parameter.high if parameter.high is not None else math.inf, high if high is not None else math.inf)
    if parameter.kind() is int:
        return str(random.choice((int(low), int(high), int(low) + 1, random.randint(int(low), int(high)))))
    inside = (math.nextafter(low, high), math.nextafter(high, low), random.uniform(low, high), 0.5 * (low + high))
    return repr(random.choice((low, high, *inside)))


def beyond(random: Random, parameter: Parameter) -> str:
    """Text that a parameter most likely does not take: beside its bounds, or no number at all."""
    if parameter.low is None or parameter.high is None or random.random() < 0.4:
        return odd(random)
    if parameter.kind() is int:
        return str(random.choice((int(parameter.low) - 1, int(parameter.high) + 1, -int(parameter.high))))
    below, above = math.nextafter(parameter.low, -math.inf), math.nextafter(parameter.high, math.inf)
    return repr(random.choice((below, above, math.nan)))
