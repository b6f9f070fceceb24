"""SCENES: the scenes of the show, one row each, and ROTATION, their order. Plain data."""

from __future__ import annotations

from ..flight.turntable import Turntable
from ..ground.air import Air
from .palettes import ALPS, COOL_EARTHS, DESERTS, EARTHS, VOLCANOES, WARM_EARTHS, Printed
from .scene import EARTH_AIR, MapTiming, Scene, Variety, dusty, planet_air

# The share of seeds whose world is a desert under an ochre sky.
DESERT_SHARE = 0.15


def desert(air: Air) -> Variety:
    """The desert among worlds that have the given air."""
    return Variety(share=DESERT_SHARE, air=dusty(air), palettes=DESERTS, cloudiness=0.3)


SCENES: dict[str, Scene] = {
    scene.name: scene
    for scene in (
        Scene(
            name="plasma",
            title="Plasma terrain",
            atlas="plane",
            size_m=42_000.0,
            relief_m=3_900.0,
            parameters={"cells": 1024, "carve": 1.0, "ice": 0.4},
            # At step 1 there is one hill, at step 0 none.
            birth=((0.0, 2), (14.5, "grown"), (15.5, "grown"), (25.0, "end")),
            flight_s=29.0,
            # (0.3, 0.5 + y, 0) with the datum at y = -0.5, on a terrain 4 units wide, seen from 2 units away at y = 0.
            printed=Printed(
                low=(0.3, 0.0, 0.0),
                high=(0.3, 1.0, 0.0),
                lit=True,
                reach=0.25,
                normals="printed",
                view=Turntable(away=0.5, above=0.125, aim=0.125),
            ),
            palettes=ALPS,
            sun_elevation=(12.0, 24.0),
            exposure=1.0,
            varieties=(desert(EARTH_AIR),),
        ),
        Scene(
            name="cuts",
            title="Planet of random plane cuts",
            atlas="cube",
            size_m=420_000.0,
            relief_m=11_000.0,
            # Without a match between front and back there is land on both.
            parameters={"cells": 320, "offset": "full", "carve": 0.9, "ice": 0.5},
            # Cuts come one by one, then faster; pauses at 100, 1,000 and 10,000 show the front and the back.
            birth=(
                (1.0, 0),
                (1.8, 1),
                (6.6, 10),
                (9.0, 100),
                (12.6, 100),
                (14.8, 1_000),
                (18.4, 1_000),
                (20.8, "grown"),
                (24.4, "grown"),
                (35.0, "end"),
            ),
            geometric=True,
            relief_exponent=0.6,
            flight_s=45.0,
            printed=Printed(low=(0.0, 1.0, 0.0), high=(0.455, 0.39, 0.196), sea=(0.0, 0.0, 0.9)),
            palettes=EARTHS,
            exposure=1.0,
            air=planet_air(420_000.0),
            varieties=(desert(planet_air(420_000.0)),),
        ),
        Scene(
            name="simplex",
            title="Simplex-noise planet",
            atlas="cube",
            size_m=480_000.0,
            relief_m=9_000.0,
            parameters={"cells": 320, "carve": 0.6, "ice": 0.5},
            birth=((1.0, 0), (17.5, "grown"), (18.5, "grown"), (29.0, "end")),
            flight_s=45.0,
            printed=Printed(low=(0.239, 0.322, 0.114), high=(0.239, 0.322, 0.114), sea=(0.110, 0.420, 0.627)),
            palettes=WARM_EARTHS,
            air=planet_air(480_000.0),
            varieties=(desert(planet_air(480_000.0)),),
        ),
        Scene(
            name="particles",
            title="Particle deposition",
            atlas="plane",
            size_m=38_000.0,
            relief_m=3_400.0,
            parameters={"carve": 1.0},
            birth=((0.0, 0), (17.0, "grown"), (18.0, "grown"), (27.5, "end")),
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
            # Land that the map cuts off ends in a coast and not in a wall.
            parameters={"rim": 0.07},
            birth=((0.0, 2), (13.0, "end")),
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
            parameters={"ln": 1, "carve": 0.6, "ice": 0.5},
            birth=((2.0, 0), (17.5, "grown"), (18.5, "grown"), (29.0, "end")),
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
            lakes=True,
            map_timing=MapTiming(
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
            birth=((1.5, 0), (10.0, "relief"), (17.0, "valleys"), (22.0, "end"), (35.0, "end")),
            flight_s=46.0,
            printed=Printed(low=(0.56, 0.66, 0.42), high=(0.80, 0.66, 0.45), sea=(0.55, 0.70, 0.86), lit=True),
            palettes=EARTHS,
            cloudiness=0.6,
            exposure=1.55,
            # Its flight is higher above the ground than others, and would see it through fog.
            air=planet_air(560_000.0, 0.32),
        ),
    )
}

# The scenes that the show plays without being asked, in order.
ROTATION: tuple[str, ...] = tuple(name for name, scene in SCENES.items() if not scene.needs_file)

# The scene whose kernels light every terrain.
_PLAIN = "plasma"


def kernels_of(scene: Scene) -> str:
    """The name of the scene whose kernels `scene` needs: a height map has none of its own."""
    return _PLAIN if scene.needs_file else scene.name


def kernels_order(first: str) -> list[str]:
    """The order in which the scenes' kernels are compiled when scene `first` is shown first."""
    first = kernels_of(SCENES[first])
    return [first, *(name for name in ROTATION if name != first)]
