"""Numpy's file format, read in two steps: first the header, which says how large the array is, and then the data.

`numpy.load` takes both at once, so that a file from outside could make it unpack gigabytes before anybody has seen its
shape. The format: numpy.lib.format, versions 1.0 to 3.0.
"""

from __future__ import annotations

import io
import math
from dataclasses import dataclass
from typing import IO

import numpy as np

# Twelve bytes of magic and length, and the longest header that numpy accepts by itself.
_HEAD = 12 + 10_000
# Bytes that are unpacked at once.
_CHUNK = 1 << 20
# No axis is longer, and no array has more of them.
_LONGEST, _MOST_AXES = 1 << 62, 32


@dataclass(frozen=True)
class ArrayHeader:
    """What a file says of its array.

    `fortran`: the first index runs fastest. `rest`: the bytes of data that were read along with the header. `available`:
    bytes of the file after the header.
    """

    shape: tuple[int, ...]
    dtype: np.dtype
    fortran: bool
    rest: bytes
    available: int

    @property
    def size(self) -> int:
        """Bytes of the array's data."""
        return math.prod(self.shape) * self.dtype.itemsize

    @property
    def is_whole(self) -> bool:
        """Whether the file is long enough for all the data."""
        return self.size <= self.available


def read_header(stream: IO[bytes], size: int) -> ArrayHeader:
    """The header at the start of `stream`, which is `size` bytes long; reads about 10 kB and not more.

    A damaged header raises almost any exception: it is a Python literal, and numpy parses it as one.
    """
    head = stream.read(_HEAD)
    buffer = io.BytesIO(head)
    version = np.lib.format.read_magic(buffer)
    if version not in ((1, 0), (2, 0), (3, 0)):
        raise ValueError(f"version {version} of the format is not known")
    # Version 3 differs from version 2 in the encoding of field names only.
    parse = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
    try:
        shape, fortran, dtype = parse(buffer)
    except MemoryError:
        # What Python's parser raises at deep nesting.
        raise ValueError("the header is nested too deeply") from None
    if len(shape) > _MOST_AXES or not all(0 <= length < _LONGEST for length in shape):
        raise ValueError("no array has this shape")
    start = buffer.tell()
    return ArrayHeader(tuple(map(int, shape)), dtype, bool(fortran), head[start:], size - start)


def read_data(stream: IO[bytes], header: ArrayHeader) -> np.ndarray:
    """The array after the header, float64 in its shape; its dtype must be a number's. Raises EOFError if it is cut short."""
    data = np.empty(header.size, np.uint8)
    at = min(len(header.rest), header.size)
    data[:at] = np.frombuffer(header.rest, np.uint8, at)
    while at < header.size:
        chunk = stream.read(min(_CHUNK, header.size - at))
        if not chunk:
            raise EOFError("the data end too early")
        data[at : at + len(chunk)] = np.frombuffer(chunk, np.uint8)
        at += len(chunk)
    values = data.view(header.dtype).reshape(header.shape, order="F" if header.fortran else "C")
    return np.asarray(values, np.float64)
