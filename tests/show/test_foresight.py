"""The ground's tiles are made before the flight needs them, a few in each frame, and the pictures are the same ones."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from support.showing import showing, still

from demo.hosts import offscreen
from demo.scenes.scenes import SCENES

SCENE, SIZE = "plasma", (256, 144)
FPS, SECONDS = 30, 7

pytestmark = pytest.mark.usefixtures("plain_flights", "shared_worlds")


@pytest.fixture(scope="module", autouse=True)
def context():
    with offscreen.context(SIZE):
        yield


@dataclass(frozen=True)
class Seen:
    """Tiles that were made in each frame of a live show from when the land settles, and its last picture and time."""

    made: list[int]
    picture: np.ndarray
    t: float


def watched(monkeypatch: pytest.MonkeyPatch) -> Seen:
    with showing(SIZE, scene=SCENE, hold=True, paced=True, quality="software", caption=False) as show:
        from demo.render.tiles import Tiles

        make, in_frame = Tiles.make, [0]

        def counted(self, atlas, detail, levels, tiles, *others):
            in_frame[0] += len(tiles)
            make(self, atlas, detail, levels, tiles, *others)

        monkeypatch.setattr(Tiles, "make", counted)
        show.seek(SCENES[SCENE].settles_s - 0.5)
        show.draw()
        made = []
        for _ in range(FPS * SECONDS):
            in_frame[0] = 0
            show.update(1.0 / FPS)
            show.draw()
            made.append(in_frame[0])
        story = show.shot().current
        picture = show.bare_picture()
        monkeypatch.setattr(Tiles, "make", make)
        return Seen(made, picture, story.t)


def test_no_frame_makes_many_tiles_and_no_picture_is_another(monkeypatch):
    seen = watched(monkeypatch)
    with monkeypatch.context() as plain:
        from demo.show import foresight, painter

        plain.setattr(foresight.Foresight, "step", lambda self, frame: None)
        plain.setattr(painter, "FIRST_TILES", np.inf)
        unforeseen = watched(monkeypatch)
    assert sum(unforeseen.made) > 30, "there are tiles"
    assert max(seen.made) <= 0.6 * max(unforeseen.made), (max(seen.made), max(unforeseen.made))
    assert sum(seen.made) <= 1.2 * sum(unforeseen.made), "few are made in vain"
    alone = still(seen.t, SIZE, scene=SCENE, hold=True, quality="software", caption=False)
    levels = np.abs(seen.picture.astype(int) - alone).max(axis=2)
    # As where a show is stepped through: tiles lie in other places of their picture.
    assert (levels > 1).sum() <= levels.size // 3000 and (levels > 0).mean() <= 1.0 / 100.0
