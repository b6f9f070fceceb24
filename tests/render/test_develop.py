"""From light to picture: before and after a melt, one scene alone is seen."""

import numpy as np
import pytest


@pytest.fixture
def context():
    from demo.hosts import offscreen

    with offscreen.context((8, 8)):
        yield


def test_before_and_after_a_melt_only_one_scene_is_seen(context):
    from OpenGL import GL

    from demo.render import develop
    from demo.render.gl.targets import Target
    from demo.render.gl.textures import RGBA8
    from demo.render.shared_textures import noise_texture

    light, picture = Target(160, 90), Target(160, 90, RGBA8, depth=False)
    noise, last = noise_texture(), develop.DevelopPass()
    seen = {}
    for melt in (develop.COMES, 0.5, develop.GONE):
        for bright, step in ((0.0, lambda scene: last.keep(scene, noise)),
                             (1.0, lambda scene, melt=melt: last.draw(scene, melt, noise, picture.canvas))):  # fmt: skip
            GL.glClearColor(bright, bright, bright, 1.0)
            light.begin()
            GL.glClearColor(0.0, 0.0, 0.0, 0.0)
            step(develop.LightPicture(light, linear=True))
        seen[melt] = picture.read()
    # Up to the dither.
    assert seen[develop.COMES].max() <= 2 and seen[develop.GONE].min() >= 253
    assert seen[0.5].std() > 5.0
    for thing in (light, picture, noise, last):
        thing.free()


def test_shade_keeps_its_shapes_and_no_highlight_clips(context):
    from OpenGL import GL

    from demo.render import develop
    from demo.render.gl.targets import Target
    from demo.render.gl.textures import RGBA8
    from demo.render.shared_textures import noise_texture

    scene, onto = Target(16, 9), Target(16, 9, RGBA8, depth=False)
    noise, last = noise_texture(), develop.DevelopPass()
    shown = []
    for light in (0.0, 0.02, 0.04, 0.08, 0.5, 2.0, 6.0, 12.0):
        GL.glClearColor(light, light, light, 1.0)
        scene.begin()
        last.draw(develop.LightPicture(scene), None, noise, onto.canvas)
        shown.append(float(onto.read().mean()))
    GL.glClearColor(0.0, 0.0, 0.0, 0.0)
    assert shown == sorted(shown) and shown[0] < 1.0
    assert shown[1] > 28.0 and min(np.diff(shown[1:4])) > 14.0, "the toe of the curve would swallow shade"
    assert shown[-2] < shown[-1] < 254.0
    for thing in (scene, onto, noise, last):
        thing.free()
