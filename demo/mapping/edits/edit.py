"""An edit of a map: one thing that somebody has renamed, moved, deleted, added, raised or lowered."""

from __future__ import annotations

from dataclasses import dataclass

LonLat = tuple[float, float]

# What can be edited, and how.
THINGS = ("peak", "lake", "river", "coast", "landmass", "sea", "ocean")
RENAMED, MOVED, DELETED, ADDED, HEIGHT, RAISED, LOWERED = (
    "renamed",
    "moved",
    "deleted",
    "added",
    "height",
    "raised",
    "lowered",
)
ACTS = {
    "peak": (RENAMED, MOVED, DELETED, ADDED, HEIGHT),
    "lake": (RENAMED, MOVED, DELETED, ADDED),
    "river": (RENAMED, MOVED, DELETED, ADDED),
    "coast": (RAISED, LOWERED),
    "landmass": (RENAMED,),
    "sea": (RENAMED,),
    "ocean": (RENAMED,),
}


@dataclass(frozen=True)
class Edit:
    """One edit; places are (longitude, latitude) in degrees.

    `thing`: one of THINGS; `act`: one of its ACTS. `at`: where the thing was, or is if it is new: of a river its middle
    vertex, of a lake a place in it. `name`: the name that it bears now, None for its own. `height_m`: the height or level
    that it is given. `shape`: the lines or rings of it as it is now; of a moved peak its place. `before`: a river's line as
    it was. A coast is the area that is raised out of the sea or lowered into it.
    """

    thing: str
    act: str
    at: LonLat
    name: str | None = None
    height_m: float | None = None
    shape: tuple[tuple[LonLat, ...], ...] = ()
    before: tuple[LonLat, ...] = ()

    @property
    def place(self) -> LonLat:
        """Where the thing is once the edit is made."""
        if self.act not in (MOVED, ADDED) or not self.shape:
            return self.at
        line = self.shape[0]
        if self.thing == "lake":
            return sum(x for x, _ in line) / len(line), sum(y for _, y in line) / len(line)
        return line[len(line) // 2]

    def __str__(self) -> str:
        named = f" {self.name}" if self.name else ""
        return f"{self.thing}{named} at {self.at[0]:.3f}, {self.at[1]:.3f} {self.act}"


# Those that were made together; each round is drawn on the map that the rounds before it have made.
Round = tuple[Edit, ...]


class EditProblem(Exception):
    """Why an edit cannot be honoured."""


class EditsError(Exception):
    """A file of edits cannot be used; the message says why, and what to do, in one line."""
