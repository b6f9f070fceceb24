"""numba's cache of compiled kernels, with a checksum over every file that is checked before its code is loaded.

numba itself unpickles whatever it finds: a truncated file is an error on every start, and a flipped bit in machine code is
run. It also lets no kernel be called where the cache cannot be written. Here a file that is missing, damaged or strange is a
kernel that is compiled anew, and what cannot be written is not kept.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import zlib
from collections.abc import Callable
from functools import partial
from itertools import count
from typing import Any

import numba
from numba.core import caching, codegen, dispatcher
from numba.core.runtime import nrtdynmod, rtsys
from numba.core.serialize import dumps

from ..process import checked_files, kernel_folder
from ..process.environment import kernel_fingerprint


def install() -> None:
    """Has all kernels that are declared from now on cached here, and numba's runtime. numba has no public place for it."""
    dispatcher.FunctionCache = CheckedCache  # type: ignore[attr-defined]
    nrtdynmod.compile_nrt_functions = partial(_runtime, nrtdynmod.compile_nrt_functions)


class CheckedCache(caching.FunctionCache):
    """The cache of one kernel. Nothing that happens to its files keeps the kernel from being compiled and called."""

    def __init__(self, py_func: Callable[..., Any]) -> None:
        try:
            super().__init__(py_func)
        except RuntimeError:
            # No folder can be written: each run compiles for itself.
            self._cache_path = ""
            self.disable()
            return
        with contextlib.suppress(AttributeError):  # of another numba, which then uses files of its own
            files: Any = KernelFiles(self._cache_path, self._impl.filename_base, self._impl.locator.get_source_stamp())
            self._cache_file = files

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The kernel compiled for a signature; None where there is none that can be loaded."""
        try:
            found = self._loaded(sig, target_context)
        except Exception:  # code of another make may fail to load in any way
            return None
        if found is not None:
            with contextlib.suppress(AttributeError):  # of another numba, which then keeps more
                _parse_later(found.library)
        return found

    def _loaded(self, sig: Any, target_context: Any) -> Any:
        """As numba's own, but without its functions for compiling: 8 MB, and a quarter of a second at a start.

        What is loaded is machine code, which needs the runtime alone. numba looks for its functions itself before it
        compiles anything.
        """
        rtsys.initialize(target_context)
        with self._guard_against_spurious_io_errors():
            return self._load_overload(sig, target_context)

    def load(self, key: Any) -> Any:
        """What `keep` has put there for a key; None where there is none."""
        return self._cache_file.load(key) if self._cache_path else None

    def keep(self, key: Any, data: Any) -> None:
        """Keeps something beside kernels, if that is possible."""
        with contextlib.suppress(OSError):
            if self._cache_path:
                self._impl.locator.ensure_cache_path()
                self._cache_file.save(key, data)

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keeps the kernel compiled for a signature, if that is possible."""
        with contextlib.suppress(OSError):
            super().save_overload(sig, data)


def _runtime(compiled: Callable[[Any], Any], context: Any) -> Any:
    """The library that counts references, which numba compiles at every start by `compiled`.

    Where it is loaded instead, LLVM's compiler is not run at all: its pages are 27 MB.
    """
    with contextlib.suppress(Exception):  # of another numba, or code of another make: numba then does it alone
        make = context.codegen()
        key, cache = (*make.magic_tuple(), bool(getattr(numba.config, "DEBUG_NRT", 0))), CheckedCache(_runtime)
        state = cache.load(key)
        if state is not None:
            library = make.unserialize_library(state)
            _parse_later(library)
            return library
        module, library = nrtdynmod.create_nrt_module(context)
        library.enable_object_caching()
        library.add_ir_module(module)
        library.finalize()
        cache.keep(key, library.serialize_using_object_code())
        return library
    return compiled(context)


def _parse_later(library: Any) -> None:
    """Has a kernel's intermediate code kept small until another kernel that calls it is compiled, which is seldom.

    numba parses it with the machine code, in case of that. All kernels of the show together keep 19 MB so, and 1 MB packed.
    """
    parsed = library._shared_module
    if parsed is not None and callable(library._get_module_for_linking):
        library._get_module_for_linking = partial(_parsed, zlib.compress(parsed.as_bitcode(), 1))
        library._shared_module = None
        parsed.close()


def _parsed(packed: bytes) -> Any:
    return codegen.ll.parse_bitcode(zlib.decompress(packed))


class KernelFiles:
    """The files of one kernel: an index, and a file of code for each signature. numba calls load, save and flush."""

    def __init__(self, folder: str, name: str, source: Any) -> None:
        """`source`: numba's own stamp of the source file; it knows nothing of kernels that are inlined from other files."""
        self._path = os.path.join(folder, name)
        self._stamp = (numba.__version__, kernel_fingerprint(), source)

    def load(self, key: Any) -> Any:
        """The reduced code of a key; None where there is none, or none that is whole."""
        number = self._index().get(key)
        found = None if number is None else self._read(self._data(number))
        # Two processes that save two signatures at once may give both the same number.
        return found[1] if found and found[0] == key else None

    def save(self, key: Any, data: Any) -> None:
        """Keeps the reduced code of a key. Raises OSError."""
        index = self._index()
        taken = set(index.values())
        number = index[key] if key in index else next(number for number in count(1) if number not in taken)
        self._write(self._data(number), (key, data))
        if key not in index:
            self._write(self._index_path, index | {key: number})

    def flush(self) -> None:
        """Forgets all signatures. Raises OSError."""
        self._write(self._index_path, {})

    @property
    def _index_path(self) -> str:
        return f"{self._path}.nbi"

    def _index(self) -> dict[Any, int]:
        return self._read(self._index_path) or {}

    def _data(self, number: int) -> str:
        return f"{self._path}.{number}.nbc"

    def _write(self, path: str, content: Any) -> None:
        checked_files.write(path, pickle.dumps((self._stamp, dumps(content))))

    def _read(self, path: str) -> Any:
        """What `_write` put into a file; None where that is missing, damaged, or made from other sources."""
        try:
            stamp, content = pickle.loads(checked_files.read(path))
            return pickle.loads(content) if stamp == self._stamp else None
        except checked_files.DamagedError:
            # The next start compiles ahead what else may be gone.
            kernel_folder.forget_stamps()
            return None
        except Exception:  # besides a missing file: a pickle of another make may fail in any way
            return None
