"""Quality: levels that differ in what they draw, and the renderer's name chooses one of them."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from support.showing import nothing_filled, picture, showing

from demo.geometry.mesh_budget import MeshBudget
from demo.hosts import offscreen
from demo.scenes.scenes import SCENES
from demo.tables.quality import QUALITIES, quality_for

pytestmark = pytest.mark.usefixtures("plain_flights")

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
                found[level] = picture(show), show.draw().triangles
    return found


def test_higher_levels_draw_more_triangles(seen):
    counts = [seen[level][1] for level in LEVELS]
    assert all(more > 1.2 * fewer for fewer, more in itertools.pairwise(counts)), counts


def test_levels_show_the_same_world(seen):
    for level in LEVELS[:-1]:
        assert abs(seen[level][0].astype(int) - seen["high"][0]).mean() < 12.0


def test_without_a_level_pictures_have_the_highest():
    # Of which a software renderer, if it had to be quick, would draw fewer pixels from the start.
    size = (640, 360)
    with offscreen.context(), showing(size, scene="plasma", hold=True) as show:
        drawn = show.draw()
        assert drawn.quality == "high" and (drawn.width, drawn.height) == size


def test_a_live_show_has_that_of_the_renderer():
    with offscreen.context(), showing(scene="plasma", hold=True, paced=True) as show:
        from demo.render.gl import gl_context

        assert show.draw().quality == quality_for(gl_context.describe()["renderer"]).name


def test_a_live_show_on_a_gpu_is_paced_by_what_the_gpu_takes(monkeypatch):
    with offscreen.context():
        from demo.render.gl import gl_context
        from demo.show.pace import Pace

        monkeypatch.setattr(gl_context, "describe", lambda: {"renderer": "NVIDIA GeForce RTX 4090/PCIe/SSE2"})
        measured = []
        monkeypatch.setattr(Pace, "measured", lambda pace, seconds: measured.append(seconds))
        with showing(scene="plasma", hold=True, paced=True) as show:
            for number in range(5):
                show.seek(number / 10)
                assert show.draw().quality == "high"
                gl_context.finish()
            assert len(measured) == 4 and all(seconds > 0.0 for seconds in measured)
            # Drivers have been seen to say 2^32 for the first.
            assert max(measured[1:]) < 4.0


def test_a_live_picture_keeps_to_its_budget_of_triangles():
    counts = {}
    for paced in (False, True):
        with offscreen.context(), showing((160, 90), scene="plasma", hold=True, paced=paced, quality="high") as show:
            show.seek(SCENES["plasma"].birth_s + 12.0)
            drawn = show.draw()
            counts[paced] = drawn.triangles
            if paced:
                assert counts[False] > drawn.width * drawn.height / QUALITIES["high"].pixels_a_triangle
    assert counts[True] * 4 == counts[False]


# The most triangles that a low flight over a planet was seen to have without a GPU.
MOST_AT_SOFTWARE = 49_000


@pytest.mark.parametrize(("size", "halved"), [((320, 180), True), ((640, 360), False), ((1280, 720), False)])
def test_without_a_gpu_only_small_windows_have_half_the_mesh(size, halved):
    limit = size[0] * size[1] / QUALITIES["software"].pixels_a_triangle
    assert MeshBudget().halves(MOST_AT_SOFTWARE, limit) == halved


def test_memory_on_the_gpu_is_counted():
    with offscreen.context():
        from demo.render.gl import gpu_memory
        from demo.render.gl.targets import Target
        from demo.render.gl.textures import ARRAY, RGBA16_SNORM, Texture

        before = gpu_memory.in_use()
        texture = Texture(ARRAY, RGBA16_SNORM, (6, 20, 10))
        targets = Target(40, 30), Target(40, 30, depth=False)
        assert gpu_memory.in_use() - before == 6 * 20 * 10 * 8 + 40 * 30 * (8 + 4) + 40 * 30 * 8
        for thing in (*targets, texture):
            thing.free()
            thing.free()
        assert gpu_memory.in_use() == before


@pytest.mark.parametrize(("size", "most"), [((1280, 720), 200e6), ((3840, 2160), 320e6)])
def test_the_highest_level_keeps_within_its_memory(size, most, monkeypatch, worlds_of_module):
    """While a world is flown over, while it turns into another of its kind, and over that one. The figures say how much."""
    with offscreen.context(), nothing_filled(), worlds_of_module.shared():
        from demo.render.gl import gpu_memory
        from demo.render.overlay import Overlay
        from demo.show.melt import ASKED_FLOW_S

        written = {}
        real = Overlay.draw

        def draw(overlay, name, lines, *words, **named):
            written[name] = [line.text for line in lines]
            real(overlay, name, lines, *words, **named)

        monkeypatch.setattr(Overlay, "draw", draw)
        before = gpu_memory.in_use()
        with showing(size, scene="plasma", parameters={}) as show:
            show.act("figures")
            birth_s, flight_s = SCENES["plasma"].birth_s, SCENES["plasma"].flight_s
            show.seek(birth_s + 7.0)
            show.act("new_world")
            for seconds, melts in ((8.0, False), (flight_s - 1.6, True), (flight_s + ASKED_FLOW_S + birth_s + 8.0, False)):
                show.seek(birth_s + seconds)
                for _ in range(2):
                    # What the second tells of is there since the first, its own words too.
                    show.draw()
                # A world that flows into another one has no tiles.
                assert 40e6 < gpu_memory.in_use() - before < most
                assert any(f"{gpu_memory.in_use() / 1e6:.0f} MB on the GPU" in line for line in written["figures"])
                assert bool(show.shot().melt) == melts
        assert gpu_memory.in_use() == before


@pytest.mark.parametrize("quality", ["software", "high"])
@pytest.mark.parametrize("paced", [False, True])
def test_melts_are_drawn_with_4_megapixels_at_most(quality, paced):
    """In all modes alike; and so is what the pace makes smaller anyway."""
    size, drawn = (2720, 1530), []
    with offscreen.context(), showing(size, scene="plasma", quality=quality, paced=paced) as show:
        for seconds in (-3.1, -1.5):
            show.seek(SCENES["plasma"].birth_s + SCENES["plasma"].flight_s + seconds)
            drawn.append(show.draw())
        assert show.shot().melt
        image = picture(show)
    pixels = [one.width * one.height for one in drawn]
    assert image.shape == (size[1], size[0], 3) and image.std() > 6.0
    if paced:
        # A software renderer begins with the smallest scale.
        assert pixels[0] == pixels[1] < 4e6
    else:
        assert pixels[0] == size[0] * size[1] and 3.98e6 < pixels[1] < 4.01e6
        assert drawn[1].width / drawn[1].height == pytest.approx(size[0] / size[1], rel=1e-3)


def test_tiles_that_are_trimmed_show_what_they_showed(monkeypatch):
    """Some of them stay where they are, others are moved."""
    with offscreen.context():
        from demo.render import surface_pass, tiles
        from demo.render.gl import gpu_memory

        found, moved, copy = [], [], tiles.copy

        class Watched(tiles.Tiles):
            def __init__(self, *words):
                super().__init__(*words)
                found.append(self)

        def watched_copy(source, onto, parts):
            moved.append(len(parts) - 1)
            copy(source, onto, parts)

        monkeypatch.setattr(surface_pass, "Tiles", Watched)
        monkeypatch.setattr(tiles, "copy", watched_copy)
        with showing(scene="plasma", hold=True, parameters={"plasma": {"carve": 0.0}}) as show:
            for seconds in (10.0, 14.0, 18.0):
                show.seek(SCENES["plasma"].grown_s + seconds)
                before = picture(show)
            [kept], held = found, gpu_memory.in_use()
            with monkeypatch.context() as patched:
                patched.setattr(tiles.Tiles, "make", lambda *words: pytest.fail("a tile was lost"))
                kept.trim()
                assert min(moved) > 0
                assert gpu_memory.in_use() < held - 24e6 and kept.capacity < 22 * 22
                # Places in another picture of tiles are other fractions.
                shown = picture(show)
                assert (np.abs(before.astype(int) - shown) > 1).mean() < 0.001
                trimmed = gpu_memory.in_use()
                kept.trim()
                assert gpu_memory.in_use() == trimmed, "once is enough"
            # A look at more of the ground brings back what it needs.
            before = kept.capacity
            assert kept.room(before + 1) == before + 1 < kept.capacity
            assert (np.abs(shown.astype(int) - picture(show)) > 1).mean() < 0.001
            kept.forget(1)
            assert kept.capacity == 22 * 22


def test_land_without_water_looks_like_any_land(monkeypatch):
    """A software renderer draws it with a program of its own."""
    from demo.render import surface_tiles
    from demo.render.gl import programs

    seen, get, variants = {}, programs.Variants.get, []

    def watched_get(kept, switches):
        variants.append(switches.defines)
        return get(kept, switches)

    monkeypatch.setattr(programs.Variants, "get", watched_get)
    for inland in (surface_tiles.INLAND, float("inf")):
        monkeypatch.setattr(surface_tiles, "INLAND", inland)
        variants.clear()
        with offscreen.context(), showing((320, 180), scene="plasma", hold=True, quality="software") as show:
            show.seek(SCENES["plasma"].birth_s + 12.0)
            seen[inland] = picture(show).astype(int)
            assert any(variant.get("DRY") for variant in variants) == np.isfinite(inland)
    with_, without = seen.values()
    assert abs(with_ - without).max() > 0.0 and abs(with_ - without).mean() < 0.5


def test_ground_below_clouds_looks_as_by_the_program_that_knows_their_layer(monkeypatch):
    asked = []

    def above(*_):
        asked.append(True)
        return False

    with offscreen.context(), showing((320, 180), scene="cuts", seed=501, hold=True, quality="software") as show:
        scene = SCENES["cuts"]
        show.seek(scene.birth_s + 0.45 * scene.flight_s)
        below = picture(show).astype(int)
        monkeypatch.setattr("demo.render.surface.is_below_clouds", above)
        with_layer = picture(show).astype(int)
    assert asked and abs(below - with_layer).mean() < 0.1 and np.quantile(abs(below - with_layer), 0.99) <= 2.0


def test_notes_of_tiles_stay_with_them_when_others_are_trimmed():
    from demo.render.tile_slots import TileSlots

    kept, patches = TileSlots(8, 10), np.zeros((40, 4), np.float32)
    patches[:, 1], patches[:, 2], patches[:, 3] = (np.arange(40) + 0.5) / 64, 0.5, 1.0 / 64
    texels, _ = kept.find(1, patches)
    kept.note(texels, np.arange(40, dtype=np.uint8))
    kept.find(1, patches[25:])
    kept.trim(kept.rows_in_use())
    texels, missing = kept.find(1, patches[25:])
    assert not missing.size and kept.noted(texels).tolist() == list(range(25, 40))
