"""`still`: the picture of one moment of one scene."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from ..export import files
from ..export.picture import write_png
from ..hosts import offscreen
from ..worlds.parameters import ParameterError
from .show_options import show_options


def run(arguments: Namespace) -> int:
    """Draws the picture and writes it."""
    out = Path(arguments.out)
    if out.suffix.lower() != ".png":
        raise ParameterError(f"{out} is no picture that can be written: end the name in .png")
    files.check_place(out)
    options = show_options(arguments, hold=True, paced=False)
    files.install_signal_handler()
    write_png(out, offscreen.still(options, arguments.time, arguments.size))
    return 0
