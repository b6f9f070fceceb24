"""What must hold for every case, whatever it was: how it ends, what it says, and what it leaves in its folder."""

from __future__ import annotations

import json
import re
import zipfile
import zlib
from pathlib import Path

import numpy as np
from PIL import Image

# The status of a case that was to end where the work begins, and got there.
REACHED = 77
# What no terminal should be sent: control characters but for the end of a line.
_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]")
# What is said of variables that are not followed, before anything goes wrong: a line for each.
_NOTE = re.compile(r"landfall: (NUMBA_NUM_THREADS=.* is no number of threads|others can write NUMBA_CACHE_DIR=).*\n")

Tree = dict[str, tuple]


def tree_of(folder: Path) -> Tree:
    """What lies in a folder: each entry by its path, with what it is and a checksum of its bytes."""
    found: Tree = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if path.is_symlink():
            found[name] = ("link", str(path.readlink()))
        elif path.is_file():
            found[name] = ("file", path.stat().st_size, zlib.crc32(path.read_bytes()))
        else:
            found[name] = ("folder",) if path.is_dir() else ("other",)
    return found


def faults_of_end(status: int | None, said: str, patience_s: float, can_fail: bool, can_speak: bool = True) -> list[str]:
    """What is wrong with how a case ended and with what it said.

    `can_fail`: whether its status may be 1; `can_speak`: whether it has a stderr.
    """
    if status is None:
        return [f"it ran for more than {patience_s:.0f} s"]
    faults = []
    rest = _NOTE.sub("", said)
    lines = rest.splitlines()
    if status < 0:
        faults.append(f"it died by signal {-status}")
    elif status not in (0, 1, 2, REACHED):
        faults.append(f"its status is {status}")
    elif status == 1 and not can_fail:
        faults.append("it failed, and nothing outside of it is to blame")
    if "Traceback" in said:
        faults.append("a traceback")
    elif "a fault of Landfall" in said:
        faults.append("an error that nobody expected")
    if len(rest.split("\n")) > 2 or len(lines) > 1:
        faults.append(f"{len(lines)} lines on stderr")
    if status in (1, 2) and can_speak and not rest.startswith("landfall: "):
        faults.append("an error without its line")
    if _CONTROL.search(said):
        faults.append("control characters on stderr")
    return faults


def faults_of_folder(before: Tree, folder: Path, failed: bool, asked: list[str]) -> list[str]:
    """What is wrong with what a case left behind: with a failure nothing may change, otherwise all that is new is whole.

    Hidden files are those of unfinished work, unless they are among the words that were `asked` for.
    """
    after = tree_of(folder)
    new = [name for name in after if after[name] != before.get(name)]
    gone = [name for name in before if name not in after]
    if failed and (new or gone):
        return [f"it failed and changed {name!r}" for name in (new + gone)[:3]]
    stems = {Path(word).stem for word in asked}
    hidden = [name for name in new if Path(name).name.startswith(".") and Path(name).stem not in stems]
    faults = [f"it left {name!r}" for name in hidden[:3]]
    return faults + [fault for name in new if (fault := _damage(folder / name))][:3]


def _damage(path: Path) -> str | None:
    """Why a new file is not whole; None where it is."""
    if not path.is_file():
        return None
    try:
        _read(path)
    except Exception as error:
        return f"{path.name!r} is not whole: {type(error).__name__} {error}"
    return None


def _read(path: Path) -> None:
    """Reads a file by its ending; raises whatever where it is damaged."""
    if path.suffix == ".npz":
        with zipfile.ZipFile(path) as archive:
            if (damaged := archive.testzip()) is not None:
                raise ValueError(f"{damaged} is damaged")
        with np.load(path, allow_pickle=False) as arrays:
            if not all(np.isfinite(arrays[name]).all() for name in ("heights", "positions", "sea_level")):
                raise ValueError("values that are no numbers")
            if len(arrays["positions"]) != len(arrays["heights"]):
                raise ValueError("as many positions as heights")
    elif path.suffix in (".png", ".tif", ".tiff"):
        with Image.open(path) as picture:
            picture.load()
    elif path.suffix == ".json":
        json.loads(path.read_text(encoding="utf-8"))
    elif path.stat().st_size == 0:
        raise ValueError("it is empty")
