"""The sky's light as it is read from tables, against the same integral in many small steps.

A line in the sky is a jump from one ray to the next. Where samples are few it is easily made: by samples that change places
at once, by a sum that loses a colour where the air is thick, or by a table that is too coarse.
"""

from __future__ import annotations

import numpy as np
import pytest
from support.sky_light import air_light

from demo.flight.camera import facing
from demo.geometry.scattering import air_table, scattering_table
from demo.geometry.sunlight import sunlight_table
from demo.geometry.view import make_view
from demo.ground.air import Air
from demo.maths.vectors import unit
from demo.scenes.moon_and_rings import Moon
from demo.scenes.scenes import SCENES

EARTH, PLANET, DUST = Air(), SCENES["simplex"].air, SCENES["simplex"].varieties[0].air
ROWS, FIELD = 240, np.radians(24.0)
UP, SOUTH = np.array([0.0, 1.0, 0.0]), np.array([1.0, 0.0, 0.0])
SUN_COLOUR = np.array([5.0, 4.85, 4.6])
# Steps of the integral that is held against the shader.
SLOW_STEPS = 1000
# Of 255: how far a picture may be from the integral, and how much sharper than there the sky may bend from row to row.
FAR, BEND_MORE = 2.0, 0.5
# How far the luminance of light scattered once may be from the integral, as a share of it.
ONCE = 0.02
LUMINANCE = np.array([0.2126, 0.7152, 0.0722])

PLACES = [
    pytest.param(air, altitude, id=f"{name}-{altitude:g}m")
    for name, air, altitudes in (
        ("earth", EARTH, (120.0, 900.0, 3_000.0, 8_000.0)),
        ("planet", PLANET, (900.0, 8_000.0, 30_000.0, 250_000.0)),
        ("dust", DUST, (900.0, 8_000.0)),
    )
    for altitude in altitudes
]
# Degrees of the sun over the ground, and of the picture's middle from the sun. Opposite a sun that sets on a small planet,
# that planet's shadow is in the air, which few samples cannot follow.
SUNS = ((25.0, 40.0), (25.0, 110.0), (5.0, 40.0), (-1.0, 40.0))


def column(air: Air, altitude: float, sun_degrees: float, aside_degrees: float, field: float = FIELD, dip: float = -1.7e-4):
    """A view of one column upwards, and the sines and cosines that the integral needs.

    `field`: radians; `dip`: radians by which its lowest row lies below the horizon.

    Returns (view, elevations (ROWS,) from the lowest, radians, the sun's unit vector).
    """
    sun_height, aside = np.radians((sun_degrees, aside_degrees))
    sun = np.array([np.cos(sun_height) * np.cos(aside), np.sin(sun_height), np.cos(sun_height) * np.sin(aside)])
    horizon = -np.arccos(air.ground_radius_m / (air.ground_radius_m + altitude))
    middle = horizon - dip + 0.5 * field
    eye = UP * (air.ground_radius_m + altitude)
    pose = facing(eye, np.cos(middle) * SOUTH + np.sin(middle) * UP, UP, field)
    view = make_view(pose, 1.0 / ROWS, 10.0, 1e6, air, np.zeros(3), sun, SUN_COLOUR)
    heights = ((np.arange(ROWS) + 0.5) / ROWS * 2.0 - 1.0) * np.tan(0.5 * field)
    return view, middle + np.arctan(heights), sun


def integral(air: Air, altitude: float, elevations: np.ndarray, sun: np.ndarray, scattered: np.ndarray) -> np.ndarray:
    """The light (k, 3) that the air sends along rays that miss the ground, at the elevations (k,).

    `scattered`: the table of light scattered more than once; zeros for that scattered once.
    """
    rays = np.cos(elevations)[:, None] * SOUTH + np.sin(elevations)[:, None] * UP
    return SUN_COLOUR * air_light(air, altitude, rays, sun, scattered, SLOW_STEPS)


def shown(light: np.ndarray) -> np.ndarray:
    """Light as a picture shows it, 0..255, not rounded: film curve and sRGB."""
    film = np.clip(light * (2.51 * light + 0.03) / (light * (2.43 * light + 0.59) + 0.14), 0.0, 1.0)
    return 255.0 * np.where(film <= 0.0031308, 12.92 * film, 1.055 * film ** (1.0 / 2.4) - 0.055)


def bends(picture: np.ndarray) -> np.ndarray:
    """The second differences of rows (k, 3) as they are shown: (k - 2, 3)."""
    return np.abs(np.diff(picture, 2, axis=0))


@pytest.fixture(scope="module")
def sky():
    """sky(view, tables): the light (ROWS, 3) of the column in `view`, lowest row first, with the tables of an air.

    `moon`: one that stands in the sky at night; `sea`: its colour, if the ground is the open sea.
    """
    from demo.hosts import offscreen

    with offscreen.context((8, 8)):
        from demo.render.frame_view import look_through
        from demo.render.gl import uniform_buffer
        from demo.render.gl.targets import Target
        from demo.render.gl.textures import RGBA32F
        from demo.render.moon_and_rings_drawn import MoonPass
        from demo.render.shader_switches import SkySwitches
        from demo.render.shared_textures import SharedTextures, clouds_texture, noise_texture, sunlight_texture
        from demo.render.sky import SkyPass
        from demo.render.sky_view import SkyView
        from demo.render.uniform_blocks import CLOUDS, SKY

        noise, clear = noise_texture(), clouds_texture(None)
        target, sky_pass, moon_pass = Target(1, ROWS, RGBA32F), SkyPass(), MoonPass()

        def draw(view, tables, moon=None, sea=None):
            look_through(view)
            sunlight, seen = sunlight_texture(tables), SkyView()
            seen.draw(view, sunlight)
            uniform_buffer.fill(
                SKY, dict.fromkeys(SKY.fields, 0.0) | {"air_there": 1.0, "sea_colour": sea or (0.0, 0.0, 0.0)}
            )
            uniform_buffer.fill(CLOUDS, dict.fromkeys(CLOUDS.fields, 0.0))
            target.begin()
            textures = SharedTextures(noise, sunlight, clear, seen.texture)
            sky_pass.paint(SkySwitches(sea=sea is not None), textures)
            if moon is not None:
                moon_pass.draw(moon, textures, stars=1.0)
            sunlight.free()
            seen.free()
            return target.read_floats()[:, 0, :3].astype(np.float64)

        yield draw
        for thing in (noise, clear, target, sky_pass, moon_pass):
            thing.free()


@pytest.mark.parametrize("sun_degrees, aside_degrees", SUNS)
@pytest.mark.parametrize("air, altitude", PLACES)
def test_the_sky_is_the_integral_and_has_no_line(sky, air, altitude, sun_degrees, aside_degrees):
    view, elevations, sun = column(air, altitude, sun_degrees, aside_degrees)
    wanted = shown(integral(air, altitude, elevations, sun, scattering_table(air)))
    assert wanted.max() > 50.0, "there is a sky to look at"
    got = shown(sky(view, air_table(air)))
    assert np.abs(got - wanted).max() < FAR
    assert (bends(got) - bends(wanted)).max() < BEND_MORE


# Of 255: how far from the integral a table without any glare is right above a sun one degree below the horizon.
FAR_AT_DUSK = 16.0


@pytest.mark.parametrize("air, altitude", [(EARTH, 120.0), (EARTH, 3_000.0), (PLANET, 900.0)])
def test_a_sun_that_has_set_dazzles_nobody(sky, air, altitude):
    """Right above it there is what the air sends, and no more."""
    below = np.degrees(np.arccos(air.ground_radius_m / (air.ground_radius_m + altitude))) + 1.0
    view, elevations, sun = column(air, altitude, -below, 0.0)
    wanted = shown(integral(air, altitude, elevations, sun, scattering_table(air)))
    assert wanted.max() > 50.0, "there is a sky to look at"
    assert np.abs(shown(sky(view, air_table(air))) - wanted).max() < FAR_AT_DUSK


# Metres on either side of the air's top, much nearer than the heights of the eye for which tables are drawn; and how far, of
# 255, two pictures from there are apart, whose tables have their rows elsewhere.
BESIDE, APART = 4.0, 5.0


@pytest.mark.parametrize("air", [EARTH, PLANET, DUST], ids=["earth", "planet", "dust"])
def test_no_eye_that_leaves_the_air_sees_the_sky_change(sky, air):
    """The table's rows end at the zenith for an eye in the air, and at the air's rim for one above it."""
    below, above = (
        shown(sky(column(air, air.height_m + beside, 25.0, 40.0)[0], air_table(air))) for beside in (-BESIDE, BESIDE)
    )
    assert below.max() > 50.0, "there is a sky to look at"
    assert np.abs(below - above).max() < APART


@pytest.mark.parametrize("sun_degrees, aside_degrees", SUNS)
@pytest.mark.parametrize("air, altitude", PLACES)
def test_light_scattered_once_is_the_integral(sky, air, altitude, sun_degrees, aside_degrees):
    view, elevations, sun = column(air, altitude, sun_degrees, aside_degrees)
    nothing = np.zeros_like(scattering_table(air))
    wanted = integral(air, altitude, elevations, sun, nothing)
    got = sky(view, np.concatenate([sunlight_table(air), nothing]))
    got, wanted = got @ LUMINANCE, wanted @ LUMINANCE
    bright = wanted > 0.01 * wanted.max()
    assert np.abs(got[bright] / wanted[bright] - 1.0).max() < ONCE


# Degrees of the sun over the ground, and of the picture's middle from it: its own glow is neither there nor at the zenith.
DAYS = ((35.0, 120.0), (20.0, 180.0), (15.0, 100.0), (6.0, 150.0))
# Of 255: the most between two rows, and the most that the sky may become lighter on its way up.
STEP, LIGHTER = 4.0, 2.5
# The thick air at the horizon itself dims a low sun's light: up to here, in radians, the sky may become lighter.
DIMMED = np.radians(3.0)


@pytest.mark.parametrize("sun_degrees, aside_degrees", DAYS)
@pytest.mark.parametrize("air, altitude", [(EARTH, 120.0), (EARTH, 3_000.0), (PLANET, 900.0)])
def test_by_day_the_sky_darkens_evenly_from_the_horizon_to_the_zenith(sky, air, altitude, sun_degrees, aside_degrees):
    """All qualities draw the sky with this one shader."""
    view, elevations, _ = column(air, altitude, sun_degrees, aside_degrees, np.radians(89.0))
    assert elevations[0] < 0.0 and elevations[-1] > np.radians(84.0)
    profile = shown(sky(view, air_table(air))) @ LUMINANCE
    assert np.abs(np.diff(profile)).max() < STEP
    rest = profile[elevations > DIMMED]
    assert rest[0] > rest[-1] + 20.0
    assert (rest - np.minimum.accumulate(rest)).max() < LIGHTER


def test_the_dark_side_of_a_moon_leaves_no_disc_in_the_glow_of_dusk(sky):
    view, elevations, _ = column(EARTH, 900.0, -1.0, 0.0)
    at = np.radians(5.0)
    moon = Moon(np.cos(at) * SOUTH + np.sin(at) * UP, np.radians(1.5), np.zeros(3))
    without, seen = (shown(sky(view, air_table(EARTH), moon)) for moon in (None, moon))
    disc = np.abs(elevations - at) < 0.9 * moon.radius
    assert without[disc].min(axis=0).max() > 60.0, "it is dusk, and bright there"
    assert (without - seen)[disc].max() < 2.0


def test_at_dusk_the_sea_mirrors_the_glow_where_the_sun_went_down(sky):
    towards, away = (
        sky(
            column(EARTH, 900.0, -2.0, aside, np.radians(4.0), np.radians(6.0))[0],
            air_table(EARTH),
            sea=(0.004, 0.016, 0.045),
        )
        for aside in (0.0, 180.0)
    )
    assert (towards @ LUMINANCE).mean() > 1.5 * (away @ LUMINANCE).mean()
    assert (towards[:, 0] / towards[:, 2]).mean() > 1.25 * (away[:, 0] / away[:, 2]).mean()


# Pixels along the edge of a picture with stars, and the most that a star may add to the light of a sky by day.
SIDE, OUTSHONE = 96, 0.02


@pytest.mark.parametrize("sun_degrees, seen", [(30.0, False), (-25.0, True)], ids=["day", "night"])
def test_a_bright_sky_outshines_the_stars(sun_degrees, seen):
    """Even to an eye that is so high that it sees stars elsewhere in the sky."""
    from demo.hosts import offscreen

    with offscreen.context((8, 8)):
        from demo.render.frame_view import look_through
        from demo.render.gl.targets import Target
        from demo.render.gl.textures import RGBA32F
        from demo.render.shared_textures import SharedTextures, clouds_texture, noise_texture, sunlight_texture
        from demo.render.sky import Background, SkyPass
        from demo.render.sky_view import SkyView
        from demo.tables.looks import Look

        eye, sun = UP * (EARTH.ground_radius_m + 3_000.0), np.radians(sun_degrees)
        towards = np.array([-np.cos(sun), np.sin(sun), 0.0])
        view = make_view(
            facing(eye, unit(SOUTH + 0.4 * UP), UP, 1.0), 1.0, 10.0, 1e6, EARTH, np.zeros(3), towards, SUN_COLOUR
        )
        look_through(view)
        table, sky_view = sunlight_texture(air_table(EARTH)), SkyView()
        sky_view.draw(view, table)
        textures = SharedTextures(noise_texture(), table, clouds_texture(None), sky_view.texture)
        target, sky_pass = Target(SIDE, SIDE, RGBA32F), SkyPass()
        pictures = []
        for stars in (0.0, 0.9):
            target.begin()
            sky_pass.draw(Background(stars), view, Look(), textures, SIDE)
            pictures.append(target.read_floats()[..., :3].astype(np.float64) @ LUMINANCE)
        added = pictures[1] - pictures[0]
        assert (added > OUTSHONE).sum() > 20 if seen else added.max() < OUTSHONE
        for thing in (target, sky_pass, sky_view, textures.noise, table, textures.clouds):
            thing.free()
