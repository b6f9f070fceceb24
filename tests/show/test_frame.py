"""The view of a frame: all that is seen of a world lies between the near plane and the far one."""

from __future__ import annotations

import numpy as np
import pytest
from support.showing import story_of

from demo.hosts import offscreen
from demo.scenes.scenes import SCENES

pytestmark = pytest.mark.usefixtures("plain_flights")

ASPECT = 16 / 9
# Moments of a story that are looked at.
MOMENTS = 24
# Points of ground around the place below the eye: directions, and distances from there.
AROUND, RINGS = 48, 90


def ground_points(story, eye: np.ndarray) -> np.ndarray:
    """World coordinates (k, 3), metres, of the ground's samples' heights: all around the eye, the nearer the denser."""
    scene, ground = story.scene, story.prepared.ground
    turn = np.arange(AROUND) * (2.0 * np.pi / AROUND)
    ring = np.stack([np.cos(turn), np.sin(turn)], axis=1)
    if scene.is_terrain:
        half = 0.5 * scene.size_m
        away = np.geomspace(1.0, 2.0 * half, RINGS)[:, None, None]
        flat = np.clip(eye[[0, 2]] + away * ring, -half, half).reshape(-1, 2)
        at = np.stack([flat[:, 0], np.zeros(len(flat)), flat[:, 1]], axis=1)
        at[:, 1] = np.maximum(ground.sampled(at), 0.0)
        return at
    up = eye / np.linalg.norm(eye)
    right = np.cross(up, [0.3, 0.1, 0.9])
    right /= np.linalg.norm(right)
    sides = ring @ np.stack([right, np.cross(up, right)])
    angle = np.geomspace(1.0 / scene.size_m, np.pi, RINGS)[:, None, None]
    at = (np.cos(angle) * up + np.sin(angle) * sides).reshape(-1, 3) * scene.size_m
    return at * (1.0 + np.maximum(ground.sampled(at), 0.0) / scene.size_m)[:, None]


def hidden(story, at: np.ndarray, eye: np.ndarray) -> np.ndarray:
    """Which points, (k, 3), are beyond a planet's horizon, however high they are: bool (k,)."""
    scene = story.scene
    if scene.is_terrain:
        return np.zeros(len(at), bool)
    away = np.linalg.norm(eye)
    apart = np.arccos(np.clip(at @ eye / (np.linalg.norm(at, axis=1) * away), -1.0, 1.0))
    return apart > np.arccos(scene.size_m / away) + np.arccos(scene.size_m / (scene.size_m + scene.relief_m))


@pytest.mark.parametrize("name", SCENES)
def test_all_ground_in_the_picture_is_between_the_near_and_the_far_plane(name):
    story = story_of(name)
    story.prepare()
    with offscreen.context():
        from demo.show.frame import story_view

        seen = 0
        for t in np.linspace(story.scene.birth_s, story.seconds, MOMENTS):
            pose = story.prepared.flight.pose(t)
            view, _ = story_view(story.scene, story.prepared, t, pose, ASPECT)
            at = ground_points(story, pose.position)
            at = at[~hidden(story, at, pose.position)] - view.eye
            x, y, z, w = np.asarray(view.uniforms["view_projection"]) @ np.column_stack([at, np.ones(len(at))]).T
            inside = (np.abs(x) <= w) & (np.abs(y) <= w)
            assert (np.abs(z) <= w)[inside].all(), f"at {t:.1f} s"
            seen += inside.sum()
    assert seen > 20 * MOMENTS
