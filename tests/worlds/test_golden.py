"""Golden hashes of heights: the same world on every machine, and no change of an algorithm by accident.

`pytest tests/worlds/test_golden.py --regenerate` adds what is missing to golden/worlds.json and drops what is no longer
tested. It does not overwrite: a key carries the algorithm's version, so heights that change on purpose get a new key by a
higher version in `catalogue/generators.py`, and a world code that somebody kept does not silently mean another world.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import numpy as np
import pytest
from support.worlds_cases import FILE, all_cases, label

from demo.catalogue.generators import generator

GOLDEN = Path(__file__).parents[1] / "golden" / "worlds.json"
SEEDS = (1, 20_077)
DIGITS = 16
# A file's heights are no algorithm's: what is read is tested where reading is.
CASES = [(name, given, seed) for name, given in all_cases() if FILE not in given.values() for seed in SEEDS]


def key_of(name, given, seed):
    return generator(name).code(seed, given)


def fingerprint(name, given, seed):
    """Over the bytes of the heights half-way and at the end, little-endian, and of the sea level as float32."""
    source = generator(name)
    growth, digest = source.grow(seed, given), hashlib.sha256()
    for step in (growth.total // 2, growth.total):
        growth.advance(step)
        digest.update(growth.heights.astype("<f4").tobytes())
        digest.update(np.float32(growth.sea_level).astype("<f4").tobytes())
    return digest.hexdigest()[:DIGITS]


def read():
    return json.loads(GOLDEN.read_text(encoding="utf-8")) if GOLDEN.exists() else {}


def write(entries):
    GOLDEN.write_text(json.dumps(entries, indent=1, sort_keys=True) + "\n", encoding="utf-8")


@pytest.mark.parametrize("name, given, seed", CASES, ids=[f"{label((name, given))}-{seed}" for name, given, seed in CASES])
def test_heights_are_the_golden_ones(name, given, seed, regenerate):
    golden, key, value = read(), key_of(name, given, seed), fingerprint(name, given, seed)
    if regenerate and key not in golden:
        write({**golden, key: value})
        return
    assert key in golden, f"no golden hash for {key}: run pytest {Path(__file__).name} --regenerate"
    assert golden[key] == value, f"{key} has other heights: if on purpose, raise the version of {name} and --regenerate"


# What numpy works out by another routine on another processor: the last bit differs.
BY_PROCESSOR = ("sin", "cos", "tan", "arcsin", "arccos", "arctan", "arctan2", "hypot", "exp", "log", "log2", "power", "cbrt")
TELLTALE = [case for case in CASES if case[2] == SEEDS[0] and (case[0] == "map" or {"atlas", "carve"} & set(case[1]))]


@pytest.mark.parametrize("name, given, seed", TELLTALE, ids=[f"{label((name, given))}" for name, given, _ in TELLTALE])
def test_no_height_hears_the_last_bit_of_a_sine(name, given, seed, monkeypatch):
    def off_by_a_bit(function):
        def noisy(*values, **words):
            found = np.asarray(function(*values, **words))
            odd = np.arange(found.size).reshape(found.shape) % 3 == 1
            return np.where(odd, np.nextafter(found, np.inf), found)[()]

        return noisy

    for function in BY_PROCESSOR:
        monkeypatch.setattr(np, function, off_by_a_bit(getattr(np, function)))
    assert fingerprint(name, given, seed) == read()[key_of(name, given, seed)]


def test_no_golden_hash_is_left_over(regenerate):
    golden, wanted = read(), {key_of(*case) for case in CASES}
    if regenerate:
        write({key: value for key, value in golden.items() if key in wanted})
        return
    assert set(golden) <= wanted
