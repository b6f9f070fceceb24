"""Shot: what the show shows at a moment, as a value, and with what a picture of it was drawn."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..flight.camera import Pose
    from ..story.story import Story
    from ..tables.keys import Switches
    from .melt import Melt
    from .notices import Notice

LONGEST_NAME = 150


@dataclass(frozen=True)
class Shot:
    """What is shown at a moment: all that a picture depends on, but for its size.

    `clock`: seconds of the show; `current`: the story that is shown, None before the first world is there; `coming`: the one
    after it, once it is known; `melt`: set while the one turns into the other; `pose`: of the camera in the current story,
    `coming_pose`: in the one that melts in; `troubled`: no world can be grown at present; `notice`: what is said to
    who asked for something, over a live picture alone; `flies`: the camera is in a person's hands; `line`: how much of the
    growth is shown and how opaque the line is that says so, both 0..1; None: nobody runs it.
    """

    clock: float
    current: Story | None
    coming: Story | None
    melt: Melt | None
    pose: Pose | None
    coming_pose: Pose | None
    switches: Switches
    troubled: bool = False
    notice: Notice | None = None
    flies: bool = False
    line: tuple[float, float] | None = None

    @property
    def still_name(self) -> str:
        """A file name for a still of it."""
        story = self.current
        if not story or not story.prepared:
            return "landfall.png"
        # A world's code may name the file that it came from.
        world = re.sub(r"[^A-Za-z0-9.=+_-]+", "_", story.prepared.code)[:LONGEST_NAME]
        return f"landfall-{world}-{story.t:07.3f}s.png"


@dataclass(frozen=True)
class Drawn:
    """With what a picture was drawn.

    `width`, `height`: pixels of its scenes, which are enlarged to those of the picture; `triangles`: sent; `quality`: a name
    of QUALITIES; `scale`: the share of the picture's sides that the pace allows, None without a pace.
    """

    width: int
    height: int
    triangles: int
    quality: str
    scale: float | None = None
