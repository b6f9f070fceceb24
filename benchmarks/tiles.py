"""Tiles and their viewer: processor time and bytes of the tiles, and how soon Chromium shows them with software GL."""

from __future__ import annotations

import os
import shutil
import statistics
import sys
import tempfile
import threading
import time
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from benchmarks.harness import HERE, Report, format_seconds
from demo.app import view_command
from demo.export.maps.site import viewer_files

ROOT = HERE.parent
SEED, GN, LN = 7, 7, 3
TILES_BAR_S, PICTURE_BAR_S, IDLE_BAR_S, SEARCH_BAR_S, BYTES_BAR = 90.0, 5.0, 8.0, 0.1, 60e6
FLAGS = ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-quic"]
SIZE = {"width": 1280, "height": 800}


def run(report: Report) -> None:
    """Tiles made by child processes; then fresh browsers that open them, one after the other."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "planet"
        processor_s("map", str(out), "--gn", "4", "--ln", "1", "--formats", "tiles,json")
        words = ("map", str(out), "--seed", str(SEED), "--gn", str(GN), "--ln", str(LN), "--formats")
        grown = processor_s(*words, "json")
        tiles = processor_s(*words, "tiles") - grown
        size = sum(path.stat().st_size for path in (out / "tiles").iterdir())
        size += sum(path.stat().st_size for _, path in viewer_files())
        report.figure(
            f"tiles of gn={GN} ln={LN}, processor time",
            format_seconds(tiles),
            f"under {TILES_BAR_S:g} s",
            tiles < TILES_BAR_S,
        )
        report.figure("page with all its data", f"{size / 1e6:.1f} MB", f"under {BYTES_BAR / 1e6:g} MB", size < BYTES_BAR)
        seen = openings(out, report.rounds(5))
    bars = {"first picture": PICTURE_BAR_S, "globe idle": IDLE_BAR_S, "search": SEARCH_BAR_S}
    for (name, bar), values in zip(bars.items(), zip(*seen, strict=True), strict=True):
        median = statistics.median(values)
        report.figure(name, format_seconds(median), f"under {format_seconds(bar)}", median < bar)
    report.note(
        f"Seed {SEED}; Chromium, {SIZE['width']} x {SIZE['height']}, SwiftShader, {len(os.sched_getaffinity(0))} processors."
    )


def processor_s(*words: str) -> float:
    """Seconds of processor time of a run of the program with all its children."""
    line = [sys.executable, str(ROOT / "main.py"), *words]
    with open(os.devnull, "w") as nowhere:
        child = os.posix_spawn(sys.executable, line, os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, nowhere.fileno(), 1)])
    _, status, usage = os.wait4(child, 0)
    if status:
        raise RuntimeError(f"{' '.join(words)} ended with status {os.waitstatus_to_exitcode(status)}")
    return usage.ru_utime + usage.ru_stime


def openings(folder: Path, rounds: int) -> list[tuple[float, float, float]]:
    """(seconds to the first picture, to the idle globe, of a search) in fresh browsers."""
    server = view_command.serving(view_command.tiles_in(folder), None)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    found = []
    with server, sync_playwright() as playwright:
        for _ in range(rounds):
            browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
            found.append(opening(browser, server.url))
            browser.close()
        server.shutdown()
    thread.join()
    return found


def opening(browser: Browser, url: str) -> tuple[float, float, float]:
    """One of `openings`. The first picture is the first that is no background."""
    page = browser.new_page(viewport=SIZE)
    began = time.perf_counter()
    page.goto(url)
    page.wait_for_selector("body[data-drawn]")
    drawn = time.perf_counter() - began
    page.wait_for_selector("body[data-idle]")
    idle = time.perf_counter() - began
    page.get_by_role("combobox").press_sequentially("nola")
    page.get_by_role("option").first.wait_for()
    searches = page.evaluate("performance.getEntriesByName('search').map((entry) => entry.duration)")
    return drawn, idle, max(searches) / 1000.0
