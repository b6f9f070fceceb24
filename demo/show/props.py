"""Props: what a story needs on the GPU, and what all stories share there. Main thread only."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ..geometry.circles import plane_circles
from ..render.moon_and_rings_drawn import MoonPass, RingsPass, bands_texture
from ..render.river_water import RiverWater
from ..render.shared_textures import SharedTextures, clouds_texture, noise_texture, sunlight_texture
from ..render.sky_view import SkyView
from ..render.strip_pass import StripPass
from ..render.surface import Surface
from ..render.surface_pass import SurfacePass
from ..render.tile_materials import TileMaterials
from ..render.town_lights import TownLights, TownLightsPass
from .map_layer import MapLayer, MapPasses
from .palette_block import palette_uniforms

if TYPE_CHECKING:
    from ..render.gl.textures import Texture
    from ..render.shader_switches import RiverSwitches
    from ..story.prepared import Prepared
    from ..story.replay import Replay
    from ..story.story import Story
    from ..tables.quality import Quality


class Shared:
    """What all stories share on the GPU: programs, meshes, noise and a clear sky."""

    def __init__(self, quality: Quality) -> None:
        self.quality = quality
        self.noise, self.clear_sky = noise_texture(), clouds_texture(None)
        self.sky_view = SkyView()
        self.towns, self.maps = TownLightsPass(), MapPasses()
        self.rivers: StripPass[RiverSwitches] = StripPass()
        self._surfaces: SurfacePass | None = None

    @property
    def surfaces(self) -> SurfacePass:
        """Made when it is first asked for: the first picture, of space, does without."""
        if self._surfaces is None:
            self._surfaces = SurfacePass(self.quality.patch, self.quality.tiles, self.quality.measures)
        return self._surfaces

    def trim(self) -> None:
        """Make room for one more world."""
        if self._surfaces:
            self._surfaces.tiles.trim()

    def free(self) -> None:
        """Free everything; idempotent."""
        own = self.noise, self.clear_sky, self.sky_view, self.towns, self.maps, self.rivers, self._surfaces
        for thing in own:
            if thing:
                thing.free()


@dataclass(frozen=True)
class Hanging:
    """What is over the land of a key picture: `points` and `highest_m` as `KeyPicture` has them."""

    points: np.ndarray
    highest_m: float


NOTHING = Hanging(np.zeros((0, 4), np.float32), 0.0)


class Props:
    """What one story needs on the GPU: textures, its surface, its towns, its map, and the key pictures that are shown."""

    def __init__(self, shared: Shared, story: Story, prepared: Prepared) -> None:
        scene, rings = story.scene, prepared.moon_and_rings.rings
        sunlight, clouds = sunlight_texture(prepared.sunlight), clouds_texture(prepared.clouds)
        self._shared = shared
        self.textures = SharedTextures(shared.noise, sunlight, clouds, shared.sky_view.texture)
        self.palette = palette_uniforms(story.palette, scene, prepared.range_m, prepared.warmth)
        self.towns = TownLights(shared.towns, prepared.lamps, prepared.atlas.spherical)
        self.surface = Surface(
            shared.surfaces,
            prepared.tree,
            prepared.samples,
            TileMaterials(self.palette, shared.noise, scene.relief_m),
            prepared.ground.detail,
            shared.quality.left_out,
            prepared.river_beds,
        )
        # Few worlds have them, and a software renderer keeps 2 MB for each of their programs.
        self.moon = MoonPass() if prepared.moon_and_rings.moon else None
        self.rings = RingsPass() if rings else None
        self.bands: Texture | None = bands_texture(rings) if rings else None
        self.map = MapLayer(shared.maps, prepared.map, scene, prepared.metres, prepared.atlas) if prepared.map else None
        self.rivers: RiverWater | None = None
        self._story, self._prepared = story, prepared
        # Whether pictures of this world alone are over.
        self.dissolved = False
        # The numbers of the key pictures in the surface's two sets, -1 for none, and what hangs over each.
        self._uploaded = [-1, -1]
        self._hanging: dict[int, Hanging] = {}

    @property
    def ready(self) -> bool:
        """Whether there is a key picture to draw."""
        return self._uploaded[0] >= 0

    @cached_property
    def circles(self) -> tuple[np.ndarray, np.ndarray]:
        """Of all cuts: normals, float64 (k, 3), and rings on the unit sphere as `plane_circles` returns them."""
        planes = self._prepared.marks.rings.astype(np.float64)
        return planes[:, :3], plane_circles(planes[:, :3], planes[:, 3])

    def hanging_at(self, number: int) -> Hanging:
        """What is over the land of a key picture; nothing if it is not there."""
        return self._hanging.get(number, NOTHING)

    def upload(self, replay: Replay, t: float, carved: Prepared | None) -> bool:
        """Upload those key pictures that time t needs and that are ready; True when all are there that are seen.

        `carved`: what is known of the world once it is carved, needed for the last picture.
        """
        born = self._story.born or self._prepared
        self._flow(carved or born)
        if self.map and carved and carved.map:
            self.map.lay(carved.map)
        a, b, mix = replay.at(t)
        if self._uploaded[0] != a and self._uploaded[1] == a:
            self.surface.swap()
            self._uploaded.reverse()
        if not self._fetch(replay, 0, a, keeps=b):
            return False
        if carved and carved.cover is not None:
            self.surface.lay(carved.cover)
        last = self._prepared.timeline.pictures - 1
        if a == last:
            self.surface.settle()
            self._uploaded[1] = -1
        # Nothing is seen of the second one before the growth begins, while another world may still be there.
        there = a == b or (mix > 0.0 and self._fetch(replay, 1, b))
        self._take(carved if b == last and there and carved else born)
        return there or mix == 0.0

    def _flow(self, prepared: Prepared) -> None:
        """Rivers are there as soon as the land is known that carving leaves."""
        if self.rivers is None and prepared.rivers is not None and not self.dissolved:
            self.rivers = RiverWater(self._shared.rivers, prepared.rivers)

    def _take(self, prepared: Prepared) -> None:
        """The land is carved, or it is not any more: its patches, its detail and its towns are other ones than before.

        A map has beds of rivers for its flight alone.
        """
        before, self._prepared = self._prepared, prepared
        if prepared.ground is before.ground and prepared.river_beds is before.river_beds:
            return
        ground = prepared.ground
        self.surface.carve(prepared.tree, ground.detail, prepared.river_beds, ground.lakes)
        # They are known once, and not lit before the birth is over.
        if not self.towns.there:
            self.towns.free()
            self.towns = TownLights(self._shared.towns, prepared.lamps, prepared.atlas.spherical)

    def _fetch(self, replay: Replay, which: int, number: int, keeps: int = -1) -> bool:
        """Whether a picture is in one set. The one it replaces goes to the other set if it is the picture `keeps`."""
        if self._uploaded[which] == number:
            return True
        picture = replay.take(number)
        if picture is None:
            return False
        if self._uploaded[which] == keeps and keeps >= 0:
            self.surface.swap()
            self._uploaded.reverse()
        self.surface.upload(which, picture.relief)
        self._uploaded[which] = number
        self._hanging[number] = Hanging(picture.points, picture.highest_m)
        for old in [known for known in self._hanging if known not in self._uploaded]:
            del self._hanging[old]
        replay.give_back(picture)
        return True

    def dissolve(self) -> None:
        """Let go of detail and rivers: this world is on its way into another one, and not drawn by itself again."""
        if not self.dissolved:
            self.dissolved = True
            self.surface.let_go_of_tiles()
            if self.rivers is not None:
                self.rivers.free()
                self.rivers = None

    def free(self) -> None:
        """Free everything; idempotent."""
        for thing in (
            self.textures.sunlight,
            self.textures.clouds,
            self.towns,
            self.surface,
            self.moon,
            self.rings,
            self.bands,
            self.map,
            self.rivers,
        ):
            if thing is not None:
                thing.free()
