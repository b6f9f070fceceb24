"""Height maps from files: PNG of 8 or 16 bits, TIFF of 32 bits, all that Pillow reads, `.npy`, and `.npz` of `grow`.

The files come from outside. Each is measured before it is unpacked, and a damaged one is refused in one line, whatever its
decoder raises or prints.
"""

from __future__ import annotations

import logging
import threading
import warnings
import zipfile
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..process.stderr import silent_stderr
from ..worlds.parameters import ParameterError
from .numpy_file import ArrayHeader, read_data, read_header

if TYPE_CHECKING:
    from PIL.Image import Image

# The most samples along a side: such a terrain takes about 1.3 GB in the show.
MOST_SAMPLES = 8193
# Larger values would overflow float32, or mark missing data (often with -3.4e38).
LARGEST_VALUE = 1e38
# The weights of red, green and blue in luminance (Rec. 709).
LUMINANCE = np.array([0.2126, 0.7152, 0.0722])
# The compression methods that numpy writes. Of the others, zipfile unpacks gigabytes at a single read.
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
# Without a handler, what Pillow logs about a damaged file would go to stderr.
_NO_LOG = logging.NullHandler()
# Warnings are hidden for the whole process, and two threads that do so would undo each other's work.
_ONE_AT_A_TIME = threading.Lock()


def read(file: str) -> np.ndarray:
    """The heights in `file`: float32 (rows, columns), from 0 at the lowest to 1 at the highest. Colour becomes luminance.

    Raises ParameterError, in one line, for a file that is missing, empty, damaged or not a picture, and for one that is one
    pixel wide, too large, not finite or beyond LARGEST_VALUE; ImportError where Pillow is missing. Warns of nothing.
    """
    path = Path(file)
    with _ONE_AT_A_TIME, warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        values = _values(path)
        low, high = float(values.min()), float(values.max())
    # A NaN anywhere makes both of them NaN.
    if not (np.isfinite(low) and np.isfinite(high)):
        raise ParameterError(f"the height map {path} has values that are no numbers (NaN or infinite): fill them first")
    if max(-low, high) > LARGEST_VALUE:
        raise ParameterError(f"the height map {path} has values beyond {LARGEST_VALUE:g}: fill or scale them first")
    values -= low
    values /= max(high - low, 1e-30)
    return values.astype(np.float32)


def _values(path: Path) -> np.ndarray:
    """The numbers in the file, as they are: float64 (rows, columns). Raises as `read` does."""
    reader, damaged = _READERS.get(path.suffix.lower(), _PICTURE)
    try:
        if path.stat().st_size == 0:
            raise ParameterError(f"the height map {path} is empty: give it a picture")
        return reader(path)
    except (ParameterError, ImportError):
        raise
    except MemoryError:
        raise ParameterError(f"the height map {path} takes more memory than there is: make it smaller first") from None
    except Exception as error:
        # Decoders raise almost anything at damaged bytes, from struct.error to RecursionError.
        if isinstance(error, OSError) and error.strerror:
            damaged = f"cannot be read: {error.strerror}"
        raise ParameterError(f"the height map {path} {damaged}") from None


def _check_size(path: Path, columns: int, rows: int) -> None:
    if min(columns, rows) < 2:
        raise ParameterError(f"the height map {path} is {columns} x {rows} samples: it takes two a side at least")
    if max(columns, rows) > MOST_SAMPLES:
        most = f"{MOST_SAMPLES} x {MOST_SAMPLES}"
        raise ParameterError(f"the height map {path} is {columns} x {rows} samples, more than {most}: make it smaller first")


def _read_picture(path: Path) -> np.ndarray:
    from PIL import Image  # only maps from pictures need Pillow

    logging.getLogger("PIL").addHandler(_NO_LOG)
    try:
        with Image.open(path) as picture:
            _check_size(path, *picture.size)
            if picture.format == "EPS":
                # Pillow would run Ghostscript.
                raise ParameterError(f"the height map {path} is a PostScript program: give it a PNG or a TIFF")
            with silent_stderr() if picture.format == "TIFF" else nullcontext():
                picture.load()
            # Some formats learn their true size only now.
            _check_size(path, *picture.size)
            return _luminance(picture)
    except Image.DecompressionBombError:
        most = f"{MOST_SAMPLES} x {MOST_SAMPLES}"
        raise ParameterError(f"the height map {path} has more samples than {most}: make it smaller first") from None


def _luminance(picture: Image) -> np.ndarray:
    if picture.mode in ("1", "P", "PA", "CMYK", "YCbCr", "LAB", "HSV", "RGBA", "RGBX", "RGBa"):
        picture = picture.convert("RGB")
    values = np.asarray(picture).astype(np.float64)
    if values.ndim == 2:
        return values
    return values[..., :3] @ LUMINANCE if values.shape[2] >= 3 else values[..., 0]


def _read_npy(path: Path) -> np.ndarray:
    with path.open("rb") as stream:
        header = read_header(stream, path.stat().st_size)
        _check_array(path, header, header.shape)
        return read_data(stream, header)


def _read_npz(path: Path) -> np.ndarray:
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
        name = next((name for name in ("heights", "heights.npy") if name in names), None)
        if name is None:
            raise ParameterError(f"the height map {path} has no array 'heights': write it with 'grow'")
        member = archive.getinfo(name)
        if member.compress_type not in _METHODS:
            raise ParameterError(f"the height map {path} is compressed in an unknown way: save it with numpy.savez")
        with archive.open(member) as stream:
            header = read_header(stream, member.file_size)
            shape = header.shape
            if len(shape) == 3 and shape[0] > 1:
                raise ParameterError(f"the height map {path} is a planet of {shape[0]} faces: only a terrain can be flown")
            _check_array(path, header, shape[1:] if len(shape) == 3 and shape[0] == 1 else shape)
            values = read_data(stream, header)
    return values[0] if values.ndim == 3 else values


def _check_array(path: Path, header: ArrayHeader, shape: tuple[int, ...]) -> None:
    """Raises ParameterError unless the array, seen in `shape`, has numbers in rows and columns, and all of them."""
    if len(shape) != 2 or header.dtype.kind not in "uif":
        seen = header.shape if len(header.shape) <= 4 else f"of {len(header.shape)} axes"
        raise ParameterError(f"the height map {path} is {header.dtype.name} {seen}: it takes numbers in rows and columns")
    _check_size(path, shape[1], shape[0])
    if not header.is_whole:
        raise ParameterError(f"the height map {path} ends before its last sample: it was cut short, so write it again")


# The reader of a file by its suffix, and what is said of a file that makes the decoder fail.
_Reader = tuple[Callable[[Path], np.ndarray], str]
_READERS: dict[str, _Reader] = {
    ".npy": (_read_npy, "is no plain numpy array: save it with numpy.save"),
    ".npz": (_read_npz, "is no archive of numpy arrays: write it with 'grow'"),
}
_PICTURE: _Reader = (_read_picture, "is no picture that can be read: give it a PNG or a TIFF")
