"""Which sets of switches the story of a scene needs: all that the rehearsal has to draw with."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

from ..scenes.scene import Scene
from ..tables.quality import Quality
from ..worlds.atlas import ATLASES
from .shader_switches import LineSwitches, SkySwitches, SurfaceSwitches, TownSwitches, draws_dry_land

BOTH = (False, True)


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
