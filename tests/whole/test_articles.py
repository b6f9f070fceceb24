"""The pages about the articles: every command on them runs, made small."""

from __future__ import annotations

import re

import pytest
from support.program import ROOT, landfall

PAGES = sorted((ROOT / "docs" / "articles").glob("*.md"))
COMMANDS = [
    pytest.param(line.split()[2:], id=f"{page.stem}-{line.split()[3]}")
    for page in PAGES
    for block in re.findall(r"```\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    for line in block.splitlines()
]


# The parameter of each generator that makes it small, and its value.
SIZES = {"doublecone": "gn=3", "map": "gn=3"}


def small(words: list[str]) -> list[str]:
    """The words of a command, for few cells and few pixels."""
    words = [word for word in words if not re.search(r"\b(cells|gn)=", word)]
    words = [word for k, word in enumerate(words) if not (word == "--set" and words[k + 1 : k + 2] in ([], ["--set"]))]
    if words[0] == "map":
        # A sheet takes seconds: what it shows is tested with the sheets.
        plain = [word for word in words if word not in ("--gn", "6")]
        return [*plain, "--gn", "3", "--formats", "json"]
    if words[0] == "grow":
        return [*words, "--set", SIZES.get(words[1], "cells=12")]
    scene = words[words.index("--scene") + 1]
    return [*words, "--set", f"{scene}.{SIZES.get(scene, 'cells=12')}", "--size", "64x36", "--quality", "software"]


@pytest.mark.parametrize("words", COMMANDS)
def test_a_command_of_a_page_does_what_it_says(words, tmp_path):
    name = words[2] if words[0] == "grow" else words[1]
    result = landfall(*(str(tmp_path / word) if word == name else word for word in small(words)))
    assert result.returncode == 0, result.stderr
    written = tmp_path / name / "summary.json" if words[0] == "map" else tmp_path / name
    assert written.stat().st_size > 100


def test_pages_have_commands():
    assert {page.stem for page in PAGES} >= {"cuts", "simplex", "doublecone", "levels"}
    assert len(COMMANDS) > 12
