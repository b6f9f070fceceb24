"""Tiles: heights and normals with detail, worked out once for a patch and kept as long as it is drawn.

A patch near the eye spans some hundred pixels and stays for a second or more, while noise of ten octaves for each pixel of
each frame would be the dearest part of a picture: so every patch has a tile of its own in one picture of tiles. What a tile
holds follows from its patch alone, so pictures do not depend on what was drawn before.
"""

from __future__ import annotations

import numpy as np
from OpenGL import GL

from ..geometry.tile_levels import TileLevels
from ..ground.detail import Detail
from ..worlds.atlas import Atlas
from .gl import gl_context, programs
from .gl.meshes import Mesh
from .gl.targets import Target, copy
from .gl.textures import RG32F, RGBA16F

# Texels of a tile over one cell of its patch, and the rim that normals need.
TEXELS_A_CELL, RIM = 6, 3
# Trimmed, there is room for so many times the tiles that are in use; done where it gives so many bytes back.
SPARE, WORTH_BYTES = 1.3, 24e6

CORNER = np.dtype([("corner", np.float32, 2)])
TILE = np.dtype(
    [
        ("patch", np.float32, 4),
        ("part", np.float32, 4),
        ("whole", np.float32, 3),
        ("place", np.float32, 4),
        ("direction", np.float32, 3),
    ]
)


# The key of a patch is its owner's number, its face and its middle, u and v, which no other patch of any level shares: where
# they stand and how many owners there are before their numbers begin anew.
OWNER_AT, FACE_AT, U_AT, OWNERS = np.uint64(49), np.uint64(46), np.uint64(23), 4096


class Tiles:
    """The picture of tiles, shared by all surfaces."""

    def __init__(self, cells: int, along: int) -> None:
        """`cells` along the edge of a patch, `along` an edge of the picture so many tiles."""
        self._along = along
        self.texels = cells * TEXELS_A_CELL
        self.side = self.texels + RIM
        # Heights and slopes; there only while there are tiles.
        self._pictures: tuple[Target, Target] | None = None
        self._programs = programs.Variants("tile.vert", "tile.frag")
        locations = {"patch": 1, "part": 2, "whole": 3, "place": 4, "direction": 5}
        self._quad = Mesh({"corner": 0}, CORNER, locations, TILE, np.arange(4, dtype=np.uint16))
        corners = np.zeros(4, CORNER)
        corners["corner"] = [(0, 0), (1, 0), (0, 1), (1, 1)]
        self._quad.fill(corners)
        self._frame = 0
        self._arrange(along)

    def _arrange(self, rows: int) -> None:
        """Begin with so many rows of slots, all of them free."""
        self._rows, count = rows, rows * self._along
        # Of every slot: whose tile it holds, and when it was last used; 0 for none, and for free ones.
        self._key_of = np.zeros(count, np.uint64)
        self._used = np.zeros(count, np.int64)
        # The slots in the order of their keys, until those change.
        self._order: np.ndarray | None = None
        row, column = np.divmod(np.arange(count), self._along)
        self._first_texel = (np.stack([column, row], axis=1) * self.side).astype(np.float32)

    @property
    def capacity(self) -> int:
        """How many tiles there can be at a time."""
        return self._rows * self._along

    @property
    def _size(self) -> tuple[int, int]:
        """Texels along the edges of the picture."""
        return self._along * self.side, self._rows * self.side

    def bind(self) -> dict:
        """The uniforms by which a surface reads its tiles."""
        return {
            "tile_heights": self._targets()[0].colour.bind(),
            "tile_slopes": self._targets()[1].colour.bind(),
            "tile_edge": self._size,
        }

    def forget(self, owner: int) -> None:
        """The heights of a surface are others now: its tiles hold no longer."""
        mine = self._key_of >> OWNER_AT == owner % OWNERS
        self._key_of[mine], self._used[mine], self._order = 0, 0, None
        if not self._key_of.any():
            self._let_go()
            self._arrange(self._along)

    def _targets(self) -> tuple[Target, Target]:
        if self._pictures is None:
            self._pictures = tuple(Target(*self._size, kind, depth=False) for kind in (RG32F, RGBA16F))
        return self._pictures

    def _let_go(self) -> None:
        for picture in self._pictures or ():
            picture.free()
        self._pictures = None

    def room(self, wanted: int) -> int:
        """How many of so many tiles there can be at a time; where too much was trimmed, all of them are made anew."""
        if wanted > self.capacity and self._rows < self._along:
            self._let_go()
            self._arrange(min(self._rows_for(wanted), self._along))
        return min(wanted, self.capacity)

    def _rows_for(self, count: int) -> int:
        return max(1, int(np.ceil(SPARE * count / self._along)))

    def trim(self) -> None:
        """Give back the room that the tiles of the last frame do not need, until all are forgotten.

        Changes the bound target.
        """
        if self._pictures is None:
            return
        used = np.flatnonzero(self._used == self._frame)
        rows = self._rows_for(used.size)
        if (1.0 - rows / self._rows) * self.memory < WORTH_BYTES:
            return
        old, key_of, first_texel = self._pictures, self._key_of, self._first_texel
        self._pictures = None
        self._arrange(rows)
        # Those in the first rows stay where they are.
        moved = used[used >= self.capacity]
        to = used.copy()
        to[used >= self.capacity] = np.setdiff1d(np.arange(self.capacity), used)[: moved.size]
        self._key_of[to], self._used[to] = key_of[used], self._frame
        wide, high = self._size
        parts = [(0, 0, 0, 0, wide, high)]
        places = zip(first_texel[moved], self._first_texel[to[used.size - moved.size :]], strict=True)
        parts += [(*map(int, (*there, *here)), self.side, self.side) for there, here in places]
        for source, onto in zip(old, self._targets(), strict=True):
            copy(source, onto, parts)
            source.free()

    @property
    def memory(self) -> int:
        """Bytes of the pictures that are there."""
        return sum(picture.colour.bytes for picture in self._pictures or ())

    def slots(self, owner: int, patches: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(first texel of each patch's tile, float32 (k, 2); which patches (m,) have none yet), at most `capacity` patches.

        `owner`: a number for the surface they are patches of.
        """
        self._frame += 1
        keys = _keys(owner, patches["patch"])
        if self._order is None:
            self._order = np.argsort(self._key_of)
        at = self._key_of.searchsorted(keys, sorter=self._order)
        slots = self._order[np.minimum(at, self._order.size - 1)]
        found = self._key_of[slots] == keys
        self._used[slots[found]] = self._frame
        missing = np.flatnonzero(~found)
        if missing.size:
            free = np.argsort(self._used, kind="stable")[: missing.size]
            self._key_of[free], self._order = keys[missing], None
            slots[missing] = free
            self._used[free] = self._frame
        return self._first_texel[slots], missing

    def make(self, atlas: Atlas, detail: Detail, levels: TileLevels, tiles: np.ndarray, uniforms: dict) -> None:
        """Draw `tiles`, a TILE array with `patch` and the first two of `place` filled in. Changes the bound target."""
        at = tiles["patch"].astype(np.float64)
        place = atlas.place(at[:, 0].astype(np.intp), at[:, 1], at[:, 2])
        lattice = place * (detail.size_m / detail.wavelength_m)
        whole = np.floor(lattice)
        level = np.round(-np.log2(at[:, 3])).astype(np.intp)
        tiles["part"][:, :3], tiles["whole"] = lattice - whole, whole
        tiles["part"][:, 3] = levels.octaves_of(level)
        tiles["place"][:, 2], tiles["place"][:, 3] = self.side, level == levels.first
        tiles["direction"] = place if atlas.spherical else (0.0, 1.0, 0.0)
        self._quad.fill_instances(tiles)
        gl_context.drawing()
        heights, slopes = self._targets()
        for target, normals in ((heights, 0), (slopes, 1)):
            target.bind()
            self._programs.get(ATLAS=atlas.code, NORMALS=normals, TEXELS=self.texels).use(
                **uniforms,
                side=self._size,
                size=detail.size_m,
                top=detail.top_m,
                length=detail.wavelength_m,
                key=detail.key,
                **({"tile_heights": heights.colour.bind()} if normals else {}),
            )
            self._quad.draw_instanced(GL.GL_TRIANGLE_STRIP, len(tiles))

    def free(self) -> None:
        self._let_go()
        for thing in (self._programs, self._quad):
            thing.free()


def _keys(owner: int, patches: np.ndarray) -> np.ndarray:
    """A number of its own, not 0, for each patch, float32 (k, 4): face, middle, edge."""
    # The middle of a patch of level n is an odd multiple of 2^-(n + 1), exact in a float.
    u, v = (patches[:, 1:3] * np.float32(1 << 23)).astype(np.uint64).T
    face = patches[:, 0].astype(np.uint64)
    return np.uint64(owner % OWNERS) << OWNER_AT | face << FACE_AT | u << U_AT | v
