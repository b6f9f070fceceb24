"""Heat: whether the machine is so hot that it is about to slow itself down."""

from __future__ import annotations

from pathlib import Path

ZONES = Path("/sys/class/thermal")
"""Where Linux tells of temperatures; see Documentation/driver-api/thermal/sysfs-api.rst in its source."""
# Trip points of these kinds mean that the processor is slowed down, or worse. They count from so far below, millidegrees.
TRIPS, NEAR = ("passive", "hot", "critical"), 3_000
# No processor is slowed down below this. Some zones have trip points of nothing.
COOL = 50_000


def is_hot(zones: Path = ZONES) -> bool:
    """Whether any zone is near a trip point, or past it. `zones`: a folder like ZONES; one that is not there is cool."""
    return any(_near_a_trip(zone) for zone in zones.glob("thermal_zone*"))


def _near_a_trip(zone: Path) -> bool:
    now = _number(zone / "temp")
    if now is None:
        return False
    trips = [
        _number(zone / kind.name.replace("_type", "_temp"))
        for kind in zone.glob("trip_point_*_type")
        if _text(kind) in TRIPS
    ]
    return any(trip is not None and trip > COOL and now >= trip - NEAR for trip in trips)


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        return ""


def _number(path: Path) -> int | None:
    text = _text(path)
    return int(text) if text.lstrip("-").isdecimal() else None
