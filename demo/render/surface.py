"""The surface of one world: its textures and its one instanced draw."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
from OpenGL import GL

from ..geometry.deep_tree import DeepTree
from ..geometry.exaggeration import EXAGGERATION, slope_exaggeration
from ..geometry.frame_state import Moment
from ..geometry.patch_meshes import isosceles_mesh, patch_mesh
from ..geometry.patch_tree import INSTANCE, PatchTree, near_first
from ..geometry.tile_levels import tile_levels
from ..geometry.view import View
from ..ground.detail import Detail
from ..ground.relief import GUTTER, Relief
from .gl import gl_context, programs
from .gl.meshes import Mesh
from .gl.textures import ARRAY, R16F, R32F, RGBA8, RGBA16_SNORM, Texture, check_limits
from .sky import Lamps, Look
from .tiles import TILE, Tiles

VERTEX = np.dtype([("cell", np.float32, 2)])
TILED = np.dtype([*((name, *INSTANCE[name].subdtype) for name in INSTANCE.names), ("tile", np.float32, 2)])
# One period of the noise, in radii or extents.
NOISE_PERIOD = 3.5
LEAST_SOFT_M = 1.0
# Metres, as in near.glsl.
NEAR_M = 65_536.0


EVERYWHERE = np.zeros((0, 4))
# Radians a second.
CLOUD_DRIFT = 0.0035
# How high a planet's clouds are, in metres.
CLOUD_M = 5_500.0
# Those of a terrain, as in sky.frag: metres of a tile of them, and tiles a second.
TERRAIN_CLOUD_TILE_M, TERRAIN_CLOUD_DRIFT = 52_000.0, 0.0009
# Triangles come back to a picture that had too many of them when it has room for so many more.
RETURNING = 0.7
# Land whose samples are all higher than this share of the highest has no water: detail is weak near the shore.
INLAND = 0.02


def surface_clouds(lamps: Lamps, moment: Moment, radius_m: float) -> dict:
    """The clouds over a planet as uniforms."""
    drift = moment.time * CLOUD_DRIFT
    return {
        "clouds": lamps.clouds.bind(),
        "cloudy": (moment.clouds, float(np.cos(drift)), float(np.sin(drift))),
        "cloud_radius": radius_m + CLOUD_M,
    }


def terrain_clouds(view: View, moment: Moment) -> tuple[float, float, float]:
    """The clouds over a terrain: how thick they are, and where over their texture the eye is."""
    x, _, z = view.eye / TERRAIN_CLOUD_TILE_M
    return moment.clouds, float(x + moment.time * TERRAIN_CLOUD_DRIFT), float(z)


class SurfaceArtist:
    """What all surfaces share: the program and the patch."""

    def __init__(self, patch: int, tiles: int) -> None:
        """`patch`: cells along the edge of one; `tiles`: along that of the picture of tiles."""
        self.patch = patch
        self.programs = programs.Variants("surface.vert", "surface.frag")
        self.tiles = Tiles(patch, tiles)
        self._meshes: dict[tuple, Mesh] = {}
        self._surfaces = 0

    def mesh(self, tiled: bool, half: bool, isosceles: bool) -> Mesh:
        """The patch, for patches that have tiles or not, of all or half as many cells."""
        key = tiled, half, isosceles
        if key not in self._meshes:
            self._meshes[key] = _mesh(self.patch >> half, TILED if tiled else INSTANCE, isosceles)
        return self._meshes[key]

    def number(self) -> int:
        """A number for one more surface."""
        self._surfaces += 1
        return self._surfaces

    def free(self) -> None:
        self.programs.free()
        self.tiles.free()
        for mesh in self._meshes.values():
            mesh.free()


def _mesh(patch: int, instance: np.dtype, isosceles: bool) -> Mesh:
    cells, indices = (isosceles_mesh if isosceles else patch_mesh)(patch)
    locations = {"patch": 1, "anchor": 2, "direction": 3, "tile": 4}
    locations = {name: locations[name] for name in instance.names}
    mesh = Mesh({"cell": 0}, VERTEX, locations, instance, np.ascontiguousarray(indices))
    vertices = np.zeros(len(cells), VERTEX)
    vertices["cell"] = cells
    mesh.fill(vertices)
    return mesh


class Surface:
    """A world on the GPU: two sets of textures, between which the shown heights are mixed."""

    def __init__(
        self,
        artist: SurfaceArtist,
        tree: PatchTree,
        samples: int,
        relief_m: float,
        detail: Detail | None = None,
        left_out: int = 0,
    ) -> None:
        """`tree`: the world's patches, of the artist's patch size; `samples`: along a face's edge; `detail`: of the grown
        world, if there is to be any, without so many of its finest octaves."""
        atlas, side = tree.atlas, samples + 2 * GUTTER
        check_limits(atlas.faces, side)
        self.artist, self.atlas, self.samples = artist, atlas, samples
        self.size_m, self.relief_m = tree.size_m, relief_m
        shape = (atlas.faces, side, side)
        self._shape = shape
        self._sets: list[_TextureSet | None] = [_TextureSet(shape), None]
        self._tree = tree
        self._number = artist.number()
        self._detail = detail if detail is not None and detail.octaves > 0 else None
        self._rough: Texture | None = None
        if self._detail is not None:
            self._levels = tile_levels(detail, artist.tiles.texels)
            self._lowest = [level.on_faces(atlas.faces, level.low) for level in tree.levels]
            self._deep = DeepTree(tree, detail, self._levels.last - left_out)
        self._patches, self._tiled = np.zeros(0, INSTANCE), np.zeros(0, TILED)
        self._steep = slope_exaggeration(detail) if atlas.spherical else 1.0
        self._halved = False
        self.triangles = 0

    def upload(self, which: int, relief: Relief) -> None:
        """Put a relief's heights, normals and light into texture set 0 or 1."""
        if self._sets[which] is None:
            self._sets[which] = _TextureSet(self._shape)
        self._sets[which].upload(relief)
        self.artist.tiles.forget(self._number)

    def settle(self) -> None:
        """Let go of set 1: the heights of set 0 are the last."""
        if self._sets[1] is not None:
            self._sets[1].free()
            self._sets[1] = None

    def swap(self) -> None:
        """Make set 1 set 0 and the other way round."""
        self._sets.reverse()
        self.artist.tiles.forget(self._number)

    @contextmanager
    def fed_by(self, other: Surface, share: float) -> Iterator[None]:
        """Inside, heights and relief are on their way from those of `other`, of as many samples, to its own first ones.

        Draw with `mix` the same `share`.
        """
        sets, relief_m, steep = self._sets, self.relief_m, self._steep
        self._sets = [other._sets[0], sets[0]]
        self.relief_m = other.relief_m + (relief_m - other.relief_m) * share
        self._steep = other._steep + (steep - other._steep) * share
        try:
            yield
        finally:
            self._sets, self.relief_m, self._steep = sets, relief_m, steep

    def waters(self) -> dict:
        """What tells where water stands, as uniforms."""
        shown = self._sets[0]
        return {
            "shade_a": shown.shade.bind(),
            "height_scale": shown.height_scale,
            "relief_m": self.relief_m,
            "samples": self.samples,
        }

    def choose(self, view: View, look: Look, moment: Moment) -> None:
        """Choose the patches that `draw` draws, and make the tiles they need; changes the bound target."""
        cone = moment.swell < 1.0
        # The bounds are the sphere's: while its form is another one, all of it is drawn, which is little from afar.
        other = cone or moment.sheet is not None
        planes = EVERYWHERE if other else view.planes
        eye, drop = view.eye / moment.stretch, _drop(view, moment) / moment.stretch
        patches = self._tree.walk(eye, planes, drop, moment.grown, horizon=not other)
        if moment.stretch != 1.0:
            patches["anchor"] *= np.float32(moment.stretch)
        self._patches, self._tiled = patches, np.zeros(0, TILED)
        if (
            self._detail is not None
            and moment.grown
            and moment.mix == 0.0
            and not other
            and moment.detail > 0.0
            and look.code != 1
        ):
            patches = self._deep.refine(patches, view.eye, planes, view.drop)
            # A power of two to the level: exact.
            near = patches["patch"][:, 3] <= 0.5**self._levels.first
            tiled = near_first(patches[near])
            room = self.artist.tiles.room(len(tiled))
            self._patches = patches[~near] if len(tiled) <= room else np.concatenate([tiled[room:], patches[~near]])
            self._tiled = self._with_tiles(tiled[:room])
        self._choose_cells(look)

    def _choose_cells(self, look: Look) -> None:
        count, cells = 2 * (len(self._patches) + len(self._tiled)), self.artist.patch
        # Those that were left out come back when there is room enough for them to stay.
        most = look.triangles * (RETURNING if self._halved else 1.0)
        self._halved = look.coarse or count * cells**2 > most
        self.triangles = count * self._cells**2

    @property
    def _cells(self) -> int:
        """Along the edge of a patch, as it is drawn."""
        return self.artist.patch // 2 if self._halved else self.artist.patch

    def _with_tiles(self, patches: np.ndarray) -> np.ndarray:
        tiled = np.empty(len(patches), TILED)
        for name in INSTANCE.names:
            tiled[name] = patches[name]
        tiled["tile"], missing = self.artist.tiles.slots(self._number, patches)
        if missing.size:
            self._make_tiles(tiled[missing])
        return tiled

    def _make_tiles(self, patches: np.ndarray) -> None:
        if self._rough is None:
            self._rough = Texture(ARRAY, R16F, self._detail.rough_m.shape, linear=False)
            self._rough.upload(np.ascontiguousarray(self._detail.rough_m))
        tiles = np.zeros(len(patches), TILE)
        tiles["patch"], tiles["place"][:, :2] = patches["patch"], patches["tile"]
        uniforms = {
            "samples": self.samples,
            "heights_a": self._sets[0].heights.bind(),
            "shade_a": self._sets[0].shade.bind(),
            "rough": self._rough.bind(),
        }
        self.artist.tiles.make(self.atlas, self._detail, self._levels, tiles, uniforms)

    def draw(self, view: View, look: Look, moment: Moment, palette: dict, lamps: Lamps, rings: dict | None = None) -> None:
        """Draw what `choose` chose for the same arguments: patches with tiles, which are near, and those without.

        `rings`: the uniforms of what shades them.
        """
        gl_context.drawing(gl_context.NEARER, keep_depth=True, lines=look.wireframe)
        rings, inland = rings or {}, np.zeros(len(self._tiled), bool)
        if len(self._tiled) and not (look.fine or moment.lakes):
            # A software renderer works through the water of every pixel of a program that knows water.
            inland = self._inland(self._tiled)
        parts = (self._tiled[inland], True), (self._tiled[~inland], False), (self._patches, False)
        for patches, dry in parts:
            if len(patches):
                self._draw(patches, dry, view, look, moment, palette, lamps, rings)

    def _inland(self, patches: np.ndarray) -> np.ndarray:
        """Which of the patches, a TILED array, have no water, bool (k,)."""
        face, u, v, size = patches["patch"].T
        level = np.minimum(np.round(-np.log2(size)).astype(np.intp), len(self._lowest) - 1)
        low = np.zeros(len(patches))
        for number in np.unique(level):
            at, grid = level == number, self._lowest[number]
            i, j = ((part[at] * len(grid[0])).astype(np.intp) for part in (u, v))
            low[at] = grid[face[at].astype(np.intp), j, i]
        return low > INLAND * self.relief_m

    def _draw(
        self,
        patches: np.ndarray,
        dry: bool,
        view: View,
        look: Look,
        moment: Moment,
        palette: dict,
        lamps: Lamps,
        rings: dict,
    ) -> None:
        """One instanced draw; `dry`: of patches without water."""
        tiled = patches.dtype == TILED
        a, b = self._sets[0], self._sets[1] or self._sets[0]
        program = self.artist.programs.get(
            ATLAS=self.atlas.code,
            MIXED=max(moment.mix, moment.sunk, moment.deep) > 0.0 or moment.soft > LEAST_SOFT_M,
            LOOK=look.code,
            SPHERICAL=self.atlas.spherical,
            FLAT=look.flat,
            WIRE=look.wireframe,
            FINE=look.fine,
            CONE=moment.swell < 1.0,
            SHEET=moment.sheet is not None,
            CLOUDS=self.atlas.spherical and moment.clouds > 0.0,
            TILES=tiled,
            DRY=dry,
            FADE=tiled and moment.detail < 1.0,
            ISOSCELES=look.isosceles,
            LEVELS=look.levels,
            LAKES=moment.lakes,
            RINGS=bool(rings),
        )
        mesh = self.artist.mesh(tiled, self._halved, look.isosceles)
        mesh.fill_instances(patches)
        size_m = self.size_m * moment.stretch
        noise_m = size_m * NOISE_PERIOD
        tiles = self.artist.tiles.bind() | self._tile_uniforms(moment) if tiled else {}
        program.use(
            **view.uniforms,
            **tiles,
            patch=self._cells,
            samples=self.samples,
            size=size_m,
            mix=moment.mix,
            sunk=moment.sunk,
            soft=max(moment.soft, 1e-3),
            deep=moment.deep,
            swell=moment.swell,
            **self._clouds(view, moment, lamps, size_m),
            drop=_drop(view, moment),
            bearings=moment.bearings,
            relief_m=self.relief_m,
            height_scale=a.height_scale + (b.height_scale - a.height_scale) * moment.mix,
            # As printed, relief is drawn as steep whatever the world.
            steep=EXAGGERATION if look.code == 1 else self._steep,
            origin=np.mod(view.eye / noise_m, 1.0),
            near=np.mod(view.eye / NEAR_M, 1.0),
            noise_metres=noise_m,
            time=moment.time,
            noise=lamps.noise.bind(),
            sunlight=lamps.sunlight.bind(),
            heights_a=a.heights.bind(),
            shade_a=a.shade.bind(),
            light_a=a.light.bind(),
            heights_b=b.heights.bind(),
            shade_b=b.shade.bind(),
            light_b=b.light.bind(),
            **palette,
            **rings,
            **(moment.sheet.uniforms(view.eye) if moment.sheet else {}),
        )
        mesh.draw_instanced(GL.GL_TRIANGLE_STRIP, len(patches))

    def _clouds(self, view: View, moment: Moment, lamps: Lamps, size_m: float) -> dict:
        if self.atlas.spherical:
            return surface_clouds(lamps, moment, size_m)
        return {"clouds": lamps.clouds.bind(), "cloudy": terrain_clouds(view, moment)}

    def _tile_uniforms(self, moment: Moment) -> dict:
        first = self._levels.first
        # The coarsest level's patches are drawn from however far.
        end = self._tree.levels[first - 1].reach if first else 1e9
        return {"tile_texels": self.artist.tiles.texels, "tiled": end, "detail": moment.detail}

    def free(self) -> None:
        self.artist.tiles.forget(self._number)
        for thing in (*self._sets, self._rough):
            if thing is not None:
                thing.free()


def _drop(view: View, moment: Moment) -> np.ndarray:
    """From the eye to where detail is chosen from. A sheet is seen evenly: everywhere as from the planet's centre."""
    return view.drop if moment.sheet is None else -view.eye


class _TextureSet:
    def __init__(self, shape: tuple[int, int, int]) -> None:
        self.heights = Texture(ARRAY, R32F, shape, linear=False)
        self.shade = Texture(ARRAY, RGBA16_SNORM, shape)
        self.light: Texture | None = None
        self.height_scale = 1.0

    def upload(self, relief: Relief) -> None:
        self.heights.upload(relief.heights_m)
        self.shade.upload(relief.shade)
        if self.light is None:
            self.light = Texture(ARRAY, RGBA8, relief.light.shape[:3])
        self.light.upload(relief.light)
        self.height_scale = relief.height_scale

    def free(self) -> None:
        for texture in (self.heights, self.shade, self.light):
            if texture is not None:
                texture.free()
