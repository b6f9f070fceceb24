"""From light to picture: before and after a melt, one scene alone is seen; what is enlarged is sharp and without halos."""

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


def enlarged(light: np.ndarray, scale: float) -> np.ndarray:
    """The picture, float (height, width, 3) in 0..255, of light (height, width), of which `scale` is drawn."""
    from demo.render import develop
    from demo.render.gl.targets import Target
    from demo.render.gl.textures import RGBA8
    from demo.render.shared_textures import noise_texture

    height, width = light.shape
    scene, picture = Target(width, height), Target(width, height, RGBA8, depth=False)
    noise, last = noise_texture(), develop.DevelopPass(sharpens=True)
    scene.scale = scale
    scene.colour.upload(np.repeat(light[:, :, None], 4, axis=2).astype(np.float32))
    last.draw(develop.LightPicture(scene, linear=True), None, noise, picture.canvas)
    found = picture.read().astype(float)
    for thing in (scene, picture, noise, last):
        thing.free()
    return found


@pytest.mark.parametrize("scale", [1.0, 0.7, 0.4])
@pytest.mark.parametrize("size", [(1, 1), (2, 3), (97, 55), (64, 36)])
def test_a_flat_picture_is_flat_at_every_size_and_scale(context, size, scale):
    found = enlarged(np.full(size[::-1], 0.25), scale)
    # 137.0 by sRGB, up to the dither; beyond the drawn part there is nothing to blend with.
    assert np.abs(found - 137.0).max() <= 2.0


def test_an_edge_has_no_halo(context):
    dark, bright = 0.05, 0.50
    light = np.full((40, 80), dark)
    light[:, 16:] = bright
    found = enlarged(light, 0.5)
    ends = found[:, 2].mean(), found[:, -2].mean()
    assert ends[1] - ends[0] > 100.0
    assert found.min() >= ends[0] - 12.0 and found.max() <= ends[1] + 12.0


def test_fine_detail_is_stronger_than_without_sharpening(context):
    across = np.arange(80)
    light = np.broadcast_to(0.25 + 0.01 * np.cos(0.5 * np.pi * across), (40, 80))
    small, whole = enlarged(light, 0.5), enlarged(light, 1.0)
    inner = slice(8, 32)
    # Where nothing is sharpened, blending between pixels would halve it.
    assert small[:, inner].std() > 0.9 * whole[:, inner].std()


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
