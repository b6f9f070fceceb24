"""The start of the program: of the installed command `landfall`, of `main.py`, and of `python -m` with this module."""

from __future__ import annotations

import sys

INTERRUPTED = 130


def main(argv: list[str] | None = None) -> int:
    """Does what `argv` asks for, or the words of this process, and returns the exit status."""
    try:
        # The environment must be set before anything else is imported.
        from ..process import environment

        environment.prepare()
        from . import cli

        return cli.main(sys.argv[1:] if argv is None else argv)
    except KeyboardInterrupt:
        return INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())
