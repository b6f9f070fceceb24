"""Plain arrays as bytes: a checksum, what they are called and how they lie, and their bytes. None of it can be code.

A .npz takes several times as long to be read, because each of its arrays has a header that is parsed as Python.
"""

from __future__ import annotations

import hashlib
import json
from math import prod

import numpy as np

Arrays = dict[str, np.ndarray]
SUM_BYTES, LENGTH_BYTES = hashlib.sha256().digest_size, 8


def packed(arrays: Arrays) -> list[bytes | memoryview]:
    """The parts, whose bytes follow each other. Raises ValueError for arrays of objects or of records."""
    told, parts = [], list[bytes | memoryview]()
    for name, values in arrays.items():
        if values.dtype.hasobject or values.dtype.names:
            raise ValueError(f"{name} is no plain array")
        order = "F" if values.flags.f_contiguous and not values.flags.c_contiguous else "C"
        told.append((name, values.dtype.str, values.shape, order))
        flat = np.ascontiguousarray(values.T if order == "F" else values)
        parts.append(flat.reshape(-1).view(np.uint8).data if flat.size else b"")
    head = json.dumps(told).encode()
    parts = [len(head).to_bytes(LENGTH_BYTES, "little"), head, *parts]
    checksum = hashlib.sha256()
    for part in parts:
        checksum.update(part)
    return [checksum.digest(), *parts]


def unpacked(data: bytes) -> Arrays | None:
    """The arrays of `packed`, each with memory of its own; None for anything else."""
    rest = memoryview(data)[SUM_BYTES:]
    if hashlib.sha256(rest).digest() != data[:SUM_BYTES]:
        return None
    try:
        begin = LENGTH_BYTES + int.from_bytes(rest[:LENGTH_BYTES], "little")
        arrays = Arrays()
        for name, kind, shape, order in json.loads(bytes(rest[LENGTH_BYTES:begin])):
            dtype, count = np.dtype(kind), prod(shape)
            if count < 0:
                return None
            flat = np.frombuffer(rest, dtype, count, begin).copy() if count else np.empty(0, dtype)
            arrays[name] = flat.reshape(shape, order=order)
            begin += count * dtype.itemsize
    except (ValueError, TypeError, IndexError):
        return None
    return arrays
