"""Tiles: heights and normals with detail, and what grows and lies there, worked out once for a patch and kept while drawn.

A patch near the eye spans some hundred pixels and stays for a second or more. Ten octaves of noise for each pixel of each
frame would be the dearest part of a picture, so every patch has a tile of its own in one picture of tiles. What a tile holds
follows from its patch alone, so pictures do not depend on what was drawn before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..geometry.river_beds import RiverBeds, cuts_in
from .bed_cutter import BedCutter
from .gl import gl_context, uniform_buffer
from .gl import opengl as GL
from .gl.meshes import Mesh
from .gl.programs import Variants
from .gl.targets import Target, copy
from .gl.textures import RG8, RG32F, RGBA8, RGBA16F, Texture
from .shader_switches import BedSwitches, TileSwitches
from .tile_slots import TileSlots
from .uniform_blocks import PALETTE, TILE_MAKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..geometry.tile_levels import TileLevels
    from ..ground.detail import Detail
    from ..worlds.atlas import Atlas
    from .block_textures import BlockTextures
    from .height_textures import Land
    from .tile_materials import TileMaterials

# Texels of a tile over one cell of its patch, and the rim that normals need.
TEXELS_A_CELL, RIM = 6, 3
# Metres, as in near.glsl.
NEAR_M = 65_536.0
# Trimming is done where it gives this many bytes back.
WORTH_BYTES = 24e6

CORNER = np.dtype([("corner", np.float32, 2)])
# As in tile.vert.
TILE = np.dtype(
    [
        ("patch", np.float32, 4),
        ("part", np.float32, 4),
        ("whole", np.float32, 3),
        ("place", np.float32, 4),
        ("direction", np.float32, 3),
        ("near", np.float32, 3),
    ]
)


def tile_targets(width: int, height: int) -> tuple[Target, Target]:
    """Pictures of tiles: heights with ridges and hollows beside them, and slopes with woods and patches beside them."""
    return heights_target(width, height), slopes_target(width, height)


def heights_target(width: int, height: int) -> Target:
    """A picture of the heights of tiles, with ridges and hollows beside them."""
    return Target(width, height, RG32F, depth=False, beside=[RG8])


def slopes_target(width: int, height: int) -> Target:
    """A picture of the slopes of tiles, with woods and patches beside them."""
    return Target(width, height, RGBA16F, depth=False, beside=[RGBA8])


def _moved(old: Target, new: Target, parts: Sequence[tuple[int, ...]]) -> Target:
    """The new target, with parts of the old one, which goes."""
    copy(old, new, parts)
    old.free()
    return new


def tile_units(heights: Target, slopes: Target) -> dict[str, int]:
    """Texture units by the names of the samplers with which a surface reads `tile_targets`."""
    textures = {"tile_heights": heights.colour, "tile_slopes": slopes.colour, "tile_patches": slopes.colours[1]}
    return {name: texture.bind() for name, texture in textures.items()}


class Tiles:
    """The picture of tiles, shared by all surfaces."""

    def __init__(self, cells: int, along: int, measures: bool = False) -> None:
        """`cells`: along the edge of a patch; `along`: tiles along an edge of the picture. `measures`: see `Quality`."""
        self.measures = measures
        self.along = along
        self.texels = cells * TEXELS_A_CELL
        # Texels along the edge of a tile and its rim.
        self.side = self.texels + RIM
        # Where tiles are read back, the processor draws, and they are in its memory.
        self._slots = TileSlots(along, self.side, sparing=measures)
        # As `tile_targets` has them; there only while there are tiles.
        self._pictures: tuple[Target, Target] | None = None
        self.programs: Variants[TileSwitches] = Variants()
        self.beds = BedCutter()
        locations = {"patch": 1, "part": 2, "whole": 3, "place": 4, "direction": 5, "near": 6}
        self._quad = Mesh({"corner": 0}, CORNER, locations, TILE, np.arange(4, dtype=np.uint16))
        corners = np.zeros(4, CORNER)
        corners["corner"] = [(0, 0), (1, 0), (0, 1), (1, 1)]
        self._quad.fill(corners)

    @property
    def capacity(self) -> int:
        """How many tiles there can be at a time."""
        return self._slots.capacity

    @property
    def size(self) -> tuple[int, int]:
        """Texels along the edges of the picture: width, height."""
        return self._slots.size

    def units(self) -> dict[str, int]:
        """Texture units by the names of the samplers with which a surface reads its tiles."""
        heights, slopes = self.pictures
        return tile_units(heights, slopes)

    def new_owner(self) -> int:
        """A number for one more surface."""
        return self._slots.new_owner()

    def forget(self, owner: int) -> None:
        """The heights of a surface are other ones now: its tiles hold no longer."""
        if self._slots.forget(owner):
            self._let_go()

    @property
    def pictures(self) -> tuple[Target, Target]:
        """As `tile_targets` has them; made when they are first asked for."""
        if self._pictures is None:
            self._pictures = tile_targets(*self.size)
        return self._pictures

    def _let_go(self) -> None:
        for picture in self._pictures or ():
            picture.free()
        self._pictures = None

    def room(self, wanted: int) -> int:
        """How many of `wanted` tiles there can be at a time. May change the bound target."""
        if self._slots.grow(wanted) and self._pictures is not None:
            width, height = self._pictures[0].room
            self._move([(0, 0, 0, 0, width, height)])
        return min(wanted, self.capacity)

    def _move(self, parts: Sequence[tuple[int, ...]]) -> None:
        """Go on with pictures of the present size, into which `parts` of the old ones are copied, as `copy` has them."""
        if self._pictures is None:
            return
        heights, slopes = self._pictures
        # One after the other: both pictures twice would take as much as a world.
        heights = _moved(heights, heights_target(*self.size), parts)
        self._pictures = heights, _moved(slopes, slopes_target(*self.size), parts)

    def trim(self) -> None:
        """Give back the room that the tiles of the last frame do not need, until all are forgotten.

        Changes the bound target.
        """
        rows = self._slots.rows_in_use()
        if self._pictures is None or (1.0 - rows / self._slots.rows) * self.memory < WORTH_BYTES:
            return
        self._move(self._slots.trim(rows))

    @property
    def memory(self) -> int:
        """Bytes of the pictures that are there."""
        return sum(colour.bytes for picture in self._pictures or () for colour in picture.colours)

    def slots(self, owner: int, patches: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(first texel of each patch's tile, float32 (k, 2); which patches, int (m,), have none yet).

        `owner`: the number of the surface whose `patches` they are, INSTANCE (k,), at most `capacity`.
        """
        return self._slots.find(owner, patches["patch"])

    def lacks(self, owner: int, patches: np.ndarray) -> np.ndarray:
        """Which of an owner's patches, float32 (k, 4) as in INSTANCE, have no tile: bool (k,)."""
        return self._slots.lacks(owner, patches)

    def reserve(self, owner: int, patches: np.ndarray) -> np.ndarray:
        """First texels, float32 (m, 2), of the tiles of the first m of an owner's patches, (k, 4), for later frames."""
        return self._slots.reserve(owner, patches)

    def note(self, texels: np.ndarray, notes: np.ndarray) -> None:
        """Keep a number, uint8 (k,), with each of the tiles with these first texels, (k, 2), as long as they are there."""
        self._slots.note(texels, notes)

    def noted(self, texels: np.ndarray) -> np.ndarray:
        """What was kept with each tile: uint8 (k,)."""
        return self._slots.noted(texels)

    def make(
        self,
        atlas: Atlas,
        detail: Detail,
        levels: TileLevels,
        tiles: np.ndarray,
        land: Land,
        rough: Texture,
        materials: TileMaterials,
        beds: RiverBeds | None = None,
        blocks: BlockTextures | None = None,
    ) -> None:
        """Draw `tiles`, TILE (k,) with `patch` and the first two of `place` filled in. Changes the bound target.

        `land`: the samples and what climate makes of them; `rough`: their gradient and the strength of the detail at each
        of them. `beds`: what rivers have cut into the ground. `blocks`: those of the detail.
        """
        self._quad.fill_instances(_placed(tiles, atlas, detail, levels, self.side))
        making = {
            "side": self.size,
            "size": detail.size_m,
            "samples": land.samples,
            "top": detail.top_m,
            "length": detail.wavelength_m,
            "key": detail.key,
            "blocks": blocks.form if blocks else (1.0, 1.0, 0.0, 1.0),
            "relief_m": materials.relief_m,
            "covered": (land.cover_a is not None, 0.0),
            "cover_grid": land.cover_grid,
        }
        uniform_buffer.fill(TILE_MAKING, making)
        uniform_buffer.fill(PALETTE, materials.palette)
        shown = land.units()
        units = {name: shown[name] for name in ("heights_a", "shade_a", "cover_a")}
        units |= {"rough": rough.bind(), "noise": materials.noise.bind()} | (blocks.units() if blocks else {})
        heights, slopes = self.pictures
        gl_context.drawing()
        for target, normals in ((heights, False), (slopes, True)):
            target.bind()
            if normals:
                units |= {"tile_heights": heights.colour.bind(), "tile_ridges": heights.colours[1].bind()}
            self._paint(
                TileSwitches(atlas.code, normals, self.texels, blocks is not None and not normals), len(tiles), units
            )
            if beds is not None and not normals:
                self._cut(beds, tiles, atlas, detail.size_m)

    def range_m(self, tiles: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(lowest, highest) metres of the ground of tiles, TILE (k,), that are there: float64 (k,) each.

        Waits for the driver. Changes the bound target.
        """
        heights, _ = self.pictures
        corners = tiles["place"][:, :2].astype(int).tolist()
        found = np.array([(texels.min(), texels.max()) for texels in heights.read_parts(corners, self.side)], np.float64)
        return found[:, 0], found[:, 1]

    def _cut(self, beds: RiverBeds, tiles: np.ndarray, atlas: Atlas, size_m: float) -> None:
        cuts = cuts_in(beds, tiles, atlas, size_m, self.texels)
        if len(cuts):
            self.beds.draw(BedSwitches(atlas.code, self.texels), cuts)
            gl_context.drawing()

    def paint(self, switches: TileSwitches, tiles: np.ndarray, units: dict[str, int]) -> None:
        """Draw one pass of tiles, TILE (k,), onto whatever is bound. `units`: of the samplers."""
        self._quad.fill_instances(tiles)
        gl_context.drawing()
        self._paint(switches, len(tiles), units)

    def _paint(self, switches: TileSwitches, count: int, units: dict[str, int]) -> None:
        self.programs.get(switches).use(**units)
        self._quad.draw_instanced(GL.GL_TRIANGLE_STRIP, count)

    def free(self) -> None:
        self._let_go()
        for thing in (self.programs, self._quad, self.beds):
            thing.free()


def _placed(tiles: np.ndarray, atlas: Atlas, detail: Detail, levels: TileLevels, side: int) -> np.ndarray:
    """Tiles with all fields filled in; `side`: texels along the edge of a tile and its rim."""
    at = tiles["patch"].astype(np.float64)
    place = atlas.place(at[:, 0].astype(np.intp), at[:, 1], at[:, 2])
    lattice = place * (detail.size_m / detail.wavelength_m)
    whole = np.floor(lattice)
    level = np.round(-np.log2(at[:, 3])).astype(np.intp)
    tiles["part"][:, :3], tiles["whole"] = lattice - whole, whole
    tiles["part"][:, 3] = levels.octaves_of(level)
    tiles["place"][:, 2], tiles["place"][:, 3] = side, level == levels.first
    tiles["direction"] = place if atlas.spherical else (0.0, 1.0, 0.0)
    tiles["near"] = np.mod(place * (detail.size_m / NEAR_M), 1.0)
    return tiles
