"""The one table of looks, the ways in which a world is coloured and lit; and how a frame is drawn with one. Plain data."""

from __future__ import annotations

from dataclasses import dataclass

NATURAL, AS_PRINTED, AS_PRINTED_LIT, UNLIT = LOOKS = ("natural", "as-printed", "as-printed-lit", "unlit")
"""In the order in which the key goes through them."""

# The numbers by which the shaders know them: whether printed land is lit is no other program.
_CODES = {NATURAL: 0, AS_PRINTED: 1, AS_PRINTED_LIT: 1, UNLIT: 2}

FLAT, SMOOTH, PRINTED = NORMALS = ("flat", "smooth", "printed")
"""One normal a triangle; those of the land; and "smooth" ones as the plasma article prints them: away from the middle."""


def next_look(look: str) -> str:
    """The look after `look`, and the first one after the last. Raises ValueError for an unknown look."""
    return LOOKS[(LOOKS.index(look) + 1) % len(LOOKS)]


def next_normals(normals: str | None) -> str:
    """The normals after `normals`, in their order and around; after those of a look, None, flat ones."""
    return NORMALS[(NORMALS.index(normals) + 1) % len(NORMALS)] if normals else FLAT


def others_of(scene: str) -> str:
    """What a scene in all looks but the natural one is called where shaders are compiled ahead."""
    return f"{scene} in other looks"


def in_words() -> str:
    """All looks as a phrase: 'a, b or c'."""
    words = [look.replace("-", " ") for look in LOOKS]
    return f"{', '.join(words[:-1])} or {words[-1]}"


@dataclass(frozen=True)
class Look:
    """How a frame is to be shown.

    `name`: one of LOOKS. `normals`: one of NORMALS, None for those of the look. `wireframe`: edges alone. `fine`: for
    machines that can afford it. With more than `triangles`, patches are drawn with half their cells; `coarse` halves them
    anyway. `effects`: False for a machine that is short of time. `isosceles`: the mesh. `borders`: those of rhombi and
    catchments are asked for. `levels`: the levels of detail are coloured. `grouped`: coarser levels have heights of their
    own. `share`: pixels that are drawn along one of the window's, 0..1. `first_tiles`: so many new tiles a frame are made at
    most while the detail is not yet seen. `deferred`: where it can be, the ground is shaded once the mesh is there.
    """

    name: str = NATURAL
    normals: str | None = None
    wireframe: bool = False
    fine: bool = True
    triangles: float = float("inf")
    coarse: bool = False
    effects: bool = True
    isosceles: bool = False
    borders: bool = False
    levels: bool = False
    grouped: bool = False
    share: float = 1.0
    first_tiles: float = float("inf")
    deferred: bool = False

    @property
    def printed(self) -> bool:
        """Whether it is that of the article: its colours, its relief, nothing around it."""
        return self.name in (AS_PRINTED, AS_PRINTED_LIT)

    @property
    def is_plain(self) -> bool:
        """Whether it is the natural one, with the land's own normals and not in lines."""
        return self.name == NATURAL and not self.made_normals and not self.wireframe

    @property
    def made_normals(self) -> bool:
        """Whether the normals are others than the land's own."""
        return self.normals in (FLAT, PRINTED)

    @property
    def code(self) -> int:
        """The number by which the shaders know the look."""
        return _CODES[self.name]
