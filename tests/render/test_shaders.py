"""Texts of shaders: every single uniform has a place of its own in the packed array, and reads back what was set."""

import numpy as np
import pytest

from demo.render.gl import shaders

FILES = sorted(path.stem for path in shaders.SHADERS.glob("*.frag") if (shaders.SHADERS / f"{path.stem}.vert").exists())
VERTEX = """in vec2 a_corner;
uniform mat4 u_turn;    // remarks stay where they are
uniform float u_one;
void main() { gl_Position = u_turn * vec4(a_corner, 0.0, 1.0) * u_one; }
"""
FRAGMENT = """uniform vec3 u_three;
uniform vec2 u_two;
uniform float u_one;
uniform float u_other;
uniform vec4 u_four;
uniform int u_count;
out vec4 o_colour;
void main() { o_colour = u_count == 0 ? vec4(u_three, u_one) : u_count == 1 ? vec4(u_two, u_other, 0.0) : u_four; }
"""


@pytest.fixture
def context():
    from demo.hosts import offscreen

    with offscreen.context((8, 8)):
        yield


@pytest.fixture
def own(tmp_path, monkeypatch):
    """Shaders of the test's own."""
    (tmp_path / "own.vert").write_text(VERTEX)
    (tmp_path / "own.frag").write_text(FRAGMENT)
    monkeypatch.setattr(shaders, "SHADERS", tmp_path)
    shaders.source.cache_clear()
    yield
    shaders.source.cache_clear()


@pytest.mark.parametrize("name", FILES)
def test_no_two_uniforms_share_a_place(name):
    texts = shaders.texts(f"{name}.vert", f"{name}.frag", {})
    taken = [at for first, floats in texts.places.values() for at in range(first, first + floats)]
    assert len(taken) == len(set(taken))
    assert all(0 <= at < 4 * texts.vectors for at in taken)
    # A vector's parts are read by one expression of one vec4.
    assert all(floats > 4 or first // 4 == (first + floats - 1) // 4 for first, floats in texts.places.values())


def test_a_program_reads_what_was_set(own, context):
    from OpenGL import GL

    from demo.render.gl import gl_context, programs
    from demo.render.gl.meshes import screen_triangle
    from demo.render.gl.targets import Target
    from demo.render.gl.textures import RGBA32F

    program, target = programs.Program("own.vert", "own.frag"), Target(2, 2, RGBA32F, depth=False)
    triangle = screen_triangle()
    still = np.eye(4)
    given = {"three": (1.0, 2.0, 3.0), "two": np.array([4.0, 5.0]), "one": 1.0, "other": 7.0, "four": (8.0, 9.0, 10.0, 11.0)}
    wanted = ((1.0, 2.0, 3.0, 1.0), (4.0, 5.0, 7.0, 0.0), (8.0, 9.0, 10.0, 11.0))
    target.begin()
    for count, colour in enumerate(wanted):
        program.use(turn=still, count=count, **given)
        gl_context.drawing()
        triangle.draw(GL.GL_TRIANGLES, 3)
        assert tuple(target.read_floats()[0, 0].tolist()) == colour
    # One that changes leaves the others as they were; columns are columns.
    moved = np.eye(4)
    moved[0, 3] = 8.0
    target.begin()
    program.use(turn=moved, four=(0.5, 0.5, 0.5, 0.5))
    triangle.draw(GL.GL_TRIANGLES, 3)
    assert not target.read_floats().any()
    for thing in (program, target, triangle):
        thing.free()


def test_before_and_after_a_melt_only_one_scene_is_seen(context):
    from OpenGL import GL

    from demo.render import develop
    from demo.render.gl.targets import Target
    from demo.render.gl.textures import RGBA8
    from demo.render.sky import noise_texture

    light, picture = Target(160, 90), Target(160, 90, RGBA8, depth=False)
    noise, last = noise_texture(), develop.Post()
    seen = {}
    for melt in (develop.COMES, 0.5, develop.GONE):
        for bright, step in ((0.0, lambda scene: last.keep(scene, noise)),
                             (1.0, lambda scene, melt=melt: last.draw(scene, melt, noise, picture.canvas))):  # fmt: skip
            GL.glClearColor(bright, bright, bright, 1.0)
            light.begin()
            GL.glClearColor(0.0, 0.0, 0.0, 0.0)
            step(develop.Developed(light, linear=True))
        seen[melt] = picture.read()
    # Up to the dither.
    assert seen[develop.COMES].max() <= 2 and seen[develop.GONE].min() >= 253
    assert seen[0.5].std() > 5.0
    for thing in (light, picture, noise, last):
        thing.free()


def test_more_textures_than_units_each_keep_their_content(context):
    from OpenGL import GL

    from demo.render.gl import gl_context, programs
    from demo.render.gl.meshes import screen_triangle
    from demo.render.gl.targets import Target
    from demo.render.gl.textures import FLAT, RGBA8, RGBA32F, VOLUME, Texture

    program, triangle = programs.Program("screen.vert", "post.frag", KEEP=0, MELT=0), screen_triangle()
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
        program.use(
            scene=textures[number].bind(), kept=textures[number].bind(), noise=noise.bind(), extent=(1, 1, 1, 1),
            first=0, exposure=1.0, linear=1, right=(1, 0, 0), up=(0, 1, 0), forward=(0, 0, -1),
        )  # fmt: skip
        gl_context.drawing()
        triangle.draw(GL.GL_TRIANGLES, 3)
        seen = target.read_floats()[0, 0, 0]
        # Shown with the screen's curve.
        light = number / 64.0
        shown = 12.92 * light if light <= 0.0031308 else 1.055 * light ** (1 / 2.4) - 0.055
        assert abs(seen - shown) < 0.02
    for thing in (program, triangle, target, noise, *textures):
        thing.free()
