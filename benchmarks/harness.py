"""What all benchmarks share: interleaved timing, and a report that is printed as a table and kept in results.md.

A benchmark is a module `benchmarks/NAME.py` with one function, and a row in `benchmarks/__main__.py`:

    def run(report: Report) -> None:
        times = interleave({"ours": lambda: ours(x), "brute force": lambda: brute(x)}, report.rounds(9))
        report.compare("500 x 250, 10,000 cuts", times, "ours", "brute force", at_least=38)   # a ratio and its bar
        report.figure("mismatches with float64", "0", met=count == 0)                         # anything else
        report.note("One thread each.")                                                       # a line under the table

`interleave` runs A B A B ..., so that a machine whose speed drifts affects both alike. A ratio is the median of the rounds'
ratios, not the ratio of the medians. A candidate is a callable that is timed here, or a `Clocked` one, which returns its
own seconds, as of a child process. Each is called once untimed first, for compilation and caches.
"""

from __future__ import annotations

import datetime
import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).parent
RESULTS = HERE / "results.md"
BUILD = HERE / "build"
HEADER = """# Results

Kept by `python -m benchmarks`; a run of a benchmark replaces its section. Times are medians. Candidates take turns, and a
ratio is the median over the rounds. Absolute times drift with the machine: trust the ratios.
"""


@dataclass(frozen=True)
class Clocked:
    """A candidate that measures itself: `call()` returns the seconds it took."""

    call: Callable[[], float]


Candidate = Callable[[], object] | Clocked
Times = dict[str, list[float]]


def interleave(candidates: Mapping[str, Candidate], rounds: int, warm_up: bool = True) -> Times:
    """Seconds of each candidate in each round: {name: [seconds] * rounds}."""
    if warm_up:
        for candidate in candidates.values():
            seconds_of(candidate)
    times: Times = {name: [] for name in candidates}
    for _ in range(rounds):
        for name, candidate in candidates.items():
            times[name].append(seconds_of(candidate))
    return times


def ratio(times: Times, ours: str, other: str) -> float:
    """By what factor `other` takes longer than `ours`: the median over the rounds."""
    return statistics.median(b / a for a, b in zip(times[ours], times[other], strict=True))


def compile_cpp(source: str, *flags: str) -> Path | None:
    """Builds benchmarks/`source` with `g++ -O3`; the program in benchmarks/build/, or None without a compiler."""
    BUILD.mkdir(exist_ok=True)
    program = BUILD / Path(source).stem
    try:
        subprocess.run(["g++", "-O3", *flags, "-o", str(program), str(HERE / source)], check=True)
    except FileNotFoundError:
        return None
    return program


def format_seconds(seconds: float) -> str:
    """Three significant digits in s, ms or us."""
    for unit, scale in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= scale:
            return f"{seconds / scale:.3g} {unit}"
    return f"{seconds * 1e6:.3g} us"


def format_ratio(value: float) -> str:
    """Three significant digits below a thousand, whole numbers from there on: '12.3x', '1,800x'."""
    return f"{value:.3g}x" if value < 999.5 else f"{value:,.0f}x"


@dataclass
class Report:
    """One section of results.md. `asked`: the number of rounds that --count gives."""

    name: str
    title: str
    quick: bool = False
    asked: int | None = None
    rows: list[tuple[str, str, str, str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    all_met: bool = True

    def rounds(self, count: int) -> int:
        """`count`, or a third of it (at least one) with --quick, or what --count asks for."""
        return self.asked or (max(1, count // 3) if self.quick else count)

    def compare(self, what: str, times: Times, ours: str, other: str, at_least: float | None = None) -> float:
        """A row that compares `ours` with `other`; returns the ratio. `at_least`: the bar that it must reach."""
        value = ratio(times, ours, other)
        a, b = (format_seconds(statistics.median(times[name])) for name in (ours, other))
        bar = "" if at_least is None else f"at least {at_least:g}x"
        self._row(what, f"{ours} {a}, {other} {b}: **{format_ratio(value)}**", bar, at_least is None or value >= at_least)
        return value

    def figure(self, what: str, value: str, bar: str = "", met: bool = True) -> None:
        """A row with any other figure, and whether it meets its bar."""
        self._row(what, value, bar, met)

    def note(self, text: str) -> None:
        """A line under the table."""
        self.notes.append(text)
        print(f"  {text}", flush=True)

    def save(self, order: list[str]) -> None:
        """Replaces this section in results.md, whose sections are in the order given."""
        sections = _read_sections()
        sections[self.name] = self._markdown()
        known = [name for name in order if name in sections]
        RESULTS.write_text("\n".join([HEADER, *(sections[name] for name in known)]), encoding="utf-8")

    def _row(self, what: str, value: str, bar: str, met: bool) -> None:
        verdict = ("met" if met else "MISSED") if bar else ""
        self.all_met &= met
        self.rows.append((what, value, bar, verdict))
        print(f"  {what:<42} {value.replace('**', ''):<60} {bar} {verdict}", flush=True)

    def _markdown(self) -> str:
        lines = [f"<!-- section {self.name} -->", f"## {self.title}", "", machine() + (", quick run" if self.quick else "")]
        lines += ["", "| what | measured | bar | |", "|---|---|---|---|"]
        lines += ["| " + " | ".join(row) + " |" for row in self.rows]
        return "\n".join(lines + ([""] + [f"- {note}" for note in self.notes] if self.notes else [])) + "\n"


def machine() -> str:
    """Date, processor and versions, for the head of a section."""
    parts = [datetime.date.today().isoformat(), _processor(), f"Python {platform.python_version()}"]
    parts += [f"{name} {sys.modules[name].__version__}" for name in ("numpy", "numba") if name in sys.modules]
    return ", ".join(parts)


def _processor() -> str:
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
        return next(line.split(":", 1)[1].strip() for line in text.splitlines() if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def seconds_of(candidate: Candidate) -> float:
    """The seconds that one call takes."""
    if isinstance(candidate, Clocked):
        return candidate.call()
    start = time.perf_counter()
    candidate()
    return time.perf_counter() - start


def _read_sections() -> dict[str, str]:
    if not RESULTS.exists():
        return {}
    _, *parts = RESULTS.read_text(encoding="utf-8").split("<!-- section ")
    return {part.split(" -->", 1)[0]: ("<!-- section " + part).rstrip("\n") + "\n" for part in parts}


@contextmanager
def display(size: tuple[int, int] = (1920, 1080)) -> Iterator[str]:
    """Runs a virtual X server with a screen of `size`; the name of its display."""
    read, write = os.pipe()
    command = ["Xvfb", "-displayfd", str(write), "-screen", "0", f"{size[0]}x{size[1]}x24", "-nolisten", "tcp", "-noreset"]
    server = subprocess.Popen(command, pass_fds=[write], stderr=subprocess.DEVNULL)
    os.close(write)
    try:
        with os.fdopen(read) as pipe:
            yield ":" + pipe.readline().strip()
    finally:
        server.terminate()
        server.wait()
