"""River strips: what is in view is drawn, from one copy, and a coarse copy stays beside its river by less than a pixel."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from test_river_beds import SIZE_M, rivers

from demo.geometry.river_strips import BESIDE, EVERY, RiverStrips, river_strips, seen_strips
from demo.geometry.strip_parts import FACES
from demo.ground.rivers import Rivers
from demo.worlds.atlas import ATLASES, Atlas

RELIEF_M, PIXEL = 600.0, 0.0016


def _everywhere(found: Rivers) -> np.ndarray:
    """Eyes of a flight along all rivers."""
    return found.place[::5] * SIZE_M


def _winding(atlas: Atlas) -> Rivers:
    """One long river in even bends."""
    way = np.linspace(-0.4, 0.4, 4000)
    place = np.stack([way, 0.0 * way, 0.03 * np.sin(40.0 * way)], axis=1)
    if atlas.spherical:
        place += [0.0, 1.0, 0.0]
        place /= np.linalg.norm(place, axis=1, keepdims=True)
    return replace(rivers(atlas, lines=1, points=4000), place=place)


def _planes(ahead: np.ndarray) -> np.ndarray:
    """A narrow cone of view, as two planes through the eye."""
    aside = np.cross(ahead, [0.3, 1.0, 0.2])
    aside /= np.linalg.norm(aside)
    return np.column_stack([[0.4 * ahead + aside, 0.4 * ahead - aside], np.zeros(2)])


def _places(strips: RiverStrips, part: int) -> np.ndarray:
    points = strips.points[strips.first[part] : strips.first[part] + strips.count[part]]
    high = points["water"][:, :1] / SIZE_M
    return points["place"] * (1.0 + high) if strips.spherical else points["place"] + high * [0.0, 1.0, 0.0]


@pytest.mark.parametrize("name", ["plane", "cube"])
def test_each_part_in_view_is_drawn_from_one_copy(name: str) -> None:
    atlas = ATLASES[name]
    found = rivers(atlas)
    strips = river_strips(found, atlas, _everywhere(found))
    parts = len(strips.first) // len(EVERY)
    for seed in range(8):
        rng = np.random.default_rng(seed)
        eye = found.place[rng.integers(len(found.place))] * SIZE_M * 1.01 + [0.0, 3000.0, 0.0]
        ahead = rng.normal(size=3)
        planes = _planes(ahead / np.linalg.norm(ahead))
        drawn = np.zeros(len(strips.first), bool)
        drawn[seen_strips(strips, eye, planes, SIZE_M, RELIEF_M, PIXEL)] = True
        by_part = drawn.reshape(len(EVERY), parts)
        assert by_part.sum(axis=0).max() == 1
        for part in np.flatnonzero(~by_part.any(axis=0)):
            away = _places(strips, part) * SIZE_M - eye
            inside = (away @ planes[:, :3].T > 0.0).all(axis=1)
            far = np.linalg.norm(away, axis=1)
            hidden = far > (100_000.0 if atlas.spherical else np.inf)
            assert not (inside & ~hidden & (strips.half_m[part] > 0.1 * PIXEL * far)).any()


@pytest.mark.parametrize("name", ["plane", "cube"])
def test_coarse_copies_have_fewer_points_and_stay_beside_their_river(name: str) -> None:
    atlas = ATLASES[name]
    found = _winding(atlas)
    place, strips = found.place, river_strips(found, atlas, _everywhere(found))
    counts = strips.count.reshape(len(EVERY), -1).sum(axis=1)
    assert (counts[1:] < 0.6 * counts[:-1]).all()
    eye, parts = place[2000] * SIZE_M + [0.0, 40_000.0, 0.0], len(strips.first) // len(EVERY)
    drawn = seen_strips(strips, eye, np.zeros((0, 4)), SIZE_M, RELIEF_M, PIXEL)
    assert (drawn >= parts).mean() > 0.5
    for part in drawn:
        coarse, fine = (_places(strips, number) * SIZE_M for number in (part, part % parts))
        chords = np.stack([coarse[:-1], coarse[1:]])
        pixel_m = PIXEL * np.linalg.norm(fine - eye, axis=1).min()
        assert np.quantile(distances(fine, *chords), 0.85) < (BESIDE + 0.2) * pixel_m


@pytest.mark.parametrize("name", ["plane", "cube"])
def test_points_hold_what_they_are_made_from(name: str) -> None:
    """They are packed; shaders read whole numbers as shares of the greatest one."""
    atlas = ATLASES[name]
    found = rivers(atlas)
    points = river_strips(found, atlas, _everywhere(found)).points
    along, at = points["along"] / 32_767.0, points["at"] / 65_535.0
    face, u, v, _ = atlas.invert(points["place"].astype(np.float64))
    assert np.abs(np.linalg.norm(along[:, :3], axis=1) - 1.0).max() < 1e-4
    assert np.array_equal(np.floor(np.abs(along[:, 3]) * FACES - 0.5), face)
    assert 0.4 < (along[:, 3] > 0.0).mean() < 0.6, "two sides"
    assert np.abs(at - np.clip(np.stack([u, v], axis=1), 0.0, 1.0)).max() < 1e-5
    assert set(points["water"][:, 0].tolist()) <= set(found.level_m.astype(np.float32).tolist())
    assert np.isin(points["form"][:, 0], found.half_m.astype(np.float16)).all()


def distances(points: np.ndarray, begins: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """From each of the points (n, 3) to the nearest of the stretches (m, 3)."""
    here, ways = points[:, None] - begins, ends - begins
    share = np.clip((here * ways).sum(-1) / np.maximum((ways * ways).sum(-1), 1e-9), 0.0, 1.0)
    return np.linalg.norm(here - share[..., None] * ways, axis=-1).min(axis=1)


@pytest.mark.parametrize("name", ["plane", "cube"])
def test_copies_tell_the_same_of_the_same_point(name: str) -> None:
    """Where two copies meet, bars, threads and the colour of the water would end at once."""
    atlas = ATLASES[name]
    found = rivers(atlas)
    strips = river_strips(found, atlas, _everywhere(found))
    parts = len(strips.first) // len(EVERY)
    told: dict[bytes, np.ndarray] = {}
    compared = 0
    for part, (first, count) in enumerate(zip(strips.first, strips.count, strict=True)):
        for point in strips.points[first : first + count]:
            row = np.concatenate([point["form"], point["kind"], point["water"]])
            before = told.setdefault(point["place"].tobytes(), row)
            compared += part >= parts
            assert np.array_equal(row, before)
    assert compared > 100


@pytest.mark.parametrize("name", ["plane", "cube"])
def test_only_near_the_flight_rivers_have_all_of_their_points(name: str) -> None:
    """What it sees of them elsewhere is as good; half of a planet's points would never be drawn."""
    atlas = ATLASES[name]
    found = _winding(atlas)
    whole, near = (river_strips(found, atlas, eyes) for eyes in (_everywhere(found), found.place[:400:5] * SIZE_M))
    assert len(near.points) < 0.7 * len(whole.points)
    parts = len(whole.first) // len(EVERY)
    for eye in found.place[:400:20] * SIZE_M:
        one, other = (seen_strips(strips, eye, np.zeros((0, 4)), SIZE_M, RELIEF_M, 0.25 * PIXEL) for strips in (whole, near))
        assert (one < parts).any() and np.array_equal(one, other)
        for part in one:
            assert np.array_equal(_places(whole, part), _places(near, part))


@pytest.mark.parametrize("name", ["plane", "cube"])
def test_what_is_not_shown_of_a_river_has_no_points(name: str) -> None:
    atlas = ATLASES[name]
    found = _winding(atlas)
    shown = np.ones(4000, np.float32)
    shown[1000:2000] = shown[3500:] = 0.0
    strips = river_strips(replace(found, shown=shown), atlas, _everywhere(found))
    shows = np.isin(np.arange(4000), [*range(1001, 1999), *range(3501, 4000)], invert=True)
    one, other = (set(map(tuple, found.place[which].astype(np.float32).tolist())) for which in (shows, ~shows))
    finest = strips.points[: strips.count[: len(strips.first) // len(EVERY)].sum()]
    assert len(one - set(map(tuple, strips.points["place"].tolist()))) < 5, "straight stretches need not all"
    assert other.isdisjoint(map(tuple, finest["place"].tolist()))
    hidden = river_strips(replace(found, shown=np.zeros(4000, np.float32)), atlas, _everywhere(found))
    assert not len(hidden.points) and not len(hidden.first)
    assert not len(seen_strips(hidden, found.place[0] * SIZE_M, np.zeros((0, 4)), SIZE_M, RELIEF_M, PIXEL))
