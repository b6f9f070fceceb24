"""Contact sheets for the eye: `python -m benchmarks.sheets FOLDER [SCENE ...]` draws several seeds of every scene.

Each scene gets a sheet, `FOLDER/SCENE.png`, with a row for each seed, from birth to the end of the flight. Look at it as a
photographer would: dull, noisy, muddy, over-saturated, empty or broken pictures are faults.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from demo.process import environment

IN_BIRTH = (0.3, 0.75)
IN_FLIGHT = (0.08, 0.35, 0.65, 0.95)


def main() -> None:
    """Draws the sheets that the command line names."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.sheets", description=__doc__.split(": ", 1)[1])
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("scenes", nargs="*", metavar="SCENE")
    parser.add_argument("--seeds", type=int, default=6, metavar="N", help="rows")
    parser.add_argument("--width", type=int, default=320, metavar="PIXELS", help="of one picture, 16:9")
    given = parser.parse_args()
    environment.prepare()
    from demo.export import picture
    from demo.hosts import offscreen
    from demo.scenes.scenes import ROTATION

    size = (given.width, given.width * 9 // 16)
    given.folder.mkdir(parents=True, exist_ok=True)
    with offscreen.context(size):
        for scene in given.scenes or ROTATION:
            rows = [still for seed in range(1, given.seeds + 1) for still in _row(scene, seed, size)]
            path = given.folder / f"{scene}.png"
            picture.write_png(path, picture.contact_sheet(rows, columns=len(IN_BIRTH) + len(IN_FLIGHT)))
            print(path, flush=True)


def _row(name: str, seed: int, size: tuple[int, int]) -> list[np.ndarray]:
    from demo.scenes.scenes import SCENES
    from demo.show.options import ShowOptions
    from demo.show.show import Show

    scene = SCENES[name]
    moments = [share * scene.birth_s for share in IN_BIRTH] + [scene.birth_s + share * scene.flight_s for share in IN_FLIGHT]
    show = Show(ShowOptions(scene=name, seed=seed, hold=True, caption=False, paced=False), *size)
    try:
        stills = []
        for moment in moments:
            show.seek(moment)
            stills.append(show.read())
        return stills
    finally:
        show.close()


if __name__ == "__main__":
    main()
