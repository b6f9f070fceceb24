"""Trees in the shaders: they rise from their feet, hide what is behind them, and throw shadows away from the sun."""

from pathlib import Path

import numpy as np
import pytest

SHADER = str(Path(__file__).parents[1] / "support" / "shaders" / "standing.frag")
SIDE, HIGH, METRES_A_PIXEL = 64, 12, 2.0
WOODED, OPEN = 255, 0
# Light in the tile's pattern of trees of full height.
FULL = 173


def field(wooded):
    """A tile's patches, uint8 (SIDE, SIDE, 4), with woods where `wooded` is, bool (SIDE, SIDE)."""
    patches = np.full((SIDE, SIDE, 4), FULL, np.uint8)
    patches[..., :2] = np.where(wooded, WOODED, OPEN)[..., None]
    return patches


def seen(patches, high=HIGH, sunward_m=0.0):
    """(wooded, side, share of the sun), each (SIDE, SIDE), of a field from below, rows from near to far."""
    from demo.hosts import offscreen

    with offscreen.context():
        from OpenGL import GL

        from demo.render.gl import uniform_buffer
        from demo.render.gl.meshes import screen_triangle
        from demo.render.gl.programs import Program
        from demo.render.gl.targets import Target
        from demo.render.gl.textures import FLAT, RGBA8, RGBA32F, Texture
        from demo.render.gl.uniform_block import UniformBlock

        field_ = UniformBlock("Field", {"side": "float", "high": "float", "sunward": "float", "share": "float"})
        program = Program("screen.vert", SHADER, (field_,), {})
        target, triangle = Target(SIDE, SIDE, RGBA32F, depth=False), screen_triangle()
        texture = Texture(FLAT, RGBA8, patches.shape[:2])
        texture.upload(patches)
        target.bind()
        uniform_buffer.fill(field_, {"side": SIDE, "high": high, "sunward": sunward_m, "share": 1.0})
        program.use(tile_patches=texture.bind())
        triangle.draw(GL.GL_TRIANGLES, 3)
        drawn = target.read_floats().astype(np.float64)
        for thing in (program, target, triangle, texture):
            thing.free()
    return drawn[..., 0] > 0.0, drawn[..., 1], drawn[..., 2]


def test_a_wood_hides_what_is_behind_it_as_high_as_its_trees():
    rows = np.arange(SIDE)[:, None] + np.zeros(SIDE)
    wooded, _, _ = seen(field(rows < 30))
    assert wooded[: 30 + HIGH - 3].all()
    assert not wooded[30 + HIGH + 1 :].any()


def test_a_wood_begins_at_its_feet_with_its_dark_side():
    rows = np.arange(SIDE)[:, None] + np.zeros(SIDE)
    wooded, side, _ = seen(field(rows >= 30))
    assert not wooded[:29].any() and wooded[31:].all()
    assert side[31].min() > 0.65
    assert side[30 + HIGH + 3 :].max() < 0.3
    assert (np.diff(side[31 : 31 + HIGH], axis=0) <= 1e-6).all()


def test_far_trees_are_flat():
    rows = np.arange(SIDE)[:, None] + np.zeros(SIDE)
    wooded, side, _ = seen(field(rows < 30), high=0.4)
    assert (wooded == (rows < 30))[[*range(29), *range(31, SIDE)]].all()
    assert side.max() == 0.0


@pytest.mark.parametrize("sunward_m, shaded", [(-40.0, True), (40.0, False)])
def test_shadows_fall_away_from_the_sun(sunward_m, shaded):
    """Woods stand in the left half. A tree's shadow is as long as 20 pixels."""
    columns = np.zeros(SIDE)[:, None] + np.arange(SIDE)
    _, _, sun = seen(field(columns < 32), sunward_m=sunward_m)
    beside, beyond = sun[:, 34:40], sun[:, 32 + int(abs(sunward_m) / METRES_A_PIXEL) + 3 :]
    assert beside.max() < 0.5 if shaded else beside.min() == 1.0
    assert beyond.min() == 1.0
    # The tops of a closed wood stand in the sun.
    assert sun[:, 4:10].mean() > 0.9
