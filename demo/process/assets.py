"""The folder of the program's assets: shaders, fonts, pictures, the icon."""

from __future__ import annotations

import sys
from pathlib import Path

# `importlib.resources` would say the same, 30 ms later.
PACKAGE_FOLDER = Path(sys.modules[__package__.rpartition(".")[0]].__path__[0]).resolve()


def assets() -> Path:
    """The folder of assets: inside an installed package, beside the package in a checkout."""
    inside = PACKAGE_FOLDER / "assets"
    return inside if inside.is_dir() else PACKAGE_FOLDER.parent / "assets"
