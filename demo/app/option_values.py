"""Reading the values of options: from text on a command line to a value, or to an error that says what the option takes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from datetime import UTC, datetime, time
from typing import Any

from ..tables.map_formats import MAP_FORMATS
from ..worlds.parameters import Parameter, ParameterError

SIDE_PX = (16, 16_384)
SIZE_TAKES = f"WIDTHxHEIGHT, each from {SIDE_PX[0]} to {SIDE_PX[1]}"
FORMATS_TAKES = f"some of {','.join(MAP_FORMATS)}, with commas between them"
TODAY = "today"
SEED_TAKES = f"an integer, or '{TODAY}' for the same world everywhere until midnight UTC"
NOW, OFF = "now", "off"
HOURS_TAKES = f"HH:MM, '{NOW}' or '{OFF}'"
REGION_KM = (1, 20_000)
REGION_TAKES = f"degrees east, degrees north and km from {REGION_KM[0]} to {REGION_KM[1]:,}, as in 12.5,-30,200"
SCHEDULER_TAKES = "tcp://HOST:PORT, as in tcp://10.0.0.1:8786"
BLOCKS_TAKES = "a folder, or an address of fsspec, as in s3://BUCKET/PREFIX"
Size = tuple[int, int]
Place = tuple[float, float, float]


def number(name: str, kind: type, low: float | None, high: float | None) -> tuple[str, Callable[[str], Any]]:
    """(what it takes in words, how to read it) of the option `--name` with a number from `low` to `high`, inclusive."""
    parameter = Parameter(f"--{name}", kind(low or 0), "", low, high)
    return parameter.describe(), parameter.parse


def choice(name: str, words: Iterable[str]) -> tuple[str, Callable[[str], Any]]:
    """(what it takes in words, how to read it) of the option `--name` with one of several words."""
    choices = tuple(words)
    parameter = Parameter(f"--{name}", choices[0], "", choices=choices)
    return parameter.describe(), parameter.parse


class DateSeed(int):
    """A seed that came from the date."""


def read_seed(text: str) -> int:
    """A seed, of any integer; TODAY is that of the date in UTC, 20261122 for 2026-11-22. Raises ParameterError."""
    if text == TODAY:
        return DateSeed(datetime.now(UTC).strftime("%Y%m%d"))
    read = Parameter("--seed", 0, "", None, None).parse
    try:
        return int(read(text))
    except ParameterError:
        raise ParameterError(f"--seed={text} is not possible: it takes {SEED_TAKES}") from None


def read_size(text: str) -> Size:
    """'1280x720' as (1280, 720), in pixels; raises ParameterError."""
    match = re.fullmatch(r"(\d{1,6})[xX](\d{1,6})", text.strip(), re.ASCII)
    size = (int(match[1]), int(match[2])) if match else (0, 0)
    if not all(SIDE_PX[0] <= side <= SIDE_PX[1] for side in size):
        raise ParameterError(f"--size={text} is not possible: it takes {SIZE_TAKES}")
    return size


def read_hours(text: str) -> time | str:
    """A time of day, or one of the words NOW and OFF; raises ParameterError."""
    if text in (NOW, OFF):
        return text
    match = re.fullmatch(r"(\d{1,2}):(\d{2})", text.strip(), re.ASCII)
    hour, minute = (int(match[1]), int(match[2])) if match else (24, 0)
    if hour > 23 or minute > 59:
        raise ParameterError(f"--hours={text} is not possible: it takes {HOURS_TAKES}")
    return time(hour, minute)


def read_region(text: str) -> Place:
    """'12.5,-30,200' as (12.5, -30.0, 200.0): degrees of longitude and latitude, and km; raises ParameterError."""
    words = text.split(",")
    try:
        longitude, latitude, km = (float(word) for word in words)
    except ValueError:
        raise ParameterError(f"--region={text} is not possible: it takes {REGION_TAKES}") from None
    if not (abs(longitude) <= 180.0 and abs(latitude) <= 90.0 and REGION_KM[0] <= km <= REGION_KM[1]):
        raise ParameterError(f"--region={text} is not possible: it takes {REGION_TAKES}")
    return longitude, latitude, km


def read_scheduler(text: str) -> str:
    """The address of a Dask scheduler, as it was given; raises ParameterError."""
    match = re.fullmatch(r"(?:tcp|tls)://(?:[^\s:/\[\]]+|\[[0-9a-fA-F:.]+\]):(\d{1,5})", text, re.ASCII)
    if not match or not 0 < int(match[1]) < 65_536:
        raise ParameterError(f"--scheduler={text} is not possible: it takes {SCHEDULER_TAKES}")
    return text


def read_blocks(text: str) -> str:
    """A folder, or PROTOCOL://PATH, as it was given; raises ParameterError.

    An address has no signs that could name several objects, and no second protocol behind ::, where a cache could answer.
    """
    address = "://" in text
    right = re.fullmatch(r"(file|local):///[^\n]*|(?!(file|local):)[a-z][a-z0-9+.-]*://[^*?\[\]\n]*", text)
    if not text or (address and (not right or "::" in text)):
        # Not with the password that it may hold.
        text = re.sub(r"(?<=://)[^/]*@", "", text)
        raise ParameterError(f"--blocks={text} is not possible: it takes {BLOCKS_TAKES}")
    return text


def read_formats(text: str) -> tuple[str, ...]:
    """Some of the MAP_FORMATS, in their order; raises ParameterError."""
    words = [word.strip() for word in text.split(",")]
    if not all(word in MAP_FORMATS for word in words):
        raise ParameterError(f"--formats={text} is not possible: it takes {FORMATS_TAKES}")
    return tuple(name for name in MAP_FORMATS if name in words)
