"""The lines that the program says on stderr."""

from __future__ import annotations

import pytest

from demo.process.stderr import one_line, say


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("Größe – 大きさ 🏔", "Größe – 大きさ 🏔"),
        ("a is wrong:\n  do b\t", "a is wrong: do b"),
        ("a\x1b[2Jb\x07\x08\x7f", r"a\x1b[2Jb\x07\x08\x7f"),
        ("\x9b2J", r"\x9b2J"),
        ("\u202egpj.exe", r"\u202egpj.exe"),
        ("\udcff.png", r"\udcff.png"),
        (OSError("disk\x00full"), r"disk\x00full"),
    ],
)
def test_what_cannot_be_printed_is_escaped(words, line):
    assert one_line(words) == line
    assert line.isprintable()


def test_a_line_says_who_speaks(capsys):
    say("no\ndisplay")
    assert capsys.readouterr().err == "landfall: no display\n"
