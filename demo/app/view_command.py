"""`view`: a map with tiles in the browser, served to this machine alone until Ctrl-C."""

from __future__ import annotations

import webbrowser
from argparse import Namespace
from contextlib import suppress
from pathlib import Path

from ..export.files import ExportError
from ..export.maps.site import TILES, viewer_files
from ..tables.map_formats import MAP_FORMATS
from ..worlds.parameters import ParameterError
from .view_server import ADDRESS, ViewServer

MARK = "world.json"
# Where a folder that is named on the command line has its tiles: a map's, a site's, or the tiles themselves.
PLACES = (MAP_FORMATS["tiles"].file, f"{MAP_FORMATS['site'].file}/{TILES}", ".")


def run(arguments: Namespace) -> int:
    """Serves the viewer and opens the browser. Ends with Ctrl-C."""
    tiles = tiles_in(Path(arguments.out))
    server = serving(tiles, arguments.port)
    with server:
        print(f"{server.url} (Ctrl-C ends it)", flush=True)
        if not arguments.no_browser:
            webbrowser.open(server.url)
        with suppress(KeyboardInterrupt):
            server.serve_forever()
    return 0


def tiles_in(folder: Path) -> Path:
    """The folder of tiles in a map's folder. Raises ParameterError where there is none."""
    if not folder.is_dir():
        raise ParameterError(f"there is no folder {folder}: make a map with 'map {folder} --formats tiles'")
    for place in PLACES:
        if (folder / place / MARK).is_file() and (folder / place / "world.pmtiles").is_file():
            return folder / place
    raise ParameterError(f"the folder {folder} has no tiles: add them with 'map {folder} --formats tiles'")


def serving(tiles: Path, port: int | None) -> ViewServer:
    """A server of the viewer with these tiles; any free port unless one is given. Raises ExportError."""
    files = dict(viewer_files()) | {f"{TILES}/{path.name}": path for path in sorted(tiles.iterdir()) if path.is_file()}
    try:
        return ViewServer(files, port or 0)
    except OSError as error:
        reason = error.strerror or error
        raise ExportError(f"cannot serve on port {port} of {ADDRESS} ({reason}): choose another --port") from None
