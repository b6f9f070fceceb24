"""The coast of OpenStreetMap's files along the edge of the sheet, where a map is cut: the 180th meridian and the poles.

Whoever makes land from coastlines takes a sheet of longitude and latitude and needs rings that are closed on it. So what the
cut leaves open is closed along the edge, as openstreetmap.org has it for Antarctica. It is no shore, and a tag says so.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable

import numpy as np

from ...mapping.objects.records import Line

EDGE, POLE = 180.0, 90.0
_SHEET = ((-EDGE, -POLE), (EDGE, -POLE), (EDGE, POLE), (-EDGE, POLE), (-EDGE, -POLE))


def closing_lines(coasts: Iterable[Line], edge_is_land: bool) -> list[Line]:
    """Lines of two vertices each that close the `coasts` of one sea to rings with the land on their left.

    `edge_is_land`: whether land lies along the whole edge where no coast reaches it.
    """
    opened = [line for line in coasts if (line[0] != line[-1]).any()]
    if not opened:
        return [np.array(pair) for pair in itertools.pairwise(_SHEET)] if edge_is_land else []
    begins = np.array([line[0] for line in opened])
    return [side for line in opened for side in _way_on(line[-1], begins)]


def _way_on(end: np.ndarray, begins: np.ndarray) -> list[Line]:
    """From where a coast leaves the sheet to where the next one comes in, (k, 2): anticlockwise along the edge."""
    place = end.copy()
    # In the east the edge runs north, in the west south.
    passed = [place]
    for _ in range(3):
        east = place[0] > 0.0
        ahead = begins[(begins[:, 0] == place[0]) & (begins[:, 1] > place[1] if east else begins[:, 1] < place[1])]
        if len(ahead):
            passed.append(ahead[np.argmin(np.abs(ahead[:, 1] - place[1]))])
            break
        pole = POLE if east else -POLE
        place = np.array([-place[0], pole])
        passed += [np.array([-place[0], pole]), place]
    return [np.array(pair) for pair in itertools.pairwise(passed)]
