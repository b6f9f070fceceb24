"""GENERATORS: the table of all algorithms. It is plain data; importing it does not import numba."""

from __future__ import annotations

from ..worlds import limits
from ..worlds.parameters import Parameter, ParameterError
from ..worlds.particles.presets import PRESETS
from ..worlds.particles.windows import SHAPES, window_of
from .generator import Generator


def generator(name: str) -> Generator:
    """The generator called `name`; raises ParameterError."""
    if name not in GENERATORS:
        raise ParameterError(f"there is no generator '{name}': there are {', '.join(GENERATORS)}")
    return GENERATORS[name]


_METHOD = "as-printed follows the article to the letter, default cures its defects"

_WINDOW = "SHAPE,X,Z,SIZE_X,SIZE_Z[,WEIGHT[,HOLE]], as in ring,0.5,0.5,0.6,0.4 (shapes: disc, rectangle, ring)"

# Of every generator whose growth carving can follow.
CARVING = (
    Parameter("carve", 0.0, "how deeply rivers carve the grown land; 0: not at all", 0.0, 1.0, printed=0.0),
    Parameter("age", 1.0, "how long they carve; 1: until there are valleys everywhere", 0.05, 4.0),
    Parameter("rain", 0.6, "how unevenly rain falls, by wind and mountains; 0: everywhere alike", 0.0, 1.0),
    Parameter("hardness", 0.75, "how much harder some rock is than other", 0.0, 0.95),
    Parameter("ice", 0.0, "how much glaciers carve where it is cold: troughs, hanging valleys, fjords", 0.0, 1.0),
)

_PLANET_PARAMETERS = (
    Parameter("gn", 7, "levels of the global mesh: 2^gn cells a quarter of the equator", 1, 10),
    Parameter("ln", 0, "levels of the local mesh: 2^ln steps along a rhombus", 0, 10),
    Parameter("land", 0.3, "share of land by area, on the global mesh", 0.01, 0.99),
    Parameter("poles", "ocean", "ocean: both poles lie in a sea", choices=("ocean", "any")),
    Parameter(
        "keeps",
        "distances",
        "what the sphere keeps of the cones: distances along meridians, as in the article, or areas",
        choices=("distances", "areas"),
    ),
)

GENERATORS: dict[str, Generator] = {
    g.name: g
    for g in (
        Generator(
            name="plasma",
            version=3,
            title="Plasma terrain",
            source="P. Mindek, “Procedurálne generovanie terénu”",
            work="levels",
            module="..worlds.plasma.growth",
            parameters=(
                Parameter("cells", 512, "cells along the edge", 1, 8192),
                Parameter("roughness", 0.8, "H: the displacement falls by 2^-H a level", 0.0, 2.0),
                Parameter("edges", "low", "low: a rim under the sea; tile: fits itself", choices=("low", "free", "tile")),
                Parameter("land", 0.66, "share of land by area; a low rim stays sea", 0.01, 1.0),
                Parameter("method", "default", _METHOD, choices=("default", "as-printed")),
                *CARVING,
            ),
        ),
        Generator(
            name="cuts",
            version=5,
            title="Planet of random plane cuts",
            source="M. Turek, “Generování planet”",
            work="cuts",
            module="..worlds.cuts.growth",
            parameters=(
                Parameter("cells", 256, "cells along a face's edge", 1, 4096),
                Parameter("cuts", 10_000, "the count of cuts", 1, 1_000_000),
                Parameter("step", 1e-3, "height of one cut", 1e-9, 1.0, "R"),
                Parameter(
                    "offset",
                    "on",
                    "off: through the centre, the far side mirrors the near; on: through any point of the ball"
                    " (as printed, most planes miss and move the whole planet: one colour); full: no match is left",
                    choices=("off", "on", "full"),
                    printed="off",
                ),
                Parameter("weights", "fixed", "falling: later cuts weigh less and less", choices=("fixed", "falling")),
                Parameter("atlas", "cube", "the mesh", choices=("cube", "latlong", "doublecone")),
                Parameter(
                    "land",
                    0.38,
                    "share of land by area; printed: the sea stands at R",
                    0.01,
                    0.99,
                    words=("printed",),
                    printed="printed",
                ),
                Parameter(
                    "radius", 20, "R, the article's unit: heights are in R; offset=on draws in it as printed", 1, 10_000
                ),
                Parameter("method", "default", _METHOD, choices=("default", "as-printed")),
                *CARVING,
            ),
            limits=limits.cuts,
        ),
        Generator(
            name="particles",
            version=7,
            title="Particle deposition",
            source="K. Warszawski, “Cząsteczkowe generowanie ukształtowania terenu”",
            work="particles",
            module="..worlds.particles.growth",
            parameters=(
                Parameter("cells", 512, "cells along the edge", 1, 8192),
                Parameter("particles", 300_000, "the count of particles", 1, 100_000_000, printed=80_000),
                Parameter("preset", "continent", "where windows stand that particles fall from", choices=tuple(PRESETS)),
                Parameter(
                    "window.N",
                    "",
                    "window.1, window.2 ...: windows of your own in the place of the preset's, in parts of the map's edge",
                    reads=window_of,
                    takes=_WINDOW,
                ),
                Parameter("windows", 0, "how many of the preset's windows are open; 0: all", 0, 512),
                Parameter("window", "preset", "shape of the windows; preset: each its own", choices=("preset", *SHAPES)),
                Parameter("x", 0.5, "middle of the windows", 0.0, 1.0, "edges"),
                Parameter("z", 0.5, "middle of the windows", 0.0, 1.0, "edges"),
                Parameter("size", 1.0, "scale of the windows and of their distances", 0.01, 10.0),
                Parameter("height", 0.08, "of a window above the ground it has raised", 0.0, 4.0, "edges"),
                Parameter("box", 0.0, "from the map's edge out to the walls where particles die", -0.5, 2.0, "edges"),
                Parameter("ceiling", 0.125, "from a window up to the lid where particles die", 0.0, 4.0, "edges"),
                Parameter("group", 64, "how many are let go at once; 1: singly", 1, 65_536),
                Parameter(
                    "rounds",
                    "off",
                    "on: many groups are in the air together, as always with magnetism; off: one group after the other,"
                    " which is faster",
                    choices=("off", "on"),
                    printed="on",
                ),
                Parameter("step", 1, "width of a sideways move", 1, 64, "cells"),
                Parameter("fall", 1, "height of a move up or down", 1, 64, "cells"),
                Parameter("sideways", 25, "chance of a move to either side, along both axes", 0, 50, "%"),
                Parameter("up", 20, "chance of a move up", 0, 100, "%", printed=10),
                Parameter("down", 50, "chance of a move down, above that of up", 1, 100, "%", printed=20),
                Parameter("radius", 4, "of what a particle piles up", 1, 64, "cells"),
                Parameter("mass", "auto", "factor of what it piles up", 1e-6, 1000.0, words=("auto",), printed=1.0),
                Parameter("shape", "paraboloid", "of what it piles up", choices=("paraboloid", "cone", "disc")),
                Parameter(
                    "viscosity", 0.3, "0: always slides down; 1: sticks to the land, and to others in flight", 0.0, 1.0
                ),
                Parameter(
                    "slide", "steepest", "listing: the rule as printed", choices=("steepest", "listing"), printed="listing"
                ),
                Parameter("magnetism", 0, "how near particles merge in flight, if they stick; 0: never", 0, 64, "cells"),
                Parameter("breakup", 0.0, "chance that merged ones part again where viscosity is 0", 0.0, 1.0),
                Parameter("smoothing", 1.0, "exponent of the finished heights; above 1 peaks are slim", 0.25, 8.0),
                Parameter("start", "zero", "the map before the rain", choices=("zero", "random", "plasma", "image")),
                Parameter("file", "", "the picture of start=image", path=True),
                Parameter("start_height", 0.05, "height of a start map that is not flat", 0.0, 1.0, "edges"),
                Parameter("land", "coast", "share of land by area, or just above the start", 0.01, 0.99, words=("coast",)),
                Parameter("method", "default", _METHOD, choices=("default", "as-printed")),
                *CARVING,
            ),
            limits=limits.particles,
        ),
        Generator(
            name="heightmap",
            version=4,
            title="Height map",
            source="a picture of heights",
            work="levels",
            module="..worlds.heightmap",
            parameters=(
                Parameter("file", "", "PNG, TIFF, .npy, or .npz as 'grow' writes it", path=True),
                Parameter("cells", 0, "cells along the edge; 0: the picture's longest side, less for a strip", 0, 8192),
                Parameter("height", 0.1, "of the lightest above the darkest", 1e-6, 1.0, "extents"),
                Parameter("sea", 0.0, "level of the sea, from the darkest to the lightest", 0.0, 1.0),
                Parameter("rim", 0.0, "width over which land at the edges sinks into the sea", 0.0, 0.5, "edges"),
                *CARVING,
            ),
        ),
        Generator(
            name="simplex",
            version=5,
            title="Simplex planet",
            source="“Создание Планеты - часть 2”, Shazoo",
            work="octaves",
            module="..worlds.simplex.growth",
            parameters=(
                Parameter("cells", 256, "cells along a face's edge", 1, 4096),
                Parameter("octaves", 8, "layers of noise, each finer than the one before", 1, 16),
                Parameter("persistence", 0.6, "amplitude of an octave, in that of the one before", 0.05, 1.0),
                Parameter("lacunarity", 2.0, "frequency of an octave, in that of the one before", 1.0, 4.0),
                Parameter("scale", 1.0, "frequency of the first octave: larger makes smaller continents", 0.1, 50.0),
                Parameter("gain", 1.83, "factor on the sum of octaves, which low and high cut off", 0.1, 10.0, printed=1.0),
                Parameter("low", -31.0, "lower bound of heights", -500.0, 0.0, "1/1000 R"),
                Parameter("high", 24.5, "upper bound of heights", 0.0, 500.0, "1/1000 R"),
                Parameter(
                    "land",
                    0.36,
                    "share of land by area; printed: the sea stands at 0 between the bounds",
                    0.01,
                    0.99,
                    words=("printed",),
                    printed="printed",
                ),
                Parameter(
                    "detail", 0.12, "strength of the second noise map, which the article announces", 0.0, 1.0, printed=0.0
                ),
                Parameter(
                    "ridges", 0.8, "strength of the ridged mountains, which the article announces", 0.0, 1.0, printed=0.0
                ),
                Parameter("method", "default", _METHOD, choices=("default", "as-printed")),
                *CARVING,
            ),
            limits=limits.simplex,
        ),
        Generator(
            name="doublecone",
            version=8,
            title="Planet on a double cone",
            source="“Процедурная генерация планетарных карт”, Habr",
            work="levels",
            module="..worlds.doublecone.growth",
            parameters=(*_PLANET_PARAMETERS, *CARVING),
            limits=limits.planet,
        ),
        Generator(
            name="map",
            version=10,
            title="Planetary map",
            source="“Процедурная генерация планетарных карт”, Habr",
            work="steps",
            module="..mapping.growth",
            contents_module="..mapping.shown.map_contents",
            parameters=(
                *_PLANET_PARAMETERS,
                Parameter("finest", 12, "levels of both meshes that are laid out; waters are those of all", 1, 12),
                Parameter("edits", "", "edits.json of a map of this planet, whose edits are laid on it", path=True),
            ),
            limits=limits.mapped,
        ),
    )
}
