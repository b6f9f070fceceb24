"""Textures keep their content, however many there are, and are blended smoothly."""

from pathlib import Path

import numpy as np
import pytest


@pytest.fixture
def context():
    from demo.hosts import offscreen

    with offscreen.context((8, 8)):
        yield


def test_more_textures_than_units_each_keep_their_content(context):
    from OpenGL import GL

    from demo.render.gl import gl_context, uniform_buffer
    from demo.render.gl.meshes import screen_triangle
    from demo.render.gl.programs import Program
    from demo.render.gl.targets import Target
    from demo.render.gl.textures import FLAT, RGBA8, RGBA32F, VOLUME, Texture
    from demo.render.shader_switches import DevelopSwitches
    from demo.render.uniform_blocks import DEVELOP

    switches = DevelopSwitches()
    program = Program(switches.vertex, switches.fragment, switches.blocks, switches.defines)
    triangle = screen_triangle()
    target = Target(1, 1, RGBA32F, depth=False)
    textures = []
    for number in range(gl_context.UNITS + 5):
        texture = Texture(FLAT, RGBA32F, (1, 1), linear=False)
        texture.upload(np.full((1, 1, 4), number / 64.0, np.float32))
        textures.append(texture)
    noise = Texture(VOLUME, RGBA8, (1, 1, 1), repeat=True)
    noise.upload(np.zeros((1, 1, 1, 4), np.uint8))
    for number in (*range(len(textures)), 3, 50, 0):
        target.begin()
        values = {
            "exposure": 1.0,
            "linear": 1,
            "extent": (1.0, 1.0, 1.0, 1.0),
            "melt": 0.0,
            "sharpened": 0.0,
            "last": (0.0, 0.0),
        }
        uniform_buffer.fill(DEVELOP, values)
        program.use(scene=textures[number].bind(), kept=textures[number].bind(), noise=noise.bind())
        gl_context.drawing()
        triangle.draw(GL.GL_TRIANGLES, 3)
        seen = target.read_floats()[0, 0, 0]
        # Shown with the screen's curve.
        light = number / 64.0
        shown = 12.92 * light if light <= 0.0031308 else 1.055 * light ** (1 / 2.4) - 0.055
        assert abs(seen - shown) < 0.02
    for thing in (program, triangle, target, noise, *textures):
        thing.free()


def test_noise_and_clouds_change_smoothly_where_a_texel_is_as_wide_as_many_pixels(context):
    """Between two bytes a software renderer blends to bytes: clouds seen from near were squares."""
    from OpenGL import GL

    from demo.render.gl.meshes import screen_triangle
    from demo.render.gl.programs import Program
    from demo.render.gl.targets import Target
    from demo.render.gl.textures import RGBA32F
    from demo.render.shared_textures import clouds_texture, noise_texture

    field = np.full((8, 8), 0.5, np.float32)
    field[:, 4:] += 2.0 / 255.0
    noise, clouds = noise_texture(), clouds_texture(field)
    shader = str(Path(__file__).parents[1] / "support" / "shaders" / "blended.frag")
    program, triangle, target = Program("screen.vert", shader), screen_triangle(), Target(64, 1, RGBA32F, depth=False)
    target.bind()
    program.use(clouds=clouds.bind(), noise=noise.bind())
    triangle.draw(GL.GL_TRIANGLES, 3)
    seen = target.read_floats()[0, :, :2]
    for thing in (program, triangle, target, noise, clouds):
        thing.free()
    assert [len(np.unique(seen[:, channel])) for channel in (0, 1)] == [64, 64]
    steps = np.diff(seen, axis=0)
    assert (np.abs(steps) < 2.0 * np.abs(steps).mean(axis=0)).all()
