"""Every kernel of Landfall on small worlds, compiled with checks of its bounds: run by `tests/whole/test_bounds.py`.

    PYTHONPATH=.:tests NUMBA_BOUNDSCHECK=1 NUMBA_CACHE_DIR=EMPTY_FOLDER python -m support.bounds

Ends with an IndexError where a kernel reads or writes beside an array. Then it hands arrays that are too small to two real
kernels, to prove that overruns are seen. Kernels in the usual cache have no checks, hence the empty folder.
"""

from __future__ import annotations

import gc
import importlib
import os
import pkgutil
import sys
import tempfile
import time
from pathlib import Path
from types import ModuleType

import numba
import numpy as np
from numba.core.dispatcher import Dispatcher
from support import river_lines
from support.worlds_cases import FILE, all_cases

from benchmarks.drainage import drain
from demo.catalogue.generators import generator
from demo.catalogue.maps import map_planet, map_region, region_of
from demo.flight.camera import facings
from demo.flight.composition import differences, views_of
from demo.geometry import bed_search, patch_walk
from demo.geometry.deep_tree import DeepTree
from demo.geometry.frame_kernels import compiled
from demo.geometry.patch_tree import PatchTree
from demo.geometry.river_beds import cuts_in, river_beds
from demo.ground.cloud_field import cloud_field
from demo.ground.detail import detail_of
from demo.ground.ground import MANY as MANY_PLACES
from demo.ground.ground import Ground
from demo.ground.lattice_noise import simplex
from demo.ground.relief import Relief
from demo.ground.relief_maker import ReliefMaker
from demo.worlds.atlas import Atlas
from demo.worlds.circle import MANY, circle, turns_of
from demo.worlds.particles import landing_kernels
from demo.worlds.plasma import growth as plasma
from demo.worlds.plasma import kernels as plasma_kernels

SEEDS = (1, 20_077)
SIZE_M = 50_000.0
COLLECTED_AFTER = 100_000
EAST = np.array([[1.0, 0.0], [0.0, 1.0], [-0.6, 0.8]])
# What the sets of the other tests leave out: the corners of the parameters, and every way that a kernel can branch.
MORE = [
    ("plasma", {"cells": 1}),
    ("plasma", {"cells": 2, "edges": "tile"}),
    ("plasma", {"cells": 3, "edges": "tile"}),
    ("plasma", {"cells": 3, "method": "as-printed"}),
    ("plasma", {"cells": 128, "roughness": 0.0, "edges": "free"}),
    ("cuts", {"cells": 1, "cuts": 50}),
    ("cuts", {"cells": 2, "cuts": 200, "atlas": "latlong", "offset": "off"}),
    ("cuts", {"cells": 7, "cuts": 200, "atlas": "doublecone", "weights": "falling", "step": 1.0}),
    ("cuts", {"cells": 33, "cuts": 500, "method": "as-printed", "offset": "off"}),
    ("particles", {"cells": 1, "particles": 50}),
    ("particles", {"cells": 24, "particles": 900, "group": 1, "slide": "listing", "start": "random"}),
    ("particles", {"cells": 24, "particles": 900, "group": 7, "viscosity": 1.0, "box": -0.3, "shape": "disc"}),
    ("particles", {"cells": 40, "particles": 900, "magnetism": 9, "breakup": 0.4, "shape": "cone", "box": 0.4}),
    ("particles", {"cells": 24, "particles": 900, "magnetism": 64, "start": "plasma", "radius": 64, "box": 2.0}),
    ("particles", {"cells": 24, "particles": 900, "magnetism": 9, "group": 1, "method": "as-printed", "box": -0.2}),
    ("particles", {"cells": 32, "particles": 500, "step": 5, "fall": 3, "window": "ring", "height": 2.0, "viscosity": 0.0}),
    ("particles", {"cells": 24, "particles": 500, "sideways": 0, "up": 0, "down": 100, "ceiling": 0.0, "size": 10.0}),
    ("particles", {"cells": 20, "particles": 300, "start": "image", "file": FILE}),
    ("simplex", {"cells": 1, "octaves": 1}),
    ("simplex", {"cells": 9, "octaves": 16, "lacunarity": 2.0, "scale": 2.0, "low": 0.0, "high": 1e-3}),
    ("simplex", {"cells": 9, "scale": 50.0, "octaves": 2, "persistence": 1.0, "method": "as-printed"}),
    ("doublecone", {"gn": 1}),
    ("doublecone", {"gn": 2, "ln": 3, "land": 0.99}),
    ("map", {"gn": 1, "ln": 2}),
    ("map", {"gn": 4, "ln": 2, "land": 0.99}),
    ("map", {"gn": 5, "land": 0.01, "poles": "any"}),
    ("heightmap", {"cells": 7, "file": FILE, "rim": 0.2}),
    ("plasma", {"cells": 1, "carve": 1.0}),
    ("plasma", {"cells": 64, "edges": "tile", "carve": 0.5}),
    ("particles", {"cells": 24, "particles": 900, "carve": 1.0}),
    ("cuts", {"cells": 2, "cuts": 200, "carve": 1.0}),
    ("cuts", {"cells": 15, "cuts": 400, "atlas": "latlong", "carve": 1.0}),
    ("cuts", {"cells": 16, "cuts": 300, "atlas": "doublecone", "carve": 1.0}),
    ("simplex", {"cells": 9, "carve": 1.0}),
    ("simplex", {"cells": 48, "carve": 1.0, "ice": 1.0}),
    ("doublecone", {"gn": 3, "ln": 1, "carve": 1.0}),
]
MAPS = ({"gn": 1, "ln": 1}, {"gn": 4, "ln": 0}, {"gn": 4, "ln": 2, "land": 0.6, "poles": "any"}, {"gn": 3, "ln": 4})
# Across the 180th meridian, and at a pole.
REGIONS = (({"gn": 3, "ln": 4}, (179.0, -30.0, 3000.0)), ({"gn": 3, "ln": 2}, (60.0, 84.0, 2000.0)))


def main() -> None:
    """Everything, one line for each part with the seconds that it took."""
    # Compilers make many objects, of which few are garbage.
    gc.freeze()
    gc.set_threshold(COLLECTED_AFTER)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "map.npy"
        y, x = np.mgrid[0:20, 0:31]
        np.save(file, (np.sin(x / 5.0) * np.cos(y / 4.0)).astype(np.float32))
        for name, given in [*all_cases(), *MORE]:
            values = {key: str(file) if value == FILE else value for key, value in given.items()}
            timed(f"{name} {given}", lambda name=name, values=values: worlds(name, values))
    # Kernels that take a share of the rows each are called from this size on.
    plasma.PARALLEL_FROM = 8
    timed("plasma in shares", lambda: worlds("plasma", {"cells": 64}))
    timed("clouds", lambda: [cloud_field(1, cells) for cells in (2, 32)])
    timed("noise", lambda: simplex(np.random.default_rng(2).normal(0.0, 99.0, (9, 3)), np.uint64(7), np.empty((9, 4))))
    turns = np.linspace(-1.0, 1.0, MANY)
    timed("angles", lambda: turns_of(*circle(turns)))
    timed("rasters", lambda: [drain(np.random.default_rng(1).random(shape)) for shape in ((1, 1), (2, 9), (40, 31))])
    for given in MAPS:
        timed(f"map {given}", lambda given=given: whole_map(given))
    for given, around in REGIONS:
        timed(f"region {given} {around}", lambda given=given, around=around: part_of_map(given, around))
    not_called = sorted(set(kernels()) - set(called()))
    if not_called:
        sys.exit(f"these kernels were never called: {', '.join(not_called)}")
    planted()
    print(f"{len(kernels())} kernels keep their bounds, and planted overruns were seen", flush=True)


def timed(what: str, work) -> None:
    """Do it, and print it with the seconds that it took."""
    before = time.perf_counter()
    work()
    print(f"{time.perf_counter() - before:6.2f} s  {what}", flush=True)


def worlds(name: str, given: dict) -> None:
    """Worlds of a generator at several steps, and what is made of each."""
    made = generator(name)
    for seed in SEEDS:
        growth = made.grow(seed, given)
        maker = ReliefMaker(growth.atlas, growth.n, SIZE_M, 1000.0, EAST)
        for step in sorted({0, growth.total // 3, growth.total // 2, growth.total}):
            growth.advance(step)
            sea, highest = growth.sea_level, growth.highest
            assert highest is None or np.isfinite(highest)
            growth.marks(0, max(step, 1))
            relief = Relief.empty(growth.atlas, growth.n)
            suns = np.eye(3) if growth.atlas.spherical and step == growth.total else None
            maker.fill(relief, growth.heights, sea, 1000.0, moving=step % 2 == 0, above=growth.above, suns=suns)
        if contents := made.contents(growth):
            # What a map shows is worked out when it is asked for.
            _ = contents.streams, contents.divides, contents.labels
    walks(growth)
    rays(growth)
    beds(growth.atlas)


def rays(growth) -> None:
    """Places over a world and rays from there, some of which meet its ground."""
    heights = (growth.heights - np.float32(growth.sea_level)).astype(np.float32)
    ground = Ground(growth.atlas, heights, SIZE_M)
    at = np.random.default_rng(4).uniform(-0.7, 0.7, (MANY_PLACES, 3)) * SIZE_M * (2.0 if growth.atlas.spherical else 1.0)
    ground.sampled(at)
    eyes, rays = at[:8], np.random.default_rng(5).normal(size=(8, 9, 3))
    ground.met_by(eyes, rays, np.tile(np.linspace(0.0, SIZE_M, 9), (8, 1)))
    views = views_of(ground, facings(eyes, -eyes, rays[:, 0], np.full(8, 1.0)))
    differences(views, views.blocks(), np.arange(7), np.arange(1, 8), np.inf)


def beds(atlas: Atlas) -> None:
    """The beds of rivers in tiles, of which there are more than there is room for at first."""
    found = river_lines.rivers(atlas, lines=6, points=90)
    tiles = river_lines.tiles_on(atlas, found)
    assert len(cuts_in(river_beds(found, atlas), tiles, atlas, river_lines.SIZE_M, river_lines.TEXELS)) > bed_search.USUAL


def walks(growth) -> None:
    """The patches of a world, and the finer ones of its detail, for an eye that is near to it and far from it."""
    span = max(float(np.ptp(growth.heights)), 1e-9)
    metres = ((growth.heights - np.float32(growth.sea_level)) * np.float32(2000.0 / span)).astype(np.float32)
    tree = PatchTree(growth.atlas, metres, 8, SIZE_M)
    deep = DeepTree(tree, detail_of(growth.atlas, metres, SIZE_M, 1), len(tree.levels) + 2)
    # Planes that hide nothing, and one that hides all behind it.
    planes = np.array([[0.0, 0.0, 0.0, 1e9], [0.0, -1.0, 0.0, 0.0]])
    up = np.array([0.2, 1.0, 0.3])
    for away in (0.001, 0.02, 0.5, 7.0):
        eye = up / np.sqrt((up * up).sum()) * SIZE_M * (away + (1.0 if growth.atlas.spherical else 0.0))
        for grown in (True, False):
            seen = tree.walk(eye, planes, np.zeros(3), grown)
            if grown:
                deep.refine(seen, eye, planes, np.zeros(3))


def whole_map(given: dict) -> None:
    """A map with all its objects, and its relief on a raster from pole to pole."""
    planet = map_planet(7, given)
    latitude, longitude = np.mgrid[90.0:-90.0:61j, -180.0:180.0:121j]
    planet.relief.sample(longitude, latitude)
    planet.relief.water(longitude, latitude)


def part_of_map(given: dict, around: tuple[float, float, float]) -> None:
    """The map of a region with its objects, and its relief."""
    region, _ = region_of(7, given, around)
    planet = map_region(7, given, region)
    latitude, longitude = np.mgrid[region.north : region.south : 21j, region.west : region.east : 41j]
    planet.relief.sample(longitude[:, 1:-1], latitude[:, 1:-1])


def modules() -> list[ModuleType]:
    """All modules of the folders whose modules hold kernels."""
    packages = [importlib.import_module(f"demo.{folder}") for folder in ("worlds", "ground", "mapping")]
    rows = [row for package in packages for row in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")]
    return [importlib.import_module(row.name) for row in rows]


def kernels() -> dict[str, Dispatcher]:
    """All kernels by name, but for those that are written into their callers."""
    found = {
        "demo.geometry.patch_walk.select": compiled(patch_walk.select),
        "demo.geometry.bed_search.search": compiled(bed_search.search),
    }
    for module in modules():
        for name, value in vars(module).items():
            own = isinstance(value, Dispatcher) and value.py_func.__module__ == module.__name__
            if own and value.targetoptions.get("inline") != "always":
                found[f"{module.__name__}.{name}"] = value
    return found


def called() -> list[str]:
    """The kernels that were compiled, which happens when they are called."""
    return [name for name, kernel in kernels().items() if kernel.signatures]


def planted() -> None:
    """Arrays that are too small, for a serial kernel and for one that is parallel outside of this test."""
    ground, curve = np.zeros((9, 9), np.float32), np.zeros(5, np.float32)
    coarse, fine = np.zeros((9, 9), np.float32), np.zeros((17, 16), np.float32)
    lines = np.empty((plasma_kernels.SHARES, 4, plasma_kernels.STRIP + 4, 10), np.float32)
    rows = np.stack([np.clip(np.arange(-2, 10), 0, last) for last in (7, 8, 7)])
    order = np.uint32(1), np.uint32(3), np.float32(0.1), np.float32(0.1), False
    one = np.float32(1.0)
    overruns = {
        "normalise": lambda: landing_kernels.normalise(ground, one, one, curve, one, np.zeros((9, 8), np.float32)),
        "level_parallel": lambda: plasma_kernels.level_parallel(coarse, fine, lines, rows, *order),
    }
    for name, overrun in overruns.items():
        try:
            overrun()
        except IndexError:
            continue
        sys.exit(f"the planted overrun of {name} was not seen: its bounds are not checked")


if __name__ == "__main__":
    if not numba.config.BOUNDSCHECK or list(Path(os.environ["NUMBA_CACHE_DIR"]).rglob("*.nbi")):
        sys.exit("set NUMBA_BOUNDSCHECK=1, and NUMBA_CACHE_DIR to an empty folder")
    main()
