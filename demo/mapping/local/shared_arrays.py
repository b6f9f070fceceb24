"""What the pieces of a stage are made from, as plain arrays and facts, for another process. None of it is code."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, NamedTuple

from ...worlds.atlas import ATLASES
from ...worlds.doublecone.local_mesh import Planet
from .condition_kernels import LakeShapes
from .fine_mesh import FineMesh, Triangles
from .kept_parts import Arrays

# The arrays of a planet, and those of its local mesh beside the triangles and the shapes of lakes.
_PLANET = ("heights_m", "roughness")
_WATERS = ("body", "level_m", "coast", "surface_m", "receiver", "catchment")


class Shared(NamedTuple):
    """`facts`: numbers and words by their names, as JSON has them."""

    arrays: Arrays
    facts: dict[str, Any]

    def parts(self, name: str, kind: type) -> Any:
        """The dataclass or named tuple of arrays that `arrays_of` took apart under a name."""
        return kind(**{field: self.arrays[f"{name}.{field}"] for field in _fields(kind)})


def arrays_of(name: str, parts: Any) -> Arrays:
    """The arrays of a dataclass or named tuple of arrays, under a name."""
    return {f"{name}.{field}": getattr(parts, field) for field in _fields(type(parts))}


def shared_mesh(mesh: FineMesh) -> Shared:
    """A local mesh as arrays and facts."""
    planet = mesh.planet
    arrays = {name: getattr(planet, name) for name in _PLANET} | {name: getattr(mesh, name) for name in _WATERS}
    arrays |= arrays_of("triangles", mesh.triangles) | arrays_of("lakes", mesh.lakes)
    return Shared(arrays, {"seed": planet.seed, "gn": planet.gn, "ln": mesh.ln, "atlas": planet.atlas.name})


def mesh_from(shared: Shared) -> FineMesh:
    """The local mesh that `shared_mesh` took apart."""
    facts, arrays = shared.facts, shared.arrays
    atlas, relief = ATLASES[facts["atlas"]], {name: arrays[name] for name in _PLANET}
    planet = Planet(seed=facts["seed"], gn=facts["gn"], atlas=atlas, **relief)
    triangles, lakes = shared.parts("triangles", Triangles), shared.parts("lakes", LakeShapes)
    return FineMesh(planet, facts["ln"], triangles, lakes=lakes, **{name: arrays[name] for name in _WATERS})


def _fields(kind: type) -> list[str]:
    named = getattr(kind, "_fields", None)
    return list(named) if named else [field.name for field in fields(kind)]
