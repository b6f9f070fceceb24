"""Exporters: files that are whole or not there, height maps that can be read back, films and sheets."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from demo.catalogue.generators import GENERATORS
from demo.export import files, film, heightmap_out, picture
from demo.export.files import ExportError
from demo.worlds.atlas import ATLASES, CUBE, DOUBLE_CONE, PLANE
from demo.worlds.doublecone.global_mesh import from_faces, ring_starts
from demo.worlds.heightfield import HeightField
from demo.worlds.parameters import ParameterError

ROOT = Path(__file__).resolve().parents[2]
SIZE = (64, 48)


def world(atlas=CUBE, n=5, seed=7, low=-1.0, high=2.0):
    heights = np.linspace(low, high, atlas.faces * n * n, dtype=np.float32).reshape(atlas.faces, n, n)
    return HeightField(atlas, heights, 0.25, 3.0, "R", seed, {"cells": n - 1, "offset": True}, f"test-1-{seed}")


def frames(count=4, size=SIZE):
    x, y = np.meshgrid(np.arange(size[0]), np.arange(size[1]))
    for k in range(count):
        yield np.stack([x * 3 % 256, (y * 5 + 16 * k) % 256, np.full_like(x, 40 * k)], axis=-1).astype(np.uint8)


# --- whole or not there ------------------------------------------------------------------------------------------------


def test_a_file_appears_whole(tmp_path):
    path = tmp_path / "a.txt"
    with files.replacing(path) as temporary:
        assert temporary.parent == tmp_path and temporary.suffix == ".txt" and not path.exists()
        temporary.write_text("new")
    assert path.read_text() == "new"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit])
def test_a_failure_leaves_the_earlier_file(tmp_path, error):
    path = tmp_path / "a.txt"
    path.write_text("old")
    with pytest.raises(error), files.replacing(path) as temporary:
        temporary.write_text("half")
        raise error
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(os.name != "posix", reason="modes are POSIX's")
def test_a_file_has_the_mode_that_the_umask_says(tmp_path):
    before = os.umask(0o027)
    try:
        with files.replacing(tmp_path / "a") as temporary:
            temporary.write_text("x")
        with files.replacing_folder(tmp_path / "b"):
            pass
    finally:
        os.umask(before)
    assert (tmp_path / "a").stat().st_mode & 0o777 == 0o640
    assert (tmp_path / "b").stat().st_mode & 0o777 == 0o750


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real" / "a")
    with files.replacing(tmp_path / "link") as temporary:
        temporary.write_text("x")
    assert (tmp_path / "link").is_symlink() and (tmp_path / "real" / "a").read_text() == "x"


def test_places_where_no_file_can_be(tmp_path):
    for path, words in ((tmp_path / "none" / "a", "there is no folder"), (tmp_path, "no ordinary file")):
        with pytest.raises(ExportError, match=words), files.replacing(path):
            pass


def test_a_full_disk_is_one_line_and_leaves_nothing(tmp_path):
    (tmp_path / "a.npz").write_text("old")
    code = (
        "import resource, signal, sys; sys.path[:0] = ['.', 'tests', 'tests/export']; from pathlib import Path\n"
        "from test_files_and_pictures import world, PLANE\nfrom demo.export import heightmap_out, files\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN); resource.setrlimit(resource.RLIMIT_FSIZE, (256, 256))\n"
        "for name in sys.argv[1:]:\n"
        "    try: heightmap_out.write(Path(name), world(PLANE, 129)); print('written')\n"
        "    except files.ExportError as error: print(error)\n"
    )
    names = [str(tmp_path / f"a{ending}") for ending in heightmap_out.WRITERS]
    run = [sys.executable, "-c", code, *names]
    result = subprocess.run(run, cwd=ROOT, capture_output=True, text=True, check=True)
    assert result.stderr == ""
    assert [line.split(" (")[0] for line in result.stdout.splitlines()] == [f"cannot write {name}" for name in names]
    assert list(tmp_path.iterdir()) == [tmp_path / "a.npz"]
    assert (tmp_path / "a.npz").read_text() == "old"


def test_a_still_on_a_full_disk_is_one_line_and_leaves_the_earlier_one(tmp_path):
    (tmp_path / "a.png").write_text("old")
    code = (
        "import resource, signal, sys; import numpy; from pathlib import Path; from demo.export import files, picture\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN); resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))\n"
        "noise = numpy.random.default_rng(1).integers(0, 256, (64, 64, 3), numpy.uint8)\n"
        "try: picture.write_png(Path(sys.argv[1]), noise); print('written')\n"
        "except files.ExportError as error: print(error)\n"
    )
    run = [sys.executable, "-c", code, str(tmp_path / "a.png")]
    result = subprocess.run(run, cwd=ROOT, capture_output=True, text=True, check=True)
    assert result.stderr == "" and result.stdout.startswith(f"cannot write {tmp_path / 'a.png'} (")
    assert list(tmp_path.iterdir()) == [tmp_path / "a.png"]
    assert (tmp_path / "a.png").read_text() == "old"


@pytest.mark.skipif(os.name != "posix", reason="signals are POSIX's")
def test_sigterm_removes_what_is_unfinished_and_ends_by_the_signal(tmp_path):
    code = (
        "import signal, sys; from pathlib import Path; from demo.export import files\n"
        "files.install_signal_handler()\n"
        "with files.replacing(Path(sys.argv[1])): print('begun', flush=True); signal.pause()\n"
    )
    child = subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path / "a.npz")], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    with child:
        assert child.stdout.readline() == "begun\n"
        assert len(list(tmp_path.iterdir())) == 1
        child.terminate()
        assert child.wait(timeout=60) == -signal.SIGTERM
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.name != "posix", reason="signals are POSIX's")
def test_sigterm_ends_the_program_that_an_export_runs(tmp_path):
    os.mkfifo(tmp_path / "alive")
    code = (
        "import sys; from demo.export import child_programs, files\n"
        "files.install_signal_handler()\n"
        "child_programs.run(['sh', '-c', 'exec 3>\"$0\"; echo here >&3; exec sleep 600', sys.argv[1]])\n"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "alive")]
    with subprocess.Popen(command, cwd=ROOT) as child, open(tmp_path / "alive", buffering=1) as held:
        assert held.readline() == "here\n"
        child.terminate()
        assert child.wait(timeout=60) == -signal.SIGTERM
        # The end of the file is there when nobody has it open any more.
        assert select.select([held], [], [], 60.0)[0] and held.read() == ""


@pytest.mark.skipif(os.name != "posix", reason="signals are POSIX's")
def test_sigterm_ends_a_program_that_an_export_is_starting():
    code = (
        "import os, signal, subprocess; from demo.export import child_programs, files\n"
        "start = subprocess.Popen\n"
        "def late(*words, **more):\n"
        "    child = start(*words, **more)\n"
        "    os.kill(os.getpid(), signal.SIGTERM)\n"
        "    return child\n"
        "subprocess.Popen = late\n"
        "files.install_signal_handler()\n"
        "child_programs.run(['sleep', '600'])\n"
    )
    mine, its = os.pipe()
    try:
        with subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdin=mine) as child:
            os.close(mine)
            assert child.wait(timeout=60) == -signal.SIGTERM
        # Nobody can read what is written when nobody has its other end open any more.
        readers = select.poll()
        readers.register(its, select.POLLERR)
        assert readers.poll(60_000)
    finally:
        os.close(its)


BEGIN = {
    "file": "files.replacing(path)",
    "folder": "files.replacing_folder(path)",
    "entry": "files.adding_to_folder(path.parent)",
}


@contextmanager
def begun(path, verb):
    """A process that has begun to write and waits; it is killed at the end."""
    code = (
        "import signal, sys; from pathlib import Path; from demo.export import files\n"
        f"path = Path(sys.argv[1])\nwith {BEGIN[verb]} as new:\n"
        "    if new.is_dir(): (new / 'half').write_text('half')\n"
        "    print('begun', flush=True); signal.pause()\n"
    )
    child = subprocess.Popen([sys.executable, "-c", code, str(path)], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    with child:
        assert child.stdout.readline() == "begun\n"
        try:
            yield
        finally:
            child.kill()


def leftover(folder, verb="file"):
    """What a killed process has left in a folder."""
    with begun(folder / "a.npz", verb):
        (path,) = folder.iterdir()
    return path


def written_beside(folder):
    """The names in a folder after another file was written there."""
    with files.replacing(folder / "b.txt") as temporary:
        temporary.write_text("new")
    return {path.name for path in folder.iterdir()}


@pytest.mark.skipif(sys.platform != "linux", reason="the start of a process is read from /proc")
@pytest.mark.parametrize("verb", BEGIN)
def test_the_next_run_removes_what_a_killed_one_has_left(tmp_path, verb):
    path = leftover(tmp_path, verb)
    assert path.exists() and path.name.startswith(".")
    assert written_beside(tmp_path) == {"b.txt"}


@pytest.mark.skipif(sys.platform != "linux", reason="the start of a process is read from /proc")
def test_folders_remove_leftovers_too(tmp_path):
    for number, writer in enumerate((files.replacing_folder, files.adding_to_folder)):
        parent = tmp_path / str(number)
        parent.mkdir()
        leftover(parent)
        with writer(parent / "new" if number == 0 else parent) as new:
            (new / "whole").write_text("whole")
        assert {path.name for path in parent.iterdir()} == {"new" if number == 0 else "whole"}


@pytest.mark.skipif(sys.platform != "linux", reason="the start of a process is read from /proc")
@pytest.mark.parametrize("verb", BEGIN)
def test_what_a_living_process_writes_is_not_removed(tmp_path, verb):
    with begun(tmp_path / "a.npz", verb):
        (path,) = tmp_path.iterdir()
        assert written_beside(tmp_path) == {"b.txt", path.name}
        assert verb == "file" or (path / "half").read_text() == "half"


@pytest.mark.skipif(sys.platform != "linux", reason="the start of a process is read from /proc")
def test_only_leftovers_of_this_machine_are_removed(tmp_path):
    path = leftover(tmp_path)
    *name, host, pid, boot, start, last = path.name.split("-")
    other = "0" * 8

    def called(*parts):
        return "-".join((*name, *parts))

    kept = {
        called(other, pid, boot, start, last),
        called(host, str(os.getpid()), boot, str(start_ticks()), last),
        called(host, pid, boot, start),
        called(host, pid, boot, start, last)[1:],
        ".a-1a2b3c4d.npz",
        "a.npz",
    }
    gone = {
        path.name,
        # The number of a process that lives, but that was started at another time or before the machine was.
        called(host, str(os.getpid()), boot, str(start_ticks() + 1), last),
        called(host, str(os.getpid()), other, str(start_ticks()), last),
    }
    for entry in kept | gone:
        (tmp_path / entry).write_text("")
    link = called(host, pid, boot, start, "00000000.npz")
    (tmp_path / link).symlink_to(tmp_path / "a.npz")
    assert written_beside(tmp_path) == kept | {"b.txt", link}


def start_ticks():
    """When this process was started, in clock ticks since the boot."""
    return int(Path("/proc/self/stat").read_text().rpartition(")")[2].split()[19])


def test_a_folder_takes_the_place_of_an_empty_one_only(tmp_path):
    path = tmp_path / "frames"
    film.write(path, frames(3), 24, SIZE)
    assert sorted(p.name for p in path.iterdir()) == [f"frame-00000{k}.png" for k in range(3)]
    with pytest.raises(ExportError, match="not empty"):
        film.write(path, frames(1), 24, SIZE)
    film.write_frames(path, frames(1), ours=True)
    assert len(list(path.iterdir())) == 1
    assert list(tmp_path.iterdir()) == [path]


def test_an_empty_folder_stays_the_same_folder(tmp_path):
    """It may be the current one, or a file system of its own."""
    before = tmp_path.stat().st_ino
    film.write_frames(tmp_path, frames(1))
    assert tmp_path.stat().st_ino == before and [path.name for path in tmp_path.iterdir()] == ["frame-000000.png"]


@pytest.mark.skipif(sys.platform != "linux", reason="the start of a process is read from /proc")
def test_a_folder_with_leftovers_alone_is_empty(tmp_path):
    leftover(tmp_path)
    film.check(tmp_path, SIZE)
    assert list(tmp_path.iterdir()) == []


def test_the_place_of_the_side_car_is_checked_too(tmp_path):
    (tmp_path / "a.json").mkdir()
    with pytest.raises(ExportError, match=r"a\.json \(it is no ordinary file\)"):
        heightmap_out.check(tmp_path / "a.png")
    heightmap_out.check(tmp_path / "a.npz")


# --- height maps -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("atlas", ATLASES.values(), ids=ATLASES)
def test_npz(tmp_path, atlas, monkeypatch):
    field = world(atlas)
    monkeypatch.setattr(heightmap_out, "PIECE", 17)
    heightmap_out.write(tmp_path / "a.npz", field)
    with np.load(tmp_path / "a.npz", allow_pickle=False) as arrays:
        read = {name: arrays[name] for name in arrays}
    size = "radius" if atlas.spherical else "extent"
    assert set(read) == {"heights", "positions", "sea_level", size, "atlas", "unit", "code", "parameters", "seed"}
    assert read["heights"].dtype == np.float32 and np.array_equal(read["heights"], field.heights)
    assert read["positions"].dtype == np.float64 and read["positions"].shape == (atlas.faces, 5, 5, 3)
    assert np.array_equal(read["positions"], atlas.positions(5))
    if atlas.spherical:
        np.testing.assert_allclose(np.linalg.norm(read["positions"], axis=-1), 1.0, rtol=1e-12)
    else:
        assert np.all(read["positions"][..., 1] == 0.0)
    assert (float(read["sea_level"]), float(read[size]), int(read["seed"])) == (0.25, 3.0, 7)
    assert (str(read["atlas"]), str(read["unit"]), str(read["code"])) == (atlas.name, "R", "test-1-7")
    assert json.loads(str(read["parameters"])) == field.parameters


@given(st.integers())
def test_any_seed_is_a_plain_number(seed):
    array = heightmap_out.arrays(world(PLANE, 2, seed))["seed"]
    assert array.dtype.kind in "iu" and int(array) % 2**64 == seed % 2**64


def test_bytes_are_the_greys_of_a_picture(tmp_path):
    field = GENERATORS["plasma"].world(3, {"cells": 20, "method": "as-printed"})
    heightmap_out.write(tmp_path / "map.png", field)
    with Image.open(tmp_path / "map.png") as image:
        assert image.mode == "L" and np.array_equal(np.asarray(image), field.heights[0])
    notes = json.loads((tmp_path / "map.json").read_text())
    assert (notes["offset"], notes["scale"]) == (0.0, 1.0)


def test_png_and_its_scale(tmp_path):
    field = world()
    heightmap_out.write(tmp_path / "a.png", field)
    notes = json.loads((tmp_path / "a.json").read_text())
    with Image.open(tmp_path / "a.png") as image:
        assert image.mode == "I;16" and image.size == (30, 5)
        grey = np.asarray(image)
    assert (grey.min(), grey.max()) == (0, 65535)
    read = notes["offset"] + notes["scale"] * grey.astype(np.float64)
    np.testing.assert_allclose(read, heightmap_out.sheet(field.heights), atol=0.51 * notes["scale"])
    assert (notes["sea_level"], notes["atlas"], notes["code"], notes["radius"]) == (0.25, "cube", "test-1-7", 3.0)


@given(st.floats(-1e6, 1e6, width=32), st.floats(0, 1e6, width=32))
def test_sixteen_bits_span_the_heights(low, span):
    heights = np.array([[low, np.float32(low) + np.float32(span)]], np.float32)
    grey, offset, scale = heightmap_out.quantise(heights)
    assert np.all(np.abs(offset + scale * grey - heights.astype(np.float64)) <= 0.5 * scale * (1 + 1e-6))


def test_a_level_world_has_a_scale_too():
    grey, offset, scale = heightmap_out.quantise(np.full((2, 2), 3.5, np.float32))
    assert not grey.any() and (offset, scale) == (3.5, 1.0)


def test_packed_arrays_hold_every_height_once(tmp_path):
    field = world(DOUBLE_CONE, 5)
    heightmap_out.write(tmp_path / "a.npz", field, packed=True)
    with np.load(tmp_path / "a.npz", allow_pickle=False) as archive:
        packed, poles = archive["packed"], archive["poles"]
        assert packed.dtype == poles.dtype == np.float32 and packed.shape == (4, 16) and poles.shape == (2,)
        mesh = from_faces(archive["heights"])
    assert np.array_equal(np.sort(np.concatenate([poles, packed.ravel()])), np.sort(mesh))
    assert np.array_equal(poles, mesh[[0, -1]])
    # The last row is the equator, from longitude 0 on.
    assert np.array_equal(packed[-1], mesh[ring_starts(4)[4] : ring_starts(4)[5]])


@pytest.mark.parametrize(("name", "atlas"), [("a.png", DOUBLE_CONE), ("a.npz", CUBE)])
def test_what_cannot_be_packed_is_refused(tmp_path, name, atlas):
    with pytest.raises(ParameterError, match="--packed"):
        heightmap_out.check(tmp_path / name, packed=True)
        heightmap_out.check_packed(atlas)


@pytest.mark.parametrize("ending", [".tif", ".tiff", ".TIF"])
def test_tif(tmp_path, ending):
    field = world()
    heightmap_out.write(tmp_path / f"a{ending}", field)
    with Image.open(tmp_path / f"a{ending}") as image:
        assert image.mode == "F"
        assert np.array_equal(np.asarray(image), np.hstack(list(field.heights)))
        assert json.loads(image.tag_v2[heightmap_out.IMAGE_DESCRIPTION])["code"] == "test-1-7"


@pytest.mark.parametrize("name", ["a", "a.jpg", "a.npz.txt", ".npz"])
def test_other_endings(name):
    with pytest.raises(ParameterError, match=r"end the name in \.npz"):
        heightmap_out.writer_of(Path(name))


# --- pictures and films ------------------------------------------------------------------------------------------------


def test_picture_and_same_bytes(tmp_path):
    pixels = next(frames())
    for name in ("a.png", "b.png"):
        picture.write_png(tmp_path / name, pixels)
    assert np.array_equal(np.asarray(Image.open(tmp_path / "a.png")), pixels)
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()


@pytest.mark.parametrize(("count", "shape"), [(1, (1, 1)), (3, (1, 3)), (12, (3, 4)), (13, (4, 4))])
def test_contact_sheet(count, shape):
    sheet = picture.contact_sheet(list(frames(count)))
    margin = picture.MARGIN_PX
    assert sheet.shape == (shape[0] * (SIZE[1] + margin) + margin, shape[1] * (SIZE[0] + margin) + margin, 3)
    assert np.array_equal(sheet[margin : margin + SIZE[1], margin : margin + SIZE[0]], next(frames()))


@given(st.integers(1, 1000), st.integers(1, 40))
def test_evenly(count, wanted):
    chosen = picture.evenly(count, wanted)
    assert len(set(chosen)) == min(count, wanted) and sorted(chosen) == chosen
    assert chosen[0] >= 0 and chosen[-1] < count


def test_mp4(tmp_path):
    av = pytest.importorskip("av")
    for name in ("a.mp4", "b.mp4"):
        film.write(tmp_path / name, frames(12), 24, SIZE)
    assert (tmp_path / "a.mp4").read_bytes() == (tmp_path / "b.mp4").read_bytes()
    with av.open(str(tmp_path / "a.mp4")) as container:
        stream = container.streams.video[0]
        decoded = [
            frame.reformat(format="rgb24", src_colorspace="ITU709").to_ndarray() for frame in container.decode(stream)
        ]
        assert stream.average_rate == 24 and (stream.width, stream.height) == SIZE
    assert len(decoded) == 12
    errors = [np.abs(a.astype(int) - b).mean() for a, b in zip(decoded, frames(12), strict=True)]
    assert max(errors) < 16, "chroma at half resolution, nothing worse"


def test_a_film_owes_nothing_to_what_memory_held(tmp_path):
    """glibc fills what it hands out and takes back with one byte or another; elsewhere this is just two runs."""
    pytest.importorskip("av")
    code = (
        "import sys; sys.path[:0] = ['.', 'tests', 'tests/export']; from pathlib import Path\n"
        "from test_files_and_pictures import frames, SIZE\nfrom demo.export import film\n"
        "film.write(Path(sys.argv[1]), frames(12), 24, SIZE)\n"
    )
    for name in ("1", "85"):
        words = [sys.executable, "-c", code, str(tmp_path / f"{name}.mp4")]
        subprocess.run(words, cwd=ROOT, env={**os.environ, "MALLOC_PERTURB_": name}, check=True)
    assert (tmp_path / "1.mp4").read_bytes() == (tmp_path / "85.mp4").read_bytes()


def test_films_that_cannot_be(tmp_path, monkeypatch):
    for path, size, words in (
        (tmp_path / "a.mp4", (63, 48), "make both even"),
        (tmp_path / "a.gif", SIZE, r"end the name in \.mp4"),
    ):
        with pytest.raises(ParameterError, match=words):
            film.check(path, size)
    monkeypatch.setattr(film, "has_av", lambda: False)
    with pytest.raises(ExportError, match=r"requirements-film\.txt"):
        film.check(tmp_path / "a.mp4", SIZE)
    film.check(tmp_path / "frames", SIZE)


def test_a_film_that_breaks_off_leaves_nothing(tmp_path):
    pytest.importorskip("av")

    def broken():
        yield from frames(2)
        raise RuntimeError("no more")

    for name in ("a.mp4", "frames"):
        with pytest.raises(RuntimeError, match="no more"):
            film.write(tmp_path / name, broken(), 24, SIZE)
    assert list(tmp_path.iterdir()) == []
