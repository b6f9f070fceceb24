"""Height maps from outside: damaged, hostile and odd files are refused in one line, before they cost anything."""

import io
import os
import struct
import sys
import tracemalloc
import warnings
import zipfile
import zlib
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from PIL import Image

from demo.app import cli
from demo.catalogue import heightmap_in
from demo.catalogue.generators import GENERATORS
from demo.worlds.heightmap import default_cells, squared
from demo.worlds.parameters import ParameterError

HEIGHTMAP = GENERATORS["heightmap"]
HILL = np.random.default_rng(1).random((12, 17))


def npy(array=HILL, **header):
    """The bytes of an `.npy`, with other words in its header where they are given."""
    words = {"descr": np.lib.format.dtype_to_descr(array.dtype), "fortran_order": False, "shape": array.shape, **header}
    return npy_of_text(repr(words)) + array.tobytes()


def npy_of_text(text, version=(1, 0)):
    words = text.encode("latin1") + b"\n"
    return np.lib.format.magic(*version) + struct.pack("<H" if version == (1, 0) else "<I", len(words)) + words


def npz(member, name="heights.npy", method=zipfile.ZIP_DEFLATED):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        archive.writestr(name, member)
    return out.getvalue()


def picture(kind, array=HILL, **how):
    out = io.BytesIO()
    Image.fromarray((array * 255).astype(np.uint8) if kind == "PNG" else array.astype(np.float32)).save(out, kind, **how)
    return out.getvalue()


def png_of_size(columns, rows, data=b""):
    def chunk(name, body):
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))

    size = struct.pack(">IIBBBBB", columns, rows, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", size) + chunk(b"IDAT", zlib.compress(data)) + chunk(b"IEND", b"")


def flipped(data, at):
    return data[:at] + bytes([data[at] ^ 0xFF]) + data[at + 1 :]


def encrypted(data):
    """An archive that says of its member that it is encrypted."""
    for mark, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = data.index(mark) + flags
        data = data[:at] + b"\x01" + data[at + 1 :]
    return data


NO_ARRAY, NO_ARCHIVE, NO_PICTURE, CUT = "no plain numpy array", "no archive", "no picture", "cut short"

# The file's name, its bytes, and what is said of it.
DAMAGED = {
    "zero rows": ("a.npy", npy(np.zeros((0, 5))), "5 x 0"),
    "zero columns": ("a.npy", npy(np.zeros((5, 0))), "0 x 5"),
    "no axes": ("a.npy", npy(np.float64(3.0)[()] * np.ones(())), "rows and columns"),
    "zero faces": ("a.npz", npz(npy(np.zeros((0, 5, 5)))), "rows and columns"),
    "negative shape": ("a.npy", npy(shape=(-12, -17)), NO_ARRAY),
    "one negative axis": ("a.npz", npz(npy(shape=(-12, 17))), NO_ARCHIVE),
    "endless axis": ("a.npy", npy(shape=(2**70, 2)), NO_ARRAY),
    "forty axes": ("a.npy", npy(shape=(1,) * 40), NO_ARRAY),
    "shape of floats": ("a.npy", npy(shape=(12.0, 17)), NO_ARRAY),
    "shape larger than the data": ("a.npy", npy(shape=(13, 17)), CUT),
    "shape far larger": ("a.npz", npz(npy(shape=(8000, 8000))), CUT),
    "shape too large": ("a.npy", npy(shape=(9000, 9000)), "make it smaller"),
    "data cut short": ("a.npy", npy()[:-1], CUT),
    "header cut short": ("a.npy", npy()[:50], NO_ARRAY),
    "magic only": ("a.npy", npy()[:6], NO_ARRAY),
    "unknown version": ("a.npy", npy()[:6] + b"\x09" + npy()[7:], NO_ARRAY),
    "header not closed": ("a.npy", npy_of_text("{'descr': '<f8', 'shape': (2, 2"), NO_ARRAY),
    "header of a number": ("a.npy", npy_of_text("12L"), NO_ARRAY),
    "header of nonsense": ("a.npy", npy_of_text("{'descr': '\\q', 'fortran_order': 1if 1else 2}"), NO_ARRAY),
    "deep header": ("a.npy", npy_of_text("-" * 9000 + "1"), NO_ARRAY),
    "long header": ("a.npy", npy_of_text(" " * 60_000 + "{}"), NO_ARRAY),
    "header longer than the file": ("a.npy", npy_of_text("", (2, 0))[:8] + b"\xff\xff\xff\x7f" + b" " * 99, NO_ARRAY),
    "unknown dtype": ("a.npy", npy(descr="<q9"), NO_ARRAY),
    "dtype of a list": ("a.npy", npy(descr=[("a",)]), NO_ARRAY),
    "pickled objects": ("a.npy", npy(descr="|O"), "rows and columns"),
    "records": ("a.npy", npy(descr=[("a", "<f4"), ("b", "<f4")]), "rows and columns"),
    "complex": ("a.npy", npy(HILL.astype(complex)), "complex128"),
    "dates": ("a.npy", npy(descr="<M8[s]"), "rows and columns"),
    "a dictionary": ("a.npy", b"{}", NO_ARRAY),
    "an archive named npy": ("a.npy", npz(npy()), NO_ARRAY),
    "an array named npz": ("a.npz", npy(), NO_ARCHIVE),
    "member no array": ("a.npz", npz(b"these are no heights"), NO_ARCHIVE),
    "member without suffix": ("a.npz", npz(b"these are no heights", "heights"), NO_ARCHIVE),
    "empty member": ("a.npz", npz(b""), NO_ARCHIVE),
    "no member": ("a.npz", npz(npy(), "depths.npy"), "no array 'heights'"),
    "empty archive": ("a.npz", b"PK\x05\x06" + b"\0" * 18, "no array 'heights'"),
    "broken deflate stream": ("a.npz", flipped(npz(npy()), 60), NO_ARCHIVE),
    "wrong check sum": ("a.npz", flipped(npz(npy(), method=zipfile.ZIP_STORED), 900), NO_ARCHIVE),
    "archive cut short": ("a.npz", npz(npy())[:-30], NO_ARCHIVE),
    "encrypted": ("a.npz", encrypted(npz(npy())), NO_ARCHIVE),
    "other compression": ("a.npz", npz(npy(), method=zipfile.ZIP_BZIP2), "compressed in an unknown way"),
    "huge values": ("a.npy", npy(np.array([[-1.7e308, 1.7e308], [0.0, 1.0]])), "beyond 1e\\+38"),
    "huge values of one sign": ("a.npz", npz(npy(np.array([[1.7e308, 1.7e308], [1.0, 1.0]]))), "beyond 1e\\+38"),
    "missing data": ("a.tif", picture("TIFF", np.where(HILL > 0.9, np.finfo(np.float32).min, HILL)), "beyond 1e\\+38"),
    "infinite": ("a.tif", picture("TIFF", np.where(HILL > 0.9, np.inf, HILL)), "NaN or infinite"),
    "more than double": ("a.npy", npy(np.full((3, 3), np.longdouble("1e4000"))), "NaN or infinite|rows and columns"),
    "empty picture": ("a.png", png_of_size(0, 0), NO_PICTURE),
    "picture without data": ("a.png", png_of_size(8, 8), NO_PICTURE),
    "picture too large": ("a.png", png_of_size(9000, 100), "make it smaller"),
    "picture far too large": ("a.png", png_of_size(2**30, 2**30), "make it smaller"),
    "picture with a broken stream": ("a.png", flipped(picture("PNG"), 60), NO_PICTURE),
    "picture cut short": ("a.png", picture("PNG")[:-40], NO_PICTURE),
    "tiff cut short": ("a.tif", picture("TIFF")[:-40], NO_PICTURE),
    "tiff without tags": ("a.tif", b"II*\0\x08\0\0\0\0\0\0\0\0\0", NO_PICTURE),
    "tiff that points nowhere": ("a.tif", b"II*\0\xf0\xff\xff\x7f", NO_PICTURE),
    "postscript": ("a.png", b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n%%EndComments\nshowpage\n", "PostScript"),
}


@pytest.fixture
def quiet(capfd):
    """Fails the test if anything was written to the terminal; warnings are written there."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        yield
    assert [str(warning.message) for warning in said] == []
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("case", DAMAGED)
def test_damaged_files_are_refused_in_one_line(tmp_path, quiet, case):
    name, data, said = DAMAGED[case]
    (tmp_path / name).write_bytes(data)
    with pytest.raises(ParameterError, match=said) as raised:
        heightmap_in.read(str(tmp_path / name))
    assert "\n" not in str(raised.value) and name in str(raised.value) and len(str(raised.value)) < 400


@pytest.mark.parametrize("case", ["huge values", "member no array", "header of nonsense", "tiff that points nowhere"])
def test_the_command_says_one_line_and_writes_nothing(tmp_path, capfd, case):
    name, data, _ = DAMAGED[case]
    (tmp_path / name).write_bytes(data)
    assert cli.main(["grow", "heightmap", str(tmp_path / "out.npz"), "--set", f"file={tmp_path / name}"]) == 2
    out, err = capfd.readouterr()
    assert out == "" and err.startswith("landfall: the height map ") and err.count("\n") == 1
    assert not (tmp_path / "out.npz").exists()


def test_a_missing_pillow_is_not_the_pictures_fault(tmp_path, capfd, monkeypatch):
    (tmp_path / "a.png").write_bytes(picture("PNG"))
    monkeypatch.setitem(sys.modules, "PIL", None)
    assert cli.main(["grow", "heightmap", str(tmp_path / "out.npz"), "--set", f"file={tmp_path / 'a.png'}"]) == 1
    assert capfd.readouterr().err.startswith("landfall: Pillow is missing")


def test_stderr_is_heard_again_after_damaged_tiffs_on_two_threads(tmp_path, capfd):
    name, data, _ = DAMAGED["tiff that points nowhere"]
    (tmp_path / name).write_bytes(data)
    (tmp_path / "b.tif").write_bytes(picture("TIFF", compression="tiff_lzw"))

    def read_both():
        for _ in range(30):
            heightmap_in.read(str(tmp_path / "b.tif"))
            with pytest.raises(ParameterError):
                heightmap_in.read(str(tmp_path / name))

    with warnings.catch_warnings(record=True) as said, ThreadPoolExecutor(2) as threads:
        warnings.simplefilter("always")
        for done in [threads.submit(read_both) for _ in range(2)]:
            done.result()
    assert said == []
    os.write(2, b"heard")
    assert capfd.readouterr() == ("", "heard")


SEEDS = {
    "a.npy": [npy(), npy(HILL.astype(">i2")), npy(HILL.astype(np.float32))],
    "a.npz": [npz(npy()), npz(npy(), method=zipfile.ZIP_STORED), npz(npy(HILL[None].astype(np.float32)))],
    "a.png": [picture("PNG"), png_of_size(9, 7, bytes(70))],
    "a.tif": [picture("TIFF"), picture("TIFF", compression="tiff_lzw"), picture("TIFF", compression="tiff_adobe_deflate")],
}
MUTANTS = 250


def mutant(random, data):
    """`data` with some of its bytes changed, swapped for extreme ones, moved, doubled or cut off."""
    data = bytearray(data)
    for _ in range(random.integers(1, 5)):
        at, kind = int(random.integers(len(data))), random.integers(6)
        # Most of what decoders trip over stands in the first bytes.
        at = at % 128 if random.random() < 0.6 else at
        if kind == 0:
            data[at % len(data)] ^= 1 << int(random.integers(8))
        elif kind == 1:
            data[at % len(data)] = int(random.integers(256))
        elif kind == 2:
            data[at : at + 4] = [b"\xff\xff\xff\xff", b"\0\0\0\0", b"\xff\xff\xff\x7f", b"-1, "][int(random.integers(4))]
        elif kind == 3:
            del data[at : at + int(random.integers(1, 20))]
        elif kind == 4:
            data[at:at] = data[at : at + int(random.integers(1, 20))]
        elif len(data) > 60:
            del data[max(at, 30) :]
    return bytes(data)


@pytest.mark.parametrize("name", SEEDS)
def test_whatever_is_in_a_file_it_gives_heights_or_one_line(tmp_path, quiet, name):
    random = np.random.default_rng(20_10)
    refused = 0
    for index in range(MUTANTS):
        data = mutant(random, SEEDS[name][index % len(SEEDS[name])])
        (tmp_path / name).write_bytes(data)
        try:
            heights = heightmap_in.read(str(tmp_path / name))
        except ParameterError as error:
            refused += 1
            assert "\n" not in str(error)
        else:
            assert heights.dtype == np.float32 and heights.ndim == 2 and min(heights.shape) >= 2
            assert np.isfinite(heights).all() and heights.min() == 0.0 and heights.max() <= 1.0
    assert refused > MUTANTS // 5


def peak_mb(action):
    tracemalloc.start()
    try:
        action()
        return tracemalloc.get_traced_memory()[1] / 2**20
    finally:
        tracemalloc.stop()


def test_an_archive_is_measured_before_it_is_unpacked(tmp_path, quiet):
    # 100 MB of zeros in 0.4 MB: once as heights that are too many, once as no array at all, once as an endless header.
    many = npy_of_text("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 6553600)}")
    endless = np.lib.format.magic(2, 0) + struct.pack("<I", 100_000_000)
    path = tmp_path / "a.npz"
    for start, said in ((many, "make it smaller"), (b"", NO_ARCHIVE), (endless, NO_ARCHIVE)):
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("heights.npy", "w") as member:
            member.write(start)
            for _ in range(100):
                member.write(bytes(1 << 20))

        def refused(said=said):
            with pytest.raises(ParameterError, match=said):
                heightmap_in.read(str(path))

        assert peak_mb(refused) < 8


@pytest.mark.parametrize("shape", [(2, 8193), (8193, 2), (40, 4000)])
def test_a_strip_costs_what_its_samples_cost(tmp_path, quiet, shape):
    strip = np.zeros(shape, np.uint8)
    strip[: shape[0] // 2 if shape[0] > shape[1] else None, : shape[1] // 2 if shape[1] > shape[0] else None] = 200
    path = tmp_path / "strip.png"
    Image.fromarray(strip).save(path)
    worlds = []
    assert peak_mb(lambda: worlds.append(HEIGHTMAP.world(1, {"file": str(path), "rim": 0.01}))) < 60
    assert worlds[0].n ** 2 <= max(2.25 * strip.size, 257**2)
    # The land is still there.
    assert np.ptp(HEIGHTMAP.world(1, {"file": str(path)}).heights) > 0.02


def test_a_strip_in_given_cells_is_the_square_around_it_resampled():
    image = np.random.default_rng(2).random((9, 700)).astype(np.float32)
    square = np.full((700, 700), np.float32(0.3))
    square[345:354] = image
    for cells in (50, 698, 1000):
        assert np.array_equal(squared(image, 0.3, cells), squared(square, 0.0, cells))


def test_only_long_strips_have_fewer_cells():
    for rows, columns in [(2, 2), (2, 257), (300, 300), (1024, 2048), (721, 1441), (8193, 8193), (500, 400)]:
        assert default_cells(rows, columns) == default_cells(columns, rows) == max(rows, columns) - 1
    for rows, columns in [(2, 258), (100, 1000), (1000, 8193)]:
        cells = default_cells(rows, columns)
        assert cells % 2 == 0 and 256 <= cells < columns - 1
