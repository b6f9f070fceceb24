"""The eye opens for shade that fills the picture, slowly, and the same at a time whatever was drawn before."""

import numpy as np

from demo.flight.camera import look_at
from demo.flight.paths import Flight
from demo.ground.ground import UP, Ground
from demo.ground.relief import GUTTER
from demo.ground.warmth import Warmth
from demo.scenes.cloud_cover import CloudCover
from demo.scenes.daylight import Daylight
from demo.scenes.eye import opened
from demo.scenes.moon_and_rings import BANDS, Rings
from demo.scenes.palettes import Palette
from demo.worlds.atlas import PLANE

EXTENT_M, N = 40_000.0, 129
SUN = np.array([np.cos(0.2), np.sin(0.2), 0.0])
TURNS_S, SECONDS = 20.0, 40.0


def ridge():
    """A ridge 4 km high along z, with the sun in the east, on the side of x."""
    x = np.linspace(-0.5, 0.5, N) * EXTENT_M
    heights = np.maximum(4_000.0 - 0.4 * np.abs(x), 30.0)
    return Ground(PLANE, np.broadcast_to(heights, (1, N, N)).astype(np.float32).copy(), EXTENT_M)


def eye_of(side_at, ground=None, cover=None, rings=None, clouds=None):
    """The light of a flight that looks at the ridge from the east where `side_at(t)` is 1, from the west where it is -1."""
    flight = Flight(SECONDS, lambda t: look_at([side_at(t) * 9_000.0, 1_500.0, 0.0], [0.0, 1_200.0, 0.0], UP))
    daylight = Daylight(lambda t: SUN, exposures=np.ones(int(SECONDS / 0.5) + 1))
    return opened(daylight, ground or ridge(), flight, 0.0, Palette(), Warmth(9.0, (0.0, 0.0), 23.0), cover, rings, clouds)


def test_the_eye_opens_for_a_slope_in_shade_and_not_for_one_in_the_sun():
    shaded, lit = (eye_of(lambda t, side=side: side).exposure(SECONDS) for side in (-1.0, 1.0))
    assert shaded > 1.15 and 0.6 < lit <= 1.0


class Shadow(Rings):
    """Rings that take a half of all sunlight."""

    def passed(self, place, sun):
        return np.full(place.shape[:-1], 0.5)


def test_the_eye_opens_in_the_shadow_of_rings():
    shadow = Shadow(SUN, 1.5, 2.5, np.zeros((BANDS, 4), np.uint8))
    clear, ringed = (eye_of(lambda t: 1.0, rings=rings).exposure(SECONDS) for rings in (None, shadow))
    assert ringed > 1.1 * clear


class Overcast(CloudCover):
    """Clouds that let through a half of all light."""

    def light(self, up, sun, seconds):
        return np.full(up.shape[:-1], 0.5)


def test_the_eye_opens_under_clouds():
    clouds = Overcast(np.zeros((2, 2), np.float32), lambda t: 1.0)
    clear, gloomy = (eye_of(lambda t: 1.0, clouds=over).exposure(SECONDS) for over in (None, clouds))
    assert gloomy > 1.2 * clear


def moist(share, cells=32):
    """A cover that is equally moist everywhere."""
    cover = np.zeros((1, cells + 1 + 2 * GUTTER, cells + 1 + 2 * GUTTER, 4), np.uint8)
    cover[..., 0] = round(255 * share)
    return cover


def test_the_eye_opens_for_dark_woods_and_closes_for_bright_deserts():
    """As much as what lies there asks for and no more: woods stay darker than deserts."""
    heights = np.full((1, N, N), 30.0, np.float32)
    heights[0, 0, 0] = 4_000.0  # so that the plain is warm
    plain = Ground(PLANE, heights, EXTENT_M)
    desert, meadow, woods = (eye_of(lambda t: 1.0, plain, moist(share)).exposure(SECONDS) for share in (0.1, 0.5, 0.9))
    assert desert < meadow < woods and 1.2 < woods / desert < 2.2


def test_the_eye_adapts_slowly():
    eye = eye_of(lambda t: 1.0 if t < TURNS_S else -1.0)
    exposures = np.array([eye.exposure(t) for t in np.arange(0.0, SECONDS, 0.1)])
    assert np.abs(np.diff(exposures)).max() < 0.03
    assert eye.exposure(TURNS_S - 1.0) < eye.exposure(TURNS_S + 1.0) < 0.9 * exposures[-1]


def test_a_moment_has_one_exposure():
    one, other = eye_of(lambda t: np.cos(t)), eye_of(lambda t: np.cos(t))
    assert one.exposure(33.3) == other.exposure(33.3)


def test_over_the_sea_the_eye_stays_as_it_is():
    sea = Ground(PLANE, np.full((1, N, N), -100.0, np.float32), EXTENT_M)
    assert eye_of(lambda t: -1.0, sea).exposures.tolist() == [1.0] * 81
