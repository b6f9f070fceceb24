"""Captions: the words over the picture: the caption of a scene, figures for the curious, the list of keys, and notices."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..render.gl import gpu_memory
from ..render.text import GREY, Line, Overlay, foresee_lines
from ..tables.keys import HELP

if TYPE_CHECKING:
    from ..story.story import Story
    from ..tables.keys import Switches
    from ..tables.looks import Look
    from .notices import Notice
    from .shot import Drawn, Shot

# What stands under the name while no world is there yet.
WAKING, TROUBLED = "worlds are waking", "no world can be grown: it is tried again"
CAPTION_IN_S, CAPTION_STAYS_S, CAPTION_OUT_S = 1.2, 7.0, 2.5


class Captions:
    """Draws the words over pictures. Main thread only; needs a current OpenGL context."""

    def __init__(self, captioned: bool) -> None:
        """`captioned`: whether scenes have captions."""
        self._captioned, self._overlay = captioned, Overlay()

    def draw(self, shot: Shot, drawn: Drawn, frames_a_second: float, look: Look, width: int, height: int) -> None:
        """Draw the caption, and what keys ask for, over a picture of width x height pixels.

        `drawn`: with what it was drawn; `frames_a_second`: of late; `look`: of the picture.
        """
        story = shot.coming if shot.melt else shot.current
        figures = _figure_lines(shot.switches, drawn, frames_a_second, story) if shot.switches.figures else None
        if shot.switches.help:
            self._overlay.draw("help", _key_lines(), 1.0, "middle", width, height, panel=True)
        if figures:
            self._overlay.draw("figures", figures, 1.0, "top left", width, height, panel=True)
        if self._captioned and story:
            alpha = 1.0 if figures else _caption_alpha(story)
            self._overlay.draw("caption", _caption(story, look), alpha, "bottom left", width, height)
        elif self._captioned:
            alpha = min(shot.clock / 0.6 + 0.3, 1.0)
            self._overlay.draw("caption", _waiting(shot), alpha, "bottom left", width, height)
        # Not in the first picture, which it would hold up.
        if shot.coming and not shot.melt and shot.clock > 0.0:
            foresee_lines(_title(shot.coming, look), height)

    def draw_notice(self, notice: Notice, width: int, height: int) -> None:
        """Draw a notice over a picture of width x height pixels."""
        lines = tuple(Line(line, 0.020, GREY) for line in notice.lines)
        self._overlay.draw("notice", lines, notice.alpha, "top right", width, height)

    def free(self) -> None:
        """Free everything; idempotent."""
        self._overlay.free()


def _figure_lines(switches: Switches, drawn: Drawn, frames_a_second: float, story: Story | None) -> tuple[Line, ...]:
    """The lines of figures of a picture, and of the world of `story` once there is one."""
    held = f"{gpu_memory.in_use() / 1e6:.0f} MB on the GPU   quality {drawn.quality}"
    if drawn.scale is not None:
        held += f", {100.0 * drawn.scale:.0f} % of its sides"
    lines = [f"{frames_a_second:.0f} frames a second", f"{drawn.triangles:,} triangles", held]
    if story and story.prepared:
        lines += [f"world {story.prepared.code}", f"seed {story.seed}"]
        lines += [f"growth x{switches.rate:g}   look {switches.look}"]
    return tuple(Line(line, 0.020) for line in lines)


def _waiting(shot: Shot) -> tuple[Line, ...]:
    """What stands there before the first world, or while none can be grown."""
    return Line("Landfall", 0.034), Line(TROUBLED if shot.troubled else WAKING, 0.022, GREY)


def _caption(story: Story, look: Look) -> tuple[Line, ...]:
    assert story.prepared is not None
    generator = story.scene.generator
    count, total = story.prepared.timeline.count_at(story.t), story.prepared.grown
    work = generator.amount(count) if count < total else f"{generator.amount(total)}, seed {story.seed}"
    if count > total:
        years = float(np.interp(count - total, np.arange(len(story.prepared.years)), story.prepared.years))
        work = f"carved by rivers for {round(years, -4):,.0f} years, seed {story.seed}"
    return *_title(story, look), Line(work, 0.021, GREY)


def _title(story: Story, look: Look) -> tuple[Line, ...]:
    source = story.scene.generator.source
    # A picture of heights was printed nowhere.
    printed = look.printed and not story.scene.needs_file
    return Line(story.scene.title, 0.034), Line(f"as printed in {source}" if printed else source, 0.021, GREY)


def _caption_alpha(story: Story) -> float:
    end = story.scene.birth_s + CAPTION_STAYS_S
    fade = min(story.t / CAPTION_IN_S, (end - story.t) / CAPTION_OUT_S, 1.0)
    return float(max(fade, 0.0)) * 0.92


def _key_lines() -> tuple[Line, ...]:
    lines = [Line("Keys", 0.030)]
    for names, text in HELP:
        lines += [Line(names, 0.020), Line(text, 0.020, GREY, column=1)]
    return tuple(lines)
