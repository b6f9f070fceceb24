"""Which programs are alive. There are at most MOST; the one that was used least recently makes room for a new one.

A software renderer keeps 3 MB for each of them, in small blocks, so those that a live show has not used for long go before
that. The driver has them in its cache on disk, and takes 3 to 10 ms to load one again. That of a graphics
card takes much longer to make one, and there they stay. Main thread only.
"""

from __future__ import annotations

import math
from collections.abc import Callable

MOST = 40
# A program that was not used for so many seconds goes: one story passes through several sets of programs, and the next
# story has others. What the next seconds need counts as used.
IDLE_S = 0.75
# A frame that lasted longer than this share of that was held up, and no program was idle meanwhile: it counts for no more.
LONGEST = 0.5
# When a world has gone, so many idle programs go with every frame until none is left: with it went what most were for.
HURRIED = 4
# So many programs that have come or gone leave enough behind to be given back to the system, so many seconds after the last.
# When so many have gone that is done at once: what follows takes memory, such as a new world whose land is carved.
WORTH, RESTS_S = 4, 1.0

# How to let go of each living program, the least recently used first; None for one that stays as long as its owner does.
_let_go: dict[int, Callable[[], None] | None] = {}
# When each living program was used last, in seconds of frames, and how many those were up to the last one.
_used_s: dict[int, float] = {}
_now_s = 0.0
# When the last frame was over.
_ended_s = 0.0
# Since when programs that are not used go soon, in seconds of frames, or None; and for how many more frames none goes yet.
_hurries_s: float | None = None
_spared = 0
# How many have come or gone since what they had left was given back, how many of those have gone, and when the last one
# did, in seconds of frames.
_left, _gone, _left_s = 0, 0, 0.0


def count() -> int:
    """How many programs are alive."""
    return len(_let_go)


def room() -> int:
    """How many there can be besides those that stay as long as their owners do."""
    return MOST - sum(let_go is None for let_go in _let_go.values())


def make_room() -> None:
    """Let go of programs until there is room for one more, as far as their owners allow it."""
    while len(_let_go) >= MOST:
        oldest = next((let_go for let_go in _let_go.values() if let_go), None)
        if oldest is None:
            return
        oldest()


def hurry() -> None:
    """A world has gone: what only that needed goes soon, before the next frames take the memory that it holds.

    It stays for two more frames, in which it may turn out to be of use yet.
    """
    global _now_s, _hurries_s, _spared
    # What was used before is older than that.
    _now_s = math.nextafter(_now_s, math.inf)
    _hurries_s, _spared = _now_s, 2


def end_frame(now_s: float) -> bool:
    """A frame of a live show is over. One idle program goes, and no more: the next frame shall not wait for it. When a world
    has just gone, up to HURRIED go.

    True when several have gone, or have come and no other will soon: the heap is full of holes then, which can be given
    back.
    """
    global _now_s, _ended_s, _left, _gone, _hurries_s, _spared
    _now_s, _ended_s = _now_s + min(now_s - _ended_s, LONGEST * IDLE_S), now_s
    idle_s, most = _now_s - IDLE_S, 1
    _spared, spares = max(_spared - 1, 0), _spared > 0
    if _hurries_s is not None and not spares:
        idle_s, most = max(idle_s, _hurries_s), HURRIED
    going = [name for name, let_go in _let_go.items() if let_go and _used_s[name] < idle_s][:most]
    for name in going:
        let_go = _let_go[name]
        assert let_go is not None
        let_go()
    if not spares and len(going) < most:
        _hurries_s = None
    rests = _now_s - _left_s > RESTS_S
    worth = _gone >= WORTH or (_left >= WORTH and rests)
    _left, _gone = (0, 0) if worth else (_left, _gone)
    return worth


def born(name: int, let_go: Callable[[], None] | None = None) -> None:
    """A program of that OpenGL name is there. `let_go` frees it, and whatever else knows of it."""
    _let_go[name], _used_s[name] = let_go, _now_s
    _leave()


def used(name: int) -> None:
    """A program is in use now."""
    if name in _let_go:
        _let_go[name], _used_s[name] = _let_go.pop(name), _now_s


def gone(name: int) -> None:
    """A program is deleted."""
    global _gone
    _let_go.pop(name, None)
    _used_s.pop(name, None)
    _gone += 1
    _leave()


def _leave() -> None:
    global _left, _left_s
    _left, _left_s = _left + 1, _now_s


def forget() -> None:
    """Call this when another context becomes current: all programs have gone with the old one."""
    global _now_s, _ended_s, _hurries_s, _spared, _left, _gone, _left_s
    _now_s, _ended_s, _hurries_s, _spared, _left, _gone, _left_s = 0.0, 0.0, None, 0, 0, 0, 0.0
    _let_go.clear()
    _used_s.clear()
