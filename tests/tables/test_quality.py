"""Quality: levels that differ in what they draw, and the renderer's name chooses one of them."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest
from support.showing import picture, showing

from demo.hosts import offscreen
from demo.scenes.scenes import SCENES
from demo.tables.quality import QUALITIES, quality_for

LEVELS = list(QUALITIES)


@pytest.mark.parametrize(
    ("renderer", "level"),
    [
        ("llvmpipe (LLVM 15.0.6, 256 bits)", "software"),
        ("Google SwiftShader", "software"),
        ("Microsoft Basic Render Driver", "software"),
        ("Mesa Intel(R) UHD Graphics 620 (KBL GT2)", "low"),
        ("Mesa Intel(R) HD Graphics 4000 (IVB GT2)", "low"),
        ("V3D 4.2", "low"),
        ("Intel(R) Iris(R) Xe Graphics", "medium"),
        ("Mesa Intel(R) Arc(tm) A770 Graphics (DG2)", "high"),
        ("AMD Radeon Graphics (renoir, LLVM 15.0.6, DRM 3.49)", "medium"),
        ("AMD Radeon RX 6800 XT (navi21, LLVM 15.0.6)", "high"),
        ("NVIDIA GeForce RTX 3080/PCIe/SSE2", "high"),
        ("NVIDIA H200/PCIe/SSE2", "high"),
        ("Apple M2 Pro", "high"),
        ("", "high"),
    ],
)
def test_a_renderer_has_a_level(renderer, level):
    assert quality_for(renderer).name == level


@pytest.fixture(scope="module", params=["plasma", "simplex"])
def seen(request):
    """level -> (triangles, picture) of one moment."""
    name, found = request.param, {}
    with offscreen.context():
        for level in LEVELS:
            with showing((320, 180), scene=name, hold=True, quality=level) as show:
                show.seek(SCENES[name].birth_s + 12.0)
                found[level] = picture(show), show._stage.triangles()
    return found


def test_higher_levels_draw_more_triangles(seen):
    counts = [seen[level][1] for level in LEVELS]
    assert all(more > 1.2 * fewer for fewer, more in itertools.pairwise(counts)), counts


def test_levels_show_the_same_world(seen):
    for level in LEVELS[:-1]:
        assert abs(seen[level][0].astype(int) - seen["high"][0]).mean() < 12.0


def test_without_a_level_pictures_have_the_highest():
    with offscreen.context(), showing(scene="plasma", hold=True) as show:
        assert show._quality.name == "high" and show._steering is None


def test_a_live_show_has_that_of_the_renderer():
    with offscreen.context(), showing(scene="plasma", hold=True, steered=True) as show:
        from demo.render.gl import gl_context

        assert show._quality is quality_for(gl_context.describe()["renderer"])


def test_a_live_show_on_a_gpu_is_steered_by_what_the_gpu_takes(monkeypatch):
    with offscreen.context():
        from demo.render.gl import gl_context

        monkeypatch.setattr(gl_context, "describe", lambda: {"renderer": "NVIDIA GeForce RTX 4090/PCIe/SSE2"})
        with showing(scene="plasma", hold=True, steered=True) as show:
            assert show._quality.name == "high"
            measured = []
            monkeypatch.setattr(show._steering, "measured", measured.append)
            for number in range(5):
                show.seek(number / 10)
                show.draw()
                gl_context.finish()
            assert len(measured) == 4 and all(seconds > 0.0 for seconds in measured)
            # Drivers have been seen to say 2^32 for the first.
            assert max(measured[1:]) < 4.0


def test_a_live_picture_keeps_to_its_budget_of_triangles():
    counts = {}
    for steered in (False, True):
        with offscreen.context(), showing((160, 90), scene="plasma", hold=True, steered=steered, quality="high") as show:
            show.seek(SCENES["plasma"].birth_s + 12.0)
            show.draw()
            counts[steered] = show._stage.triangles()
            if steered:
                width, height = show._target.drawn
                assert counts[False] > width * height / QUALITIES["high"].pixels_a_triangle
    assert counts[True] * 4 == counts[False]


def test_memory_on_the_gpu_is_counted():
    with offscreen.context():
        from demo.render.gl import gpu_memory
        from demo.render.gl.targets import Target
        from demo.render.gl.textures import ARRAY, RGBA16_SNORM, Texture

        before = gpu_memory.in_use()
        texture = Texture(ARRAY, RGBA16_SNORM, (6, 20, 10))
        targets = Target(40, 30), Target(40, 30, depth=False), Target(40, 30, rows=10)
        assert gpu_memory.in_use() - before == 6 * 20 * 10 * 8 + 40 * 30 * (8 + 4) + 40 * 30 * 8 + 40 * 10 * (8 + 4)
        for thing in (*targets, texture):
            thing.free()
            thing.free()
        assert gpu_memory.in_use() == before


@pytest.mark.parametrize("size", [(1280, 720), (3840, 2160)])
def test_the_highest_level_needs_less_than_200_megabytes(size):
    with offscreen.context():
        from demo.render.gl import gpu_memory

        before = gpu_memory.in_use()
        with showing(size, scene="plasma", parameters={}) as show:
            for seconds in (8.0, SCENES["plasma"].flight_s - 1.6):
                show.seek(SCENES["plasma"].birth_s + seconds)
                show.draw()
                assert 50e6 < gpu_memory.in_use() - before < 200e6
                assert any("MB on the GPU" in line.text for line in show._figure_lines())
            assert show._melt_start is not None
        assert gpu_memory.in_use() == before


def test_tiles_that_are_trimmed_show_what_they_showed(monkeypatch):
    """Some of them stay where they are, others are moved."""
    with offscreen.context(), showing(scene="plasma", hold=True, parameters={}) as show:
        from demo.render import tiles
        from demo.render.gl import gpu_memory

        for seconds in (10.0, 14.0, 18.0):
            show.seek(SCENES["plasma"].birth_s + seconds)
            before = picture(show)
        kept, held = show._stage._artist.tiles, gpu_memory.in_use()
        assert kept._used[-kept.capacity // 2 :].any()
        monkeypatch.setattr(tiles.Tiles, "make", lambda *words: pytest.fail("a tile was lost"))
        show._stage.trim()
        assert gpu_memory.in_use() < held - 24e6 and kept.capacity < 22 * 22
        # Places in another picture of tiles are other fractions.
        shown = picture(show)
        assert (np.abs(before.astype(int) - shown) > 1).mean() < 0.001
        trimmed = gpu_memory.in_use()
        show._stage.trim()
        assert gpu_memory.in_use() == trimmed, "once is enough"
        monkeypatch.undo()
        # A look at more of the ground brings back what it needs.
        before = kept.capacity
        assert kept.room(before + 1) == before + 1 < kept.capacity
        assert (np.abs(shown.astype(int) - picture(show)) > 1).mean() < 0.001
        kept.forget(1)
        assert kept.capacity == 22 * 22


FLIGHT_S, MAP = 12.0, SCENES["map"]


@pytest.mark.parametrize(
    "scene, seconds",
    [
        ("plasma", SCENES["plasma"].birth_s + FLIGHT_S),
        ("cuts", 0.3 * SCENES["cuts"].birth_s),
        ("simplex", SCENES["simplex"].birth_s + FLIGHT_S),
        ("map", MAP.map_timing.roll[0]),
        ("plasma", SCENES["plasma"].birth_s + SCENES["plasma"].flight_s - 1.6),
        ("cuts", SCENES["cuts"].birth_s + SCENES["cuts"].flight_s - 2.5),
    ],
    ids=["terrain", "rings of cuts", "planet", "sheet", "melt", "flow"],
)
def test_pictures_drawn_in_bands_are_the_same(scene, seconds, monkeypatch):
    pictures = []
    # In four, of which the last is lower.
    for at_once, rows in ((float("inf"), 90), (160 * 25, 23)):
        monkeypatch.setitem(QUALITIES, "high", replace(QUALITIES["high"], at_once=at_once))
        with offscreen.context(), showing(scene=scene, seed=2) as show:
            # Otherwise they are not drawn so.
            monkeypatch.setattr(type(show), "_melting", True)
            show.seek(seconds)
            pictures.append(picture(show))
            assert show._target.rows == rows
    apart = np.abs(pictures[0].astype(int) - pictures[1]).max(axis=-1)
    # Corners of triangles are rounded to a raster: one may take a pixel from another.
    assert pictures[0].std() > 1.0 and (apart > 0).mean() < 0.01 and (apart > 1).mean() < 0.001


def test_land_without_water_looks_like_any_land(monkeypatch):
    """A software renderer draws it with a program of its own."""
    from demo.render import surface

    seen = {}
    for inland in (surface.INLAND, float("inf")):
        monkeypatch.setattr(surface, "INLAND", inland)
        with offscreen.context(), showing((320, 180), scene="plasma", hold=True, quality="software") as show:
            show.seek(SCENES["plasma"].birth_s + 12.0)
            seen[inland] = picture(show).astype(int)
            world = show._stage._props[show._current].surface
            assert world._inland(world._tiled).any() == (inland < 1.0)
    with_, without = seen.values()
    assert abs(with_ - without).max() > 0.0 and abs(with_ - without).mean() < 0.5
