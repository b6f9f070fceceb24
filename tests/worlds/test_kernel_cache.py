"""The cache of compiled kernels: whatever becomes of its files, the kernel is right, and what is damaged is made anew."""

from __future__ import annotations

import contextlib
import os
import pickle
import shutil
import subprocess
import sys
from pathlib import Path

import numba
import numpy as np
import pytest
from numba import njit
from support.damage import DAMAGES, harm
from support.hosting import full_disk

from demo.process import checked_files, compiler, environment
from demo.process.compiler import Compiler
from demo.worlds.kernels import OPTIONS

ROOT = Path(__file__).resolve().parents[2]
ENDINGS = pytest.mark.parametrize("ending", [".nbi", ".nbc"])


def thrice(x):
    return 3 * x


def declared():
    """The kernel as a new process would declare it: it knows nothing but what is in the cache."""
    return numba.njit(**OPTIONS)(thrice)


def called(*arguments):
    """(results, signatures loaded, signatures compiled) of a kernel that is declared anew."""
    kernel = declared()
    results = [kernel(argument) for argument in arguments]
    return results, kernel.stats.cache_hits.total(), kernel.stats.cache_misses.total()


COMPILED, LOADED = ([15], 0, 1), ([15], 1, 0)


def use(folder, monkeypatch):
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(folder))
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(folder))


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    """A cache with the kernel for integers."""
    folder = tmp_path_factory.mktemp("filled")
    with pytest.MonkeyPatch.context() as patch:
        use(folder, patch)
        assert called(5) == COMPILED
    return folder


@pytest.fixture
def cache(filled, tmp_path, monkeypatch):
    """A copy of `filled` that is in use."""
    folder = tmp_path / "cache"
    shutil.copytree(filled, folder)
    use(folder, monkeypatch)
    return folder


def found(cache, ending):
    """The kernel's one file with that ending."""
    (path,) = cache.rglob(f"*thrice*{ending}")
    return path


def damaged(cache):
    return [path for path in cache.rglob("*.nb[ic]") if not checked_files.is_whole(str(path))]


def test_kernels_are_kept_in_checked_files(cache):
    """As long as this holds, numba's cache is what `kernel_cache` takes it for."""
    assert called(5) == LOADED
    for ending in (".nbi", ".nbc"):
        assert found(cache, ending).read_bytes().startswith(checked_files.HEAD)
    assert not damaged(cache)


@ENDINGS
@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_made_anew_once(cache, ending, damage):
    harm(found(cache, ending), damage)
    assert called(5) == COMPILED
    assert called(5) == LOADED
    assert not damaged(cache)
    assert found(cache, ending + checked_files.DAMAGED)


@ENDINGS
def test_a_lost_file_is_made_anew(cache, ending):
    found(cache, ending).unlink()
    assert called(5) == COMPILED
    assert called(5) == LOADED


@ENDINGS
def test_what_runs_when_it_is_unpickled_is_not_unpickled(cache, ending, tmp_path):
    class Bomb:
        def __reduce__(self):
            return open, (str(tmp_path / "exploded"), "w")

    found(cache, ending).write_bytes(pickle.dumps(Bomb()))
    assert called(5) == COMPILED
    assert not (tmp_path / "exploded").exists()


@ENDINGS
def test_whole_files_of_another_make_are_made_anew(cache, ending):
    """Their checksum is right, and what is in them is not what is expected."""
    checked_files.write(str(found(cache, ending)), b"not a pickle")
    assert called(5) == COMPILED
    assert called(5) == LOADED


def test_the_code_of_another_signature_is_not_called(cache):
    """Two processes that each add a signature at once may give both the same number."""
    assert called(5, 2.5) == ([15, 7.5], 1, 1)
    first, second = sorted(cache.rglob("*thrice*.nbc"))
    kept = first.read_bytes()
    first.write_bytes(second.read_bytes())
    second.write_bytes(kept)
    assert called(5, 2.5) == ([15, 7.5], 0, 2)
    assert called(5, 2.5) == ([15, 7.5], 2, 0)


WITHOUT = """
import numpy as np
from numba.core import caching, dispatcher
kept = caching.FunctionCache
del caching.FunctionCache
from demo.worlds.kernels import hash64
caching.FunctionCache = kept
print(hash64(np.uint64(1), np.uint64(2)), hash64.stats.cache_misses.total())
"""


def test_another_numba_keeps_a_cache_of_its_own(tmp_path):
    """One that has no such class where it is looked for."""
    from demo.worlds.hashing import mix64

    where = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    result = subprocess.run([sys.executable, "-c", WITHOUT], cwd=ROOT, env=where, capture_output=True, text=True)
    assert (result.stdout, result.stderr) == (f"{mix64(1 + 3 * 0x9E3779B97F4A7C15)} 1\n", "")
    assert not any(path.read_bytes().startswith(checked_files.HEAD) for path in tmp_path.rglob("*.nb*"))


def test_a_change_in_other_kernels_is_noticed(cache, monkeypatch):
    """Code of theirs may have been compiled into this one."""
    monkeypatch.setattr(environment, "KERNEL_SOURCES", ("worlds/atlas.py",))
    assert called(5) == COMPILED
    assert called(5) == LOADED


def test_another_numba_is_noticed(cache, monkeypatch):
    monkeypatch.setattr(numba, "__version__", "99.0")
    assert called(5) == COMPILED


class Over:
    """A compiling child that has ended."""

    over = True


def test_damage_has_the_next_start_compile_ahead(cache, monkeypatch):
    """By the stamps that `Compiler` looks for, and no other file."""
    started = []
    # What compiles is not started: only what it would say of a scene that is ready is wanted.
    monkeypatch.setattr(compiler, "SceneCompiler", lambda *given: started.append(given[4]) or Over())

    def start():
        Compiler("demo.app.precompile").start_kernels(["plasma"])
        return len(started)

    assert start() == 1
    started[0]("plasma")
    mine = [cache / "kernels-of-mine", cache / "kernels-0123456789abcdef"]
    for path in mine:
        path.write_text("mine")
    assert called(5) == LOADED and start() == 1
    harm(found(cache, ".nbc"), "emptied")
    assert called(5) == COMPILED and start() == 2
    assert all(path.exists() for path in mine)


IN_A_PROCESS = f"""
import sys
sys.path[:0] = [{str(ROOT)!r}, {str(ROOT / "tests")!r}, {str(ROOT / "tests/worlds")!r}]
from test_kernel_cache import called
print("ready", flush=True)
sys.stdin.readline()
print(called(5)[0])
"""


@ENDINGS
def test_two_processes_on_one_damaged_cache(cache, ending):
    harm(found(cache, ending), "halved")
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with contextlib.ExitStack() as stack:
        both = [stack.enter_context(subprocess.Popen([sys.executable, "-c", IN_A_PROCESS], **pipes)) for _ in range(2)]
        for process in both:
            assert process.stdout.readline() == "ready\n"
        for process in both:
            process.stdin.write("go\n")
            process.stdin.flush()
        for process in both:
            assert (process.communicate(), process.returncode) == (("[15]\n", ""), 0)
    assert not damaged(cache) and not list(cache.rglob("*.tmp.*"))
    assert called(5) == LOADED


def fill(disk):
    with open(disk / "filler", "wb", buffering=0) as filler, contextlib.suppress(OSError):
        while True:
            filler.write(bytes(4096))


def test_a_disk_that_fills_up_before_the_kernel_is_kept(tmp_path, monkeypatch):
    with full_disk(tmp_path / "disk", "64k") as disk:
        use(disk, monkeypatch)
        kernel = declared()
        fill(disk)
        assert kernel(5) == 15
        assert not list(disk.rglob("*.nb*"))


@ENDINGS
def test_a_full_disk_keeps_no_kernel_of_a_damaged_cache(filled, tmp_path, monkeypatch, ending):
    with full_disk(tmp_path / "disk", "64k") as disk:
        shutil.copytree(filled, disk / "cache")
        use(disk / "cache", monkeypatch)
        harm(found(disk, ending), "bit at 0.5")
        fill(disk)
        for _ in range(2):
            assert called(5)[0] == [15]
        assert not damaged(disk)


def test_no_folder_at_all(tmp_path, monkeypatch):
    """Where no folder can be written, a file being in its place, kernels are compiled and not kept."""
    (tmp_path / "file").touch()
    monkeypatch.setattr(numba.config, "CACHE_LOCATOR_CLASSES", "UserProvidedCacheLocator")
    use(tmp_path / "file" / "cache", monkeypatch)
    assert called(5)[0] == [15]


def test_a_loaded_kernel_keeps_no_intermediate_code_until_another_one_is_compiled_that_calls_it(cache):
    loaded = declared()
    assert loaded(5) == 15 and loaded.stats.cache_hits.total() == 1
    [library] = [compiled.library for compiled in loaded.overloads.values()]
    assert library._shared_module is None

    @numba.njit(**{**OPTIONS, "cache": False})
    def ninefold(x):
        return loaded(loaded(x))

    assert ninefold(5) == 45 and ninefold(-2) == -18


ALLOCATES = """
from numba.core.codegen import CPUCodeLibrary
compiled, optimise = [], CPUCodeLibrary._optimize_final_module
CPUCodeLibrary._optimize_final_module = lambda self: compiled.append(self.name.split("::")[0]) or optimise(self)
import sys
sys.path[:0] = ["tests", "tests/worlds"]
from test_kernel_cache import ones
print(ones(3), *compiled)
"""


@njit(**OPTIONS)
def ones(count):
    return np.ones(count)


def test_a_start_with_all_kernels_in_the_cache_runs_no_compiler_for_numbas_runtime_either(tmp_path):
    where = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}

    def started():
        result = subprocess.run([sys.executable, "-c", ALLOCATES], cwd=ROOT, env=where, capture_output=True, text=True)
        assert result.stderr == ""
        return result.stdout

    assert "nrt" in started().split()
    assert started() == "[1. 1. 1.]\n"
    [kept] = tmp_path.rglob("*_runtime*.nbc")
    harm(kept, "halved")
    assert started() == "[1. 1. 1.] nrt\n" and started() == "[1. 1. 1.]\n"


LOADS = """
import sys
sys.path[:0] = ["tests", "tests/worlds"]
import numba
from test_kernel_cache import ones
print(ones(3), "numba.np.linalg" in sys.modules)
print(numba.njit(lambda n: ones(n).sum())(4), "numba.np.linalg" in sys.modules)
"""


def test_a_kernel_is_loaded_without_what_numba_compiles_with_which_is_there_when_another_one_is_compiled(tmp_path):
    where = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    told = [
        subprocess.run([sys.executable, "-c", LOADS], cwd=ROOT, env=where, capture_output=True, text=True, check=True).stdout
        for _ in range(2)
    ]
    assert told == ["[1. 1. 1.] True\n4.0 True\n", "[1. 1. 1.] False\n4.0 True\n"]
