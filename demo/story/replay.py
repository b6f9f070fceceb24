"""Replay: a growth shown again, picture by picture. Here the worker's side and the main thread's side meet.

A world is grown twice: once to know it, which the flight, the light and the heights' scale follow from, and once to show it.
To grow it once, all its key pictures would have to be kept until they are shown. Measured on two cores, on the scenes'
default parameters: growing again takes 0.00 to 0.28 s of the worker's time over the whole birth, while the heights alone of
all pictures take 10 MB (double cone), 27 MB (simplex noise, map), 38 MB (plasma), 185 MB (particles) and 208 MB (cuts). So
growing twice is better. What is costly is handed on (`Growth.again`): the map's second growth takes 0.11 s, not 0.65 s, and
carving, which takes seconds, is kept as it happens, in 6 to 19 MB. So a growth can be shown backwards too: what was earlier
is grown again.
"""

from __future__ import annotations

import threading
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..ground.relief import PrintedRelief, Relief

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..ground.relief_maker import ReliefMaker
    from ..scenes.scene import Scene
    from ..scenes.timeline import Timeline
    from ..worlds.growth import Growth
    from .prepared import Prepared

# One buffer is filled while the other waits; they go when the growth is over. A buffer is 13 to 20 MB. While pictures last
# so long that each is seen, even when they are played at their fastest, there is only one: some growths are slow until their
# land is shown carved, and meanwhile carving takes its memory.
BUFFERS, LONG_S = 2, 1.0


@dataclass(frozen=True)
class KeyPicture:
    """A filled buffer on its way from the worker to the renderer.

    `number`: of the picture in the timeline. `points`: float32 (k, 4), what hangs in the air: x, y, z and size in metres.
    `highest_m`: the highest land, metres above the sea.
    """

    number: int
    relief: Relief
    points: np.ndarray
    highest_m: float


class PictureMaker:
    """Grows a world from one key picture to another. For the worker's thread alone."""

    def __init__(self, begin: Callable[[], Growth], scene: Scene, prepared: Prepared) -> None:
        """`begin` returns the growth at step 0."""
        self._begin, self._scene, self._prepared = begin, scene, prepared
        self.suns = prepared.daylight.suns
        self._growth: Growth | None = begin()
        self._relief: ReliefMaker | None = None

    def pause(self) -> None:
        """Let go of what is soon made again: no picture is made for some seconds."""
        self._relief = None

    def rest(self) -> None:
        """Let go of what only growing on needs."""
        self._growth = self._relief = None

    def buffer(self) -> Relief:
        """A new buffer for a picture."""
        return Relief.empty(self._prepared.atlas, self._prepared.samples)

    def make(self, number: int, out: Relief) -> KeyPicture:
        """Picture `number` in the buffer `out`. To go backwards costs more than to go on."""
        timeline = self._prepared.timeline
        step = timeline.step_of(number)
        growth = self._growth = self._grown_to(step)
        relief = self._relief = self._relief or self._relief_maker()
        grown = growth.stages["grown"]
        share = min(max(step, 1) / max(grown, 1), 1.0)
        metres = self._prepared.metres * share**-self._scene.relief_exponent
        last = number == timeline.pictures - 1
        # A planet turns under its sun while it grows.
        suns = self.suns if last and len(self.suns) else None
        relief.fill(out, growth.heights, growth.sea_level, metres, moving=last, above=growth.above, suns=suns)
        out.printed = self._printed(growth, metres)
        return KeyPicture(number, out, self._points(growth, step, metres), float(out.heights_m.max()))

    def _grown_to(self, step: int) -> Growth:
        growth = self._growth
        if growth is None or (step < growth.done and not growth.goes_back(step)):
            growth = self._begin()
        growth.advance(step)
        return growth

    def _relief_maker(self) -> ReliefMaker:
        # Brings numba along, which the worker alone waits for.
        from ..ground.relief_maker import ReliefMaker

        scene, known = self._scene, self._prepared
        bearings, atlas = known.daylight.bearings, known.atlas
        return ReliefMaker(atlas, known.samples, scene.size_m, 2.0 * scene.relief_m, bearings, known.tree.coarse)

    def _printed(self, growth: Growth, metres: float) -> PrintedRelief:
        """How the present heights are drawn as printed. `metres`: of the show in a unit of heights, in the natural look."""
        scene = self._scene
        unit = growth.printed_relief
        raised = None if unit is None else unit * scene.size_m / metres
        low_m, high_m = self._prepared.range_m
        if scene.printed.reach is not None and unit is not None:
            low_m = -growth.sea_level * metres
            high_m = low_m + scene.printed.reach / unit * metres
        elif growth.highest is not None:
            high_m = (growth.highest - growth.sea_level) * metres
        return PrintedRelief(raised, (0.0 if scene.printed.sea else low_m, high_m))

    def _points(self, growth: Growth, step: int, metres: float) -> np.ndarray:
        """What hangs in the air at a step: `KeyPicture.points`."""
        size_m = self._scene.size_m
        if growth.atlas.spherical or not 0 < step < growth.stages["grown"]:
            return np.zeros((0, 4), np.float32)
        points = growth.marks(step, step, metres / size_m).points * np.float32(size_m)
        points[:, 1] -= growth.sea_level * metres
        return points


class Replay:
    """The key pictures of a growth: the worker fills buffers, the main thread takes them and gives them back.

    They are made in order, from the one that was asked for last. Any method may be called from either thread, but
    `make_picture` from the worker's alone.
    """

    def __init__(self, timeline: Timeline, maker: PictureMaker, pictures: int) -> None:
        """`pictures`: so many can be made before `open` is called."""
        self._timeline = timeline
        self._allow(pictures)
        # None once the growth is stopped.
        self._maker: PictureMaker | None = maker
        self._lock = threading.Lock()
        self._ready: deque[KeyPicture] = deque()
        self._free: list[Relief] = []
        self._buffers = 0
        # The number of the picture that is made next, of the one in the making, and of the last one that was taken.
        self._next, self._making, self._taken = 0, -1, -1
        # Whether a picture after the first was taken, and whether none is made for now.
        self._began, self._held = False, False
        # Finite: nothing more is to be grown.
        self._stops_at = float("inf")

    def at(self, t: float) -> tuple[int, int, float]:
        """(picture a, picture b, mix) at t seconds: the heights are a * (1 - mix) + b * mix."""
        return self._timeline.at(min(t, self._stops_at))

    @property
    def ready_until(self) -> float:
        """The time in seconds up to which all pictures are ready or have been taken; infinite when that is the last one.

        Before the first picture is ready: minus infinity.
        """
        with self._lock:
            through = self._taken
            for picture in self._ready:
                through += picture.number == through + 1
            if self._stops_at < float("inf"):
                return float("inf")
            return _end_of(self._timeline, through)

    # --- the worker's side -----------------------------------------------------------------------------------------

    def wants_work(self) -> bool:
        """Whether there is a picture to make and a buffer for it."""
        with self._lock:
            # One picture is enough until the growth begins: a world that waits for its turn keeps no more.
            most = self._most if self._began else 1
            pending = self._stops_at == float("inf") and self._next < self._allowed
            return pending and (bool(self._free) or self._buffers < most)

    def open(self, suns: np.ndarray) -> None:
        """All pictures can be made from now on: the carving is done that the last ones show, or a map's flight is known.

        `suns`: as in `Daylight`, over the flight.
        """
        with self._lock:
            self._allow(self._timeline.pictures)
            if self._maker:
                self._maker.suns = suns

    @property
    def _allowed(self) -> int:
        """How many pictures can be made now."""
        return min(1, self._possible) if self._held else self._possible

    def _allow(self, pictures: int) -> None:
        """So many pictures can be made, with as many buffers as that takes."""
        self._possible = pictures
        self._most = BUFFERS if self._timeline.shortest_s(pictures) < LONG_S else 1

    def make_picture(self) -> None:
        """Grow to the next key picture and fill a buffer with it."""
        with self._lock:
            maker = self._maker
            if maker is None:
                return
            number = self._making = self._next
            self._next += 1
            buffer = self._free.pop() if self._free else None
            self._buffers += buffer is None
        picture = maker.make(number, maker.buffer() if buffer is None else buffer)
        with self._lock:
            self._making = -1
            if number == self._timeline.pictures - 1:
                maker.rest()
            elif number == 0 or self._next >= self._allowed:
                # A world waits for its turn with its first picture, and with its last until its land is carved, which takes
                # the memory: the directions of a planet's samples are 8 MB.
                maker.pause()
            if self._next == number + 1 and self._stops_at == float("inf"):
                self._ready.append(picture)
            else:
                # Another one was asked for meanwhile.
                self._let_go(picture.relief)

    # --- the main thread's side ------------------------------------------------------------------------------------

    def take(self, number: int) -> KeyPicture | None:
        """The picture `number` if it is ready; otherwise it is made next, unless it is in the making."""
        with self._lock:
            while self._ready and self._ready[0].number != number:
                self._let_go(self._ready.popleft().relief)
            if self._ready:
                self._taken = number
                self._began |= number > 0
                return self._ready.popleft()
            if number != self._making or self._next != number + 1:
                self._next = number
            return None

    def give_back(self, picture: KeyPicture) -> None:
        """Return the buffer of a picture that has been uploaded; when no other can be made now, buffers are let go."""
        with self._lock:
            self._let_go(picture.relief)

    def _let_go(self, buffer: Relief) -> None:
        self._free.append(buffer)
        # Until the land is carved there is nothing to be made either, and carving takes the memory.
        if self._next >= self._allowed or self._stops_at < float("inf"):
            self._buffers -= len(self._free)
            self._free.clear()

    def hold(self) -> None:
        """Make no picture after the first until `go_on` is called."""
        with self._lock:
            self._held = True

    def go_on(self) -> None:
        """Make pictures again after `hold`."""
        with self._lock:
            self._held = False

    @property
    def is_stopped(self) -> bool:
        """Whether no growth is shown any more."""
        return self._stops_at < float("inf")

    def stop_at(self, t: float) -> None:
        """Show no growth after t seconds, and let go of what it needs."""
        with self._lock:
            self._stops_at = t
            # With it goes what carving has changed, which takes 6 to 19 MB, and what is known of the birth.
            self._maker = None
            self._free.clear()
            self._ready.clear()


def replay_of(begin: Callable[[], Growth], scene: Scene, prepared: Prepared) -> Replay:
    """The replay of a story that has been prepared. `begin` returns its growth at step 0."""
    when = prepared.timeline
    grown = int(when.picture[when.steps.searchsorted(prepared.grown, side="right") - 1]) + 1
    # The last picture has the shadows of a flight, which a map does not know yet.
    possible = min(grown, when.pictures - 1) if prepared.map else grown
    return Replay(when, PictureMaker(begin, scene, prepared), possible)


def _end_of(timeline: Timeline, number: int) -> float:
    """Seconds until which picture `number` is the last that is needed: infinite for the last one of all.

    Minus infinity for -1, the number of no picture.
    """
    if number < 0:
        return float("-inf")
    if number == timeline.pictures - 1:
        return float("inf")
    return float(timeline.times[timeline.picture.searchsorted(number, side="right") - 1])
