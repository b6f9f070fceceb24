"""Height maps and pictures from outside: whole ones, and those with bytes changed, moved, doubled or cut off."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from random import Random

import numpy as np
from PIL import Image

from . import values
from .case import Case

_DTYPES = ("<f4", "<f8", ">f8", "<i2", ">u2", "|u1", "|b1", "<f2", "<c16", "<M8[s]", "|O", "|S3", "<i8", "<U4")
_SHAPES = ((2, 2), (0, 4), (4, 0), (1, 9), (9, 1), (3, 3, 3), (1, 5, 5), (6, 4, 4), (7,), (), (2, 300), (300, 2), (33, 47))
_STRANGE = (np.nan, np.inf, -np.inf, 1.7e308, -1.7e308, 3.4e38, -3.4e38, 1e-300, 0.0, 65535.0)


def make(random: Random) -> Case:
    """A file that is flown or grown, mostly spoiled."""
    name = random.choice(tuple(_MAKERS))
    data = _MAKERS[name](random)
    if random.random() < 0.75:
        data = spoiled(random, data)
    # A name that promises another format, now and then.
    file = "map" + (name if random.random() < 0.9 else random.choice((*_MAKERS, ".jpg", ".txt", "", ".PNG", ".gif")))
    cells = [] if random.random() < 0.3 else ["--set", f"cells={random.choice((1, 2, 3, 16, 40))}"]
    if random.random() < 0.2:
        start = ["--set", "start=image", "--set", f"start_height={random.choice((0, 0.05, 1))}", "--set", "particles=200"]
        words = ["grow", "particles", "out.npz", "--set", f"file={file}", *start, *(cells or ["--set", "cells=24"])]
    elif random.random() < 0.04:
        words = ["still", "out.png", "--heightmap", file, "--size", "32x24", "--quality", "software"]
        words += [word.replace("cells", "heightmap.cells") for word in cells]
    else:
        rim = ["--set", f"rim={random.choice((0, 0.07, 0.5))}"] if random.random() < 0.4 else []
        words = ["grow", "heightmap", "out" + random.choice((".npz", ".png", ".tif")), "--set", f"file={file}", *cells, *rim]
    return Case(words, lay=lambda here: _lay(here / file, data))


def _lay(path: Path, data: bytes) -> None:
    path.write_bytes(data)


def hill(rows: int, columns: int) -> np.ndarray:
    """Smooth heights, float64 (rows, columns)."""
    y, x = np.mgrid[0:rows, 0:columns]
    return np.sin(x / 5.0) * np.cos(y / 4.0)


def npy(array: np.ndarray) -> bytes:
    """An array as numpy saves it."""
    stream = io.BytesIO()
    np.lib.format.write_array(stream, array, allow_pickle=False)
    return stream.getvalue()


def _values(random: Random) -> np.ndarray:
    array = hill(random.choice((2, 9, 20)), random.choice((2, 5, 31)))
    if random.random() < 0.3:
        at = random.randrange(array.size)
        array.flat[at : at + random.choice((1, 2, 1000))] = random.choice(_STRANGE)
    return array if random.random() < 0.8 else array[None]


def _npy(random: Random) -> bytes:
    if random.random() < 0.6:
        with np.errstate(all="ignore"):
            return npy(_values(random).astype(random.choice(("<f4", "<f8", ">f8", "<i2", "<f2"))))
    shape, dtype = random.choice(_SHAPES), random.choice(_DTYPES)
    negative = random.random() < 0.1
    shown = tuple(-length for length in shape) if negative else shape
    words = f"{{'descr': {dtype!r}, 'fortran_order': {random.random() < 0.3}, 'shape': {shown!r}, }}"
    if random.random() < 0.15:
        words = words.replace("'", random.choice(('"', "", "''")), 2)
    header = words.encode().ljust(117) + b"\n"
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    return np.lib.format.magic(1, 0) + struct.pack("<H", len(header)) + header + random.randbytes(size)


def _npz(random: Random) -> bytes:
    stream, method = io.BytesIO(), random.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA))
    with zipfile.ZipFile(stream, "w", method) as archive:
        for name in random.sample(
            ("heights.npy", "heights", "depths.npy", "sea_level.npy", "../x.npy"), random.choice((1, 1, 2))
        ):
            archive.writestr(name, random.choice((_npy(random), npy(_values(random)), b"", b"no array")))
    return stream.getvalue()


def _picture(random: Random, form: str) -> bytes:
    array = hill(random.choice((2, 3, 17)), random.choice((2, 8, 31)))
    scaled = (array - array.min()) / max(float(np.ptp(array)), 1e-9)
    made: np.ndarray = random.choice(
        (
            (scaled * 255).astype(np.uint8),
            (scaled * 65535).astype(np.uint16),
            np.repeat((scaled * 255).astype(np.uint8)[..., None], random.choice((3, 4)), axis=2),
            scaled > 0.5,
            scaled.astype(np.float32) if form == "TIFF" else (scaled * 255).astype(np.uint8),
        )
    )
    stream = io.BytesIO()
    more = {"compression": random.choice((None, "tiff_lzw", "tiff_adobe_deflate", "packbits"))} if form == "TIFF" else {}
    Image.fromarray(made).save(stream, format=form, **more)
    return stream.getvalue()


def _png(random: Random) -> bytes:
    if random.random() < 0.8:
        return _picture(random, "PNG")
    columns, rows = (random.choice((0, 1, 2, 300, 8193, 8194, 2**31 - 1, 2**32 - 1)) for _ in range(2))
    head = struct.pack(">IIBBBBB", columns, rows, random.choice((1, 8, 16, 3)), random.choice((0, 2, 3, 4, 6, 9)), 0, 0, 0)
    chunks = (b"IHDR", head), (b"IDAT", zlib.compress(random.randbytes(70))), (b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body)) for name, body in chunks
    )


def _tiff(random: Random) -> bytes:
    return _picture(random, "TIFF")


_MAKERS: dict[str, Callable[[Random], bytes]] = {".npy": _npy, ".npz": _npz, ".png": _png, ".tif": _tiff}


def spoiled(random: Random, data: bytes) -> bytes:
    """`data` with some of its bytes changed, made extreme, cut out, doubled or cut off; most of them near the start."""
    changed = bytearray(data)
    for _ in range(random.randint(1, 5)):
        if not changed:
            break
        at = random.randrange(len(changed))
        at = at % 128 if random.random() < 0.6 else at
        kind = random.randrange(7)
        if kind == 0:
            changed[at] ^= 1 << random.randrange(8)
        elif kind == 1:
            changed[at] = random.randrange(256)
        elif kind == 2:
            extreme = (b"\xff\xff\xff\xff", b"\0\0\0\0", b"\xff\xff\xff\x7f", b"-1, ", b"\x80\0\0\0")
            changed[at : at + 4] = random.choice(extreme)
        elif kind == 3:
            del changed[at : at + random.randint(1, 20)]
        elif kind == 4:
            changed[at:at] = changed[at : at + random.randint(1, 20)]
        elif kind == 5:
            changed[at:at] = values.odd(random).encode(errors="surrogateescape")
        else:
            del changed[max(at, len(changed) // random.choice((2, 3, 50))) :]
    return bytes(changed)
