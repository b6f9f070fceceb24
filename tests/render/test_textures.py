"""Textures keep their content, however many there are."""

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
