"""The format `site`: a folder that any web server can serve, with the viewer, its letters and the tiles."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

from ...mapping.objects.records import PlanetMap
from ...process.assets import assets
from ...tables.map_formats import MAP_FORMATS

# What of assets/viewer a browser asks for; the rest makes it.
PAGES, FOLDERS = ("index.html", "viewer.css", "icons.svg"), ("src", "vendor", "glyphs")
FONTS = ("EBGaramond12-Regular.ttf", "EBGaramond12-Italic.ttf", "OFL.txt")
TILES = "tiles"


def viewer_files() -> Iterator[tuple[str, Path]]:
    """(address, file) of all of the viewer, but for the tiles."""
    viewer = assets() / "viewer"
    for name in PAGES:
        yield name, viewer / name
    for folder in FOLDERS:
        for path in sorted((viewer / folder).rglob("*")):
            if path.is_file():
                yield path.relative_to(viewer).as_posix(), path
    for name in FONTS:
        yield f"fonts/{name}", assets() / "fonts" / name


def write(path: Path, planet: PlanetMap, progress: Callable[[float], None]) -> None:
    """Writes the folder. Tiles that the same run has written beside it are copied. Raises OSError or RuntimeError."""
    path.mkdir()
    for address, file in viewer_files():
        target = path / address
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, target)
    made = path.parent / MAP_FORMATS["tiles"].file
    if made.is_dir():
        shutil.copytree(made, path / TILES, copy_function=shutil.copyfile)
    else:
        # Its packages are those of the format `tiles`.
        from .tiles import pyramids

        pyramids.write(path / TILES, planet, progress)
    progress(1.0)
