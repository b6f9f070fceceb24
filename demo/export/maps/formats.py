"""Writes a map in the formats of MAP_FORMATS, whole or not at all."""

from __future__ import annotations

import importlib
import importlib.util
import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from functools import partial
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

from ...mapping.objects.records import PlanetMap
from ...process.installation import how_to_get
from ...process.memory import trim_memory
from ...tables.map_formats import MAP_FORMATS, REGIONAL, distribution_of, packages_of, size_of, size_of_region
from ...worlds.parameters import ParameterError
from ..files import ExportError, adding_to_folder, check_adding, remedy

if TYPE_CHECKING:
    from ..block_store import BlockStore

INSTALL = how_to_get("requirements-map.txt", [distribution_of(package) for package in packages_of(MAP_FORMATS)])
LONGEST_REASON = 200
# Seconds between two looks at what another thread writes.
TOLD_S = 0.2

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


def most_bytes(names: Sequence[str], threads: int = 1) -> float:
    """The most memory that writing these formats takes beside the planet."""
    ahead, beside = _at_once(names, threads)
    together = sum(max((MAP_FORMATS[name].megabytes for name in some), default=0) for some in (ahead, beside))
    return max(together, *(MAP_FORMATS[name].megabytes for name in names)) * 1e6


def _at_once(names: Sequence[str], threads: int) -> tuple[list[str], list[str]]:
    """(formats that so many threads share, others that a thread can write meanwhile: they ask for no heights of the ground).

    Both are empty where nothing would be gained.
    """
    ahead = [name for name in names if MAP_FORMATS[name].threaded]
    beside = [name for name in names if not MAP_FORMATS[name].heights]
    return (ahead, beside) if threads > 1 and ahead and beside else ([], [])


def write(
    folder: Path,
    planet: PlanetMap,
    names: Sequence[str],
    progress: Progress,
    rhombi: bool = False,
    beside: Mapping[str, str] | None = None,
    threads: int = 1,
    store: BlockStore | None = None,
) -> None:
    """Writes a map in these formats into a folder. Raises ExportError, and then nothing in the folder has changed.

    `rhombi`: the sheets show the mesh too. `beside`: further files by their names, as text. The files are the same on any
    number of `threads`. `store`: where the pieces of the map lie, if other processes may be begun to write files from them.
    """
    size = size_of(planet.gn, planet.ln) if planet.region is None else size_of_region(planet.gn, planet.region.pixels)
    shares = _Shares({name: MAP_FORMATS[name].effort.of(size) for name in names}, progress)
    with adding_to_folder(folder) as temporary:
        for file, text in (beside or {}).items():
            (temporary / file).write_text(text, encoding="utf-8")

        def one(name: str, report: Progress, writer: Writer | None = None) -> None:
            trim_memory()
            row = MAP_FORMATS[name]
            shown = {"rhombi": True} if rhombi and row.shows_mesh else {}
            shared = {"threads": threads} if row.threaded and not writer else {}
            try:
                (writer or writer_of(name))(temporary / row.file, planet, report, **shown, **shared)
            except (RuntimeError, OSError) as error:
                raise failed(error, folder / row.file) from None

        ahead, meanwhile = _at_once(names, threads)
        if ahead:
            apart = _apart(planet, store, threads)
            _write_at_once(ahead, meanwhile, lambda name, report: one(name, report, apart.get(name)), shares)
        for name in names:
            if name not in ahead and name not in meanwhile:
                one(name, shares.reporter(name))


def _apart(planet: PlanetMap, store: BlockStore | None, threads: int) -> dict[str, Writer]:
    """By format, what has it written by a process of its own, beside this one, if that can be."""
    if store is None:
        return {}
    # Imports numba.
    from . import raster_process

    stage = raster_process.stage_of(planet)
    # This process works too.
    return {"tif": partial(raster_process.write, store=store, stage=stage, threads=threads - 1)} if stage else {}


class _Shares:
    """What is done of each format. Tells the whole, as one thread wants it."""

    def __init__(self, efforts: Mapping[str, float], progress: Progress) -> None:
        self._efforts, self._progress, self._done = efforts, progress, dict.fromkeys(efforts, 0.0)

    def note(self, name: str, part: float) -> None:
        """So much of a format is done, 0..1. Any thread may call it."""
        self._done[name] = part

    def tell(self) -> None:
        """Tell how much of all formats is done."""
        done = sum(self._efforts[name] * part for name, part in self._done.items())
        self._progress(done / sum(self._efforts.values()))

    def reporter(self, name: str) -> Progress:
        """The progress of one format: it is noted and told."""

        def report(part: float) -> None:
            self.note(name, part)
            self.tell()

        return report


class _Stopped(Exception):
    """What is written in another thread is not wanted any longer."""


def _write_at_once(
    ahead: Sequence[str], meanwhile: Sequence[str], one: Callable[[str, Progress], None], shares: _Shares
) -> None:
    """Have `one` write the formats `ahead` in another thread, those `meanwhile` in this one, which tells the progress."""
    stopped = Event()

    def noted(name: str) -> Progress:
        def report(part: float) -> None:
            if stopped.is_set():
                raise _Stopped
            shares.note(name, part)

        return report

    def write_ahead() -> None:
        for name in ahead:
            one(name, noted(name))

    with ThreadPoolExecutor(1) as pool:
        writing = pool.submit(write_ahead)
        try:
            for name in meanwhile:
                one(name, shares.reporter(name))
                if writing.done():
                    writing.result()
            while not wait([writing], TOLD_S).done:
                shares.tell()
            writing.result()
            shares.tell()
        finally:
            # Nobody waits for the rest of a file that will not be kept.
            stopped.set()


def failed(error: BaseException, path: Path) -> ExportError:
    """What osmium, GDAL or the system said when `path` could not be written, as one line."""
    while error.__cause__ is not None:
        error = error.__cause__
    words = " ".join(str(getattr(error, "strerror", None) or error).split()) or type(error).__name__
    return ExportError(f"cannot write {path} ({words[:LONGEST_REASON]}): {remedy(error)}")
