"""Pictures as PNG files: one, and many small ones on a sheet."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from PIL import Image

from .files import replacing

SHEET_COLUMNS = 4
THUMBNAIL_PX = 320
MARGIN_PX = 8
PAPER = (18, 19, 22)


def write_png(path: Path, picture: np.ndarray) -> None:
    """uint8 (height, width, 3) as a PNG; the same picture gives the same bytes. Raises ExportError."""
    with replacing(path) as temporary:
        save_png(temporary, picture)


def save_png(path: Path, picture: np.ndarray) -> None:
    """`write_png` straight into `path`; raises OSError."""
    with open(path, "wb") as file:
        Image.fromarray(picture).save(file, format="PNG")


def contact_sheet(pictures: Sequence[np.ndarray], columns: int = SHEET_COLUMNS) -> np.ndarray:
    """uint8 (height, width, 3) pictures of one size, in rows of `columns`, small and with a margin around each."""
    height, width = pictures[0].shape[:2]
    small = min(THUMBNAIL_PX, width), max(1, round(height * min(THUMBNAIL_PX, width) / width))
    columns = min(columns, len(pictures))
    rows = -(-len(pictures) // columns)
    step_x, step_y = small[0] + MARGIN_PX, small[1] + MARGIN_PX
    paper = Image.new("RGB", (columns * step_x + MARGIN_PX, rows * step_y + MARGIN_PX), PAPER)
    for index, picture in enumerate(pictures):
        row, column = divmod(index, columns)
        thumbnail = Image.fromarray(picture).resize(small, Image.Resampling.LANCZOS)
        paper.paste(thumbnail, (MARGIN_PX + column * step_x, MARGIN_PX + row * step_y))
    return np.asarray(paper)


def evenly(count: int, wanted: int) -> list[int]:
    """At most `wanted` of the indices 0 .. count - 1, each in the middle of an equal share; ascending, no two the same."""
    wanted = min(count, wanted)
    return [(2 * k + 1) * count // (2 * wanted) for k in range(wanted)]
