"""The one table of looks: the ways in which a world may be coloured and lit."""

from __future__ import annotations

NATURAL, AS_PRINTED, UNLIT = LOOKS = ("natural", "as-printed", "unlit")
"""In the order in which the key goes through them; the shaders know each look by its index here."""


def next_look(look: str) -> str:
    """The look after `look`, and the first one after the last. Raises ValueError for an unknown look."""
    return LOOKS[(LOOKS.index(look) + 1) % len(LOOKS)]


def in_words() -> str:
    """All looks as a phrase: 'a, b or c'."""
    words = [look.replace("-", " ") for look in LOOKS]
    return f"{', '.join(words[:-1])} or {words[-1]}"
