"""Which sets of switches pictures need: those of a whole story, and those of one moment."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING

from ..geometry.frame_state import Moment
from ..geometry.tile_waters import DRY, SEA, SHORE
from ..scenes.scene import Scene
from ..tables.looks import LOOKS, NATURAL, NORMALS, Look
from ..tables.quality import Quality
from ..worlds.atlas import ATLASES, Atlas
from .shader_switches import (
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
    has_tiles,
    in_look,
    is_deferred,
    line_switches,
    river_switches,
    surface_switches,
    tells_waters,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

BOTH = (False, True)
SPACE = SkySwitches(air=False, stars=True)
"""The sky before the first world."""
STARS, GLOW = StarSwitches(), GlowSwitches()


def melting(sharp: bool) -> tuple[DevelopSwitches, ...]:
    """All that pictures are developed with, melts included. `sharp`: those of a show whose pictures may be enlarged."""
    return DevelopSwitches(sharp=sharp), DevelopSwitches(keep=True, sharp=sharp), DevelopSwitches(melt=True, sharp=sharp)


def looks_of_keys(quality: Quality) -> tuple[Look, ...]:
    """All looks that keys can choose, the natural one first."""
    looks = [Look(name, normals, wire, quality.fine) for name, wire, normals in product(LOOKS, BOTH, (None, *NORMALS))]
    meant = [replace(look, isosceles=look.is_plain and quality.isosceles, deferred=quality.deferred) for look in looks]
    natural, *others = meant
    # In all other looks borders take no programs of their own.
    return natural, *others, replace(natural, borders=True)


def surface_variants(scene: Scene, quality: Quality, look: Look) -> set[SurfaceSwitches]:
    """All that a scene's story needs in a look, melts included."""
    atlas = ATLASES[scene.atlas]
    plain = SurfaceSwitches(
        atlas.code,
        atlas.spherical,
        fine=quality.fine,
        lakes=scene.lakes,
        isosceles=look.isosceles,
        rhombi=look.borders and atlas.cone,
    )
    cloudy = atlas.spherical and scene.cloudiness > 0.0
    growing = {replace(plain, mixed=mixed) for mixed in BOTH}
    if scene.cone:
        growing |= {replace(variant, cone=True) for variant in growing}
    if atlas.spherical and scene.is_carved:
        # Rings are there when carving begins, and clouds gather.
        growing |= {replace(plain, mixed=mixed, clouds=cloudy, rings=rings) for mixed, rings in product(BOTH, BOTH)}
    # A world that flows into another keeps its clouds for a while.
    flowing = {replace(plain, mixed=True, clouds=cloudy)}
    grown = replace(plain, clouds=cloudy)
    flown = {grown}
    if not look.printed:
        flown |= {
            replace(
                grown,
                tiles=True,
                dry=waters == DRY,
                sea=waters == SEA and not fade,
                fade=fade,
                # On carved land the detail comes while its last picture does.
                mixed=fade and scene.is_carved,
                lakes=scene.lakes and waters != DRY,
            )
            for waters, fade in product(_waters(quality.fine), BOTH)
        }
    if cloudy and not quality.fine:
        flown |= {replace(variant, below=True) for variant in flown if variant.tiles and not variant.fade}
    if atlas.spherical:
        flown |= {replace(variant, rings=True) for variant in flown}
    if scene.map_timing:
        flown |= {replace(grown, sheet=True, clouds=clouds, mixed=mixed) for clouds, mixed in product({False, cloudy}, BOTH)}
    return _programs({in_look(variant, look) for variant in growing | flowing | flown}, look)


def surface_variants_at(
    atlas: Atlas, look: Look, moment: Moment, ringed: bool, below: Iterable[bool] = BOTH
) -> set[SurfaceSwitches]:
    """All that a surface can be drawn with about a moment. `ringed`: its planet has rings; `below`: whether the eye may be
    below its clouds.
    """
    plain, tiled = surface_switches(atlas, look, moment, tiled=False, waters=SHORE, ringed=ringed), set()
    if has_tiles(look, moment):
        for waters, under in product(_waters(look.fine), below):
            tiled.add(surface_switches(atlas, look, moment, tiled=True, waters=waters, ringed=ringed, below=under))
    tiled = _programs(tiled, look)
    if moment.grown:
        return {plain} | tiled
    # Whether a growth passes between two key pictures or rests at one changes from frame to frame.
    return {replace(plain, mixed=mixed) for mixed in BOTH} | tiled


def _programs(variants: set[SurfaceSwitches], look: Look) -> set[SurfaceSwitches]:
    """What surfaces with these switches are drawn with: for those that are deferred there are two programs each."""
    deferred = {variant for variant in variants if is_deferred(variant, look)}
    made = {GeometrySwitches.of(variant) for variant in deferred} | {DeferredSwitches.of(variant) for variant in deferred}
    return (variants - deferred) | made


def _waters(fine: bool) -> tuple[int, ...]:
    """What patches with tiles are told apart by."""
    return (SHORE, DRY, SEA) if tells_waters(fine) else (SHORE,)


def sky_variants(scene: Scene, look: Look) -> set[SkySwitches]:
    """All that a scene's story needs in a look."""
    return sky_variants_at(scene, look, scene.cloudiness)


def sky_variants_at(
    scene: Scene, look: Look, clouds: float, below: Iterable[bool] = BOTH, starry: Iterable[bool] = BOTH
) -> set[SkySwitches]:
    """All that a scene's sky can be drawn with while its clouds are so thick. `below`: whether the eye may be below those of
    a planet; `starry`: whether stars may be seen.
    """
    if look.printed:
        return {SkySwitches(printed=True)}
    sea, cloudy = scene.is_terrain, not scene.is_terrain and clouds > 0.0
    shells = below if cloudy else (False,)
    return {SkySwitches(sea=sea, shell=shell, stars=stars) for shell, stars in product(shells, starry)}


def line_variants(scene: Scene, look: Look) -> set[LineSwitches]:
    """All that a scene's story needs in a look: none without a map."""
    if not scene.map_timing:
        return set()
    clouds = BOTH if scene.cloudiness > 0.0 and look.name == NATURAL else (False,)
    forms = [(False, False), (False, True)] + ([(True, False)] if scene.cone else [])
    return {
        LineSwitches(look.code, cone=cone, sheet=sheet, clouds=cloudy, fine=cloudy and look.fine)
        for (cone, sheet), cloudy in product(forms, clouds)
    }


def line_variants_at(look: Look, moment: Moment, atlas: Atlas) -> set[LineSwitches]:
    """All that the lines of a map are drawn with at a moment."""
    return {line_switches(look, moment, atlas)}


def name_variants(scene: Scene) -> set[NameSwitches]:
    """What the names of a scene's worlds are drawn with: nothing without a map."""
    return {NameSwitches()} if scene.map_timing else set()


def has_rivers(scene: Scene) -> bool:
    """Whether a scene's worlds have rivers in beds."""
    return scene.is_carved or scene.map_timing is not None


def river_variants(
    scene: Scene, look: Look, thick: Iterable[float] | None = None, ringed: Iterable[bool] = BOTH
) -> set[RiverSwitches]:
    """All that a scene's story needs in a look: none without rivers, and none in looks of uncarved land.

    `thick`: how thick its clouds can be; None: at all times. `ringed`: whether its planet may have rings.
    """
    if not has_rivers(scene) or look.printed:
        return set()
    clouds = thick or (0.0, scene.cloudiness)
    return {river_switches(not scene.is_terrain, look, *given) for given in product(clouds, ringed)}


def town_variants(scene: Scene, look: Look) -> set[TownSwitches]:
    """All that a scene's story needs in a look: lights are seen in the natural one."""
    if look.name != NATURAL:
        return set()
    return {TownSwitches(not scene.is_terrain, clouds=not scene.is_terrain and scene.cloudiness > 0.0)}


def bed_variants(scene: Scene, texels: int) -> set[BedSwitches]:
    """What cuts beds into the tiles of a scene's worlds: nothing without rivers. `texels`: along a tile's edge."""
    return {BedSwitches(ATLASES[scene.atlas].code, texels)} if has_rivers(scene) else set()


def tile_variants(scene: Scene, texels: int) -> set[TileSwitches]:
    """Both passes that make the tiles of a scene's worlds, and of a map's relief blocks. `texels`: along a tile's edge."""
    passes = {TileSwitches(ATLASES[scene.atlas].code, normals, texels) for normals in BOTH}
    return passes | {replace(row, known=True) for row in passes if scene.map_timing and not row.normals}
