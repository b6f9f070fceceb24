"""What is freed goes back to the system, whatever lies around it."""

from __future__ import annotations

import subprocess
import sys

import pytest
from support.program import ROOT, environment

HOLES = """
from demo.process import environment

environment.prepare()
import numpy as np


def resident_mb():
    return next(int(line.split()[1]) / 1024.0 for line in open("/proc/self/status") if line.startswith("VmRSS"))


before = resident_mb()
arrays, kept = [], []
for _ in range(200):
    arrays.append(np.ones(300_000, np.uint8))
    kept.append(np.ones(4_000, np.uint8))
held = resident_mb()
arrays.clear()
print(held - before, resident_mb() - before)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="glibc's allocator is meant")
def test_arrays_of_a_third_of_a_megabyte_leave_no_holes_in_the_heap():
    done = subprocess.run(
        [sys.executable, "-c", HOLES], cwd=ROOT, env=environment(), capture_output=True, text=True, check=True
    )
    held_mb, left_mb = map(float, done.stdout.split())
    assert held_mb > 50.0 and left_mb < 10.0
