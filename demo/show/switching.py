"""Switching: what a key switches while a scene is shown, what is said of it, and which keys do anything there. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..tables.keys import Situation
from ..tables.looks import AS_PRINTED_LIT, Look

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..scenes.scene import Scene
    from ..tables.keys import Switches


def switched(before: Switches, switch: Callable[[Switches], Switches], scene: Scene | None) -> Switches:
    """The switches after a key. A look is passed over that is the same as the one before it: that of lit land in a scene
    whose article lights it."""
    after = switch(before)
    twins = scene is not None and scene.printed.lit and Look(before.look).printed and Look(after.look).printed
    return switch(after) if twins and before.look != after.look else after


def answer(before: Switches, after: Switches) -> tuple[str, ...]:
    """What is said when switches have changed of which the picture alone does not tell how they stand; may be nothing."""
    lines = []
    if before.look != after.look:
        lines.append(f"look: {after.look.replace('-', ' ')}")
    if before.normals != after.normals:
        lines.append(f"normals: {after.normals}")
    if before.borders != after.borders:
        lines.append(f"borders: {'on' if after.borders else 'off'}")
    if before.rate != after.rate:
        lines.append(f"growth x{after.rate:g}")
    return tuple(lines)


def situation_of(scene: Scene | None, look: Look, flies: bool, scenes: int) -> Situation:
    """What the use of keys depends on while `scene` is shown in `look`. `flies`, `scenes`: as in `Situation`."""
    printed_lit = look.name == AS_PRINTED_LIT or (scene is not None and scene.printed.lit)
    return Situation(
        flies=flies,
        bordered=scene is not None and scene.has_borders,
        shaded=not look.wireframe and (not look.printed or printed_lit),
        scenes=scenes,
    )
