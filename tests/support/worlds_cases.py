"""The parameter sets with which every generator is tested: small worlds, every method, every way the code can branch."""

from __future__ import annotations

from demo.catalogue.generators import GENERATORS
from demo.worlds.parameters import Value

FILE = "FILE"  # stands for the path of a small height map that the test makes

PARAMETER_SETS: dict[str, list[dict[str, Value]]] = {
    "plasma": [
        {"cells": 64},
        {"cells": 32, "edges": "free", "roughness": 0.4},
        {"cells": 32, "edges": "tile", "land": 0.3},
        {"cells": 64, "method": "as-printed"},
        {"cells": 37, "method": "as-printed"},
        {"cells": 50, "edges": "tile"},
        {"cells": 256, "carve": 1.0},
        {"cells": 256, "carve": 1.0, "ice": 1.0},
    ],
    "cuts": [
        {"cells": 24, "cuts": 600},
        {"cells": 15, "cuts": 400, "offset": "off"},
        {"cells": 18, "cuts": 400, "offset": "full"},
        {"cells": 20, "cuts": 400, "atlas": "latlong", "land": "printed"},
        {"cells": 16, "cuts": 300, "atlas": "doublecone"},
        {"cells": 24, "cuts": 300, "carve": 0.6, "age": 2.0, "ice": 0.5},
        {"cells": 20, "cuts": 300, "atlas": "latlong", "carve": 1.0},
        {"cells": 25, "cuts": 300, "atlas": "latlong", "method": "as-printed"},
        {"cells": 12, "cuts": 300, "method": "as-printed", "offset": "on"},
    ],
    "particles": [
        {"cells": 32, "particles": 3000},
        {"cells": 48, "particles": 2000, "preset": "archipelago"},
        {"cells": 32, "particles": 2000, "window.1": "rectangle,0.4,0.5,0.5,0.2", "window.2": "ring,0.6,0.6,0.5,0.5,2,0.5"},
        {"cells": 40, "particles": 2000, "magnetism": 6, "viscosity": 0.8, "breakup": 0.5, "shape": "cone"},
        {"cells": 32, "particles": 600, "method": "as-printed"},
        {"cells": 32, "particles": 2000, "carve": 1.0},
    ],
    "simplex": [
        {"cells": 24},
        {"cells": 24, "carve": 0.6, "ice": 0.5},
        {"cells": 17, "octaves": 3, "land": "printed", "ridges": 0.0, "detail": 0.0},
        {"cells": 16, "method": "as-printed"},
        {"cells": 12, "method": "as-printed", "gain": 1.3, "land": 0.4},
    ],
    "doublecone": [
        {"gn": 4},
        {"gn": 4, "carve": 1.0, "hardness": 0.0},
        {"gn": 3, "ln": 1, "poles": "any"},
    ],
    "map": [
        {"gn": 4},
        {"gn": 3, "ln": 1, "land": 0.5, "poles": "any"},
    ],
    "heightmap": [{"cells": 24, "file": FILE}, {"cells": 24, "file": FILE, "carve": 1.0}],
}


def sets_of(name: str) -> list[dict[str, Value]]:
    """The sets of one generator; a small world for one that has none here yet."""
    has_cells = any(parameter.name == "cells" for parameter in GENERATORS[name].parameters)
    return PARAMETER_SETS.get(name, [{"cells": 16} if has_cells else {}])


def all_cases() -> list[tuple[str, dict[str, Value]]]:
    """(generator, parameters) over the whole table."""
    return [(name, given) for name in GENERATORS for given in sets_of(name)]


def label(case: tuple[str, dict[str, Value]]) -> str:
    """A case's name in the test report."""
    name, given = case
    return "-".join([name, *(f"{key}={value}" for key, value in given.items())])
