"""Edits of a map: the land and its waters take them in, rivers go on to fall, end and never cross, and all else stays."""

from __future__ import annotations

import functools
from dataclasses import fields

import numpy as np
import pytest

pytest.importorskip("shapely")

from demo.catalogue.maps import map_edited_planet
from demo.mapping.degrees import directions
from demo.mapping.edits.edit import Edit
from demo.mapping.edits.edited_ground import rounded
from demo.mapping.objects.edit_outcomes import Outcome
from demo.mapping.objects.records import PlanetMap
from demo.worlds.hashing import uniforms

WORLD = 79, {"gn": 4, "ln": 2}


@functools.cache
def plain() -> PlanetMap:
    return map_edited_planet(*WORLD, ())[0]


def edited(*edits: Edit) -> tuple[PlanetMap, list[Outcome]]:
    return map_edited_planet(*WORLD, (edits,))


def box(place, width, height):
    x, y = place
    return rounded([(x - width, y - height), (x + width, y - height), (x + width, y + height), (x - width, y + height)])


def closed(ring):
    return (*ring, ring[0])


def longest(planet: PlanetMap, count: int):
    return sorted(planet.rivers, key=lambda river: -river.length_km)[count]


def bent(line: np.ndarray, degrees: float) -> np.ndarray:
    """A line whose middle lies so much farther north."""
    return line + np.stack([np.zeros(len(line)), degrees * np.sin(np.linspace(0.0, np.pi, len(line)))], axis=1)


def examples() -> dict[str, Edit]:
    planet = plain()
    peak, river, lake = planet.peaks[3], longest(planet, 2), max(planet.lakes, key=lambda lake: lake.area_km2)
    line, spring = rounded(river.lines[0]), rounded(longest(planet, 0).lines[0])
    inland = planet.peaks[0].point
    sea = planet.seas[0].label
    return {
        "a raised peak": Edit("peak", "height", rounded([peak.point])[0], height_m=peak.height_m + 900.0),
        "a new peak": Edit("peak", "added", inland[:2], "Tor", height_m=7500.0),
        "a coast drawn in the sea": Edit("coast", "raised", sea, shape=(closed(box(sea, 12.0, 9.0)),)),
        "a coast drawn on land": Edit("coast", "lowered", inland, shape=(closed(box(inland, 12.0, 9.0)),)),
        "a lake less": Edit("lake", "deleted", rounded(lake.polygons[0][0])[0]),
        "a river less": Edit("river", "deleted", spring[0], before=spring),
        "a river elsewhere": Edit(
            "river", "moved", line[0], "Anduin", shape=(rounded(bent(river.lines[0], 8.0)),), before=line
        ),
    }


NAMES = list(examples())


@functools.cache
def made(name: str) -> tuple[PlanetMap, list[Outcome]]:
    return edited(examples()[name])


@pytest.mark.parametrize("name", NAMES)
def test_each_is_honoured_and_says_how_far_it_reaches(name):
    _, (outcome,) = made(name)
    assert not outcome.problem
    assert 0.0 < outcome.reach_km < 15_000.0 and outcome.catchments > 0


@pytest.mark.parametrize("name", NAMES)
def test_all_beyond_its_reach_is_bit_for_bit_what_it_was(name):
    planet, (outcome,) = made(name)
    here, far = directions(np.array(outcome.edit.at)), 2.0 * np.sin(0.5e3 * outcome.reach_km / planet.radius_m)
    longitude, latitude = (x.ravel() for x in np.meshgrid(np.arange(-180.0, 180.0, 1.5), np.arange(-89.0, 90.0, 1.5)))
    places = np.stack([longitude, latitude], axis=1)
    outside = ((directions(places) - here) ** 2).sum(axis=1) > far * far
    assert outside.any()
    for old, new in zip(
        plain().relief.sampled(longitude, latitude), planet.relief.sampled(longitude, latitude), strict=True
    ):
        assert (old[outside].view(np.int32) == new[outside].view(np.int32)).all()
    assert _lines_beyond(plain(), here, far) == _lines_beyond(planet, here, far)
    assert _peaks_beyond(plain(), here, far) == _peaks_beyond(planet, here, far)


def _lines_beyond(planet, here, far):
    """Rivers with names and widths, coasts, and lakes with names, that lie wholly beyond."""

    def beyond(lines):
        return all((((directions(line) - here) ** 2).sum(axis=1) > far * far).all() for line in lines)

    found = {(x.name, *(y.tobytes() for y in (*x.lines, *x.widths_m))) for x in planet.rivers if beyond(x.lines)}
    found |= {tuple(line.tobytes() for line in x.lines) for x in planet.coastlines if beyond(x.lines)}
    for lake in planet.lakes:
        rings = [ring for polygon in lake.polygons for ring in polygon]
        if beyond(rings):
            found.add((lake.name, lake.level_m, *(ring.tobytes() for ring in rings)))
    return found


def _peaks_beyond(planet, here, far):
    return {
        (peak.name, peak.point, peak.height_m)
        for peak in planet.peaks
        if ((directions(np.array(peak.point)) - here) ** 2).sum() > far * far
    }


def test_a_raised_peak_has_its_height_and_lifts_its_surroundings():
    planet, (outcome,) = made("a raised peak")
    edit = outcome.edit
    near = min(planet.peaks, key=lambda peak: abs(peak.point[0] - edit.at[0]) + abs(peak.point[1] - edit.at[1]))
    assert near.height_m == pytest.approx(edit.height_m, abs=1.0)
    angle = np.arange(16) * np.pi / 8.0
    around = np.array(edit.at) + 4.0 * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    rise = planet.relief.sample(*around.T) - plain().relief.sample(*around.T)
    # Here and there a valley has found another way.
    assert 50.0 < np.median(rise) < 900.0


@pytest.mark.parametrize("seed", [60, 61, 62])
@pytest.mark.parametrize("rise_m", [900.0, 100.0, -200.0])
def test_peaks_of_other_planets_have_the_heights_that_they_are_given(seed, rise_m):
    """Their tops stand beside their summits, and rivers cut into some of what stands around these."""
    values = {"gn": 4, "ln": 2}
    peak = map_edited_planet(seed, values, ())[0].peaks[3]
    edit = Edit("peak", "height", rounded([peak.point])[0], height_m=peak.height_m + rise_m)
    _, (outcome,) = map_edited_planet(seed, values, ((edit,),))
    assert outcome.height_m == pytest.approx(edit.height_m, rel=0.02)


def test_coasts_are_land_or_sea_as_they_are_drawn():
    for name, dry in (("a coast drawn in the sea", True), ("a coast drawn on land", False)):
        planet, (outcome,) = made(name)
        x, y = outcome.edit.at
        assert bool(np.isnan(planet.relief.water(x, y))) == dry
        assert bool(np.isnan(plain().relief.water(x, y))) != dry


def test_a_moved_river_runs_along_its_line():
    planet, (outcome,) = made("a river elsewhere")
    drawn = directions(np.array(outcome.edit.shape[0]))
    river = directions(np.concatenate([line for river in planet.rivers if river.name == "Anduin" for line in river.lines]))
    apart = np.sqrt(((drawn[:, None] - river[None]) ** 2).sum(axis=2)).min(axis=1)
    # A step of the global mesh is 0.098 of the radius.
    assert np.median(apart) < 0.098


def test_a_lake_less_and_a_river_less():
    lake = examples()["a lake less"]
    assert len(made("a lake less")[0].lakes) < len(plain().lakes)
    before = {river.lines[0].tobytes() for river in made("a river less")[0].rivers}
    assert longest(plain(), 0).lines[0].tobytes() not in before
    assert lake.act == "deleted"


def test_given_names_are_in_every_kind():
    planet = plain()
    wanted = {
        "peaks": planet.peaks[0].point,
        "rivers": tuple(longest(planet, 0).lines[-1][1]),
        "oceans": planet.oceans[0].label,
    }
    edits = [Edit(kind[:-1], "renamed", rounded([at])[0], f"New {kind}") for kind, at in wanted.items()]
    changed, outcomes = edited(*edits)
    assert not any(outcome.problem for outcome in outcomes)
    assert changed.peaks[0].name == "New peaks" and longest(changed, 0).name == "New rivers"
    # The first ocean is sea 0.
    assert changed.oceans[0].name == changed.seas[0].name == "New oceans"
    for field in fields(planet):
        if field.name in ("coastlines", "lakes", "catchments"):
            assert len(getattr(planet, field.name)) == len(getattr(changed, field.name))


def test_a_second_round_is_drawn_on_the_first():
    """A lake that the first round adds, across a river, is drained by the second."""
    line = longest(plain(), 2).lines[0]
    place = rounded(line)[len(line) // 10]
    lake = Edit("lake", "added", place, "Water", shape=(closed(box(place, 4.0, 4.0)),))
    first, (outcome,) = map_edited_planet(*WORLD, ((lake,),))
    assert not outcome.problem
    assert any(one.name == "Water" for one in first.lakes)
    check_rivers(first)
    second, outcomes = map_edited_planet(*WORLD, ((lake,), (Edit("lake", "deleted", place),)))
    assert [outcome.problem for outcome in outcomes[1:]] == [""]
    assert len(second.lakes) == len(plain().lakes)


@pytest.mark.parametrize("seed", range(4))
def test_after_random_edits_rivers_fall_end_and_never_cross(seed):
    planet, outcomes = edited(*_random(seed))
    assert len(outcomes) == 8
    check_rivers(planet)


def _random(seed: int) -> list[Edit]:
    """Eight edits of all kinds, wild ones among them."""
    dice = iter(uniforms(seed, 77, 200).tolist())
    planet, found = plain(), list[Edit]()

    def one(things):
        return things[int(next(dice) * len(things)) % len(things)]

    for _ in range(2):
        river, peak = one(planet.rivers), one(planet.peaks)
        place = (next(dice) * 340.0 - 170.0, next(dice) * 140.0 - 70.0)
        line = rounded(river.lines[0])
        wild = rounded([(place[0] + next(dice) * 30.0 - 15.0, place[1] + next(dice) * 20.0 - 10.0) for _ in range(6)])
        found += [
            Edit("river", "moved", line[0], shape=(rounded(bent(river.lines[0], next(dice) * 20.0 - 10.0)),), before=line),
            Edit("river", "added", wild[0], "Wild", shape=(wild,)),
            Edit("peak", "height", rounded([peak.point])[0], height_m=next(dice) * 9000.0),
            one(
                [
                    Edit("coast", "raised", place, shape=(closed(box(place, 9.0, 7.0)),)),
                    Edit("coast", "lowered", place, shape=(closed(box(place, 9.0, 7.0)),)),
                    Edit("lake", "added", place, shape=(closed(box(place, 7.0, 5.0)),)),
                    Edit("lake", "deleted", rounded(one(planet.lakes).polygons[0][0])[0]),
                ]
            ),
        ]
    return found


def check_rivers(planet: PlanetMap) -> None:
    """Rivers end in what they say, fall, and share no vertex but where one ends."""
    inner: dict[bytes, int] = {}
    for river in planet.rivers:
        assert river.mouth in ("sea", "lake", "river", "basin")
        assert river.source_m >= river.mouth_m
        line = np.concatenate(river.lines)
        if river.mouth == "river":
            assert (np.concatenate(planet.rivers[river.mouth_id].lines) == line[-1]).all(axis=1).any()
        if river.mouth == "sea":
            assert any((part == line[-1]).all(axis=1).any() for part in planet.coastlines[river.mouth_id].lines)
        for vertex in line[:-1]:
            assert inner.setdefault(vertex.tobytes(), river.id) == river.id
