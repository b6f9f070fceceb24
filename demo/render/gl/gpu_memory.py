"""Bytes that textures, targets and buffers take on the GPU."""

from __future__ import annotations

# Bytes of each living object, by its kind and its OpenGL name.
_bytes_of: dict[tuple[str, int], int] = {}


def in_use() -> int:
    """Bytes of all textures, targets and buffers, as they were asked for: drivers pad them a little."""
    return sum(_bytes_of.values())


def allocated(kind: str, name: int, size: int) -> None:
    """An object now takes `size` bytes."""
    _bytes_of[kind, name] = size


def released(kind: str, name: int) -> None:
    """An object is deleted."""
    _bytes_of.pop((kind, name), None)


def forget() -> None:
    """Call this when another context becomes current: all objects have gone with the old one."""
    _bytes_of.clear()
