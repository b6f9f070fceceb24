"""The clouds of a planet in the shaders against scenes/cloud_cover.py: flights go by the clouds that are drawn."""

from pathlib import Path

import numpy as np

from demo.geometry.frame_state import Moment
from demo.ground.cloud_field import cloud_field
from demo.scenes.cloud_cover import CloudCover

SHADER = str(Path(__file__).parents[1] / "support" / "shaders" / "clouds.frag")
SIDE, THICK, SECONDS, RADIUS_M = 96, 0.9, 47.0, 500_000.0
SUN = np.array([0.8, 0.36, -0.48])


def places():
    """All over the planet: unit (SIDE, SIDE, 3)."""
    y, turn = np.meshgrid(np.linspace(-0.99, 0.99, SIDE), np.linspace(0.0, 2.0 * np.pi, SIDE, endpoint=False))
    level = np.sqrt(1.0 - y * y)
    return np.stack([level * np.cos(turn), y, level * np.sin(turn)], axis=-1)


def drawn(field, up):
    from demo.hosts import offscreen

    with offscreen.context():
        from OpenGL import GL

        from demo.render.clouds import planet_clouds
        from demo.render.gl import uniform_buffer
        from demo.render.gl.meshes import screen_triangle
        from demo.render.gl.programs import Program
        from demo.render.gl.targets import Target
        from demo.render.gl.textures import FLAT, RGBA32F, Texture
        from demo.render.shared_textures import clouds_texture
        from demo.render.uniform_blocks import CLOUDS, VIEW

        program, target, triangle = (
            Program("screen.vert", SHADER, (VIEW, CLOUDS), {}),
            Target(SIDE, SIDE, RGBA32F, depth=False),
            screen_triangle(),
        )
        table, clouds = Texture(FLAT, RGBA32F, (SIDE, SIDE), linear=False), clouds_texture(field)
        table.upload(np.dstack([up, np.zeros((SIDE, SIDE))]).astype(np.float32))
        uniform_buffer.fill(VIEW, dict.fromkeys(VIEW.fields, 0.0) | {"sun": SUN})
        uniform_buffer.fill(CLOUDS, planet_clouds(Moment(SECONDS, clouds=THICK), RADIUS_M))
        target.bind()
        program.use(places=table.bind(), clouds=clouds.bind())
        triangle.draw(GL.GL_TRIANGLES, 3)
        seen = target.read_floats().astype(np.float64)
        for thing in (program, target, triangle, table, clouds):
            thing.free()
    return seen


def test_flights_and_pictures_know_the_same_clouds():
    up, field = places(), cloud_field(5, 256)
    cover, when = CloudCover(field, lambda t: THICK if t == SECONDS else 0.0), np.full(SIDE, SECONDS)
    seen = drawn(field, up)
    assert seen[..., 0].min() == 0.0 and seen[..., 0].max() > 0.9
    np.testing.assert_allclose(cover.over(up, when), seen[..., 0], atol=0.01)
    np.testing.assert_allclose(1.0 - cover.light(up, np.broadcast_to(SUN, up.shape), when), seen[..., 1], atol=0.01)
    assert not cover.over(up, np.zeros(SIDE)).any()
