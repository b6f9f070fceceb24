"""The sky's light, at the number of samples of every machine, against the same integral in many small steps.

A line in the sky is a jump from one ray to the next. Where samples are few it is easily made: by samples that change places
at once, or by a sum that loses a colour where the air is thick.
"""

from __future__ import annotations

import numpy as np
import pytest

from demo.flight.camera import facing
from demo.geometry.sunlight import BEND, sunlight_table
from demo.geometry.view import make_view
from demo.ground.air import Air
from demo.scenes.scenes import SCENES

EARTH, PLANET = Air(), SCENES["simplex"].air
ROWS, FIELD = 240, np.radians(24.0)
UP, SOUTH = np.array([0.0, 1.0, 0.0]), np.array([1.0, 0.0, 0.0])
SUN_COLOUR = np.array([5.0, 4.85, 4.6])
# The share of multiply scattered light, as in scatter.glsl.
MANY = np.array([0.024, 0.032, 0.046])
# Steps of the integral that is held against the shader.
SLOW_STEPS = 1000
# Of 255: how far a picture may be from the integral, and how much sharper than there the sky may bend from row to row.
FAR = {"fine": 2.0, "plain": 12.0, "late": 16.0}
BEND_MORE = 0.5

PLACES = [
    pytest.param(air, altitude, id=f"{name}-{altitude:g}m")
    for name, air, altitudes in (
        ("earth", EARTH, (120.0, 900.0, 3_000.0, 8_000.0)),
        ("planet", PLANET, (900.0, 8_000.0, 30_000.0, 250_000.0)),
    )
    for altitude in altitudes
]
# Degrees of the sun over the ground, and of the picture's middle from the sun. Opposite a sun that sets on a small planet,
# that planet's shadow is in the air, which few samples cannot follow.
SUNS = ((25.0, 40.0), (25.0, 110.0), (5.0, 40.0), (-1.0, 40.0))


def column(air: Air, altitude: float, sun_degrees: float, aside_degrees: float):
    """A view of one column from the horizon upwards, and the sines and cosines that the integral needs.

    Returns (view, elevations (ROWS,) from the lowest, radians, the sun's unit vector).
    """
    sun_height, aside = np.radians((sun_degrees, aside_degrees))
    sun = np.array([np.cos(sun_height) * np.cos(aside), np.sin(sun_height), np.cos(sun_height) * np.sin(aside)])
    horizon = -np.arccos(air.ground_radius_m / (air.ground_radius_m + altitude))
    middle = horizon + np.radians(0.01) + 0.5 * FIELD
    eye = UP * (air.ground_radius_m + altitude)
    pose = facing(eye, np.cos(middle) * SOUTH + np.sin(middle) * UP, UP, FIELD)
    view = make_view(pose, 1.0 / ROWS, 10.0, 1e6, air, np.zeros(3), sun, SUN_COLOUR)
    heights = ((np.arange(ROWS) + 0.5) / ROWS * 2.0 - 1.0) * np.tan(0.5 * FIELD)
    return view, middle + np.arctan(heights), sun


def table_light(air: Air, altitude: np.ndarray, cosine: np.ndarray) -> np.ndarray:
    """The table of sunlight (..., 3) at altitudes and cosines (...), interpolated."""
    table = sunlight_table(air)[..., :3]
    x = (0.5 + 0.5 * np.arctan(cosine * BEND) / np.arctan(BEND)) * (table.shape[1] - 1)
    y = np.sqrt(np.clip(altitude / air.height_m, 0.0, 1.0)) * (table.shape[0] - 1)
    i = np.clip(x.astype(int), 0, table.shape[1] - 2)
    j = np.clip(y.astype(int), 0, table.shape[0] - 2)
    fx, fy = (x - i)[..., None], (y - j)[..., None]
    lower = table[j, i] * (1.0 - fx) + table[j, i + 1] * fx
    upper = table[j + 1, i] * (1.0 - fx) + table[j + 1, i + 1] * fx
    return lower * (1.0 - fy) + upper * fy


def integral(air: Air, altitude: float, elevations: np.ndarray, sun: np.ndarray) -> np.ndarray:
    """The light (k, 3) that the air sends along rays that miss the ground, at the elevations (k,)."""
    ray = np.cos(elevations)[:, None] * SOUTH + np.sin(elevations)[:, None] * UP
    radius, top = air.ground_radius_m + altitude, air.ground_radius_m + air.height_m
    along = radius * np.sin(elevations)
    root = np.sqrt(np.maximum(along * along - radius * radius + top * top, 0.0))
    near, far = np.maximum(-along - root, 0.0), np.maximum(-along + root, 0.0)
    width = (far - near) / SLOW_STEPS
    extinction = np.array(air.rayleigh) + np.array(air.absorption)
    mu = ray @ sun
    molecules = np.array(air.rayleigh) * (3.0 / (16.0 * np.pi) * (1.0 + mu * mu))[:, None]
    g = 0.76
    lobe = (1.0 - g * g) * (1.0 + mu * mu) / ((2.0 + g * g) * (1.0 + g * g - 2.0 * g * mu) ** 1.5)
    dust = (air.mie * 3.0 / (8.0 * np.pi) * lobe)[:, None]
    light, depth = np.zeros((len(ray), 3)), np.zeros((len(ray), 3))
    for step in range(SLOW_STEPS):
        way = near + (step + 0.5) * width
        r = np.sqrt(radius**2 + way**2 + 2.0 * along * way)
        cosine = (radius * sun[1] + way * mu) / r
        high = np.maximum(r - air.ground_radius_m, 0.0)
        m, d = (np.exp(-high / scale) * width for scale in (air.rayleigh_height_m, air.mie_height_m))
        here = extinction * m[:, None] + 1.1 * air.mie * d[:, None]
        x = np.clip((cosine + 0.25) / 0.6, 0.0, 1.0)
        many = np.array(air.rayleigh) * MANY * (x * x * (3.0 - 2.0 * x) * m)[:, None]
        scattered = table_light(air, high, cosine) * (molecules * m[:, None] + dust * d[:, None]) + many
        light += scattered * np.exp(-depth - 0.5 * here)
        depth += here
    return SUN_COLOUR * light


def shown(light: np.ndarray) -> np.ndarray:
    """Light as a picture shows it, 0..255, not rounded: film curve and sRGB."""
    film = np.clip(light * (2.51 * light + 0.03) / (light * (2.43 * light + 0.59) + 0.14), 0.0, 1.0)
    return 255.0 * np.where(film <= 0.0031308, 12.92 * film, 1.055 * film ** (1.0 / 2.4) - 0.055)


def bends(picture: np.ndarray) -> np.ndarray:
    """The second differences of rows (k, 3) as they are shown: (k - 2, 3)."""
    return np.abs(np.diff(picture, 2, axis=0))


@pytest.fixture(scope="module")
def sky():
    """sky(view, air, steps): the light (ROWS, 3) of the column in `view`, lowest row first."""
    from demo.hosts import offscreen

    with offscreen.context((8, 8)):
        from demo.render.frame_view import look_through
        from demo.render.gl import uniform_buffer
        from demo.render.gl.targets import Target
        from demo.render.gl.textures import RGBA32F
        from demo.render.shader_switches import SkySwitches
        from demo.render.shared_textures import SharedTextures, clouds_texture, noise_texture, sunlight_texture
        from demo.render.sky import FEWEST_STEPS, FINE_STEPS, STEPS, SkyPass
        from demo.render.uniform_blocks import CLOUDS, SKY

        steps = {"fine": FINE_STEPS, "plain": STEPS, "late": FEWEST_STEPS}
        noise, clear = noise_texture(), clouds_texture(None)
        tables = {air: sunlight_texture(sunlight_table(air)) for air in (EARTH, PLANET)}
        target, sky_pass = Target(1, ROWS, RGBA32F), SkyPass()

        def draw(view, air, machine):
            look_through(view)
            uniform_buffer.fill(SKY, dict.fromkeys(SKY.fields, 0.0) | {"steps": steps[machine]})
            uniform_buffer.fill(CLOUDS, dict.fromkeys(CLOUDS.fields, 0.0))
            target.begin()
            sky_pass.paint(SkySwitches(), SharedTextures(noise, tables[air], clear))
            return target.read_floats()[:, 0, :3].astype(np.float64)

        yield draw
        for thing in (noise, clear, *tables.values(), target, sky_pass):
            thing.free()


@pytest.mark.parametrize("sun_degrees, aside_degrees", SUNS)
@pytest.mark.parametrize("air, altitude", PLACES)
def test_the_sky_is_the_integral_and_has_no_line(sky, air, altitude, sun_degrees, aside_degrees):
    view, elevations, sun = column(air, altitude, sun_degrees, aside_degrees)
    wanted = shown(integral(air, altitude, elevations, sun))
    assert wanted.max() > 50.0, "there is a sky to look at"
    for machine in FAR:
        got = shown(sky(view, air, machine))
        assert np.abs(got - wanted).max() < FAR[machine], machine
        assert (bends(got) - bends(wanted)).max() < BEND_MORE, machine
