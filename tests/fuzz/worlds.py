"""Worlds that are really grown, at the bounds of their parameters and between them; a few are drawn."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np

from demo.catalogue.generators import GENERATORS
from demo.scenes.scenes import SCENES
from demo.worlds.parameters import NUMBER, Parameter, ParameterError

from . import values
from .case import Case
from .height_maps import hill, npy

# What decides how long a world takes, kept small. All other parameters go to their bounds.
SMALL = {
    "cells": (1, 48),
    "cuts": (1, 1500),
    "particles": (1, 1500),
    "gn": (1, 5),
    "ln": (0, 2),
}
# The same where a picture is drawn: a scene's own values would take seconds.
_DRAWN = {"plasma": 64, "cuts": 24, "particles": 48, "simplex": 24, "heightmap": 24}
_ENDINGS = (".npz", ".png", ".tif")
# Parameters with which a world may be flat, as it was asked for.
_MAY_BE_FLAT = {"height": "0.0", "cells": "1", "step": "1e-09", "start_height": "0.0", "cuts": "1"}


def make(random: Random) -> Case:
    """A world grown to a file, or by its code, or drawn as a picture."""
    name = random.choice(list(GENERATORS))
    given = parameters(random, name)
    kind = random.random()
    if kind < 0.12:
        return _drawn(random, name, given)
    return _grown(random, name, given)


def parameters(random: Random, name: str) -> dict[str, str]:
    """Some parameters of a generator as text: most of them possible, one in twenty not."""
    rows = GENERATORS[name].parameters
    given = {}
    for row in rows:
        if row.name in SMALL or random.random() < 0.35:
            given[row.name.replace(NUMBER, ".1")] = _text(random, name, row)
    if given.get("start") == "image" or name == "heightmap":
        given["file"] = "map.npy"
    if random.random() < 0.1:
        row = random.choice([row for row in rows if row.name not in SMALL and not row.path])
        given[row.name] = values.beyond(random, row)
    return given


def _text(random: Random, name: str, row: Parameter) -> str:
    if row.path:
        return "map.npy"
    if row.reads:
        return random.choice(("disc,0.5,0.5,0.3,0.4", "ring,0.2,0.9,0.5,0.5,2,0.5", "rectangle,0.5,0.5,1,1", "disc,2,2,1,1"))
    return values.value(random, row, *SMALL.get(row.name, (None, None)))


def lay(here: Path) -> None:
    """The height map that parameters name."""
    (here / "map.npy").write_bytes(npy(hill(20, 31)))


def _grown(random: Random, name: str, given: dict[str, str]) -> Case:
    out = "out" + random.choice(_ENDINGS)
    words = ["grow", name, out]
    code = _code(name, given, values.seed(random)) if random.random() < 0.15 else None
    if code:
        words += ["--code", code]
    else:
        words += ["--seed", str(values.seed(random))] if random.random() < 0.8 else []
        words += [word for pair in given.items() for word in ("--set", f"{pair[0]}={pair[1]}")]
    at = random.random() < 0.25
    if at:
        words += ["--at", str(random.choice((0, 1, 2, 3, 7, 100, 10**12)))]
    flat = at or any(given.get(key) == value for key, value in _MAY_BE_FLAT.items())
    return Case(words, lay=lay, check=None if flat or not out.endswith(".npz") else _is_land)


def _code(name: str, given: dict[str, str], seed: int) -> str | None:
    """The world code of these parameters; None where they are not possible."""
    made = GENERATORS[name]
    try:
        return made.code(seed, {row.name: row.parse(given[row.name]) for row in made.parameters if row.name in given})
    except ParameterError:
        return None


def _is_land(here: Path) -> str | None:
    with np.load(here / "out.npz", allow_pickle=False) as arrays:
        return None if np.ptp(arrays["heights"]) > 0.0 else "the world is flat, and nothing was said"


def _drawn(random: Random, name: str, given: dict[str, str]) -> Case:
    if name not in SCENES:
        name = "plasma"
    if name in _DRAWN:
        given["cells"] = str(random.randint(1, _DRAWN[name]))
    size = random.choice(("16x16", "64x48", "17x33", "96x54"))
    words = ["still", "out.png", "--scene", name, "--size", size, "--quality", random.choice(("software", "low", "high"))]
    words += ["--time", random.choice(("0", "0.5", "9", "20", "31.5", "60", "86400"))]
    words += ["--seed", str(values.seed(random)), "--look", random.choice(("natural", "as-printed", "unlit"))]
    words += [word for pair in given.items() for word in ("--set", f"{name}.{pair[0]}={pair[1]}")]
    return Case(words, lay=lay)
