"""The compile-time switches of the shaders: their one declaration, for drawing and for the rehearsal."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import cache
from typing import ClassVar, Self

from ..geometry.frame_state import Moment
from ..geometry.tile_waters import DRY, SEA
from ..tables.looks import NATURAL, UNLIT, Look
from ..worlds.atlas import ATLASES, EVEN_CONE, Atlas
from .gl.programs import ShaderSwitches
from .gl.uniform_block import UniformBlock
from .uniform_blocks import (
    CLOUDS,
    DEVELOP,
    GROUND,
    LINES,
    PALETTE,
    RINGS,
    RIVERS,
    SHEET,
    SKY,
    SURFACE,
    TEXT,
    TILE_MAKING,
    TILES,
    TOWN_LIGHTS,
    VIEW,
)

# Land and water pass into each other over at least this much, in metres, or not at all.
LEAST_SOFT_M = 1.0
# Below this no star is drawn.
LEAST_STARS = 0.01
# The codes of atlases whose meshes have rhombi.
CONES = frozenset(atlas.code for atlas in ATLASES.values() if atlas.cone)


@dataclass(frozen=True)
class SurfaceSwitches(ShaderSwitches):
    """Of `surface.vert` and `surface.frag`.

    `atlas`, `look`: their codes. `spherical`: a planet. `mixed`: heights are on their way from set a to set b. `flat`:
    normals are worked out, one a triangle or as printed. `fine`: more waves, broken clouds. `cone`: on the way from the
    double cone to the sphere; `sheet`: from the sphere to a flat sheet. `clouds`: over a planet; `below`: the eye is below
    them, so that their shadow alone is seen. `tiles`: heights and normals come with their detail from the patch's tile;
    `fade`: the detail is still coming in; `dry`: without water; `sea`: without land. `isosceles`: the mesh. `levels`: the
    levels of detail are coloured. `grouped`: coarser levels have heights of their own. `lakes`: there is water above the
    sea. `rings`: they throw a shadow. `rhombi`: those of the double cone's mesh are outlined.
    """

    vertex = "surface.vert"
    fragment = "surface.frag"

    atlas: int
    spherical: bool
    look: int = 0
    mixed: bool = False
    flat: bool = False
    fine: bool = False
    cone: bool = False
    sheet: bool = False
    clouds: bool = False
    below: bool = False
    tiles: bool = False
    dry: bool = False
    sea: bool = False
    fade: bool = False
    isosceles: bool = False
    levels: bool = False
    grouped: bool = False
    lakes: bool = False
    rings: bool = False
    rhombi: bool = False
    deferred: ClassVar[bool] = False

    @property
    def defines(self) -> dict[str, int]:
        return {**super().defines, "DEFERRED": int(self.deferred)}

    @property
    def blocks(self) -> tuple[UniformBlock, ...]:
        wanted = {TILES: self.tiles, CLOUDS: self.clouds or not self.spherical, SHEET: self.sheet, RINGS: self.rings}
        return VIEW, PALETTE, GROUND, SURFACE, *(block for block, read in wanted.items() if read)


@dataclass(frozen=True)
class GeometrySwitches(SurfaceSwitches):
    """Of `surface.vert` and `geometry.frag`: the mesh of patches with tiles, before it is shaded."""

    fragment = "geometry.frag"
    deferred = True

    @classmethod
    @cache
    def of(cls, shaded: SurfaceSwitches) -> Self:
        """Those of the mesh on which a surface is shaded with these switches: of those, what moves vertices."""
        moving = ("atlas", "spherical", "tiles", "fade", "isosceles", "grouped")
        mixed = shaded.mixed and (shaded.fade or shaded.grouped)
        return cls(**{name: getattr(shaded, name) for name in moving}, mixed=mixed)


@dataclass(frozen=True)
class DeferredSwitches(SurfaceSwitches):
    """Of `sky.vert` and `surface.frag`: the pixels of patches with tiles, whose mesh has been drawn."""

    vertex = "sky.vert"
    deferred = True

    @classmethod
    @cache
    def of(cls, shaded: SurfaceSwitches) -> Self:
        """Those with which the pixels are shaded that would be drawn with these switches at once."""
        values = {field.name: getattr(shaded, field.name) for field in fields(shaded)}
        return cls(**{**values, "isosceles": False, "grouped": False})


@dataclass(frozen=True)
class TileSwitches(ShaderSwitches):
    """Of `tile.vert` and `tile.frag`. `atlas`: its code. `normals`: the second pass. `texels`: along a tile's edge.

    `known`: in the first pass, there are relief blocks.
    """

    vertex = "tile.vert"
    fragment = "tile.frag"

    atlas: int
    normals: bool
    texels: int
    known: bool = False

    @property
    def blocks(self) -> tuple[UniformBlock, ...]:
        return (TILE_MAKING, PALETTE)


@dataclass(frozen=True)
class BedSwitches(ShaderSwitches):
    """Of `bed.vert` and `bed.frag`, as those of tiles."""

    vertex = "bed.vert"
    fragment = "bed.frag"

    atlas: int
    texels: int

    @property
    def blocks(self) -> tuple[UniformBlock, ...]:
        return (TILE_MAKING,)


@dataclass(frozen=True)
class SkySwitches(ShaderSwitches):
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
class StarSwitches(ShaderSwitches):
    """Of `star.vert` and `star.frag`, which have none."""

    vertex = "star.vert"
    fragment = "star.frag"

    @property
    def blocks(self) -> tuple[UniformBlock, ...]:
        return (VIEW, SKY)


@dataclass(frozen=True)
class GlowSwitches(ShaderSwitches):
    """Of `glow.vert` and `glow.frag`, which have none."""

    vertex = "glow.vert"
    fragment = "glow.frag"

    @property
    def blocks(self) -> tuple[UniformBlock, ...]:
        return (VIEW,)


@dataclass(frozen=True)
class NameSwitches(ShaderSwitches):
    """Of `map_names.vert` and `map_names.frag`, which have none."""

    vertex = "map_names.vert"
    fragment = "map_names.frag"

    @property
    def blocks(self) -> tuple[UniformBlock, ...]:
        return (TEXT,)


@dataclass(frozen=True)
class LineSwitches(ShaderSwitches):
    """Of `map_lines.vert` and `map_lines.frag`, as those of the surface. `even`: the cones are laid out by areas."""

    vertex = "map_lines.vert"
    fragment = "map_lines.frag"

    look: int = 0
    cone: bool = False
    sheet: bool = False
    clouds: bool = False
    fine: bool = False
    even: bool = False

    @property
    def blocks(self) -> tuple[UniformBlock, ...]:
        return (VIEW, PALETTE, GROUND, LINES, CLOUDS, SHEET)


@dataclass(frozen=True)
class RiverSwitches(ShaderSwitches):
    """Of `river.vert` and `river.frag`, as those of the surface; `unlit`: the look of that name."""

    vertex = "river.vert"
    fragment = "river.frag"

    spherical: bool
    clouds: bool = False
    fine: bool = False
    unlit: bool = False
    rings: bool = False

    @property
    def blocks(self) -> tuple[UniformBlock, ...]:
        return VIEW, PALETTE, GROUND, SURFACE, RIVERS, CLOUDS, *((RINGS,) if self.rings else ())


@dataclass(frozen=True)
class TownSwitches(ShaderSwitches):
    """Of `town_lights.vert` and `town_lights.frag`. `spherical`: on a planet. `clouds`: they dim the lights."""

    vertex = "town_lights.vert"
    fragment = "town_lights.frag"

    spherical: bool
    clouds: bool

    @property
    def blocks(self) -> tuple[UniformBlock, ...]:
        return (VIEW, TOWN_LIGHTS, CLOUDS)


@dataclass(frozen=True)
class DevelopSwitches(ShaderSwitches):
    """Of `screen.vert` and `develop.frag`.

    `keep`: a scene that will melt away is kept. `melt`: it melts into the scene. `sharp`: pictures may be enlarged.
    """

    vertex = "screen.vert"
    fragment = "develop.frag"

    keep: bool = False
    melt: bool = False
    sharp: bool = False

    @property
    def blocks(self) -> tuple[UniformBlock, ...]:
        return (DEVELOP,)


def surface_switches(
    atlas: Atlas, look: Look, moment: Moment, tiled: bool, waters: int, ringed: bool, below: bool = False
) -> SurfaceSwitches:
    """Those with which a part of a surface is drawn. `tiled`: its patches have tiles; `waters`: SHORE, DRY or SEA of them;
    `ringed`: its planet has rings; `below`: the eye is below its clouds.
    """
    clouds = atlas.spherical and moment.clouds > 0.0
    # Until the last moment, in which the heights may be all but the last ones, and the detail all there by rounding.
    settles = tiled and not moment.grown
    fade = settles or (tiled and moment.detail < 1.0)
    natural = SurfaceSwitches(
        atlas=atlas.code,
        spherical=atlas.spherical,
        mixed=settles or max(moment.mix, moment.sunk, moment.deep) > 0.0 or moment.soft > LEAST_SOFT_M,
        fine=look.fine,
        cone=moment.swell < 1.0,
        sheet=moment.sheet is not None,
        clouds=clouds,
        # The rest is drawn with what serves above them, too: there is little of it.
        below=below and clouds and tiled and not fade and not look.fine,
        tiles=tiled,
        dry=waters == DRY,
        # While the detail comes in, what serves for shores serves for the sea, too: fewer programs are compiled.
        sea=waters == SEA and not fade,
        fade=fade,
        isosceles=look.isosceles,
        levels=look.levels,
        grouped=look.grouped,
        lakes=moment.lakes and waters != DRY,
        rings=ringed,
        rhombi=look.borders and atlas.cone,
    )
    return in_look(natural, look)


def in_look(natural: SurfaceSwitches, look: Look) -> SurfaceSwitches:
    """The switches of a natural surface in another look.

    A look that works out no light has neither waves nor clouds nor shadows of rings, and is cheap enough to branch by
    uniforms for normals and lines. Lines have no light in the natural look either: they are drawn as in the unlit one.
    Whether rhombi are outlined is a branch by a uniform, too, where normals are made: nobody looks at that for long.
    """
    name = UNLIT if look.wireframe and look.name == NATURAL else look.name
    has_rhombi = natural.atlas in CONES
    if name == NATURAL:
        flat = look.made_normals
        return replace(natural, flat=flat, rhombi=has_rhombi if flat else natural.rhombi)
    code = replace(look, name=name).code
    return replace(natural, look=code, fine=False, clouds=False, below=False, rings=False, rhombi=has_rhombi)


def has_tiles(look: Look, moment: Moment) -> bool:
    """Whether near patches have tiles: where there is detail, on a world in its own form, in looks that show it."""
    return moment.detail > 0.0 and not look.printed and moment.swell >= 1.0 and moment.sheet is None


def line_switches(look: Look, moment: Moment, atlas: Atlas) -> LineSwitches:
    """Those with which the lines of a map are drawn. `atlas`: its planet's."""
    clouds = moment.clouds > 0.0 and look.name == NATURAL
    return LineSwitches(
        look=look.code,
        cone=moment.swell < 1.0,
        sheet=moment.sheet is not None,
        clouds=clouds,
        fine=clouds and look.fine,
        even=atlas is EVEN_CONE,
    )


def river_switches(spherical: bool, look: Look, clouds: float, ringed: bool) -> RiverSwitches:
    """Those with which rivers are drawn. `spherical`: on a planet, of which `clouds` says how thick they are over it, and
    `ringed` whether it has rings."""
    lit = look.name == NATURAL and not look.wireframe
    over = spherical and lit and clouds > 0.0
    return RiverSwitches(spherical, over, over and look.fine, not lit, rings=ringed and spherical and lit)


def is_deferred(switches: SurfaceSwitches, look: Look) -> bool:
    """Whether pixels that are drawn with these switches are shaded once the mesh is there, where the look says so.

    Those of tiles are: other triangles are large, or few. Lines and normals of triangles need the triangles.
    """
    plain = look.is_plain and not (switches.levels or switches.rhombi)
    return look.deferred and plain and switches.tiles


def tells_waters(fine: bool) -> bool:
    """Whether tiles without water or without land are drawn apart: a software renderer works through both for every pixel
    of a program that knows both."""
    return not fine
