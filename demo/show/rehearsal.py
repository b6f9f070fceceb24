"""The rehearsal of a scene: every shader program of its story is used once, in a small picture of a made-up world.

The graphics driver compiles a program when it is first linked and drawn with, and keeps the result in a cache of its own. So
this runs ahead of the show, in a child process, and the show never waits for the driver. Needs a current OpenGL 3.3 core
context.
"""

from __future__ import annotations

from contextlib import ExitStack
from typing import Protocol, TypeVar

import numpy as np

from ..flight.camera import look_at
from ..geometry.frame_state import Moment
from ..geometry.patch_tree import INSTANCE, PatchTree
from ..geometry.ribbons import RIBBON_POINT
from ..geometry.sunlight import sunlight_table
from ..geometry.tile_levels import tile_levels
from ..geometry.view import View, make_view
from ..ground.detail import detail_of
from ..ground.relief import Relief
from ..render.develop import DevelopPass, LightPicture
from ..render.frame_view import look_through
from ..render.gl.meshes import Mesh
from ..render.gl.targets import Target
from ..render.gl.textures import ARRAY, FLAT, R16F, RGBA8, Texture
from ..render.glow import GlowBatch
from ..render.map_lines import LOCATIONS, MapLinesPass
from ..render.map_names import NAME, MapNamesPass
from ..render.moon_and_rings_drawn import MoonAndRingsPass, RingsShown, bands_texture
from ..render.shader_switches import line_variants, sky_variants, surface_variants, town_variants
from ..render.shared_textures import SharedTextures, clouds_texture, noise_texture, sunlight_texture
from ..render.sky import Background, SkyPass
from ..render.surface import Surface, SurfacePass
from ..render.surface_tiles import TILED
from ..render.text import Line, Overlay
from ..render.tiles import TILE
from ..render.town_lights import TownLightsPass
from ..scenes.moon_and_rings import Moon, Rings
from ..scenes.scene import Scene
from ..scenes.towns import LAMP
from ..tables.looks import Look
from ..tables.quality import Quality
from ..worlds.atlas import ATLASES
from .frame import SUN_COLOUR
from .palette_block import palette_uniforms

SIZE = (32, 18)
# Along a face's edge of the made-up world.
SAMPLES = 9
UP = np.array([0.0, 1.0, 0.0])


class _Freed(Protocol):
    def free(self) -> None: ...


T = TypeVar("T", bound=_Freed)


def rehearse(scene: Scene, quality: Quality) -> None:
    """Draw with every program that the scene's story needs at a quality, in the natural look. Raises GpuError."""
    with ExitStack() as stack:
        _Rehearsal(scene, quality, stack).run()


class _Rehearsal:
    """`stack` frees what is made here, in the end."""

    def __init__(self, scene: Scene, quality: Quality, stack: ExitStack) -> None:
        self._scene, self._quality, self._stack = scene, quality, stack
        self._look = Look(fine=quality.fine)
        self._target = self._kept(Target(*SIZE))
        self._textures = SharedTextures(
            self._kept(noise_texture()),
            self._kept(sunlight_texture(sunlight_table(scene.air))),
            self._kept(clouds_texture(None)),
        )
        self._view = _view(scene)

    def _kept(self, thing: T) -> T:
        """The thing, which is freed in the end."""
        self._stack.callback(thing.free)
        return thing

    def run(self) -> None:
        """All passes, in the order of a frame."""
        look_through(self._view)
        self._target.begin()
        self._surface()
        self._lines()
        self._sky()
        self._towns()
        self._glow()
        self._develop()
        self._words()
        # The driver may put off its work until the picture is wanted.
        self._target.read()

    def _surface(self) -> None:
        """Tiles, and the surface with all its switches; first one draw of the usual kind, which fills the blocks."""
        scene, atlas, moment = self._scene, ATLASES[self._scene.atlas], Moment(0.0)
        surfaces = self._kept(SurfacePass(self._quality.patch, self._quality.tiles))
        heights = np.full((atlas.faces, SAMPLES, SAMPLES), scene.relief_m, np.float32)
        tree = PatchTree(atlas, heights, self._quality.patch, scene.size_m)
        surface = self._kept(Surface(surfaces, tree, SAMPLES, scene.relief_m))
        surface.upload(0, Relief.empty(atlas, SAMPLES))
        detail, land = detail_of(atlas, heights, scene.size_m, 0), surface.land
        rough = self._kept(Texture(ARRAY, R16F, detail.rough_m.shape, linear=False))
        tiles = np.zeros(1, TILE)
        tiles["patch"][:, 3] = 1.0
        surfaces.tiles.make(atlas, detail, tile_levels(detail, surfaces.tiles.texels), tiles, land.a, rough)
        self._target.begin()
        chosen = surface.choose(self._view, self._look, moment)
        palette = palette_uniforms(scene.palettes[0], scene, (0.0, 1.0))
        surface.draw(chosen, land, self._view, self._look, moment, palette, self._textures)
        tiled = np.zeros(len(chosen.plain), TILED)
        for name in INSTANCE.names or ():
            tiled[name] = chosen.plain[name]
        bands = self._kept(bands_texture(_rings()))
        units = self._textures.units() | land.units() | surfaces.tiles.units() | {"bands": bands.bind()}
        for switches in surface_variants(scene, self._quality):
            surfaces.draw(switches, tiled if switches.tiles else chosen.plain, chosen.halved, units)

    def _lines(self) -> None:
        lines = self._kept(MapLinesPass())
        mesh = self._kept(Mesh(LOCATIONS, RIBBON_POINT))
        mesh.fill(np.zeros(6, RIBBON_POINT))
        shade = self._kept(Texture(ARRAY, RGBA8, (1, 1, 1)))
        units = {"shade_a": shade.bind(), **self._textures.units()}
        for switches in line_variants(self._scene, self._quality):
            lines.draw(switches, mesh, np.zeros(1, np.intp), np.full(1, 6), units)

    def _words(self) -> None:
        """The names of a map and the words over the picture, on whatever is bound."""
        self._kept(Overlay()).draw("caption", (Line(self._scene.title),), 1.0, "middle", *SIZE)
        names = self._kept(MapNamesPass())
        sheet = self._kept(Texture(FLAT, RGBA8, (1, 1), linear=False))
        names.draw(sheet, np.ones(1, NAME), *SIZE)

    def _sky(self) -> None:
        sky = self._kept(SkyPass())
        # With stars, and all blocks.
        sky.draw(Background(stars=1.0, air=False), self._view, self._look, self._textures, SIZE[1])
        for switches in sky_variants(self._scene):
            sky.paint(switches, self._textures)
        moon_and_rings = self._kept(MoonAndRingsPass())
        moon_and_rings.draw_moon(Moon(UP, 0.01, UP), self._textures, 1.0)
        if not self._scene.is_terrain:
            shown = RingsShown(_rings(), self._kept(bands_texture(_rings())), 1.0)
            moon_and_rings.draw_rings(shown, self._view, self._textures, self._scene.size_m, 1.0)

    def _towns(self) -> None:
        towns = self._kept(TownLightsPass())
        mesh = self._kept(Mesh({"position": 0, "colour": 1, "spread": 2, "late": 3}, LAMP))
        mesh.fill(np.ones(1, LAMP))
        for switches in town_variants(self._scene):
            towns.draw(switches, mesh, np.zeros(1, np.intp), np.ones(1, np.intp), self._textures)

    def _glow(self) -> None:
        batch = self._kept(GlowBatch())
        line = np.ones((1, 2, 3))
        batch.ribbons(line, line, np.ones((1, 4)))
        batch.points(np.zeros((1, 3)), np.ones(4), 1.0)
        batch.draw()

    def _develop(self) -> None:
        """A melt."""
        picture = self._kept(Target(*SIZE, RGBA8, depth=False))
        post, scene = self._kept(DevelopPass()), LightPicture(self._target)
        post.keep(scene, self._textures.noise)
        for melt in (None, 0.5):
            post.draw(scene, melt, self._textures.noise, picture.canvas)


def _view(scene: Scene) -> View:
    eye = np.array([0.0, 0.2 if scene.is_terrain else 3.0, 1.2]) * scene.size_m
    centre = UP * (-scene.air.ground_radius_m if scene.is_terrain else 0.0)
    pose = look_at(eye, np.zeros(3), UP)
    return make_view(pose, SIZE[0] / SIZE[1], 100.0, 10.0 * scene.size_m, scene.air, centre, UP, SUN_COLOUR)


def _rings() -> Rings:
    return Rings(UP, 1.5, 2.0, np.zeros((2, 4), np.uint8))
