"""Height maps from files: every format gives the same land, and what cannot be one is refused in one line."""

import numpy as np
import pytest
from PIL import Image

from demo.catalogue import heightmap_in
from demo.catalogue.generators import GENERATORS
from demo.export.heightmap_out import write
from demo.worlds.heightmap import squared
from demo.worlds.parameters import ParameterError

HEIGHTMAP = GENERATORS["heightmap"]


@pytest.fixture
def hill():
    """Heights 0..1 of 40 rows and 60 columns, no two alike along a row."""
    y, x = np.mgrid[0:40, 0:60]
    heights = np.exp(-(((x - 31.3) / 20.0) ** 2) - ((y - 17.7) / 12.0) ** 2)
    return (heights - heights.min()) / np.ptp(heights)


def written(folder, name, hill):
    path = folder / name
    if name == "grey8.png":
        Image.fromarray(np.round(hill * 255).astype(np.uint8)).save(path)
    elif name == "grey16.png":
        Image.fromarray(np.round(hill * 65535).astype(np.uint16)).save(path)
    elif name == "colour.png":
        grey = np.round(hill * 255).astype(np.uint8)
        Image.fromarray(np.stack([grey, grey, grey], axis=2)).save(path)
    elif name == "float.tif":
        Image.fromarray((hill * 1234.5 - 700.0).astype(np.float32)).save(path)
    else:
        np.save(path, hill * 3.0)
    return str(path)


@pytest.mark.parametrize(
    ("name", "error"),
    [("grey8.png", 0.003), ("grey16.png", 1e-5), ("colour.png", 0.003), ("float.tif", 1e-6), ("array.npy", 1e-6)],
)
def test_every_format_gives_the_same_land(tmp_path, hill, name, error):
    read = heightmap_in.read(written(tmp_path, name, hill))
    assert read.dtype == np.float32 and read.shape == (40, 60)
    assert np.abs(read - hill).max() <= error


def test_colours_weigh_by_luminance(tmp_path):
    pixels = np.zeros((4, 4, 3), np.uint8)
    pixels[0, 0], pixels[1, 1], pixels[2, 2] = (255, 0, 0), (0, 255, 0), (0, 0, 255)
    Image.fromarray(pixels).save(tmp_path / "rgb.png")
    read = heightmap_in.read(str(tmp_path / "rgb.png"))
    assert read[1, 1] == 1.0
    assert read[0, 0] == pytest.approx(0.2126 / 0.7152, abs=1e-4)
    assert read[2, 2] == pytest.approx(0.0722 / 0.7152, abs=1e-4)


def test_our_own_worlds_come_back(tmp_path):
    world = GENERATORS["plasma"].world(5, {"cells": 32})
    write(tmp_path / "world.npz", world)
    read = heightmap_in.read(str(tmp_path / "world.npz"))
    heights = world.heights[0].astype(np.float64)
    assert np.abs(read - (heights - heights.min()) / np.ptp(heights)).max() < 1e-6


def test_oblong_pictures_lie_in_the_middle_of_the_sea(tmp_path, hill):
    file = written(tmp_path, "array.npy", hill)
    world = HEIGHTMAP.world(1, {"file": file, "height": 0.2, "sea": 0.25})
    assert world.heights.shape == (1, 60, 60) and world.sea_level == pytest.approx(0.05)
    assert np.abs(world.heights[0, 10:50] - 0.2 * hill).max() < 1e-6
    assert (world.heights[0, :10] == np.float32(0.05)).all() and (world.heights[0, 50:] == np.float32(0.05)).all()


def test_a_rim_lets_land_end_in_coasts_and_leaves_the_rest(tmp_path, hill):
    file = written(tmp_path, "array.npy", 1.0 + hill)
    plain, sunk = (HEIGHTMAP.world(1, {"file": file, "height": 0.2, "sea": 0.1, "rim": rim}) for rim in (0.0, 0.1))
    before, after = plain.heights[0] - plain.sea_level, sunk.heights[0] - sunk.sea_level
    land = after[10:50] > 0.0
    # Neither at the picture's own edges nor around it is there land, or a shallow that would show where they are.
    assert not land[[0, -1]].any() and not land[:, [0, -1]].any()
    assert after[:10].max() < -0.015 and after[[10, 49]].max() < -0.015
    inside = slice(22, 38), slice(12, 48)
    assert np.abs(before[inside] - after[inside]).max() < 1e-6 and before[inside].max() > 0.1
    assert (after <= before + 1e-6)[10:50].all()


def test_resampling_keeps_the_land(hill):
    square = squared(hill.astype(np.float32), 0.0)
    finer = squared(hill.astype(np.float32), 0.0, 118)
    assert finer.shape == (119, 119)
    assert np.abs(finer[::2, ::2] - square).max() < 1e-6


def test_growth_goes_from_coarse_to_fine(tmp_path, hill):
    growth = HEIGHTMAP.grow(1, {"file": written(tmp_path, "array.npy", hill)})
    errors = []
    final = HEIGHTMAP.world(1, {"file": str(tmp_path / "array.npy")}).heights
    for step in range(growth.total + 1):
        growth.advance(step)
        errors.append(np.abs(growth.heights - final).max())
    assert errors[-1] == 0.0 and errors[0] > 3 * errors[3] > 0.0


def no_picture(path):
    path.write_text("hello, this is no picture")


def empty(path):
    path.write_bytes(b"")


def not_a_number(path):
    np.save(path, np.array([[0.0, 1.0], [np.nan, 2.0]]))


def one_wide(path):
    np.save(path, np.zeros((30, 1)))


def too_large(path):
    np.lib.format.open_memmap(path, mode="w+", dtype=np.uint8, shape=(2, 20_000))


def a_cube(path):
    np.save(path, np.zeros((3, 4, 5)))


def a_planet(path):
    write(path, GENERATORS["cuts"].world(1, {"cells": 4, "cuts": 5}))


def cut_short(path):
    Image.fromarray(np.zeros((64, 64), np.uint8)).save(path)
    path.write_bytes(path.read_bytes()[:40])


@pytest.mark.parametrize(
    ("name", "make", "said"),
    [
        ("a.png", no_picture, "no picture"),
        ("b.png", empty, "is empty"),
        ("c.npy", not_a_number, "NaN"),
        ("d.npy", one_wide, "1 x 30"),
        ("e.npy", too_large, "make it smaller"),
        ("f.npy", a_cube, "rows and columns"),
        ("g.npz", a_planet, "planet of 6 faces"),
        ("h.png", cut_short, "cannot be read|no picture"),
        ("i.npy", no_picture, "numpy"),
        ("j.npz", no_picture, "archive"),
        ("k.png", lambda path: None, "cannot be read"),
    ],
)
def test_what_is_no_height_map_is_refused_in_one_line(tmp_path, name, make, said):
    make(tmp_path / name)
    with pytest.raises(ParameterError, match=said) as raised:
        HEIGHTMAP.grow(1, {"file": str(tmp_path / name)})
    assert "\n" not in str(raised.value) and name in str(raised.value)


def test_a_file_is_asked_for():
    with pytest.raises(ParameterError, match="--heightmap"):
        HEIGHTMAP.grow(1)


@pytest.mark.parametrize("rim", [5e-324, 1e-300, 1e-40])
def test_the_narrowest_rims_are_numbers(tmp_path, rim):
    y, x = np.mgrid[0:20, 0:31]
    file = written(tmp_path, "array.npy", np.sin(x / 5.0) * np.cos(y / 4.0))
    narrow, none = (HEIGHTMAP.world(1, {"file": file, "rim": width}).heights for width in (rim, 0.0))
    assert np.isfinite(narrow).all() and np.allclose(narrow[:, 7:13, 2:-2], none[:, 7:13, 2:-2])
