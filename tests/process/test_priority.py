"""A screensaver gives way to others."""

from __future__ import annotations

import os
import subprocess
import sys

from demo.process.priority import NICER_BY

ASKS = "import os, subprocess, sys; from demo.process.priority import give_way; give_way(); print(os.nice(0), flush=True); "
CHILD = "subprocess.run([sys.executable, '-c', 'import os; print(os.nice(0))'])"


def test_the_process_and_its_children_give_way():
    done = subprocess.run([sys.executable, "-c", ASKS + CHILD], capture_output=True, text=True, check=True)
    expected = min(os.nice(0) + NICER_BY, 19)
    assert [int(line) for line in done.stdout.split()] == [expected, expected]
