"""Programs are kept by use, at most so many of them, and a shader that the driver rejects is one clear line."""

from __future__ import annotations

from itertools import product

import pytest

from demo.hosts import offscreen

# More names than the context gives in these tests. Some drivers give the lowest free one first, others a new one.
NAMES = 2000


@pytest.fixture
def context():
    with offscreen.context((8, 8)):
        yield


def sky_switches(count: int) -> list:
    """Different ones."""
    from demo.render.shader_switches import SkySwitches

    return [SkySwitches(False, *chosen) for chosen in product((False, True), repeat=4)][:count]


def alive() -> int:
    """Programs of the context."""
    from OpenGL import GL

    GL.glUseProgram(0)  # the one in use would be deleted only with the next one's use
    return sum(bool(GL.glIsProgram(name)) for name in range(1, NAMES))


def test_the_program_that_nobody_used_for_longest_makes_room(context, monkeypatch):
    from demo.render.gl import living_programs
    from demo.render.gl.programs import Variants

    monkeypatch.setattr(living_programs, "MOST", 3)
    before, variants = alive(), Variants()
    a, b, c, d, e = sky_switches(5)
    programs = {switches: variants.get(switches) for switches in (a, b, c)}
    programs[b].use()
    programs[a].use()
    variants.get(d)
    assert alive() - before == 3 and not variants.keep(c), "the third one is made, but nobody used it after the others"
    assert variants.keep(b)
    variants.get(e)
    assert not variants.keep(a), "keeping is using"
    assert variants.get(b) is programs[b] and alive() - before == 3 == living_programs.count()
    variants.free()
    assert alive() == before and living_programs.count() == 0


def test_a_program_of_an_owner_that_keeps_it_stays(context, monkeypatch):
    from demo.render.gl import living_programs
    from demo.render.gl.programs import Program, Variants

    monkeypatch.setattr(living_programs, "MOST", 2)
    kept, variants = Program("star.vert", "star.frag", sky_switches(1)[0].blocks[:2]), Variants()
    for switches in sky_switches(4):
        variants.get(switches)
        assert living_programs.count() <= 2
    kept.use()
    variants.free()
    kept.free()


def test_programs_that_a_show_has_not_used_for_long_go_one_a_frame(context, monkeypatch):
    from demo.render.gl import living_programs
    from demo.render.gl.programs import Program, Variants

    monkeypatch.setattr(living_programs, "IDLE_S", 3.0)
    before, variants = alive(), Variants()
    kept = Program("star.vert", "star.frag", sky_switches(1)[0].blocks[:2])
    a, b, c = sky_switches(3)
    for switches in (a, b, c):
        variants.get(switches).use()
    counts = []
    for frame in range(1, 7):
        assert variants.keep(b)
        living_programs.end_frame(float(frame))
        counts.append(living_programs.count())
    assert counts == [4, 4, 4, 3, 2, 2] and alive() - before == 2, "the one in use and the one that its owner keeps stay"
    assert not variants.keep(a) and not variants.keep(c)
    variants.free()
    kept.free()
    assert alive() == before


def test_programs_of_a_world_that_has_gone_go_soon_and_several_a_frame(context, monkeypatch):
    from demo.render.gl import living_programs
    from demo.render.gl.programs import Variants

    monkeypatch.setattr(living_programs, "HURRIED", 3)
    variants, all_of_them = Variants(), sky_switches(6)
    for switches in all_of_them:
        variants.get(switches).use()
    living_programs.hurry()
    counts = []
    for frame in range(6):
        assert variants.keep(all_of_them[0]) and (frame or variants.keep(all_of_them[1]))
        living_programs.end_frame(0.01 * frame)
        counts.append(living_programs.count())
    assert counts == [6, 6, 3, 2, 2, 2], "what was of use since stays, after two frames in which all do"
    variants.free()


def test_a_frame_that_was_held_up_makes_no_program_idle(context, monkeypatch):
    from demo.render.gl import living_programs
    from demo.render.gl.programs import Variants

    monkeypatch.setattr(living_programs, "IDLE_S", 2.0)
    variants = Variants()
    living_programs.end_frame(10.0)
    for switches in sky_switches(3):
        variants.get(switches)
    living_programs.end_frame(10.1)
    living_programs.end_frame(500.0)
    assert living_programs.count() == 3
    variants.free()


def test_what_several_programs_leave_behind_is_told_once_they_are_made_and_while_they_go(context, monkeypatch):
    from demo.render.gl import living_programs
    from demo.render.gl.programs import Variants

    monkeypatch.setattr(living_programs, "IDLE_S", 2.0)
    several = living_programs.WORTH
    variants, count = Variants(), 2 * several + 1
    living_programs.end_frame(0.0)
    for switches in sky_switches(count):
        variants.get(switches)
    counts = [living_programs.count() for frame in range(count + 12) if living_programs.end_frame(1.0 + 0.5 * frame)]
    # The last one alone is not worth it.
    assert counts == [count, count - several, count - 2 * several]


@pytest.mark.parametrize("broken", [("glGetShaderiv", "glGetProgramiv"), ("glGetProgramiv",)], ids=["compiling", "linking"])
def test_a_shader_that_the_driver_rejects_is_one_line_and_leaves_nothing(context, monkeypatch, broken):
    from demo.render.gl import opengl as GL
    from demo.render.gl.gpu_error import GpuError
    from demo.render.gl.programs import Variants

    [switches] = sky_switches(1)
    before = alive()
    with monkeypatch.context() as patch:
        for name in broken:
            patch.setattr(GL, name, lambda *words: 0)
        with pytest.raises(GpuError) as raised:
            Variants().get(switches).use()
    said = str(raised.value)
    assert "sky.frag" in said or "sky.vert" in said
    assert "driver" in said and "\n" not in said
    assert alive() == before
    variants = Variants()
    variants.get(switches).use()
    variants.free()


def test_a_program_that_the_driver_is_still_making_is_waited_for_when_it_is_used(context, monkeypatch):
    from demo.render.gl import programs
    from demo.render.gl.programs import Variants

    [switches] = sky_switches(1)
    variants = Variants()
    with monkeypatch.context() as patch:
        patch.setattr(programs.Linking, "is_over", False)
        program = variants.get(switches)
        assert not program.is_linked and not variants.keep(switches), "it is not ready"
        program.use()
        assert program.is_linked and variants.keep(switches)
    variants.free()


def test_a_program_that_goes_before_the_driver_has_made_it_leaves_nothing(context):
    from demo.render.gl.programs import Variants

    before, variants = alive(), Variants()
    variants.get(sky_switches(1)[0])
    variants.free()
    assert alive() == before


def test_a_driver_with_threads_for_compiling_may_use_as_many_as_it_likes(monkeypatch):
    """Unless it is told so, NVIDIA's links in the thread that draws, for tenths of a second a program."""
    asked = []
    with offscreen.context((8, 8)):
        from demo.render.gl import gl_context
        from demo.render.gl import opengl as GL

        monkeypatch.setattr(GL, "glMaxShaderCompilerThreadsKHR", asked.append)
        gl_context.begin()
        assert asked == [0xFFFFFFFF] and gl_context.has("GL_KHR_parallel_shader_compile")
        monkeypatch.setattr(gl_context, "has", lambda extension: False)
        gl_context.begin()
        assert len(asked) == 1, "a driver without it is not asked"
