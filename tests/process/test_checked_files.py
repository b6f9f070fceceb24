"""Files with a checksum: what was written is read, what was damaged is never read and goes out of the way once."""

from __future__ import annotations

import os

import pytest
from support.damage import DAMAGES, harm
from support.hosting import full_disk

from demo.process import checked_files
from demo.process.checked_files import DAMAGED, DamagedError

CONTENT = bytes(range(256)) * 40


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "kernel.nbc"
    checked_files.write(str(path), CONTENT)
    return path


@pytest.mark.parametrize("content", [b"", b"a", CONTENT])
def test_what_was_written_is_read(tmp_path, content):
    path = str(tmp_path / "a")
    checked_files.write(path, content)
    assert checked_files.is_whole(path) and bytes(checked_files.read(path)) == content
    assert os.listdir(tmp_path) == ["a"]


@pytest.mark.parametrize("damage", DAMAGES)
def test_what_was_damaged_is_set_aside_once(path, damage):
    harm(path, damage)
    assert not checked_files.is_whole(str(path)) and path.exists()
    with pytest.raises(DamagedError):
        checked_files.read(str(path))
    assert os.listdir(path.parent) == [path.name + DAMAGED]
    with pytest.raises(FileNotFoundError):
        checked_files.read(str(path))
    checked_files.write(str(path), CONTENT)
    assert checked_files.read(str(path)) == CONTENT


def test_what_another_process_has_mended_stays(path):
    """Between the reading of a damaged file and its setting aside."""
    harm(path, "halved")
    seen = path.stat()
    checked_files.write(str(path), CONTENT)
    checked_files.set_aside(str(path), seen)
    assert checked_files.read(str(path)) == CONTENT


def test_two_that_set_aside_one_file(path):
    harm(path, "halved")
    seen = path.stat()
    checked_files.set_aside(str(path), seen)
    checked_files.set_aside(str(path), seen)
    assert os.listdir(path.parent) == [path.name + DAMAGED]


def test_a_folder_in_the_place_of_a_file(tmp_path):
    (tmp_path / "a").mkdir()
    with pytest.raises(OSError):
        checked_files.write(str(tmp_path / "a"), CONTENT)
    assert os.listdir(tmp_path) == ["a"] and not checked_files.is_whole(str(tmp_path / "a"))


def test_a_full_disk_keeps_the_old_file_and_no_other(tmp_path):
    with full_disk(tmp_path / "disk", "16k") as disk:
        checked_files.write(str(disk / "a"), b"old")
        with pytest.raises(OSError):
            checked_files.write(str(disk / "a"), bytes(1 << 20))
        assert os.listdir(disk) == ["a"] and checked_files.read(str(disk / "a")) == b"old"
