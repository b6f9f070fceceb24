"""The uniform blocks of all shaders: the one declaration of their fields. Shaders read a field `x` as `u_x`."""

from __future__ import annotations

from .gl.uniform_block import UniformBlock

# A frame's camera, sun and air.
VIEW = UniformBlock(
    "View",
    {
        "view_projection": "mat4",  # from metres from the eye to clip coordinates
        "right": "vec3",  # half the picture's width and height at the distance 1, and the way ahead: rays need no matrix
        "up": "vec3",
        "forward": "vec3",
        "eye": "vec3",  # from the planet's centre
        "eye_radius": "vec2",  # |eye|, |eye| - top of the air: in double precision, as their squares would cancel
        "horizon": "vec2",  # sines of the elevations of the ground's horizon and of where the air ends
        "table_eye": "vec2",  # eye_radius and horizon as the table of the sky has them, for an eye in steps of height
        "table_horizon": "vec2",
        "table_sun": "float",  # sine of the sun's elevation there, in steps
        "air": "vec2",  # radius of the ground, radius of the top of the air
        "scale_height": "vec2",  # of molecules, of dust
        "rayleigh": "vec3",  # scattering per metre at the ground
        "absorption": "vec3",  # by ozone, per metre in the middle of its layer
        "ozone": "vec2",  # that middle's height, one over half the layer's thickness
        "mie": "vec3",  # scattering by dust per metre at the ground
        "mie_extinction": "vec3",  # what dust takes from a ray there, per metre
        "mie_forward": "vec3",  # how far dust scatters forwards, 0..1
        "skylight": "vec3",  # the colour of the sky's light on the ground, against that of Earth's
        "sun": "vec3",  # unit vector towards the sun
        "sun_colour": "vec3",  # radiance of the sun outside the atmosphere
    },
)

# A story's colours, natural and as printed.
PALETTE = UniformBlock(
    "Palette",
    {
        "palette": "vec3[8]",  # deep, shallow, beach, lush, dry, upland, rock, snow
        # What the ground is covered with: sand, stones, grass; where it is cold soil, scree, heath; trees.
        "cover": "vec3[7]",
        # What rivers lay down, and what grows there: gravel, mud, reeds, clay, salt.
        "deposits": "vec3[5]",
        # Yearly means in degrees: at the sea, of a planet on its equator; how much less by the second and the fourth power
        # of the sine of latitude; how much less on the highest land.
        "warmth": "vec4",
        "snow_c": "float",  # below this mean snow lies
        "printed": "vec3[3]",  # sea, lowest land, highest land
        "printed_sea": "int",
        "printed_lit": "int",
        "murk": "float",  # how fast the sea darkens with its depth in highest lands
    },
)

# What the surface and the lines upon it share.
GROUND = UniformBlock(
    "Ground",
    {
        "size": "float",  # radius or extent, metres
        "samples": "float",  # along a face's edge, without gutter
        "relief_m": "float",  # of the highest land
        "height_scale": "float",  # metres of a full-scale height in the texture of normals
        "swell": "float",  # 0: the two cones themselves, 1: the sphere
        "origin": "vec3",  # eye position modulo the noise's period, in periods
        "noise_metres": "float",  # of one period of the coarsest noise
    },
)

# The surface alone.
SURFACE = UniformBlock(
    "Surface",
    {
        "patch": "float",  # cells along a patch's edge
        "drop": "vec3",  # from the eye down to the height above which detail is chosen
        "near": "vec3",  # eye position modulo NEAR_METRES, in periods of it
        "time": "float",  # seconds
        "share": "float",  # pixels that are drawn along one of the window's, 0..1
        "last_pixel": "vec2",  # the upper right one that is drawn: column, row
        "bearings": "vec3",  # weights of the three bearings of the sun whose horizons a world keeps
        "shaded": "float",  # how much of the shadows that mountains throw is there
        "covered": "vec2",  # how far the climate has covered the ground that has heights a and heights b, 0..1
        "filled": "float",  # how far lakes have filled, 0..1
        "cover_grid": "vec2",  # from texture coordinates of the heights to those of the cover: factor, offset
        "steep": "float",  # how many times as steep slopes are drawn from afar
        "raised": "vec2",  # how many times as high heights a and heights b stand as printed
        "printed_range": "vec2",  # metres of the lowest and the highest colour as printed
        "mix": "float",  # from heights a to heights b
        "rests": "int",  # 1: heights are final
        "sunk": "float",  # metres by which both stand lower meanwhile
        "soft": "float",  # metres above and below the sea's level over which land and water pass into each other
        "deep": "float",  # metres by which the sea looks deeper than it is
        "normals_from": "vec3",  # metres from the eye: where normals as printed point away from
        "normals": "int",  # 0: those of the land, 1: one a triangle, 2: as printed
        "lit": "int",  # 1: land as printed is lit, whether or not its article lights it
        "wire": "int",  # 1: lines alone
        "unlit": "int",  # 1: the look of that name
        # Cells along a face's edge of the mesh whose rhombi are outlined, and how much every second line of it is seen.
        "rhombi": "vec2",
    },
)

# What a surface reads its tiles by.
TILES = UniformBlock(
    "Tiles",
    {
        "tile_texels": "float",  # along a tile's edge
        "tile_edge": "vec2",  # texels along the edges of the picture of all tiles
        "tiled": "float",  # metres from the eye at which tiles end
        "detail": "float",  # 0: the samples alone, 1: all detail
    },
)

# How tiles are made.
TILE_MAKING = UniformBlock(
    "TileMaking",
    {
        "side": "vec2",  # texels along the edges of the picture of all tiles
        "size": "float",  # radius or extent, metres
        "samples": "float",  # along a face's edge, without gutter
        "top": "float",  # metres of the highest sample
        "length": "float",  # metres of the first octave
        "key": "int",
        # Relief blocks: cells of the samples along an edge, steps in each, levels, and blocks in a row of their picture.
        "blocks": "vec4",
        "relief_m": "float",  # of the highest land
        "covered": "vec2",  # as in the block SURFACE
        "cover_grid": "vec2",  # as in the block SURFACE
    },
)

CLOUDS = UniformBlock(
    "Clouds",
    {
        # How thick; over a planet the cosine and the sine of the angle by which they have drifted, over a terrain the eye's
        # place over their texture.
        "cloudy": "vec3",
        "cloud_radius": "float",  # of a planet's layer, metres
    },
)

# The sphere on its way to a flat sheet.
SHEET = UniformBlock(
    "Unrolling",
    {
        "bend": "float",  # 1: sphere, 0: flat
        "sheet": "vec3[4]",  # axes to the right, up, front, each a radius long; the point in front, from the eye
        "middle": "float",  # the face that begins at the middle meridian
    },
)

SKY = UniformBlock(
    "Sky",
    {
        "stars": "float",  # 1 in space and at night, 0 by day
        "air_there": "float",  # how much of the air is there, 0..1
        "sea_colour": "vec3",
        "sea": "float",  # 1: open sea reaches to the horizon, and covers the stars
        "star_pixels": "float",  # point size of the faintest star
    },
)

MOON = UniformBlock(
    "Moon",
    {
        "moon": "vec3",  # unit vector towards it
        "moon_right": "vec3",  # across it, as long as the tangent of its radius
        "moon_up": "vec3",
        "moon_face": "vec3",  # where in the noise it lies
        "shown": "float",  # 0: not there yet
        "stars": "float",  # how far it is night for the eye
    },
)

RINGS = UniformBlock(
    "Rings",
    {
        "ring_axis": "vec3",
        "ring": "vec2",  # inner and outer radius in radii
        "ring_shown": "float",  # 0: not there yet
    },
)

# The plane in which rings are drawn.
RING_PLANE = UniformBlock(
    "RingPlane",
    {
        "world_eye": "vec3",  # metres in the world
        "ring_right": "vec3",  # unit, in the plane of the rings
        "ring_ahead": "vec3",
        "size": "float",  # the planet's radius, metres
        "stars": "float",  # how far it is night for the eye
    },
)

TOWN_LIGHTS = UniformBlock(
    "TownLights",
    {
        "world_eye": "vec3",  # metres in the world
        "pixels": "float",  # a radian
        "least": "float",  # pixels of the smallest point
        "shown": "float",  # 0: none, 1: all
        "night": "float",  # 1: all are lit, wherever the sun stands
        "height": "float",  # of the picture in pixels
    },
)

# The lines of a map.
LINES = UniformBlock(
    "Lines",
    {
        "pixel": "float",  # radians that a pixel spans
        "reached": "float",  # 0..1: lines are drawn where they are reached
        "bold": "float",  # factor of the least width
        "shown": "float",  # of all lines of this draw, 0..1
        "printed_water": "vec3",
        "ink": "float",  # 0: water as it is, 1: the blue of an atlas
        "divide": "int",  # whether these are lines between catchments
    },
)

# The rivers of a world.
RIVERS = UniformBlock(
    "Rivers",
    {
        "world_eye": "vec3",  # metres in the world
        "pixel": "float",  # radians that a pixel spans
        "bold": "float",  # factor of the least width
        "reached": "float",  # 0..1: rivers are drawn where they are reached
        "shown": "float",  # of all rivers, 0..1
        "fine_ground": "float",  # how much of the detail of the ground there is, 0..1
    },
)

# From light to picture.
DEVELOP = UniformBlock(
    "Develop",
    {
        "exposure": "float",
        "linear": "int",  # 1: colours are shown as they are, without the film curve
        "extent": "vec4",  # drawn share of what was kept, and the last place to sample
        "melt": "float",  # 0: what was kept alone, 1: the scene alone
        "sharpened": "float",  # strength of the unsharp mask
        "last": "vec2",  # the last pixel of the scene
    },
)

# Text over a picture.
TEXT = UniformBlock(
    "Text",
    {
        "picture": "vec2",  # width and height in pixels
        "alpha": "float",
    },
)
