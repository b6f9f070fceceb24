"""`map --blocks`: the same files wherever finished blocks lie, whatever goes wrong there; what others have there stays."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest
from support.hosting import full_disk
from support.program import ROOT, complaint, environment, landfall

pytest.importorskip("fsspec")
pytest.importorskip("rasterio")
pytest.importorskip("shapely")

import fsspec
from fsspec.implementations.memory import MemoryFileSystem

from demo.app import cli
from demo.export import block_places, block_store
from demo.export.block_store import FOLDER, BlockStore, store_in
from demo.export.files import ExportError

FORMATS = ("tif", "json")
WORDS = ("--seed", "3", "--gn", "4", "--ln", "3", "--formats", ",".join(FORMATS))
PATIENCE_S = 60.0


class Faulty(MemoryFileSystem):
    """Objects in memory. `spoil` makes of each object that is put what is kept, or raises; `puts`: all names, in order."""

    protocol = "faulty"
    store: ClassVar[dict] = {}
    pseudo_dirs: ClassVar[list] = [""]
    puts: ClassVar[list[str]] = []
    spoil: ClassVar[Callable[[bytes], bytes]] = bytes
    removing: ClassVar[Callable[[], None]] = bool

    @classmethod
    def _strip_protocol(cls, path):
        return super()._strip_protocol(path.removeprefix("faulty://"))

    def pipe_file(self, path, value, mode="overwrite", **kwargs):
        Faulty.puts.append(path.rpartition("/")[2])
        super().pipe_file(path, Faulty.spoil(value), mode=mode, **kwargs)

    def rm(self, path, recursive=False, maxdepth=None):
        Faulty.removing()
        super().rm(path, recursive, maxdepth)


@pytest.fixture
def faulty(monkeypatch) -> Iterator[str]:
    """The address of a place in a `Faulty`, and an object of somebody else beside what lies there."""
    fsspec.register_implementation("faulty", Faulty, clobber=True)
    Faulty.store.clear()
    Faulty.puts.clear()
    monkeypatch.setattr(Faulty, "spoil", bytes)
    Faulty("").pipe_file("/there/others.block", b"theirs")
    Faulty.puts.clear()
    yield "faulty://there"
    assert list(Faulty.store) == ["/there/others.block"]
    Faulty.store.clear()


@pytest.fixture(scope="module")
def whole(tmp_path_factory) -> dict[str, bytes]:
    """The files of a map whose blocks have lain in its folder."""
    out = tmp_path_factory.mktemp("whole") / "out"
    return made(out)


def made(out: Path, *words: str) -> dict[str, bytes]:
    """The files of a map by their names."""
    assert cli.main(["map", str(out), *WORDS, *words]) == 0
    return {path.name: path.read_bytes() for path in out.iterdir()}


@pytest.fixture
def puts(monkeypatch) -> list[str]:
    """The names of objects that this process puts into folders."""
    names, put = list[str](), block_places.Folder.put
    monkeypatch.setattr(
        block_places.Folder, "put", lambda folder, name, parts: (names.append(name), put(folder, name, parts))
    )
    return names


@pytest.mark.parametrize("form", ["{}", "file://{}", "local://{}"])
def test_a_folder_elsewhere(tmp_path, whole, puts, monkeypatch, form):
    """It needs no fsspec. What others have there stays, and the folder with it."""
    hide_fsspec(monkeypatch)
    store = tmp_path / "elsewhere"
    seen, remove = set[str](), block_places.Folder.remove

    def remove_and_see(folder, names):
        seen.update(path.name for path in store.iterdir())
        assert not list((tmp_path / "out" / FOLDER).glob("*.block"))
        remove(folder, names)

    monkeypatch.setattr(block_places.Folder, "remove", remove_and_see)
    assert made(tmp_path / "out", "--blocks", form.format(store)) == whole
    assert len(seen) > 4 and seen == set(puts) and not store.exists()
    store.mkdir()
    (store / "others.block").write_bytes(b"theirs")
    assert made(tmp_path / "again", "--blocks", form.format(store)) == whole
    assert [path.name for path in store.iterdir()] == ["others.block"]


def test_a_relative_folder_and_the_usual_one_by_its_name(tmp_path, whole, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert made(Path("out"), "--blocks", "here") == whole
    assert made(Path("out"), "--blocks", f"out/{FOLDER}") == whole
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_an_address_may_hold_signs_as_urls_write_them(tmp_path):
    assert block_places.folder_of("file:///a/b%20c") == Path("/a/b c")
    assert block_places.folder_of("/a/b%20c/../d*") == Path("/a/d*")
    assert block_places.folder_of("s3://bucket/prefix") is None
    assert block_places.shown("sftp://me:secret@there/blocks") == "sftp://there/blocks"


def test_memory_in_process(tmp_path, whole):
    """Nothing stays, but for what others have there."""
    files = fsspec.filesystem("memory")
    files.pipe_file("/mine/others.block", b"theirs")
    try:
        assert made(tmp_path / "out", "--blocks", "memory://mine") == whole
        assert files.find("/") == ["/mine/others.block"]
    finally:
        files.rm("/mine", recursive=True)


def test_pieces_go_through_an_address(tmp_path, whole, faulty):
    assert made(tmp_path / "out", "--blocks", faulty) == whole
    pieces = [name for name in Faulty.puts if name.endswith(".block")]
    assert len(pieces) > 4 and len(set(pieces)) == len(pieces)


def test_two_maps_share_a_store(tmp_path, whole, faulty):
    """One finds the other's pieces, and leaves them to it."""
    with store_in(tmp_path, faulty) as keep:
        work = planet(keep)
        assert made(tmp_path / "one", "--blocks", faulty) == whole
        pieces = [name for name in Faulty.puts if name.endswith(".block")]
        assert len(set(pieces)) == len(pieces)
        there = {name.rpartition("/")[2] for name in Faulty.store}
        assert there == {*pieces[: len(work)], keep.elsewhere.mark, "others.block"}


def planet(keep: BlockStore) -> list[str]:
    """The keys of the pieces of the map that WORDS name, whose lines are made. Its ground is not asked for."""
    from demo.catalogue.maps import map_edited_planet, plan_within
    from demo.export.maps import formats

    keys, values = list[str](), {"gn": 4, "ln": 3}

    def noted(key, make):
        keys.append(key)
        return keep(key, make)

    map_edited_planet(3, values, (), keep=noted, plan=plan_within(values, 2000, 1, formats.most_bytes(FORMATS, 1)))
    return sorted(set(keys))


def shorter(data: bytes) -> bytes:
    return data[: len(data) // 2]


def flipped(data: bytes) -> bytes:
    return data[:-9] + bytes([data[-9] ^ 1]) + data[-8:]


@pytest.mark.parametrize("spoil", [shorter, flipped, lambda data: b""], ids=["short", "a flipped bit", "empty"])
def test_damaged_objects_are_made_again_and_said_once(tmp_path, whole, faulty, monkeypatch, capsys, spoil):
    """Those of a map that has failed after all its pieces were kept."""
    store = {}

    def fail(*words):
        store.update((name, file.getvalue()) for name, file in Faulty.store.items() if name.endswith(".block"))
        raise ExportError("cannot go on")

    with monkeypatch.context() as patch:
        patch.setattr("demo.export.maps.formats.write", fail)
        assert cli.main(["map", str(tmp_path / "out"), *WORDS, "--blocks", faulty]) == 1
    assert list(Faulty.store) == ["/there/others.block"] and not (tmp_path / "out").exists()
    del store["/there/others.block"]
    count = len(Faulty.puts) - 1
    assert len(store) == count and capsys.readouterr().err == "landfall: cannot go on\n"
    (tmp_path / "out").mkdir()
    # As its killed process has left it.
    elsewhere = block_store._elsewhere(faulty, tmp_path / "out" / FOLDER)
    noted = BlockStore(tmp_path / "out" / FOLDER, elsewhere)._noted
    noted.mkdir(parents=True)
    for name, data in store.items():
        Faulty("").pipe_file(name, spoil(data))
        (noted / name.rpartition("/")[2]).touch()
    Faulty.puts.clear()
    assert made(tmp_path / "out", "--blocks", faulty) == whole
    assert capsys.readouterr().err == "landfall: a block in faulty://there is damaged: it is computed again\n"
    assert sum(name.endswith(".block") for name in Faulty.puts) == count


@pytest.mark.parametrize("spoil", [shorter, flipped], ids=["short", "a flipped bit"])
def test_objects_that_always_come_out_damaged(tmp_path, whole, faulty, monkeypatch, capsys, spoil):
    monkeypatch.setattr(Faulty, "spoil", lambda data: data if len(data) < 100 else spoil(data))
    assert made(tmp_path / "out", "--blocks", faulty) == whole
    assert capsys.readouterr().err == "landfall: a block in faulty://there is damaged: it is computed again\n"


ERRORS = {
    "denied": PermissionError("Access Denied"),
    "full": OSError(28, "No space left on device"),
    "a library's own": RuntimeError("Unable to locate\ncredentials"),
    "no bucket": FileNotFoundError("there"),
    "wordless": KeyError(),
}


def raising(error: BaseException) -> Callable[[bytes], bytes]:
    def spoil(data):
        raise error

    return spoil


@pytest.mark.parametrize("name", ERRORS)
def test_a_place_that_takes_nothing_is_told_before_anything_is_made(tmp_path, faulty, monkeypatch, capsys, name):
    monkeypatch.setattr(Faulty, "spoil", raising(ERRORS[name]))
    for words in ((), ("--region", "160,-10,4000", "--formats", "json"), ("--workers", "2")):
        assert cli.main(["map", str(tmp_path / "out"), *WORDS, *words, "--blocks", faulty]) == 1
        said = capsys.readouterr().err
        assert said.startswith("landfall: cannot keep blocks in faulty://there (") and said.count("\n") == 1
        assert said.endswith("): check the address and who may write there\n") and not list(tmp_path.iterdir())


@pytest.mark.parametrize("spoil", [shorter, flipped], ids=["short", "a flipped bit"])
def test_a_place_that_gives_back_something_else_is_told(tmp_path, faulty, monkeypatch, capsys, spoil):
    monkeypatch.setattr(Faulty, "spoil", spoil)
    assert cli.main(["map", str(tmp_path / "out"), *WORDS, "--blocks", faulty]) == 1
    assert "(what is put there comes out changed)" in capsys.readouterr().err and not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ERRORS)
def test_a_place_that_takes_no_more_costs_nothing(tmp_path, whole, faulty, monkeypatch, capsys, name):
    def fail_later(data):
        if len(Faulty.puts) > 2:
            raise ERRORS[name]
        return data

    monkeypatch.setattr(Faulty, "spoil", fail_later)
    assert made(tmp_path / "out", "--blocks", faulty) == whole
    said = capsys.readouterr().err
    assert said.startswith("landfall: a block cannot be kept in faulty://there (") and said.count("\n") == 1


def test_a_place_that_has_gone_is_left_alone(tmp_path, faulty, monkeypatch, capsys):
    """Each try may last until a library gives up."""
    tries, piece = list[str](), {"a": np.ones(2)}

    def gone(files, path, *words, **more):
        tries.append(path)
        raise TimeoutError("no answer")

    with store_in(tmp_path, faulty) as keep:
        with monkeypatch.context() as patch:
            for name in ("cat_file", "pipe_file"):
                patch.setattr(Faulty, name, gone)
            for key in "abcdefgh":
                assert keep(key, lambda: piece) is piece
        assert tries == ["/there/a.block", "/there/a.block", "/there/b.block"]
        assert keep("z", lambda: piece) is piece
    assert capsys.readouterr().err == (
        "landfall: a block cannot be kept in faulty://there (no answer): the map goes on without\n"
    )


def test_a_place_that_keeps_what_it_is_to_remove_is_told(tmp_path, whole, faulty, monkeypatch, capsys):
    with monkeypatch.context() as patch:
        for name in ("rm", "rm_file"):
            patch.setattr(Faulty, name, lambda *words: raising(OSError("gone away"))(b""))
        assert made(tmp_path / "out", "--blocks", faulty) == whole
    assert capsys.readouterr().err == "landfall: blocks of this map stay in faulty://there (gone away): remove them\n"
    Faulty("").rm([name for name in Faulty.store if name != "/there/others.block"])


def test_objects_that_others_have_removed_keep_none_from_going(tmp_path, faulty):
    with store_in(tmp_path, faulty) as keep:
        for key in ("one", "two", "three"):
            keep(key, lambda: {"a": np.ones(2)})
        Faulty("").rm_file("/there/two.block")


def test_a_map_that_fails_does_not_wait_for_a_place_that_no_longer_answers(tmp_path, faulty, monkeypatch):
    answers, before = threading.Event(), set(threading.enumerate())
    monkeypatch.setattr(block_store, "UNDO_S", 0.0)
    with pytest.raises(RuntimeError), store_in(tmp_path, faulty):
        monkeypatch.setattr(Faulty, "removing", lambda: answers.wait(PATIENCE_S))
        raise RuntimeError
    assert not list(tmp_path.iterdir()) and len(Faulty.store) == 2
    answers.set()
    (thread,) = set(threading.enumerate()) - before
    thread.join(PATIENCE_S)


def test_no_piece_is_kept_once_a_map_has_ended(tmp_path, faulty):
    with store_in(tmp_path, faulty) as keep:
        pass
    keep("late", lambda: {"a": np.ones(2)})


class Nested(Faulty):
    """It has no objects in folders that nobody has made."""

    protocol = "nested"
    folders: ClassVar[set[str]] = {"/there"}

    @classmethod
    def _strip_protocol(cls, path):
        return super()._strip_protocol(path.removeprefix("nested://"))

    def pipe_file(self, path, value, mode="overwrite", **kwargs):
        if self._parent(path) not in Nested.folders:
            raise FileNotFoundError(path)
        super().pipe_file(path, value, mode=mode, **kwargs)

    def mkdir(self, path, create_parents=True, **kwargs):
        if not create_parents and self._parent(path) not in Nested.folders:
            raise FileNotFoundError(path)
        Nested.folders.add(path)


def test_the_last_folder_of_an_address_is_made(tmp_path, faulty):
    fsspec.register_implementation("nested", Nested, clobber=True)
    with store_in(tmp_path, "nested://there/blocks") as keep:
        keep("one", lambda: {"a": np.ones(2)})
        assert "/there/blocks/one.block" in Faulty.store
    with (
        pytest.raises(ExportError, match=r"cannot keep blocks in nested://no/blocks \(No such file or directory\)"),
        store_in(tmp_path, "nested://no/blocks"),
    ):
        pass


@pytest.mark.parametrize("words", [(), ("--region", "160,-10,4000")], ids=["a planet", "a region"])
def test_workers_reach_a_folder_elsewhere(tmp_path, puts, monkeypatch, words):
    seen, remove, store = set[str](), block_places.Folder.remove, tmp_path / "elsewhere"

    def remove_and_see(folder, names):
        seen.update(path.name for path in store.iterdir())
        remove(folder, names)

    expected = made(tmp_path / "threads", *words)
    puts.clear()
    monkeypatch.setattr(block_places.Folder, "remove", remove_and_see)
    assert made(tmp_path / "out", *words, "--workers", "2", "--blocks", f"file://{store}") == expected
    # This process has put the mark there, and workers have put all else.
    assert [Path(name).suffix for name in puts] == [".mark"]
    assert len(seen) > 1 and not store.exists()


def test_workers_that_do_not_see_the_place_are_told(tmp_path, monkeypatch, capfd):
    begin = BlockStore.begin

    def lost(store):
        begin(store)
        (tmp_path / "elsewhere" / store.elsewhere.mark).unlink()

    monkeypatch.setattr(BlockStore, "begin", lost)
    words = ["map", str(tmp_path / "out"), *WORDS, "--workers", "1", "--blocks", str(tmp_path / "elsewhere")]
    assert cli.main(words) == 1
    assert capfd.readouterr().err == (
        f"landfall: a worker cannot go on (it cannot read {tmp_path}/elsewhere: No such file or directory)\n"
    )
    assert not list(tmp_path.iterdir())


def test_a_full_disk_elsewhere_is_told(tmp_path, whole, capfd):
    with full_disk(tmp_path / "disk", "16k") as disk:
        assert made(tmp_path / "out", "--blocks", str(disk / "blocks")) == whole
        said = capfd.readouterr().err
        assert "a block cannot be kept in" in said and "(No space left on device)" in said and said.count("\n") == 1
        words = ["map", str(tmp_path / "by workers"), *WORDS, "--workers", "1", "--blocks", str(disk / "blocks")]
        assert cli.main(words) == 1
        said = capfd.readouterr().err
        assert "a worker cannot go on (it cannot write" in said and "(No space left on device)" in said
        assert said.count("\n") == 1 and not list(disk.iterdir())


@pytest.mark.parametrize("words", [(), ("--workers", "2")], ids=["threads", "workers"])
def test_a_killed_map_goes_on_and_repeats_nothing(tmp_path, whole, monkeypatch, words):
    """Only pieces that were in work are made again; and those of both processes go."""
    store, out = tmp_path / "elsewhere", tmp_path / "out"
    store.mkdir()
    (store / "others.block").write_bytes(b"theirs")
    killed(signal.SIGKILL, store, out, *words)
    kept = times_of(store)
    assert kept and list(store.glob("landfall-*.mark"))
    seen, remove = {}, block_places.Folder.remove

    def remove_and_see(folder, names):
        seen.update(times_of(store))
        remove(folder, names)

    monkeypatch.setattr(block_places.Folder, "remove", remove_and_see)
    assert made(out, *words, "--blocks", str(store)) == whole
    assert {name: seen[name] for name in kept} == kept and len(seen) >= len(kept)
    assert [path.name for path in store.iterdir()] == ["others.block"]


def test_a_map_that_is_ended_leaves_nothing_elsewhere(tmp_path):
    store, out = tmp_path / "elsewhere", tmp_path / "out"
    store.mkdir()
    (store / "others.block").write_bytes(b"theirs")
    killed(signal.SIGTERM, store, out, "--workers", "2")
    assert not out.exists() and [path.name for path in store.iterdir()] == ["others.block"]


def times_of(store: Path) -> dict[str, tuple[int, int]]:
    """When each piece in a store was put there, and into which file."""
    found = {}
    for path in store.glob("[!.]*.block"):
        # Pieces come and go meanwhile.
        with suppress(FileNotFoundError):
            found[path.name] = path.stat().st_mtime_ns, path.stat().st_ino
    return {name: found[name] for name in found if name != "others.block"}


def killed(number: int, store: Path, out: Path, *words: str) -> None:
    """A map whose process gets a signal as soon as some of its pieces are kept."""
    command = [sys.executable, str(ROOT / "main.py"), "map", str(out), *WORDS, *words, "--blocks", str(store)]
    process = subprocess.Popen(command, env=environment(), stderr=subprocess.PIPE, text=True)
    patience = time.monotonic() + PATIENCE_S
    while len(times_of(store)) < 3:
        assert process.poll() is None and time.monotonic() < patience
        time.sleep(0.001)
    process.send_signal(number)
    # Workers hold this pipe too.
    assert process.communicate(timeout=PATIENCE_S)[1] == "" and process.returncode == -number


def hide_fsspec(monkeypatch) -> None:
    real = block_places.importlib.util.find_spec
    monkeypatch.setattr(block_places.importlib.util, "find_spec", lambda name: None if name == "fsspec" else real(name))
    monkeypatch.setitem(sys.modules, "fsspec", None)


def test_an_address_without_the_library_for_it(tmp_path, monkeypatch, capsys):
    fsspec.register_implementation("nothere", "no_such_module.Files", errtxt="Install nothere to reach it", clobber=True)
    words = ["map", str(tmp_path / "out"), *WORDS, "--blocks"]
    assert cli.main([*words, "nothere://x/y"]) == 1
    assert capsys.readouterr().err == (
        "landfall: --blocks=nothere://x/y cannot be reached (Install nothere to reach it): install what is missing\n"
    )
    hide_fsspec(monkeypatch)
    assert cli.main([*words, "s3://me:secret@bucket/prefix"]) == 1
    said = capsys.readouterr().err
    assert said.startswith("landfall: fsspec is missing, which --blocks=s3://bucket/prefix needs: run")
    assert "requirements-map.txt" in said and said.count("\n") == 1 and not list(tmp_path.iterdir())


WRONG = {
    ("nosuch://bucket/prefix",): "--blocks=nosuch://bucket/prefix is not possible (fsspec knows no nosuch://)",
    ("",): "--blocks= is not possible: it takes a folder, or an address of fsspec",
    ("file://relative",): "--blocks=file://relative is not possible",
    ("s3://me:secret@bucket/*",): "--blocks=s3://bucket/* is not possible",
    ("simplecache::s3://bucket",): "--blocks=simplecache::s3://bucket is not possible",
    ("s3://bucket::memory://",): "is not possible",
    ("memory://x", "--workers", "2"): "--blocks=memory://x and --workers are not possible together",
    ("memory://x", "--scheduler", "tcp://127.0.0.1:9"): "--blocks=memory://x and --scheduler are not possible together",
}


@pytest.mark.parametrize("words", WRONG)
def test_wrong_words(tmp_path, words):
    assert WRONG[words] in complaint(landfall("map", str(tmp_path / "out"), *WORDS, "--blocks", *words), 2)
    assert not list(tmp_path.iterdir())


def test_folders_that_cannot_be(tmp_path):
    (tmp_path / "file").touch()
    for place, said in (("no/folder", "there is no folder"), ("file", "it is a file")):
        result = landfall("map", "out", *WORDS, "--blocks", place, cwd=tmp_path)
        assert said in complaint(result, 1) and sorted(os.listdir(tmp_path)) == ["file"]
    # Nobody listens there.
    result = landfall("map", "out", *WORDS, "--blocks", "ftp://127.0.0.1:1/blocks", cwd=tmp_path)
    assert "cannot keep blocks in ftp://127.0.0.1:1/blocks (Connection refused)" in complaint(result, 1)
    assert sorted(os.listdir(tmp_path)) == ["file"]
