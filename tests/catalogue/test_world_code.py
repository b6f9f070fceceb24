"""World codes: whatever a generator writes is read back, and whatever cannot be read says why in one line."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

from demo.catalogue.generators import GENERATORS, generator
from demo.catalogue.world_code import read_code
from demo.worlds.parameters import Parameter, ParameterError, Value

FILE_NAMES = (
    "a-b.png",
    "-",
    "%",
    "%2D",
    "%252D",
    "100%.png",
    "x-land=0.5",
    "-sea=1-rim=",
    "map-1-7-land=0.3.npz",
    "a\nb-c=d",
)


def values_of(parameter: Parameter) -> st.SearchStrategy[Value]:
    """Values that `parameter` takes."""
    if parameter.choices:
        return st.sampled_from(parameter.choices)
    if parameter.path:
        return st.sampled_from(FILE_NAMES) | st.text() | st.text("-%=2D5axland.")
    if parameter.kind() is bool:
        return st.booleans()
    if parameter.reads:
        return st.sampled_from(["disc,0.5,-0.5,1e-3,2", "rectangle,-1e-05,0.5,1,1", "ring,0.5,0.5,0.25,0.25,3.5,0.1"])
    numbers = st.integers if parameter.kind() is int else st.floats
    inside = numbers(min_value=parameter.low, max_value=parameter.high)
    return inside | st.sampled_from(parameter.words) if parameter.words else inside


@st.composite
def parameter_sets(draw, name: str):
    """Some parameters of a generator with values that are possible together."""
    table = GENERATORS[name].parameters
    chosen = draw(st.lists(st.sampled_from(table), unique=True))
    names = {p.name: draw(st.sampled_from(["window.1", "window.20"])) if p.numbered else p.name for p in chosen}
    values = {names[parameter.name]: draw(values_of(parameter)) for parameter in chosen}
    assume(_possible(name, values))
    return values


def _possible(name: str, values: dict[str, Value]) -> bool:
    """Whether a world can have `values`: some exclude each other."""
    try:
        generator(name).complete(values)
    except ParameterError:
        return False
    return True


@pytest.mark.parametrize("name", GENERATORS)
@settings(suppress_health_check=[HealthCheck.filter_too_much])
@given(data=st.data(), seed=st.integers())
def test_every_code_is_read_back(name, data, seed):
    given_values = data.draw(parameter_sets(name))
    code = generator(name).code(seed, given_values)
    read = read_code(code)
    assert read.generator is GENERATORS[name]
    assert read.seed == seed
    assert read.parameters == generator(name).complete(given_values)
    assert read.generator.code(read.seed, read.parameters) == code


@given(text=st.text())
@example("")
@example("-")
@example("---")
@example("plasma-3-7-")
@example("plasma-3-7-=")
@example("plasma-3-" + "9" * 5000)
def test_any_text_is_a_code_or_refused_as_one(text):
    try:
        read_code(text)
    except ParameterError as error:
        assert str(error).startswith(f"the world code '{text}' cannot be read: ")


def test_small_and_negative_numbers_keep_their_hyphens():
    code = "simplex-5--3-low=-31.5-ridges=1e-05"
    read = read_code(code)
    assert (read.seed, read.parameters["low"], read.parameters["ridges"]) == (-3, -31.5, 1e-05)
    assert generator("simplex").code(-3, {"low": -31.5, "ridges": 1e-05}) == code


def test_ordinary_file_names_are_written_as_they_are():
    given_values: dict[str, Value] = {"file": "/home/me/alps-2.png", "sea": 0.25}
    assert generator("heightmap").code(1, given_values) == "heightmap-4-1-file=/home/me/alps-2.png-sea=0.25"


def test_a_code_may_name_defaults():
    assert read_code("plasma-3-7-edges=low") == read_code("plasma-3-7")


@pytest.mark.parametrize(
    "code, reason",
    [
        ("plasma", "a code is algorithm-version-seed"),
        ("plasma-1", "a code is algorithm-version-seed"),
        ("lava-1-7", "there is no generator 'lava': there are plasma, cuts"),
        ("plasma-9-7", "it asks for version 9 of plasma, and this program has version 3"),
        ("particles-2-7", "it asks for version 2 of particles, and this program has version 7"),
        ("plasma-x-7", "it asks for version x of plasma"),
        ("plasma-3-x", "'x' is not a seed, which is an integer"),
        ("plasma-3-7.5", "'7.5' is not a seed"),
        ("plasma-3-7-land", "'7-land' is not a seed"),
        ("plasma-3-7-step=1", "plasma has no parameter 'step': it has age, carve, cells"),
        ("plasma-3-7-land=7", "land=7 is not possible: it takes a number from 0.01 to 1"),
        ("plasma-3-7-land=0.5-", "land=0.5- is not possible"),
        ("plasma-3-7-land=", "land= is not possible"),
        ("plasma-3-7-land=0.3-land=0.4", "it gives land twice"),
        ("cuts-5-7-offset=perhaps", "offset=perhaps is not possible: it takes off or on or full"),
    ],
)
def test_what_cannot_be_read_says_why(code, reason):
    with pytest.raises(ParameterError) as raised:
        read_code(code)
    message = str(raised.value)
    assert message.startswith(f"the world code '{code}' cannot be read: {reason}")
    assert "\n" not in message
