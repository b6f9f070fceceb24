"""What is freed goes back to the system, whatever lies around it; or it is used again where a process asks for that."""

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


AGAIN = """
import resource
import sys
from demo.process import environment, memory

environment.prepare()
if sys.argv[1] == "reused":
    memory.reuse_memory()
import numpy as np


def piece():
    arrays = [np.ones(size << 20, np.uint8) for size in (4, 24, 8, 12)]


piece()
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(10):
    piece()
print((resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before) * resource.getpagesize() / 2**20)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="glibc's allocator is meant")
def test_arrays_of_pieces_are_cleared_once_where_memory_is_used_again():
    # No huge pages: one fault would stand for 512 of them.
    given = environment() | {"NUMPY_MADVISE_HUGEPAGE": "0"}
    cleared_mb = {}
    for how in ("returned", "reused"):
        done = subprocess.run(
            [sys.executable, "-c", AGAIN, how], cwd=ROOT, env=given, capture_output=True, text=True, check=True
        )
        cleared_mb[how] = float(done.stdout)
    assert cleared_mb["returned"] > 400.0 and cleared_mb["reused"] < 20.0


CODE = """
import sys
from demo.process import memory
from llvmlite import binding


def resident_mb():
    total = 0.0
    wanted = {f"{first:x}-{end:x}" for first, end in memory.pages_of("llvmlite")}
    for line in open("/proc/self/smaps"):
        name, *rest = line.split()
        if not name.endswith(":"):
            counted = name in wanted
        elif name in ("Rss:", "Anonymous:") and counted:
            assert name == "Rss:" or rest[0] == "0", "somebody has written what would be let go of"
            total += int(rest[0]) / 1024.0
    return total


before = resident_mb()
memory.let_go_of_compilers()
left = resident_mb()
binding.parse_assembly("define i32 @one() { ret i32 1 }").verify()
print(before, left, resident_mb())
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Linux tells where code lies")
def test_the_code_of_compilers_is_let_go_of_and_comes_back_when_it_is_run():
    done = subprocess.run(
        [sys.executable, "-c", CODE], cwd=ROOT, env=environment(), capture_output=True, text=True, check=True
    )
    before_mb, left_mb, again_mb = map(float, done.stdout.split())
    assert before_mb > 10.0 and left_mb < 0.1 * before_mb and again_mb > left_mb
