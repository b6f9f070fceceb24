"""The grammar of world codes: how their parts are joined into 'algorithm-version-seed[-name=value...]' and found again.

A value may hold hyphens itself (1e-05, -31.0, the name of a file), so a parameter begins only at a hyphen that a name and
an equals sign follow. Where a value has exactly that inside, its hyphen is written %2D; a % is written %25.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_NAME = r"[A-Za-z_]\w*(?:\.[0-9]+)?="
_BETWEEN_PARAMETERS = re.compile(rf"-(?={_NAME})")
_ESCAPED = re.compile("%2D|%25")
_PLAIN = {"%2D": "-", "%25": "%"}


def joined(name: str, version: int, seed: int, parameters: Iterable[tuple[str, str]]) -> str:
    """The code of these parts; `parameters` are names and values as text, in the order in which they are to stand."""
    pairs = (f"-{parameter}={_escaped(text)}" for parameter, text in parameters)
    return f"{name}-{version}-{seed}" + "".join(pairs)


def split(code: str) -> tuple[list[str], list[tuple[str, str]]]:
    """(algorithm, version and seed as text, names and values as text); the first list is shorter where parts are missing."""
    head, *pairs = _BETWEEN_PARAMETERS.split(code)
    named = (pair.partition("=") for pair in pairs)
    return head.split("-", 2), [(name, _unescaped(text)) for name, _, text in named]


def _escaped(text: str) -> str:
    return _BETWEEN_PARAMETERS.sub("%2D", text.replace("%", "%25"))


def _unescaped(text: str) -> str:
    return _ESCAPED.sub(lambda found: _PLAIN[found[0]], text)
