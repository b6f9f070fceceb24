"""What the tests of the command line share: the program as a child process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DISPLAYS = ("DISPLAY", "WAYLAND_DISPLAY", "XSCREENSAVER_WINDOW", "SDL_VIDEODRIVER")
PATIENCE_S = 300


def environment(**changes: str) -> dict[str, str]:
    """The present environment without displays, and with `changes`."""
    return {name: value for name, value in os.environ.items() if name not in DISPLAYS} | changes


def landfall(*words: str, cwd: Path | None = None, **changes: str) -> subprocess.CompletedProcess[str]:
    """The finished `python main.py WORDS`, without a display, its output as text."""
    return subprocess.run(
        [sys.executable, str(ROOT / "main.py"), *words],
        cwd=cwd,
        env=environment(**changes),
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
    )


def complaint(result: subprocess.CompletedProcess[str], status: int) -> str:
    """The one error line of a run that failed with `status`; asserts that there was nothing else."""
    assert result.returncode == status, result
    assert result.stderr.startswith("landfall: "), result.stderr
    assert result.stderr.count("\n") == 1 and result.stderr.endswith("\n"), result.stderr
    return result.stderr
