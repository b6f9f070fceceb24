"""The pages about the articles: every command on them runs, made small."""

from __future__ import annotations

import re

import pytest
from support.program import ROOT, landfall

from demo.app import cli

PAGES = sorted((ROOT / "docs" / "articles").glob("*.md"))
COMMANDS = [
    pytest.param(line.split()[2:], id=f"{page.stem}-{line.split()[3]}")
    for page in PAGES
    for block in re.findall(r"```\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    for line in block.splitlines()
]


def small(words: list[str]) -> list[str]:
    """The words of a command, for few cells and few pixels."""
    grown = words[0] == "grow"
    scene = words[1] if grown else words[words.index("--scene") + 1]
    size = {"plasma": {"cells": 40}, "particles": {"cells": 12, "particles": 500}}.get(scene, {"cells": 12})
    words = [word for word in words if not re.search(rf"\b({'|'.join(size)})=", word)]
    words = [word for k, word in enumerate(words) if word != "--set" or "=" in "".join(words[k + 1 : k + 2])]
    for name, value in size.items():
        words += ["--set", f"{name}={value}" if grown else f"{scene}.{name}={value}"]
    return words if grown else [*words, "--size", "64x36", "--quality", "software"]


@pytest.mark.parametrize("words", COMMANDS)
def test_a_command_of_a_page_does_what_it_says(words, tmp_path):
    [name] = [word for word in words if word.endswith((".npz", ".png"))]
    words = [str(tmp_path / word) if word == name else word for word in small(words)]
    if words[0] == "grow":
        # It needs no process of its own.
        assert cli.main(words) == 0
    else:
        result = landfall(*words)
        assert result.returncode == 0, result.stderr
    assert (tmp_path / name).stat().st_size > 100


def test_all_pages_have_commands():
    assert {page.stem for page in PAGES} >= {"cuts", "simplex", "plasma", "particles"}
    assert len(COMMANDS) > 40
