"""FORMATS: the one table of what `map` writes; and the writing of them all, whole or not at all."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ...mapping.objects.records import PlanetMap
from ...process.memory import trim_memory
from ...tables.map_formats import MAP_FORMATS
from ..files import ExportError, adding_to_folder

DISTRIBUTIONS = {"skia": "skia-python"}
INSTALL = 'run "pip install -r requirements-map.txt"'


@dataclass(frozen=True)
class Format:
    """`file` in the map's folder; `module` writes it by `write(path, planet, progress)`; `packages` as they are imported.

    `effort`: about how long it takes, in parts of any unit, for the progress bar.
    """

    file: str
    module: str
    packages: tuple[str, ...]
    effort: float


FORMATS: dict[str, Format] = {
    "pbf": Format("world.osm.pbf", ".osm", ("osmium", "shapely"), 2.0),
    "osm": Format("world.osm", ".osm", ("osmium", "shapely"), 2.5),
    "gpkg": Format("world.gpkg", ".gpkg", ("pyogrio", "shapely"), 3.0),
    "tif": Format("relief.tif", ".geotiff", ("rasterio",), 4.0),
    "sheets": Format("sheets", ".sheets.book", ("skia", "shapely"), 24.0),
    "json": Format("summary.json", ".summary", (), 0.1),
}
assert tuple(FORMATS) == MAP_FORMATS


def check_packages(names: Sequence[str]) -> None:
    """Raises ExportError when a package is missing, or cannot be loaded, that one of these formats needs."""
    wanted = {package for name in names for package in FORMATS[name].packages}
    # The map itself needs shapely.
    wanted.add("shapely")
    missing = sorted(DISTRIBUTIONS.get(name, name) for name in wanted if importlib.util.find_spec(name) is None)
    if missing:
        verb = "is" if len(missing) == 1 else "are"
        raise ExportError(f"{', '.join(missing)} {verb} missing, which maps need: {INSTALL}")
    for name in sorted(wanted):
        try:
            importlib.import_module(name)
        except ImportError as error:
            # skia asks for OpenGL's libraries, though it draws without them here.
            hint = (
                "install OpenGL's libraries (libegl1 and libgl1 on Debian)" if "GL.so" in str(error) else INSTALL + " again"
            )
            raise ExportError(f"{DISTRIBUTIONS.get(name, name)} cannot be loaded ({error}): {hint}") from None


def effort(names: Sequence[str]) -> float:
    """Of all these formats together."""
    return sum(FORMATS[name].effort for name in names)


def write(folder: Path, planet: PlanetMap, names: Sequence[str], progress: Callable[[float], None]) -> None:
    """Writes a map in these formats into a folder; `progress` is told the share that is done, 0..1.

    Raises ExportError, and then nothing in the folder has changed.
    """
    total, done = effort(names), 0.0
    with adding_to_folder(folder) as temporary:
        for name in names:
            trim_memory()
            form, before = FORMATS[name], done
            path = temporary / form.file
            try:
                importlib.import_module(form.module, __package__).write(
                    path, planet, lambda part, before=before, form=form: progress((before + part * form.effort) / total)
                )
            except (RuntimeError, OSError) as error:
                raise failed(error, folder / form.file) from None
            done += form.effort


def failed(error: BaseException, path: Path) -> ExportError:
    """What osmium, GDAL or the system said when `path` could not be written, as one line."""
    while error.__cause__ is not None:
        error = error.__cause__
    words = " ".join(str(getattr(error, "strerror", None) or error).split()) or type(error).__name__
    return ExportError(f"cannot write {path} ({words[:200]}): free some space or choose another place")
