"""Writes a map in the formats of MAP_FORMATS, whole or not at all."""

from __future__ import annotations

import importlib
import importlib.util
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from ...mapping.objects.records import PlanetMap
from ...process.installation import how_to_get
from ...process.memory import trim_memory
from ...tables.map_formats import MAP_FORMATS, REGIONAL, distribution_of, packages_of, size_of, size_of_region
from ...worlds.parameters import ParameterError
from ..files import ExportError, adding_to_folder, check_adding, remedy

INSTALL = how_to_get("requirements-map.txt", [distribution_of(package) for package in packages_of(MAP_FORMATS)])
LONGEST_REASON = 200

Progress = Callable[[float], None]
"""Is told the share of the work that is done, 0..1."""

Writer = Callable[..., None]


def writer_of(name: str) -> Writer:
    """The function `write` of the format's module, which is first imported here."""
    return importlib.import_module(f"{__package__}.{MAP_FORMATS[name].module}").write


def check_place(folder: Path) -> None:
    """Raises ExportError when no map can be written into `folder`."""
    check_adding(folder)
    try:
        # The libraries that write maps take no other names.
        os.path.abspath(folder).encode()
    except UnicodeEncodeError:
        raise ExportError(f"cannot write the folder {folder} (its name is not in UTF-8): choose another name") from None


def check_packages(names: Sequence[str]) -> None:
    """Raises ExportError when a package that one of these formats needs is missing or cannot be loaded."""
    wanted = packages_of(names)
    missing = sorted(distribution_of(package) for package in wanted if importlib.util.find_spec(package) is None)
    if missing:
        verb = "is" if len(missing) == 1 else "are"
        raise ExportError(f"{', '.join(missing)} {verb} missing, which maps need: {INSTALL}")
    for package in wanted:
        try:
            importlib.import_module(package)
        except ImportError as error:
            # skia is linked to OpenGL's libraries, though nothing here draws with them.
            hint = (
                "install OpenGL's libraries (libegl1 and libgl1 on Debian)" if "GL.so" in str(error) else INSTALL + " again"
            )
            raise ExportError(f"{distribution_of(package)} cannot be loaded ({error}): {hint}") from None


def check_regional(names: Sequence[str]) -> None:
    """Raises ParameterError for a format that no region can have."""
    wrong = [name for name in names if not MAP_FORMATS[name].regional]
    if wrong:
        raise ParameterError(f"--region cannot be written as {', '.join(wrong)}: it takes {','.join(REGIONAL)}")


def effort(names: Sequence[str], size: float) -> float:
    """The sum over these formats, for a planet of this size."""
    return sum(MAP_FORMATS[name].effort.of(size) for name in names)


def most_bytes(names: Sequence[str]) -> float:
    """The most memory that writing one of these formats takes beside the planet."""
    return max(MAP_FORMATS[name].megabytes for name in names) * 1e6


def write(
    folder: Path,
    planet: PlanetMap,
    names: Sequence[str],
    progress: Progress,
    rhombi: bool = False,
    beside: Mapping[str, str] | None = None,
    threads: int = 1,
) -> None:
    """Writes a map in these formats into a folder. Raises ExportError, and then nothing in the folder has changed.

    `rhombi`: the sheets show the mesh too. `beside`: further files by their names, as text. The files are the same on any
    number of `threads`.
    """
    size = size_of(planet.gn, planet.ln) if planet.region is None else size_of_region(planet.gn, planet.region.pixels)
    total, done = effort(names, size), 0.0
    with adding_to_folder(folder) as temporary:
        for file, text in (beside or {}).items():
            (temporary / file).write_text(text, encoding="utf-8")
        for name in names:
            trim_memory()
            row = MAP_FORMATS[name]
            takes = row.effort.of(size)
            shown = {"rhombi": True} if rhombi and row.shows_mesh else {}
            shared = {"threads": threads} if row.threaded else {}
            try:
                writer_of(name)(temporary / row.file, planet, _reporter(progress, done, takes, total), **shown, **shared)
            except (RuntimeError, OSError) as error:
                raise failed(error, folder / row.file) from None
            done += takes


def _reporter(progress: Progress, done: float, effort: float, total: float) -> Progress:
    """The progress of one file, which takes `effort` of the `total` after what is `done`."""

    def report(part: float) -> None:
        progress((done + part * effort) / total)

    return report


def failed(error: BaseException, path: Path) -> ExportError:
    """What osmium, GDAL or the system said when `path` could not be written, as one line."""
    while error.__cause__ is not None:
        error = error.__cause__
    words = " ".join(str(getattr(error, "strerror", None) or error).split()) or type(error).__name__
    return ExportError(f"cannot write {path} ({words[:LONGEST_REASON]}): {remedy(error)}")
