"""The folder of the program's assets: shaders, fonts, pictures, the icon."""

from __future__ import annotations

import importlib.resources
from pathlib import Path

_PACKAGE = Path(str(importlib.resources.files(__package__.rpartition(".")[0])))


def assets() -> Path:
    """The folder of assets: inside an installed package, beside the package in a checkout."""
    inside = _PACKAGE / "assets"
    return inside if inside.is_dir() else _PACKAGE.parent / "assets"
