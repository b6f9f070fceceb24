"""`edits.json`: the edits of a map, small enough to be kept beside its world code."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..mapping.edits.edit import ACTS, Edit, EditsError, Round

FILE = "edits.json"
VERSION = 1
MOST_BYTES = 64 << 20


@dataclass(frozen=True)
class Edits:
    """`code`: of the world. `rounds`: each drawn on the map that those before it have made. `sources`: by round, the
    fingerprint of the file that it was read from. `refused`: what could not be read as an edit.
    """

    code: str
    rounds: tuple[Round, ...] = ()
    sources: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()


def text_of(edits: Edits) -> str:
    """The text of `edits.json`."""
    rows = [[_row(edit) for edit in made] for made in edits.rounds]
    parts = [f'"version": {VERSION}', f'"code": {json.dumps(edits.code)}']
    texts = [",\n".join(f"    {json.dumps(row, ensure_ascii=False)}" for row in made) for made in rows]
    rounds = ",\n".join(
        f'  {{"file": {json.dumps(source)}, "edits": [\n{text}\n  ]}}'
        for source, text in zip(edits.sources, texts, strict=True)
    )
    parts.append(f'"rounds": [\n{rounds}\n ]' if rows else '"rounds": []')
    parts.append(f'"not_honoured": {json.dumps(list(edits.refused), ensure_ascii=False, indent=2)}')
    return "{\n " + ",\n ".join(parts) + "\n}\n"


def read(path: Path) -> Edits:
    """Raises EditsError for a file that is none, and OSError."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise ValueError("too large")
        held = json.loads(path.read_text(encoding="utf-8"))
        if held["version"] != VERSION:
            raise EditsError(f"{path} is of version {held['version']}: this program reads version {VERSION}")
        rounds = tuple(tuple(_edit(row) for row in made["edits"]) for made in held["rounds"])
        sources = tuple(str(made["file"]) for made in held["rounds"])
        return Edits(str(held["code"]), rounds, sources, tuple(str(line) for line in held["not_honoured"]))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise EditsError(f"{path} holds no edits of a map: give {FILE} of a map's folder, or a map's file") from None


def fingerprint(path: Path) -> str:
    """The SHA-256 of a file. Raises OSError."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _row(edit: Edit) -> dict[str, Any]:
    """What is not said by default is left out."""
    row: dict[str, Any] = {"thing": edit.thing, "act": edit.act, "at": list(edit.at)}
    if edit.name is not None:
        row["name"] = edit.name
    if edit.height_m is not None:
        row["height_m"] = edit.height_m
    if edit.shape:
        row["shape"] = [[list(place) for place in line] for line in edit.shape]
    if edit.before:
        row["before"] = [list(place) for place in edit.before]
    return row


def _edit(row: dict[str, Any]) -> Edit:
    """Raises ValueError, KeyError or TypeError."""
    if row["act"] not in ACTS[row["thing"]]:
        raise ValueError(row["act"])
    name, height = row.get("name"), row.get("height_m")
    if name is not None and not isinstance(name, str):
        raise ValueError("name")
    shape = tuple(_places(line) for line in row.get("shape", ()))
    high = None if height is None else _number(height, 1e5)
    edit = Edit(row["thing"], row["act"], _places([row["at"]])[0], name, high, shape, _places(row.get("before", ())))
    _check_complete(edit)
    return edit


def _check_complete(edit: Edit) -> None:
    """Raises ValueError where an edit lacks what it needs."""
    drawn = (edit.thing == "coast") or (edit.act == "moved") or (edit.act == "added" and edit.thing != "peak")
    least = 1 if edit.thing == "peak" else 2 if edit.thing == "river" else 3
    if drawn and (not edit.shape or any(len(line) < least for line in edit.shape)):
        raise ValueError("shape")
    if edit.thing == "river" and edit.act in ("moved", "deleted") and len(edit.before) < 2:
        raise ValueError("before")
    if (edit.act == "height" and edit.height_m is None) or (edit.act == "renamed" and not edit.name):
        raise ValueError(edit.act)


def _places(line: Sequence[Any]) -> tuple[tuple[float, float], ...]:
    return tuple((_number(x, 180.0), _number(y, 90.0)) for x, y in line)


def _number(value: Any, most: float) -> float:
    number = float(value)
    if not -most <= number <= most:
        raise ValueError(number)
    return number
