"""Maps of fresh planets as other people's programs read them: osmcoastline, osmium, GDAL and GEOS find no fault.

Each planet is written by the command `map` in a process of its own. Then its files alone are read (`map_oracle`), by nothing
that belongs to this project. No figure of the program has been set by these planets.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from benchmarks import map_oracle
from benchmarks.harness import HERE, Report

FIRST, SEEDS, GN, LN = 9001, 5, 7, 3
FORMATS = "pbf,osm,gpkg,tif"
LAYERS = ("landmasses", "seas", "lakes", "rivers", "catchments", "peaks")
# In parts: of an area; of the length of rivers; of the pixels well within lakes.
AREA_BAR, CLIMBING_BAR, WET_BAR = 5e-3, 0.02, 0.99


@dataclass(frozen=True)
class Seen:
    """One planet. `faults`: how many, by what is wrong. `shares`: parts of a whole, by what they are. `things`: by layer."""

    faults: Counter[str]
    shares: dict[str, float]
    things: dict[str, int]


# The shares: what they are called, and the least and the most that they may be.
SHARES = {
    "land": ("osmcoastline's land against the GeoPackage's", 1.0 - AREA_BAR, 1.0 + AREA_BAR),
    "waters": ("GDAL's lakes and inland seas against the GeoPackage's", 1.0 - AREA_BAR, 1.0 + AREA_BAR),
    "climbing": ("river length over 10 m above an earlier place", 0.0, CLIMBING_BAR),
    "wet": ("pixels well within lakes at or below their level", WET_BAR, 1.0),
}


def run(report: Report) -> None:
    """Rows with the faults of all planets together, and with the least and the greatest share."""
    seeds = range(FIRST, FIRST + report.rounds(SEEDS))
    seen = [_of_seed(seed) for seed in seeds]
    for what in seen[0].faults:
        count = sum(one.faults[what] for one in seen)
        report.figure(what, f"**{count}**", "0", count == 0)
    for name, (title, low, high) in SHARES.items():
        values = [one.shares[name] for one in seen]
        bars = f"{low:g} to {high:g}", low <= min(values) and max(values) <= high
        report.figure(title, f"**{min(values):.5f}** to **{max(values):.5f}**", *bars)
    for seed, one in zip(seeds, seen, strict=True):
        report.note(f"Seed {seed}: " + ", ".join(f"{count:,} {name}" for name, count in one.things.items()) + ".")
    report.note(f"gn={GN} ln={LN}, formats {FORMATS}.")


def _of_seed(seed: int) -> Seen:
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "world"
        words = ["map", str(out), "--seed", str(seed), "--gn", str(GN), "--ln", str(LN), "--formats", FORMATS]
        subprocess.run([sys.executable, str(HERE.parent / "main.py"), *words], check=True, stdout=subprocess.DEVNULL)
        return seen_in(out)


def seen_in(folder: Path) -> Seen:
    """What is found in a folder with world.osm.pbf, world.osm, world.gpkg and relief.tif."""
    faults: Counter[str] = Counter()
    for file in (folder / "world.osm.pbf", folder / "world.osm"):
        wrong, land = map_oracle.land_of_osmcoastline(file)
        faults["errors and warnings of osmcoastline"] += wrong
        faults["references that osmium misses"] += map_oracle.broken_references(file)
    climbs = map_oracle.climbs(folder)
    faults["rivers over 100 m above an earlier place"] += climbs.over_100_m
    faults["rivers of 1,000 m3/s over 10 m above an earlier place"] += climbs.great_over_10_m
    for what, count in (map_oracle.malformed(folder) | map_oracle.disagreements(folder)).items():
        faults[what] += count
    shares = {
        "land": land / map_oracle.land_km2(folder),
        "waters": map_oracle.waters_of_gdal_km2(folder / "world.osm.pbf") / map_oracle.waters_km2(folder),
        "climbing": climbs.part_over_10_m,
        "wet": map_oracle.wet_share(folder),
    }
    return Seen(faults, shares, {name: len(map_oracle.layer(folder, name)[0]) for name in LAYERS})
