"""Command lines: real ones with words dropped, doubled, swapped and spoiled. They end where the work begins."""

from __future__ import annotations

import shlex
from random import Random

from demo.app.commands import COMMANDS
from demo.app.settings import Setting, settings_of
from demo.catalogue.generators import GENERATORS
from demo.scenes.scenes import SCENES

from . import values
from .case import Case

# What options take, where it is not a number: words that are right, so that the case goes on behind them.
_RIGHT = {
    "scene": (*SCENES, "tour", "nothing"),
    "look": ("natural", "as-printed", "unlit"),
    "quality": ("software", "low", "medium", "high"),
    "size": ("16x16", "64x48", "16384x16384", "17x16"),
    "blocks": ("kept", "file:///dev/null/kept", "memory://x", "nosuch://x", "s3://", "file://", "a::b", "map.txt", ""),
    "edits": ("none.osm", "world.shp", "", "."),
    "formats": ("pbf", "gpkg,tif", "json", "pbf,pbf", "tiles", "site,json", ",", "tif,"),
    "port": ("1", "8000", "65535", "65536"),
    "code": ("plasma-3-7-cells=8", "simplex-5-7-scale=2.0", "map-10-7", "heightmap-4-1", "cuts-5-7-cuts=5"),
    "map": ("none", ".", "/dev/null", ""),
    "heightmap": ("missing.png", ".", "/dev/null", "map.txt"),
    "fps": ("1", "240"),
    "time": ("0", "86400", "30"),
    "seconds": ("0.1", "3600"),
    "at": ("0", "1", "99999999999"),
    "gn": ("1", "10"),
    "ln": ("0", "5"),
}
# Options that wait for somebody outside to end the show.
_ENDLESS = ("saver", "root", "window-id")


def make(random: Random) -> Case:
    """A line from the examples, or one put together from the tables; then a few mistakes in it."""
    examples = [shlex.split(example) for row in COMMANDS.values() for example in row.examples]
    words = list(random.choice(examples)) if random.random() < 0.3 else _line(random)
    for _ in range(random.choice((0, 1, 1, 2, 3))):
        _spoil(random, words)
    return Case(words, stop=True, can_fail=True, lay=lambda here: (here / "map.txt").write_text("no picture"))


def _line(random: Random) -> list[str]:
    name = random.choice(list(COMMANDS))
    words = [name]
    for argument in COMMANDS[name].arguments:
        words.append(random.choice(list(GENERATORS) if argument.name == "name" else ("o.npz", "o.png", "o.mp4", "out")))
    rows = settings_of(name)
    for setting in random.sample(rows, min(len(rows), random.choice((0, 1, 2, 3, 5)))):
        words += _option(random, setting, words)
    return words


def _option(random: Random, setting: Setting, words: list[str]) -> list[str]:
    option = random.choice((setting.option, *setting.aliases))
    if not setting.metavar:
        return [option]
    if setting.name == "set":
        return [option, _pair(random, words)]
    right = _RIGHT.get(setting.name)
    given = random.choice(right) if right and random.random() < 0.7 else str(values.seed(random))
    return [f"{option}={given}"] if random.random() < 0.3 else [option, given]


def _pair(random: Random, words: list[str]) -> str:
    """NAME=VALUE for `grow`, SCENE.NAME=VALUE otherwise."""
    name = words[1] if words[0] == "grow" else random.choice(list(GENERATORS))
    rows = GENERATORS[name].parameters if name in GENERATORS else GENERATORS["plasma"].parameters
    parameter = random.choice(rows)
    right = random.random() < 0.6 and not parameter.path
    text = values.value(random, parameter) if right else values.beyond(random, parameter)
    return f"{parameter.name}={text}" if words[0] == "grow" else f"{name}.{parameter.name}={text}"


def _spoil(random: Random, words: list[str]) -> None:
    """One mistake, as people and scripts make them."""
    at = random.randrange(len(words) + 1)
    kind = random.randrange(7)
    if kind == 0 or not words or at == len(words):
        words.insert(at, values.odd(random))
    elif kind == 1:
        words[at] = values.odd(random)
    elif kind == 2:
        del words[at]
    elif kind == 3:
        words.insert(at, words[at])
    elif kind == 4:
        other = random.randrange(len(words))
        words[at], words[other] = words[other], words[at]
    elif kind == 5:
        words[at] = words[at][: random.randrange(len(words[at]) + 1)]
    else:
        words[at] += random.choice(("=", "x", " ", "-", ".", "\t", "0", "é"))
