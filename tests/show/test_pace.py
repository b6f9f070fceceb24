"""Pace: finds what frames are quick enough with, stays there, and gives back what it took."""

import pytest

from demo.show.pace import GPU, HIGHEST, LOWEST, RUNGS, SMALLEST, SOFTWARE, SPARING, Pace

SIZE = (640, 360)


def played(pace, seconds_at_full_scale, frames, fixed=0.0):
    """The rungs of `frames` frames whose cost goes with their pixels, but for a `fixed` part."""
    rungs = []
    for _ in range(frames):
        rung = pace.rung
        work = rung.scale**2 * (1.0 if rung.effects else 0.9) * (1.0 if rung.full_mesh else 0.9)
        pace.measured(fixed + seconds_at_full_scale * work)
        rungs.append(pace.rung)
    return rungs


def test_a_quick_machine_draws_everything():
    assert played(Pace(*SIZE), 0.008, 1200)[-1] == RUNGS[0]


@pytest.mark.parametrize("fixed", [0.0, 0.006])
@pytest.mark.parametrize("cost", [0.03, 0.05, 0.06, 0.075])
def test_a_slow_machine_settles_where_frames_are_quick_enough(cost, fixed):
    rungs = played(Pace(*SIZE), cost, 1200, fixed)
    last = rungs[-1].scale
    assert LOWEST < last < HIGHEST
    bound = SOFTWARE.wanted_s if last > SOFTWARE.comfortable else SOFTWARE.longest_s
    assert fixed + cost * last**2 <= bound * 1.02
    assert len(set(rungs[300:])) == 1, "it does not swing"


def test_a_step_of_the_load_is_followed_within_a_second():
    pace = Pace(*SIZE)
    played(pace, 0.01, 1200)
    assert pace.rung == RUNGS[0]
    rungs = played(pace, 0.07, 30)
    assert 0.07 * rungs[-1].scale ** 2 <= SOFTWARE.longest_s * 1.02


def test_small_pictures_are_drawn_quicker_than_large_ones():
    """As long as there are pixels that are not missed much, 45 frames a second are wanted."""
    assert played(Pace(*SIZE), 0.03, 1200)[-1].scale ** 2 * 0.03 < 1 / 45


def test_a_show_that_spares_the_processors_leaves_a_third_of_them_at_30_frames_a_second():
    pace = Pace(*SIZE, SPARING)
    for full_s in (0.05, 0.1, 0.13):
        assert played(pace, full_s, 1200)[-1].scale ** 2 * full_s <= 1.02 * 2.0 / 3.0 / 29.0


def test_the_mesh_is_halved_last_of_all():
    assert all(rung.full_mesh for rung in RUNGS[:-1]) and not RUNGS[-1].full_mesh
    assert min(rung.scale for rung in RUNGS) == RUNGS[-1].scale == SMALLEST, "no pixel could still be given up instead"
    # At the smallest scale a frame takes longer than is wanted, and yet not so long that the mesh has to go.
    rungs = played(Pace(*SIZE), 0.0, 600, fixed=0.5 * (SOFTWARE.worst_s + SOFTWARE.halved_s))
    assert rungs[-1] == RUNGS[-2]


def test_the_last_pixels_go_before_the_mesh_and_save_what_it_would():
    """Vertices take 9 of the 45 ms that a picture takes without effects; the rest goes with its pixels."""
    for factor in (1.05, 1.2, 1.5):
        rungs = played(Pace(*SIZE), factor * 0.250, 800, fixed=factor * 0.009)
        assert rungs[-1].full_mesh and SMALLEST <= rungs[-1].scale < LOWEST


def test_half_a_mesh_is_whole_again_when_frames_are_a_little_quicker():
    pace = Pace(*SIZE)
    assert played(pace, 0.0, 600, fixed=1.3 * SOFTWARE.halved_s)[-1] == RUNGS[-1]
    assert played(pace, 0.0, 200, fixed=0.66 * SOFTWARE.halved_s)[-1].full_mesh


@pytest.mark.parametrize("saved", [0.10, 0.20, 0.30])
def test_half_a_mesh_does_not_swing(saved):
    """What half a mesh saves, as a share of the frame, is between a tenth and three tenths."""
    for whole_s in (0.057, 0.062, 0.070, 0.080):
        pace, halved = Pace(*SIZE), []
        for _ in range(1500):
            pace.measured(whole_s * (1.0 if pace.rung.full_mesh else 1.0 - saved))
            halved.append(not pace.rung.full_mesh)
        assert len(set(halved[300:])) == 1


def test_a_very_slow_machine_sheds_effects_and_then_half_the_mesh_at_the_smallest_scale():
    pace = Pace(*SIZE)
    rungs = played(pace, 1.0, 400)
    assert rungs[-1] == RUNGS[-1] and not rungs[-1].effects and not rungs[-1].full_mesh
    assert all(rung.scale <= LOWEST for rung in rungs if not rung.effects)
    rungs = played(pace, 0.004, 1200)
    assert rungs[-1] == RUNGS[0]
    climbed = [RUNGS.index(rung) for rung in rungs]
    assert climbed == sorted(climbed, reverse=True), "what was given up last comes back first"


def test_the_ladder_gives_up_something_at_every_rung():
    costs = [rung.cost for rung in RUNGS]
    assert costs == sorted(costs, reverse=True) and len(set(costs)) == len(costs)


def test_one_hitch_changes_nothing():
    pace = Pace(*SIZE)
    before = played(pace, 0.05, 600)[-1].scale
    pace.measured(2.0)
    assert played(pace, 0.05, 3)[-1].scale == before


def test_a_large_picture_starts_with_a_smaller_share_of_its_pixels():
    assert Pace(1280, 720).rung.scale < Pace(*SIZE).rung.scale <= HIGHEST
    assert Pace(7680, 4320).rung.scale == LOWEST and Pace(160, 90).rung.scale == HIGHEST


def test_a_gpu_starts_with_every_pixel_and_holds_sixty_frames():
    pace = Pace(3840, 2160, GPU)
    assert pace.rung == RUNGS[0]
    assert played(pace, 0.012, 300)[-1] == RUNGS[0]
    assert played(pace, 0.025, 300)[-1].scale ** 2 * 0.025 < 1 / 60
