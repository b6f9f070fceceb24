"""Power: whether the machine runs on battery, and how full that is."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

SUPPLIES = Path("/sys/class/power_supply")
"""Where Linux tells of batteries and mains; see Documentation/ABI/testing/sysfs-class-power in its source."""


@dataclass(frozen=True)
class Power:
    """`on_battery`: nothing but a battery feeds the machine. `charge`: how full the fullest is, 0..1; None: nobody says."""

    on_battery: bool = False
    charge: float | None = None


MAINS = Power()
"""What a machine without batteries runs on, and one that does not tell."""


def power_now(supplies: Path = SUPPLIES) -> Power:
    """The power as the system tells it. `supplies`: a folder like SUPPLIES."""
    try:
        rows = [_facts(folder) for folder in sorted(supplies.iterdir())]
    except OSError:
        return MAINS
    # Batteries of mice and keyboards say that their scope is a device.
    batteries = [row for row in rows if row.get("type") == "Battery" and row.get("scope") != "Device"]
    if any(row.get("online") == "1" for row in rows if row.get("type") in ("Mains", "USB")):
        return MAINS
    if not any(row.get("status") == "Discharging" for row in batteries):
        return MAINS
    charges = [float(row["capacity"]) / 100.0 for row in batteries if row.get("capacity", "").isdecimal()]
    return Power(True, max(charges, default=None))


def _facts(folder: Path) -> dict[str, str]:
    """What the files of one supply say, as far as they can be read."""
    facts = {}
    for name in ("type", "scope", "online", "status", "capacity"):
        try:
            facts[name] = (folder / name).read_text(encoding="ascii").strip()
        except (OSError, UnicodeDecodeError):
            continue
    return facts
