"""What power cuts, full disks and tired memory do to a file, by name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path


def _flipped(share: float) -> Callable[[bytes], bytes]:
    def flip(content: bytes) -> bytes:
        place = round(share * (len(content) - 1))
        return content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :]

    return flip


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "emptied": lambda content: b"",
    "one byte": lambda content: content[:1],
    "halved": lambda content: content[: len(content) // 2],
    "last byte lost": lambda content: content[:-1],
    "longer": lambda content: content + b"\0",
    "nulls": lambda content: bytes(len(content)),
    **{f"bit at {share:g}": _flipped(share) for share in (0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 1.0)},
}


def harm(path: Path, damage: str) -> None:
    """Does that damage to a file."""
    path.write_bytes(DAMAGES[damage](path.read_bytes()))
