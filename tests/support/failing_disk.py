"""A disk that fails on purpose, for `tests/export/test_failing_disk.py`: run as `python failing_disk.py FAULT CASE FOLDER`.

It writes CASE again and again into a folder that holds earlier files. Each time the disk fails a little later, until all is
written. It prints one line of JSON for each time: what was raised, and whether the folder is as before, whole, or neither.

FAULT says how the disk fails: `space` or `key` raise OSError or KeyboardInterrupt at the n-th file that is opened for
writing, made, renamed or changed (an audit hook sees them before they happen); `size` lets no file grow beyond n bytes.
"""

from __future__ import annotations

import errno
import json
import os
import resource
import shutil
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

SIZE = (32, 24)
MAKING = ("os.rename", "os.mkdir", "os.chmod", "os.truncate")
LATEST_BYTES, STEPS = 24, 24


def heights() -> Any:
    from demo.worlds.atlas import CUBE
    from demo.worlds.heightfield import HeightField

    values = np.random.default_rng(1).random((6, 17, 17), np.float32)
    return HeightField(CUBE, values, 0.25, 3.0, "R", 7, {"cells": 16}, "test-1-7")


def pictures() -> np.ndarray:
    return np.random.default_rng(2).integers(0, 256, (3, SIZE[1], SIZE[0], 3), np.uint8)


def grow(ending: str) -> Callable[[Path], None]:
    def write(folder: Path) -> None:
        from demo.export import heightmap_out

        heightmap_out.write(folder / f"world{ending}", heights())

    return write


def still(folder: Path) -> None:
    from demo.export import picture

    picture.write_png(folder / "still.png", pictures()[0])


def film(name: str, ours: bool = False) -> Callable[[Path], None]:
    def write(folder: Path) -> None:
        from demo.export import film as films

        if ours:
            films.write_frames(folder / name, pictures(), ours=True)
        else:
            films.write(folder / name, pictures(), 24, SIZE)

    return write


def maps(names: str) -> Callable[[Path], None]:
    def write(folder: Path) -> None:
        from support.map_cases import planet

        from demo.export.maps import formats

        if "sheets" in names:
            blank_sheets()
        if "tiles" in names:
            few_tiles()
        formats.write(folder, planet(gn=3, ln=0), names.split(","), lambda part: None)

    return write


def blank_sheets() -> None:
    """Sheets without a map, because drawing them takes seconds."""
    from demo.export.maps.sheets import book

    book.land_grid = lambda planet: np.ones((180, 360), np.float32)
    book.climate_tints_of = lambda planet: None
    book.regions_of = lambda *words: []
    book.heights_in = lambda windows, *more: [None] * len(windows)
    book.sheet.draw = lambda *words: pictures()[0]


def few_tiles() -> None:
    """Tiles of one plane with hardly a line on them, because tippecanoe takes seconds for more."""
    from demo.export.maps.tiles import pyramids

    pyramids.PLANES = pyramids.PLANES[:1]
    pyramids.all_features = lambda planet: list(pyramids.graticule())[:4]


CASES: dict[str, Callable[[Path], None]] = {
    "npz": grow(".npz"),
    "png": grow(".png"),
    "tif": grow(".tif"),
    "still": still,
    "mp4": film("film.mp4"),
    "frames": film("frames"),
    "frames in an empty folder": film("empty"),
    "frames in place of ours": film("ours", ours=True),
    "osm": maps("osm"),
    "pbf": maps("pbf"),
    "gpkg": maps("gpkg"),
    "relief": maps("tif"),
    "sheets": maps("sheets"),
    "map": maps("tif,json"),
    "tiles": maps("tiles"),
}


def furnish(folder: Path) -> None:
    """Earlier files of all the names, and one that has nothing to do with them."""
    shutil.rmtree(folder, ignore_errors=True)
    for name in ("empty", "ours", "sheets", "tiles"):
        (folder / name).mkdir(parents=True)
    earlier = "world.npz world.png world.json world.tif still.png film.mp4 ours/frame-000000.png ours/frame-000009.png"
    maps = "world.osm world.osm.pbf world.gpkg relief.tif summary.json sheets/00-earlier.png tiles/world.pmtiles"
    for name in (*earlier.split(), *maps.split(), "mine.txt"):
        (folder / name).write_text("earlier")


def contents(folder: Path) -> dict[str, bytes | None]:
    """Every file and folder below, by name."""
    return {str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None for path in folder.rglob("*")}


class Hook:
    """Raises `error` at the n-th thing that is made below `folder`, once."""

    def __init__(self, folder: Path) -> None:
        self.folder = str(folder)
        self.left = 0
        self.error: Callable[[], BaseException] = KeyboardInterrupt
        sys.addaudithook(self)

    def __call__(self, event: str, words: tuple[Any, ...]) -> None:
        if not self.left or not (event in MAKING or (event == "open" and writes(words[2]))):
            return
        if str(words[0]).startswith(self.folder):
            self.left -= 1
            if not self.left:
                raise self.error()


def writes(flags: int) -> bool:
    return bool(flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT))


def no_space() -> OSError:
    return OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def limit(size: int) -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))


def raised_by(write: Callable[[Path], None], folder: Path) -> str:
    try:
        write(folder)
    except BaseException as error:  # KeyboardInterrupt among them
        return f"{type(error).__name__}: {error}"
    return ""


def main(fault: str, case: str, place: str) -> None:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    folder, write = Path(place).resolve() / "disk", CASES[case]
    furnish(folder)
    before = contents(folder)
    assert not raised_by(write, folder)
    whole = contents(folder)
    assert whole != before
    largest = max(len(data or b"") for name, data in whole.items() if before.get(name) != data)
    sizes = sorted({*range(0, largest, max(largest // STEPS, 1)), *range(max(largest - LATEST_BYTES, 0), largest + 1)})
    hook = Hook(folder)
    hook.error = no_space if fault == "space" else KeyboardInterrupt
    for count in sizes if fault == "size" else range(1, 1000):
        furnish(folder)
        if fault == "size":
            limit(count)
        hook.left = 0 if fault == "size" else count
        raised = raised_by(write, folder)
        over = fault != "size" and hook.left > 0
        hook.left = 0
        limit(resource.RLIM_INFINITY)
        now = contents(folder)
        state = "before" if now == before else "whole" if now == whole else f"neither: {sorted(now)}"
        print(json.dumps({"count": count, "raised": raised, "state": state}), flush=True)
        if over:
            break


if __name__ == "__main__":
    main(*sys.argv[1:])
