"""The tour: what the show would have been, as a film and a contact sheet in the current folder."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ..export import files, picture
from ..export import film as films
from ..hosts import offscreen
from ..process.stderr import say
from .progress import Progress
from .show_options import is_tour, show_options

if TYPE_CHECKING:
    import numpy as np

    from ..show.options import ShowOptions

TOUR_S, TOUR_FPS, TOUR_SIZE, TOUR_SEED = 20.0, 24, (640, 360), 1
TOUR_FILM, TOUR_FRAMES, TOUR_SHEET = "landfall-tour.mp4", "landfall-tour-frames", "landfall-tour.png"
SHEET_PICTURES = 12


def run(arguments: Namespace, problem: str) -> int:
    """Writes the tour, or the one scene that was asked for; `problem` says why there is no window."""
    # Of a film nothing is compiled ahead, whatever command it comes from.
    options = show_options(arguments, tour_seconds=TOUR_S, hold=not is_tour(arguments), paced=False, precompiler=None)
    if options.seed is None:
        options = replace(options, seed=TOUR_SEED)
    mp4 = films.has_av()
    out, sheet = Path(TOUR_FILM if mp4 else TOUR_FRAMES), Path(TOUR_SHEET)
    files.check_place(sheet)
    files.install_signal_handler()
    say(f"{problem}: rendering the tour to {out} and {sheet} instead")
    kept: list[np.ndarray] = []
    pictures = _keeping(frames(options, TOUR_S, TOUR_FPS, TOUR_SIZE, "tour"), kept)
    if mp4:
        films.write_mp4(out, pictures, TOUR_FPS, TOUR_SIZE)
    else:
        films.write_frames(out, pictures, ours=True)
    picture.write_png(sheet, picture.contact_sheet(kept))
    return 0


def _keeping(pictures: Iterator[np.ndarray], kept: list[np.ndarray]) -> Iterator[np.ndarray]:
    """The pictures themselves; those for the contact sheet are also put into `kept`."""
    wanted = set(picture.evenly(round(TOUR_S * TOUR_FPS), SHEET_PICTURES))
    for number, frame in enumerate(pictures):
        if number in wanted:
            kept.append(frame)
        yield frame


def frames(options: ShowOptions, seconds: float, fps: int, size: tuple[int, int], label: str) -> Iterator[np.ndarray]:
    """The pictures of a film, uint8 (height, width, 3), while a bar with that label shows the progress."""
    with Progress(label, max(round(seconds * fps), 1)) as progress:
        yield from progress.over(offscreen.frames(options, seconds, fps, size))
