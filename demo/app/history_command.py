"""`history`: the worlds that the show has shown last, as a table and as a contact sheet."""

from __future__ import annotations

import time
from argparse import Namespace
from pathlib import Path

from ..export import history, picture
from ..process.installation import PROGRAM

# On a sheet.
NEWEST = 48


def run(arguments: Namespace) -> int:
    """Prints the table, the newest world last, and writes the sheet that is asked for."""
    path = None if arguments.sheet is None else Path(arguments.sheet)
    if path is not None:
        picture.check(path)
    seen = history.entries()
    if not seen:
        print(f'no world has been shown yet: "{PROGRAM}" shows some')
        return 0
    shown = seen[-NEWEST:]
    numbers = range(len(shown) - len(seen) + 1, len(shown) + 1)
    for number, entry in zip(numbers, seen, strict=True):
        # The system knows zones a day or more from UTC, which datetime refuses.
        when = time.strftime("%Y-%m-%d %H:%M", time.localtime(entry.time.timestamp()))
        print(f"{number if number > 0 else '':>3}  {when}  {'kept' if entry.kept else '    '}  {entry.code}")
    print(f'in {history.folder()}; "{PROGRAM} show --code CODE" shows a world again')
    if path is not None:
        picture.write_png(path, history.sheet(shown))
        print(path)
    return 0
