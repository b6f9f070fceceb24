"""The table of map formats: each row leads to a writer, and only a writer's own module needs its packages."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from demo.export.maps import formats
from demo.tables.map_formats import MAP_FORMATS, packages_of

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("name", MAP_FORMATS)
def test_each_row_leads_to_a_writer(name):
    for package in packages_of([name]):
        pytest.importorskip(package)
    writer = formats.writer_of(name)
    assert callable(writer) and writer.__module__ == f"demo.export.maps.{MAP_FORMATS[name].module}"


def test_writers_are_imported_only_when_they_are_wanted():
    code = (
        "import sys; from demo.export.maps import formats; from demo.tables.map_formats import MAP_FORMATS, packages_of\n"
        "formats.writer_of('json')\n"
        "print([package for package in packages_of(MAP_FORMATS) if package in sys.modules])"
    )
    result = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert result.stdout == "[]\n"
