"""The walls of the house, over the syntax tree: who may import whom, and which package only where.

Nothing is imported here, so that a broken import fails its own tests and not these.
"""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

# From the ground up. A module imports from its own storey and from lower ones only, lazily or not.
STOREYS = (
    ("environment", "keys", "quality"),
    ("worlds",),
    ("mapping",),
    ("flight",),
    ("daylight", "settlements", "companions"),
    ("render",),
    ("scenes", "settings", "options", "timeline"),
    ("plate",),
    ("compiler", "moments", "plate_artist", "stage", "steering", "story", "words", "worker", "show"),
    ("hosts",),
    ("export",),
    ("warm", "progress", "commands", "doctor", "cli"),
)
STOREY_OF = {name: height for height, names in enumerate(STOREYS) for name in names}

# A package, and the modules or packages of demo that alone may import it, lazily or not.
ALLOWED = {
    "OpenGL": ("demo.render",),
    "pygame": ("demo.hosts", "demo.tables.keys", "demo.render.text"),
    "numba": ("demo.worlds", "demo.mapping", "demo.geometry.patch_walk"),
    **dict.fromkeys(("osmium", "pyogrio", "rasterio", "skia"), ("demo.export.maps",)),
    "shapely": ("demo.export.maps", "demo.mapping"),
}
# What `worlds` may import besides the standard library, and what of that is denied to it: no window, no GL, no files.
WORLDS_PACKAGES = {"numpy", "numba", "demo"}
WORLDS_DENIED = {"pathlib", "io", "tempfile", "shutil", "socket", "subprocess", "threading", "multiprocessing", "random"}

# Imported before the first picture is on screen: none of these may bring numba along.
EARLY = (
    "demo.app.cli",
    "demo.app.settings",
    "demo.scenes.scenes",
    "demo.show.show",
    "demo.hosts",
    "demo.render",
    "demo.flight",
    "demo.tables.keys",
)


def name_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {name_of(path): path for path in sorted((ROOT / "demo").rglob("*.py"))}


def within(module: str, package: str) -> bool:
    return module == package or module.startswith(package + ".")


def statements(module: str, lazy: bool) -> list[ast.Import | ast.ImportFrom]:
    """The import statements of a module; `lazy`: also those inside functions and for the type checker alone."""
    found: list[ast.Import | ast.ImportFrom] = []
    todo: list[ast.AST] = [ast.parse(MODULES[module].read_text(encoding="utf-8"))]
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Import | ast.ImportFrom):
            found.append(node)
        if not lazy and (isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) or is_typing_block(node)):
            continue
        todo.extend(ast.iter_child_nodes(node))
    return found


def is_typing_block(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)


@cache
def imports(module: str, lazy: bool = True) -> frozenset[str]:
    """Full names of what a module imports: 'numpy', 'demo.worlds.atlas'; a name out of a module counts as the module."""
    found: set[str] = set()
    for statement in statements(module, lazy):
        if isinstance(statement, ast.Import):
            found |= {alias.name for alias in statement.names}
            continue
        assert statement.level == 0, f"{module}: write imports in full"
        whole = {f"{statement.module}.{alias.name}" for alias in statement.names}
        found |= {name if name in MODULES else statement.module for name in whole}
    return frozenset(found - {"__future__"})


def closure(module: str) -> dict[str, str]:
    """What importing `module` imports: full name -> the module that does it. Importing a.b imports a as well."""
    reached, todo = {module: module}, [module]
    while todo:
        current = todo.pop()
        parts = current.split(".")
        packages = {".".join(parts[:k]) for k in range(1, len(parts))} & set(MODULES)
        for name in packages | (imports(current, lazy=False) if current in MODULES else frozenset()):
            if name not in reached:
                reached[name] = current
                todo.append(name)
    return reached


def test_the_modules_are_found():
    assert "demo.worlds.atlas" in MODULES and len(MODULES) > 10


@pytest.mark.parametrize("module", [name for name in MODULES if name != "demo"])
def test_every_module_has_a_storey(module):
    assert module.split(".")[1] in STOREY_OF, f"{module} has no storey: give it one in STOREYS"


@pytest.mark.parametrize("module", [name for name in MODULES if name != "demo"])
def test_imports_run_downwards(module):
    own = STOREY_OF.get(module.split(".")[1], len(STOREYS))
    for name in imports(module):
        if name.startswith("demo."):
            other = name.split(".")[1]
            assert STOREY_OF.get(other, len(STOREYS)) <= own, f"{module} imports {name}, which stands above it"


@pytest.mark.parametrize("package", ALLOWED)
def test_a_package_is_imported_only_where_it_may(package):
    for module in MODULES:
        if any(within(name, package) for name in imports(module)):
            assert any(within(module, allowed) for allowed in ALLOWED[package]), f"{module} imports {package}"


@pytest.mark.parametrize("module", [name for name in MODULES if within(name, "demo.worlds")])
def test_worlds_stand_on_numpy_and_numba_alone(module):
    import sys

    roots = {name.split(".")[0] for name in imports(module)}
    assert not roots & WORLDS_DENIED
    assert roots - WORLDS_PACKAGES <= sys.stdlib_module_names


@pytest.mark.parametrize("module", [name for name in MODULES if within(name, "demo.mapping")])
def test_a_map_is_worked_out_without_files_or_windows(module):
    assert not {name.split(".")[0] for name in imports(module)} & {"pathlib", "io", "tempfile", "shutil", "PIL"}


@pytest.mark.parametrize("module", [name for name in MODULES if any(within(name, early) for early in EARLY)])
def test_nothing_early_brings_numba_along(module):
    reached = closure(module)
    way = [name for name in reached if within(name, "numba")]
    assert not way, f"importing {module} imports numba by {reached[way[0]]}"


@pytest.mark.parametrize("module", [name for name in MODULES if "numba" in imports(name)])
def test_the_cache_is_named_by_every_file_with_kernels(module):
    from demo.process.environment import KERNEL_SOURCES

    assert any(MODULES[module] in (ROOT / "demo").glob(pattern) for pattern in KERNEL_SOURCES)


def test_the_environment_is_light():
    import sys

    assert {name.split(".")[0] for name in imports("demo.process.environment")} <= sys.stdlib_module_names
