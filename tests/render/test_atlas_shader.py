"""The atlas of the shaders against the atlas of the worlds, rendered to a float texture."""

from pathlib import Path

import numpy as np
import pytest

from demo.worlds.atlas import ATLASES

SHADER = str(Path(__file__).parents[1] / "support" / "shaders" / "place.frag")
SIDE = 48


@pytest.fixture(scope="module")
def render():
    from demo.hosts import offscreen

    with offscreen.context():
        from OpenGL import GL

        from demo.render.gl import uniform_buffer
        from demo.render.gl.meshes import screen_triangle
        from demo.render.gl.programs import Program
        from demo.render.gl.targets import Target
        from demo.render.gl.textures import RGBA32F
        from demo.render.gl.uniform_block import UniformBlock

        # `kind`: 0 for the place, 1 for the offset from the anchor.
        point = UniformBlock("Place", {"atlas": "int", "face": "int", "kind": "int", "height": "float", "anchor": "vec2",
                                       "span": "float"})  # fmt: skip
        program = Program("screen.vert", SHADER, [point])
        target = Target(SIDE, SIDE, RGBA32F, depth=False)
        triangle = screen_triangle()

        def picture(**uniforms):
            target.bind()
            uniform_buffer.fill(point, dict.fromkeys(point.fields, 0.0) | uniforms)
            program.use()
            triangle.draw(GL.GL_TRIANGLES, 3)
            return target.read_floats()[..., :3]

        yield picture
        for thing in (program, target, triangle):
            thing.free()


def grid():
    line = (np.arange(SIDE) + 0.5) / SIDE
    return line[None, :], line[:, None]


@pytest.mark.parametrize("atlas", ATLASES.values(), ids=ATLASES)
def test_places_agree(render, atlas):
    u, v = grid()
    for face in range(atlas.faces):
        got = render(atlas=atlas.code, face=face, kind=0, height=0.05)
        wanted = atlas.place(face, u, v, 0.05)
        assert np.abs(got - wanted).max() < 2e-6


@pytest.mark.parametrize("atlas", ATLASES.values(), ids=ATLASES)
@pytest.mark.parametrize("span", [0.25, 1e-4])
@pytest.mark.parametrize("anchor", [(0.3, 0.2), (0.71, 0.66), (0.5, 0.25)])
def test_offsets_hold_relative_to_the_patch(render, atlas, anchor, span):
    """The error is a share of the patch and not of the planet: that is what keeps near ground from trembling."""
    u, v = grid()
    for face in range(atlas.faces):
        got = render(atlas=atlas.code, face=face, kind=1, anchor=anchor, span=span)
        at = np.float32(anchor).astype(np.float64)
        wanted = atlas.place(face, at[0] + (u - 0.5) * span, at[1] + (v - 0.5) * span) - atlas.place(face, *at)
        assert np.abs(got - wanted).max() < 3e-6 * span * 4


def test_offset_crosses_the_equator_of_the_double_cone(render):
    u, v = grid()
    atlas = ATLASES["doublecone"]
    got = render(atlas=atlas.code, face=1, kind=1, anchor=(0.5, 0.5), span=0.125)
    wanted = atlas.place(1, 0.5 + (u - 0.5) * 0.125, 0.5 + (v - 0.5) * 0.125) - atlas.place(1, 0.5, 0.5)
    assert np.abs(got - wanted).max() < 1e-6
