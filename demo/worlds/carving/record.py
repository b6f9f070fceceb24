"""Carving kept as it happens, so that a world which is grown a second time need not be carved again."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Collection, Set
from dataclasses import dataclass

import numpy as np

from ..growth import Growth
from .lattice import with_change
from .sequel import Sequel

# A change is kept in so many steps from its least to its greatest.
_STEPS = 65_535


@dataclass(frozen=True)
class Packed:
    """Whole numbers from 0 to 65,535 in `shape`: the differences along rows, their low and their high bytes deflated."""

    shape: tuple[int, ...]
    low: bytes
    high: bytes

    @staticmethod
    def of(values: np.ndarray) -> Packed:
        """`values`: uint16 (faces, m, m)."""
        steps = values.copy()
        steps[..., 1:] -= values[..., :-1]
        # The sign goes to the lowest bit, so that steps up and down have equally few high bits.
        steps = (steps << np.uint16(1)) ^ (np.uint16(0) - (steps >> np.uint16(15)))
        return Packed(values.shape, _deflated(steps.astype(np.uint8)), _deflated((steps >> np.uint16(8)).astype(np.uint8)))

    def values(self) -> np.ndarray:
        """uint16 (faces, m, m)."""
        steps = _inflated(self.high, self.shape).astype(np.uint16)
        steps <<= np.uint16(8)
        steps |= _inflated(self.low, self.shape)
        steps = (steps >> np.uint16(1)) ^ (np.uint16(0) - (steps & np.uint16(1)))
        return np.cumsum(steps, axis=-1, dtype=np.uint16)


def _deflated(values: np.ndarray) -> bytes:
    # A search for longer repeats finds none, and takes several times as long.
    packer = zlib.compressobj(1, strategy=zlib.Z_RLE)
    return packer.compress(values.tobytes()) + packer.flush()


def _inflated(content: bytes, shape: tuple[int, ...]) -> np.ndarray:
    return np.frombuffer(zlib.decompress(content), np.uint8).reshape(shape)


class CarvingRecord:
    """What has been carved after some steps: small for coarse lattices, a little more than a byte a sample for the full one.

    `wanted`: the steps that are to be kept, from 0. `final`: the carved heights, float32 (faces, n, n); None until carving
    is over.
    """

    def __init__(self, wanted: Set[int]) -> None:
        self.wanted = wanted
        self._changes: dict[int, tuple[Packed, float, float, bytes | None]] = {}
        self.final: np.ndarray | None = None

    def keep(self, number: int, change: np.ndarray, drowned: np.ndarray | None) -> None:
        """Keep the `change`, float32 (faces, m, m), of the heights after a step, to one in 65,535 of its range, and where
        land is `drowned`, bool in that shape or None."""
        low, high = float(change.min()), float(change.max())
        step = max(high - low, 1e-30) / _STEPS
        bits = None if drowned is None else zlib.compress(np.packbits(drowned).tobytes(), 1)
        self._changes[number] = (Packed.of(np.round((change - low) / step).astype(np.uint16)), low, step, bits)

    def change(self, number: int) -> tuple[np.ndarray, np.ndarray | None]:
        """The change after step `number`, from 0, as float32 (faces, m, m), and where land is drowned, as bool or None.

        Raises ValueError for a step that is not kept.
        """
        if number not in self._changes:
            raise ValueError(f"step {number} of carving is not kept")
        packed, low, step, bits = self._changes[number]
        kept, drowned = packed.values(), None
        if bits is not None:
            known = np.frombuffer(zlib.decompress(bits), np.uint8)
            drowned = np.unpackbits(known, count=kept.size).view(bool).reshape(kept.shape)
        return np.float32(low) + np.float32(step) * kept.astype(np.float32), drowned


class RecordedGrowth(Sequel):
    """A growth that goes on with carving which is kept in a record."""

    def __init__(self, source: Growth, steps: int, record: CarvingRecord) -> None:
        """`source`: at step 0. `steps`: those of carving; it may still be at work."""
        super().__init__(source, steps)
        self._record = record

    def again(self, grow: Callable[[], Growth], steps: Collection[int]) -> Growth:
        fresh = grow()
        assert isinstance(fresh, Sequel)
        source = self._source.again(lambda: fresh._source, steps)
        return RecordedGrowth(source, self.total - self._source.total, self._record)

    def goes_back(self, to: int) -> bool:
        if to <= self._source.total:
            return False
        self._go_on(0, to - self._source.total)
        self.done = to
        return True

    def _go_on(self, done: int, to: int) -> None:
        """Raises ValueError for a step that is not carved yet."""
        if to == self.total - self._source.total and self._record.final is not None:
            self._later = self._record.final
            return
        change, drowned = self._record.change(to - 1)
        if self._later is None or self._later is self._record.final:
            self._later = np.empty_like(self._source.heights)
        with_change(self._source.heights, change, float(self._source.sea_level), self._later, drowned)
