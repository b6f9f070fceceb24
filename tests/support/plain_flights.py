"""Plain flights: the first of their ways, without glances aside. To look for better ones takes long."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from demo.flight.composition import Planning
    from demo.flight.paths import Flight
    from demo.ground.ground import Ground


def _first(ground: Ground, flown: Callable[[int], Flight], start: float, end: float, attempts: int = 1) -> Planning:
    yield
    return flown(0)


def _as_it_is(ground: Ground, flight: Flight, start: float, end: float, fastest: float) -> Flight:
    return flight


def make_plain(put: Callable[[object, str, object], None]) -> None:
    """Have all flights planned plainly from now on; `put` is `setattr` or does its work."""
    from demo.flight import planet, river, terrain

    for kind in (planet, terrain, river):
        put(kind, "most_varied", _first)
        put(kind, "with_glances", _as_it_is)
