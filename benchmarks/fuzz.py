"""A long run of the fuzzer (`tests.fuzz`): every kind of odd case in turn, and what must hold for all of them."""

from __future__ import annotations

import os
import subprocess
import sys

from benchmarks.harness import Report

CASES, SEED = 20_000, 1
# The part of the cases that must have grown a world or drawn a picture.
GROWN = 0.2


def run(report: Report) -> None:
    """Runs the cases as the fuzzer's own command line does, and keeps its table."""
    cases = report.rounds(CASES)
    words = ["tests.fuzz", "all", str(cases), str(SEED), "--jobs", str(os.cpu_count() or 1)]
    lines = []
    with subprocess.Popen([sys.executable, "-m", *words], stdout=subprocess.PIPE, text=True) as child:
        for line in child.stdout or ():
            print(line, end="", flush=True)
            lines.append(line)
    rows = [[cell.strip() for cell in line.strip("| \n").split("|")] for line in lines if line.startswith("|")]
    for name, count, made, good, failed, wrong, stopped, slowest, faults in rows[2:]:
        ends = f"status 0: {good}, 1: {failed}, 2: {wrong}, stopped at the work: {stopped}"
        value = f"{count} cases, {made} grew or drew; {ends}; slowest {slowest}; **{faults} faults**"
        report.figure(name, value, "no fault", met=faults == "0")
    done, grown = (int(cell.replace(",", "")) for cell in rows[-1][1:3])
    bar = f"{cases:,}, of which {GROWN:.0%} grow or draw"
    report.figure("cases", f"{done:,}, of which {grown:,}", bar, met=done >= cases and grown >= GROWN * cases)
    report.note("A fault: a traceback, a signal, 60 s, another status than 0, 1 or 2, a second line on stderr, half a file.")
    report.note("Cases are forked from one parent; odd environments and damaged caches are processes of their own.")
