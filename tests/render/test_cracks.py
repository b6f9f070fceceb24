"""No hole in the ground where patches meet: the surface is drawn alone, over a colour that is seen through holes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from support.showing import SMALL

from demo.geometry.frame_state import Moment
from demo.geometry.view import View, make_view
from demo.ground.relief import Relief
from demo.ground.relief_maker import ReliefMaker
from demo.hosts import offscreen
from demo.scenes.scenes import SCENES
from demo.show.palette_block import palette_uniforms
from demo.story.story import Story
from demo.tables.quality import QUALITIES

GLARING = 1000.0
SIZE = (480, 270)
SECONDS_AFTER_BIRTH = 9.0, 12.0, 16.0, 20.0
# Over the sea and the ground, in metres.
NEAR_M = 20.0


def enclosed(open_: np.ndarray) -> np.ndarray:
    """Where `open_`, bool (height, width), has closed pixels within three of it on all four sides."""
    found = open_.copy()
    for axis in (0, 1):
        for way in (1, -1):
            found &= np.any([np.roll(~open_, way * k, axis) for k in (1, 2, 3)], axis=0)
    found[:4] = found[-4:] = found[:, :4] = found[:, -4:] = False
    return found


def views(story: Story) -> Iterator[tuple[View, float]]:
    """What the camera sees on its flight, and when."""
    scene, prepared = story.scene, story.prepared
    assert prepared is not None
    for seconds in SECONDS_AFTER_BIRTH:
        t = scene.birth_s + seconds
        pose = prepared.flight.pose(t)
        up = np.array([0.0, 1.0, 0.0]) if scene.is_terrain else pose.position / np.linalg.norm(pose.position)
        centre = np.array([0.0, -scene.air.ground_radius_m, 0.0]) if scene.is_terrain else np.zeros(3)
        drop = -up * max(float(prepared.ground.sampled(pose.position[None])[0]), 0.0)
        far = 2.5 * scene.size_m
        yield make_view(pose, SIZE[0] / SIZE[1], NEAR_M, far, scene.air, centre, up, np.ones(3), drop), t


def final_relief(story: Story) -> Relief:
    """The grown world, ready to upload."""
    scene, prepared = story.scene, story.prepared
    assert prepared is not None
    growth = scene.generator.grow(story.seed, story.parameters)
    growth.advance(growth.total)
    relief = Relief.empty(growth.atlas, growth.n)
    maker = ReliefMaker(growth.atlas, growth.n, scene.size_m, scene.relief_m, np.eye(3)[:, :2] + 0.1, prepared.tree.coarse)
    maker.fill(relief, growth.heights, growth.sea_level, prepared.metres, above=growth.above)
    return relief


@pytest.mark.parametrize(
    ("scene", "quality", "coarse"),
    [
        ("plasma", "software", "sample"),
        ("plasma", "high", "sample"),
        ("simplex", "software", "sample"),
        ("simplex", "high", "sample"),
        ("plasma", "software", "similar"),
        ("simplex", "software", "mean"),
    ],
)
def test_nothing_is_seen_through_the_ground(scene, quality, coarse):
    level = replace(QUALITIES[quality], coarse=coarse)
    story = Story(SCENES[scene], 1, SMALL[scene], level)
    story.prepare()
    prepared = story.prepared
    with offscreen.context():
        from OpenGL import GL

        from demo.render.frame_view import look_through
        from demo.render.gl.targets import Target
        from demo.render.shared_textures import SharedTextures, clouds_texture, noise_texture, sunlight_texture
        from demo.render.sky_view import SkyView
        from demo.render.surface import Surface
        from demo.render.surface_pass import SurfacePass
        from demo.render.tile_materials import TileMaterials
        from demo.tables.looks import Look

        look, target = Look(fine=level.fine, isosceles=level.isosceles, grouped=coarse != "sample"), Target(*SIZE)
        seen = SkyView()
        textures = SharedTextures(noise_texture(), sunlight_texture(prepared.sunlight), clouds_texture(None), seen.texture)
        surfaces = SurfacePass(level.patch, level.tiles)
        palette = palette_uniforms(story.palette, story.scene, prepared.range_m, prepared.warmth)
        materials, detail = TileMaterials(palette, textures.noise, story.scene.relief_m), prepared.ground.detail
        surface = Surface(surfaces, prepared.tree, prepared.samples, materials, detail, level.left_out)
        surface.upload(0, final_relief(story))
        most = pixels = 0
        try:
            for view, t in views(story):
                chosen = surface.choose(view, look, Moment(t))
                GL.glClearColor(GLARING, 0.0, GLARING, 1.0)
                target.begin()
                GL.glClearColor(0.0, 0.0, 0.0, 0.0)
                look_through(view)
                surface.draw(chosen, surface.land, view, look, Moment(t), palette, textures)
                through = target.read_floats()[..., 0] > 0.5 * GLARING
                pixels += (~through).sum()
                most = max(most, enclosed(through).sum())
        finally:
            for thing in (surface, surfaces, target, textures.noise, textures.sunlight, textures.clouds, seen):
                thing.free()
    assert pixels > 100_000
    assert most <= 1, "a rounding may open a pixel of a picture, no seam"
