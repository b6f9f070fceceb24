"""The haze before what lies about as high as the eye, by the shaders."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from demo.flight.camera import facing
from demo.geometry.view import make_view
from demo.ground.air import Air
from demo.hosts import offscreen
from demo.scenes.scenes import SCENES

SHADER = str(Path(__file__).parents[1] / "support" / "shaders" / "haze.frag")
UP, SOUTH = np.array([0.0, 1.0, 0.0]), np.array([1.0, 0.0, 0.0])
ALTITUDE_M, FAR_M, SIDE = 700.0, 8000.0, 32


@pytest.mark.parametrize("air", [Air(), SCENES["simplex"].air], ids=["earth", "planet"])
def test_what_is_as_high_as_the_eye_is_as_clear_as_what_is_beside_it(air):
    """Where the way rises by exactly so much, the closed integral divided by 0: black triangles on some graphics cards."""
    pose = facing(UP * (air.ground_radius_m + ALTITUDE_M), SOUTH, UP, 1.0)
    view = make_view(pose, 1.0, 10.0, 1e6, air, np.zeros(3), UP, np.ones(3))
    with offscreen.context((SIDE, SIDE)):
        from OpenGL import GL

        from demo.render.frame_view import look_through
        from demo.render.gl import uniform_buffer
        from demo.render.gl.meshes import screen_triangle
        from demo.render.gl.programs import Program
        from demo.render.gl.targets import Target
        from demo.render.gl.textures import RGBA32F
        from demo.render.gl.uniform_block import UniformBlock
        from demo.render.uniform_blocks import VIEW

        way = UniformBlock("Way", {"far": "float", "middle": "float", "steepness": "float"})
        program, triangle = Program("screen.vert", SHADER, [VIEW, way]), screen_triangle()
        target = Target(SIDE, SIDE, RGBA32F, depth=False)
        target.bind()
        look_through(view)
        uniform_buffer.fill(way, {"far": FAR_M, "middle": SIDE // 2, "steepness": 1e3})
        program.use()
        triangle.draw(GL.GL_TRIANGLES, 3)
        left = target.read_floats()[..., :3]
        for thing in (program, triangle, target):
            thing.free()
    assert np.isfinite(left).all()
    assert left.min() > 0.05 and left.max() < 1.0, "there is some air"
    assert np.ptp(left, axis=(0, 1)).max() < 0.01, "a few metres change little"
