"""No kernel reads or writes beside an array: all of them run once, on small worlds, compiled with checks of their bounds."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from support.program import ROOT, environment

# All kernels are compiled, which takes two minutes of one core. Checks of bounds need no optimised code, which takes longer.
PATIENCE_S = 1500

pytestmark = pytest.mark.long


def test_every_kernel_keeps_its_bounds_and_an_overrun_is_seen(tmp_path):
    """`support/bounds.py` fails where a planted overrun is not seen, and where a kernel has not run."""
    checked = {"NUMBA_BOUNDSCHECK": "1", "NUMBA_CACHE_DIR": str(tmp_path), "NUMBA_NUM_THREADS": "1", "NUMBA_OPT": "1"}
    checked["PYTHONPATH"] = os.pathsep.join([str(ROOT), str(ROOT / "tests")])
    done = subprocess.run(
        [sys.executable, "-m", "support.bounds"],
        env=environment(**checked),
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    assert "planted overruns were seen" in done.stdout
