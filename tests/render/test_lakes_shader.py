"""The level of lakes in the shaders against ground/standing_water.py: pictures and the camera know the same shores."""

from pathlib import Path

import numpy as np

from demo.ground.relief import GUTTER
from demo.ground.standing_water import DRY_M, Lakes

SHADER = str(Path(__file__).parents[1] / "support" / "shaders" / "lakes.frag")
SIDE, SAMPLES, RELIEF_M = 96, 17, 2_000.0


def lakes_on_two_faces():
    """Levels of two lakes, with an outlet at one of them."""
    level = np.full((2, SAMPLES + 2 * GUTTER, SAMPLES + 2 * GUTTER), DRY_M, np.float32)
    inner = level[:, GUTTER:-GUTTER, GUTTER:-GUTTER]
    inner[0, 3:10, 4:13], inner[0, 6, 13] = 1234.5, 1190.0
    inner[1, 8:, :7] = 87.25
    return Lakes(level, np.flatnonzero(inner > DRY_M))


def test_pictures_and_the_camera_know_the_same_levels():
    from demo.hosts import offscreen

    lakes = lakes_on_two_faces()
    u, v = np.meshgrid((np.arange(SIDE) + 0.5) / SIDE, (np.arange(SIDE) + 0.5) / SIDE)
    with offscreen.context():
        from OpenGL import GL

        from demo.render.gl import uniform_buffer
        from demo.render.gl.meshes import screen_triangle
        from demo.render.gl.programs import Program
        from demo.render.gl.targets import Target
        from demo.render.gl.textures import ARRAY, R32F, RGBA32F, Texture
        from demo.render.gl.uniform_block import UniformBlock
        from demo.render.uniform_blocks import GROUND, SURFACE

        point = UniformBlock("Point", {"face": "int", "points": "float"})
        blocks = GROUND, SURFACE, point
        program, target, triangle = (
            Program("screen.vert", SHADER, blocks, {}),
            Target(SIDE, SIDE, RGBA32F, depth=False),
            screen_triangle(),
        )
        texture = Texture(ARRAY, R32F, lakes.padded_m.shape)
        texture.upload(lakes.padded_m)

        def picture(face, filled):
            target.bind()
            given = {"face": face, "points": SIDE, "samples": SAMPLES, "relief_m": RELIEF_M, "filled": filled}
            for block in blocks:
                known = {name: value for name, value in given.items() if name in block.fields}
                uniform_buffer.fill(block, dict.fromkeys(block.fields, 0.0) | known)
            program.use(lakes=texture.bind())
            triangle.draw(GL.GL_TRIANGLES, 3)
            return target.read_floats()[..., 0].astype(np.float64)

        drawn = [picture(face, 1.0) for face in (0, 1)]
        half_full, empty = picture(1, 0.5), picture(1, 0.0)
        for thing in (program, target, triangle, texture):
            thing.free()
    for face in (0, 1):
        told = lakes.at(np.full(u.size, face), u.ravel(), v.ravel()).reshape(u.shape)
        flat = np.isclose(told, np.round(told * 4.0) / 4.0, atol=1e-9) & (told > 0.0)
        assert flat.sum() > 300
        assert np.abs(drawn[face] - told)[flat].max() < 0.1
        # Elsewhere the water is led under the ground: both agree which side of any ground it is on.
        np.testing.assert_allclose(drawn[face], told, atol=0.01 * -DRY_M)
        assert ((drawn[face] > 0.0) == (told > 0.0)).mean() > 0.99
    assert half_full.max() < drawn[1].max() - 10.0
    assert empty.max() < 0.0
