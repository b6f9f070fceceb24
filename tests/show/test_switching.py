"""What keys switch in a scene, what is said of it, which keys are listed, and how words fit into a picture."""

from __future__ import annotations

from dataclasses import replace

import pytest

from demo.hosts import offscreen
from demo.scenes.scenes import SCENES
from demo.show.switching import answer, situation_of, switched
from demo.tables import keys
from demo.tables.looks import AS_PRINTED, AS_PRINTED_LIT, LOOKS, UNLIT, Look


def pressed(name: str, before: keys.Switches, scene: str | None = None) -> keys.Switches:
    return switched(before, keys.action_named(name).switch, SCENES[scene] if scene else None)


@pytest.mark.parametrize("scene", [None, *SCENES])
def test_no_press_of_the_look_key_shows_the_same_again(scene):
    now, seen = keys.Switches(), []
    for _ in LOOKS:
        now = pressed("look", now, scene)
        seen.append(now.look)
    lit = scene is not None and SCENES[scene].printed.lit
    assert (AS_PRINTED_LIT in seen) != lit and set(LOOKS) - {AS_PRINTED_LIT} <= set(seen)


def test_a_look_that_is_shown_is_left_like_any_other():
    """Printed land that is lit may be shown because an option or another scene asked for it."""
    assert pressed("look", keys.Switches(look=AS_PRINTED_LIT), "plasma").look == UNLIT


def test_it_is_said_how_switches_stand():
    start = keys.Switches()
    assert answer(start, pressed("look", start)) == ("look: as printed",)
    assert answer(start, pressed("normals", start)) == ("normals: flat",)
    assert answer(start, pressed("faster", start)) == ("growth x2",)
    assert answer(start, pressed("borders", start)) == ("borders: on",)
    assert answer(start, pressed("wireframe", start)) == answer(start, start) == ()


def test_the_scene_and_the_look_say_which_keys_are_idle():
    assert situation_of(SCENES["map"], Look(), False, 6) == keys.Situation(False, True, True, 6)
    cuts = SCENES["cuts"]
    assert not situation_of(cuts, Look(), True, 6).bordered
    assert not situation_of(cuts, Look(AS_PRINTED), True, 6).shaded
    assert situation_of(cuts, Look(AS_PRINTED_LIT), True, 6).shaded
    assert situation_of(SCENES["plasma"], Look(AS_PRINTED), True, 6).shaded
    assert not situation_of(cuts, replace(Look(), wireframe=True), True, 6).shaded


@pytest.mark.parametrize("size", [(320, 180), (1280, 720), (720, 1280), (3840, 2160)])
def test_captions_and_help_are_written_so_large_that_they_can_be_read(size):
    with offscreen.context():
        from demo.render import text
        from demo.show import captions

    by = text.words_height(*size)
    lines = tuple(text.Line(scene.generator.source, captions.WORDS) for scene in SCENES.values())
    width, height = size
    for line in text.fitted(lines, width, height):
        letters = text.text_pixels((line,), by)
        # No line has to be made smaller to fit.
        assert letters.shape[1] <= width - 2 * round(text.MARGIN * height) and letters.shape[0] >= 12
    help_ = text.text_pixels(captions.key_lines(keys.ANY), by, panel=True)
    assert min(width / help_.shape[1], height / help_.shape[0]) >= 0.8
    assert help_[..., 3].min() > 225, "bright land does not shine through"


def test_broken_lines_keep_their_words():
    with offscreen.context():
        from demo.render.text import Line, fitted

    words = (
        "Cząsteczkowe generowanie ukształtowania terenu particles-3-1-cells=512-radius=3-viscosity=0.123456789-breakup=0.25"
    )
    parts = [line.text for line in fitted((Line(words),), 160, 90)]
    assert len(parts) > 3 and "".join(parts).replace(" ", "") == words.replace(" ", "")
