"""`python -m benchmarks [NAME ...] [--quick] [--count N]`: runs benchmarks, keeps their tables in benchmarks/results.md."""

from __future__ import annotations

import argparse
import importlib
import subprocess
import sys

# (name, module, title) of all benchmarks, in the order of their runs and of results.md.
TABLE = (
    ("cuts", "benchmarks.cuts", "Planet of random plane cuts"),
    ("plasma", "benchmarks.plasma", "Plasma terrain"),
    ("particles", "benchmarks.particles", "Particle deposition"),
    ("simplex", "benchmarks.simplex", "Simplex planet"),
    ("drainage", "benchmarks.drainage", "Drainage"),
    ("carving", "benchmarks.carving", "Carving"),
    ("truth", "benchmarks.truth", "Rivers of carved worlds"),
    ("gullies", "benchmarks.gullies", "Gullies of the detail"),
    ("map", "benchmarks.map", "Planetary map"),
    ("scale", "benchmarks.scale", "Planets by size"),
    ("engines", "benchmarks.engines", "Engines of a map"),
    ("tiles", "benchmarks.tiles", "Tiles and their viewer"),
    ("oracle", "benchmarks.oracle", "Maps read by other people's programs"),
    ("geography", "benchmarks.geography", "Geography of planets"),
    ("ready", "benchmarks.ready", "Worlds ready"),
    ("draw", "benchmarks.draw", "Drawing"),
    ("frames", "benchmarks.frames", "Frames of every scene"),
    ("gpu", "benchmarks.gpu", "Frames on a GPU"),
    ("sharpness", "benchmarks.sharpness", "Sharpness without a GPU"),
    ("eyes", "benchmarks.eyes", "Flashes"),
    ("burn-in", "benchmarks.burn_in", "Burn-in"),
    ("share", "benchmarks.shares", "Python's share of a frame"),
    ("start", "benchmarks.start", "Starting up and running"),
    ("hosted", "benchmarks.hosted", "As a screensaver"),
    ("soak", "benchmarks.soak", "Soak"),
    ("lasting", "benchmarks.lasting", "A long stay on the root window"),
    ("fuzz", "benchmarks.fuzz", "Fuzzer"),
    ("activations", "benchmarks.activations", "Activated by a daemon, ended by a signal"),
)


def main() -> int:
    """Returns 0 when every bar is met and 1 when one is missed; a wrong command line exits with 2."""
    names = [name for name, _, _ in TABLE]
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__.split(": ", 1)[1])
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"one of {', '.join(names)}; none: all of them")
    parser.add_argument("--quick", action="store_true", help="fewer repeats; results.md says so")
    help_ = (
        "N rounds, worlds of the soak, minutes of the long stay or hours of burn-in, in place of each benchmark's own number"
    )
    parser.add_argument("--count", "--worlds", type=int, metavar="N", help=help_)
    given = parser.parse_args()
    if given.count is not None and given.count < 1:
        parser.error("--count takes a number from 1 on")
    for name in given.names:
        if name not in names:
            parser.error(f"there is no benchmark '{name}': there are {', '.join(names)}")
    wanted = [row for row in TABLE if not given.names or row[0] in given.names]
    if len(wanted) == 1:
        return _run(*wanted[0], given.quick, given.count)
    # Each runs in its own process, so that none inherits the threads, memory or OpenGL context of another.
    flags = [*(["--quick"] if given.quick else []), *([f"--count={given.count}"] if given.count else [])]
    return max(subprocess.run([sys.executable, "-m", "benchmarks", name, *flags]).returncode for name, _, _ in wanted)


def _run(name: str, module: str, title: str, quick: bool, count: int | None) -> int:
    from demo.process import environment

    environment.prepare()
    from benchmarks.harness import Report

    report = Report(name, title, quick, count)
    importlib.import_module(module).run(report)
    report.save([row[0] for row in TABLE])
    return 0 if report.all_met else 1


if __name__ == "__main__":
    sys.exit(main())
