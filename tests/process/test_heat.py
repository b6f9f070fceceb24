"""Heat: what Linux's thermal zones say, as laptops have them."""

from __future__ import annotations

from pathlib import Path

import pytest

from demo.process.heat import is_hot

TRIPS = {"trip_point_0_type": "active", "trip_point_0_temp": "45000", "trip_point_1_type": "passive"}
LAPTOP = {**TRIPS, "trip_point_1_temp": "95000", "trip_point_2_type": "critical", "trip_point_2_temp": "105000"}


def laid(folder: Path, *zones: dict[str, str]) -> Path:
    for number, facts in enumerate(zones):
        zone = folder / f"thermal_zone{number}"
        zone.mkdir()
        for name, text in facts.items():
            (zone / name).write_text(f"{text}\n")
    return folder


@pytest.mark.parametrize(
    ("zones", "hot"),
    [
        ((), False),
        (({**LAPTOP, "temp": "60000"},), False),
        (({**LAPTOP, "temp": "93000"},), True),
        (({**LAPTOP, "temp": "60000"}, {**LAPTOP, "temp": "99000"}), True),
        # Zones without trip points, with a trip point of nothing, and with no temperature.
        (({"temp": "99000"},), False),
        (({"trip_point_0_type": "passive", "trip_point_0_temp": "0", "temp": "40000"},), False),
        (({**LAPTOP},), False),
        (({**LAPTOP, "temp": "nonsense"},), False),
    ],
)
def test_a_zone_near_its_trip_point_is_hot(tmp_path, zones, hot):
    assert is_hot(laid(tmp_path, *zones)) is hot


def test_nothing_is_hot_where_nobody_tells(tmp_path):
    assert not is_hot(tmp_path / "none")
