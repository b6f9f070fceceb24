"""Rehearsals: programs are used once, on a made-up world and in a small picture, before a frame of the show needs them.

The graphics driver compiles a program when it is linked and first drawn with, and keeps the result in a cache of its own. A
child process rehearses whole scenes ahead of the show, which takes the driver's compiler seconds; the show itself rehearses
what the next moments need, which then takes milliseconds. Needs a current OpenGL 3.3 core context.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import numpy as np

from ..flight.camera import look_at
from ..geometry import sunlight
from ..geometry.patch_tree import INSTANCE
from ..geometry.ribbons import RIBBON_POINT
from ..geometry.river_beds import CUT
from ..geometry.river_strips import RIVER_POINT
from ..geometry.view import View, make_view
from ..ground.relief import Relief
from ..ground.relief_blocks import ReliefBlocks
from ..render import sky_view
from ..render.block_textures import BlockTextures
from ..render.develop import DevelopPass, LightPicture
from ..render.frame_view import look_through
from ..render.geometry_buffer import GeometryBuffer
from ..render.gl.meshes import Mesh
from ..render.gl.programs import ShaderSwitches, Variants
from ..render.gl.targets import Target
from ..render.gl.textures import ARRAY, FLAT, RGB10_A2, RGBA8, RGBA16F, RGBA_HALVES, Texture
from ..render.glow import GlowBatch
from ..render.height_textures import HeightTextures, Land
from ..render.map_lines import LOCATIONS
from ..render.map_names import NAME, MapNamesPass
from ..render.moon_and_rings_drawn import MoonPass, RingsPass, RingsShown, bands_texture
from ..render.overlay import Overlay
from ..render.river_water import LOCATIONS as RIVER_LOCATIONS
from ..render.shader_switches import (
    BedSwitches,
    DeferredSwitches,
    DevelopSwitches,
    GeometrySwitches,
    GlowSwitches,
    LineSwitches,
    NameSwitches,
    RiverSwitches,
    SkySwitches,
    StarSwitches,
    SurfaceSwitches,
    TileSwitches,
    TownSwitches,
)
from ..render.shader_variants import (
    GLOW,
    SPACE,
    STARS,
    bed_variants,
    line_variants,
    melting,
    name_variants,
    river_variants,
    sky_variants,
    surface_variants,
    tile_variants,
    town_variants,
)
from ..render.shared_textures import SharedTextures, clouds_texture, noise_texture
from ..render.sky import SkyPass
from ..render.strip_pass import StripPass
from ..render.surface_pass import SurfacePass
from ..render.surface_tiles import TILED
from ..render.text import Line
from ..render.tiles import TILE, tile_targets, tile_units
from ..render.town_lights import TownLightsPass
from ..scenes.daylight import SUN_COLOUR
from ..scenes.moon_and_rings import Moon, Rings
from ..scenes.towns import LAMP
from ..tables.looks import Look
from ..worlds.atlas import ATLASES

if TYPE_CHECKING:
    from ..scenes.scene import Scene
    from ..tables.quality import Quality

# No power of two: for those a software renderer's driver would compile programs that pictures of usual sizes do not take.
SIZE = (34, 18)
# Along a face's edge of the made-up world, and tiles along an edge of their picture.
SAMPLES, ALONG = 9, 3
UP = np.array([0.0, 1.0, 0.0])


class _Freed(Protocol):
    def free(self) -> None: ...


T = TypeVar("T", bound=_Freed)


class _Kept(ExitStack):
    """Things that are freed in the end."""

    def add(self, thing: T) -> T:
        """The thing."""
        self.callback(thing.free)
        return thing


@dataclass(frozen=True)
class Passes:
    """The passes whose programs come and go."""

    surfaces: SurfacePass
    sky: SkyPass
    lines: StripPass[LineSwitches]
    towns: TownLightsPass
    develop: DevelopPass
    rivers: StripPass[RiverSwitches]
    names: MapNamesPass
    glow: GlowBatch


class Rehearsal:
    """Draws once with any program of the passes. What it draws on is its own; blocks of uniforms stay as they are.

    `textures`: of the kinds that a world has.
    """

    def __init__(self, passes: Passes, noise: Texture) -> None:
        self._passes, self._noise, self._kept = passes, noise, _Kept()
        self._light = self._kept.add(Target(*SIZE))
        # The driver compiles a program anew for textures of other formats, and for those whose sides are powers of two.
        table = self._kept.add(Texture(FLAT, RGBA16F, (2 * sunlight.HEIGHT, sunlight.WIDTH)))
        view = self._kept.add(Texture(FLAT, RGBA16F, (sky_view.HEIGHT, sky_view.WIDTH)))
        self.textures = SharedTextures(noise, table, self._kept.add(clouds_texture(None)), view)
        heights = self._kept.add(HeightTextures(Relief.empty(ATLASES["plane"], SAMPLES)))
        self._land = Land(heights, heights, 1.0, 1.0)
        self._tiles = tuple(self._kept.add(target) for target in tile_targets(SAMPLES, SAMPLES))
        self._rough = self._kept.add(Texture(ARRAY, RGBA_HALVES, (1, SAMPLES, SAMPLES), linear=False))
        self._blocks = self._kept.add(BlockTextures(_no_blocks()))
        self._bands = self._kept.add(bands_texture(_rings()))
        self._stored = self._kept.add(GeometryBuffer(self._light))
        self._meshes = {
            "ribbon": self._mesh(LOCATIONS, np.zeros(6, RIBBON_POINT)),
            "river": self._mesh(RIVER_LOCATIONS, np.zeros(6, RIVER_POINT)),
            "lamp": self._mesh({"position": 0, "colour": 1, "spread": 2, "late": 3}, np.ones(1, LAMP)),
        }
        self._ways: dict[type, tuple[Variants, Callable[[Any], None]]] = {
            SurfaceSwitches: (passes.surfaces.programs, self._surface),
            GeometrySwitches: (passes.surfaces.programs, self._geometry),
            DeferredSwitches: (passes.surfaces.programs, self._deferred),
            TileSwitches: (passes.surfaces.tiles.programs, self._tile),
            BedSwitches: (passes.surfaces.tiles.beds.programs, self._bed),
            SkySwitches: (passes.sky.programs, self._sky),
            StarSwitches: (passes.sky.star_programs, self._stars),
            GlowSwitches: (passes.glow.programs, self._glow),
            NameSwitches: (passes.names.programs, self._names),
            LineSwitches: (passes.lines.programs, self._line),
            RiverSwitches: (passes.rivers.programs, self._river),
            TownSwitches: (passes.towns.programs, self._town),
            DevelopSwitches: (passes.develop.programs, self._develop),
        }

    def _mesh(self, locations: dict[str, int], vertices: np.ndarray) -> Mesh:
        mesh = self._kept.add(Mesh(locations, vertices.dtype))
        mesh.fill(vertices)
        return mesh

    def is_ready(self, switches: ShaderSwitches) -> bool:
        """Whether the program with these switches has been drawn with; it then outlives those that nobody asks for."""
        programs, _ = self._ways[type(switches)]
        return programs.keep(switches)

    def is_linked(self, switches: ShaderSwitches) -> bool:
        """Have the driver make the program with these switches; whether `draw` need not wait for it."""
        programs, _ = self._ways[type(switches)]
        return programs.get(switches).is_linked

    def draw(self, switches: ShaderSwitches) -> None:
        """Draw with the program with these switches; changes the bound target. Raises GpuError."""
        _, way = self._ways[type(switches)]
        self._light.begin()
        way(switches)

    def finish(self) -> None:
        """Wait until all is drawn: the driver may put off its work until a picture is wanted."""
        self._light.read()

    def _surface(self, switches: SurfaceSwitches) -> None:
        patches = _patches(TILED if switches.tiles else INSTANCE)
        self._passes.surfaces.draw(switches, patches, False, self._surface_units())

    def _geometry(self, switches: GeometrySwitches) -> None:
        patches = _patches(TILED)
        with self._stored.stored(ALONG, SAMPLES, [patches]):
            self._passes.surfaces.draw_geometry(switches, patches, False, self._surface_units(), 1)

    def _deferred(self, switches: DeferredSwitches) -> None:
        with self._stored.stored(ALONG, SAMPLES, []) as stored:
            pass
        self._passes.surfaces.shade(switches, self._surface_units() | stored, 1)

    def _surface_units(self) -> dict[str, int]:
        units = self.textures.units() | self._land.units() | {"bands": self._bands.bind()}
        return units | tile_units(*self._tiles)

    def _tile(self, switches: TileSwitches) -> None:
        heights, slopes = self._tiles
        (slopes if switches.normals else heights).bind()
        land = self._land.units()
        units = {name: land[name] for name in ("heights_a", "shade_a", "cover_a")}
        units |= {"rough": self._rough.bind(), "noise": self._noise.bind(), **self._blocks.units()}
        if switches.normals:
            units |= {"tile_heights": heights.colour.bind(), "tile_ridges": heights.colours[1].bind()}
        self._passes.surfaces.tiles.paint(switches, np.zeros(1, TILE), units)

    def _bed(self, switches: BedSwitches) -> None:
        self._tiles[0].bind()
        self._passes.surfaces.tiles.beds.draw(switches, np.zeros(1, CUT))

    def _sky(self, switches: SkySwitches) -> None:
        self._passes.sky.paint(switches, self.textures)

    def _stars(self, _: StarSwitches) -> None:
        self._passes.sky.draw_stars(self.textures)

    def _glow(self, _: GlowSwitches) -> None:
        batch, line = self._passes.glow, np.ones((1, 2, 3))
        batch.ribbons(line, line, np.ones((1, 4)))
        batch.points(np.zeros((1, 3)), np.ones(4), 1.0)
        batch.draw()

    def _names(self, _: NameSwitches) -> None:
        """On a finished picture, as the words are."""
        with _Kept() as kept:
            sheet = kept.add(Texture(FLAT, RGBA8, (1, 1), linear=False))
            kept.add(Target(*SIZE, RGBA8, depth=False)).begin()
            self._passes.names.draw(sheet, np.ones(1, NAME), *SIZE)
            self._light.bind()

    def _line(self, switches: LineSwitches) -> None:
        units = {"shade_a": self._land.units()["shade_a"], **self.textures.units()}
        self._passes.lines.draw(switches, self._meshes["ribbon"], np.zeros(1, np.intp), np.full(1, 6), units)

    def _river(self, switches: RiverSwitches) -> None:
        units = self._land.units() | self.textures.units() | {"bands": self._bands.bind()}
        self._passes.rivers.draw(switches, self._meshes["river"], np.zeros(1, np.intp), np.full(1, 6), units)

    def _town(self, switches: TownSwitches) -> None:
        self._passes.towns.draw(switches, self._meshes["lamp"], np.zeros(1, np.intp), np.ones(1, np.intp), self.textures)

    def _develop(self, switches: DevelopSwitches) -> None:
        with _Kept() as kept:
            old = kept.add(Target(*SIZE, RGB10_A2, depth=False)) if switches.melt else self._light
            kept.add(Target(*SIZE, RGB10_A2 if switches.keep else RGBA8, depth=False)).bind()
            self._passes.develop.paint(switches, LightPicture(self._light), old, self._noise)
            self._light.bind()

    def free(self) -> None:
        """Free everything but the programs; idempotent."""
        self._kept.close()


def rehearse(scene: Scene, quality: Quality, looks: Sequence[Look] = ()) -> None:
    """Draw with every program that the scene's story needs at a quality, in these looks; none: in the natural one.

    Raises GpuError.
    """
    looks = looks or (Look(fine=quality.fine, isosceles=quality.isosceles, deferred=quality.deferred),)
    with _Kept() as kept:
        noise, sky = kept.add(noise_texture()), kept.add(SkyPass())
        surfaces = kept.add(SurfacePass(quality.patch, quality.tiles))
        passes = Passes(
            surfaces,
            sky,
            kept.add(StripPass[LineSwitches]()),
            kept.add(TownLightsPass()),
            kept.add(DevelopPass()),
            kept.add(StripPass[RiverSwitches]()),
            kept.add(MapNamesPass()),
            kept.add(GlowBatch()),
        )
        rehearsal = kept.add(Rehearsal(passes, noise))
        _fixed(scene, rehearsal.textures, kept)
        for switches in dict.fromkeys(_all_of(scene, quality, looks, surfaces.tiles.texels)):
            rehearsal.draw(switches)
        rehearsal.finish()


def _all_of(scene: Scene, quality: Quality, looks: Sequence[Look], texels: int) -> Iterator[ShaderSwitches]:
    yield from (SPACE, STARS, GLOW, *melting(sharp=False), *tile_variants(scene, texels), *bed_variants(scene, texels))
    for look in looks:
        yield from surface_variants(scene, quality, look)
        yield from (*sky_variants(scene, look), *line_variants(scene, look), *town_variants(scene, look))
        yield from (*river_variants(scene, look), *name_variants(scene))


def _fixed(scene: Scene, textures: SharedTextures, kept: _Kept) -> None:
    """Draw with the programs that stay."""
    view = _view(scene)
    look_through(view)
    kept.add(sky_view.SkyView()).draw(view, textures.sunlight)
    kept.add(Target(*SIZE)).begin()
    kept.add(MoonPass()).draw(Moon(UP, 0.01, UP), textures, 1.0)
    shown = RingsShown(_rings(), kept.add(bands_texture(_rings())), 1.0)
    kept.add(RingsPass()).draw(shown, view, textures, scene.size_m, 1.0)
    # The words over the picture are drawn on the finished picture.
    kept.add(Target(*SIZE, RGBA8, depth=False)).begin()
    kept.add(Overlay()).draw("caption", (Line(scene.title),), 1.0, "middle", *SIZE)


def _patches(fields: np.dtype) -> np.ndarray:
    patches = np.zeros(1, fields)
    patches["patch"][:, 3] = patches["anchor"][:, 2:] = 1.0
    patches["direction"] = UP
    return patches


def _view(scene: Scene) -> View:
    eye = np.array([0.0, 0.2 if scene.is_terrain else 3.0, 1.2]) * scene.size_m
    centre = UP * (-scene.air.ground_radius_m if scene.is_terrain else 0.0)
    pose = look_at(eye, np.zeros(3), UP)
    return make_view(pose, SIZE[0] / SIZE[1], 100.0, 10.0 * scene.size_m, scene.air, centre, UP, SUN_COLOUR)


def _rings() -> Rings:
    return Rings(UP, 1.5, 2.0, np.zeros((2, 4), np.uint8))


def _no_blocks() -> ReliefBlocks:
    return ReliefBlocks(np.full((4, 1, 1), -1, np.int32), np.zeros((1, 1, SAMPLES, SAMPLES), np.float16), SAMPLES)
