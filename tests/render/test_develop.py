"""From light to picture: before and after a melt, one scene alone is seen."""

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
