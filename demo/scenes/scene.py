"""Scene: the record of one algorithm's story, which a row of SCENES fills in. Plain data."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from ..catalogue.generators import GENERATORS
from ..ground.air import Air
from ..worlds import hashing
from ..worlds.parameters import is_printed
from .palettes import Palette, Printed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..catalogue.generator import Generator
    from ..worlds.parameters import Parameter, Value

PALETTE_STREAM, VARIETY_STREAM = 101, 102
# In so many last seconds of carving the land passes into what stays, and with it comes all that is finer than the samples.
SETTLES_S = 4.5
EARTH_AIR = Air()


@dataclass(frozen=True)
class MapTiming:
    """When the map's scene shows each thing, as (from, to) in seconds since the scene's start.

    `rain` falls; `rivers` run to their mouths; `rhombi` are drawn; the sphere begins to `unroll` and is a sheet; it begins
    to `roll` up and is a sphere again; `names` and borders are shown.
    """

    rain: tuple[float, float]
    rivers: tuple[float, float]
    rhombi: tuple[float, float]
    unroll: tuple[float, float]
    roll: tuple[float, float]
    names: tuple[float, float]


@dataclass(frozen=True)
class Variety:
    """What some of a scene's worlds have instead of what the scene has. `share`: how many of the seeds, 0..1."""

    share: float
    air: Air
    palettes: tuple[Palette, ...]
    cloudiness: float


@dataclass(frozen=True)
class Scene:
    """One algorithm's story: the birth of a world, the flight over it, its light and its colours.

    `name` is also the generator's; `title` is the caption; `atlas` names the world's atlas.
    `size_m`: the radius of a planet or the extent of a terrain, metres. `relief_m`: the highest land above the sea, metres.
    `birth`: anchors (seconds since the start, step), in order. A step is a number, or the name of a stage of the growth
    (`Growth.stages`) and means the last step of that stage; "end" is the last step of all. Between two anchors steps run
    evenly; with `geometric` they run by equal factors where the first step is at least 1. Two anchors with the same step
    are a pause. Anchors from "grown" to "end" are the carving of a world that is carved: the camera flies in meanwhile.
    `flight_s`: length of what follows the birth, seconds.
    `parameters`: the generator's, where they differ from its defaults.
    `relief_exponent`: while n of N steps are done, heights are drawn (n / N) ** -relief_exponent times as high as at the
    end, so that the first steps can be seen as well as the last.
    `palettes`: the seed picks one. `sun_elevation`: the lowest and the highest elevation of the sun over a terrain,
    degrees. `cloudiness`: how thick clouds are, 0..1. `exposure`: a factor on the light.
    `cone`: when the double cone begins to swell and when it is a sphere, seconds; None without a cone.
    `lakes`: whether there is water above the sea, as `Growth.above` has it.
    `map_timing`: when rivers, names, borders and the sheet of a map are shown; None in a scene that shows no map.
    `varieties`: the kinds of worlds that are rarer than what this row describes.
    `needs_file`: the scene is shown only when its generator is given a file.
    """

    name: str
    title: str
    atlas: str
    size_m: float
    relief_m: float
    birth: tuple[tuple[float, int | str], ...]
    flight_s: float
    printed: Printed
    parameters: dict[str, Value] = field(default_factory=dict)
    geometric: bool = False
    relief_exponent: float = 0.0
    palettes: tuple[Palette, ...] = (Palette(),)
    sun_elevation: tuple[float, float] = (14.0, 26.0)
    cloudiness: float = 0.9
    cone: tuple[float, float] | None = None
    lakes: bool = False
    map_timing: MapTiming | None = None
    needs_file: bool = False
    exposure: float = 1.0
    air: Air = EARTH_AIR
    varieties: tuple[Variety, ...] = ()

    @property
    def is_terrain(self) -> bool:
        """Whether the world is a terrain and not a planet."""
        return self.atlas == "plane"

    @property
    def has_borders(self) -> bool:
        """Whether there is anything that the switch `borders` shows."""
        return any(parameter.name == "gn" for parameter in self.parameter_table)

    @property
    def birth_s(self) -> float:
        """Length of the birth, carving included, in seconds."""
        return self.birth[-1][0]

    @cached_property
    def grown_s(self) -> float:
        """When the world is grown, in seconds since the start."""
        return max((seconds for seconds, step in self.birth if step == "grown"), default=self.birth_s)

    @property
    def is_carved(self) -> bool:
        """Whether its worlds are carved after they have grown."""
        return self.grown_s < self.birth_s

    @property
    def settles_s(self) -> float:
        """When the land begins to pass into what stays, in seconds since the start."""
        return self.birth_s - SETTLES_S if self.is_carved else self.birth_s

    @property
    def leaves_s(self) -> float:
        """When the camera leaves the birth's view, in seconds since the start."""
        return self.grown_s

    def for_world(self, values: Mapping[str, Value], seed: int) -> Scene:
        """The scene for the world of a seed with the generator's complete `values`, with the air and colours of its variety.

        A world that is not carved is born when it is grown.
        """
        scene = self._of_variety(seed)
        if values.get("carve") or not self.is_carved:
            return scene
        return replace(scene, birth=tuple(anchor for anchor in self.birth if anchor[0] <= self.grown_s))

    def _of_variety(self, seed: int) -> Scene:
        """The scene with what the seed's worlds have instead."""
        drawn = hashing.uniform(seed, VARIETY_STREAM, 0)
        for variety in self.varieties:
            drawn -= variety.share
            if drawn < 0.0:
                return replace(self, air=variety.air, palettes=variety.palettes, cloudiness=variety.cloudiness)
        return self

    @property
    def generator(self) -> Generator:
        """The generator of the scene's worlds, which has the scene's name."""
        return GENERATORS[self.name]

    def palette_of(self, seed: int) -> Palette:
        """The one of the palettes that a seed chooses."""
        return self.palettes[int(hashing.uniform(seed, PALETTE_STREAM, 0) * len(self.palettes))]

    @property
    def parameter_table(self) -> tuple[Parameter, ...]:
        """The parameters of the scene's generator."""
        return self.generator.parameters

    @property
    def uncarved(self) -> dict[str, Value]:
        """The generator's parameters for which land stays as it was grown."""
        return {"carve": 0.0} if any(parameter.name == "carve" for parameter in self.parameter_table) else {}

    def complete(self, given: dict[str, Value]) -> dict[str, Value]:
        """The generator's parameters as this scene sets them, overridden by `given`; raises ParameterError.

        With method=as-printed the article's own defaults come before the scene's.
        """
        own = dict(self.parameters)
        if is_printed(given):
            own = {p.name: own[p.name] for p in self.parameter_table if p.name in own and p.printed is None}
        return self.generator.complete({**own, **given})


def planet_air(radius_m: float, share: float = 1.0) -> Air:
    """Earth's air on a planet of a smaller radius in metres: a little thinner than Earth's, but thick against the radius.

    `share`: of what it scatters and absorbs, for a planet that is looked at from some way above the ground.
    """
    return Air(
        ground_radius_m=radius_m,
        height_m=46_000.0,
        rayleigh_height_m=6_500.0,
        mie_height_m=1_600.0,
        rayleigh=(4.4e-6 * share, 10.2e-6 * share, 24.8e-6 * share),
        absorption=(2.1e-6 * share, 2.0e-6 * share, 0.07e-6 * share),
        mie=(2.2e-6 * share, 2.2e-6 * share, 2.2e-6 * share),
        mie_extinction=(2.42e-6 * share, 2.42e-6 * share, 2.42e-6 * share),
        ozone_m=20_000.0,
        ozone_half_m=12_000.0,
    )


def dusty(air: Air) -> Air:
    """An air of as deep a veil as another one, but of dust: its sky is ochre, and blue around a low sun, as on Mars.

    Iron in the dust absorbs blue light; what blue is left is scattered less far from its way than red (M. Wolff and others,
    "Wavelength dependence of dust aerosol single scattering albedo", 2009). Molecules scatter a tenth of what they did.
    """
    depth = 1.5 * air.rayleigh[1]
    red, green, blue = air.rayleigh
    return replace(
        air,
        mie_height_m=2.0 * air.rayleigh_height_m,
        rayleigh=(0.05 * red, 0.05 * green, 0.05 * blue),
        absorption=(0.0, 0.0, 0.0),
        mie=(0.98 * depth, 0.65 * depth, 0.46 * depth),
        mie_extinction=(depth, 0.92 * depth, 0.86 * depth),
        mie_forward=(0.25, 0.29, 0.60),
        skylight=(1.75, 1.0, 0.42),
    )
