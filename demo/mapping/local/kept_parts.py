"""Finished pieces of a planet's local mesh as plain arrays, and the keys by which somebody may keep them.

A piece depends on what it is made from and on nothing else. So its key is a digest of all of that: of the global mesh with
its relief, waters and rivers, of the local levels, and of the triangles or belts. The same piece is found again whatever
asks for it, and what depends on something else has another key.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import fields
from typing import Any

import numpy as np

from .courses import Network
from .fine_mesh import FineMesh
from .peaks import Summits

# Rises whenever the same global mesh would give other pieces.
VERSION = 1

Arrays = dict[str, np.ndarray]
Keeper = Callable[[str, Callable[[], Arrays]], Arrays]
"""Returns the arrays of a key: those that it has kept, or those that the function makes now."""


def unkept(key: str, make: Callable[[], Arrays]) -> Arrays:
    """A `Keeper` that keeps nothing."""
    return make()


def digest_of(mesh: FineMesh, network: Network, summits: Summits, lakes: tuple[int, int, float], area: np.ndarray) -> str:
    """A digest of all that the pieces of a local mesh are made from; `area`: float64 (lakes,), m^2.

    The shapes of lakes are no part of it: they come from the same.
    """
    waters = mesh.body, mesh.level_m, mesh.coast, mesh.surface_m, mesh.receiver, mesh.catchment, area
    rivers = network.cell, network.feeder, network.flow_m3_s, network.runs
    return digest_of_mesh(mesh, lakes, (*waters, *rivers, summits.point))


def digest_of_mesh(mesh: FineMesh, facts: tuple[Any, ...], arrays: Sequence[np.ndarray]) -> str:
    """A digest of a planet's relief, of the local levels, and of `facts` and `arrays` besides."""
    planet = mesh.planet
    told = hashlib.sha256(repr((VERSION, planet.seed, planet.gn, mesh.ln, planet.atlas.name, facts)).encode())
    for values in (planet.heights_m, planet.roughness, *arrays):
        told.update(repr((values.dtype.str, values.shape)).encode())
        told.update(np.ascontiguousarray(values).data)
    return told.hexdigest()


def key_of(digest: str, kind: str, numbers: np.ndarray) -> str:
    """The key of one piece of a mesh with this digest; `kind`: a word; `numbers`: int64 (k,), of its triangles or belts."""
    return hashlib.sha256(f"{digest} {kind} ".encode() + numbers.astype("<i8").tobytes()).hexdigest()


def flat(parts: Sequence[Any]) -> Arrays:
    """The arrays of dataclasses of arrays, by names that tell which of them and which field."""
    return {f"{k}.{field.name}": getattr(part, field.name) for k, part in enumerate(parts) for field in fields(part)}


def unflat(kinds: Sequence[type], arrays: Arrays) -> list[Any]:
    """What `flat` took apart; `kinds`: the dataclasses."""
    return [kind(**{field.name: arrays[f"{k}.{field.name}"] for field in fields(kind)}) for k, kind in enumerate(kinds)]
