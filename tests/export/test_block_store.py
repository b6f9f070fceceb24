"""The store of finished pieces: what is kept is found again, what is damaged is made again, and nothing stays behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from support.program import ROOT, environment, landfall

from demo.catalogue.generators import generator
from demo.export import block_store
from demo.export.block_store import FOLDER, store_in
from demo.export.files import ExportError

PIECE = {"a": np.arange(5, dtype=np.float32), "b": np.zeros((0, 2), np.int64)}


def never():
    raise AssertionError("a piece that was kept is made again")


def assert_piece(found):
    assert list(found) == list(PIECE)
    for name, values in PIECE.items():
        assert found[name].dtype == values.dtype
        np.testing.assert_array_equal(found[name], values)


def test_a_piece_that_was_kept_is_found(tmp_path):
    with store_in(tmp_path) as store:
        assert_piece(store("key", lambda: PIECE))
        assert_piece(store("key", never))
        assert [path.name for path in (tmp_path / FOLDER).iterdir()] == ["key.block"]
    assert not list(tmp_path.iterdir())


def test_pieces_of_a_killed_process_are_found(tmp_path):
    folder = tmp_path / FOLDER
    folder.mkdir()
    block_store.BlockStore(folder)("key", lambda: PIECE)
    with store_in(tmp_path) as store:
        assert_piece(store("key", never))
        assert store("other", lambda: {"c": np.ones(1)})["c"] == 1.0


@pytest.mark.parametrize("damage", ["cut short", "a flipped bit", "empty", "another sum"])
def test_a_damaged_piece_is_made_again_and_said_once(tmp_path, capsys, damage):
    with store_in(tmp_path) as store:
        for key in ("one", "two"):
            store(key, lambda: PIECE)
            path = tmp_path / FOLDER / f"{key}.block"
            data = bytearray(path.read_bytes())
            if damage == "a flipped bit":
                data[len(data) // 2] ^= 1
            at = 3 if damage == "another sum" else len(data) - 1
            data[at] ^= damage == "another sum"
            path.write_bytes(b"" if damage == "empty" else data[: len(data) // 2] if damage == "cut short" else data)
        made = []
        for key in ("one", "two"):
            assert_piece(store(key, lambda key=key: made.append(key) or PIECE))
            assert_piece(store(key, never))
        assert made == ["one", "two"]
    assert capsys.readouterr().err.count("is damaged: it is computed again") == 1


def test_a_store_that_cannot_be_written_costs_nothing(tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    with store_in(tmp_path) as store:
        monkeypatch.setattr(os, "replace", full)
        assert_piece(store("key", lambda: PIECE))
        assert not list((tmp_path / FOLDER).iterdir())


def test_a_folder_that_was_made_for_nothing_goes(tmp_path):
    with pytest.raises(RuntimeError), store_in(tmp_path / "out"):
        raise RuntimeError
    assert not list(tmp_path.iterdir())
    with pytest.raises(RuntimeError), store_in(tmp_path):
        raise RuntimeError
    assert not list(tmp_path.iterdir())
    with pytest.raises(ExportError, match="there is no folder"), store_in(tmp_path / "no" / "out"):
        pass


def test_a_map_that_is_written_stays_though_it_is_ended_then(tmp_path, monkeypatch):
    def end(path):
        raise KeyboardInterrupt

    out = tmp_path / "out"
    monkeypatch.setattr(block_store, "remove", end)
    with pytest.raises(KeyboardInterrupt), store_in(out):
        (out / "summary.json").touch()
    assert [path.name for path in out.iterdir()] == ["summary.json"]


@pytest.mark.parametrize("place", [(), ("--region", "-91,-40,2500")], ids=["a planet", "a region"])
def test_a_killed_map_goes_on_to_the_same_bytes(tmp_path, place):
    pytest.importorskip("rasterio")
    pytest.importorskip("shapely")
    words = ("map", "out", "--seed", "3", "--gn", "4", "--ln", "3", *place, "--formats", "tif,json")
    whole, out = tmp_path / "whole", tmp_path / "killed"
    for folder in (whole, out):
        folder.mkdir()
    assert landfall(*words, cwd=whole).returncode == 0
    process = subprocess.Popen([sys.executable, str(ROOT / "main.py"), *words], cwd=out, env=environment(), stderr=-3)
    store, patience = out / "out" / FOLDER, time.monotonic() + 100.0
    while not (store.is_dir() and any(path.name[0] != "." for path in store.iterdir())):
        assert process.poll() is None and time.monotonic() < patience
        time.sleep(0.001)
    process.send_signal(signal.SIGKILL)
    process.wait()
    # Hidden files are pieces that were being written.
    kept = list(store.glob("[!.]*.block"))
    kept[0].write_bytes(kept[0].read_bytes()[:-1])
    result = landfall(*words, cwd=out)
    assert result.returncode == 0 and result.stderr.count("is damaged: it is computed again") == 1
    for name in ("relief.tif", "summary.json"):
        assert (out / "out" / name).read_bytes() == (whole / "out" / name).read_bytes()
    assert sorted(path.name for path in (out / "out").iterdir()) == ["relief.tif", "summary.json"]


def test_what_a_piece_is_made_from_tells_its_key():
    pytest.importorskip("shapely")
    from demo.mapping.objects.planet_map import planet_map_of

    def keys_of(**more):
        keys = []

        def keep(key, make):
            keys.append(key)
            return make()

        values = generator("doublecone").complete({"gn": 4, "ln": 1, **more})
        planet_map_of(3, values, "code", keep=keep)
        return set(keys)

    usual = keys_of()
    assert usual and keys_of() == usual
    for more in ({"land": 0.4}, {"poles": "any"}, {"ln": 2}, {"keeps": "areas"}):
        assert not keys_of(**more) & usual
