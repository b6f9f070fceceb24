"""The pages about the articles: every command on them runs, made small; of stills of one world, the last one."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest
from support.program import ROOT, environment

PAGES = sorted((ROOT / "docs" / "articles").glob("*.md"))
# What makes a world of a generator small; of all others, `cells`.
SIZES = {
    "doublecone": {"gn": 3},
    "map": {"gn": 3},
    "plasma": {"cells": 40},
    "particles": {"cells": 12, "particles": 500},
}
# Runs commands one after another: each needs no process of its own.
RUN = """
import json, sys
from demo.process import environment
environment.prepare()
from demo.app import cli
for words in json.load(sys.stdin):
    status = cli.main(words)
    if status:
        sys.exit(f"status {status}: {' '.join(words)}")
"""
PATIENCE_S = 600


def commands_of(page) -> list[list[str]]:
    """The words after `main.py` of every command of a page."""
    blocks = re.findall(r"```\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    return [line.split()[2:] for block in blocks for line in block.splitlines()]


def of_each_world(commands: list[list[str]]) -> list[list[str]]:
    """Commands without those whose still shows an earlier time of the world of the next one."""

    def world(words: list[str]) -> list[str]:
        at = words.index("--time") if "--time" in words else len(words)
        return [words[0], *words[2:at], *words[at + 2 :]]

    return [words for words, then in zip(commands, [*commands[1:], [""]], strict=True) if world(words) != world(then)]


def small(words: list[str]) -> list[str]:
    """The words of a command, for few cells and few pixels."""
    if words[0] == "map":
        # A sheet takes seconds: what it shows is tested with the sheets.
        plain = [word for word in words if word not in ("--gn", "6")]
        return [*plain, "--gn", "3", "--formats", "json"]
    grown = words[0] == "grow"
    scene = words[1] if grown else words[words.index("--scene") + 1]
    size = SIZES.get(scene, {"cells": 12})
    words = [word for word in words if not re.search(rf"\b({'|'.join(size)})=", word)]
    words = [word for k, word in enumerate(words) if word != "--set" or "=" in "".join(words[k + 1 : k + 2])]
    for name, value in size.items():
        words += ["--set", f"{name}={value}" if grown else f"{scene}.{name}={value}"]
    return words if grown else [*words, "--size", "64x36", "--quality", "software"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_commands_of_a_page_do_what_they_say(page, tmp_path):
    told, written = [], []
    for words in of_each_world(commands_of(page)):
        name = words[2] if words[0] == "grow" else words[1]
        told.append([str(tmp_path / word) if word == name else word for word in small(words)])
        written.append(tmp_path / name / "summary.json" if words[0] == "map" else tmp_path / name)
    command = [sys.executable, "-c", RUN]
    done = subprocess.run(
        command, input=json.dumps(told), cwd=ROOT, env=environment(), capture_output=True, text=True, timeout=PATIENCE_S
    )
    assert done.returncode == 0, done.stderr
    for path in written:
        assert path.stat().st_size > 100, path


def test_all_articles_have_a_page_with_commands():
    assert {page.stem for page in PAGES} >= {"cuts", "simplex", "plasma", "particles", "doublecone", "levels"}
    assert all(commands_of(page) for page in PAGES)
