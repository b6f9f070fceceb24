"""Figures of the articles' pages: `python -m docs.make [PAGE ...]` draws them by the commands that stand beside them.

A command of `docs/articles/PAGE.md` names what it writes: `still NAME.png`, `grow GENERATOR NAME.png` or `map NAME`. The
page refers to the figure of it as `figures/PAGE-NAME.jpg` or `.png`; of a map that is the sheet of the whole planet, and
`figures/PAGE-NAME-03.jpg` its sheet 03. A figure notes the command and the version of the generator that drew it. It is
drawn again when one of them has changed; `--all` draws all, and `--check` only says what is missing or stale.
"""

from __future__ import annotations

import argparse
import re
import shlex
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from demo.catalogue.generators import GENERATORS

ROOT = Path(__file__).resolve().parents[1]
PAGES = ROOT / "docs" / "articles"
WIDEST_PX, JPEG_QUALITY = 720, 86
MOST_BYTES = 3_000_000
PROGRAM = ["python", "main.py"]
BLOCK = re.compile(r"^```\n(.*?)^```", re.DOTALL | re.MULTILINE)
REFERENCE = re.compile(r"!\[(?P<alt>[^\]]*)\]\(figures/(?P<file>[^)]+)\)")
WHOLE_PLANET = "00"
"""The number of a map's sheet that is meant when none is given."""


@dataclass(frozen=True)
class Figure:
    """A figure that a page refers to: its file, its name on the page, its words for who cannot see it, and the command that
    makes it, if any."""

    path: Path
    name: str
    alt: str
    command: tuple[str, ...] | None

    @property
    def stamp(self) -> str:
        """What is noted in the file: the command, and the version of the generator."""
        assert self.command is not None
        name = generator_of(self.command)
        return f"{name}-{GENERATORS[name].version}: {shlex.join((*PROGRAM, *self.command))}"


def pages() -> list[Path]:
    """All pages, by name."""
    return sorted(PAGES.glob("*.md"))


def commands_of(text: str) -> list[tuple[str, ...]]:
    """The commands in a page's blocks of code, without `python main.py`."""
    lines = [shlex.split(line) for block in BLOCK.findall(text) for line in block.splitlines()]
    return [tuple(words[2:]) for words in lines if words[:2] == PROGRAM]


def output_of(command: tuple[str, ...]) -> str:
    """The name of the file or folder that a command writes."""
    return command[2] if command[0] == "grow" else command[1]


def generator_of(command: tuple[str, ...]) -> str:
    """The generator whose world a command draws."""
    if command[0] in ("grow", "map"):
        return command[1] if command[0] == "grow" else "map"
    if "--scene" in command:
        return command[command.index("--scene") + 1]
    return command[command.index("--code") + 1].partition("-")[0] if "--code" in command else "plasma"


def figures_of(page: Path) -> list[Figure]:
    """The figures that a page refers to, in its order."""
    text = page.read_text(encoding="utf-8")
    commands = {Path(output_of(command)).stem: command for command in commands_of(text)}
    figures = []
    for match in REFERENCE.finditer(text):
        name = Path(match["file"]).stem.removeprefix(f"{page.stem}-")
        makers = [output for output in commands if name == output or name.startswith(f"{output}-")]
        command = commands[max(makers, key=len)] if makers else None
        drawn = command if command and _draws(command, name) else None
        figures.append(Figure(page.parent / "figures" / match["file"], name, match["alt"], drawn))
    return figures


def _draws(command: tuple[str, ...], name: str) -> bool:
    """Whether a command makes a picture for the figure NAME: heights as arrays and films are none, and a map is many."""
    output = output_of(command)
    return command[0] == "map" or (output.endswith(".png") and Path(output).stem == name)


def is_stale(figure: Figure) -> bool:
    """Whether the file is not there, or was drawn by another command or version."""
    return not figure.path.is_file() or stamp_in(figure.path) != figure.stamp


def stamp_in(path: Path) -> str:
    """What is noted in a figure's file; empty if there is nothing."""
    with Image.open(path) as image:
        noted = image.info.get("comment", "")
    return noted.decode() if isinstance(noted, bytes) else str(noted)


def problems(of: list[Path] | None = None) -> list[str]:
    """What is wrong with the figures of pages, by default all, one line each."""
    chosen = pages() if of is None else of
    figures = [figure for page in chosen for figure in figures_of(page)]
    found = []
    for figure in figures:
        name = figure.path.name
        if figure.command is None:
            found.append(f"{name}: no command of its page draws it")
        elif is_stale(figure):
            found.append(f"{name}: missing, or drawn by another command or version: run `make docs`")
        if not figure.alt.strip():
            found.append(f"{name}: there are no words for who cannot see it")
    files = [path for page in chosen for path in (page.parent / "figures").glob(f"{page.stem}-*")]
    found += [f"{path.name}: its page does not refer to it" for path in files if path not in {f.path for f in figures}]
    if sum(path.stat().st_size for path in files) > MOST_BYTES:
        found.append(f"the figures have more than {MOST_BYTES:,} bytes")
    return found


def draw(figures: list[Figure]) -> None:
    """Runs the commands of figures, each once, in folders of their own, and writes the figures."""
    by_command: dict[tuple[str, ...], list[Figure]] = {}
    for figure in figures:
        if figure.command is not None:
            by_command.setdefault(figure.command, []).append(figure)
    for command, made in by_command.items():
        print(shlex.join(command), flush=True)
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([sys.executable, str(ROOT / "main.py"), *command], cwd=folder, check=True)
            for figure in made:
                save(figure, picture_of(Path(folder), command, figure))


def picture_of(folder: Path, command: tuple[str, ...], figure: Figure) -> Image.Image:
    """The picture of a figure among what a command wrote into a folder."""
    path = folder / output_of(command)
    if command[0] == "map":
        sheet = figure.name.removeprefix(path.name).removeprefix("-") or WHOLE_PLANET
        [path] = (path / "sheets").glob(f"{sheet}-*.png")
    with Image.open(path) as image:
        image.load()
        return image.convert("RGB") if image.mode != "I;16" else _grey(np.asarray(image))


def _grey(values: np.ndarray) -> Image.Image:
    """Heights of 16 bits as grey; those of an article that has bytes are shown as these bytes."""
    return Image.fromarray((values if values.max() <= 255 else values >> 8).astype(np.uint8))


def save(figure: Figure, picture: Image.Image) -> None:
    """Writes a figure, no wider than WIDEST_PX, with what drew it."""
    figure.path.parent.mkdir(exist_ok=True)
    if picture.width > WIDEST_PX:
        size = WIDEST_PX, round(picture.height * WIDEST_PX / picture.width)
        picture = picture.resize(size, Image.Resampling.LANCZOS)
    if figure.path.suffix == ".png":
        notes = PngInfo()
        notes.add_text("comment", figure.stamp)
        picture.save(figure.path, optimize=True, pnginfo=notes)
    else:
        picture.save(figure.path, quality=JPEG_QUALITY, optimize=True, subsampling=0, comment=figure.stamp.encode())


def main() -> int:
    """Draws what the command line asks for; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m docs.make", description=__doc__.split(": ", 1)[1])
    parser.add_argument("pages", nargs="*", metavar="PAGE", help="as in cuts; all of them unless given")
    parser.add_argument("--all", action="store_true", help="draw those that are not stale, too")
    parser.add_argument("--check", action="store_true", help="draw nothing; say what is missing or stale")
    given = parser.parse_args()
    chosen = [page for page in pages() if not given.pages or page.stem in given.pages]
    if not given.check:
        figures = [figure for page in chosen for figure in figures_of(page) if figure.command]
        draw([figure for figure in figures if given.all or is_stale(figure)])
    found = problems(chosen)
    print("\n".join(found or ["all figures are there, and none is stale"]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
