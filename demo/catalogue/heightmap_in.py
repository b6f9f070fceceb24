"""Height maps from files: PNG of 8 or 16 bits, TIFF of 32 bits, all that Pillow reads, `.npy`, and `.npz` of `grow`."""

from __future__ import annotations

import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..worlds.parameters import ParameterError

if TYPE_CHECKING:
    from PIL.Image import Image

# The most samples along a side: such a terrain takes about 1.3 GB in the show.
MOST_SAMPLES = 8193
# The weights of red, green and blue in luminance (Rec. 709).
LUMINANCE = np.array([0.2126, 0.7152, 0.0722])


def read(file: str) -> np.ndarray:
    """The heights in `file`: float32 (rows, columns), from 0 at the lowest to 1 at the highest. Colour becomes luminance.

    Raises ParameterError, in one line, for a file that is missing, empty, not a picture, one pixel wide, not finite, or too
    large.
    """
    path = Path(file)
    try:
        if path.stat().st_size == 0:
            raise ParameterError(f"the height map {path} is empty: give it a picture")
        values = _reader(path)(path)
    except OSError as error:
        raise ParameterError(f"the height map {path} cannot be read: {error.strerror or 'it is no picture'}") from None
    if not np.isfinite(values).all():
        raise ParameterError(f"the height map {path} has values that are no numbers (NaN or infinite): fill them first")
    low, high = float(values.min()), float(values.max())
    return ((values - low) / max(high - low, 1e-30)).astype(np.float32)


def _reader(path: Path) -> Callable[[Path], np.ndarray]:
    return {".npy": _read_npy, ".npz": _read_npz}.get(path.suffix.lower(), _read_picture)


def _check_size(path: Path, columns: int, rows: int) -> None:
    if min(columns, rows) < 2:
        raise ParameterError(f"the height map {path} is {columns} x {rows} samples: it takes two a side at least")
    if max(columns, rows) > MOST_SAMPLES:
        most = f"{MOST_SAMPLES} x {MOST_SAMPLES}"
        raise ParameterError(f"the height map {path} is {columns} x {rows} samples, more than {most}: make it smaller first")


def _read_picture(path: Path) -> np.ndarray:
    from PIL import Image, UnidentifiedImageError

    try:
        with warnings.catch_warnings():
            # Pillow warns at smaller sizes than ours, which is checked before anything is decoded.
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            with Image.open(path) as picture:
                _check_size(path, *picture.size)
                return _luminance(picture)
    except (UnidentifiedImageError, Image.DecompressionBombError, SyntaxError, ValueError) as error:
        if isinstance(error, ParameterError):
            raise
        raise ParameterError(f"the height map {path} is no picture that can be read: give it a PNG or a TIFF") from None


def _luminance(picture: Image) -> np.ndarray:
    if picture.mode in ("1", "P", "PA", "CMYK", "YCbCr", "LAB", "HSV", "RGBA", "RGBX", "RGBa"):
        picture = picture.convert("RGB")
    values = np.asarray(picture).astype(np.float64)
    if values.ndim == 2:
        return values
    return values[..., :3] @ LUMINANCE if values.shape[2] >= 3 else values[..., 0]


def _read_npy(path: Path) -> np.ndarray:
    try:
        values = np.load(path, mmap_mode="r", allow_pickle=False)
    except (ValueError, EOFError):
        raise ParameterError(f"the height map {path} is no plain numpy array: save it with numpy.save") from None
    return _checked_array(path, values)


def _read_npz(path: Path) -> np.ndarray:
    try:
        with np.load(path, allow_pickle=False) as archive:
            if "heights" not in archive:
                raise ParameterError(f"the height map {path} has no array 'heights': write it with 'grow'")
            values = archive["heights"]
    except (ValueError, EOFError, zipfile.BadZipFile) as error:
        if isinstance(error, ParameterError):
            raise
        raise ParameterError(f"the height map {path} is no archive of numpy arrays: write it with 'grow'") from None
    if values.ndim == 3 and values.shape[0] > 1:
        raise ParameterError(f"the height map {path} is a planet of {values.shape[0]} faces: only a terrain can be flown")
    return _checked_array(path, values[0] if values.ndim == 3 else values)


def _checked_array(path: Path, values: np.ndarray) -> np.ndarray:
    if values.ndim != 2 or values.dtype.kind not in "uif":
        raise ParameterError(f"the height map {path} is {values.dtype} {values.shape}: it takes numbers in rows and columns")
    _check_size(path, values.shape[1], values.shape[0])
    return np.asarray(values, np.float64)
