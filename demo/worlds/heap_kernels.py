"""Kernels of a 4-ary heap of (key, number) entries in two arrays: the lowest key first, of equal keys the lowest number."""

from __future__ import annotations

import numba

from .kernels import INLINED, OPTIONS


@numba.njit(**INLINED)
def lower(key, at, other_key, other_at):
    """Whether the entry (key, at) comes before another one: by its key, and of equal keys by its number."""
    return key < other_key or (key == other_key and at < other_at)


@numba.njit(**OPTIONS)
def push(heap_key, heap_at, size, key, at):
    """Put (key, at) into a 4-ary heap of `size` entries. The arrays must have room for one more entry."""
    i = size
    while i > 0:
        up = (i - 1) >> 2
        if lower(heap_key[up], heap_at[up], key, at):
            break
        heap_key[i], heap_at[i] = heap_key[up], heap_at[up]
        i = up
    heap_key[i], heap_at[i] = key, at


@numba.njit(**OPTIONS)
def pop(heap_key, heap_at, size):
    """Remove the lowest entry of a 4-ary heap of `size` entries and return its `at`."""
    top = heap_at[0]
    size -= 1
    key, at = heap_key[size], heap_at[size]
    i = 0
    while True:
        child = 4 * i + 1
        if child >= size:
            break
        best = child
        for c in range(child + 1, min(child + 4, size)):
            if lower(heap_key[c], heap_at[c], heap_key[best], heap_at[best]):
                best = c
        if lower(key, at, heap_key[best], heap_at[best]):
            break
        heap_key[i], heap_at[i] = heap_key[best], heap_at[best]
        i = best
    heap_key[i], heap_at[i] = key, at
    return top
