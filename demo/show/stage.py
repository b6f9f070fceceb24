"""Stage: draws a moment of a story into a picture of light. Main thread only; needs a current OpenGL context."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from ..flight.camera import Pose, look_at
from ..geometry.circles import plane_circles
from ..geometry.forms import swollen
from ..geometry.frame_state import Moment
from ..geometry.view import View, make_view
from ..ground.air import Air
from ..maths.easing import ease
from ..maths.vectors import lengths
from ..render.clouds import PLANET_CLOUD_M, planet_clouds, terrain_clouds
from ..render.develop import Developed
from ..render.frame_view import look_through
from ..render.gl.targets import Target
from ..render.gl.textures import Texture
from ..render.glow import GlowBatch
from ..render.moon_and_rings_drawn import MoonAndRingsPass, RingsShown, bands_texture
from ..render.shared_textures import SharedTextures, clouds_texture, noise_texture, sunlight_texture
from ..render.sky import Background, SkyPass
from ..render.surface import Surface, SurfacePass
from ..render.town_lights import TownLights, TownLightsPass
from ..scenes.map_timing import map_moment
from ..story.story import Story
from ..tables.looks import Look
from ..tables.quality import Quality
from .map_layer import PlateArtist
from .moments import SUN_COLOUR, mixed, moment_of, palette_uniforms, pose_between, story_view, world_of, world_view

# A cut's ring glows for this long, from a little before the cut has its full height.
RING_SECONDS, RING_LEAD_S = 1.7, 0.35
# After the birth, until the last town is there.
TOWNS_S = 4.0
# And until the rings are.
RINGS_S = 5.0
# The first particles come in so many seconds, and so many before the birth's end the rain begins to end.
RAIN_COLOUR, RAIN_COMES_S, RAIN_GOES_S = np.array([1.0, 0.60, 0.24, 0.55]), 0.6, 1.6
# A frame in which nothing has been grown yet: space, slowly turning.
SPACE = Air(height_m=1.0, rayleigh_height_m=1.0, mie_height_m=1.0)


@dataclass
class Props:
    """What the stage keeps of one story.

    `bands`: of a planet's rings; `loaded`: the numbers of the key pictures in the surface's two sets, -1 for none;
    `hanging`: of those, by number, the particles above the ground (k, 4) and the highest land in metres; `circles`: of all
    cuts, their normals (k, 3) and their rings on the unit sphere, once one has been drawn.
    """

    textures: SharedTextures
    palette: dict
    towns: TownLights
    surface: Surface
    bands: Texture | None
    triangles: int = 0
    loaded: list[int] = field(default_factory=lambda: [-1, -1])
    hanging: dict[int, tuple[np.ndarray, float]] = field(default_factory=dict)
    circles: tuple[np.ndarray, np.ndarray] | None = None

    def free(self) -> None:
        for thing in (self.textures.sunlight, self.textures.clouds, self.towns, self.surface, self.bands):
            if thing is not None:
                thing.free()


class Stage:
    """The GPU side of the show: what all stories share, and the textures of those being shown."""

    def __init__(self, quality: Quality) -> None:
        self._quality = quality
        self._clear = clouds_texture(None)
        self.noise = noise_texture()
        self.sky = SkyPass()
        self.batch = GlowBatch()
        self._surface_pass: SurfacePass | None = None
        self._towns_artist, self._heaven, self._plates = TownLightsPass(), MoonAndRingsPass(), PlateArtist(self.batch)
        self._props: dict[Story, Props] = {}
        self._last: tuple | None = None

    def triangles(self) -> int:
        """Triangles sent in the last frame."""
        return sum(props.triangles for props in self._props.values())

    def drop(self, story: Story) -> None:
        """Free what belongs to a story; one that was never drawn is passed over."""
        self._plates.drop(story)
        self._last = None
        if story in self._props:
            self._props.pop(story).free()

    def trim(self) -> None:
        """Make room on the GPU for one more world."""
        if self._surface_pass:
            self._surface_pass.tiles.trim()

    def loaded(self, story: Story) -> bool:
        """Whether a story has anything to draw yet."""
        return story in self._props and self._props[story].loaded[0] >= 0

    def receive(self, story: Story) -> bool:
        """Make what a prepared story needs on the GPU, which is a frame's work; False if it is there."""
        new = story not in self._props
        self._props_of(story)
        return new

    def upload(self, story: Story, t: float) -> bool:
        """Upload those key pictures that time t needs and that are ready; True when all are there."""
        if story.prepared is None:
            return False
        props = self._props_of(story)
        surface, loaded = props.surface, props.loaded
        a, b, mix = story.replay.at(t)
        if loaded[0] != a and loaded[1] == a:
            surface.swap()
            loaded.reverse()
        if not self._fetch(story, props, 0, a):
            return False
        if a == story.prepared.timeline.pictures - 1:
            surface.settle()
            loaded[1] = -1
        return a == b or self._fetch(story, props, 1, b) or mix == 0.0

    def _fetch(self, story: Story, props: Props, which: int, number: int) -> bool:
        if props.loaded[which] == number:
            return True
        picture = story.replay.take(number)
        if picture is None:
            return False
        props.surface.upload(which, picture.relief)
        props.loaded[which] = number
        props.hanging[number] = picture.points, picture.highest_m
        for old in [known for known in props.hanging if known not in props.loaded]:
            del props.hanging[old]
        story.replay.give_back(picture)
        return True

    def _props_of(self, story: Story) -> Props:
        if story not in self._props:
            prepared, scene = story.prepared, story.scene
            self._props[story] = Props(
                textures=SharedTextures(self.noise, sunlight_texture(prepared.sunlight), clouds_texture(prepared.clouds)),
                palette=palette_uniforms(story.palette, scene, prepared.range_m),
                towns=TownLights(self._towns_artist, prepared.lamps, prepared.atlas.spherical),
                surface=Surface(
                    self._shared_surface_pass(),
                    prepared.tree,
                    prepared.samples,
                    scene.relief_m,
                    prepared.ground.detail,
                    self._quality.left_out,
                ),
                bands=bands_texture(prepared.moon_and_rings.rings) if prepared.moon_and_rings.rings else None,
            )
        return self._props[story]

    def _shared_surface_pass(self) -> SurfacePass:
        if self._surface_pass is None:
            self._surface_pass = SurfacePass(self._quality.patch, self._quality.tiles)
        return self._surface_pass

    def draw_space(self, target: Target, seconds: float) -> Iterator[Developed]:
        """Stars alone, for the time before the first world; band after band, as all that is drawn here."""
        angle = 0.6 + seconds * 0.02
        eye = np.array([0.0, 2.0 * SPACE.ground_radius_m, 0.0])
        ahead = np.array([np.cos(angle), 0.12, np.sin(angle)])
        pose = look_at(eye, eye + ahead, np.array([0.0, 1.0, 0.0]))
        view = make_view(pose, target.width / target.height, 1.0, 10.0, SPACE, np.zeros(3), ahead, SUN_COLOUR * 0.0)
        look_through(view)
        empty = SharedTextures(self.noise, self._clear, self._clear)
        for _ in target.bands():
            self.sky.draw(Background(stars=1.0, air=False), view, Look(), empty, target.height)
            yield Developed(target)

    def draw(self, story: Story, t: float, pose: Pose, look: Look, target: Target) -> Iterator[Developed]:
        """The story at time t seen from `pose`; `upload(story, t)` must have said True."""
        scene = story.scene
        view, stars, moment = self._seen(story, t, pose, target.width / target.height)
        if look.name == "as-printed":
            moment = replace(moment, sunk=0.0)
        props = self._props[story]
        textures, palette, surface = props.textures, props.palette, props.surface
        plate = map_moment(scene, t, look.borders)
        if moment.sheet is not None:
            # All of it is seen, and evenly fine: half as many cells along a patch are as many as elsewhere.
            look = replace(look, coarse=True)
        chosen, land = surface.choose(view, look, moment), surface.land
        props.triangles = chosen.triangles
        look_through(view)
        rings = self._rings(story, t) if look.name == "natural" else None
        exposure = scene.exposure * story.prepared.daylight.exposure(t) if look.name == "natural" else 1.0
        for _ in target.bands():
            surface.draw(chosen, land, view, look, moment, palette, textures, rings)
            if plate:
                self._plates.draw_lines(story, plate, view, look, moment, land, palette, textures, target.height)
            self._draw_sky(story, view, stars, look, moment, target.height)
            if look.name == "natural":
                self._draw_companions(story, view, stars, rings)
                self._draw_towns(story, t, view, moment, target.height)
            if plate:
                self._plates.add_marks(story, t, plate, view, moment, target.height)
            self._draw_marks(story, t, view, moment, target.height)
            yield Developed(target, exposure, linear=look.name != "natural")

    def _seen(self, story: Story, t: float, pose: Pose, aspect: float) -> tuple[View, float, Moment]:
        """A story's view, stars and moment: a frame asks for them more than once."""
        last = self._last
        if last is None or last[0] is not story or last[2] is not pose or (t, aspect) != last[1]:
            seen = *story_view(story, t, pose, aspect), moment_of(story, t, aspect)
            self._last = last = story, (t, aspect), pose, seen
        return last[3]

    def flows(self, old: Story, new: Story) -> bool:
        """Whether the heights of the one world can flow into those of the other."""
        a, b = old.prepared, new.prepared
        alike = a is not None and b is not None and a.atlas is b.atlas and a.samples == b.samples
        return alike and not (old.scene.cone or new.scene.cone)

    def draw_flow(
        self, old: Story, new: Story, pose: tuple[Pose, Pose], share: float, look: Look, target: Target
    ) -> Iterator[Developed]:
        """One world on its way into another, of which `flows` is true: land, air, light, colours, and the camera.

        `pose`: in the one and in the other. Both must be loaded, the new one at its start.
        """
        w = ease(share)
        before, after = world_of(old, old.t), world_of(new, new.t)
        world = before.towards(after, w)
        seen = pose_between(*pose, world.size_m / before.size_m, world.size_m / after.size_m, share, world)
        height = float(old.prepared.ground.sampled(seen.position[None] * (before.size_m / world.size_m))[0])
        view, stars = world_view(world, seen, target.width / target.height, max(height, 0.0) * (1.0 - w))
        a = moment_of(old, old.t, target.width / target.height)
        clouds = a.clouds * max(1.0 - 1.5 * w, 0.0)
        moment = replace(a, mix=w, grown=False, clouds=clouds, stretch=world.size_m / after.size_m)
        # The old land drowns: the new one begins as a sea.
        begins = moment_of(new, new.t, target.width / target.height)
        sunk = 1.4 * world.relief_m * w * (1.0 - w) + begins.sunk * w
        moment = replace(moment, sunk=sunk, deep=begins.deep * w)
        had, has = self._props[old], self._props[new]
        palette = mixed(had.palette, has.palette, w)
        textures, surface = replace(had.textures, sunlight=has.textures.sunlight), has.surface
        sea = None if world.spherical else tuple(palette["palette"][0].tolist())
        background = Background(stars, sea, clouds=None if world.spherical else terrain_clouds(view, moment))
        exposure, natural = 1.0, look.name == "natural"
        if natural:
            exposures = [s.scene.exposure * s.prepared.daylight.exposure(s.t) for s in (old, new)]
            # The eye is quicker than the light changes, or the day that comes would dazzle.
            exposure = exposures[0] ** (1.0 - ease(1.7 * share)) * exposures[1] ** ease(1.7 * share)
        chosen, land = surface.choose(view, look, moment), had.surface.land.flowing_into(surface.land, w)
        has.triangles = chosen.triangles
        look_through(view)
        for _ in target.bands():
            surface.draw(chosen, land, view, look, moment, palette, textures)
            self.sky.draw(background, view, look, textures, target.height)
            if new.prepared.moon_and_rings.moon and natural:
                self._heaven.draw_moon(new.prepared.moon_and_rings.moon, textures, stars, w)
            yield Developed(target, exposure, linear=not natural)

    def _draw_sky(self, story: Story, view: View, stars: float, look: Look, moment: Moment, height: int) -> None:
        if story.prepared.atlas.spherical:
            below = float(np.sqrt(view.eye @ view.eye)) < story.scene.size_m + PLANET_CLOUD_M and moment.clouds > 0.0
            clouds = planet_clouds(moment, story.scene.size_m) if below else None
            # The air belongs to the sphere: around a form that is still another one there is none.
            background = Background(stars, clouds=clouds, below_clouds=below, lit=moment.swell * moment.air)
        else:
            background = Background(stars, story.palette.deep, clouds=terrain_clouds(view, moment))
        self.sky.draw(background, view, look, self._props[story].textures, height)

    def _rings(self, story: Story, t: float) -> RingsShown | None:
        """The rings of a story's planet, once they are there."""
        shown = ease((t - story.scene.birth_s) / RINGS_S)
        rings, bands = story.prepared.moon_and_rings.rings, self._props[story].bands
        if shown <= 0.0 or rings is None or bands is None:
            return None
        return RingsShown(rings, bands, shown)

    def _draw_companions(self, story: Story, view: View, stars: float, rings: RingsShown | None) -> None:
        textures, heaven = self._props[story].textures, story.prepared.moon_and_rings
        if heaven.moon:
            self._heaven.draw_moon(heaven.moon, textures, stars)
        if rings:
            self._heaven.draw_rings(rings, view, textures, story.scene.size_m, stars)

    def _draw_towns(self, story: Story, t: float, view: View, moment: Moment, height: int) -> None:
        scene, props = story.scene, self._props[story]
        shown = ease((t - scene.birth_s) / TOWNS_S)
        cloudy = story.prepared.atlas.spherical and moment.clouds > 0.0
        clouds = planet_clouds(moment, scene.size_m) if cloudy else None
        props.towns.draw(view, view.uniforms["sun"], scene.size_m, shown, height, props.textures, clouds)

    def _draw_marks(self, story: Story, t: float, view: View, moment: Moment, height: int) -> None:
        prepared = story.prepared
        # Written so that any moment can be drawn alone: which rings glow follows from t, not from earlier frames.
        ages = t - prepared.ring_times + RING_LEAD_S
        # A plane that passes by the planet has no ring.
        glowing = np.flatnonzero((ages >= 0.0) & (ages < RING_SECONDS) & (np.abs(prepared.marks.rings[:, 3]) < 1.0))
        if glowing.size:
            self._draw_rings(story, t, glowing, ages[glowing] / RING_SECONDS, view, height)
        if not prepared.atlas.spherical:
            self._draw_rain(story, t, view, height)
        if story.prepared.outline is not None and not story.scene.map_timing:
            self._draw_outline(story, t, view, moment.swell, height)
        self.batch.draw()

    def _draw_rain(self, story: Story, t: float, view: View, height: int) -> None:
        """Particles on their way down: those of the last key picture, sunk by what has been done since, fade into those of
        the next one, which have not sunk so far yet."""
        prepared = story.prepared
        a, b, mix = story.replay.at(t)
        shown = ease((t - story.scene.birth[0][0]) / RAIN_COMES_S) * ease((story.scene.birth_s - t) / RAIN_GOES_S)
        fall = prepared.sinking_m * (prepared.timeline.step_of(b) - prepared.timeline.step_of(a))
        for number, sunk, strength in ((a, fall * mix, shown * (1.0 - mix)), (b, fall * (mix - 1.0), shown * mix)):
            points, _ = self._props[story].hanging.get(number, (None, 0.0))
            if points is None or not len(points) or strength <= 0.0:
                continue
            at = points[:, :3].astype(np.float64) - (0.0, sunk, 0.0) - view.eye
            away = lengths(at)
            pixels = np.minimum(np.maximum(1.2 * points[:, 3] / away * height, 1.5), 12.0)
            self.batch.points(at, RAIN_COLOUR * (1.0, 1.0, 1.0, strength), pixels)

    def _draw_outline(self, story: Story, t: float, view: View, swell: float, height: int) -> None:
        """Rhombi as dotted lines, while the cones stand and a little longer."""
        scene, outline = story.scene, story.prepared.outline
        strength = min(t - 0.5, 1.0, 0.4 * (scene.cone[1] + 3.0 - t))
        if strength > 0.0:
            at = swollen(outline, swell) * (scene.size_m + 1.3 * scene.relief_m)
            colour = np.array([1.0, 0.85, 0.55, 0.5 * strength])
            self.batch.points(at - view.eye, colour, max(1.5, height / 300.0))

    def _highest(self, story: Story, t: float) -> float:
        """Metres above the sea over which nothing of the land at time t rises, and a little more."""
        a, b, mix = story.replay.at(t)
        (_, low), (_, high) = (self._props[story].hanging.get(number, (None, 0.0)) for number in (a, b))
        return 1.06 * (low + (high - low) * mix) + 0.2 * story.scene.relief_m

    def _draw_rings(self, story: Story, t: float, numbers: np.ndarray, ages: np.ndarray, view: View, height: int) -> None:
        """The cuts `numbers` (k,), at `ages` (k,) in 0..1 of the time for which they glow."""
        props = self._props[story]
        if props.circles is None:
            planes = story.prepared.marks.rings.astype(np.float64)
            props.circles = planes[:, :3], plane_circles(planes[:, :3], planes[:, 3])
        normals, circles = (kept[numbers] for kept in props.circles)
        # As more of them glow at once, each is drawn finer.
        thin = 1.0 / (1.0 + 0.06 * numbers)
        centres = (story.scene.size_m + self._highest(story, t)) * circles - view.eye
        away = lengths(centres)[..., None]
        width = 2.6 / height * away * ((1.0 + 1.5 * ages) * (0.3 + 0.7 * thin))[:, None, None]
        colours = np.tile([1.0, 0.72, 0.32, 0.0], (len(ages), 1))
        colours[:, 3] = 1.1 * thin * np.minimum(ages * 8.0, 1.0) * (1.0 - ages) ** 2
        self.batch.ribbons(centres, normals[:, None] * width, colours)

    def draw_names(self, story: Story, t: float, pose: Pose, width: int, height: int) -> None:
        """The names of a map over a finished picture of width x height pixels."""
        plate = map_moment(story.scene, t, False)
        if plate:
            view, _, moment = self._seen(story, t, pose, width / height)
            self._plates.draw_names(story, plate, view, moment, width, height)

    def free(self) -> None:
        """Free everything; idempotent."""
        for story in list(self._props):
            self.drop(story)
        for thing in (
            self._clear,
            self.noise,
            self.sky,
            self.batch,
            self._towns_artist,
            self._heaven,
            self._plates,
            self._surface_pass,
        ):
            if thing:
                thing.free()
