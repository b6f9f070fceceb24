"""The mesh is halved where there are too many triangles, steadily, and comes back."""

from demo.geometry.mesh_budget import RETURNING, MeshBudget


def test_a_count_about_the_limit_does_not_swing():
    budget = MeshBudget()
    assert not budget.halves(99, 100.0)
    assert [budget.halves(count, 100.0) for count in (101, 99, 101, 95, 80)] == [True] * 5
    assert not budget.halves(int(100 * RETURNING) - 1, 100.0)


def test_what_a_short_moment_took_comes_back_with_the_limit():
    budget = MeshBudget()
    assert budget.halves(90, 50.0) and budget.halves(90, 0.0)
    assert not budget.halves(90, 100.0), "although there are more than the share that brings them back under one limit"
    assert not budget.halves(90, 100.0)


def test_without_a_limit_the_mesh_is_whole():
    assert not MeshBudget().halves(10**9, float("inf"))
