"""The place of the time zone: from tables like those of the system, and by the offset where they say nothing."""

from __future__ import annotations

import time

import pytest

from demo.process import place

ZONE_1970 = """# tzdb timezone descriptions
DE,DK,NO,SE,SJ\t+5230+01322\tEurope/Berlin\tmost of Germany
AR\t-3436-05827\tAmerica/Argentina/Buenos_Aires\tBuenos Aires (BA, CF)
IN\t+2232+08822\tAsia/Kolkata
"""
ZONE = "# tzdb\nSE\t+5920+01803\tEurope/Stockholm\nUS\t+404251-0740023\tAmerica/New_York\tEastern (most areas)\n"
LINKS = "# version\nL Asia/Kolkata Asia/Calcutta\nR E 1977\n"


@pytest.fixture
def zones(tmp_path):
    for name, text in (("zone1970.tab", ZONE_1970), ("zone.tab", ZONE), ("tzdata.zi", LINKS)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def test_places_are_read_with_minutes_and_seconds_and_by_older_names(zones):
    assert place.place_of("Europe/Berlin", zones) == pytest.approx((52.5, 13.0 + 22 / 60))
    assert place.place_of("America/Argentina/Buenos_Aires", zones) == pytest.approx((-34.6, -58.45))
    assert place.place_of("America/New_York", zones) == pytest.approx((40.7142, -74.0064), abs=1e-3)
    assert place.place_of("Europe/Stockholm", zones) == pytest.approx((59.3333, 18.05), abs=1e-3)
    assert place.place_of("Asia/Calcutta", zones) == place.place_of("Asia/Kolkata", zones) != None  # noqa: E711
    assert place.place_of("Etc/UTC", zones) is None


@pytest.fixture
def zone_of(monkeypatch):
    def choose(name: str) -> None:
        monkeypatch.setenv("TZ", name)
        time.tzset()

    yield choose
    monkeypatch.undo()
    time.tzset()


def test_the_user_s_zone_is_found_and_any_other_is_placed_by_its_offset(zones, zone_of):
    zone_of(":America/New_York")
    assert place.place_now(zones) == pytest.approx((40.7142, -74.0064), abs=1e-3)
    zone_of("XYZ-9")
    assert place.place_now(zones) == (place.TEMPERATE_DEG, pytest.approx(135.0))
    zone_of("XYZ-99")
    assert place.place_now(zones) == (place.TEMPERATE_DEG, pytest.approx(0.0)), "a day, which datetime does not take"
    zone_of("Europe/Berlin")
    assert place.place_now(zones / "none")[0] == place.TEMPERATE_DEG
