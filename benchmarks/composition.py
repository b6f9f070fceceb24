"""What flights show: `python -m benchmarks.composition [SCENE ...] [--seeds N] [--first SEED]`, a line for each fresh world.

Of the pictures from the end of the growth to the end of the flight, every half second: for how long one composition stays at
most and when, the share of the time in which it stays for over five seconds, the shares of materials, sky between 20 and 45
percent, near ground, and the least clearance. Without an OpenGL context.
"""

from __future__ import annotations

import argparse

import numpy as np

from demo.process import environment

STEP_S, LONG_S, NEAR_M = 0.5, 5.0, 2_500.0


def main() -> None:
    """Prints the lines of the scenes that the command line names, of all by default."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.composition", description=__doc__.split(": ", 1)[0])
    parser.add_argument("scenes", nargs="*", metavar="SCENE")
    parser.add_argument("--seeds", type=int, default=4, metavar="N", help="worlds of each scene")
    parser.add_argument("--first", type=int, default=9401, metavar="SEED", help="the seed of the first")
    given = parser.parse_args()
    environment.prepare()
    from demo.scenes.scenes import ROTATION

    for scene in given.scenes or ROTATION:
        for seed in range(given.first, given.first + given.seeds):
            print(f"{scene} {seed}: {_line(scene, seed)}", flush=True)


def _line(name: str, seed: int) -> str:
    from demo.flight.composition import SKY, alike_for, views_of
    from demo.scenes.scenes import SCENES
    from demo.story.story import Story
    from demo.tables.quality import QUALITIES

    story = Story(SCENES[name], seed, {}, QUALITIES["software"])
    story.prepare()
    carved = story.carved
    assert carved is not None
    t = np.arange(story.scene.grown_s, story.seconds, STEP_S)
    poses = carved.flight.poses(t)
    views = views_of(carved.ground, poses)
    alike, shares = alike_for(views, STEP_S), views.shares()
    sky, longest = shares[:, SKY], int(np.argmax(alike))
    near = (views.away_m[:, -3:] < NEAR_M).mean()
    materials = " / ".join(f"{share:.2f}" for share in shares.mean(axis=0))
    return (
        f"one composition for {alike.max():.1f} s at {t[longest]:.1f} s, over {LONG_S:g} s {(alike > LONG_S).mean():.0%}; "
        f"sky / water / green / rock / snow {materials}; sky wanted {((sky > 0.2) & (sky < 0.45)).mean():.0%}; "
        f"near {near:.0%}; clearance {carved.ground.clearance(poses[:, :3]).min():.0f} m"
    )


if __name__ == "__main__":
    main()
