"""The ragged shores of a map in the shaders against ground/ragged_shores.py: rivers end where their water is drawn."""

from pathlib import Path

import numpy as np
import pytest

from demo.ground.ground import Ground
from demo.ground.noise_volume import PERIOD
from demo.ground.ragged_shores import above_water
from demo.ground.relief import GUTTER
from demo.worlds.atlas import ATLASES
from demo.worlds.heightfield import sample

SHADER = str(Path(__file__).parents[1] / "support" / "shaders" / "shores.frag")
SIDE, SAMPLES, SIZE_M, HIGHEST_M = 64, 65, 500_000.0, 9_000.0
CUBE = ATLASES["cube"]
# Raggedness is there in full on this part of a face around its middle.
PART = 0.05


def map_ground():
    """Hills and hollows with water in them, alike on all faces."""
    j, i = np.mgrid[0:SAMPLES, 0:SAMPLES]
    above = (300.0 * np.sin(1.1 * i) * np.cos(0.9 * j)).astype(np.float32)
    heights = np.full((6, SAMPLES, SAMPLES), HIGHEST_M, np.float32)
    return Ground(CUBE, heights, SIZE_M, above_m=np.broadcast_to(above, heights.shape).copy())


def test_pictures_and_rivers_know_the_same_shores():
    from demo.hosts import offscreen

    ground, face = map_ground(), 2
    u, v = (0.5 + PART * (x - 0.5) for x in np.meshgrid(*2 * [(np.arange(SIDE) + 0.5) / SIDE]))
    place = CUBE.place(np.full(u.size, face), u.ravel(), v.ravel())
    eye = CUBE.place(np.array([face]), np.array([0.5]), np.array([0.5]))[0] * SIZE_M
    relative = (place * SIZE_M - eye).reshape(SIDE, SIDE, 3)
    padded = np.zeros((6, SAMPLES + 2 * GUTTER, SAMPLES + 2 * GUTTER, 4), np.float32)
    padded[:, GUTTER:-GUTTER, GUTTER:-GUTTER, 3] = ground.above_m
    at = (np.stack([u, v], axis=-1) * (SAMPLES - 1) + GUTTER + 0.5) / (SAMPLES + 2 * GUTTER)
    with offscreen.context():
        from OpenGL import GL

        from demo.render.gl import uniform_buffer
        from demo.render.gl.meshes import screen_triangle
        from demo.render.gl.programs import Program
        from demo.render.gl.targets import Target
        from demo.render.gl.textures import ARRAY, FLAT, RGBA32F, Texture
        from demo.render.shared_textures import noise_texture
        from demo.render.uniform_blocks import GROUND

        program, target, triangle = (
            Program("screen.vert", SHADER, (GROUND,), {}),
            Target(SIDE, SIDE, RGBA32F, depth=False),
            screen_triangle(),
        )
        shade, noise = Texture(ARRAY, RGBA32F, padded.shape[:3]), noise_texture()
        shade.upload(padded)
        tables = [Texture(FLAT, RGBA32F, (SIDE, SIDE), linear=False) for _ in range(2)]
        for table, values in zip(tables, (relative, np.dstack([at, np.full(u.shape, face)])), strict=True):
            table.upload(np.dstack([values, np.zeros(u.shape)]).astype(np.float32))
        noise_m = SIZE_M * PERIOD
        given = {"relief_m": HIGHEST_M, "noise_metres": noise_m, "origin": np.mod(eye / noise_m, 1.0)}
        uniform_buffer.fill(GROUND, dict.fromkeys(GROUND.fields, 0.0) | given)
        target.bind()
        program.use(places=tables[0].bind(), at=tables[1].bind(), shade=shade.bind(), noise=noise.bind())
        triangle.draw(GL.GL_TRIANGLES, 3)
        drawn = target.read_floats()[..., 0].astype(np.float64)
        for thing in (program, target, triangle, shade, noise, *tables):
            thing.free()
    told = above_water(ground, place, np.zeros(u.size)).reshape(u.shape)
    plain = sample(ground.above_m, *CUBE.invert(place)[:3]).reshape(u.shape)
    # The noise moves shores by much, and both move them alike.
    assert np.abs(told - plain).mean() > 10.0
    np.testing.assert_allclose(drawn, told, atol=1.0)
    assert ((drawn > 0.0) == (told > 0.0)).mean() > 0.995


def test_only_a_map_tells_how_far_it_is_above_the_water():
    dry = Ground(CUBE, np.zeros((6, 5, 5), np.float32), SIZE_M)
    with pytest.raises(ValueError, match="map"):
        above_water(dry, np.array([[1.0, 0.0, 0.0]]), np.zeros(1))
