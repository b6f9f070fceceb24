"""Heights, normals and light of a world as textures."""

from __future__ import annotations

from dataclasses import dataclass

from ..geometry.exaggeration import EXAGGERATION
from ..ground.relief import GUTTER, OPEN, Relief
from .gl.textures import ARRAY, R32F, RGBA8, RGBA16_SNORM, Texture


class HeightTextures:
    """One relief on the GPU: array textures with one layer a face.

    `heights`: metres; `shade`: normal, and height / `height_scale`; `light`: what horizons leave of the light.
    `coarse`: the coarser levels below one another, None where they are every second sample. `printed`: as in `Relief`.
    """

    def __init__(self, relief: Relief) -> None:
        faces, side, _ = relief.heights_m.shape
        self.samples = side - 2 * GUTTER
        self.heights = Texture(ARRAY, R32F, (faces, side, side), linear=False)
        self.shade = Texture(ARRAY, RGBA16_SNORM, (faces, side, side))
        self.light = Texture(ARRAY, RGBA8, relief.light.shape[:3])
        levels = relief.coarse_m
        # Stands in for lakes: textures that are read in other ways have the driver compile a program anew.
        self.dry = Texture(ARRAY, R32F, (faces, OPEN, OPEN))
        self.coarse = None if levels is None else Texture(ARRAY, R32F, levels.shape, linear=False)
        self.height_scale, self.printed = 1.0, relief.printed
        self.upload(relief)

    def upload(self, relief: Relief) -> None:
        """Replace the relief by another one of its shape."""
        self.heights.upload(relief.heights_m)
        self.shade.upload(relief.shade)
        if self.light.shape != relief.light.shape[:3]:
            # The last picture of a planet has shadows.
            self.light.free()
            self.light = Texture(ARRAY, RGBA8, relief.light.shape[:3])
        self.light.upload(relief.light)
        if self.coarse and relief.coarse_m is not None:
            self.coarse.upload(relief.coarse_m)
        self.height_scale, self.printed = relief.height_scale, relief.printed

    def free(self) -> None:
        for texture in (self.heights, self.shade, self.light, self.dry, self.coarse):
            if texture:
                texture.free()


@dataclass(frozen=True)
class Land:
    """The land that a surface shows, on its way from the heights `a` (`Moment.mix` 0) to those of `b` (1).

    `relief_m`: metres of the highest land. `steep`: how many times as steep slopes are drawn from afar. `cover_a`,
    `cover_b`: what climate and waters make of the ground; None before that is known. `lakes`: the levels of its lakes; None
    without.
    """

    a: HeightTextures
    b: HeightTextures
    relief_m: float
    steep: float
    cover_a: Texture | None = None
    cover_b: Texture | None = None
    lakes: Texture | None = None

    @property
    def last(self) -> Land:
        """The land that this one passes into."""
        return Land(self.b, self.b, self.relief_m, self.steep, self.cover_b, self.cover_b, self.lakes)

    @property
    def samples(self) -> int:
        """Along a face's edge, without gutter."""
        return self.a.samples

    def flowing_into(self, other: Land, share: float) -> Land:
        """The land on its way from this one to `other`, of as many samples. Draw it with `Moment.mix` the same `share`."""
        relief_m = self.relief_m + (other.relief_m - self.relief_m) * share
        steep = self.steep + (other.steep - self.steep) * share
        return Land(self.a, other.a, relief_m, steep, self.cover_a, other.cover_a, self.lakes)

    @property
    def cover_grid(self) -> tuple[float, float]:
        """(factor, offset) from the texture coordinates of the heights to those of the cover, which may be coarser."""
        cover = self.cover_a or self.cover_b
        if cover is None:
            return 1.0, 0.0
        side, first = cover.shape[-1], GUTTER + 0.5
        fewer = (side - 2 * GUTTER - 1) / (self.samples - 1)
        return (self.samples + 2 * GUTTER) * fewer / side, first * (1.0 - fewer) / side

    def height_scale(self, mix: float) -> float:
        """Metres of a full-scale height in `shade`, between the two."""
        return _between((self.a.height_scale, self.b.height_scale), mix)

    @property
    def raised(self) -> tuple[float, float]:
        """How many times as high the heights a and b stand in the look of the article."""
        return self.a.printed.raised or 1.0, self.b.printed.raised or 1.0

    def printed_steep(self, mix: float) -> float:
        """How many times as steep slopes are drawn in the look of the article: as steep as they stand, if it says that."""
        return _between(self.raised, mix) if self.a.printed.raised else EXAGGERATION

    def printed_range(self, mix: float) -> tuple[float, float]:
        """The heights in metres of the lowest and the highest colour in the look of the article, between the two."""
        low, high = zip(self.a.printed.range_m, self.b.printed.range_m, strict=True)
        return _between(low, mix), _between(high, mix)

    def units(self) -> dict[str, int]:
        """Texture units by the names of the samplers."""
        a, b = self.a, self.b
        # Without levels of their own no shader reads them: the heights stand in for a texture of their kind.
        coarse = {"coarse_a": (a.coarse or a.heights).bind(), "coarse_b": (b.coarse or b.heights).bind()}
        return coarse | {
            "heights_a": a.heights.bind(),
            "shade_a": a.shade.bind(),
            "light_a": a.light.bind(),
            "heights_b": b.heights.bind(),
            "shade_b": b.shade.bind(),
            "light_b": b.light.bind(),
            # Ground that no climate has covered reads nothing of it: the light stands in for a texture of its kind.
            "cover_a": (self.cover_a or a.light).bind(),
            "cover_b": (self.cover_b or b.light).bind(),
            "lakes": (self.lakes or a.dry).bind(),
        }


def _between(ends: tuple[float, float], mix: float) -> float:
    return ends[0] + (ends[1] - ends[0]) * mix
