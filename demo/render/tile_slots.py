"""Where each tile is in the picture of tiles, and which tiles make room for others. No OpenGL here."""

from __future__ import annotations

import numpy as np

# The key of a patch is its owner's number, its face, and u and v of its middle, which no other patch of any level shares.
# These are the places of the first three in the key; owners' numbers begin anew after OWNERS.
OWNER_AT, FACE_AT, U_AT, OWNERS = np.uint64(49), np.uint64(46), np.uint64(23), 4096
# Where room is made or trimmed, there is some for this many times the tiles that are in use, and always for the second
# number times those: tiles that have just left the picture come back. Room is made for this share of all rows at a time.
SPARE, LEAST_SPARE, STEP = 1.3, 1.1, 0.125
# For so many frames a tile that was made ahead makes room for none that has left the picture.
HELD = 40


class TileSlots:
    """Slots for square tiles of `side` texels, `along` of them in a row, in as many rows as are needed, at most `along`.

    An owner is a surface whose patches have tiles. `sparing`: it begins with few rows, otherwise with all.
    """

    def __init__(self, along: int, side: int, sparing: bool = False) -> None:
        self._along, self._side = along, side
        self._owners = self._frame = 0
        self._step = int(np.ceil(STEP * along))
        self._first_rows = self._step if sparing else along
        self._arrange(self._first_rows)

    def _arrange(self, rows: int) -> None:
        """Begin with so many rows of slots, all of them free."""
        self.rows, count = rows, rows * self._along
        # Of every slot: whose tile it holds, and when it was last used; 0 for none, and for free ones.
        self._key_of = np.zeros(count, np.uint64)
        self._used = np.zeros(count, np.int64)
        # What its owner has noted of the tile in it.
        self._note = np.zeros(count, np.uint8)
        # The slots in the order of their keys, until those change.
        self._order: np.ndarray | None = None
        row, column = np.divmod(np.arange(count), self._along)
        self._first_texel = (np.stack([column, row], axis=1) * self._side).astype(np.float32)

    @property
    def capacity(self) -> int:
        """How many tiles there can be at a time."""
        return self.rows * self._along

    @property
    def size(self) -> tuple[int, int]:
        """Texels along the edges of the picture: width, height."""
        return self._along * self._side, self.rows * self._side

    def new_owner(self) -> int:
        """A number for one more owner."""
        self._owners += 1
        return self._owners

    def forget(self, owner: int) -> bool:
        """Free the slots of an owner. True when all are free now: then it begins anew."""
        mine = self._key_of >> OWNER_AT == owner % OWNERS
        self._key_of[mine], self._used[mine], self._order = 0, 0, None
        if self._key_of.any():
            return False
        self._arrange(self._first_rows)
        return True

    def grow(self, wanted: int) -> bool:
        """Make room for `wanted` tiles; those that are there stay where they are. True when there are more rows now."""
        rows = min(-(-self._rows_for(wanted) // self._step) * self._step, self._along)
        if rows <= self.rows or LEAST_SPARE * wanted <= self.capacity:
            return False
        key_of, used, note = self._key_of, self._used, self._note
        self._arrange(rows)
        self._key_of[: key_of.size], self._used[: used.size], self._note[: note.size] = key_of, used, note
        return True

    def rows_in_use(self) -> int:
        """Rows that the tiles of the last frame need, with some to spare."""
        return self._rows_for(int(np.count_nonzero(self._used >= self._frame)))

    def _rows_for(self, count: int) -> int:
        return max(1, int(np.ceil(SPARE * count / self._along)))

    def trim(self, rows: int) -> list[tuple[int, ...]]:
        """Keep the tiles of the last frame alone, in `rows` rows.

        Returns what to copy from the old picture to the new one: (x, y) there, (x, y) here, width and height in texels.
        """
        used = np.flatnonzero(self._used >= self._frame)
        key_of, note, first_texel = self._key_of, self._note, self._first_texel
        self._arrange(rows)
        # Those in the first rows stay where they are.
        moved = used[used >= self.capacity]
        to = used.copy()
        to[used >= self.capacity] = np.setdiff1d(np.arange(self.capacity), used)[: moved.size]
        self._key_of[to], self._used[to], self._note[to] = key_of[used], self._frame, note[used]
        wide, high = self.size
        parts: list[tuple[int, ...]] = [(0, 0, 0, 0, wide, high)]
        places = zip(first_texel[moved], self._first_texel[to[used.size - moved.size :]], strict=True)
        parts += [(*map(int, (*there, *here)), self._side, self._side) for there, here in places]
        return parts

    def find(self, owner: int, patches: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(first texel of each patch's tile, float32 (k, 2); which patches, int (m,), have no tile in it yet).

        `patches`: float32 (k, 4), face, u and v of the middle, edge; at most `capacity` of them. Begins a frame.
        """
        self._frame += 1
        keys = _keys(owner, patches)
        slots, found = self._slots_with(keys)
        self._used[slots[found]] = self._frame
        missing = np.flatnonzero(~found)
        if missing.size:
            free = np.argsort(self._used, kind="stable")[: missing.size]
            self._key_of[free], self._order = keys[missing], None
            slots[missing] = free
            self._used[free] = self._frame
        return self._first_texel[slots], missing

    def lacks(self, owner: int, patches: np.ndarray) -> np.ndarray:
        """Which of `patches`, as `find` has them, have no tile: bool (k,)."""
        return ~self._slots_with(_keys(owner, patches))[1]

    def reserve(self, owner: int, patches: np.ndarray) -> np.ndarray:
        """Slots for tiles that are made before a frame needs them, in those that the last frame did not use.

        `patches`: as `find` has them, without tiles. Returns the first texel of the tiles of the first m of them, float32
        (m, 2): there may be fewer free slots than patches.
        """
        free = np.argsort(self._used, kind="stable")[: len(patches)]
        free = free[self._used[free] < self._frame]
        self._key_of[free], self._order = _keys(owner, patches[: free.size]), None
        self._used[free] = self._frame + HELD
        texels: np.ndarray = self._first_texel[free]
        return texels

    def note(self, texels: np.ndarray, notes: np.ndarray) -> None:
        """Keep a number with each of the tiles whose first texels are given, (k, 2): uint8 (k,)."""
        self._note[self._slots_of(texels)] = notes

    def noted(self, texels: np.ndarray) -> np.ndarray:
        """What was kept with the tiles whose first texels are given, (k, 2): uint8 (k,)."""
        found: np.ndarray = self._note[self._slots_of(texels)]
        return found

    def _slots_with(self, keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(a slot for each key (k,), its own where it has one; whether it has: bool (k,))."""
        if self._order is None:
            self._order = np.argsort(self._key_of)
        at = self._key_of.searchsorted(keys, sorter=self._order)
        slots = self._order[np.minimum(at, self._order.size - 1)]
        return slots, self._key_of[slots] == keys

    def _slots_of(self, texels: np.ndarray) -> np.ndarray:
        column, row = (texels / self._side).astype(np.intp).T
        slots: np.ndarray = row * self._along + column
        return slots


def _keys(owner: int, patches: np.ndarray) -> np.ndarray:
    """A number of its own, not 0, for each patch, float32 (k, 4): face, middle, edge."""
    # The middle of a patch of level n is an odd multiple of 2^-(n + 1), exact in a float.
    u, v = (patches[:, 1:3] * np.float32(1 << 23)).astype(np.uint64).T
    face = patches[:, 0].astype(np.uint64)
    return np.uint64(owner % OWNERS) << OWNER_AT | face << FACE_AT | u << U_AT | v
