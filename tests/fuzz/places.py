"""Output paths: places that do not exist, that are something else or full, and names with odd characters."""

from __future__ import annotations

import os
import socket
from pathlib import Path
from random import Random

from . import values
from .case import Case

OLD = b"an earlier file"
_PLACES = (
    *(
        "out",
        "folder/out",
        "missing/out",
        "file/out",
        "folder",
        "full",
        "file",
        "link",
        "loop",
        "loop/out",
        "pipe",
        "socket",
    ),
    *(
        "to_folder/out",
        "old",
        "/dev/full",
        "/dev/null",
        "/proc/self/out",
        "/nonexistent/out",
        "./out",
        "folder/../out",
        "~/out",
    ),
    *("closed/out", ".", "..", "...", ".out", "-", "--", "out.", " ", "", "out\n", "\x1b[31mout", "é", "\udcff", "💥", "%s"),
    *(
        "x" * 250,
        "x" * 300,
        "a/" * 60 + "out",
        "con",
        "out:1",
        "out?",
        "{0}",
        "old.json",
        "$HOME",
        "'out'",
        "out\x7f",
        "out\r",
    ),
)
_ENDINGS = (".npz", ".npz", ".png", ".tif", ".tiff", ".NPZ", ".jpg", "", ".mp4", ".npz.", "/", "/.npz", ".png\n", ".txt")
_GROW = ("--set", "cells=4")
_DRAW = ("--scene", "plasma", "--set", "plasma.cells=8", "--size", "16x16", "--quality", "software")


def make(random: Random) -> Case:
    """A small world, picture, film or map, written to an odd place."""
    place = random.choice(_PLACES) + random.choice(_ENDINGS)
    if random.random() < 0.1:
        place = "out" + values.odd(random).replace("/", "") + random.choice(_ENDINGS)
    kind = random.random()
    if kind < 0.9:
        words = ["grow", "plasma", place, *_GROW]
    elif kind < 0.94:
        words = ["still", place, *_DRAW]
    elif kind < 0.97:
        words = ["film", place, *_DRAW, "--seconds", "0.1", "--fps", "20"]
    else:
        words = ["map", place, "--gn", "2", "--ln", "0", "--formats", random.choice(("json", "osm,json", "tif"))]
    # Home must not be where the fuzzer's own user lives.
    return Case(words, lay=lay, can_fail=True, variables={"HOME": "home"} if "~" in place else {})


def lay(here: Path) -> None:
    """What the places are."""
    for name in ("folder", "full", "closed", "full.npz"):
        (here / name).mkdir()
    for name in ("full/other", "file", "old", "old.npz", "old.png", "old.json", "file.npz"):
        (here / name).write_bytes(OLD)
    for name, to in (("link", "missing/out"), ("loop", "loop"), ("to_folder", "folder"), ("link.npz", "old.npz")):
        (here / name).symlink_to(to)
    os.mkfifo(here / "pipe")
    os.mkfifo(here / "pipe.npz")
    with socket.socket(socket.AF_UNIX) as made:
        before = Path.cwd()
        # The path of a socket may have a hundred bytes.
        os.chdir(here)
        made.bind("socket")
        os.chdir(before)
    (here / "closed").chmod(0o500)
