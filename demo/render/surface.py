"""The surface of a world: which of its patches are drawn, and their instanced draws."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..geometry.exaggeration import slope_exaggeration
from ..geometry.mesh_budget import MeshBudget
from ..geometry.tile_waters import DRY, FAR_FROM_LAKES, SEA, SHORE
from ..ground.noise_volume import PERIOD
from ..ground.relief import GUTTER, Relief
from ..maths.vectors import length
from ..tables.looks import AS_PRINTED_LIT, FLAT, PRINTED, UNLIT, Look
from .clouds import is_below_clouds, planet_clouds, terrain_clouds
from .gl import uniform_buffer
from .gl.textures import ARRAY, R32F, RGBA8, Texture, check_limits
from .height_textures import HeightTextures, Land
from .shader_switches import SurfaceSwitches, has_tiles, is_deferred, surface_switches, tells_waters
from .surface_pass import ChosenPatches, SurfacePass
from .surface_tiles import TILED, SurfaceTiles
from .tiles import NEAR_M
from .uniform_blocks import CLOUDS, GROUND, PALETTE, RINGS, SHEET, SURFACE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..geometry.frame_state import Moment
    from ..geometry.patch_tree import PatchTree
    from ..geometry.river_beds import RiverBeds
    from ..geometry.view import View
    from ..ground.detail import Detail
    from ..ground.standing_water import Lakes
    from .gl.targets import Target
    from .moon_and_rings_drawn import RingsShown
    from .shared_textures import SharedTextures
    from .tile_materials import TileMaterials

# How far land that settles may be from its last heights, in heights of the highest land.
SETTLING = 0.1
# Less of the detail than this is not seen.
SEEN_DETAIL = 0.04
# Instead of the planes of a frustum: nothing is outside.
EVERYWHERE = np.zeros((0, 4))
# By which the shaders know normals that are not the land's own.
_NORMAL_CODES: dict[str | None, int] = {FLAT: 1, PRINTED: 2}
# The plasma article's terrain is 4 units wide, and its origin lies half a unit above the lowest land.
MIDDLE = 0.5 / 4.0


class Surface:
    """A world on the GPU: two sets of heights, between which those that are shown are mixed, and its tiles."""

    def __init__(
        self,
        surface_pass: SurfacePass,
        tree: PatchTree,
        samples: int,
        materials: TileMaterials,
        detail: Detail | None = None,
        left_out: int = 0,
        beds: RiverBeds | None = None,
    ) -> None:
        """`tree`: the world's patches, as large as those of the pass. `samples`: along a face's edge. `detail`: of the grown
        world, None for none; `left_out`: this many of its finest octaves are not drawn. `beds`: of its rivers.

        Raises GpuError when the driver cannot hold the heights.
        """
        check_limits(tree.atlas.faces, samples + 2 * GUTTER)
        self._pass, self._tree, self._materials, self._left_out = surface_pass, tree, materials, left_out
        self._sets: list[HeightTextures | None] = [None, None]
        self._tiles = self._tiles_of(tree, detail, beds)
        self._steep = slope_exaggeration(detail) if tree.atlas.spherical else 1.0
        self._budget = MeshBudget()
        self._cover: Texture | None = None
        self._lakes: Texture | None = None

    def upload(self, which: int, relief: Relief) -> None:
        """Put a relief's heights, normals and light into set 0 or 1."""
        known = self._sets[which]
        if known is None:
            self._sets[which] = HeightTextures(relief)
        else:
            known.upload(relief)
            self._forget_tiles(known)

    def settle(self) -> None:
        """Let go of set 1: the heights of set 0 are the last."""
        if self._sets[1] is not None:
            self._sets[1].free()
            self._sets[1] = None

    def lay(self, cover: np.ndarray) -> None:
        """Cover the land, once: uint8 (faces, s, s, 4), as `cover_parts` returns it."""
        if self._cover is None:
            self._cover = Texture(ARRAY, RGBA8, cover.shape[:3])
            self._cover.upload(cover)
            self._forget_tiles()

    @property
    def covered(self) -> bool:
        """Whether the land is covered."""
        return self._cover is not None

    def carve(
        self, tree: PatchTree, detail: Detail | None, beds: RiverBeds | None = None, lakes: Lakes | None = None
    ) -> None:
        """Go on with the patches and the detail of the carved world, the beds of its rivers, and its lakes."""
        for thing in (self._tiles, self._lakes):
            if thing is not None:
                thing.free()
        self._lakes = None
        if lakes is not None:
            self._lakes = Texture(ARRAY, R32F, lakes.padded_m.shape)
            self._lakes.upload(lakes.padded_m)
        self._tree, self._tiles = tree, self._tiles_of(tree, detail, beds, lakes)

    def _tiles_of(
        self, tree: PatchTree, detail: Detail | None, beds: RiverBeds | None = None, lakes: Lakes | None = None
    ) -> SurfaceTiles | None:
        if detail is None or detail.octaves == 0:
            return None
        return SurfaceTiles(self._pass.tiles, tree, detail, self._left_out, self._materials, beds, lakes)

    def let_go_of_tiles(self) -> None:
        """Let go of all tiles, and of what they are made from: the land is drawn without detail from now on."""
        if self._tiles is not None:
            self._tiles.free()
            self._tiles = None

    def swap(self) -> None:
        """Make set 1 set 0 and the other way round."""
        self._sets.reverse()

    def _forget_tiles(self, heights: HeightTextures | None = None) -> None:
        """Forget all tiles, or those that are made from `heights`."""
        if self._tiles is not None:
            self._tiles.forget(heights)

    @property
    def land(self) -> Land:
        """The land of this world. Set 0 must have been uploaded."""
        first, second = self._sets
        assert first is not None
        return Land(first, second or first, self._materials.relief_m, self._steep, self._cover, self._cover, self._lakes)

    def choose(self, view: View, look: Look, moment: Moment) -> ChosenPatches:
        """Choose the patches to draw, and make the tiles they need; changes the bound target."""
        patches, planes = self._seen(view, look, moment)
        tiled = np.zeros(0, TILED)
        if moment.stretch != 1.0:
            patches["anchor"] *= np.float32(moment.stretch)
        if self._tiles is not None and has_tiles(look, moment):
            most_new = look.first_tiles if moment.detail < SEEN_DETAIL else np.inf
            patches, tiled = self._tiles.split(patches, view, planes, self.land.last, most_new)
        return self._with_cells(patches, tiled, look)

    def foresee(self, view: View, look: Look, moment: Moment, frames: int) -> None:
        """Have the tiles that `view` needs made before that comes, in so many frames, as `make_ahead` is called."""
        if self._tiles is not None and has_tiles(look, moment):
            patches, planes = self._seen(view, look, moment)
            self._tiles.expect(patches, view, planes, self.land.last, frames)

    def make_ahead(self) -> None:
        """Make some of the tiles that were foreseen; changes the bound target."""
        if self._tiles is not None:
            self._tiles.make_ahead(self.land.last)

    def _seen(self, view: View, look: Look, moment: Moment) -> tuple[np.ndarray, np.ndarray]:
        """(patches of the samples in a view, INSTANCE (k,); the planes between which they are)."""
        # The bounds are the sphere's with its natural relief: in another form or with the relief of its article, all of it
        # is drawn, which is little from afar.
        formed = moment.swell < 1.0 or moment.sheet is not None or (look.printed and self.land.raised != (1.0, 1.0))
        planes = EVERYWHERE if formed else view.planes
        eye, drop = view.eye / moment.stretch, _drop(view, moment) / moment.stretch
        settles = not moment.grown and moment.detail > 0.0
        if settles:
            # The bounds are those of the last heights, near which the present ones are.
            planes = planes + np.array([0.0, 0.0, 0.0, SETTLING * self._materials.relief_m])
        bounded = moment.grown or settles
        return self._tree.walk(eye, planes, drop, bounded, horizon=not formed), planes

    def _with_cells(self, plain: np.ndarray, tiled: np.ndarray, look: Look) -> ChosenPatches:
        cells = self._pass.patch
        halved = self._budget.halves(2 * (len(plain) + len(tiled)) * cells**2, look.triangles) or look.coarse
        return ChosenPatches(plain, tiled, halved, cells // 2 if halved else cells)

    def draw(
        self,
        chosen: ChosenPatches,
        land: Land,
        view: View,
        look: Look,
        moment: Moment,
        palette: dict[str, object],
        textures: SharedTextures,
        onto: Target,
        rings: RingsShown | None = None,
    ) -> None:
        """Draw the patches that `choose` chose for the same view, look and moment.

        `land`: this surface's own, or another one on its way into it. `palette`: the block PALETTE. `rings`: what throws its
        shadow. `onto`: what is being drawn on.
        """
        self._fill_blocks(chosen, land, view, look, moment, onto)
        uniform_buffer.fill(PALETTE, palette)
        units = textures.units() | land.units()
        if len(chosen.tiled):
            units |= self._pass.tiles.units()
        if rings is not None:
            uniform_buffer.fill(RINGS, rings.block)
            units["bands"] = rings.bands.bind()
        below = is_below_clouds(length(view.eye), self._tree.size_m * moment.stretch)
        parts: list[tuple[SurfaceSwitches, np.ndarray]] = []
        for patches, waters in self._parts(chosen, look, moment, land):
            if len(patches):
                tiled, ringed = patches.dtype == TILED, rings is not None
                parts.append((surface_switches(self._tree.atlas, look, moment, tiled, waters, ringed, below), patches))
        deferred = [part for part in parts if is_deferred(part[0], look)]
        if deferred:
            self._pass.draw_deferred(deferred, chosen.halved, units, onto)
        for switches, patches in parts[len(deferred) :]:
            self._pass.draw(switches, patches, chosen.halved, units, look.wireframe)

    def _parts(self, chosen: ChosenPatches, look: Look, moment: Moment, land: Land) -> Iterator[tuple[np.ndarray, int]]:
        """The patches that are drawn together, near ones first, and SHORE, DRY or SEA of those."""
        if self._tiles is not None and len(chosen.tiled) and tells_waters(look.fine):
            waters = self._tiles.waters(chosen.tiled)
            dry = (waters == FAR_FROM_LAKES) | (waters == (FAR_FROM_LAKES if moment.lakes else DRY))
            sea = waters == SEA
            yield chosen.tiled[dry], DRY
            yield chosen.tiled[~dry & ~sea], SHORE
            yield chosen.tiled[sea], SEA
        else:
            yield chosen.tiled, SHORE
        yield chosen.plain, SHORE

    def _fill_blocks(self, chosen: ChosenPatches, land: Land, view: View, look: Look, moment: Moment, onto: Target) -> None:
        size_m = self._tree.size_m * moment.stretch
        uniform_buffer.fill(GROUND, ground_block(view, moment, land, size_m, land.height_scale(moment.mix)))
        surface = {
            "patch": chosen.cells,
            "drop": _drop(view, moment),
            "near": np.mod(view.eye / NEAR_M, 1.0),
            "time": moment.time,
            "share": look.share,
            "last_pixel": (onto.drawn[0] - 1, onto.drawn[1] - 1),
            "bearings": moment.bearings,
            "shaded": moment.shaded,
            "covered": moment.covered,
            "cover_grid": land.cover_grid,
            "filled": moment.filled if land.lakes and not look.printed else 0.0,
            "steep": land.printed_steep(moment.mix) if look.printed else land.steep,
            "raised": land.raised,
            "printed_range": land.printed_range(moment.mix),
            "mix": moment.mix,
            "rests": int(moment.grown),
            "sunk": moment.sunk,
            "soft": max(moment.soft, 1e-3),
            "deep": moment.deep,
            "normals_from": self._middle(land, moment) - view.eye,
            "normals": _NORMAL_CODES.get(look.normals, 0),
            "wire": look.wireframe,
            "lit": look.name == AS_PRINTED_LIT,
            "unlit": look.name == UNLIT,
            "rhombi": moment.rhombi,
        }
        uniform_buffer.fill(SURFACE, surface)
        spherical = self._tree.atlas.spherical
        uniform_buffer.fill(CLOUDS, planet_clouds(moment, size_m) if spherical else terrain_clouds(view, moment))
        if moment.sheet is not None:
            uniform_buffer.fill(SHEET, moment.sheet.uniforms(view.eye))
        if self._tiles is not None and len(chosen.tiled):
            self._tiles.fill_block(moment.detail)

    def _middle(self, land: Land, moment: Moment) -> np.ndarray:
        """Where normals as printed point away from: the middle of a planet, and above that of a terrain."""
        if self._tree.atlas.spherical:
            return np.zeros(3)
        raised = land.raised[0] + (land.raised[1] - land.raised[0]) * moment.mix
        return np.array([0.0, land.printed_range(moment.mix)[0] * raised + MIDDLE * self._tree.size_m, 0.0])

    def free(self) -> None:
        for thing in (self._tiles, self._cover, self._lakes, *self._sets):
            if thing is not None:
                thing.free()


def ground_block(view: View, moment: Moment, land: Land, size_m: float, height_scale: float) -> dict[str, object]:
    """The block GROUND. `size_m`: radius or extent of the world as it is drawn; `height_scale`: of the textures read."""
    noise_m = size_m * PERIOD
    return {
        "size": size_m,
        "samples": land.samples,
        "relief_m": land.relief_m,
        "height_scale": height_scale,
        "swell": moment.swell,
        "origin": np.mod(view.eye / noise_m, 1.0),
        "noise_metres": noise_m,
    }


def _drop(view: View, moment: Moment) -> np.ndarray:
    """From the eye to where detail is chosen from. A sheet is seen evenly: everywhere as from the planet's centre."""
    return view.drop if moment.sheet is None else -view.eye
