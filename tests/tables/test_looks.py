"""The table of looks: the one that settings, keys, shaders and the show go by."""

from __future__ import annotations

import pytest

from demo.app import settings
from demo.show.options import ShowOptions
from demo.tables import keys
from demo.tables.looks import LOOKS, NATURAL, Look, in_words, next_look


def test_everybody_has_the_same_looks():
    [setting] = [setting for setting in settings.SETTINGS if setting.name == "look"]
    assert [setting.read(look) for look in LOOKS] == list(LOOKS)
    assert set(setting.defaults.values()) == {NATURAL} == {ShowOptions().look, keys.Switches().look}
    assert [Look(look).code for look in LOOKS] == [0, 1, 1, 2]
    assert in_words() in keys.action_named("look").more


def test_they_follow_one_another_around():
    assert [next_look(look) for look in LOOKS] == [*LOOKS[1:], LOOKS[0]]
    with pytest.raises(ValueError):
        next_look("pretty")
