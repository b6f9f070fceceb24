"""Uniform blocks: every field of every block reads back in a shader as what was filled in."""

from __future__ import annotations

import numpy as np
import pytest

from demo.hosts import offscreen

# Components of an element, by type.
COMPONENTS = {"float": 1, "int": 1, "vec2": 2, "vec3": 3, "vec4": 4}
OWN = {
    "one": "float",
    "many": "vec3[5]",
    "turn": "mat4",
    "pair": "vec2",
    "three": "vec3",
    "count": "int",
    "floats": "float[3]",
    "last": "vec2",
    "turns": "vec4[2]",
}


@pytest.fixture
def context():
    with offscreen.context((8, 8)):
        yield


def declared():
    """All blocks of the shaders, and one with every type; named after themselves."""
    from demo.render import uniform_blocks
    from demo.render.gl.uniform_block import UniformBlock

    blocks = [block for block in vars(uniform_blocks).values() if isinstance(block, UniformBlock)]
    return [UniformBlock("Own", OWN), *blocks]


def parts(name: str, kind: str) -> list[tuple[str, int]]:
    """Expressions for the vectors that a field is made of, and how many components each has."""
    element, _, count = kind.rstrip("]").partition("[")
    if element == "mat4":
        return [(f"u_{name}[{column}]", 4) for column in range(4)]
    return [(f"u_{name}[{k}]" if count else f"u_{name}", COMPONENTS[element]) for k in range(int(count or 1))]


def reader(block) -> tuple[str, int]:
    """A fragment shader that shows one vector of a block in each pixel of a row, and how many pixels those are."""
    found = [part for name, kind in block.fields.items() for part in parts(name, kind)]
    lines = []
    for at, (expression, components) in enumerate(found):
        values = [f"float({expression})" if components == 1 else expression, *["0.0"] * (4 - components)]
        lines.append(f"    if (at == {at}) o_colour = vec4({', '.join(values)});")
    body = "\n".join(lines)
    return f"out vec4 o_colour;\nvoid main() {{\n    int at = int(gl_FragCoord.x);\n{body}\n}}\n", len(found)


def made_up(block, seed: int) -> dict[str, np.ndarray]:
    """A number of its own for every component."""
    values, draw = {}, np.random.default_rng(seed)
    for name, kind in block.fields.items():
        element, _, count = kind.rstrip("]").partition("[")
        shape = (4, 4) if element == "mat4" else ((int(count),) if count else ()) + (
            (COMPONENTS[element],) if COMPONENTS[element] > 1 else ()
        )  # fmt: skip
        values[name] = draw.integers(-999, 999, shape) if element == "int" else draw.normal(size=shape).astype(np.float32)
    return values


def wanted(block, values) -> np.ndarray:
    """What `reader` is to show: float32 (pixels, 4)."""
    rows = []
    for name, kind in block.fields.items():
        found = values[name].T if kind == "mat4" else values[name]
        components = 4 if kind == "mat4" else COMPONENTS[kind.partition("[")[0]]
        for vector in np.reshape(found, (-1, components)):
            rows.append([*vector, *[0.0] * (4 - components)])
    return np.array(rows, np.float32)


def test_every_field_of_every_block_reads_back(context, tmp_path):
    from OpenGL import GL

    from demo.render.gl import gl_context, uniform_buffer
    from demo.render.gl.meshes import screen_triangle
    from demo.render.gl.programs import Program
    from demo.render.gl.targets import Target
    from demo.render.gl.textures import RGBA32F

    blocks, triangle, drawn = declared(), screen_triangle(), []
    assert len(blocks) > 10
    for number, block in enumerate(blocks):
        text, pixels = reader(block)
        path = tmp_path / f"{number}.frag"
        path.write_text(text)
        drawn.append((block, Program("screen.vert", str(path), [block]), Target(pixels, 1, RGBA32F, depth=False)))
    # Twice: a block that changes leaves the others as they were, and all are there at once.
    for seed in (1, 2):
        values = {block: made_up(block, seed) for block in blocks}
        for block, given in values.items():
            uniform_buffer.fill(block, given)
        for block, program, target in drawn:
            target.begin()
            program.use()
            gl_context.drawing()
            triangle.draw(GL.GL_TRIANGLES, 3)
            assert np.array_equal(target.read_floats()[0], wanted(block, values[block])), block.name
    for thing in (triangle, *(thing for _, program, target in drawn for thing in (program, target))):
        thing.free()


def test_the_driver_lays_blocks_out_as_they_are_filled(context, tmp_path):
    from OpenGL import GL

    from demo.render.gl.programs import Program

    for number, block in enumerate(declared()):
        path = tmp_path / f"{number}.frag"
        path.write_text(reader(block)[0])
        program = Program("screen.vert", str(path), [block])
        program.use()
        current = GL.glGetIntegerv(GL.GL_CURRENT_PROGRAM)
        size = np.zeros(1, np.int32)
        index = GL.glGetUniformBlockIndex(current, block.name)
        GL.glGetActiveUniformBlockiv(current, index, GL.GL_UNIFORM_BLOCK_DATA_SIZE, size)
        assert int(size[0]) <= block.dtype.itemsize < int(size[0]) + 16, block.name
        program.free()


def test_no_two_fields_share_a_byte():
    with offscreen.context((8, 8)):
        for block in declared():
            taken = np.zeros(block.dtype.itemsize, int)
            for field, offset, *_ in block.dtype.fields.values():
                taken[offset : offset + field.itemsize] += 1
            assert taken.max() == 1, block.name


def test_what_does_not_fit_is_refused(context):
    from demo.render.gl import uniform_buffer
    from demo.render.gl.uniform_block import UniformBlock

    block = UniformBlock("Strict", {"one": "float", "three": "vec3"})
    with pytest.raises(ValueError, match="Strict lacks three"):
        uniform_buffer.fill(block, {"one": 1.0})
    with pytest.raises(KeyError):
        uniform_buffer.fill(block, {"one": 1.0, "three": (1.0, 2.0, 3.0), "other": 2.0})
    with pytest.raises(ValueError):
        uniform_buffer.fill(block, {"one": 1.0, "three": (1.0, 2.0)})
    with pytest.raises(ValueError, match="no room"):
        uniform_buffer.fill(UniformBlock("Huge", {"all": "vec4[4096]"}), {"all": 0.0})


def test_only_what_has_changed_is_sent(context, monkeypatch):
    from demo.render.gl import opengl as GL
    from demo.render.gl import uniform_buffer
    from demo.render.gl.uniform_block import UniformBlock

    block, sent, send = UniformBlock("Seldom", {"one": "float"}), [], GL.glBufferData
    monkeypatch.setattr(GL, "glBufferData", lambda *words: sent.append(words) or send(*words))
    for value in (1.0, 1.0, 2.0, 2.0):
        uniform_buffer.fill(block, {"one": value})
        uniform_buffer.upload()
    assert len(sent) == 2
