"""The planet's forms in the shaders, from the double cone to the sphere and the sheet, against geometry/forms.py."""

from pathlib import Path

import numpy as np
import pytest

from demo.flight import planet_birth
from demo.geometry.forms import forms_of, sheet_of, swollen
from demo.worlds.atlas import DOUBLE_CONE, double_cone_place

SHADER = str(Path(__file__).parents[1] / "support" / "shaders" / "forms.frag")
SIDE = 24
RADIUS_M, HEIGHT_M = 1000.0, 30.0
LINE, LINE_UP, WAY, SURFACE, UP, EAST, NORTH = range(7)
FACES = range(DOUBLE_CONE.faces)
FRACTIONS = (np.arange(SIDE) + 0.5) / SIDE
U, V = np.meshgrid(FRACTIONS, FRACTIONS)
# In radii. The driver's arc tangent, by which lines find their place, is good for five digits; near the end of the unrolling
# single precision is divided by a small bend.
CLOSE, FLAT = 1e-5, 3e-4


@pytest.fixture(scope="module")
def render():
    from demo.hosts import offscreen

    with offscreen.context():
        from OpenGL import GL

        from demo.render.gl import uniform_buffer
        from demo.render.gl.meshes import screen_triangle
        from demo.render.gl.programs import Program
        from demo.render.gl.targets import Target
        from demo.render.gl.textures import RGBA32F
        from demo.render.gl.uniform_block import UniformBlock
        from demo.render.uniform_blocks import GROUND, SHEET, VIEW

        # `kind`: one of those above.
        point = UniformBlock("Point", {"face": "int", "kind": "int", "height": "float", "way": "vec3"})
        blocks = VIEW, GROUND, SHEET, point
        made = {
            form: Program("screen.vert", SHADER, blocks, {"CONE": form == "cone", "SHEET": form == "sheet"})
            for form in ("cone", "sphere", "sheet")
        }
        target = Target(SIDE, SIDE, RGBA32F, depth=False)
        triangle = screen_triangle()

        def picture(form, face, kind, eye=(0.0, 0.0, 0.0), height=HEIGHT_M, **uniforms):
            target.bind()
            given = {"face": face, "kind": kind, "eye": eye, "height": height, "size": RADIUS_M, **uniforms}
            for block in blocks:
                known = {name: value for name, value in given.items() if name in block.fields}
                uniform_buffer.fill(block, dict.fromkeys(block.fields, 0.0) | known)
            made[form].use()
            triangle.draw(GL.GL_TRIANGLES, 3)
            return target.read_floats()[..., :3].reshape(-1, 3).astype(np.float64)

        yield picture
        for thing in (*made.values(), target, triangle):
            thing.free()


def directions(face):
    return DOUBLE_CONE.direction(face, U, V).reshape(-1, 3)


def apart(a, b):
    """The greatest distance between places (k, 3)."""
    return np.sqrt(((a - b) ** 2).sum(axis=1)).max()


def unit(vectors):
    return vectors / np.sqrt((vectors * vectors).sum(axis=1, keepdims=True))


def eastward(at):
    return unit(np.stack([-at[:, 2], np.zeros(len(at)), at[:, 0]], axis=1))


@pytest.mark.parametrize("swell", [0.0, 0.3, 0.9])
def test_between_double_cone_and_sphere(render, swell):
    eye = np.array([1500.0, 400.0, -300.0])
    for face in FACES:
        wanted = swollen(forms_of(directions(face)), swell) * (RADIUS_M + HEIGHT_M) - eye
        assert apart(render("cone", face, LINE, eye, swell=swell), wanted) < CLOSE * RADIUS_M
        assert apart(render("cone", face, SURFACE, swell=swell), double_cone_place(face, U, V).reshape(-1, 3)) < CLOSE


def test_up_is_across_the_slope_of_the_double_cone(render):
    for face in FACES:
        # The cones meet at an edge, the equator.
        slope = np.abs(U + V - 1.0).ravel() > 0.01
        at, up = directions(face)[slope], render("cone", face, LINE_UP, swell=0.0)[slope]
        for way in (eastward(at), np.cross(at, eastward(at))):
            step = forms_of(unit(at + 1e-6 * way))[0] - forms_of(at)[0]
            assert np.abs((unit(step) * up).sum(axis=1)).max() < 1e-4
        assert ((up * at).sum(axis=1) > 0.5).all()


def test_a_line_lies_on_the_sphere(render):
    eye = np.array([900.0, -200.0, 600.0])
    for face in FACES:
        assert apart(render("sphere", face, LINE, eye), directions(face) * (RADIUS_M + HEIGHT_M) - eye) < CLOSE * RADIUS_M


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("share", [0.0, 0.2, 0.6, 0.97, 1.0])
def test_between_sphere_and_sheet(render, share, seed):
    """Where things are, and which way is up, east and north there; by differences, where there is no twin."""
    pose = planet_birth.birth(RADIUS_M, seed, 30.0, []).pose(12.0)
    sheet = sheet_of(pose, RADIUS_M, share, 1.6)
    uniforms, bound = sheet.uniforms(pose.position), CLOSE if share <= 0.6 else FLAT
    for face in FACES:
        at = directions(face)
        wanted = sheet.place(at, HEIGHT_M) - pose.position
        up = (sheet.place(at, HEIGHT_M) - sheet.place(at)) / HEIGHT_M
        aside = 1e-5 * eastward(at)
        east = unit(sheet.place(unit(at + aside)) - sheet.place(unit(at - aside)))
        got = {kind: render("sheet", face, kind, **uniforms) for kind in (LINE, LINE_UP, SURFACE, UP, EAST, NORTH)}
        assert max(apart(got[LINE], wanted), apart(got[SURFACE], wanted)) < bound * RADIUS_M
        assert max(apart(got[LINE_UP], up), apart(got[UP], up), apart(got[EAST], east)) < CLOSE
        # Left-handed, as the sheet's axes are.
        assert apart(got[NORTH], np.cross(east, up)) < CLOSE


def test_ways_along_the_sphere_begin_to_unroll_as_they_are(render):
    pose, way = planet_birth.birth(RADIUS_M, 1, 30.0, []).pose(12.0), np.array([0.3, 0.8, -0.5])
    uniforms = sheet_of(pose, RADIUS_M, 0.0, 1.6).uniforms(pose.position)
    for face in FACES:
        at = directions(face)
        assert apart(render("sheet", face, WAY, way=way, **uniforms), way - at * (at @ way)[:, None]) < CLOSE
