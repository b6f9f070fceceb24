"""KINDS: the table of what the fuzzer tries."""

from __future__ import annotations

from . import caches, command_lines, height_maps, key_sequences, places, surroundings, worlds
from .case import Kind

KINDS: dict[str, Kind] = {
    "words": Kind(command_lines.make, 8, "command lines, right ones and spoiled ones, up to where the work begins"),
    "worlds": Kind(worlds.make, 6, "worlds really grown, and some drawn, with parameters at their bounds"),
    "maps": Kind(height_maps.make, 6, "height maps and pictures from outside, whole and damaged"),
    "places": Kind(places.make, 3, "output paths of every sort"),
    "keys": Kind(key_sequences.make, 1, "keys, pointer and wheel in a window, through SDL's queue"),
    "surroundings": Kind(surroundings.make, 1, "environments: homes, displays, locales, libraries, closed streams"),
    "caches": Kind(caches.make, 1, "damaged caches of compiled kernels"),
}
ALL = "all"


def in_turn(kind: str, seed: int) -> str:
    """The kind of a case: `kind` itself, or for ALL the one whose turn it is, by weight."""
    if kind != ALL:
        return kind
    turns = [name for name, row in KINDS.items() for _ in range(row.weight)]
    # Steps that no count of turns divides, so that equal kinds do not follow each other.
    return turns[seed * 7 % len(turns)]
