"""The README's "How it is built": the tree is the one that stands, and a recipe's places exist and are as few as it says."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from test_walls import FOLDERS

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")

MOST_FILES = {"A generator with its scene": 4, "A key": 2, "An option": 2, "A map format": 2, "A host": 2}
STEP = re.compile(r"^\d\. `(?P<path>[^`]+)`(?:, new, like `(?P<like>[^`]+)`)?: (?P<words>.+)$", re.MULTILINE)


def section(name: str) -> str:
    """The text between two markers of the README."""
    return README.partition(f"<!-- {name} -->\n")[2].partition(f"<!-- end of {name} -->")[0]


RECIPES = {
    title: (int(count), list(STEP.finditer(steps)))
    for title, count, steps in re.findall(
        r"\*\*([^*]+)\*\* \((\d) files\)\n\n(.*?)(?=\n\*\*|\Z)", section("recipes"), re.DOTALL
    )
}
STEPS = [(title, step) for title, (_, steps) in RECIPES.items() for step in steps]


def names_in(path: Path) -> set[str]:
    """The names that a module binds at its top level, and its annotated tables."""
    found = set()
    for part in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(part, ast.FunctionDef | ast.ClassDef):
            found.add(part.name)
        for target in [*getattr(part, "targets", []), *([part.target] if isinstance(part, ast.AnnAssign) else [])]:
            found.update(node.id for node in ast.walk(target) if isinstance(node, ast.Name))
    return found


def test_there_are_the_five_recipes_with_few_files():
    assert set(RECIPES) == set(MOST_FILES)
    for title, (count, steps) in RECIPES.items():
        assert len({step["path"] for step in steps}) == len(steps) == count <= MOST_FILES[title]


@pytest.mark.parametrize(("title", "step"), STEPS, ids=[f"{title}: {step['path']}" for title, step in STEPS])
def test_the_places_of_a_recipe_hold_what_it_names(title, step):
    """A new file is like one that stands; a table, function or class that a step names is in its file."""
    place = ROOT / (step["like"] or step["path"])
    assert place.is_file()
    if step["like"]:
        assert Path(step["path"]).name.replace("NAME", place.stem) == place.name
        assert (ROOT / step["path"]).parent.parent.is_dir() and not (ROOT / step["path"]).exists()
    code = re.findall(r"`([^`]+)`", step["words"])
    named = {re.match(r"\w+", word)[0] for word in code if re.fullmatch(r"[A-Z_]+|[A-Z]\w+|[a-z_]+(\(.*\))?", word)}
    assert named <= names_in(place), (title, named)


def test_each_step_names_something_of_its_file():
    """But for files of kernels, which have no common form."""
    for title, step in STEPS:
        assert "`" in step["words"] or step["path"].endswith("kernels.py"), title


def rows() -> list[tuple[str, list[str]]]:
    """(folder, files to begin with) of each row of the README's tree."""
    table = [line.split("|")[1:-1] for line in section("tree").splitlines()[2:]]
    return [(folder.strip().strip("`"), re.findall(r"`([^`]+)`", begin)) for folder, _, begin in table]


def test_the_tree_of_the_readme_is_the_one_that_stands():
    assert {folder for folder, _ in rows()} == {f"demo/{folder}" for folder in FOLDERS}
    for folder, files in rows():
        assert files and all((ROOT / folder / file).is_file() for file in files), folder


def test_the_tree_is_in_the_order_of_imports():
    beside = "demo/export"
    order = [folder for folder, _ in rows() if folder != beside]
    assert order == [f"demo/{folder}" for folder in FOLDERS if f"demo/{folder}" != beside]


def test_every_place_that_the_readme_names_is_there():
    for path in re.findall(r"`((?:demo|tests|assets|benchmarks)/[\w/.]*)`", README):
        assert "NAME" in path or (ROOT / path).exists(), path
