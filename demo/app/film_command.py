"""`film`: a film of one scene, or of all of them."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from ..export import files
from ..export import film as films
from .show_options import is_tour, show_options
from .tour import frames


def run(arguments: Namespace) -> int:
    """Draws the pictures and writes them as a film or a folder of frames."""
    out = Path(arguments.out)
    films.check(out, arguments.size)
    tour = is_tour(arguments)
    options = show_options(arguments, paced=False, hold=not tour, tour_seconds=arguments.seconds if tour else None)
    files.install_signal_handler()
    pictures = frames(options, arguments.seconds, arguments.fps, arguments.size, f"film: {out.name}")
    films.write(out, pictures, arguments.fps, arguments.size)
    return 0
