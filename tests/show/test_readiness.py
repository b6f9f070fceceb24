"""In a live show every program is there before the frame that needs it, and a look that is not ready yet is not shown."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace

import numpy as np
import pytest
from support.showing import nothing_filled, pass_time, picture, showing, wait_for_next

from demo.hosts import offscreen
from demo.scenes.scenes import SCENES

pytestmark = pytest.mark.usefixtures("plain_flights")

# No power of two, which few windows are wide.
SIZE = (66, 36)
# Seconds of the show that a frame lasts.
FRAME_S = 0.1


@pytest.fixture(scope="module", autouse=True)
def context():
    with offscreen.context(SIZE):
        yield


@contextmanager
def linked() -> Iterator[dict[str, list[str]]]:
    """The programs that are linked inside the block, by what the show was doing then."""
    from demo.render.gl.programs import Program

    found: dict[str, list[str]] = {"updating": [], "drawing": []}
    make = Program.__init__

    def made(program, vertex, fragment, blocks=(), defines=None, let_go=None):
        found[doing[0]].append(named(fragment, defines))
        make(program, vertex, fragment, blocks, defines, let_go)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Program, "__init__", made)
        yield found


def named(fragment: str, defines: dict[str, int] | None) -> str:
    """A program by its file and its switches that are on."""
    return f"{fragment} {[name for name, value in (defines or {}).items() if value]}"


@contextmanager
def reading() -> Iterator[dict[str, tuple[set, set]]]:
    """For each program that a rehearsal draws with inside the block: how it and the show read textures.

    By file and switches; sampler, and all of a texture that a software renderer's driver writes into the program's code.
    """
    from demo.render.gl.programs import Program
    from demo.render.gl.textures import Texture
    from demo.show.rehearsal import Rehearsal

    found: dict[str, tuple[set, set]] = {}
    bound: dict[int, tuple] = {}
    rehearses = [False]
    given = {"texture": Texture.__init__, "bind": Texture.bind, "program": Program.__init__, "use": Program.use}
    rehearse = Rehearsal.draw

    def make(texture, target, texels, shape, linear=True, repeat=False):
        sides = tuple(side & (side - 1) == 0 for side in shape[-2:])
        texture.read_as = (int(texels.internal), int(target), linear, repeat, *sides)
        given["texture"](texture, target, texels, shape, linear, repeat)

    def bind(texture):
        unit = given["bind"](texture)
        bound[unit] = texture.read_as
        return unit

    def write(program, vertex, fragment, blocks=(), defines=None, let_go=None):
        program.named = named(fragment, defines)
        given["program"](program, vertex, fragment, blocks, defines, let_go)

    def use(program, **units):
        given["use"](program, **units)
        if rehearses[0]:
            found.setdefault(program.named, (set(), set()))
        if program.named in found:
            read = {(name, bound[unit]) for name, unit in units.items() if program._sampler(name) >= 0}
            found[program.named][0 if rehearses[0] else 1].update(read)

    def draw(rehearsal, switches):
        rehearses[0] = True
        try:
            rehearse(rehearsal, switches)
        finally:
            rehearses[0] = False

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Texture, "__init__", make)
        patch.setattr(Texture, "bind", bind)
        patch.setattr(Program, "__init__", write)
        patch.setattr(Program, "use", use)
        patch.setattr(Rehearsal, "draw", draw)
        yield found


doing = ["updating"]


def frame(show, dt: float = FRAME_S) -> None:
    """One frame of a live show."""
    show.update(dt)
    doing[:] = ["drawing"]
    try:
        show.draw()
    finally:
        doing[:] = ["updating"]


def play(show, seconds: float) -> None:
    """Frames of a live show, in which no story waits for its pictures."""
    for _ in range(round(seconds / FRAME_S)):
        pass_time(show, FRAME_S)
        frame(show, 0.0)


def until_shown(show) -> None:
    """Frames until the world that was asked for is there and nothing melts."""
    before = show.shot().current
    wait_for_next(show)
    for _ in range(400):
        frame(show)
        if show.shot().current is not before and show.shot().melt is None:
            return
    raise AssertionError("the world that was asked for never came")


@pytest.mark.parametrize("name", ["plasma", "simplex", "map"])
def test_nothing_is_linked_for_the_frame_that_needs_it(name):
    """From the first world on: over a birth, into the flight, in every look, and into another world.

    A software renderer's driver compiles once more for textures of another kind: the show reads those of the rehearsal.
    """
    with nothing_filled(), reading() as read, showing(SIZE, scene=name, paced=True) as show:
        while show.shot().current is None:
            frame(show)
        story = show.shot().current
        with linked() as found:
            for key in ("look", "normals", "wireframe", "look", "wireframe", "normals", "look"):
                show.act(key)
                play(show, 1.0)
            while story.t < SCENES[name].birth_s + 6.0:
                play(show, 1.0)
            for key in ("look", "normals", "wireframe", "look", "wireframe", "normals", "look"):
                show.act(key)
                play(show, 1.0)
            show.act("next_scene")
            until_shown(show)
            play(show, 2.0)
    assert found["updating"] and not found["drawing"], "linked in the frame that needs it"
    others = {program: shown - rehearsed for program, (rehearsed, shown) in read.items() if shown - rehearsed}
    assert not others and any(shown for _, shown in read.values()), others


def test_the_old_look_stays_until_the_new_one_is_ready():
    """Programs are made ready one after the other, and meanwhile all is drawn as before."""
    with showing(SIZE, scene="cuts", paced=True) as show:
        while show.shot().current is None:
            frame(show)
        play(show, 3.0)
        show.act("pause")
        play(show, 0.5)
        before, frames = picture(show), 0
        show.act("look")
        with linked() as found:
            while np.array_equal(picture(show), before):
                frames += 1
                assert frames < 100, "the look never came"
                frame(show)
        assert len(found["updating"]) > 1 and not found["drawing"]


def test_offscreen_pictures_are_in_the_look_that_was_asked_for_at_once():
    with showing(SIZE, scene="cuts") as show:
        show.seek(5.0)
        before = picture(show)
        show.act("look")
        assert not np.array_equal(picture(show), before)


def test_all_looks_and_scenes_together_keep_the_programs_within_bounds(monkeypatch):
    from demo.render.gl import living_programs

    most = []
    with showing(SIZE, scene="plasma", paced=True) as show:
        while show.shot().current is None:
            frame(show)
        for _ in range(3):
            for key in ("look", "normals", "wireframe"):
                show.act(key)
                play(show, 1.0)
                most.append(living_programs.count())
            show.act("next_scene")
            until_shown(show)
            most.append(living_programs.count())
    assert max(most) <= living_programs.MOST <= 40
    assert living_programs.count() == 0


def test_a_world_that_has_become_part_of_the_next_one_needs_no_programs_of_its_own(monkeypatch):
    from demo.render.shader_switches import TileSwitches
    from demo.show import readiness
    from demo.show.rehearsal import Rehearsal

    # In every frame.
    monkeypatch.setattr(readiness, "SURE_S", -1.0)
    wanted: list[type] = []
    is_ready = Rehearsal.is_ready
    monkeypatch.setattr(
        Rehearsal, "is_ready", lambda self, switches: wanted.append(type(switches)) or is_ready(self, switches)
    )
    with showing(SIZE, scene="plasma", paced=True) as show:
        while show.shot().current is None:
            frame(show)
        old = show.shot().current
        while old.t < old.scene.birth_s + 1.0:
            play(show, 1.0)
        assert TileSwitches in wanted
        show.act("new_world")
        wait_for_next(show)
        while show.shot().melt is None:
            frame(show)
        assert show.shot().melt.flows
        play(show, 2.0)
        assert show.shot().melt
        wanted.clear()
        play(show, 1.0)
        assert show.shot().melt and wanted and TileSwitches not in wanted


def test_too_little_room_for_all_wishes_holds_nothing_up(monkeypatch):
    """Looks and worlds come all the same; what finds no room is linked when it is drawn."""
    from demo.render.gl import living_programs

    monkeypatch.setattr(living_programs, "MOST", 16)
    with showing(SIZE, scene="plasma", paced=True) as show:
        while show.shot().current is None:
            frame(show)
        play(show, 0.5)
        show.act("next_scene")
        until_shown(show)
        show.act("pause")
        play(show, 0.5)
        before = picture(show)
        show.act("look")
        play(show, 2.0)
        assert not np.array_equal(picture(show), before)
        # A frame can be drawn with more than are wanted at a time.
        assert living_programs.count() <= 16


def test_no_frame_waits_for_a_driver_that_compiles_in_threads_of_its_own(monkeypatch):
    """Such a driver takes a tenth of a second for a program and more, as NVIDIA's does."""
    from demo.render.gl.programs import Linking

    # Of the programs that are begun from now on; those before have long been made.
    asked: dict[Linking, int] = {}
    waited: list[Linking] = []

    def begin(linking: Linking, *stages) -> None:
        asked[linking] = 0
        begun(linking, *stages)

    def is_over(linking: Linking) -> bool:
        asked[linking] = asked.get(linking, 4) + 1
        return asked[linking] > 4

    def end(linking: Linking) -> None:
        if asked.get(linking, 5) <= 4:
            waited.append(linking)
        ended(linking)

    begun, ended = Linking.__init__, Linking.end
    with showing(SIZE, scene="cuts", paced=True) as show:
        while show.shot().current is None:
            frame(show)
        play(show, 3.0)
        monkeypatch.setattr(Linking, "__init__", begin)
        monkeypatch.setattr(Linking, "is_over", property(is_over))
        monkeypatch.setattr(Linking, "end", end)
        show.act("pause")
        play(show, 0.5)
        before, frames = picture(show), 0
        show.act("look")
        while np.array_equal(picture(show), before):
            frames += 1
            assert frames < 100, "the look never came"
            frame(show)
        show.act("pause")
        while show.shot().current.t < SCENES["cuts"].birth_s + 2.0:
            play(show, 1.0)
    assert len(asked) > 5 and not waited


def test_each_moment_is_looked_at_from_afar_and_again_when_it_is_near(monkeypatch):
    from demo.show import readiness
    from demo.tables.looks import Look

    looked: list[float] = []

    def needs_at(story, look, t):
        looked.append(t)
        return [f"program of {t:g}"]

    monkeypatch.setattr(readiness, "needs_at", needs_at)
    story = SimpleNamespace(t=0.2, prepared=object(), replay=object(), scene=SimpleNamespace(settles_s=1e9))
    needs = readiness.Needs(story, Look("natural"), 48)
    ahead = np.arange(0.0, readiness.AHEAD_S + 2 * readiness.STEP_S, readiness.STEP_S).tolist()
    assert looked == ahead and needs.found == [f"program of {t:g}" for t in ahead]
    looked.clear()
    story.t = 0.4
    needs.look_ahead()
    assert looked == []
    story.t = 0.7
    needs.look_ahead()
    # The next moments may have changed with a growth that is late, and the last one is new.
    assert looked == [0.5, 1.0, 4.0] and needs.found == [f"program of {t + 0.5:g}" for t in ahead]
    looked.clear()
    story.t, story.prepared = 1.2, object()
    needs.look_ahead()
    assert looked == [t + 1.0 for t in ahead]
