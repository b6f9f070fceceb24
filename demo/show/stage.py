"""Stage: draws frames into pictures of light. Main thread only; needs a current OpenGL context."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ..flight.camera import look_at
from ..geometry.view import make_view
from ..ground.air import Air
from ..maths.easing import ease
from ..maths.vectors import length
from ..render.clouds import PLANET_CLOUD_M, planet_clouds, terrain_clouds
from ..render.develop import DevelopPass, LightPicture
from ..render.frame_view import look_through
from ..render.glow import GlowBatch
from ..render.moon_and_rings_drawn import RingsShown
from ..render.shared_textures import SharedTextures
from ..render.sky import Background, SkyPass
from ..render.tiles import TEXELS_A_CELL
from ..scenes.daylight import SUN_COLOUR
from ..tables.looks import Look
from .flow import Flow, mixed
from .frame import Frame
from .growth_marks import add_growth_marks
from .props import Props, Shared
from .rehearsal import Passes, Rehearsal

if TYPE_CHECKING:
    from ..geometry.view import Part, View
    from ..render.gl.targets import Target
    from ..render.gl.textures import Texture
    from ..story.story import Story
    from ..tables.quality import Quality

# Seconds after the birth until the last town is there, and until the rings are.
TOWNS_S, RINGS_S = 4.0, 5.0
# By this share of the way into another world the rivers of the old one are gone.
RIVERS_GO = 0.12
# Where nothing has been grown yet: space, slowly turning.
SPACE = Air(height_m=1.0, rayleigh_height_m=1.0, mie_height_m=1.0)


class Stage:
    """The GPU side of the show: what all stories share, and what those need that are being shown."""

    def __init__(self, quality: Quality) -> None:
        self._shared = Shared(quality)
        self._sky, self._batch = SkyPass(), GlowBatch()
        self._props: dict[Story, Props] = {}
        self._sent: dict[Story, int] = {}

    @property
    def noise(self) -> Texture:
        """The noise that all pictures share."""
        return self._shared.noise

    @property
    def texels(self) -> int:
        """Along the edge of a tile."""
        return self._shared.quality.patch * TEXELS_A_CELL

    def rehearsal(self, develop: DevelopPass) -> Rehearsal:
        """A rehearsal of the programs with which the stage and `develop` draw; the caller frees it."""
        shared = self._shared
        maps = shared.maps
        passes = Passes(
            shared.surfaces, self._sky, maps.lines, shared.towns, develop, shared.rivers, maps.names, self._batch
        )
        return Rehearsal(passes, shared.noise)

    def triangles(self) -> int:
        """Triangles sent in the last frame."""
        return sum(self._sent.values())

    # --- what stories need on the GPU ------------------------------------------------------------------------------

    def receive(self, story: Story) -> bool:
        """Make what a prepared story needs on the GPU, which is a frame's work; False if it is there or not prepared yet."""
        if story in self._props or story.born is None:
            return False
        self._props[story] = Props(self._shared, story, story.born)
        return True

    def upload(self, story: Story, t: float) -> bool:
        """Upload those key pictures that time t needs and that are ready; True when all are there."""
        self.receive(story)
        if story.replay is None or story not in self._props or not story.is_prepared_at(t):
            return False
        props = self._props[story]
        there = props.upload(story.replay, t, story.known_at(t))
        story.uploaded(props.rivers is not None, props.surface.covered, props.towns.there)
        return there

    def loaded(self, story: Story) -> bool:
        """Whether a story has anything to draw yet."""
        return story in self._props and self._props[story].ready

    def drop(self, story: Story) -> None:
        """Free what belongs to a story; one that was never drawn is passed over."""
        if story in self._props:
            self._props.pop(story).free()
            self._sent.pop(story, None)

    def dissolve(self, story: Story) -> None:
        """A story is drawn by itself no more, and its rivers have gone: what only they need is freed."""
        self._props[story].dissolve()

    def is_dissolved(self, story: Story) -> bool:
        """Whether a story is drawn by itself no more."""
        return story in self._props and self._props[story].dissolved

    def trim(self) -> None:
        """Make room on the GPU for one more world."""
        self._shared.trim()

    # --- drawing ---------------------------------------------------------------------------------------------------

    def draw_space(self, target: Target, seconds: float, part: Part) -> LightPicture:
        """Stars alone, for the time before the first world."""
        angle = 0.6 + seconds * 0.02
        eye = np.array([0.0, 2.0 * SPACE.ground_radius_m, 0.0])
        ahead = np.array([np.cos(angle), 0.12, np.sin(angle)])
        pose = look_at(eye, eye + ahead, np.array([0.0, 1.0, 0.0]))
        view = make_view(pose, part, 1.0, 10.0, SPACE, np.zeros(3), ahead, SUN_COLOUR * 0.0)
        look_through(view)
        empty = SharedTextures(self.noise, *[self._shared.clear_sky] * 3)
        target.begin()
        self._sky.draw(Background(stars=1.0, air=False), view, Look(), empty, target.height)
        return LightPicture(target)

    def foresee(self, frame: Frame, view: View, frames: int) -> None:
        """Have made ahead, in so many frames, what the ground of a frame's story needs in `view`, which is to come."""
        self._props[frame.story].surface.foresee(view, frame.look, frame.moment, frames)

    def make_ahead(self, story: Story) -> None:
        """Make some of what was foreseen; changes the bound target."""
        self._props[story].surface.make_ahead()

    def draw(self, frame: Frame, target: Target) -> LightPicture:
        """A frame of a story of which all is uploaded that its moment needs."""
        props, view, look, moment = self._props[frame.story], frame.view, frame.look, frame.moment
        chosen, land = props.surface.choose(view, look, moment), props.surface.land
        self._sent[frame.story] = chosen.triangles
        rings = self._rings(frame, props) if frame.natural else None
        self._look_through(view, props.textures)
        target.begin()
        props.surface.draw(chosen, land, view, look, moment, props.palette, props.textures, target, rings)
        if props.rivers:
            props.rivers.draw(
                view,
                look,
                moment,
                land,
                frame.story.scene.size_m,
                props.textures,
                target.height,
                frame.gathered,
                frame.bedded,
                rings,
            )
        if props.map and frame.map:
            props.map.draw_lines(frame, frame.map, land, props.palette, props.textures, target.height)
        self._sky.draw(self._background(frame), view, look, props.textures, target.height)
        if frame.natural:
            self._draw_moon_and_rings(frame, props, rings)
            self._draw_towns(frame, props, target.height)
        if props.map and frame.map:
            props.map.add_marks(self._batch, frame, frame.map, target.height)
        add_growth_marks(self._batch, frame, props, target.height)
        self._batch.draw()
        return LightPicture(target, frame.exposure, linear=not frame.natural)

    def draw_names(self, frame: Frame, width: int, height: int) -> None:
        """The names of a map over a finished picture of width x height pixels."""
        layer = self._props[frame.story].map
        if layer and frame.map:
            layer.draw_names(frame, frame.map, width, height)

    def draw_flow(self, flow: Flow, target: Target) -> LightPicture:
        """One world on its way into another; both must be uploaded."""
        had, has = self._props[flow.old.story], self._props[flow.new.story]
        palette = mixed(had.palette, has.palette, flow.share)
        textures = replace(had.textures, sunlight=has.textures.sunlight)
        moon = flow.new.prepared.moon_and_rings.moon
        chosen = has.surface.choose(flow.view, flow.look, flow.moment)
        self._sent[flow.new.story] = chosen.triangles
        land = had.surface.land.flowing_into(has.surface.land, flow.share)
        self._look_through(flow.view, textures)
        target.begin()
        has.surface.draw(chosen, land, flow.view, flow.look, flow.moment, palette, textures, target)
        if had.rivers:
            size_m, left = flow.world.size_m, 1.0 - ease(flow.share / RIVERS_GO)
            had.rivers.draw(
                flow.view, flow.look, flow.moment, land, size_m, textures, target.height, flow.old.gathered, left
            )
        if flow.world.spherical:
            background = Background(flow.stars)
        else:
            sea_colour = tuple(palette["palette"][0].tolist())
            background = Background(flow.stars, sea_colour, clouds=terrain_clouds(flow.view, flow.moment))
        self._sky.draw(background, flow.view, flow.look, textures, target.height)
        if moon and has.moon and flow.natural:
            has.moon.draw(moon, textures, flow.stars, flow.share)
        return LightPicture(target, flow.exposure, linear=not flow.natural)

    def _look_through(self, view: View, textures: SharedTextures) -> None:
        """Draw as this view sees it from now on, through its air."""
        look_through(view)
        self._shared.sky_view.draw(view, textures.sunlight)

    def _background(self, frame: Frame) -> Background:
        view, moment, size_m = frame.view, frame.moment, frame.story.scene.size_m
        if not frame.prepared.atlas.spherical:
            return Background(frame.stars, frame.story.palette.deep, clouds=terrain_clouds(view, moment))
        below = length(view.eye) < size_m + PLANET_CLOUD_M and moment.clouds > 0.0
        clouds = planet_clouds(moment, size_m) if below else None
        # The air belongs to the sphere: around a form that is still another one there is none.
        return Background(frame.stars, clouds=clouds, below_clouds=below, air_there=moment.swell * moment.air)

    def _rings(self, frame: Frame, props: Props) -> RingsShown | None:
        """The rings of a planet, once they are there."""
        shown = ease((frame.t - frame.story.scene.grown_s) / RINGS_S)
        rings = frame.prepared.moon_and_rings.rings
        return RingsShown(rings, props.bands, shown) if shown > 0.0 and rings and props.bands else None

    def _draw_moon_and_rings(self, frame: Frame, props: Props, rings: RingsShown | None) -> None:
        moon = frame.prepared.moon_and_rings.moon
        if moon and props.moon:
            props.moon.draw(moon, props.textures, frame.stars)
        if rings and props.rings:
            props.rings.draw(rings, frame.view, props.textures, frame.story.scene.size_m, frame.stars)

    def _draw_towns(self, frame: Frame, props: Props, height: int) -> None:
        scene, view = frame.story.scene, frame.view
        shown = ease((frame.t - scene.birth_s) / TOWNS_S)
        cloudy = frame.prepared.atlas.spherical and frame.moment.clouds > 0.0
        clouds = planet_clouds(frame.moment, scene.size_m) if cloudy else None
        night = frame.prepared.daylight.night_at(frame.t)
        props.towns.draw(view, view.uniforms["sun"], scene.size_m, shown, height, props.textures, clouds, night)

    def free(self) -> None:
        """Free everything; idempotent."""
        for story in list(self._props):
            self.drop(story)
        for thing in (self._sky, self._batch, self._shared):
            thing.free()
