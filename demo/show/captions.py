"""Words over the picture: the caption of a scene, figures for the curious, and the keys."""

from __future__ import annotations

from ..render.text import GREY, Line, Overlay, foresee_lines
from ..story.story import Story
from ..tables import keys

CAPTION_IN_S, CAPTION_STAYS_S, CAPTION_OUT_S = 1.2, 7.0, 2.5


def draw(
    overlay: Overlay,
    story: Story | None,
    waited: float | None,
    with_keys: bool,
    figures: tuple[Line, ...],
    caption: bool,
    width: int,
    height: int,
) -> None:
    """Draw all words over a picture of width x height pixels.

    `story`: the one that is coming, or that is shown; `waited`: seconds that nothing has been shown for, None once
    something is; `figures`: lines of them, if they are asked for: the caption then stays.
    """
    if with_keys:
        overlay.draw("help", _help_lines(), 1.0, "middle", width, height, panel=True)
    if figures:
        overlay.draw("figures", figures, 1.0, "top left", width, height, panel=True)
    if not caption:
        return
    if story is None or story.prepared is None:
        lines = (Line("Landfall", 0.034), Line("worlds are waking", 0.022, GREY))
        alpha = 0.0 if waited is None else min(waited / 0.6 + 0.3, 1.0)
    else:
        lines, alpha = _caption(story), _caption_alpha(story, bool(figures))
    overlay.draw("caption", lines, alpha, "bottom left", width, height)


def foresee(story: Story, height: int) -> None:
    """Make ready what the caption of a story that is coming begins with."""
    foresee_lines(_title(story), height)


def figures(story: Story | None, rate: float, triangles: int, drawn: str, growth: float, look: str) -> tuple[Line, ...]:
    """Lines of figures: frames a second, triangles a frame, `drawn`: with what, and what world this is; `growth`: the factor
    of its speed."""
    lines = [f"{rate:.0f} frames a second", f"{triangles:,} triangles", drawn]
    if story and story.prepared:
        lines += [f"world {story.prepared.code}", f"seed {story.seed}", f"growth x{growth:g}   look {look}"]
    return tuple(Line(line, 0.020) for line in lines)


def _caption(story: Story) -> tuple[Line, ...]:
    generator = story.scene.generator
    count, total = story.prepared.timeline.count_at(story.t), story.prepared.total
    work = f"{count:,} {generator.work}" if count < total else f"{total:,} {generator.work}, seed {story.seed}"
    return *_title(story), Line(work, 0.021, GREY)


def _title(story: Story) -> tuple[Line, ...]:
    return Line(story.scene.title, 0.034), Line(story.scene.generator.source, 0.021, GREY)


def _caption_alpha(story: Story, always: bool) -> float:
    end = story.scene.birth_s + CAPTION_STAYS_S
    fade = min(story.t / CAPTION_IN_S, (end - story.t) / CAPTION_OUT_S, 1.0)
    return 1.0 if always else float(max(fade, 0.0)) * 0.92


def _help_lines() -> tuple[Line, ...]:
    lines = [Line("Keys", 0.030)]
    for names, text in keys.HELP:
        lines += [Line(names, 0.020), Line(text, 0.020, GREY, column=1)]
    return tuple(lines)
