"""The surface of one world: its textures and its one instanced draw."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from OpenGL import GL

from demo.render import gpu
from demo.render.lod import INSTANCE, PatchTree, patch_mesh
from demo.render.sky import Lamps, Look
from demo.render.view import View
from demo.worlds.relief import GUTTER, Relief

VERTEX = np.dtype([("cell", np.float32, 3)])
# One period of the noise, in radii or extents.
NOISE_PERIOD = 3.5


EVERYWHERE = np.zeros((0, 4))
# Radians a second.
CLOUD_DRIFT = 0.0035
# How high a planet's clouds are, in metres.
CLOUD_M = 5_500.0


@dataclass(frozen=True)
class Moment:
    """What of a surface changes from frame to frame.

    `mix`: from the heights of set 0 (0) to those of set 1 (1); `grown`: whether they are the final ones, so that the
    patches' bounds hold; `swell`: from the double cone's own form (0) to the sphere (1); `clouds`: how thick, 0..1;
    `bearings`: weights of the three bearings of the sun whose horizons a terrain keeps.
    """

    time: float
    mix: float = 0.0
    grown: bool = True
    swell: float = 1.0
    clouds: float = 0.0
    bearings: tuple[float, ...] = (1.0, 0.0, 0.0)


def surface_clouds(lamps: Lamps, moment: Moment, radius_m: float) -> dict:
    """The clouds over a planet as uniforms."""
    drift = moment.time * CLOUD_DRIFT
    return {
        "clouds": lamps.clouds.bind(8),
        "cloudy": (moment.clouds, float(np.cos(drift)), float(np.sin(drift))),
        "cloud_radius": radius_m + CLOUD_M,
    }


class SurfaceArtist:
    """What all surfaces share: the program and the patch."""

    def __init__(self, patch: int) -> None:
        self.patch = patch
        self.programs = gpu.Variants("surface.vert", "surface.frag")
        self.mesh, self.coarse_mesh = _mesh(patch), _mesh(patch // 2)

    def free(self) -> None:
        self.programs.free()
        self.mesh.free()
        self.coarse_mesh.free()


def _mesh(patch: int) -> gpu.Mesh:
    cells, indices = patch_mesh(patch)
    locations = {"patch": 1, "anchor": 2, "direction": 3}
    mesh = gpu.Mesh({"cell": 0}, VERTEX, locations, INSTANCE, np.ascontiguousarray(indices))
    vertices = np.zeros(len(cells), VERTEX)
    vertices["cell"] = cells
    mesh.fill(vertices)
    return mesh


class Surface:
    """A world on the GPU: two sets of textures, between which the shown heights are mixed."""

    def __init__(self, artist: SurfaceArtist, tree: PatchTree, samples: int, relief_m: float) -> None:
        """`tree`: the world's patches, of the artist's patch size; `samples`: along a face's edge."""
        atlas, side = tree.atlas, samples + 2 * GUTTER
        gpu.check_limits(atlas.faces, side)
        self.artist, self.atlas, self.samples = artist, atlas, samples
        self.size_m, self.relief_m = tree.size_m, relief_m
        shape = (atlas.faces, side, side)
        self._shape = shape
        self._sets: list[_TextureSet | None] = [_TextureSet(shape), None]
        self._tree = tree
        self.triangles = 0

    def upload(self, which: int, relief: Relief) -> None:
        """Put a relief's heights, normals and light into texture set 0 or 1."""
        if self._sets[which] is None:
            self._sets[which] = _TextureSet(self._shape)
        self._sets[which].upload(relief)

    def settle(self) -> None:
        """Let go of set 1: the heights of set 0 are the last."""
        if self._sets[1] is not None:
            self._sets[1].free()
            self._sets[1] = None

    def swap(self) -> None:
        """Make set 1 set 0 and the other way round."""
        self._sets.reverse()

    def draw(self, view: View, look: Look, moment: Moment, palette: dict, lamps: Lamps, rings: dict | None = None) -> None:
        """One instanced draw of the visible patches; `rings`: the uniforms of what shades them."""
        cone = moment.swell < 1.0
        # The bounds are the sphere's: while its form is another one, all of it is drawn, which is little from afar.
        planes = EVERYWHERE if cone else view.planes
        patches = self._tree.walk(view.eye, planes, view.drop, moment.grown, horizon=not cone)
        cells = self.artist.patch // 2 if look.coarse else self.artist.patch
        self.triangles = len(patches) * 2 * cells**2
        if not len(patches):
            return
        a, b = self._sets[0], self._sets[1] or self._sets[0]
        mesh = self.artist.coarse_mesh if look.coarse else self.artist.mesh
        program = self.artist.programs.get(
            MIXED=moment.mix > 0.0,
            LOOK=look.code,
            SPHERICAL=self.atlas.spherical,
            FLAT=look.flat,
            WIRE=look.wireframe,
            FINE=look.fine,
            CONE=cone,
            CLOUDS=self.atlas.spherical and moment.clouds > 0.0,
            RINGS=bool(rings),
        )
        mesh.fill_instances(patches)
        noise_m = self.size_m * NOISE_PERIOD
        program.use(
            **view.uniforms,
            atlas=self.atlas.code,
            patch=cells,
            samples=self.samples,
            size=self.size_m,
            mix=moment.mix,
            swell=moment.swell,
            **surface_clouds(lamps, moment, self.size_m),
            drop=view.drop,
            bearings=moment.bearings,
            relief_m=self.relief_m,
            height_scale=a.height_scale,
            steep=2.2 if self.atlas.spherical else 1.0,
            origin=np.mod(view.eye / noise_m, 1.0),
            noise_metres=noise_m,
            time=moment.time,
            noise=lamps.noise.bind(0),
            sunlight=lamps.sunlight.bind(7),
            heights_a=a.heights.bind(1),
            shade_a=a.shade.bind(2),
            light_a=a.light.bind(3),
            heights_b=b.heights.bind(4),
            shade_b=b.shade.bind(5),
            light_b=b.light.bind(6),
            **palette,
            **(rings or {}),
        )
        GL.glEnable(GL.GL_DEPTH_TEST)
        GL.glDepthFunc(GL.GL_LESS)
        if look.wireframe:
            GL.glPolygonMode(GL.GL_FRONT_AND_BACK, GL.GL_LINE)
        mesh.draw_instanced(GL.GL_TRIANGLE_STRIP, len(patches))
        GL.glPolygonMode(GL.GL_FRONT_AND_BACK, GL.GL_FILL)
        GL.glDisable(GL.GL_DEPTH_TEST)

    def free(self) -> None:
        for textures in self._sets:
            if textures is not None:
                textures.free()


class _TextureSet:
    def __init__(self, shape: tuple[int, int, int]) -> None:
        self.heights = gpu.Texture(gpu.ARRAY, gpu.R32F, shape, linear=False)
        self.shade = gpu.Texture(gpu.ARRAY, gpu.RGBA16_SNORM, shape)
        self.light: gpu.Texture | None = None
        self.height_scale = 1.0

    def upload(self, relief: Relief) -> None:
        self.heights.upload(relief.heights_m)
        self.shade.upload(relief.shade)
        if self.light is None:
            self.light = gpu.Texture(gpu.ARRAY, gpu.RGBA8, relief.light.shape[:3])
        self.light.upload(relief.light)
        self.height_scale = relief.height_scale

    def free(self) -> None:
        for texture in (self.heights, self.shade, self.light):
            if texture is not None:
                texture.free()
