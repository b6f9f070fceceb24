"""Burn-in: how long a pixel of the show keeps one colour, over hours. `--count N` hours.

Its pictures are seconds apart: that can only take a colour that came back for one that stayed.
"""

from __future__ import annotations

from benchmarks.flashes import BURNS_S, Kept
from benchmarks.harness import Report
from benchmarks.sights import SIZE, Run, pictures

# Hours of the story, and seconds between its pictures.
HOURS, QUICK_HOURS, STEP_S = 8, 1, 8.0


def run(report: Report) -> None:
    """A row for the longest stay of a pixel."""
    hours = report.asked or (QUICK_HOURS if report.quick else HOURS)
    kept, count = Kept(), 0
    how = Run("left alone", STEP_S, 3600.0 * hours, quality="software", quick=report.quick)
    for picture in pictures(how):
        kept.see(picture, count * STEP_S)
        count += 1
    value = f"**{kept.longest_s:.0f} s** of {count} pictures"
    report.figure(f"{how.name}, {hours} h", value, f"at most {BURNS_S:g} s", kept.longest_s <= BURNS_S)
    report.note(f"How long a pixel above 10 % of white stays within 2 % of one colour, in pictures of {SIZE[0]}x{SIZE[1]}.")
    report.note(f"A picture every {STEP_S:g} s, quality {how.quality}.")
    report.note("What came back to its colour between two pictures counts as what kept it.")
