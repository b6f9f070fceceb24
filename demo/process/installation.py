"""How this copy of Landfall came here: what the user types to start it, and what brings packages that it lacks.

A checkout is started by `python main.py`, and its packages stand in requirements files. An installed package is started by
the command `landfall`, and has no such files.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from .assets import PACKAGE_FOLDER

INSTALLED = (PACKAGE_FOLDER / "assets").is_dir()
PROGRAM = "landfall" if INSTALLED else "python main.py"
NEEDED = "requirements.txt"


def how_to_get(requirements: str, packages: Sequence[str]) -> str:
    """What to run for packages that are missing: by the file of a checkout, or by their names, as pip takes them."""
    if INSTALLED:
        return f'run "{sys.executable} -m pip install {" ".join(packages)}"'
    make = '"make run" or ' if requirements == NEEDED else ""
    return f'run {make}"pip install -r {requirements}"'
