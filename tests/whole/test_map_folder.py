"""`--map OUTDIR` through the real renderer: a picture of an edited planet differs where the edit is, and there alone."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from support.showing import showing

from demo.app import cli
from demo.app.show_options import show_options
from demo.catalogue.edits_file import FILE, Edits, text_of
from demo.catalogue.generators import generator
from demo.hosts import offscreen
from demo.mapping.degrees import degrees_of, directions
from demo.mapping.edits.edit import Edit

pytestmark = pytest.mark.usefixtures("plain_flights")

SEED, SIZES, SIZE = 3, {"gn": 5, "ln": 2}, (320, 180)
# Valleys are cut, lakes are filled in part, and the camera has not left yet.
SEEN_S = 17.5
# How far a coast reaches that is drawn within so many degrees of a place, with the steps that carry it on, in radians.
HALF_DEG, REACH = 10.0, 0.42
CODE = generator("doublecone").code(SEED, SIZES)


def folder_of(place: Path, rounds=()) -> Path:
    place.mkdir()
    (place / "summary.json").write_text(json.dumps({"code": CODE}))
    if rounds:
        (place / FILE).write_text(text_of(Edits(CODE, rounds, ("file",) * len(rounds))))
    return place


def seen(folder: Path):
    """(picture, pose of the camera, directions of its pixels from the planet's middle, NaN beside the planet)."""
    asked = show_options(cli.parse(["still", "a.png", "--map", str(folder)]))
    given = {"scene": asked.scene, "seed": asked.seed, "parameters": asked.parameters, "playlists": asked.playlists}
    with offscreen.context(SIZE), showing(SIZE, caption=False, hold=True, quality="low", **given) as show:
        show.seek(SEEN_S)
        story = show.shot().current
        return show.read().astype(int), story.prepared.flight.pose(SEEN_S), story.prepared.ground.size_m


def places_of(pose, radius_m: float) -> np.ndarray:
    """The unit vectors to what each pixel shows of a sphere, (height, width, 3): NaN beside it."""
    width, height = SIZE
    x, y = (np.arange(width) + 0.5) / width * 2.0 - 1.0, 1.0 - (np.arange(height) + 0.5) / height * 2.0
    tall = np.tan(0.5 * pose.fov_y)
    right = np.cross(pose.forward, pose.up)
    ray = pose.forward + (x * tall * width / height)[None, :, None] * right + (y * tall)[:, None, None] * pose.up
    ray /= np.sqrt((ray * ray).sum(axis=2, keepdims=True))
    along = -(ray @ pose.position)
    inside = along**2 - pose.position @ pose.position + radius_m**2
    away = along - np.sqrt(np.where(inside > 0.0, inside, np.nan))
    return (pose.position + away[..., None] * ray) / radius_m


def test_a_drawn_coast_is_seen_and_all_beyond_its_reach_is_as_it_was(tmp_path):
    plain, pose, radius_m = seen(folder_of(tmp_path / "plain"))
    middle = degrees_of(pose.position[None])[0]
    west, south, east, north = *(middle - HALF_DEG), *(middle + HALF_DEG)
    ring = ((west, south), (east, south), (east, north), (west, north), (west, south))
    coast = Edit(
        "coast", "raised", (float(middle[0]), float(middle[1])), shape=(tuple((float(x), float(y)) for x, y in ring),)
    )
    edited, other, _ = seen(folder_of(tmp_path / "edited", ((coast,),)))
    assert np.array_equal(pose.position, other.position) and np.array_equal(pose.forward, other.forward)
    differs = np.abs(plain - edited).max(axis=2)
    apart = places_of(pose, radius_m) @ directions(middle)
    near, far = apart > np.cos(np.radians(0.5 * HALF_DEG)), ~(apart > np.cos(REACH))
    assert (differs[near] > 24).mean() > 0.3
    # A town's lamp may stand elsewhere.
    assert far.mean() > 0.8 and (differs[far] > 24).sum() < 20 and differs[far].mean() < 0.1


@pytest.mark.parametrize("words", [["still", "a.png", "--time", "1"], ["film", "a", "--seconds", "0.1"]])
def test_stills_and_films_of_a_folder_are_written(tmp_path, monkeypatch, words):
    monkeypatch.chdir(tmp_path)
    folder_of(tmp_path / "plain")
    words = [words[0], words[1], "--map", "plain", "--size", "64x48", "--quality", "low", *words[2:]]
    assert cli.main(words) == 0
    assert (tmp_path / words[1]).exists()
