"""Which steps of a growth are shown when: monotone, complete while steps are few, standing still where the scene pauses."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from demo.scenes.scenes import SCENES
from demo.scenes.timeline import TICK_S, Timeline, pauses, timeline

CUTS = SCENES["cuts"]
TOTALS = st.one_of(st.integers(0, 12), st.integers(0, 20_000))


@st.composite
def births(draw):
    """Anchors as a scene may have them: times that rise, steps that do not fall, the last step perhaps "end"."""
    count = draw(st.integers(2, 7))
    gaps = draw(st.lists(st.floats(0.25, 8.0), min_size=count, max_size=count))
    rises = draw(st.lists(st.one_of(st.just(0), st.integers(0, 20), st.integers(0, 9000)), min_size=count, max_size=count))
    steps = np.cumsum([0, *rises[1:]]).tolist()
    if draw(st.booleans()):
        steps[-1] = "end"
    return tuple(zip(np.cumsum(gaps).tolist(), steps, strict=True))


@st.composite
def lines(draw):
    scene = replace(CUTS, birth=draw(births()), geometric=draw(st.booleans()))
    return scene, {"end": draw(TOTALS)}


def shown(line: Timeline, t: float) -> float:
    """The number of the picture shown, fractional between two."""
    a, b, mix = line.at(t)
    return a * (1 - mix) + b * mix


def last_step(scene, stages):
    step, total = scene.birth[-1][1], stages["end"]
    return total if step in ("grown", "end") else min(step, total)


@given(lines())
def test_times_rise_and_steps_never_fall(case):
    scene, stages = case
    line = timeline(scene, stages)
    assert len(line.times) == len(line.steps) == len(line.picture)
    assert (np.diff(line.times) > 0).all()
    assert (np.diff(line.steps) >= 0).all()
    assert line.times[0] == scene.birth[0][0] and line.times[-1] == pytest.approx(scene.birth[-1][0])
    assert line.steps[0] == min(scene.birth[0][1], stages["end"])
    assert line.steps[-1] == last_step(scene, stages)


@given(lines())
def test_pictures_are_numbered_without_gaps_and_show_distinct_steps(case):
    line = timeline(*case)
    assert line.picture.tolist() == sorted(line.picture.tolist())
    assert sorted(set(line.picture.tolist())) == list(range(line.pictures))
    steps = [line.step_of(number) for number in range(line.pictures)]
    assert steps == sorted(set(steps)) == sorted(set(line.steps.tolist()))


@given(lines(), st.lists(st.floats(-1.0, 80.0), min_size=2, max_size=20))
def test_what_is_shown_only_grows(case, times):
    line = timeline(*case)
    values = [shown(line, t) for t in sorted(times)]
    counts = [line.count_at(t) for t in sorted(times)]
    assert values == sorted(values) and counts == sorted(counts)
    for t in times:
        a, b, mix = line.at(t)
        assert 0 <= a <= b <= a + 1 < line.pictures + 1 and 0.0 <= mix <= 1.0


@given(lines())
def test_the_mix_does_not_jump(case):
    line = timeline(*case)
    for t in line.times:
        assert shown(line, t + 1e-9) - shown(line, t - 1e-9) < 1e-5


@given(lines())
def test_before_the_birth_the_first_step_and_after_it_the_last(case):
    scene, stages = case
    line = timeline(scene, stages)
    assert line.at(-5.0)[::2] == (0, 0.0)
    last = line.pictures - 1
    assert line.at(scene.birth_s) == line.at(scene.birth_s + 1000.0) == (last, last, 0.0)
    assert line.count_at(0.0) == line.steps[0] and line.count_at(1e6) == last_step(scene, stages)


@given(lines(), st.integers(0, 20_000))
def test_a_step_is_shown_in_full_at_its_time(case, step):
    line = timeline(*case)
    t = line.time_of_step(step)
    assert line.times[0] <= t <= line.times[-1]
    assert line.count_at(t) >= min(step, line.steps[-1])


@given(lines())
def test_pictures_come_no_faster_than_a_tick(case):
    """The worker makes one picture a tick at most, whatever the count of steps."""
    line = timeline(*case)
    anchors = len(case[0].birth)
    assert line.pictures <= (line.times[-1] - line.times[0]) / TICK_S + 2 * anchors


@pytest.mark.parametrize("scene", SCENES.values(), ids=SCENES)
@pytest.mark.parametrize("total", [0, 1, 2, 10_000])
def test_every_scene_ends_with_its_whole_growth(scene, total):
    named = {step for _, step in scene.birth if isinstance(step, str)}
    line = timeline(scene, dict.fromkeys(named, total) | {"end": total})
    assert line.count_at(scene.birth_s) == total


def test_the_first_cuts_come_one_by_one():
    line = timeline(CUTS, {"end": 10_000})
    assert line.steps[line.steps <= 10].tolist() == list(range(11))
    assert len(set(np.diff(line.times[line.steps <= 10]).round(6)[1:])) == 1


def test_cuts_come_faster_and_faster():
    line = timeline(CUTS, {"end": 10_000})
    rises = np.diff(np.unique(line.steps[(line.steps >= 10) & (line.steps <= 100)]))
    assert rises[0] == 1 and rises[-1] >= 5 and rises.sum() == 90


@pytest.mark.parametrize("count", [100, 1000, 10_000])
def test_the_count_pauses(count):
    (start, end) = next(pair for pair in pauses(CUTS) if timeline(CUTS, {"end": 10_000}).count_at(pair[0]) == count)
    assert end - start >= 1.5
    line = timeline(CUTS, {"end": 10_000})
    for t in np.linspace(start, end, 9)[:-1]:
        assert line.count_at(t) == count
    assert line.at(start)[0] == line.at(0.5 * (start + end))[1]


@pytest.mark.parametrize("total", [1, 5, 50, 100, 101, 2500])
def test_fewer_cuts_than_the_anchors_name(total):
    line = timeline(CUTS, {"end": total})
    assert line.steps.max() == total
    early = line.steps[line.steps <= min(total, 10)]
    assert sorted(set(early.tolist())) == list(range(min(total, 10) + 1))
    assert line.times[-1] == CUTS.birth_s


@pytest.mark.parametrize("scene", SCENES.values(), ids=SCENES)
def test_births_name_stages_that_their_growths_have(scene, tmp_path):
    np.save(tmp_path / "heights.npy", np.random.default_rng(1).random((17, 17)))
    given = {"gn": 2, "ln": 1, "cells": 16, "octaves": 2, "particles": 100}
    if scene.needs_file:
        given["file"] = str(tmp_path / "heights.npy")
    growth = scene.generator.grow(1, {p.name: given[p.name] for p in scene.parameter_table if p.name in given})
    line = timeline(scene, growth.stages)
    assert growth.stages["end"] == growth.total == line.count_at(scene.birth_s)
    for seconds, step in scene.birth:
        if isinstance(step, str):
            assert line.count_at(seconds) == growth.stages[step]


def test_a_birth_that_names_a_stage_its_growth_lacks_is_refused():
    scene = replace(CUTS, birth=((0.0, 0), (5.0, "valleys"), (9.0, "end")))
    with pytest.raises(ValueError, match="'cuts' names a stage 'valleys': its growth has end"):
        timeline(scene, {"end": 100})


@pytest.mark.parametrize("scene", [scene for scene in SCENES.values() if scene.is_carved], ids=lambda scene: scene.name)
@pytest.mark.parametrize("carving", [1, 2, 30])
def test_the_last_picture_of_a_carving_comes_slowly_and_alone(scene, carving):
    """The detail that comes with it is that of the land which stays."""
    line = timeline(scene, {"grown": 50, "end": 50 + carving})
    last = line.pictures - 1
    for share in (0.01, 0.5, 0.99):
        a, b, mix = line.at(scene.settles_s + share * (scene.birth_s - scene.settles_s))
        assert (a, b) == (last - 1, last) and 0.0 < mix < 1.0
    assert line.at(scene.settles_s)[0] == last - 1 and line.at(scene.settles_s - 0.01)[1] <= last - 1
    assert line.at(scene.birth_s) == (last, last, 0.0)
