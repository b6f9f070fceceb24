"""Languages that name the objects of a map: each landmass has its own, drawn from its number.

A language is a small phonology: the consonants that open and close a syllable, its vowels, how often syllables are closed,
and the endings of rivers, lakes and peaks. Names are capitalised ASCII words of 3 to 14 letters.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ...worlds.hashing import MASK64, mix64, mixed, stream_key

NAME_STREAM = 3300
KINDS = ("landmass", "sea", "lake", "river", "peak")

# Inventories to choose from: consonants at the head of a syllable, consonants at its end, vowels. Common ones come first.
ONSETS = (
    "t k m n s r l v d h b p th br dr gr f g",
    "k t s n m r y h sh ch w z ts ky ry b g j",
    "l n m k p h t w r s f v ng b tw kw",
    "b d g k z m n r t v l s zh kh gr dr br st",
    "s l r m n t c v p d f g pr tr cl br qu gl",
    "n t m s l d r k j y b h kh gh sh z f q",
)
CODAS = ("n r s l m t", "n m k", "n s", "r n k z l v d g", "n r s l", "r n m l b d")
VOWELS = ("a e i o u ae y", "a i u o e ei", "a o i e u ai au", "a o u e i y", "a e i o ia u eo", "a i u aa e ui")
ENDINGS = {
    "landmass": ("a", "ia", "or", "an", "ar", "is", "und", "ara", "eth", "os"),
    "sea": ("a", "is", "ar", "on", "um", "ea", "oth", "une"),
    "lake": ("", "a", "en", "u", "ol", "mere", "o", "esh", "il"),
    "river": ("", "a", "e", "na", "ra", "u", "is", "or", "wen", "ai"),
    "peak": ("", "ak", "ur", "on", "horn", "ek", "or", "tur", "an", "az"),
}
SHORTEST, LONGEST = 3, 14
# A landmass has a longer name: the greatest of one planet should not be called like that of another.
LEAST_LETTERS = {"landmass": 6}
# Words that maps use for kinds of objects: a peak of such a name would look like a slip of the pen.
TAKEN = frozenset({"Bay", "Cape", "Isle", "Lake", "Mere", "Mount", "Ocean", "Peak", "River", "Sea"})
# Continents and countries of the Earth, as far as names of ours could be theirs.
_EARTHLY = """
Africa Albania Algeria America Andorra Angola Antarctica Arabia Argentina Armenia Asia Australia Austria Bahrain
Bangladesh Barbados Belarus Belgium Belize Benin Bhutan Bolivia Bosnia Botswana Brazil Britain Brunei Bulgaria Burma
Burundi Cambodia Cameroon Canada Chad Chile China Colombia Comoros Congo Croatia Cuba Cyprus Czechia Denmark Djibouti
Dominica Ecuador Egypt England Eritrea Estonia Eswatini Ethiopia Europe Fiji Finland France Gabon Gambia Georgia
Germany Ghana Greece Grenada Guam Guatemala Guinea Guyana Haiti Honduras Hungary Iceland India Indonesia Iran Iraq
Ireland Israel Italy Jamaica Japan Jordan Kenya Kiribati Korea Kosovo Kuwait Laos Latvia Lebanon Lesotho Liberia Libya
Lithuania Luxembourg Madagascar Malawi Malaysia Maldives Mali Malta Mauritania Mauritius Mexico Micronesia Moldova
Monaco Mongolia Montenegro Morocco Mozambique Myanmar Namibia Nauru Nepal Netherlands Nicaragua Niger Nigeria Norway
Oceania Oman Pakistan Palau Palestine Panama Paraguay Persia Peru Philippines Poland Portugal Prussia Qatar Romania
Russia Rwanda Samoa Scotland Senegal Serbia Seychelles Siam Singapore Slovakia Slovenia Somalia Spain Sudan Suriname
Sweden Switzerland Syria Taiwan Tajikistan Tanzania Thailand Tibet Timor Togo Tonga Tunisia Turkey Turkmenistan Tuvalu
Uganda Ukraine Uruguay Uzbekistan Vanuatu Venezuela Vietnam Wales Yemen Zaire Zambia Zimbabwe
"""
EARTHLY = frozenset(_EARTHLY.split())
TRIES = 320
# Numbers that dice have ready: a name takes some hundreds, and one after the other they are half of the work.
AHEAD = 128


class Dice:
    """Random numbers by counter from one key, so that one name has no influence on another."""

    def __init__(self, key: int) -> None:
        self._numbers = _numbers(key)

    def roll(self, sides: int) -> int:
        """0 .. sides - 1."""
        return next(self._numbers) % sides

    def common(self, choices: list[str] | tuple[str, ...]) -> str:
        """One of the choices; the first ones are more likely."""
        sides = len(choices)
        one, other = next(self._numbers) % sides, next(self._numbers) % sides
        return choices[one if one < other else other]


def _numbers(key: int) -> Iterator[int]:
    """53 random bits each, by counter from a key."""
    counter = np.arange(1, AHEAD + 1, dtype=np.uint64)
    while True:
        yield from (mixed(counter + np.uint64(key & MASK64)) >> np.uint64(11)).tolist()
        counter += np.uint64(AHEAD)


@dataclass(frozen=True)
class Language:
    """The language of one landmass: its inventories of sounds and its endings by kind.

    `closed`, `bare`: of 8 syllables this many are closed, of 8 words this many begin with a vowel.
    """

    onsets: list[str]
    codas: list[str]
    vowels: list[str]
    closed: int
    bare: int
    endings: dict[str, tuple[str, ...]]

    def word(self, dice: Dice, kind: str) -> str:
        """A name of a kind, whether or not another object has it."""
        ending = dice.common(self.endings[kind])
        syllables = 1 + dice.roll(2) + (0 if ending else 1)
        word = ""
        for k in range(syllables):
            if k or dice.roll(8) >= self.bare:
                word += dice.common(self.onsets)
            word += dice.common(self.vowels)
            if dice.roll(8) < self.closed:
                word += dice.common(self.codas)
        return _joined(word, ending).capitalize()


class Namer:
    """Gives every object of one planet a name that no other has.

    Objects of a kind get the same names when they are named in the same order. Every word belongs to one kind alone, so it
    makes no difference how many objects of other kinds have been named.
    """

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self._languages: dict[int, Language] = {}
        self._taken = set(TAKEN | EARTHLY)

    def name(self, kind: str, landmass: int, number: int) -> str:
        """A name for object `number` of a kind (one of KINDS) in a landmass's language; -1 is the language of the seas."""
        if landmass not in self._languages:
            self._languages[landmass] = language_of(self.seed, landmass)
        language = self._languages[landmass]
        key = stream_key(stream_key(self.seed, NAME_STREAM + KINDS.index(kind)) + landmass, number)
        dice, least = Dice(key), LEAST_LETTERS.get(kind, SHORTEST)
        for _ in range(TRIES):
            word = language.word(dice, kind)
            if least <= len(word) <= LONGEST and word not in self._taken and _kind_of(word) == kind:
                self._taken.add(word)
                return word
        return self._numbered(kind, word)

    def _numbered(self, kind: str, word: str) -> str:
        """A word with a number, for a language that has run out of words."""
        count = 2 + KINDS.index(kind)
        while f"{word} {count}" in self._taken:
            count += len(KINDS)
        self._taken.add(f"{word} {count}")
        return f"{word} {count}"


def _kind_of(word: str) -> str:
    """The kind of object that a word belongs to."""
    return KINDS[(mix64(int.from_bytes(word.encode(), "big")) >> 11) % len(KINDS)]


def language_of(seed: int, landmass: int) -> Language:
    """The language of a landmass: most sounds of one family, in an order of its own."""
    dice = Dice(stream_key(stream_key(seed, NAME_STREAM + len(KINDS)), landmass + 1))
    family = dice.roll(len(ONSETS))
    onsets = _shuffled(dice, ONSETS[family].split())[: 9 + dice.roll(5)]
    codas = _shuffled(dice, CODAS[family].split())
    vowels = _shuffled(dice, VOWELS[family].split())[: 4 + dice.roll(3)]
    endings = {kind: tuple(_shuffled(dice, list(ENDINGS[kind]))[:4]) for kind in KINDS}
    return Language(onsets, codas, vowels, 1 + dice.roll(4), dice.roll(4), endings)


def _shuffled(dice: Dice, items: list[str]) -> list[str]:
    """A light shuffle: common items tend to stay in front."""
    place = [k + dice.roll(6) for k in range(len(items))]
    return [item for _, item in sorted(zip(place, items, strict=True))]


def _joined(stem: str, ending: str) -> str:
    """Stem and ending; the stem loses its last vowels before an ending that begins with one."""
    while ending and stem[-1] in "aeiouy" and ending[0] in "aeiouy" and len(stem) > 1:
        stem = stem[:-1]
    return stem + ending
