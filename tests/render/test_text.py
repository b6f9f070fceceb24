"""Words over the picture: a caption that changes is what it would be anew, and names of a map stand as they are written."""

import os
from pathlib import Path

import numpy as np
import pytest

from demo.hosts import offscreen

TITLE, SOURCE = "Particle deposition", "Jg\u00c4 source of it all (1998)"
COUNTS = ("1 particle", "12,345 particles", "12,346 particles", "999,999 particles", "", "12,346 particles")


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="the system does not say which files are open")
def test_a_window_that_is_resized_leaves_no_fonts_open():
    from demo.render import text

    def open_fonts():
        files = [os.readlink(file) for file in Path("/proc/self/fd").iterdir() if file.is_symlink()]
        return sum(file.endswith(".ttf") for file in files)

    before = open_fonts()
    for height in range(400, 1000, 10):
        text.foresee_lines((text.Line(TITLE), text.Line(SOURCE)), 16 * height // 9, height)
    assert open_fonts() <= before + text.FONTS_KEPT


@pytest.fixture
def picture():
    """`picture(height, drawing)`: the bytes of a picture on which `drawing(width, height)` has drawn."""
    with offscreen.context((8, 8)):
        from demo.render.gl.targets import Target
        from demo.render.gl.textures import RGBA8

        def draw(height, drawing):
            target = Target(2 * height, height, RGBA8, depth=False)
            target.begin()
            drawing(2 * height, height)
            pixels = target.read()
            target.free()
            return pixels

        yield draw


@pytest.mark.parametrize("height", [150, 720])
@pytest.mark.parametrize("panel", [False, True])
def test_a_caption_that_changes_is_what_it_would_be_anew(picture, height, panel):
    from demo.render.overlay import Overlay
    from demo.render.text import Line

    kept, before = Overlay(), None
    for count in COUNTS:
        lines = Line(TITLE, 0.034), Line(SOURCE, 0.021), Line(count, 0.021, (176, 184, 198))
        fresh = Overlay()
        pixels, wanted = (
            picture(height, lambda w, h, on=overlay, what=lines: on.draw("caption", what, 0.9, "bottom left", w, h, panel))
            for overlay in (kept, fresh)
        )
        fresh.free()
        assert np.array_equal(pixels, wanted)
        assert before is None or not np.array_equal(pixels, before)
        before = pixels
    kept.free()


def test_names_stand_where_they_belong_from_whatever_sheet(picture):
    from demo.render.gl import gpu_memory
    from demo.render.map_names import TALL, WIDE, MapNames, MapNamesPass
    from demo.render.text import Line, text_pixels

    height, names_pass = 120, MapNamesPass()
    # More than a sheet has room for, and one wider than the picture.
    texts = [(Line(f"Name {k} of many", 0.03 + 0.002 * (k % 5)),) for k in range(60)] + [(Line("W" * 60, 0.06),)]
    before = gpu_memory.in_use()
    names = MapNames(names_pass, texts, height)
    order = np.random.default_rng(3).permutation(len(texts))
    names.sizes(order[: len(texts) // 2])
    for numbers in (order[:3], order[-3:], np.array([len(texts) - 1])):
        sizes = names.sizes(numbers)
        corners = np.stack([np.full(len(numbers), 4.4), 3.2 + 38.0 * np.arange(len(numbers))], axis=1)
        wanted = np.zeros((height, 2 * height, 3), np.uint8)
        for number, (w, h), (x, y) in zip(numbers, sizes, np.round(corners).astype(int), strict=True):
            pixels = text_pixels(texts[number], height)[..., :3]
            assert pixels.shape[:2] == (h, w)
            wanted[height - y - h : height - y, x : x + w] = pixels[:, : 2 * height - x]
        drawn = picture(height, lambda w, h, n=numbers, at=corners: names.draw(n, at, np.ones(len(n)), w))
        assert np.array_equal(drawn, wanted)
    one_sheet = 4 * round(TALL * height) * WIDE * height
    assert gpu_memory.in_use() - before > one_sheet, "there are more sheets than one"
    names.free()
    names_pass.free()
