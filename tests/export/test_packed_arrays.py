"""Plain arrays as bytes: what comes out is what went in, and whatever else is given is nothing."""

from __future__ import annotations

import hashlib
import json

import numpy as np
import pytest

from demo.export.packed_arrays import packed, unpacked

GRID = np.arange(24, dtype=np.float64).reshape(4, 6)
ARRAYS = {
    "1.flow": np.array([1.5, -0.0, np.nan], np.float32),
    "number": np.arange(5),
    "asked": np.array([True, False]),
    "none": np.zeros((0, 2), np.int64),
    "one": np.array(3, np.int8),
    "grid": GRID,
    "by columns": np.asfortranarray(GRID),
    "every other": GRID[::2, ::3],
    "other end": np.arange(3, dtype=">i4"),
    "é": np.zeros(1, np.uint16),
}


def test_arrays_come_out_as_they_went_in():
    found = unpacked(b"".join(packed(ARRAYS)))
    assert list(found) == list(ARRAYS)
    for name, values in ARRAYS.items():
        assert found[name].dtype == values.dtype and found[name].shape == values.shape
        assert found[name].tobytes() == values.tobytes()
        # Kernels are compiled for each kind of array.
        assert found[name].flags.writeable and found[name].flags.aligned
        assert found[name].flags.c_contiguous or name == "by columns"
    assert found["by columns"].flags.f_contiguous and not found["by columns"].flags.c_contiguous
    assert unpacked(b"".join(packed({}))) == {}


def test_damaged_bytes_are_nothing():
    data = b"".join(packed({"a": np.arange(3)}))
    for k in range(len(data)):
        assert unpacked(data[:k]) is None
        assert unpacked(data[:k] + bytes([data[k] ^ 4]) + data[k + 1 :]) is None


@pytest.mark.parametrize("values", [np.array([{}], object), np.zeros(2, "i4,f4")], ids=["objects", "records"])
def test_what_is_no_plain_array_is_refused(values):
    with pytest.raises(ValueError, match="odd is no plain array"):
        packed({"odd": values})


HEADS = {
    "objects": [["a", "|O", [1], "C"]],
    "more than there is": [["a", "<f8", [99], "C"]],
    "fewer than none": [["a", "<f8", [-1], "C"]],
    "another order": [["a", "<f8", [1], "X"]],
    "no type": [["a", "code", [1], "C"]],
    "a short row": [["a"]],
    "no rows": 5,
    "a number": [1],
    "no shape": [["a", "<f8", "x", "C"]],
}


@pytest.mark.parametrize("name", HEADS)
def test_heads_that_nobody_writes_are_nothing(name):
    head = json.dumps(HEADS[name]).encode()
    rest = len(head).to_bytes(8, "little") + head + bytes(8)
    assert unpacked(hashlib.sha256(rest).digest() + rest) is None
