"""The names of a planet in the show: its own, those that it keeps under edits, and those that edits give."""

from __future__ import annotations

import numpy as np

from ..degrees import directions
from ..edits import edit as acts
from ..edits.edit import Edit
from ..edits.edited_planet import EditedPlanet
from ..local.peaks import summits_on
from ..objects.kept_names import KeptNames
from ..objects.naming import Names
from ..waters.hydrology import Hydrology
from ..waters.stems import river_ends, stem_of_end
from .scene_waters import SceneWaters

# A thing is no farther from the place of its edit than so many steps of the mesh.
NEAR_STEPS = 2.0


def names_of(waters: SceneWaters) -> Names:
    """The names of a planet with these waters, none of which has been asked for yet."""
    if waters.edited is None:
        return Names(waters.seed, waters.hydrology)
    return GivenNames(Names(waters.seed, waters.edited.before), waters.edited, waters.hydrology)


class GivenNames(KeptNames):
    """The names of an edited planet, with those that honoured edits give, found on the global mesh.

    `objects.given_names` finds things by their fine shapes instead, which the show does not have.
    """

    def __init__(self, before: Names, edited: EditedPlanet, waters: Hydrology) -> None:
        """`before`: the names of the planet without edits; `waters`: of the edited planet, with the rivers in the show."""
        super().__init__(before, waters, _summits(edited, edited.before))
        self._ground = edited.ground
        self._given: dict[str, dict[int, str]] = {}
        places = self._places(_summits(edited, waters))
        for trace in edited.traces:
            edit = trace.edit
            if edit.name and not trace.problem and edit.act != acts.DELETED and edit.thing in places:
                key = self._key(edit, *places[edit.thing])
                if key is not None:
                    self._given.setdefault(edit.thing, {})[key] = edit.name

    def landmasses(self, count: int | None = None) -> list[str]:
        """As in `Names`."""
        given = self._given.get("landmass", {})
        return [given.get(k, name) for k, name in enumerate(super().landmasses(count))]

    def lakes(self, least_m2: float = 0.0) -> dict[int, str]:
        """As in `Names`."""
        given = self._given.get("lake", {})
        return {k: given.get(k, name) for k, name in super().lakes(least_m2).items()}

    def rivers(self, least_m3_s: float = 0.0) -> dict[int, str]:
        """As in `Names`; a name that is given holds for the whole stem."""
        given, flow = self._given.get("river", {}), self._waters.passed_m3_s
        stems = stem_of_end(self._waters).items()
        return super().rivers(least_m3_s) | {
            end: given[stem] for end, stem in stems if stem in given and flow[end] >= least_m3_s
        }

    def peaks(self, points: np.ndarray) -> dict[int, str]:
        """As in `Names`."""
        return super().peaks(points) | {p: name for p, name in self._given.get("peak", {}).items() if p in points}

    def _places(self, summits: np.ndarray) -> dict[str, tuple[np.ndarray, np.ndarray]]:
        """By kind (the mesh points at which things are, the number of the thing at each)."""
        waters, stem = self._waters, stem_of_end(self._waters)
        wet, land = np.flatnonzero(waters.lake_of_point >= 0), np.flatnonzero(self._of >= 0)
        runs = np.flatnonzero((waters.order_of_point > 0) & (waters.lake_of_point < 0))
        ends = _ends(waters, runs)
        runs, ends = runs[ends >= 0], ends[ends >= 0]
        return {
            "peak": (summits, summits),
            "lake": (wet, waters.lake_of_point[wet]),
            "river": (runs, np.array([stem[end] for end in ends.tolist()], np.int64)),
            "landmass": (land, self._of[land]),
        }

    def _key(self, edit: Edit, points: np.ndarray, numbers: np.ndarray) -> int | None:
        """The number of the thing that an edit is of; None where none is near."""
        if not len(points):
            return None
        apart = ((self._ground.place[points] - directions(np.array(edit.place))) ** 2).sum(axis=1)
        best = int(np.argmin(apart))
        far = edit.thing != "landmass" and apart[best] > (NEAR_STEPS * self._ground.step) ** 2
        return None if far else int(numbers[best])


def _summits(edited: EditedPlanet, waters: Hydrology) -> np.ndarray:
    """The points of all summits of the planet with these waters, the highest first."""
    neighbour = edited.ground.globe.neighbour
    return summits_on(waters, neighbour).point


def _ends(waters: Hydrology, points: np.ndarray) -> np.ndarray:
    """The end of the river (`river_ends`) that runs through each point, -1 for none: int64."""
    end = np.full(len(waters.receiver_of_point) + 1, -1, np.int64)
    last = river_ends(waters)
    end[last] = last
    at = points.copy()
    while True:
        on = (end[at] < 0) & (at >= 0)
        if not on.any():
            break
        at[on] = waters.receiver_of_point[at[on]]
    return end[at]
