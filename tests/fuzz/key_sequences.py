"""Keys, pointer and wheel in a window, through SDL's queue: any of them in any order, held, let go and repeated."""

from __future__ import annotations

from random import Random

import pygame

from demo.scenes.scenes import ROTATION
from demo.tables.keys import ACTIONS

from . import values
from .case import Case

FRAMES = 24
SMALL = {"plasma": "cells=32", "cuts": "cells=8", "particles": "cells=24", "simplex": "cells=8"}
_KEYS = [key for action in ACTIONS for key in action.keys if action.name not in ("quit",)]
# Keys that mean nothing, and those of other programs.
_OTHERS = ("TAB", "RETURN", "DELETE", "F5", "z", "LCTRL", "PRINTSCREEN", "0", "AC_BACK", "UNKNOWN")
_MODS = (0, 0, 0, pygame.KMOD_LCTRL, pygame.KMOD_LALT, pygame.KMOD_SHIFT, pygame.KMOD_NUM, pygame.KMOD_META)

Event = tuple[str, dict]


def make(random: Random) -> Case:
    """A show in a small window, and what somebody's hands, or a cat, do to it."""
    words = ["show", "--scene", random.choice(ROTATION), "--seed", str(values.seed(random)), "--fps", "240"]
    words += ["--size", random.choice(("64x48", "96x54", "160x90")), "--quality", "software"]
    words += [word for scene, value in SMALL.items() for word in ("--set", f"{scene}.{value}")]
    words += [word for scene in ("doublecone", "map") for word in ("--set", f"{scene}.gn=3")]
    words += random.choice(([], [], ["--calm"], ["--look", "unlit"], ["--saver"]))
    script = [[event for _ in range(random.choice((0, 0, 1, 1, 2, 6))) for event in _event(random)] for _ in range(FRAMES)]
    if "--saver" in words:
        script = [[event for event in frame if event[0] == "USEREVENT"] for frame in script]
    return Case(words, script=script)


def _event(random: Random) -> list[Event]:
    kind = random.random()
    if kind < 0.8:
        name = random.choice(_KEYS) if random.random() < 0.92 else random.choice(_OTHERS)
        return _pressed(random, getattr(pygame, f"K_{name}"))
    place = (random.randrange(-50, 400), random.randrange(-50, 300))
    if kind < 0.88:
        return [
            ("MOUSEMOTION", {"pos": place, "rel": (random.randrange(-999, 999), 3), "buttons": (0, 0, 0), "touch": False})
        ]
    if kind < 0.93:
        turn = random.choice((-1, 1, 100, -10_000, 0))
        return [("MOUSEWHEEL", {"x": 0, "y": turn, "precise_x": 0.0, "precise_y": float(turn), "flipped": False})]
    if kind < 0.96:
        return [(random.choice(("MOUSEBUTTONDOWN", "MOUSEBUTTONUP")), {"pos": place, "button": random.randrange(1, 9)})]
    return [(random.choice(("WINDOWFOCUSLOST", "WINDOWFOCUSGAINED", "WINDOWEXPOSED", "USEREVENT", "WINDOWLEAVE")), {})]


def _pressed(random: Random, key: int) -> list[Event]:
    """A press with its release, or one without the other."""
    character = chr(key) if 32 <= key < 127 else ""
    values_of = {"key": key, "mod": random.choice(_MODS), "unicode": random.choice((character, character, "", "+", "é"))}
    down, up = ("KEYDOWN", values_of), ("KEYUP", {**values_of, "unicode": ""})
    return random.choice(([down, up], [down, up], [down, up], [down], [up], [down, down, up]))
