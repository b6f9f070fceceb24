"""Parameters that depend on each other: what is not possible together is one line that names them, never a flat world."""

from __future__ import annotations

import numpy as np
import pytest

from demo.app import cli
from demo.catalogue.generators import GENERATORS, generator
from demo.worlds.parameters import ParameterError

# What is not possible together, and the parameters that the line must name.
IMPOSSIBLE = [
    ("particles", {"box": -0.5}, ("box=-0.5", "cells=512")),
    ("particles", {"box": -0.5, "cells": 8, "particles": 50}, ("box=-0.5", "cells=8")),
    ("particles", {"step": 64, "cells": 64}, ("step=64", "cells=64", "box=0")),
    ("particles", {"step": 64, "cells": 128, "particles": 300}, ("step=64", "cells=128", "box=0")),
    ("particles", {"step": 40, "cells": 256, "height": 1.0}, ("step=40", "cells=256", "box=0")),
    ("particles", {"step": 8, "cells": 64, "box": -0.45}, ("step=8", "cells=64", "box=-0.45")),
    ("particles", {"box": -0.3, "x": 0.0, "size": 0.1}, ("box=-0.3", "x=0")),
    ("particles", {"box": -0.3, "z": 1.0, "size": 0.1}, ("box=-0.3", "z=1")),
    ("particles", {"up": 60, "down": 50}, ("up=60", "down=50")),
    ("particles", {"up": 50, "down": 50}, ("up=50", "down=50")),
    ("particles", {"start": "image"}, ("start=image", "file=PATH")),
    ("simplex", {"low": 0.0, "high": 0.0}, ("low=0", "high=0")),
    ("simplex", {"octaves": 16, "lacunarity": 4.0}, ("octaves=16", "scale=1", "lacunarity=4")),
    ("doublecone", {"gn": 10, "ln": 5}, ("gn=10", "ln=5")),
    ("map", {"gn": 10, "ln": 5}, ("gn=10", "ln=5")),
]


@pytest.mark.parametrize(("name", "given", "named"), IMPOSSIBLE, ids=str)
def test_what_is_not_possible_together_is_refused_by_name(name, given, named):
    with pytest.raises(ParameterError) as raised:
        generator(name).complete(given)
    assert all(word in str(raised.value) for word in named) and "\n" not in str(raised.value)


@pytest.mark.parametrize("words", ["box=-0.5", "step=64"])
def test_the_command_says_one_line_and_writes_nothing(tmp_path, capfd, words):
    out = tmp_path / "flat.npz"
    assert cli.main(["grow", "particles", str(out), "--set", "cells=64", "--set", words]) == 2
    said = capfd.readouterr().err
    assert said.startswith(f"landfall: {words}") and said.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_a_show_is_refused_before_its_window_opens(capfd):
    assert cli.main(["show", "--set", "particles.step=64", "--set", "particles.cells=64"]) == 2
    assert capfd.readouterr().err.startswith("landfall: step=64")
    assert cli.main(["show", "--set", "particles.window.1=disc,2,2,1,1"]) == 2
    assert "no window stands over the map" in capfd.readouterr().err


def test_a_world_code_is_refused_as_well(capfd):
    assert cli.main(["grow", "particles", "out.npz", "--code", "particles-7-1-box=-0.5"]) == 2
    assert "box=-0.5 and cells=512" in capfd.readouterr().err


def test_a_rain_of_which_nothing_lands_is_no_flat_world():
    """Few particles, most of whom meet a wall: what no rule can foresee is told when the last one has died."""
    growth = generator("particles").grow(3, {"cells": 64, "step": 33, "particles": 20})
    growth.advance(growth.total - 1)
    assert not growth.heights.any()
    with pytest.raises(ParameterError, match=r"step=33.* no particle reaches the ground"):
        growth.advance(growth.total)


@pytest.mark.parametrize("step", [1, 4, 16])
def test_what_is_possible_together_is_land(step):
    growth = generator("particles").grow(
        3, {"cells": 64, "step": step, "particles": 20_000, "box": -0.1 if step < 4 else 0.0}
    )
    growth.advance(growth.total)
    assert np.ptp(growth.heights) == pytest.approx(1.0)


def test_defaults_are_possible_together():
    for row in GENERATORS.values():
        row.complete({})
