"""The patch of isosceles triangles has no gaps, morphs into the next coarser one, and is drawn when it is asked for."""

from __future__ import annotations

import numpy as np
import pytest
from support.showing import SIZE, picture, showing

from demo.app import cli
from demo.app.assignments import read_scene_pairs
from demo.app.show_options import show_options
from demo.geometry.patch_meshes import isosceles_mesh
from demo.hosts import offscreen
from demo.scenes.scenes import SCENES
from demo.worlds.parameters import ParameterError


def triangles(patch: int, move=lambda cells: cells) -> np.ndarray:
    """Corners (k, 3, 2) of the triangles that have an area."""
    cells, found = isosceles_mesh(patch)
    corners = move(cells)[found]
    return corners[np.abs(area(corners)) > 1e-6]


def area(corners: np.ndarray) -> np.ndarray:
    a, b = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    return 0.5 * (a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0])


def coarser(cells: np.ndarray, patch: int) -> np.ndarray:
    """As `coarser` in surface.vert."""
    x, y = cells.T
    inward = np.sign(0.5 * patch - cells)
    y = y + inward[:, 1] * np.mod(y, 2.0)
    shifted = np.mod(y * 0.5, 2.0)
    off = np.where(np.mod(x, 1.0) > 0.25, np.floor(x) + np.abs(np.mod(np.floor(x), 2.0) - shifted), 0.0)
    on = x + np.where(inward[:, 0] < 0.0, -1.0, 1.0) * np.abs(np.mod(x, 2.0) - shifted)
    moved = np.where(np.mod(x, 1.0) > 0.25, off, on)
    return np.stack([np.where((x == 0.0) | (x == patch), x, moved), y], axis=1)


def as_set(corners: np.ndarray) -> set:
    return {tuple(sorted(map(tuple, triangle))) for triangle in corners.tolist()}


@pytest.mark.parametrize("patch", [4, 8, 16])
def test_the_patch_is_covered_once_by_isosceles_triangles(patch):
    corners = triangles(patch)
    assert np.abs(area(corners)).sum() == pytest.approx(patch**2)
    assert len(corners) == patch * (2 * patch + 1)
    sides = np.sort(np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2), axis=1)
    inner = (corners[..., 0] > 0.0).all(axis=1) & (corners[..., 0] < patch).all(axis=1)
    assert np.allclose(sides[inner], [1.0, np.sqrt(1.25), np.sqrt(1.25)])
    assert (area(corners) < 0.0).all(), "all turn the same way"
    cells, found = isosceles_mesh(patch)
    assert cells.dtype == np.float32 and found.dtype == np.uint16
    assert set(found.ravel().tolist()) == set(range(len(cells)))


@pytest.mark.parametrize("patch", [8, 16])
def test_fully_morphed_it_is_the_coarser_patch(patch):
    morphed = triangles(patch, lambda cells: coarser(cells.astype(float), patch))
    assert as_set(morphed) == as_set(2.0 * triangles(patch // 2))


@pytest.mark.parametrize("patch", [8, 16])
def test_its_rim_is_that_of_squares(patch):
    """A patch and its neighbour morph by the same rule along their edge."""
    line = np.arange(patch + 1.0)
    for rim in (np.stack([line, 0 * line], axis=1), np.stack([0 * line + patch, line], axis=1)):
        assert np.array_equal(coarser(rim, patch), rim + np.sign(0.5 * patch - rim) * np.mod(rim, 2.0))


def test_it_is_seen_as_wires_and_hardly_without():
    images = {}
    for name in ("square", "isosceles"):
        with (
            offscreen.context(SIZE),
            showing(scene="plasma", hold=True, caption=False, mesh=name) as show,
        ):
            show.seek(SCENES["plasma"].birth_s + 8.0)
            solid = picture(show)
            show.act("wireframe")
            images[name] = solid, picture(show)
    difference = [np.abs(a.astype(int) - b).mean() for a, b in zip(*images.values(), strict=True)]
    assert difference[0] < 6.0
    assert (images["square"][1] != images["isosceles"][1]).any(axis=-1).mean() > 0.02


def test_it_is_asked_for_on_the_command_line():
    words = cli.parse(["still", "x.png", "--set", "surface.mesh=isosceles", "--set", "plasma.cells=64"])
    asked = show_options(words)
    assert asked.mesh == "isosceles" and asked.parameters == {"plasma": {"cells": 64}}
    assert show_options(cli.parse(["still", "x.png"])).mesh == "auto"


@pytest.mark.parametrize("pair", ["surface.mesh=round", "surface.colour=red", "ground.mesh=square"])
def test_what_the_surface_does_not_take(pair):
    with pytest.raises(ParameterError):
        read_scene_pairs([pair])
