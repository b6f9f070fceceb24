"""Stage: draws frames into pictures of light. Main thread only; needs a current OpenGL context."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np

from ..flight.camera import look_at
from ..geometry.forms import Sheet
from ..geometry.frame_state import Moment
from ..geometry.patch_tree import PatchTree
from ..geometry.sunlight import sunlight_table
from ..geometry.view import make_view
from ..ground.air import Air
from ..ground.detail import detail_of
from ..ground.relief import Relief
from ..maths.easing import ease
from ..maths.vectors import length
from ..render.develop import Developed, Post
from ..render.gl.targets import Target
from ..render.gl.textures import RGBA8, Texture
from ..render.glow import Batch
from ..render.moon_and_rings_drawn import bands_texture, ring_uniforms
from ..render.sky import Lamps, Look, Sky, sunlight_texture
from ..render.surface import CLOUD_M, Surface, surface_clouds, terrain_clouds
from ..render.town_lights import Towns
from ..scenes.moon_and_rings import Moon, Rings
from ..scenes.scene import Scene
from ..scenes.scenes import SCENES
from ..scenes.towns import LAMP
from ..story.story import Story
from ..tables.quality import Quality
from ..worlds.atlas import ATLASES
from .flow import Flow, mixed
from .frame import SUN_COLOUR, Frame
from .growth_marks import add_growth_marks
from .props import Props, Shared, palette_uniforms

# Seconds after the birth until the last town is there, and until the rings are.
TOWNS_S, RINGS_S = 4.0, 5.0
# Where nothing has been grown yet: space, slowly turning.
SPACE = Air(height_m=1.0, rayleigh_height_m=1.0, mie_height_m=1.0)


class Stage:
    """The GPU side of the show: what all stories share, and what those need that are being shown."""

    def __init__(self, quality: Quality) -> None:
        self._shared = Shared(quality)
        self._sky, self._batch = Sky(), Batch()
        self._props: dict[Story, Props] = {}

    @property
    def noise(self) -> Texture:
        """The noise that all pictures share."""
        return self._shared.noise

    def triangles(self) -> int:
        """Triangles sent in the last frame."""
        return sum(props.surface.triangles for props in self._props.values())

    # --- what stories need on the GPU ------------------------------------------------------------------------------

    def receive(self, story: Story) -> bool:
        """Make what a prepared story needs on the GPU, which is a frame's work; False if it is there or not prepared yet."""
        if story in self._props or story.prepared is None:
            return False
        self._props[story] = Props(self._shared, story, story.prepared)
        return True

    def upload(self, story: Story, t: float) -> bool:
        """Upload those key pictures that time t needs and that are ready; True when all are there."""
        self.receive(story)
        return story.replay is not None and story in self._props and self._props[story].upload(story.replay, t)

    def loaded(self, story: Story) -> bool:
        """Whether a story has anything to draw yet."""
        return story in self._props and self._props[story].ready

    def drop(self, story: Story) -> None:
        """Free what belongs to a story; one that was never drawn is passed over."""
        if story in self._props:
            self._props.pop(story).free()

    def trim(self) -> None:
        """Make room on the GPU for one more world."""
        self._shared.trim()

    # --- drawing ---------------------------------------------------------------------------------------------------

    def draw_space(self, target: Target, seconds: float) -> Developed:
        """Stars alone, for the time before the first world."""
        angle = 0.6 + seconds * 0.02
        eye = np.array([0.0, 2.0 * SPACE.ground_radius_m, 0.0])
        ahead = np.array([np.cos(angle), 0.12, np.sin(angle)])
        pose = look_at(eye, eye + ahead, np.array([0.0, 1.0, 0.0]))
        view = make_view(pose, target.width / target.height, 1.0, 10.0, SPACE, np.zeros(3), ahead, SUN_COLOUR * 0.0)
        lamps = Lamps(self.noise, self._shared.clear_sky, self._shared.clear_sky)
        target.begin()
        self._sky.draw(view, Look(), 1.0, lamps, None, target.height, air=False)
        return Developed(target)

    def draw(self, frame: Frame, target: Target) -> Developed:
        """A frame of a story of which all is uploaded that its moment needs."""
        props, view, height = self._props[frame.story], frame.view, target.height
        props.surface.choose(view, frame.look, frame.moment)
        rings = self._rings(frame, props) if frame.natural else None
        target.begin()
        props.surface.draw(view, frame.look, frame.moment, props.palette, props.lamps, rings)
        if props.map and frame.map:
            props.map.draw_lines(frame, frame.map, props.palette, props.lamps, height, props.surface)
        self._draw_sky(frame, props, height)
        if frame.natural:
            self._draw_moon_and_rings(frame, props, rings)
            self._draw_towns(frame, props, height)
        if props.map and frame.map:
            props.map.add_marks(self._batch, frame, frame.map, height)
        add_growth_marks(self._batch, frame, props, height)
        self._batch.draw(view)
        return Developed(target, frame.exposure, linear=not frame.natural)

    def draw_names(self, frame: Frame, width: int, height: int) -> None:
        """The names of a map over a finished picture of width x height pixels."""
        layer = self._props[frame.story].map
        if layer and frame.map:
            layer.draw_names(frame, frame.map, width, height)

    def draw_flow(self, flow: Flow, target: Target) -> Developed:
        """One world on its way into another; both must be uploaded."""
        had, has = self._props[flow.old.story], self._props[flow.new.story]
        palette = mixed(had.palette, has.palette, flow.share)
        lamps, surface = replace(had.lamps, sunlight=has.lamps.sunlight), has.surface
        sea = None if flow.world.spherical else tuple(palette["palette"][0].tolist())
        moon = flow.new.prepared.moon_and_rings.moon if flow.natural else None
        with surface.fed_by(had.surface, flow.share):
            surface.choose(flow.view, flow.look, flow.moment)
            target.begin()
            surface.draw(flow.view, flow.look, flow.moment, palette, lamps)
        clouds = terrain_clouds(flow.view, flow.moment)
        self._sky.draw(flow.view, flow.look, flow.stars, lamps, sea, target.height, clouds=clouds)
        if moon:
            self._shared.moons.draw_moon(moon, flow.view, lamps, flow.stars, flow.share)
        return Developed(target, flow.exposure, linear=not flow.natural)

    def _draw_sky(self, frame: Frame, props: Props, height: int) -> None:
        view, moment, look, size_m = frame.view, frame.moment, frame.look, frame.story.scene.size_m
        if not frame.prepared.atlas.spherical:
            sea, clouds = frame.story.palette.deep, terrain_clouds(view, moment)
            self._sky.draw(view, look, frame.stars, props.lamps, sea, height, clouds=clouds)
            return
        # The air belongs to the sphere: around a form that is still another one there is none.
        view = replace(view, uniforms={**view.uniforms, "sun_colour": SUN_COLOUR * moment.swell * moment.air})
        below = length(view.eye) < size_m + CLOUD_M
        shell = surface_clouds(props.lamps, moment, size_m) if below and moment.clouds > 0.0 else None
        self._sky.draw(view, look, frame.stars, props.lamps, None, height, shell=shell)

    def _rings(self, frame: Frame, props: Props) -> dict | None:
        """The rings of a planet as uniforms, once they are there."""
        shown = ease((frame.t - frame.story.scene.birth_s) / RINGS_S)
        rings = frame.prepared.moon_and_rings.rings
        return ring_uniforms(rings, props.bands, shown) if shown > 0.0 and rings and props.bands else None

    def _draw_moon_and_rings(self, frame: Frame, props: Props, shades: dict | None) -> None:
        """`shades`: the rings as uniforms, once they are there."""
        sky = frame.prepared.moon_and_rings
        if sky.moon:
            self._shared.moons.draw_moon(sky.moon, frame.view, props.lamps, frame.stars)
        if sky.rings and shades:
            size_m = frame.story.scene.size_m
            self._shared.moons.draw_rings(sky.rings, shades, frame.view, props.lamps, size_m, frame.stars)

    def _draw_towns(self, frame: Frame, props: Props, height: int) -> None:
        scene, view, moment = frame.story.scene, frame.view, frame.moment
        shown = ease((frame.t - scene.birth_s) / TOWNS_S)
        cloudy = frame.prepared.atlas.spherical and moment.clouds > 0.0
        clouds = surface_clouds(props.lamps, moment, scene.size_m) if cloudy else {}
        props.towns.draw(view, view.uniforms["sun"], scene.size_m, shown, height, **clouds)

    def rehearse(self, scene: str) -> None:
        """Draw every kind of frame of a scene once from a made-up world: the driver compiles its shaders, and keeps them."""
        target, picture, post = Target(32, 18), Target(32, 18, RGBA8, depth=False), Post()
        look = Look(fine=self._shared.quality.fine)
        drawn = self.draw_space(target, 0.0)
        post.keep(drawn, self.noise)
        for melt in (None, 0.5):
            post.draw(drawn, melt, self.noise, picture.canvas)
        # Names are drawn over the picture that is bound.
        if SCENES[scene].map_timing:
            self._shared.maps.rehearse_names(picture.width, picture.height)
        self._rehearse_scene(SCENES[scene], look, target)
        target.read()
        for thing in (target, picture, post):
            thing.free()

    def _rehearse_scene(self, scene: Scene, look: Look, target: Target) -> None:
        atlas, palette = ATLASES[scene.atlas], scene.palettes[0]
        lamps = Lamps(self.noise, sunlight_texture(sunlight_table(scene.air)), self._shared.clear_sky)
        surfaces = []
        # Near the shore and far from it: those are drawn apart.
        for height_m in (1.0, scene.relief_m):
            heights = np.full((atlas.faces, 9, 9), height_m, np.float32)
            tree = PatchTree(atlas, heights, self._shared.quality.patch, scene.size_m)
            detail = detail_of(atlas, heights, scene.size_m, 0)
            surfaces.append(Surface(self._shared.surfaces, tree, 9, scene.relief_m, detail))
        surfaces.append(Surface(self._shared.surfaces, tree, 9, scene.relief_m))
        for surface, which in product(surfaces, (0, 1)):
            surface.upload(which, Relief.empty(atlas, 9))
        up = np.array([0.0, 1.0, 0.0])
        eye = np.array([0.0, 0.2 if scene.is_terrain else 3.0, 1.2]) * scene.size_m
        centre = up * (-scene.air.ground_radius_m if scene.is_terrain else 0.0)
        view = make_view(look_at(eye, np.zeros(3), up), 1.8, 100.0, 10.0 * scene.size_m, scene.air, centre, up, SUN_COLOUR)
        uniforms = palette_uniforms(palette, scene, (0.0, 1.0))
        moments = [Moment(0.0, 0.5), Moment(0.0), Moment(0.0, clouds=1.0), Moment(0.0, 0.5, clouds=1.0)]
        moments.append(Moment(0.0, clouds=0.5, detail=0.5))
        if scene.cone:
            moments += [Moment(0.0, 0.5, swell=0.5), Moment(0.0, swell=0.5)]
        if scene.map_timing:
            sheet = Sheet(0.5, np.eye(3) * scene.size_m, eye, 0)
            moments = [replace(moment, lakes=True) for moment in moments]
            moments += [Moment(0.0, sheet=sheet, lakes=True)]
        for surface, moment in product(surfaces, moments):
            surface.choose(view, look, moment)
            target.begin()
            surface.draw(view, look, moment, uniforms, lamps)
        if scene.map_timing:
            self._shared.maps.rehearse(view, look, moments, uniforms, lamps, surfaces[0])
        if atlas.spherical:
            rings = Rings(up, 1.5, 2.0, np.zeros((2, 4), np.uint8))
            bands = bands_texture(rings)
            shades = ring_uniforms(rings, bands, 1.0)
            for surface, moment in product(surfaces, moments[1:3]):
                surface.choose(view, look, moment)
                target.begin()
                surface.draw(view, look, moment, uniforms, lamps, shades)
            self._shared.moons.draw_rings(rings, shades, view, lamps, scene.size_m, 1.0)
            bands.free()
        self._shared.moons.draw_moon(Moon(up, 0.01, up), view, lamps, 1.0)
        towns = Towns(self._shared.towns, np.ones(1, LAMP), atlas.spherical)
        for clouds in ({}, surface_clouds(lamps, moments[2], scene.size_m)) if atlas.spherical else ({},):
            towns.draw(view, -up, 1.0, 1.0, target.height, **clouds)
        towns.free()
        for stars in (0.0, 1.0):
            self._sky.draw(view, look, stars, lamps, palette.deep if scene.is_terrain else None, target.height)
            if atlas.spherical:
                shell = surface_clouds(lamps, moments[2], scene.size_m)
                self._sky.draw(view, look, stars, lamps, None, target.height, shell=shell)
        self._batch.points(np.zeros((1, 3)), np.ones(4), 1.0)
        self._batch.draw(view)
        lamps.sunlight.free()
        for surface in surfaces:
            surface.free()

    def free(self) -> None:
        """Free everything; idempotent."""
        for story in list(self._props):
            self.drop(story)
        for thing in (self._sky, self._batch, self._shared):
            thing.free()
