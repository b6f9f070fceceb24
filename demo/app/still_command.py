"""`still`: the picture of one moment of one scene."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from ..export import files, picture
from ..hosts import offscreen
from .show_options import show_options


def run(arguments: Namespace) -> int:
    """Draws the picture and writes it."""
    out = Path(arguments.out)
    picture.check(out)
    options = show_options(arguments, hold=True, paced=False)
    files.install_signal_handler()
    picture.write_png(out, offscreen.still(options, arguments.time, arguments.size))
    return 0
