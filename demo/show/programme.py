"""Programme: which story is shown when, and how one story follows another.

Pure: it draws nothing, starts no thread and waits for nobody. It returns what is to be done, and the show does it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from ..worlds import hashing
from .melt import ASKED_FLOW_S, ASKED_MELT_S, FLOW_S, MELT_S, Melt, can_flow
from .running_order import RunningOrder

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..story.story import Story
    from ..tables.keys import Switches
    from .options import ShowOptions
    from .playlist import Turn

# The share of a story's time on a tour that its birth takes.
TOUR_BIRTH_SHARE = 0.45
SEED_STREAM = 100
# When the first world begins on a clock that several shows go by: most have grown it by then.
OPENS_S = 6.0
# Live, so long after the world before has gone the next one begins to grow: meanwhile the worker makes its second picture.
GROWS_AFTER_S = 0.3


@dataclass(frozen=True)
class Decision:
    """What the show is to do.

    `grow`: the stories to be grown from now on, the first before the others; None: as before.
    `drop`: a story that is shown no longer.
    `opens`: the first world is there.
    `melts`: a story that begins to melt away; a second world will be drawn beside it.
    `lands`: the story that was coming is the one that is shown now.
    `awaits`: a story that must be prepared before the programme can go on.
    """

    grow: tuple[Story, ...] | None = None
    drop: Story | None = None
    opens: bool = False
    melts: Story | None = None
    lands: bool = False
    awaits: Story | None = None


class Programme:
    """The stories of a show, one after another.

    `clock`: seconds of the show. `current`: the story that is shown, None before the first world is there. `coming`: the one
    after it, once it is known. `melt`: set while the one turns into the other.
    """

    def __init__(
        self, options: ShowOptions, seed: int, story: Callable[[Turn, int], Story], minute: Callable[[], int]
    ) -> None:
        """`story` makes the story of a turn with a seed; `minute` gives that of the day.

        Raises ParameterError for unknown scenes.
        """
        self._options, self._seed, self._story = options, seed, story
        self._order = RunningOrder(options, seed, minute)
        self.clock = 0.0
        self.current: Story | None = None
        self.melt: Melt | None = None
        self._begins_s: dict[Story, float] = {}
        # Where the turns of stories stand in the order. It keeps none of them alive: a world takes a lot of memory.
        self._places: WeakKeyDictionary[Story, int] = WeakKeyDictionary()
        self._asked = True
        # On the clock when the first story begins, where others go by that clock as well; else it begins when it is ready.
        self._opens_s: float | None = None
        self.coming: Story | None = self._made_for(self._order.place)

    @property
    def stories(self) -> tuple[Story, ...]:
        """Those that are shown or will be, the one that is shown first."""
        return tuple(story for story in (self.current, self.coming) if story)

    @property
    def shown(self) -> tuple[Story, ...]:
        """Those in the picture."""
        return tuple(story for story in self.stories if story in self._begins_s)

    @property
    def began_s(self) -> float:
        """When the story that is shown began, on the clock; now where none is shown."""
        return self._begins_s[self.current] if self.current else self.clock

    @property
    def wanted(self) -> Story | None:
        """The story that was asked for and is not shown yet; the first one counts as asked for."""
        return self.coming if self._asked and not self.melt else None

    def join(self, clock: float) -> None:
        """Be at a time of a clock that others have gone by since it was 0: what they have seen by then is left out."""
        self.clock, self._opens_s = clock, OPENS_S
        while self.coming and clock >= self._opens_s + self._shown_seconds(self.coming) - MELT_S:
            self._opens_s += self._shown_seconds(self.coming) - MELT_S
            self._order.place = self._places[self.coming]
            self.coming = self._made_for(self._order.after())

    # --- time ------------------------------------------------------------------------------------------------------

    def advance(self, dt: float, switches: Switches, ready: Callable[[Story], bool]) -> list[Story]:
        """Live: let `dt` seconds pass on the clock, and in each story in the picture that is `ready`. Returns those stories.

        A pause stops the stories but not the clock. The rate of growth is that of births alone.
        """
        self.clock += dt
        moving = [story for story in self.shown if ready(story)]
        for story in moving:
            # A world into which another one turns does not begin to grow before its time.
            passed = 0.0 if switches.paused else min(dt, max(self.clock - self._begins_s[story], 0.0))
            story.advance(passed * (switches.rate if story.t < story.scene.birth_s else 1.0))
        return moving

    def time_of(self, story: Story) -> float:
        """The time in a story that is in the picture, if it began when it was due and never had to wait."""
        seconds = max(self.clock - self._begins_s[story], 0.0)
        if self._options.tour_seconds is None:
            return seconds
        # On a tour the birth is quick, and the flight is an excerpt.
        quick = TOUR_BIRTH_SHARE * self._shown_seconds(story)
        birth = story.scene.birth_s
        return seconds * birth / quick if seconds < quick else birth + seconds - quick

    def early_s(self, story: Story) -> float:
        """How long it is, in seconds, until a story begins that is in the picture before; 0 from then on."""
        return max(self._begins_s[story] - self.clock, 0.0)

    def _shown_seconds(self, story: Story) -> float:
        if self._options.tour_seconds is None:
            return story.seconds
        count = len(self._order)
        return (self._options.tour_seconds + MELT_S * (count - 1)) / count

    # --- wishes ----------------------------------------------------------------------------------------------------

    def go(self, places: int) -> Decision:
        """Ask for the turn that many places on from the one that was asked for last, around the end of the order."""
        return self._go((self._order.place + places) % len(self._order))

    def go_to(self, place: int) -> Decision:
        """Ask for the scene at a place in the order; nothing is decided if there are fewer scenes."""
        return self._go(place) if 0 <= place < len(self._order) else Decision()

    def _go(self, place: int) -> Decision:
        """The newest wish wins; the present world flies on until the new one is there."""
        self._order.place = place
        drop, lands = self.coming, self.melt is not None
        if lands:
            drop = self._land()
        elif drop:
            self._begins_s.pop(drop, None)
        self.coming, self._asked = self._made_for(place), True
        return Decision(grow=self.stories, drop=drop, lands=lands)

    def replace(self, failed: Story) -> Decision:
        """A story cannot be grown: a world of the scene after it is tried."""
        asked = self._asked or failed is self.current
        decision = self._go((self._places.get(failed, self._order.place) + 1) % len(self._order))
        # The world that is shown is seen to its end.
        self._asked = asked
        return decision

    def _made_for(self, place: int) -> Story:
        number, self._order.made = self._order.made, self._order.made + 1
        seed = self._seed if number == 0 else hashing.bits(self._seed, SEED_STREAM, number) & 0x7FFFFFFF
        turn = self._order.turn(place)
        made = self._story(turn, seed if turn.seed is None else turn.seed)
        self._places[made] = place
        return made

    # --- one after another -----------------------------------------------------------------------------------------

    def decide(
        self, exact: bool = False, by_hand: bool = False, ready: Callable[[Story], bool] = lambda story: True
    ) -> Decision | None:
        """What is due at this moment of the clock, one thing at a time; None if there is nothing to do.

        `exact`: every melt begins when it is due, and awaits the world that comes; otherwise it begins as soon as that
        world is there. `by_hand`: a person moves the camera. `ready`: whether a prepared story can be drawn, or will be;
        a world that is not comes a little later.
        """
        if self.current is None:
            return self._open(exact, ready)
        if self.melt:
            return self._end_melt()
        return self._look_ahead() or self._begin_melt(exact, by_hand, ready)

    def _open(self, exact: bool, ready: Callable[[Story], bool]) -> Decision | None:
        first = self.coming
        assert first is not None
        if not first.prepared:
            return Decision(awaits=first) if exact else None
        if not ready(first) or self.clock < (self._opens_s or 0.0):
            return None
        self.current, self.coming, self._asked = first, None, False
        self._begins_s[first] = self.clock if self._opens_s is None else self._opens_s
        return Decision(grow=self.stories, opens=True)

    def _end_melt(self) -> Decision | None:
        if self.melt is None or self.clock < self.melt.start_s + self.melt.length_s:
            return None
        drop = self._land()
        return Decision(grow=self.stories, drop=drop, lands=True)

    def _land(self) -> Story | None:
        """The coming story becomes the one that is shown; returns the old one."""
        old, self.current, self.coming, self.melt = self.current, self.coming, None, None
        if old:
            self._begins_s.pop(old, None)
        return old

    def _look_ahead(self) -> Decision | None:
        """Have the next world grown, once the growth that is shown needs no more memory."""
        current = self.current
        if self.coming or current is None or current.t < current.scene.birth_s or self._options.hold:
            return None
        if self._options.tour_seconds is not None and self._order.made >= len(self._order):
            return None
        # It was not asked for: the place stays that of the story shown, from where the next wish counts.
        self.coming, self._asked = self._made_for(self._order.after()), False
        return Decision(grow=self.stories)

    def _begin_melt(self, exact: bool, by_hand: bool, ready: Callable[[Story], bool]) -> Decision | None:
        old, new = self.current, self.coming
        if old is None or new is None:
            return None
        start, length = self.clock, ASKED_MELT_S if self._asked and not exact else MELT_S
        if exact:
            start = self._begins_s[old] + self._shown_seconds(old) - MELT_S
        due = self.clock >= start if exact else self._asked or old.t >= old.seconds - MELT_S
        if not due or not new.prepared:
            return Decision(awaits=new) if due and exact else None
        if not ready(new):
            return None
        self._begins_s[new] = start
        # The length of a tour is given, and what a person steers cannot flow.
        # Nor does what others show: whether worlds can flow is not known to those who have not seen both.
        free = self._options.tour_seconds is None and self._opens_s is None
        flows = free and not by_hand and can_flow(old, new)
        if flows:
            length = ASKED_FLOW_S if self._asked else FLOW_S
        if free:
            # The new world begins to grow when the old one has gone: all of its growth is seen, and it needs memory.
            after = 0.0 if exact else GROWS_AFTER_S
            self._begins_s[new] += max(length + after - new.scene.birth[0][0], 0.0)
        self.melt = Melt(start, length, flows)
        self._order.place = self._places[new]
        return Decision(melts=old)
