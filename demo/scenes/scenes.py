"""SCENES: what the show plays, in order. Plain data; the renderer and the generators know nothing of each other."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from ..catalogue.generator import Generator
from ..catalogue.generators import GENERATORS
from ..ground.air import Air
from ..worlds.parameters import Parameter, Value

EARTH_AIR = Air()
Colour = tuple[float, float, float]


@dataclass(frozen=True)
class Palette:
    """Linear reflectances."""

    deep: Colour = (0.004, 0.016, 0.045)
    shallow: Colour = (0.020, 0.110, 0.130)
    beach: Colour = (0.42, 0.36, 0.24)
    lush: Colour = (0.045, 0.095, 0.022)
    dry: Colour = (0.250, 0.190, 0.090)
    upland: Colour = (0.110, 0.100, 0.058)
    rock: Colour = (0.150, 0.130, 0.112)
    snow: Colour = (0.62, 0.655, 0.71)
    snow_line: float = 0.62
    cold: float = 0.30


@dataclass(frozen=True)
class Printed:
    """The look of the article itself, as screen colours: from the lowest to the highest land, and the sea if it has one."""

    low: Colour
    high: Colour
    sea: Colour | None = None
    lit: bool = False


@dataclass(frozen=True)
class Plate:
    """When the map's scene shows what, (from, to) in seconds: rain falls, rivers run to their mouths, rhombi stay, the
    sphere unrolls to a sheet and rolls up again, names and borders are there."""

    rain: tuple[float, float]
    rivers: tuple[float, float]
    rhombi: tuple[float, float]
    unroll: tuple[float, float]
    roll: tuple[float, float]
    names: tuple[float, float]


@dataclass(frozen=True)
class Scene:
    """One algorithm's story: birth, flight, and what they are lit and coloured with.

    `birth`: (seconds, step) anchors; a step of -1 is the last one, -2 the one before it. Between two anchors steps run
    evenly, or by equal factors where the first is at least 1 and `geometric` is set; equal steps are a pause.
    `relief_m`: height in metres of the highest land above the sea; `relief_exponent`: how the height of one unit falls with
    the count of the work, so that the first steps are seen as well as the last. `cone`: from when to when the double cone
    swells into the sphere. `plate`: of the planetary map alone, whose scene it is. `needs_file`: shown only when its
    generator is given a file. `size_m`: radius of a planet, extent of a terrain.
    """

    name: str
    title: str
    atlas: str
    size_m: float
    relief_m: float
    birth: tuple[tuple[float, float], ...]
    flight_s: float
    printed: Printed
    parameters: dict[str, Value] = field(default_factory=dict)
    geometric: bool = False
    relief_exponent: float = 0.0
    palettes: tuple[Palette, ...] = (Palette(),)
    sun_elevation: tuple[float, float] = (14.0, 26.0)
    cloudiness: float = 0.9
    cone: tuple[float, float] | None = None
    plate: Plate | None = None
    needs_file: bool = False
    exposure: float = 1.0
    air: Air = EARTH_AIR

    @property
    def is_terrain(self) -> bool:
        """Whether this is a land to fly over and not a planet."""
        return self.atlas == "plane"

    @property
    def birth_s(self) -> float:
        """Length of the birth in seconds."""
        return self.birth[-1][0]

    @property
    def generator(self) -> Generator:
        """What grows the scene's worlds: of its own name."""
        return GENERATORS[self.name]

    @property
    def parameter_table(self) -> tuple[Parameter, ...]:
        """The parameters of the scene's generator."""
        return self.generator.parameters

    def complete(self, given: dict[str, Value]) -> dict[str, Value]:
        """The generator's parameters as this scene sets them, overridden by `given`; raises ParameterError."""
        return self.generator.complete({**self.parameters, **given})


def planet_air(radius_m: float) -> Air:
    """Earth's air on a smaller planet: a little thinner than Earth's in metres, which is thick against the radius."""
    return Air(
        ground_radius_m=radius_m,
        height_m=46_000.0,
        rayleigh_height_m=6_500.0,
        mie_height_m=1_600.0,
        rayleigh=(4.4e-6, 10.2e-6, 24.8e-6),
        absorption=(0.8e-6, 2.2e-6, 0.1e-6),
        mie=2.2e-6,
    )


ALPS = (
    Palette(lush=(0.042, 0.085, 0.026), dry=(0.215, 0.175, 0.095), rock=(0.175, 0.160, 0.142)),
    Palette(lush=(0.055, 0.080, 0.030), dry=(0.235, 0.180, 0.110), upland=(0.145, 0.11, 0.07), rock=(0.185, 0.14, 0.11)),
    Palette(
        lush=(0.040, 0.085, 0.030),
        dry=(0.16, 0.15, 0.07),
        upland=(0.085, 0.085, 0.055),
        rock=(0.170, 0.158, 0.145),
        snow_line=0.5,
    ),
)
VOLCANOES = (
    Palette(lush=(0.035, 0.110, 0.020), dry=(0.20, 0.19, 0.06), rock=(0.092, 0.087, 0.080), snow_line=0.74),
    Palette(beach=(0.10, 0.09, 0.085), lush=(0.030, 0.095, 0.030), dry=(0.13, 0.15, 0.06), rock=(0.074, 0.070, 0.066)),
)
# Seen from orbit the sea is nearly black, but for shelves and the blue of the air before it.
OCEAN = Palette(deep=(0.0022, 0.0095, 0.029), shallow=(0.012, 0.064, 0.080))
EARTHS = (
    replace(OCEAN, cold=0.30),
    replace(OCEAN, dry=(0.32, 0.23, 0.11), upland=(0.15, 0.115, 0.07), cold=0.24),
    replace(OCEAN, lush=(0.04, 0.085, 0.028), dry=(0.17, 0.15, 0.075), cold=0.40, snow_line=0.5),
)
WARM_EARTHS = (
    Palette(
        deep=(0.0022, 0.012, 0.032),
        shallow=(0.010, 0.082, 0.098),
        lush=(0.052, 0.100, 0.020),
        dry=(0.34, 0.25, 0.12),
        cold=0.18,
        snow_line=0.7,
    ),
    Palette(
        deep=(0.0030, 0.015, 0.034),
        shallow=(0.012, 0.070, 0.080),
        dry=(0.38, 0.22, 0.11),
        upland=(0.20, 0.12, 0.07),
        rock=(0.21, 0.14, 0.10),
        cold=0.16,
    ),
)
COOL_EARTHS = (
    replace(OCEAN, lush=(0.040, 0.085, 0.032), dry=(0.22, 0.20, 0.10), cold=0.36, snow_line=0.52),
    replace(OCEAN, lush=(0.036, 0.074, 0.034), dry=(0.15, 0.145, 0.085), cold=0.46, snow_line=0.46),
)

SCENES: dict[str, Scene] = {
    scene.name: scene
    for scene in (
        Scene(
            name="plasma",
            title="Plasma terrain",
            atlas="plane",
            size_m=42_000.0,
            relief_m=3_900.0,
            parameters={"cells": 1024},
            # Before that it has one hill, and none.
            birth=((0.0, 2), (15.5, -1)),
            flight_s=29.0,
            printed=Printed(low=(0.3, 0.0, 0.0), high=(0.3, 0.664, 0.0), lit=True),
            palettes=ALPS,
            sun_elevation=(12.0, 24.0),
            exposure=1.0,
        ),
        Scene(
            name="cuts",
            title="Planet of random plane cuts",
            atlas="cube",
            size_m=420_000.0,
            relief_m=11_000.0,
            parameters={"cells": 320},
            # 1, 2, 3, ... one by one, then faster; at 100, 1,000 and 10,000 time to see the front and the back.
            birth=(
                (1.0, 0),
                (1.8, 1),
                (6.6, 10),
                (9.0, 100),
                (12.6, 100),
                (14.8, 1_000),
                (18.4, 1_000),
                (20.8, 10_000),
                (24.4, 10_000),
            ),
            geometric=True,
            relief_exponent=0.6,
            flight_s=45.0,
            printed=Printed(low=(0.0, 1.0, 0.0), high=(0.455, 0.39, 0.196), sea=(0.0, 0.0, 0.9)),
            palettes=EARTHS,
            exposure=1.0,
            air=planet_air(420_000.0),
        ),
        Scene(
            name="simplex",
            title="Simplex-noise planet",
            atlas="cube",
            size_m=480_000.0,
            relief_m=9_000.0,
            parameters={"cells": 320},
            birth=((1.0, 0), (20.0, -1)),
            flight_s=45.0,
            printed=Printed(low=(0.239, 0.322, 0.114), high=(0.239, 0.322, 0.114), sea=(0.110, 0.420, 0.627), lit=True),
            palettes=WARM_EARTHS,
            air=planet_air(480_000.0),
        ),
        Scene(
            name="particles",
            title="Particle deposition",
            atlas="plane",
            size_m=38_000.0,
            relief_m=3_400.0,
            birth=((0.0, 0), (17.5, -1)),
            flight_s=27.0,
            printed=Printed(low=(0.10, 0.32, 0.10), high=(0.86, 0.82, 0.74), lit=True),
            palettes=VOLCANOES,
            sun_elevation=(18.0, 34.0),
        ),
        Scene(
            name="heightmap",
            title="Height map",
            atlas="plane",
            needs_file=True,
            size_m=40_000.0,
            relief_m=3_600.0,
            # A map whose land is cut off ends in coasts and not in walls.
            parameters={"rim": 0.07},
            birth=((0.0, 2), (13.0, -1)),
            flight_s=30.0,
            printed=Printed(low=(0.0, 0.0, 0.0), high=(1.0, 1.0, 1.0)),
            palettes=ALPS,
        ),
        Scene(
            name="doublecone",
            title="Planet on a double cone",
            atlas="doublecone",
            cone=(11.0, 18.0),
            size_m=560_000.0,
            relief_m=9_000.0,
            parameters={"ln": 1},
            birth=((2.0, 0), (20.0, -1)),
            flight_s=45.0,
            printed=Printed(low=(0.56, 0.66, 0.42), high=(0.80, 0.66, 0.45), sea=(0.55, 0.70, 0.86), lit=True),
            palettes=COOL_EARTHS,
            air=planet_air(560_000.0),
        ),
        Scene(
            name="map",
            title="Planetary map",
            atlas="doublecone",
            cone=(10.5, 14.5),
            plate=Plate(
                rain=(9.0, 17.0),
                rivers=(11.5, 20.0),
                rhombi=(0.5, 13.0),
                unroll=(21.0, 25.5),
                roll=(31.0, 34.5),
                names=(18.5, 33.0),
            ),
            size_m=560_000.0,
            relief_m=9_000.0,
            parameters={"ln": 1},
            birth=((1.5, 0), (10.0, -18), (17.0, -17), (22.0, -1), (35.0, -1)),
            flight_s=46.0,
            printed=Printed(low=(0.56, 0.66, 0.42), high=(0.80, 0.66, 0.45), sea=(0.55, 0.70, 0.86), lit=True),
            palettes=EARTHS,
            cloudiness=0.6,
            air=planet_air(560_000.0),
        ),
    )
}

# What the show plays by itself, in order.
ROTATION: tuple[str, ...] = tuple(name for name, scene in SCENES.items() if not scene.needs_file)

# Whose kernels light every terrain.
_PLAIN = "plasma"


def kernels_of(scene: Scene) -> str:
    """The name of the scene whose kernels a scene needs: a height map has none of its own."""
    return _PLAIN if scene.needs_file else scene.name


def kernels_order(first: str) -> list[str]:
    """The order in which the scenes' kernels are compiled when scene `first` is shown first."""
    first = kernels_of(SCENES[first])
    return [first, *(name for name in ROTATION if name != first)]
