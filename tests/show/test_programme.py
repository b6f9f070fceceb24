"""The programme: which story is shown when, decided without drawing, threads or waiting."""

from __future__ import annotations

from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest

from demo.scenes.scenes import ROTATION, SCENES
from demo.show.melt import ASKED_FLOW_S, ASKED_MELT_S, FLOW_S, MELT_S
from demo.show.options import ShowOptions
from demo.show.playlist import Playlist, Turn
from demo.show.programme import GROWS_AFTER_S, Decision, Programme
from demo.tables.keys import Switches
from demo.worlds.atlas import ATLASES
from demo.worlds.parameters import ParameterError

NAMES = list(ROTATION)
NOON = 12 * 60


class FakeStory:
    """A story that is grown as soon as a test says so; stories of the same scene can flow into one another."""

    def __init__(self, name: str, seed: int) -> None:
        self.scene, self.seed, self.t = SCENES[name], seed, 0.0
        self.prepared: SimpleNamespace | None = None
        self.latest = float("inf")

    @property
    def seconds(self) -> float:
        return self.scene.birth_s + self.scene.flight_s

    def advance(self, seconds: float) -> None:
        self.t = min(self.t + seconds, self.latest)

    def grown(self) -> None:
        far = SimpleNamespace(position=np.array([0.0, 3.0 * self.scene.size_m, 0.0]))
        flight = SimpleNamespace(pose=lambda t: far)
        self.prepared = SimpleNamespace(atlas=ATLASES[self.scene.atlas], samples=65, flight=flight)


def programme(seed: int = 7, **given: object) -> Programme:
    return Programme(ShowOptions(**given), seed, lambda turn, seed: FakeStory(turn.scene, seed), lambda: NOON)


def opened(**given: object) -> Programme:
    """One whose first world is shown."""
    now = programme(**given)
    now.coming.grown()
    assert now.decide().opens
    return now


def pass_time(now: Programme, seconds: float, by_hand: bool = False) -> list[Decision]:
    """Live, in frames of 0.1 s; what was decided."""
    made = []
    for _ in range(round(seconds * 10)):
        now.advance(0.1, Switches(), lambda story: True)
        if decision := now.decide(by_hand=by_hand):
            made.append(decision)
    return made


def sought(now: Programme, seconds: float) -> list[Decision]:
    """Exactly at a time of the clock, with a worker that is always done; what was decided."""
    now.clock, made = seconds, []
    while True:
        for story in now.shown:
            story.t = now.time_of(story)
        decision = now.decide(exact=True)
        if decision is None:
            return made
        made.append(decision)
        if decision.awaits:
            decision.awaits.grown()


def test_nothing_is_shown_before_the_first_world_is_grown():
    now = programme()
    first = now.coming
    assert (now.current, first.scene.name, now.decide()) == (None, NAMES[0], None)
    assert now.decide(exact=True) == Decision(awaits=first)
    assert not now.shown and now.stories == (first,)
    first.grown()
    assert now.decide() == Decision(grow=(first,), opens=True)
    assert now.current is first and now.coming is None and now.shown == (first,)


def test_what_was_asked_for_is_wanted_until_it_is_shown():
    now = programme()
    assert now.wanted is now.coming
    now.coming.grown()
    now.decide()
    assert now.wanted is None
    # The next world comes by itself.
    pass_time(now, now.current.scene.birth_s + 1.0)
    assert now.coming and now.wanted is None
    now.go_to(3)
    older = now.wanted
    assert older is now.coming and older.scene.name == NAMES[3]
    now.go_to(2)
    assert now.wanted is now.coming and now.wanted is not older
    now.coming.grown()
    now.decide()
    assert now.melt and now.wanted is None
    now.go_to(1)
    assert now.wanted is now.coming and now.wanted.scene.name == NAMES[1]


def test_it_begins_with_the_scene_that_is_asked_for():
    assert programme(scene=NAMES[2]).coming.scene.name == NAMES[2]
    with pytest.raises(ParameterError, match="nowhere"):
        programme(scene="nowhere")


def test_the_next_world_is_grown_once_the_growth_of_the_shown_one_is_over():
    now = opened()
    assert pass_time(now, now.current.scene.birth_s - 0.5) == [] and now.coming is None
    [decision] = pass_time(now, 1.0)
    assert now.coming.scene.name == NAMES[1] and decision == Decision(grow=(now.current, now.coming))
    # It waits for the flight's end.
    now.coming.grown()
    assert pass_time(now, 5.0) == [] and not now.melt


def test_at_the_end_of_a_story_the_next_one_melts_in():
    now = opened()
    old = now.current
    pass_time(now, old.seconds - MELT_S - 1.0)
    new = now.coming
    new.grown()
    [decision] = pass_time(now, 1.5)
    assert decision == Decision(melts=old) and now.melt.length_s == MELT_S and not now.melt.flows
    assert now.shown == (old, new) and now.melt.share(now.melt.start_s + 0.5 * MELT_S) == pytest.approx(0.5)
    [decision] = pass_time(now, MELT_S)
    assert decision == Decision(grow=(new,), drop=old, lands=True)
    assert now.current is new and now.coming is None and now.melt is None and now.shown == (new,)


def test_a_late_world_is_waited_for_in_flight():
    now = opened()
    pass_time(now, now.current.seconds + 20.0)
    assert now.current.t > now.current.seconds and not now.melt
    now.coming.grown()
    assert pass_time(now, 0.2)[0].melts is now.current


def test_a_wish_melts_in_as_soon_as_it_is_grown():
    now = opened()
    pass_time(now, 2.0)
    old = now.current
    decision = now.go(1)
    assert decision == Decision(grow=(old, now.coming)) and now.coming.scene.name == NAMES[1]
    assert pass_time(now, 5.0) == []
    now.coming.grown()
    pass_time(now, 0.1)
    assert now.melt.length_s == ASKED_MELT_S


def test_the_newest_wish_wins():
    now = opened()
    asked = []
    for places in (1, 1, -1, 0):
        decision = now.go(places)
        assert decision.drop is (asked[-1] if asked else None) and decision.grow == (now.current, now.coming)
        asked.append(now.coming)
    # Each counts from the one before.
    assert [story.scene.name for story in asked] == [NAMES[1], NAMES[2], NAMES[1], NAMES[1]]
    assert len({story.seed for story in asked}) == 4


def test_a_wish_before_the_first_world():
    now = programme()
    first = now.coming
    assert now.go(-1) == Decision(grow=(now.coming,), drop=first)
    assert now.coming.scene.name == NAMES[-1] and now.current is None


def test_a_wish_during_a_melt_ends_it():
    now = opened()
    old = now.current
    now.go(1)
    now.coming.grown()
    pass_time(now, 0.5)
    second = now.coming
    assert now.melt
    decision = now.go(1)
    assert decision == Decision(grow=(second, now.coming), drop=old, lands=True)
    assert now.current is second and now.coming.scene.name == NAMES[2] and now.melt is None


def test_a_world_that_cannot_be_grown_is_replaced_by_one_of_the_next_scene():
    now = programme()
    first = now.coming
    decision = now.replace(first)
    assert decision.drop is first and now.current is None
    assert now.coming.scene.name == NAMES[1] and decision.grow == (now.coming,)
    now.coming.grown()
    assert now.decide().opens


def test_the_world_that_is_shown_need_not_hurry_for_the_one_that_replaces_the_next():
    now = opened()
    pass_time(now, now.current.scene.birth_s + 1.0)
    shown, failed = now.current, now.coming
    now.replace(failed)
    assert now.coming.scene.name == NAMES[2]
    now.coming.grown()
    assert not pass_time(now, 1.0) and now.current is shown
    decisions = pass_time(now, shown.seconds - shown.t)
    assert decisions[0].melts is shown


def test_a_shown_world_that_cannot_grow_further_is_left_as_soon_as_possible():
    now = opened()
    shown = now.current
    now.replace(shown)
    assert now.current is shown and now.coming.scene.name == NAMES[1]
    now.coming.grown()
    assert pass_time(now, 0.1)[0].melts is shown


def test_scenes_by_their_place():
    now = opened()
    for place, name in enumerate(NAMES):
        now.go_to(place)
        assert now.coming.scene.name == name
    asked = now.coming
    for place in (-1, len(NAMES), 8):
        assert now.go_to(place) == Decision() and now.coming is asked


def test_what_is_grown_ahead_is_not_chosen_yet():
    """A wish counts from the world that is shown, until the next one begins to melt in."""
    now = opened()
    pass_time(now, now.current.scene.birth_s + 1.0)
    assert now.coming.scene.name == NAMES[1]
    now.go(0)
    assert now.coming.scene.name == NAMES[0]


def test_every_world_has_its_own_seed_and_the_first_has_the_given_one():
    seeds = []

    def story(turn: Turn, seed: int) -> FakeStory:
        seeds.append(seed)
        return FakeStory(turn.scene, seed)

    for first in (7, 8):
        now = Programme(ShowOptions(), first, story, lambda: NOON)
        for _ in range(50):
            now.go(0)
    assert seeds[0] == 7 and seeds[51] == 8 and len(set(seeds)) == 102
    assert all(0 <= seed < 2**31 for seed in seeds)


def test_a_scene_that_is_held_stays():
    now = opened(scene="plasma", hold=True)
    assert pass_time(now, 200.0) == []
    now.go(1)
    assert now.coming.scene.name == "plasma", "there is no other"


@pytest.mark.parametrize("asked", [False, True])
def test_worlds_of_one_atlas_flow(asked):
    # Into the next scene of all, which has another atlas or form, nothing flows.
    now = opened(playlists=(Playlist("mine", (Turn("plasma"),)),))
    pass_time(now, now.current.seconds - 2.0)
    if asked:
        now.go(0)
    new = now.coming
    new.grown()
    pass_time(now, 0.1)
    assert now.melt.flows and now.melt.length_s == (ASKED_FLOW_S if asked else FLOW_S)
    # The new world stands until the old one has gone, and a little longer.
    pass_time(now, now.melt.length_s + GROWS_AFTER_S - new.scene.birth[0][0] - 0.2)
    assert new.t == 0.0
    pass_time(now, 0.6)
    assert new.t == pytest.approx(0.4, abs=0.11)


def test_nothing_flows_where_a_person_steers_nor_on_a_tour():
    for tour, by_hand in ((None, True), (60.0, False)):
        now = opened(tour_seconds=tour)
        now.go(0)
        now.coming.grown()
        pass_time(now, 0.1, by_hand)
        assert now.melt and not now.melt.flows


def test_a_pause_stops_stories_and_the_rate_is_that_of_births():
    now = opened()
    story = now.current
    for switches, moved in ((Switches(), 0.5), (Switches(rate=4.0), 2.0), (Switches(paused=True), 0.0)):
        before, clock = story.t, now.clock
        assert now.advance(0.5, switches, lambda story: True) == [story]
        assert (story.t - before, now.clock - clock) == (moved, 0.5)
    before = story.t
    assert now.advance(0.5, Switches(), lambda story: False) == [] and story.t == before
    story.t = before = story.scene.birth_s + 1.0
    now.advance(0.5, Switches(rate=4.0), lambda story: True)
    assert story.t == before + 0.5


def test_a_world_begins_when_it_is_due_not_with_the_frame_in_which_it_is():
    now = opened()
    now.go_to(1)
    coming = now.coming
    coming.grown()
    pass_time(now, 0.1)
    early = now.early_s(coming)
    assert now.melt and early > 0.5 and coming.t == 0.0
    now.advance(early + 0.03, Switches(), lambda story: True)
    assert coming.t == pytest.approx(0.03)


def test_sought_exactly_melts_begin_when_they_are_due():
    now = programme(scene="plasma")
    sought(now, 0.0)
    first = now.current
    sought(now, first.seconds - MELT_S - 0.01)
    assert not now.melt
    decisions = sought(now, first.seconds - MELT_S + 1.0)
    assert [bool(decision.awaits) for decision in decisions] == [True, False] and decisions[1].melts is first
    assert now.melt.start_s == first.seconds - MELT_S
    coming, begins = now.coming, now.coming.scene.birth[0][0]
    assert coming.t == 0.0 and now.early_s(coming) == pytest.approx(now.melt.length_s - begins - 1.0)
    sought(now, now.melt.start_s + now.melt.length_s)
    assert now.current is coming and now.early_s(coming) == 0.0
    assert coming.t == pytest.approx(begins), "its growth begins when the world before has gone"


def test_a_leap_passes_through_every_story_on_the_way():
    now = programme()
    decisions = sought(now, 0.0) + sought(now, 300.0)
    shown = [decision.drop.scene.name for decision in decisions if decision.drop]
    assert shown == NAMES[: len(shown)] and len(shown) >= 3


@pytest.mark.parametrize("seconds", [20.0, 40.0, 90.0])
def test_a_tour_shows_every_scene_grown_and_takes_as_long_as_it_should(seconds):
    now = programme(tour_seconds=seconds)
    shown, grown, melts = [], set(), []
    for number in range(round(seconds * 20) + 1):
        sought(now, number / 20)
        story = now.current
        if story.scene.name not in shown:
            shown.append(story.scene.name)
        if story.t >= story.scene.birth_s:
            grown.add(story.scene.name)
        if now.melt and now.melt not in melts:
            melts.append(now.melt)
    assert shown == NAMES and grown == set(NAMES)
    assert [melt.length_s for melt in melts] == [MELT_S] * (len(NAMES) - 1)
    assert now.coming is None, "after the last one there is no other"
    # Every story is shown as long as every other.
    begins = [0.0, *(melt.start_s for melt in melts), seconds - MELT_S]
    lengths = [b - a for a, b in pairwise(begins)]
    assert lengths == pytest.approx([lengths[0]] * len(NAMES))


def after_each_other(now: Programme, count: int) -> list[tuple[str, int]]:
    """The scenes and seeds of the first worlds of a show that goes on by itself."""
    now.coming.grown()
    assert now.decide().opens
    seen = [now.current]
    while len(seen) < count:
        if now.coming:
            now.coming.grown()
        pass_time(now, 5.0)
        if now.current is not seen[-1]:
            seen.append(now.current)
    return [(story.scene.name, story.seed) for story in seen]


def test_a_playlist_plays_its_worlds_in_order_and_its_codes_have_their_seeds():
    turns = (Turn("cuts"), Turn("plasma", 5), Turn("plasma", 6), Turn("cuts"))
    seen = after_each_other(programme(playlists=(Playlist("mine", turns),)), 6)
    assert [name for name, _ in seen] == ["cuts", "plasma", "plasma", "cuts", "cuts", "plasma"]
    assert [seen[k][1] for k in (1, 2, 5)] == [5, 6, 5] and len({seen[k][1] for k in (0, 3, 4)}) == 3


def test_by_chance_every_world_comes_and_none_twice_in_turn():
    turns = tuple(Turn("plasma", seed) for seed in range(4))
    seen = [seed for _, seed in after_each_other(programme(playlists=(Playlist("mine", turns, by_chance=True),)), 30)]
    assert set(seen) == set(range(4)) and all(a != b for a, b in pairwise(seen))
    assert seen != [k % 4 for k in range(30)]


def test_the_time_of_day_brings_the_next_playlist():
    minute = [21 * 60]
    day, night = (
        Playlist("day", (Turn("plasma", 1),), hours=(360, 1320)),
        Playlist("night", (Turn("cuts", 2), Turn("cuts", 3))),
    )
    options = ShowOptions(playlists=(day, night))
    now = Programme(options, 7, lambda turn, seed: FakeStory(turn.scene, seed), lambda: minute[0])
    assert after_each_other(now, 2) == [("plasma", 1), ("plasma", 1)]
    minute[0] = 23 * 60
    while now.current.scene.name == "plasma":
        if now.coming:
            now.coming.grown()
        pass_time(now, 5.0)
    assert (now.current.scene.name, now.current.seed) == ("cuts", 2)


def test_keys_go_through_a_playlist():
    now = opened(playlists=(Playlist("mine", (Turn("cuts", 1), Turn("plasma", 2), Turn("simplex", 3))),))
    now.go(-1)
    assert now.coming.seed == 3
    now.go_to(1)
    assert now.coming.seed == 2
    assert now.go_to(3) == Decision()
