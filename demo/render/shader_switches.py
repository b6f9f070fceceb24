"""The compile-time switches of the shaders, and which sets of them the story of a scene needs.

This is their one declaration. Passes choose a set for what they draw; the rehearsal draws every set of a scene once, so that
the driver has compiled all programs before a frame needs them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product

from ..geometry.frame_state import Moment
from ..scenes.scene import Scene
from ..tables.looks import NATURAL, Look
from ..tables.quality import Quality
from ..worlds.atlas import ATLASES, Atlas
from .gl.programs import Switches
from .gl.uniform_block import UniformBlock
from .uniform_blocks import (
    CLOUDS,
    DEVELOP,
    GROUND,
    LINES,
    PALETTE,
    RINGS,
    SHEET,
    SKY,
    SURFACE,
    TILE_MAKING,
    TILES,
    TOWN_LIGHTS,
    VIEW,
)

# Land and water pass into each other over at least this much, in metres, or not at all.
LEAST_SOFT_M = 1.0
# Below this no star is drawn.
LEAST_STARS = 0.01
BOTH = (False, True)


@dataclass(frozen=True)
class SurfaceSwitches(Switches):
    """Of `surface.vert` and `surface.frag`.

    `atlas`, `look`: their codes. `spherical`: a planet. `mixed`: heights are on their way from set a to set b. `flat`: one
    normal a triangle. `wire`: lines alone. `fine`: more waves, broken clouds. `cone`: on the way from the double cone to the
    sphere; `sheet`: from the sphere to a flat sheet. `clouds`: over a planet. `tiles`: heights and normals come with their
    detail from the patch's tile; `fade`: the detail is still coming in; `dry`: without water. `isosceles`: the mesh.
    `levels`: the levels of detail are coloured. `lakes`: there is water above the sea. `rings`: they throw a shadow.
    """

    vertex = "surface.vert"
    fragment = "surface.frag"

    atlas: int
    spherical: bool
    look: int = 0
    mixed: bool = False
    flat: bool = False
    wire: bool = False
    fine: bool = False
    cone: bool = False
    sheet: bool = False
    clouds: bool = False
    tiles: bool = False
    dry: bool = False
    fade: bool = False
    isosceles: bool = False
    levels: bool = False
    lakes: bool = False
    rings: bool = False

    @property
    def blocks(self) -> tuple[UniformBlock, ...]:
        wanted = {TILES: self.tiles, CLOUDS: self.clouds or not self.spherical, SHEET: self.sheet, RINGS: self.rings}
        return VIEW, PALETTE, GROUND, SURFACE, *(block for block, read in wanted.items() if read)


@dataclass(frozen=True)
class TileSwitches(Switches):
    """Of `tile.vert` and `tile.frag`. `atlas`: its code. `normals`: the second pass. `texels`: along a tile's edge."""

    vertex = "tile.vert"
    fragment = "tile.frag"

    atlas: int
    normals: bool
    texels: int

    @property
    def blocks(self) -> tuple[UniformBlock, ...]:
        return (TILE_MAKING,)


@dataclass(frozen=True)
class SkySwitches(Switches):
    """Of `sky.vert` and `sky.frag`.

    `printed`: nothing at all. `air`: False in empty space. `shell`: a planet's clouds are seen from below. `sea`: open sea
    reaches from the edge of a terrain to the horizon. `stars`: they are seen.
    """

    vertex = "sky.vert"
    fragment = "sky.frag"

    printed: bool = False
    air: bool = True
    shell: bool = False
    sea: bool = False
    stars: bool = False

    @property
    def blocks(self) -> tuple[UniformBlock, ...]:
        return (VIEW, SKY, CLOUDS)


@dataclass(frozen=True)
class LineSwitches(Switches):
    """Of `map_lines.vert` and `map_lines.frag`, as those of the surface."""

    vertex = "map_lines.vert"
    fragment = "map_lines.frag"

    look: int = 0
    cone: bool = False
    sheet: bool = False
    clouds: bool = False
    fine: bool = False

    @property
    def blocks(self) -> tuple[UniformBlock, ...]:
        return (VIEW, PALETTE, GROUND, LINES, CLOUDS, SHEET)


@dataclass(frozen=True)
class TownSwitches(Switches):
    """Of `town_lights.vert` and `town_lights.frag`. `spherical`: on a planet. `clouds`: they dim the lights."""

    vertex = "town_lights.vert"
    fragment = "town_lights.frag"

    spherical: bool
    clouds: bool

    @property
    def blocks(self) -> tuple[UniformBlock, ...]:
        return (VIEW, TOWN_LIGHTS, CLOUDS)


@dataclass(frozen=True)
class DevelopSwitches(Switches):
    """Of `screen.vert` and `develop.frag`. `keep`: a scene that will melt away is kept. `melt`: it melts into the scene."""

    vertex = "screen.vert"
    fragment = "develop.frag"

    keep: bool = False
    melt: bool = False

    @property
    def blocks(self) -> tuple[UniformBlock, ...]:
        return (DEVELOP,)


def surface_switches(atlas: Atlas, look: Look, moment: Moment, tiled: bool, dry: bool, ringed: bool) -> SurfaceSwitches:
    """Those with which a part of a surface is drawn. `tiled`: its patches have tiles; `ringed`: its planet has rings."""
    return SurfaceSwitches(
        atlas=atlas.code,
        spherical=atlas.spherical,
        look=look.code,
        mixed=max(moment.mix, moment.sunk, moment.deep) > 0.0 or moment.soft > LEAST_SOFT_M,
        flat=look.flat,
        wire=look.wireframe,
        fine=look.fine,
        cone=moment.swell < 1.0,
        sheet=moment.sheet is not None,
        clouds=atlas.spherical and moment.clouds > 0.0,
        tiles=tiled,
        dry=dry,
        fade=tiled and moment.detail < 1.0,
        isosceles=look.isosceles,
        levels=look.levels,
        lakes=moment.lakes,
        rings=ringed,
    )


def line_switches(look: Look, moment: Moment) -> LineSwitches:
    """Those with which the lines of a map are drawn."""
    return LineSwitches(
        look=look.code,
        cone=moment.swell < 1.0,
        sheet=moment.sheet is not None,
        clouds=moment.clouds > 0.0 and look.name == NATURAL,
        fine=look.fine,
    )


# --- what a story needs ----------------------------------------------------------------------------------------------


def surface_variants(scene: Scene, quality: Quality) -> set[SurfaceSwitches]:
    """All that a scene's story needs in the natural look, melts included."""
    atlas = ATLASES[scene.atlas]
    plain = SurfaceSwitches(atlas.code, atlas.spherical, fine=quality.fine, lakes=scene.lakes)
    cloudy = atlas.spherical and scene.cloudiness > 0.0
    growing = {replace(plain, mixed=mixed) for mixed in BOTH}
    if scene.cone:
        growing |= {replace(variant, cone=True) for variant in growing}
    # A world that flows into another keeps its clouds for a while.
    flowing = {replace(plain, mixed=True, clouds=cloudy)}
    grown = replace(plain, clouds=cloudy)
    flown = {grown} | {
        replace(grown, tiles=True, dry=dry, fade=fade)
        for dry, fade in product(BOTH if draws_dry_land(quality.fine, scene.lakes) else (False,), BOTH)
    }
    if atlas.spherical:
        flown |= {replace(variant, rings=True) for variant in flown}
    if scene.map_timing:
        flown |= {replace(grown, sheet=True, clouds=clouds) for clouds in {False, cloudy}}
    return growing | flowing | flown


def draws_dry_land(fine: bool, lakes: bool) -> bool:
    """Whether tiles without water are drawn apart: a software renderer works through the water of every pixel of a program
    that knows water."""
    return not fine and not lakes


def sky_variants(scene: Scene) -> set[SkySwitches]:
    """All that a scene's story needs in the natural look, and space before the first world."""
    sea, cloudy = scene.is_terrain, not scene.is_terrain and scene.cloudiness > 0.0
    shells = BOTH if cloudy else (False,)
    worlds = {SkySwitches(sea=sea, shell=shell, stars=stars) for shell, stars in product(shells, BOTH)}
    return worlds | {SkySwitches(air=False, stars=True)}


def line_variants(scene: Scene, quality: Quality) -> set[LineSwitches]:
    """All that a scene's story needs in the natural look: none without a map."""
    if not scene.map_timing:
        return set()
    clouds = BOTH if scene.cloudiness > 0.0 else (False,)
    forms = [(False, False), (False, True)] + ([(True, False)] if scene.cone else [])
    return {
        LineSwitches(cone=cone, sheet=sheet, clouds=cloudy, fine=quality.fine)
        for (cone, sheet), cloudy in product(forms, clouds)
    }


def town_variants(scene: Scene) -> set[TownSwitches]:
    """All that a scene's story needs."""
    return {TownSwitches(not scene.is_terrain, clouds=not scene.is_terrain and scene.cloudiness > 0.0)}
