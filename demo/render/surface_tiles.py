"""The tiles of one world: which of its patches have some, and what they are made from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..geometry.deep_tree import DeepTree
from ..geometry.patch_tree import INSTANCE, PatchTree, near_first
from ..geometry.tile_levels import tile_levels
from ..geometry.tile_waters import lowest_ground, tile_waters
from .block_textures import BlockTextures
from .gl import uniform_buffer
from .gl.textures import ARRAY, RGBA_HALVES, Texture
from .tiles import TILE, Tiles
from .uniform_blocks import TILES

if TYPE_CHECKING:
    from ..geometry.river_beds import RiverBeds
    from ..geometry.view import View
    from ..ground.detail import Detail
    from ..ground.standing_water import Lakes
    from .height_textures import HeightTextures, Land
    from .tile_materials import TileMaterials

# A patch as it is drawn: `tile` is the first texel of its tile.
TILED = np.dtype([*INSTANCE.descr, ("tile", np.float32, 2)])
# Ground that is higher than this all over, in metres, is without water, and what lies deeper is without land.
INLAND = 10.0
# Rows of samples that are put together at a time for the GPU.
ROWS = 128
# The coarsest level's patches are drawn however far away they are.
EVER_M = 1e9


class SurfaceTiles:
    """The detail of one grown world, in the picture of tiles that all worlds share."""

    def __init__(
        self,
        tiles: Tiles,
        tree: PatchTree,
        detail: Detail,
        left_out: int,
        materials: TileMaterials,
        beds: RiverBeds | None,
        lakes: Lakes | None = None,
    ) -> None:
        """`left_out`: this many of the finest octaves of `detail` are not drawn. `beds`: of its rivers."""
        self._tiles, self._tree, self._detail, self._materials = tiles, tree, detail, materials
        self._owner, self._beds, self._lakes = tiles.new_owner(), beds, lakes
        self._levels = tile_levels(detail, tiles.texels)
        self._deep = DeepTree(tree, detail, self._levels.last - left_out)
        # The heights that the tiles are made from.
        self._heights: HeightTextures | None = None
        # Patches, as in INSTANCE, of which a frame to come needs tiles; and how many of them are made in each frame.
        self._expected, self._a_frame = np.zeros((0, 4), np.float32), 0
        self._rough: Texture | None = None
        self._blocks: BlockTextures | None = None

    def split(
        self, patches: np.ndarray, view: View, planes: np.ndarray, land: Land, most_new: float = np.inf
    ) -> tuple[np.ndarray, np.ndarray]:
        """Patches of the samples, INSTANCE (k,), as those without tiles, INSTANCE (m,), and those with, TILED (n,).

        The latter go on where the samples end. Tiles that are missing are made from the heights `land.a`, at most so many
        new ones, which changes the bound target.
        """
        if self._heights is not land.a:
            self.forget()
            self._heights = land.a
        patches, near = self._refined(patches, view, planes)
        tiled = near_first(patches[near])
        room = min(self._tiles.room(len(tiled) + len(self._expected)), len(tiled))
        if np.isfinite(most_new):
            new = np.cumsum(self._tiles.lacks(self._owner, tiled["patch"]))
            room = min(room, int(np.count_nonzero(new <= most_new)))
        plain = patches[~near] if len(tiled) <= room else np.concatenate([tiled[room:], patches[~near]])
        return plain, self._with_tiles(tiled[:room], land)

    def _refined(self, patches: np.ndarray, view: View, planes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """`patches` with finer ones where those are needed, INSTANCE (k,); which of them have tiles, bool (k,)."""
        patches = self._deep.refine(patches, view.eye, planes, view.drop)
        # A power of two to the level: exact.
        return patches, patches["patch"][:, 3] <= 0.5**self._levels.first

    def expect(self, patches: np.ndarray, view: View, planes: np.ndarray, land: Land, frames: int) -> None:
        """Have the tiles that a view to come needs made before it, as `make_ahead` is called, in so many frames.

        The arguments are as in `split`. While the tiles are not those of `land.a`, nothing is made ahead.
        """
        if self._heights is land.a:
            patches, near = self._refined(patches, view, planes)
            places = near_first(patches[near])["patch"]
            self._expected = places[self._tiles.lacks(self._owner, places)]
            self._a_frame = -(-len(self._expected) // frames)

    def make_ahead(self, land: Land) -> None:
        """Make some of the tiles that are expected, from the heights `land.a`; changes the bound target."""
        now, self._expected = self._expected[: self._a_frame], self._expected[self._a_frame :]
        if len(now) and self._heights is land.a:
            now = now[self._tiles.lacks(self._owner, now)]
            texels = self._tiles.reserve(self._owner, now)
            if len(texels):
                tiles = np.zeros(len(texels), TILED)
                tiles["patch"], tiles["tile"] = now[: len(texels)], texels
                self._make(tiles, land)

    def _with_tiles(self, patches: np.ndarray, land: Land) -> np.ndarray:
        tiled = np.empty(len(patches), TILED)
        # As floats: field by field takes a quarter of a millisecond.
        floats = np.ascontiguousarray(patches).view(np.float32).reshape(len(patches), INSTANCE.itemsize // 4)
        tiled.view(np.float32).reshape(len(patches), TILED.itemsize // 4)[:, : floats.shape[1]] = floats
        tiled["tile"], missing = self._tiles.slots(self._owner, patches)
        if missing.size:
            self._make(tiled[missing], land)
        return tiled

    def _make(self, patches: np.ndarray, land: Land) -> None:
        if self._rough is None:
            self._rough = _rough_texture(self._detail)
            self._blocks = BlockTextures(self._detail.blocks) if self._detail.blocks else None
        tiles = np.zeros(len(patches), TILE)
        tiles["patch"], tiles["place"][:, :2] = patches["patch"], patches["tile"]
        made_from = land, self._rough, self._materials, self._beds, self._blocks
        self._tiles.make(self._tree.atlas, self._detail, self._levels, tiles, *made_from)
        self._tiles.note(tiles["place"][:, :2], self._waters_of(tiles))

    def _waters_of(self, tiles: np.ndarray) -> np.ndarray:
        if self._tiles.measures:
            lowest, highest = self._tiles.range_m(tiles)
        else:
            lowest = lowest_ground(self._detail, tiles["patch"], self._deep.lowest(tiles["patch"]))
            highest = np.full(len(tiles), np.inf)
        return tile_waters(self._detail, self._lakes, tiles["patch"], lowest, highest, INLAND)

    def waters(self, patches: np.ndarray) -> np.ndarray:
        """Which of the patches, TILED (k,), have water, as `tile_waters` has it: uint8 (k,)."""
        return self._tiles.noted(patches["tile"])

    def fill_block(self, detail: float) -> None:
        """Fill the block TILES. `detail`: how much of it is there, 0..1."""
        first = self._levels.first
        end_m = self._tree.levels[first - 1].reach if first else EVER_M
        texels = {"tile_texels": self._tiles.texels, "tile_edge": self._tiles.size}
        uniform_buffer.fill(TILES, {**texels, "tiled": end_m, "detail": detail})

    def forget(self, heights: HeightTextures | None = None) -> None:
        """`heights`, or all, are other ones now: no tile holds any longer that is made from them."""
        if heights is None or heights is self._heights:
            self._tiles.forget(self._owner)

    def free(self) -> None:
        self.forget()
        for thing in (self._rough, self._blocks):
            if thing is not None:
                thing.free()


def _rough_texture(detail: Detail) -> Texture:
    """The gradient of the samples and the strength of the detail at each, as tiles are made from them."""
    faces, n = detail.rough_m.shape[:2]
    texture = Texture(ARRAY, RGBA_HALVES, (faces, n, n), linear=False)
    # In parts: all of it side by side would be as large as the texture.
    for face in range(faces):
        for first in range(0, n, ROWS):
            rows = slice(first, first + ROWS)
            lean, rough_m = detail.lean[face, rows], detail.rough_m[face, rows, :, None]
            texture.upload_rows(np.concatenate([lean, rough_m], axis=-1), face, first)
    return texture
