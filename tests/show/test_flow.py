"""Where two worlds share an atlas the land of one flows into that of the other, with air, light and camera."""

from __future__ import annotations

import gc
import weakref

import numpy as np
import pytest
from support.showing import difference, picture, showing, story_of

from demo.hosts import offscreen
from demo.scenes.scenes import SCENES
from demo.show import melt
from demo.show.melt import can_flow

pytestmark = pytest.mark.usefixtures("plain_flights", "shared_worlds")

SIZE = (128, 72)


@pytest.fixture(scope="module", autouse=True)
def context():
    with offscreen.context(SIZE):
        yield


def start_of_melt(name: str) -> float:
    """Where the last three seconds of a scene begin."""
    return SCENES[name].birth_s + SCENES[name].flight_s - 3.0


def test_a_planet_flows_into_the_next_and_out_of_its_own_picture(monkeypatch):
    monkeypatch.setattr(melt, "FLOWS_FROM", 0.0)
    with showing(SIZE, scene="cuts", seed=3, caption=False) as show:
        due, seen = start_of_melt("cuts"), []
        for time in (due - 0.06, due - 0.02, due + 0.02):
            show.seek(time)
            seen.append(picture(show))
        assert show.shot().melt.flows and show.shot().coming.scene.name == "simplex"
        assert difference(seen[1], seen[2])[0] < 1.3 * difference(seen[0], seen[1])[0] + 0.5, "it begins with no leap"
        end = show.shot().melt.start_s + show.shot().melt.length_s
        show.seek(end - 0.02)
        assert show.shot().melt
        last = picture(show)
        show.seek(end)
        assert not show.shot().melt and show.shot().current.scene.name == "simplex"
        assert difference(last, picture(show))[0] < 2.0
        assert show.shot().current.t == pytest.approx(SCENES["simplex"].birth[0][0]), "its growth has not been missed"


def test_a_world_that_another_one_flows_into_has_its_first_picture_alone_on_the_gpu_until_it_grows(monkeypatch):
    from demo.render.height_textures import HeightTextures

    def alive() -> int:
        gc.collect()
        return sum(type(found) is HeightTextures for found in gc.get_objects())

    monkeypatch.setattr(melt, "FLOWS_FROM", 0.0)
    with showing(SIZE, scene="cuts", seed=3, caption=False) as show:
        before = alive()
        show.seek(start_of_melt("cuts") + 0.5)
        show.draw()
        coming = show.shot().coming
        show._grower.wait(lambda: not coming.wants_work())
        show.seek(start_of_melt("cuts") + 0.6)
        assert show.shot().melt.flows and coming.t == 0.0
        assert alive() - before == 2, "one of each world"
        show.seek(show.shot().melt.start_s + show.shot().melt.length_s + 0.5)
        show.draw()
        assert show.shot().current.scene.name == "simplex" and show.shot().current.t > SCENES["simplex"].birth[0][0]
        assert alive() - before == 2, "two of the one that grows"


def test_a_world_that_has_become_part_of_the_next_one_keeps_neither_tiles_nor_rivers(monkeypatch):
    from demo.render.river_water import RiverWater
    from demo.render.surface_tiles import SurfaceTiles

    monkeypatch.setattr(melt, "FLOWS_FROM", 0.0)
    with showing(SIZE, scene="cuts", seed=3, caption=False) as show:
        show.seek(start_of_melt("cuts") - 0.5)
        show.draw()
        gc.collect()
        kept = [weakref.ref(found) for found in gc.get_objects() if type(found) in (SurfaceTiles, RiverWater)]
        for after_s, left in ((0.5, 2), (1.5, 0)):
            show.seek(start_of_melt("cuts") + after_s)
            show.draw()
            assert show.shot().melt.flows
            gc.collect()
            assert sum(found() is not None for found in kept) == left


@pytest.mark.parametrize("name", ["plasma", "doublecone"])
def test_worlds_of_other_atlases_and_forms_melt_as_pictures(name):
    with showing(SIZE, scene=name, seed=3) as show:
        show.seek(start_of_melt(name) + 0.1)
        melt = show.shot().melt
        assert melt and not melt.flows and melt.length_s == pytest.approx(3.0)


def test_a_new_world_of_the_same_kind_rises_from_the_old_one():
    with showing(SIZE, scene="plasma", seed=3, caption=False) as show:
        show.seek(start_of_melt("plasma") - 0.5)
        show.act("new_world")
        show.seek(start_of_melt("plasma") + 2.5)
        assert show.shot().melt.flows and show.shot().coming.scene.name == "plasma"
        show.draw()


def test_heights_must_have_the_same_samples():
    old, other = story_of("plasma"), story_of("plasma", 2, cells=32)
    old.prepare()
    other.prepare()
    assert can_flow(old, old) and not can_flow(old, other)


def test_a_planet_flows_from_far_away_and_not_from_its_ground():
    story = story_of("cuts", 3)
    story.prepare()
    assert can_flow(story, story)
    story.t = story.seconds
    assert not can_flow(story, story)


def poses(old, new, share):
    from demo.show.flow import pose_between
    from demo.show.frame import world_of

    t = old.scene.birth_s + old.scene.flight_s
    before, after = world_of(old.scene, old.prepared, t), world_of(new.scene, new.prepared, 0.0)
    world = before.towards(after, share)
    a, b = old.prepared.flight.pose(t), new.prepared.flight.pose(0.0)
    return world, pose_between(a, b, world.size_m / before.size_m, world.size_m / after.size_m, share, world)


@pytest.mark.parametrize("seed", [1, 2])
def test_the_planet_stays_in_the_picture(seed):
    old, new = story_of("cuts", seed), story_of("simplex", seed + 50)
    old.prepare()
    new.prepare()
    for share in np.linspace(0.0, 1.0, 21):
        world, pose = poses(old, new, share)
        away = np.linalg.norm(pose.position)
        aside = np.arccos(np.clip(-pose.position @ pose.forward / away, -1.0, 1.0))
        assert away > world.size_m
        assert aside < np.arcsin(world.size_m / away) + 0.75 * pose.fov_y, f"at {share:.2f}"


@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_the_camera_passes_over_the_ridges_that_sink(seed):
    old, new = story_of("plasma", seed), story_of("plasma", seed + 50)
    old.prepare()
    new.prepare()
    for share in np.linspace(0.0, 1.0, 41):
        _, pose = poses(old, new, share)
        ground = max(float(old.prepared.ground.height(pose.position[None])[0]), 0.0)
        assert pose.position[1] > ground * (1.0 - share) + 20.0, f"at {share:.2f}"
