"""The place of the user's time zone, as the system's tables of zones tell it, without a network."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator
from pathlib import Path

ZONES = Path("/usr/share/zoneinfo")
"""Where systems keep the zones of the IANA Time Zone Database, its tables of places, and `tzdata.zi` with its links."""
LOCALTIME, TIMEZONE = Path("/etc/localtime"), Path("/etc/timezone")
TABLES = ("zone1970.tab", "zone.tab")
# Where nothing but the offset from UTC is known: half of mankind lives farther north, half farther south or so.
TEMPERATE_DEG = 40.0
DEGREES_AN_HOUR = 15.0
# ISO 6709: degrees and minutes, and seconds where the table has them.
_PLACE = re.compile(r"([+-])(\d{2})(\d{2})(\d{2})?([+-])(\d{3})(\d{2})(\d{2})?")


def place_now(zones: Path = ZONES) -> tuple[float, float]:
    """(latitude, longitude) in degrees, north and east positive: of the zone's first city, else by the offset from UTC."""
    for name in _names():
        place = place_of(name, zones)
        if place:
            return place
    # The system knows zones a day or more from UTC, which datetime refuses.
    east = time.localtime().tm_gmtoff / 3600.0 * DEGREES_AN_HOUR
    return TEMPERATE_DEG, (east + 180.0) % 360.0 - 180.0


def place_of(zone: str, zones: Path = ZONES) -> tuple[float, float] | None:
    """The place of a zone such as Europe/Berlin, or of the one that has taken its place; None where no table has it."""
    name = _linked(zone, zones)
    for table in TABLES:
        for columns in _rows(zones / table):
            match = _PLACE.fullmatch(columns[1]) if len(columns) > 2 and columns[2] in (zone, name) else None
            if match:
                return _degrees(*match.groups()[:4]), _degrees(*match.groups()[4:])
    return None


def _names() -> Iterator[str]:
    """What the zone may be called, the surest first."""
    named = os.environ.get("TZ", "").removeprefix(":")
    if named:
        # The user's own word counts alone.
        yield named.rpartition("zoneinfo/")[2]
        return
    yield os.path.realpath(LOCALTIME).rpartition("zoneinfo/")[2]
    try:
        yield TIMEZONE.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return


def _linked(zone: str, zones: Path) -> str:
    """The zone to which an older name is a link."""
    for words in _rows(zones / "tzdata.zi", " "):
        if words[0] == "L" and words[2:] == [zone]:
            return words[1]
    return zone


def _rows(path: Path, between: str = "\t") -> Iterator[list[str]]:
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return
    yield from (line.split(between) for line in lines if not line.startswith("#"))


def _degrees(sign: str, degrees: str, minutes: str, seconds: str | None) -> float:
    size = int(degrees) + int(minutes) / 60.0 + int(seconds or 0) / 3600.0
    return -size if sign == "-" else size
