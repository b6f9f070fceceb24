"""Power: what Linux's files say of mains and batteries, as laptops have them."""

from __future__ import annotations

from pathlib import Path

import pytest

from demo.process.power import MAINS, Power, power_now

MAINS_ON, MAINS_OFF = {"type": "Mains", "online": "1"}, {"type": "Mains", "online": "0"}
CHARGER_OFF = {"type": "USB", "online": "0"}
DRAINED = {"type": "Battery", "status": "Discharging", "capacity": "37"}
FULL = {"type": "Battery", "status": "Full", "capacity": "100"}
SILENT = {"type": "Battery", "status": "Discharging"}
MOUSE = {"type": "Battery", "scope": "Device", "status": "Discharging", "capacity": "5"}


def laid(folder: Path, **supplies: dict[str, str]) -> Path:
    for name, facts in supplies.items():
        (folder / name).mkdir()
        for fact, text in facts.items():
            (folder / name / fact).write_text(text + "\n")
    return folder


@pytest.mark.parametrize(
    ("supplies", "expected"),
    [
        ({}, MAINS),
        ({"AC": MAINS_ON, "BAT0": DRAINED}, MAINS),
        ({"AC": MAINS_OFF, "BAT0": DRAINED}, Power(True, 0.37)),
        ({"AC": MAINS_OFF, "BAT0": DRAINED, "BAT1": FULL}, Power(True, 1.0)),
        ({"ucsi": CHARGER_OFF, "BAT0": SILENT}, Power(True, None)),
        ({"BAT0": FULL}, MAINS),
        ({"hidpp_battery_0": MOUSE}, MAINS),
        ({"AC": MAINS_OFF, "BAT0": DRAINED, "hidpp_battery_0": MOUSE}, Power(True, 0.37)),
    ],
)
def test_what_the_files_say(tmp_path, supplies, expected):
    assert power_now(laid(tmp_path, **supplies)) == expected


def test_a_system_that_says_nothing_runs_on_mains(tmp_path):
    assert power_now(tmp_path / "nowhere") == MAINS
    (tmp_path / "BAT0").mkdir()
    (tmp_path / "BAT0" / "type").write_bytes(b"\xff\xfe")
    assert power_now(tmp_path) == MAINS
