"""Captions: the words over the picture: the caption of a scene, figures for the curious, the list of keys, and notices."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..render.gl import gpu_memory
from ..render.overlay import Overlay
from ..render.text import GREY, Line, foresee_lines
from ..tables.keys import GROUPS, Situation, help_rows
from ..tables.looks import AS_PRINTED_LIT
from ..worlds import hashing
from .switching import situation_of

if TYPE_CHECKING:
    from ..story.story import Story
    from ..tables.keys import Switches
    from ..tables.looks import Look
    from .notices import Notice
    from .shot import Drawn, Shot

# What stands under the name while no world is there yet.
WAKING, TROUBLED = "worlds are waking", "no world can be grown: it is tried again"
# Sizes in shares of the picture's height.
TITLE, WORDS = 0.036, 0.0235
# A caption that wanders does so over these parts of the room, and one that waits moves every so often.
STREAM, WANDERS, WAITS_S = 151, (0.6, 0.12), 45.0
CAPTION_IN_S, CAPTION_STAYS_S, CAPTION_OUT_S = 1.2, 7.0, 2.5


class Captions:
    """Draws the words over pictures. Main thread only; needs a current OpenGL context."""

    def __init__(self, captioned: bool, scenes: int, wanders: bool = False) -> None:
        """`captioned`: whether scenes have captions. `scenes`: how many there are to choose from.

        `wanders`: each caption has another place, so that none burns into a screen that nobody watches.
        """
        self._captioned, self._scenes, self._wanders, self._overlay = captioned, scenes, wanders, Overlay()

    def draw(self, shot: Shot, drawn: Drawn, frames_a_second: float, look: Look, width: int, height: int) -> None:
        """Draw the caption, and what keys ask for, over a picture of width x height pixels.

        `drawn`: with what it was drawn; `frames_a_second`: of late; `look`: of the picture.
        """
        story = shot.coming if shot.melt else shot.current
        figures = figure_lines(shot.switches, drawn, frames_a_second, story) if shot.switches.figures else None
        if figures:
            self._overlay.draw("figures", figures, 1.0, "top left", width, height, panel=True)
        if self._captioned and story:
            alpha, moved = 1.0 if figures else _caption_alpha(story), self._place(story.seed)
            self._overlay.draw("caption", _caption(story, look), alpha, "bottom left", width, height, moved=moved)
        elif self._captioned:
            alpha = min(shot.clock / 0.6 + 0.3, 1.0)
            # It may stand there all night, where no world can be grown.
            moved = self._place(int(shot.clock / WAITS_S))
            self._overlay.draw("caption", _waiting(shot), alpha, "bottom left", width, height, moved=moved)
        if shot.line:
            self._overlay.draw_line(*shot.line, width, height)
        if shot.switches.help:
            # Over all else: where room is short it needs all of it.
            scene = shot.current.scene if shot.current else None
            keys = key_lines(situation_of(scene, look, shot.flies, self._scenes))
            self._overlay.draw("help", keys, 1.0, "middle", width, height, panel=True)
        # Not in the first picture, which it would hold up.
        if shot.coming and not shot.melt and shot.clock > 0.0:
            foresee_lines(_title(shot.coming, look), width, height)

    def _place(self, seed: int) -> tuple[float, float]:
        """How far to the right and upwards a caption stands from its corner, in parts of the room."""
        if not self._wanders:
            return 0.0, 0.0
        return WANDERS[0] * hashing.uniform(seed, STREAM, 0), WANDERS[1] * hashing.uniform(seed, STREAM, 1)

    def draw_notice(self, notice: Notice, width: int, height: int) -> None:
        """Draw a notice over a picture of width x height pixels."""
        lines = tuple(Line(line, WORDS, GREY) for line in notice.lines)
        self._overlay.draw("notice", lines, notice.alpha, "top right", width, height)

    def free(self) -> None:
        """Free everything; idempotent."""
        self._overlay.free()


def figure_lines(switches: Switches, drawn: Drawn, frames_a_second: float, story: Story | None) -> tuple[Line, ...]:
    """The lines of figures of a picture, and of the world of `story` once there is one."""
    held = f"{gpu_memory.in_use() / 1e6:.0f} MB on the GPU   quality {drawn.quality}"
    if drawn.scale is not None:
        held += f", {100.0 * drawn.scale:.0f} % of its sides"
    lines = [f"{frames_a_second:.0f} frames a second", f"{drawn.triangles:,} triangles", held]
    if story and story.prepared:
        lines += [f"world {story.prepared.code}", f"seed {story.seed}"]
        lines += [f"growth x{switches.rate:g}   look {switches.look}"]
    return tuple(Line(line, WORDS) for line in lines)


def _waiting(shot: Shot) -> tuple[Line, ...]:
    """What stands there before the first world, or while none can be grown."""
    return Line("Landfall", TITLE), Line(TROUBLED if shot.troubled else WAKING, WORDS, GREY)


def _caption(story: Story, look: Look) -> tuple[Line, ...]:
    return *_title(story, look), Line(_work(story), WORDS, GREY)


def _work(story: Story) -> str:
    """How far the world is: so many cuts, or so many years of carving."""
    assert story.prepared is not None
    generator, grown, years = story.scene.generator, story.prepared.grown, story.prepared.years
    count = story.prepared.timeline.count_at(story.t)
    if count < grown:
        return generator.amount(count)
    if count == grown:
        return f"{generator.amount(grown)}, seed {story.seed}"
    passed = float(np.interp(count - grown, np.arange(len(years)), years))
    return f"carved by rivers for {round(passed, -4):,.0f} years, seed {story.seed}"


def _title(story: Story, look: Look) -> tuple[Line, ...]:
    return Line(story.scene.title, TITLE), Line(_source(story, look), WORDS, GREY)


def _source(story: Story, look: Look) -> str:
    source = story.scene.generator.source
    # A picture of heights was printed nowhere.
    if not look.printed or story.scene.needs_file:
        return source
    added = look.name == AS_PRINTED_LIT and not story.scene.printed.lit
    return f"as printed in {source}" + ("; the light is added" if added else "")


def _caption_alpha(story: Story) -> float:
    end = story.scene.birth_s + CAPTION_STAYS_S
    fade = min(story.t / CAPTION_IN_S, (end - story.t) / CAPTION_OUT_S, 1.0)
    return float(max(fade, 0.0)) * 0.92


def key_lines(now: Situation) -> tuple[Line, ...]:
    """The keys that do something now, group by group, in two blocks beside each other."""
    groups = list(GROUPS)
    lines: list[Line] = []
    for group in groups:
        begins = group == groups[len(groups) // 2]
        if lines and not begins:
            lines.append(Line("", 0.5 * WORDS))
        lines.append(Line(group, 1.1 * WORDS, beside=begins))
        for row in help_rows(group, now):
            lines += [Line(row.keys, WORDS), Line(row.text, WORDS, GREY, column=1)]
    return tuple(lines)
