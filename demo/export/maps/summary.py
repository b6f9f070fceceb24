"""A map in figures: `summary.json`, and the table on the terminal."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from ...mapping.objects.records import PlanetMap, Stretch
from ...mapping.region import Region

GREATEST = 10


def summary_of(planet: PlanetMap) -> dict[str, Any]:
    """Counts, the greatest objects of each kind, the land ratio and the distortion, ready for JSON."""
    return {
        "code": planet.code,
        "seed": planet.seed,
        "gn": planet.gn,
        "ln": planet.ln,
        "radius_m": planet.radius_m,
        **({"region": _edges(planet.region)} if planet.region else {}),
        "land_ratio": round(planet.land_ratio, 6),
        "stretch_of_parallels": _three(planet.stretch),
        "stretch_of_meridians": _three(planet.stretch_of_meridians),
        "counts": {
            "landmasses": len(planet.landmasses),
            "coastlines": len(planet.coastlines),
            "oceans": len(planet.oceans),
            "seas": len(planet.seas),
            "lakes": len(planet.lakes),
            "rivers": len(planet.rivers),
            "confluences": len(planet.confluences),
            "catchments": len(planet.catchments),
            "peaks": len(planet.peaks),
        },
        "largest_landmasses": _greatest(planet.landmasses, "area_km2", ("highest_m",)),
        "longest_rivers": _greatest(planet.rivers, "length_km", ("discharge_m3_s", "order", "mouth")),
        "largest_lakes": _greatest(planet.lakes, "area_km2", ("volume_km3", "depth_m", "level_m")),
        "highest_peaks": _greatest(planet.peaks, "height_m", ("prominence_m",)),
    }


def write(path: Path, planet: PlanetMap, progress: Callable[[float], None]) -> None:
    """Writes `summary_of` as JSON."""
    path.write_text(json.dumps(summary_of(planet), indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    progress(1.0)


def table(planet: PlanetMap) -> str:
    """The main figures as a few lines of text."""
    facts = summary_of(planet)
    counts = facts["counts"]
    lines = [
        f"{planet.code}: land {planet.land_ratio:.1%} of a sphere of {planet.radius_m / 1000:,.0f} km radius",
        *(
            f"{lines} stretched "
            + ", ".join(f"{value:.3f} ({name})" for name, value in facts[f"stretch_of_{lines}"].items())
            for lines in ("parallels", "meridians")
        ),
        ", ".join(f"{count:,} {name}" for name, count in counts.items()),
    ]
    if planet.region:
        lines.insert(1, "region: " + ", ".join(f"{name} {value:.4f}" for name, value in facts["region"].items()))
    lines += _rows("longest rivers", facts["longest_rivers"], "{length_km:,.0f} km, {discharge_m3_s:,.0f} m3/s")
    lines += _rows("largest lakes", facts["largest_lakes"], "{area_km2:,.0f} km2, {depth_m:,.0f} m deep")
    lines += _rows("highest peaks", facts["highest_peaks"], "{height_m:,.0f} m")
    return "\n".join(lines)


def _greatest(things: Iterable[Any], by: str, more: tuple[str, ...]) -> list[dict[str, Any]]:
    """The first GREATEST things in descending order of the attribute `by`, equal ones by id; with the attributes `more`."""
    first = sorted(things, key=lambda thing: (-getattr(thing, by), thing.id))[:GREATEST]
    return [{name: _plain(getattr(thing, name)) for name in ("id", "name", by, *more)} for thing in first]


def _edges(region: Region) -> dict[str, float]:
    """Degrees; east is beyond 180 where the region crosses that meridian."""
    return {name: round(getattr(region, name), 9) for name in ("west", "south", "east", "north")}


def _three(stretch: Stretch) -> dict[str, float]:
    return {name: round(value, 6) for name, value in zip(("minimum", "mean", "maximum"), stretch, strict=True)}


def _plain(value: Any) -> Any:
    return round(float(value), 3) if isinstance(value, float) else value


def _rows(title: str, things: list[dict[str, Any]], form: str, count: int = 3) -> list[str]:
    named = [f"  {thing['name'] or 'unnamed':<22}{form.format(**thing)}" for thing in things[:count]]
    return [title, *named] if named else []
