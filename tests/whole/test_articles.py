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


def small(words: list[str]) -> list[str]:
    """The words of a command, for few cells and few pixels."""
    words = [word for word in words if not re.search(r"\bcells=", word)]
    words = [word for k, word in enumerate(words) if not (word == "--set" and words[k + 1 : k + 2] in ([], ["--set"]))]
    if words[0] == "grow":
        return [*words, "--set", "cells=12"]
    scene = words[words.index("--scene") + 1]
    return [*words, "--set", f"{scene}.cells=12", "--size", "64x36", "--quality", "software"]


@pytest.mark.parametrize("words", COMMANDS)
def test_a_command_of_a_page_does_what_it_says(words, tmp_path):
    [name] = [word for word in words if word.endswith((".npz", ".png"))]
    result = landfall(*(str(tmp_path / word) if word == name else word for word in small(words)))
    assert result.returncode == 0, result.stderr
    assert (tmp_path / name).stat().st_size > 100


def test_both_pages_have_commands():
    assert {page.stem for page in PAGES} >= {"cuts", "simplex"}
    assert len(COMMANDS) > 12
