"""The surface of a small story's world drawn alone, with reliefs and moments of a test's choosing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np

from demo.flight.camera import look_at
from demo.geometry.view import View, make_view
from demo.ground.relief import Relief
from demo.ground.relief_maker import ReliefMaker
from demo.show.palette_block import palette_uniforms

if TYPE_CHECKING:
    from demo.geometry.frame_state import Moment
    from demo.render.river_water import RiverWater
    from demo.render.surface import Surface
    from demo.story.story import Story
    from demo.tables.looks import Look
    from demo.tables.quality import Quality

SIZE = (480, 270)
# Over the sea and the ground, in metres.
NEAR_M = 20.0


def view_at(story: Story, t: float) -> View:
    """What the camera sees at time t of a story that is prepared, under a sun overhead."""
    scene, prepared = story.scene, story.carved or story.prepared
    assert prepared is not None
    pose = prepared.flight.pose(t)
    up = np.array([0.0, 1.0, 0.0]) if scene.is_terrain else pose.position / np.linalg.norm(pose.position)
    centre = np.array([0.0, -scene.air.ground_radius_m, 0.0]) if scene.is_terrain else np.zeros(3)
    drop = -up * max(float(prepared.ground.sampled(pose.position[None])[0]), 0.0)
    far = 2.5 * scene.size_m
    return make_view(pose, SIZE[0] / SIZE[1], NEAR_M, far, scene.air, centre, up, np.ones(3), drop)


def view_down(story: Story, eye: np.ndarray) -> View:
    """What is straight below `eye` (3,), metres, on the terrain of a story, with the z axis downwards in the picture."""
    air, up = story.scene.air, np.array([0.0, 1.0, 0.0])
    pose = look_at(eye, eye - up, np.array([0.0, 0.0, -1.0]))
    centre = np.array([0.0, -air.ground_radius_m, 0.0])
    return make_view(pose, SIZE[0] / SIZE[1], NEAR_M, story.scene.size_m, air, centre, up, np.ones(3))


def flat_relief(story: Story, high_m: float) -> Relief:
    """A terrain as large as that of a story that is prepared, everywhere `high_m` metres above the sea, ready to upload."""
    prepared = story.prepared
    assert prepared is not None
    relief = Relief.empty(prepared.atlas, prepared.samples)
    flat = np.full((prepared.atlas.faces, prepared.samples, prepared.samples), high_m, np.float32)
    _maker(story).fill(relief, flat, 0.0, 1.0)
    return relief


def relief_at(story: Story, step: int | None = None) -> Relief:
    """The world of a story that is prepared, ready to upload: after so many steps of its growth, None for all."""
    scene, prepared = story.scene, story.prepared
    assert prepared is not None
    growth = scene.generator.grow(story.seed, story.parameters)
    growth.advance(growth.total if step is None else step)
    relief = Relief.empty(growth.atlas, growth.n)
    _maker(story).fill(relief, growth.heights, growth.sea_level, prepared.metres, above=growth.above)
    return relief


def _maker(story: Story) -> ReliefMaker:
    scene, prepared = story.scene, story.prepared
    assert prepared is not None
    bearings, coarse = np.eye(3)[:, :2] + 0.1, prepared.tree.coarse
    return ReliefMaker(prepared.atlas, prepared.samples, scene.size_m, scene.relief_m, bearings, coarse)


class DrawnSurface:
    """A surface and what draws it. `surface`: without heights at first."""

    def __init__(self, story: Story, quality: Quality, look: Look, clouds: np.ndarray | None = None) -> None:
        from demo.render.gl.targets import Target
        from demo.render.shared_textures import SharedTextures, clouds_texture, noise_texture, sunlight_texture
        from demo.render.sky_view import SkyView
        from demo.render.surface import Surface
        from demo.render.surface_pass import SurfacePass
        from demo.render.tile_materials import TileMaterials

        prepared = story.carved or story.prepared
        assert prepared is not None
        self._look, self._target, seen = look, Target(*SIZE), SkyView()
        self._size_m = story.scene.size_m
        self._textures = SharedTextures(
            noise_texture(), sunlight_texture(prepared.sunlight), clouds_texture(clouds), seen.texture
        )
        surfaces = SurfacePass(quality.patch, quality.tiles)
        self._palette = palette_uniforms(story.palette, story.scene, prepared.range_m, prepared.warmth)
        materials, detail = TileMaterials(self._palette, self._textures.noise, story.scene.relief_m), prepared.ground.detail
        self.surface: Surface = Surface(surfaces, prepared.tree, prepared.samples, materials, detail, quality.left_out)
        textures = self._textures
        self._own = self.surface, surfaces, self._target, textures.noise, textures.sunlight, textures.clouds, seen

    def picture(
        self,
        view: View,
        moment: Moment,
        behind: tuple[float, float, float] = (0.0, 0.0, 0.0),
        rivers: RiverWater | None = None,
    ) -> np.ndarray:
        """Linear light, float32 (height, width, 3). `behind`: the colour where no ground is; `rivers`: drawn on it."""
        from OpenGL import GL

        from demo.render.frame_view import look_through

        chosen = self.surface.choose(view, self._look, moment)
        self.tiles = len(chosen.tiled)
        GL.glClearColor(*behind, 1.0)
        self._target.begin()
        GL.glClearColor(0.0, 0.0, 0.0, 0.0)
        look_through(view)
        self.surface.draw(chosen, self.surface.land, view, self._look, moment, self._palette, self._textures, self._target)
        if rivers is not None:
            rivers.draw(view, self._look, moment, self.surface.land, self._size_m, self._textures, SIZE[1], 1.0)
        return self._target.read_floats()[..., :3]

    def free(self) -> None:
        for thing in self._own:
            thing.free()


@contextmanager
def drawn_surface(story: Story, quality: Quality, look: Look, clouds: np.ndarray | None = None) -> Iterator[DrawnSurface]:
    """In an open context, of a story that is prepared. `clouds`: as `Prepared` has them; None: there are none."""
    drawn = DrawnSurface(story, quality, look, clouds)
    try:
        yield drawn
    finally:
        drawn.free()
