"""Worlds that several stories of one test module show: each is prepared once, and handed to every story that asks for it.

What is prepared is frozen, and a growth can be shown any number of times; so the pictures are the same to the bit.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from demo.story.prepared import Prepared
    from demo.story.replay import Replay

# The latest ones; a small world takes some megabytes.
MOST = 24


@dataclass
class Known:
    """A world that is born, and its carving as far as some story has come with it. `words`: those of `replay_of`."""

    words: tuple[Any, ...]
    born: Prepared
    carving: Generator[Any, None, Prepared]
    parts: list[Any] = field(default_factory=list)
    carved: Prepared | None = None
    lock: threading.Lock = field(default_factory=threading.Lock)


class SharedWorlds:
    """The worlds of one module."""

    def __init__(self) -> None:
        self._known: OrderedDict[object, Known] = OrderedDict()
        self._words: WeakKeyDictionary[Replay, tuple[Any, ...]] = WeakKeyDictionary()

    @contextmanager
    def shared(self) -> Iterator[None]:
        """Stories that begin inside the block share their worlds."""
        import pytest

        with pytest.MonkeyPatch.context() as patch:
            self._share(patch.setattr)
            yield

    def _share(self, put: Callable[[object, str, object], None]) -> None:
        from demo.story import story

        in_pieces, replay_of = story._in_pieces, story.replay_of

        def noted(*words: Any) -> Replay:
            replay = replay_of(*words)
            self._words[replay] = words
            return replay

        def shared(scene, seed, parameters, quality, calm, hour):
            key = repr((scene, seed, parameters, quality, hour, calm()))
            known = self._known.get(key)
            if known is None:
                replay, born, carving = yield from in_pieces(scene, seed, parameters, quality, calm, hour)
                known = self._keep(key, Known(self._words[replay], born, carving))
            else:
                self._known.move_to_end(key)
                replay = replay_of(*known.words)
                yield
            return replay, known.born, self._carving(key, known)

        put(story, "replay_of", noted)
        put(story, "_in_pieces", shared)

    def _keep(self, key: object, known: Known) -> Known:
        self._known[key] = known
        while len(self._known) > MOST:
            self._known.popitem(last=False)
        return known

    def _carving(self, key: object, known: Known) -> Generator[Any, None, Prepared]:
        """The carving again from its beginning: what no story has seen of it yet is done now."""
        number = 0
        while True:
            with known.lock:
                if number == len(known.parts) and known.carved is None:
                    try:
                        known.parts.append(next(known.carving))
                    except StopIteration as end:
                        known.carved = end.value
                    except BaseException:
                        self._known.pop(key, None)
                        raise
                if number == len(known.parts):
                    return known.carved
            yield known.parts[number]
            number += 1
