"""Landfall: worlds that grow on screen. `python main.py --help` says what it can do."""

# This file must be readable by any Python, so that an old one is told plainly that it is too old.
import os
import sys

OLDEST = (3, 11)


def main(argv):
    if sys.version_info < OLDEST:
        running, needed = "%d.%d" % sys.version_info[:2], "%d.%d" % OLDEST  # noqa: UP031
        sys.stderr.write("landfall: this is Python %s: run it with Python %s or newer\n" % (running, needed))  # noqa: UP031
        return 1
    if sys.flags.safe_path:
        # By -P, -I or PYTHONSAFEPATH: Python leaves out the folder of the program.
        sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))
    from demo.app import start

    return start.main(argv)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
