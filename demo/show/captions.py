"""Captions: the words over the picture: the caption of a scene, figures for the curious, the list of keys, and notices."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..render.overlay import Overlay
from ..render.text import GREY, Line, foresee_lines
from ..tables.keys import GROUPS, Situation, help_rows
from ..tables.looks import AS_PRINTED_LIT
from .notices import Notice

if TYPE_CHECKING:
    from ..story.story import Story
    from ..tables.looks import Look

# What stands under the name while no world is there yet.
WAKING, TROUBLED = "worlds are waking", "no world can be grown: it is tried again"
# Sizes in shares of the picture's height.
TITLE, WORDS = 0.036, 0.0235
CAPTION_IN_S, CAPTION_STAYS_S, CAPTION_OUT_S = 1.2, 7.0, 2.5


@dataclass(frozen=True)
class Figures:
    """What the figures tell of a picture.

    `frames_a_second`: of late; `triangles`: in the picture; `gpu_bytes`: held on the GPU; `quality`: a name of QUALITIES;
    `scale`: the share of the picture's sides that is drawn, None without a pace; `growth_rate`: the factor on the speed of
    growth; `look`: one of LOOKS.
    """

    frames_a_second: float
    triangles: int
    gpu_bytes: int
    quality: str
    scale: float | None
    growth_rate: float
    look: str


def draw(
    overlay: Overlay,
    story: Story | None,
    waited_s: float | None,
    situation: Situation | None,
    figures: Figures | None,
    caption: bool,
    look: Look,
    width: int,
    height: int,
    waits: str = WAKING,
) -> None:
    """Draw all words over a picture of width x height pixels.

    `story`: the one that is shown, or that is coming; `waited_s`: how long nothing has been shown, None once something is;
    `situation`: which keys are listed, None for no list. `figures`: None unless they are asked for; with them the caption
    stays. `look`: of the picture. `waits`: the line over an empty picture.
    """
    if figures:
        overlay.draw("figures", figure_lines(figures, story), 1.0, "top left", width, height, panel=True)
    if caption:
        lines, alpha = _caption_now(story, waited_s, bool(figures), look, waits)
        overlay.draw("caption", lines, alpha, "bottom left", width, height)
    if situation:
        # Over all else: where room is short it needs all of it.
        overlay.draw("help", key_lines(situation), 1.0, "middle", width, height, panel=True)


def _caption_now(
    story: Story | None, waited_s: float | None, stays: bool, look: Look, waits: str
) -> tuple[tuple[Line, ...], float]:
    """The lines of the caption, and how opaque they are. `stays`: it does not fade."""
    if story is None or story.prepared is None:
        lines = Line("Landfall", TITLE), Line(waits, WORDS, GREY)
        return lines, 0.0 if waited_s is None else min(waited_s / 0.6 + 0.3, 1.0)
    return _caption(story, look), 1.0 if stays else _caption_alpha(story)


def draw_notice(overlay: Overlay, notice: Notice, width: int, height: int) -> None:
    """Draw a notice over a picture of width x height pixels."""
    lines = tuple(Line(line, WORDS, GREY) for line in notice.lines)
    overlay.draw("notice", lines, notice.alpha, "top right", width, height)


def write_ahead(story: Story, look: Look, width: int, height: int) -> None:
    """Write what the caption of a coming story begins with, so that its first picture need not wait for it."""
    foresee_lines(_title(story, look), width, height)


def figure_lines(figures: Figures, story: Story | None) -> tuple[Line, ...]:
    """The lines of figures of a picture, and of the world of `story` once there is one."""
    drawn = f"{figures.gpu_bytes / 1e6:.0f} MB on the GPU   quality {figures.quality}"
    if figures.scale is not None:
        drawn += f", {100.0 * figures.scale:.0f} % of its sides"
    lines = [f"{figures.frames_a_second:.0f} frames a second", f"{figures.triangles:,} triangles", drawn]
    if story and story.prepared:
        lines += [f"world {story.prepared.code}", f"seed {story.seed}"]
        lines += [f"growth x{figures.growth_rate:g}   look {figures.look}"]
    return tuple(Line(line, WORDS) for line in lines)


def _caption(story: Story, look: Look) -> tuple[Line, ...]:
    assert story.prepared is not None
    generator = story.scene.generator
    count, total = story.prepared.timeline.count_at(story.t), story.prepared.total
    work = generator.amount(count) if count < total else f"{generator.amount(total)}, seed {story.seed}"
    return *_title(story, look), Line(work, WORDS, GREY)


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
