"""Running orders: playlists by the time of day."""

from __future__ import annotations

import pytest

from demo.scenes.scenes import ROTATION
from demo.show.options import ShowOptions
from demo.show.playlist import Playlist, Turn, playlist_at
from demo.show.running_order import first_scene, running_order

TURNS = (Turn("cuts", 7),)


@pytest.mark.parametrize(
    ("hours", "plays", "rests"),
    [
        (None, (0, 720, 1439), ()),
        ((600, 1200), (600, 1199), (0, 599, 1200)),
        ((1320, 360), (1320, 1439, 0, 359), (360, 720, 1319)),
        ((0, 1440), (0, 720, 1439), ()),
        ((480, 480), (0, 480, 1439), ()),
    ],
)
def test_hours_may_lie_on_both_sides_of_midnight(hours, plays, rests):
    playlist = Playlist("mine", TURNS, hours=hours)
    assert all(playlist.plays_at(minute) for minute in plays)
    assert not any(playlist.plays_at(minute) for minute in rests)


def test_the_first_one_that_plays_counts_and_without_one_all_scenes_do():
    evening, late = Playlist("evening", TURNS, hours=(1080, 1380)), Playlist("late", TURNS, hours=(1200, 60))
    assert [playlist_at((evening, late), minute) for minute in (600, 1100, 1250, 30)] == [None, evening, evening, late]
    options = ShowOptions(playlists=(evening,))
    assert running_order(options, 1100) == ([*TURNS], False)
    assert running_order(options, 600) == ([Turn(name) for name in ROTATION], False)
    assert (first_scene(options, 1100), first_scene(options, 600)) == ("cuts", ROTATION[0])
