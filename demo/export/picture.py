"""The one writer of PNG files, and contact sheets of many small pictures."""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from ..worlds.parameters import ParameterError
from .files import check_place, replacing

SHEET_COLUMNS = 4
THUMBNAIL_PX = 320
MARGIN_PX = 8
BACKGROUND = (18, 19, 22)


def check(path: Path) -> None:
    """Raises ParameterError for another ending than a PNG's, and ExportError when none can be written to `path`."""
    if path.suffix.lower() != ".png":
        raise ParameterError(f"{path} is no picture that can be written: end the name in .png")
    check_place(path)


def write_png(path: Path, pixels: np.ndarray) -> None:
    """Writes a PNG, whole or not at all; the same pixels give the same bytes. Raises ExportError.

    `pixels`: uint8 (height, width, 3) in colour, or uint8 or uint16 (height, width) in grey.
    """
    with replacing(path) as temporary:
        save_png(temporary, pixels)


def save_png(
    path: Path,
    pixels: np.ndarray,
    level: int = zlib.Z_DEFAULT_COMPRESSION,
    dpi: float | None = None,
    texts: Mapping[str, str] | None = None,
) -> None:
    """Writes a PNG straight to `path`, which the caller has from `files`; raises OSError.

    `pixels` as for `write_png`; `level` is zlib's, 0..9; `dpi` and `texts`, by keyword, are noted in the file.
    """
    notes = PngInfo()
    for keyword, text in (texts or {}).items():
        notes.add_itxt(keyword, text)
    Image.fromarray(pixels).save(path, format="PNG", compress_level=level, dpi=dpi and (dpi, dpi), pnginfo=notes)


def contact_sheet(pictures: Sequence[np.ndarray], columns: int = SHEET_COLUMNS) -> np.ndarray:
    """Thumbnails in rows of `columns` with a margin around each: uint8 (height, width, 3).

    `pictures`: uint8 (height, width, 3), at least one, all of one size.
    """
    height, width = pictures[0].shape[:2]
    small = min(THUMBNAIL_PX, width), max(1, round(height * min(THUMBNAIL_PX, width) / width))
    columns = min(columns, len(pictures))
    rows = -(-len(pictures) // columns)
    step_x, step_y = small[0] + MARGIN_PX, small[1] + MARGIN_PX
    sheet = Image.new("RGB", (columns * step_x + MARGIN_PX, rows * step_y + MARGIN_PX), BACKGROUND)
    for index, picture in enumerate(pictures):
        row, column = divmod(index, columns)
        thumbnail = Image.fromarray(picture).resize(small, Image.Resampling.LANCZOS)
        sheet.paste(thumbnail, (MARGIN_PX + column * step_x, MARGIN_PX + row * step_y))
    return np.asarray(sheet)


def evenly(count: int, wanted: int) -> list[int]:
    """At most `wanted` of the indices 0 .. count - 1, each in the middle of an equal share: ascending and distinct."""
    wanted = min(count, wanted)
    return [(2 * k + 1) * count // (2 * wanted) for k in range(wanted)]
