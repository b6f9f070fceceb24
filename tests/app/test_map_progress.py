"""The time left that the bar of `map` says, against recorded runs: with all kernels compiled before, and with none."""

from __future__ import annotations

import io
import re

import pytest

from demo.app.map_progress import STEPS, shares_of
from demo.app.progress import Progress
from demo.export.maps import formats
from demo.mapping.objects.planet_map import STRIPPED
from demo.tables.map_formats import USUAL, size_of

# What is told of the map when a stage of it is done: relief, climate, waters, strips, objects.
STAGES = (0.05, 0.1, 0.15, STRIPPED, 1.0)
# Seconds of processor time that these stages took, and those of USUAL, on one core; of tiles, which use several processes,
# seconds of a quiet machine.
GROWN = {(5, 3): (1.0, 0.1, 0.6, 0.1, 1.0), (7, 3): (0.9, 0.6, 1.0, 1.2, 9.8)}
WRITTEN = {(5, 3): (0.5, 0.4, 0.5, 1.7, 25.5, 11.0, 0.1), (7, 3): (4.6, 2.4, 3.0, 8.4, 35.0, 67.0, 0.1)}
# How much longer the first run after an installation took: kernels are compiled when they are first called.
COMPILING = (4.3, 0.8, 59.4, 0.0, 4.4)
# Nobody counts the last seconds.
LAST_S = 4.0


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def told(names, size, grown, written, growing):
    """(seconds since the report before, what is done in parts of the bar): stages of the map, and ten of every file."""
    for part, seconds in zip(STAGES, grown, strict=True):
        yield seconds, growing * part
    done, total = 0.0, formats.effort(names, size)
    for name, seconds in zip(names, written, strict=True):
        takes = formats.effort([name], size)
        for k in range(1, 11):
            yield seconds / 10.0, growing + (1.0 - growing) * (done + takes * k / 10.0) / total
        done += takes


@pytest.mark.parametrize("names", [USUAL, ("pbf", "gpkg"), ("tiles",)], ids=" ".join)
@pytest.mark.parametrize("slow", [1.0, 2.5], ids=["as recorded", "on a slower machine"])
@pytest.mark.parametrize("cold", [False, True], ids=["warm", "cold"])
@pytest.mark.parametrize("planet", GROWN, ids=str)
def test_the_time_left_is_right_within_a_factor_of_two(planet, cold, slow, names):
    written = [seconds for name, seconds in zip(USUAL, WRITTEN[planet], strict=True) if name in names]
    grown = [seconds + cold * more for seconds, more in zip(GROWN[planet], COMPILING, strict=True)]
    growing, settles = shares_of(names, *planet)
    now, end, stream, shown = 0.0, slow * (sum(grown) + sum(written)), Terminal(), 0
    with Progress("map", STEPS, stream, lambda: now, settles) as progress:
        for seconds, done in told(names, size_of(*planet), grown, written, growing):
            now += slow * seconds
            stream.truncate(0)
            progress.to(int(STEPS * done))
            said = re.search(r"(\d+):(\d\d) left", stream.getvalue())
            if said and end - now > LAST_S:
                shown += 1
                left = 60 * int(said[1]) + int(said[2])
                assert 0.5 <= left / (end - now) <= 2.0, f"{left} s left, {end - now:.0f} in truth"
    assert shown >= 5 or end - slow * sum(grown) < 15.0
