"""History: the worlds that were shown last, each a small picture that knows its world's code.

A file a world, and no index: processes on several monitors may write at once, and nothing can fall apart. The time of a
world is in the name of its file.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont, UnidentifiedImageError

from ..process.assets import assets
from ..process.user_folders import state_home
from . import files
from .picture import MARGIN_PX, contact_sheet, save_png

MOST = 200
"""So many worlds are remembered. Those that somebody has kept are not counted, and stay."""

KEYWORD = "Landfall world"
KEPT = "-kept"
_TIME = "%Y-%m-%dT%H-%M-%S.%fZ"
_LABEL_PX, _LABEL = 17, (225, 222, 210)
# Where no picture of a sheet says how large the others are.
BLANK_PX = (320, 180)


@dataclass(frozen=True)
class Entry:
    """A world of the history. `time`: when it was seen, in UTC."""

    time: datetime
    code: str
    kept: bool
    path: Path


def folder() -> Path:
    """Where the history is; it need not exist."""
    return state_home() / "landfall" / "history"


def remember(code: str, kept: bool, picture: np.ndarray, now: datetime | None = None) -> Path:
    """Put a world into the history, with a `picture` uint8 (height, width, 3), and forget the oldest ones beyond MOST.

    A world that was in it goes to the end; one that was kept stays kept. `now`: the time, in UTC. Returns the file. Raises
    ExportError or OSError.
    """
    here = folder()
    here.mkdir(mode=0o700, parents=True, exist_ok=True)
    same = [entry for entry in entries() if entry.code == code]
    kept = kept or any(entry.kept for entry in same)
    time = (now or datetime.now(UTC)).strftime(_TIME)
    # Another process may see another world at the same moment.
    path = here / f"{time}-{os.getpid()}{KEPT if kept else ''}.png"
    with files.replacing(path) as temporary:
        save_png(temporary, picture, texts={KEYWORD: code})
    others = [entry for entry in entries() if entry.path != path]
    old = [entry for entry in others if not entry.kept and entry.code != code]
    for entry in [*(entry for entry in others if entry.code == code), *old[: max(len(old) + 1 - MOST, 0)]]:
        entry.path.unlink(missing_ok=True)
    return path


def entries() -> list[Entry]:
    """The worlds of the history, the oldest first. Files that are none of ours, or damaged, are passed over."""
    try:
        paths = sorted(path for path in folder().iterdir() if path.suffix == ".png")
    except OSError:
        return []
    found = (_entry(path) for path in paths)
    return [entry for entry in found if entry is not None]


def _entry(path: Path) -> Entry | None:
    try:
        time = datetime.strptime(path.name.partition("Z")[0] + "Z", _TIME).replace(tzinfo=UTC)
        with Image.open(path) as picture:
            code = picture.info.get(KEYWORD)
    except (OSError, ValueError, SyntaxError, UnidentifiedImageError):
        return None
    return Entry(time, str(code), path.stem.endswith(KEPT), path) if code else None


def sheet(shown: Sequence[Entry]) -> np.ndarray:
    """A contact sheet of some entries, at least one, each with its number from 1: uint8 (height, width, 3).

    The place of a damaged picture is black: the world's code is still good.
    """
    pictures = [_picture(entry) for entry in shown]
    whole = [picture.size for picture in pictures if picture]
    width, height = whole[0] if whole else BLANK_PX
    black = Image.new("RGB", (width, height))
    # Windows of several shapes may have shown them.
    alike = [np.asarray(picture.resize((width, height)) if picture else black) for picture in pictures]
    return contact_sheet([_numbered(picture, str(number)) for number, picture in enumerate(alike, 1)])


def _picture(entry: Entry) -> Image.Image | None:
    try:
        with Image.open(entry.path) as picture:
            return picture.convert("RGB")
    except (OSError, SyntaxError):
        return None


def _numbered(picture: np.ndarray, number: str) -> np.ndarray:
    image = Image.fromarray(picture)
    size = max(_LABEL_PX * picture.shape[1] // 320, 8)
    font = ImageFont.truetype(assets() / "fonts" / "EBGaramond12-Regular.ttf", size)
    at = (MARGIN_PX, picture.shape[0] - MARGIN_PX)
    ImageDraw.Draw(image).text(at, number, _LABEL, font, anchor="ls", stroke_width=2, stroke_fill=(0, 0, 0))
    return np.asarray(image)
