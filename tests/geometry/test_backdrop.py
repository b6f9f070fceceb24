"""What every frame has without a world: stars, noise, circles of cuts, levels of tiles, and how steep slopes are drawn."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from demo.geometry.circles import CIRCLE_POINTS, plane_circles
from demo.geometry.exaggeration import EXAGGERATION, slope_exaggeration
from demo.geometry.stars import STARS, star_field
from demo.geometry.tile_levels import OCTAVE_TEXELS, tile_levels
from demo.ground.noise_volume import noise_volume
from demo.maths.vectors import lengths, unit


@dataclass(frozen=True)
class Rough:
    """As much of a Detail as is asked for here."""

    rough_m: np.ndarray
    wavelength_m: float = 1_000.0
    octaves: int = 8


def test_stars_are_everywhere_and_most_of_them_faint():
    stars = star_field()
    assert len(stars) == STARS
    np.testing.assert_allclose(lengths(stars["direction"].astype(np.float64)), 1.0, atol=1e-6)
    assert np.abs(stars["direction"].mean(axis=0)).max() < 0.05
    bright = stars["colour"].max(axis=1)
    assert bright.min() > 0.0 and np.median(bright) < 0.15 < 1.0 < bright.max()
    np.testing.assert_array_equal(star_field(), stars)


def test_the_noise_uses_all_its_range_and_repeats_without_a_seam():
    noise = noise_volume(16).astype(int)
    assert noise.shape == (16, 16, 16, 4) and noise.min() == 0 and noise.max() == 255
    for axis in range(3):
        steps = np.abs(noise - np.roll(noise, 1, axis))
        seam = np.abs(np.take(noise, 0, axis) - np.take(noise, -1, axis))
        assert seam.mean() == pytest.approx(steps.mean(), rel=0.2)
    fields = noise.reshape(-1, 4).T
    assert np.abs(np.corrcoef(fields) - np.eye(4)).max() < 0.15


def test_circles_lie_on_their_planes_and_on_the_sphere():
    draw = np.random.default_rng(0)
    normals, offsets = unit(draw.normal(size=(200, 3))), draw.uniform(-0.999, 0.999, 200)
    circles = plane_circles(normals, offsets)
    assert circles.shape == (200, CIRCLE_POINTS + 1, 3)
    np.testing.assert_allclose(lengths(circles), 1.0, atol=1e-12)
    np.testing.assert_allclose(
        (circles * normals[:, None]).sum(axis=2), offsets[:, None].repeat(CIRCLE_POINTS + 1, 1), atol=1e-12
    )
    np.testing.assert_allclose(circles[:, 0], circles[:, -1], atol=1e-12)
    # Evenly around.
    np.testing.assert_allclose(circles[:, :-1].mean(axis=1), offsets[:, None] * normals, atol=1e-12)


@pytest.mark.parametrize("samples", [17, 65, 257, 1025])
@pytest.mark.parametrize("texels", [96, 192])
@pytest.mark.parametrize("octaves", [1, 3, 8])
def test_a_tile_shows_every_octave_that_its_texels_can_and_no_other(samples, texels, octaves):
    detail = Rough(np.zeros((1, samples, samples), np.float16), octaves=octaves)
    levels = tile_levels(detail, texels)
    assert 0 <= levels.first <= levels.last
    for level in range(levels.first, levels.last + 1):
        # Texels over one wavelength of the shortest octave: a first wavelength is two samples long.
        shown = int(levels.octaves_of(np.array([level]))[0])
        wavelength = texels * 2.0**level * 2.0 / (samples - 1) * 0.5 ** (shown - 1)
        assert 1 <= shown <= octaves
        assert wavelength >= OCTAVE_TEXELS * (1.0 - 1e-9)
        assert shown == octaves or wavelength < 2.0 * OCTAVE_TEXELS
    assert levels.octaves_of(np.array([levels.last]))[0] == octaves


def test_smooth_planets_are_drawn_steeper_and_rough_ones_less_so():
    def factor(strength_m: float) -> float:
        return slope_exaggeration(Rough(np.full((6, 9, 9), strength_m, np.float16)))

    assert factor(10.0) == slope_exaggeration(None) == EXAGGERATION
    by_roughness = [factor(strength) for strength in (50.0, 80.0, 150.0, 400.0)]
    assert by_roughness[0] == pytest.approx(EXAGGERATION, rel=1e-2)
    assert by_roughness == sorted(by_roughness, reverse=True) and by_roughness[-1] < 0.2 * EXAGGERATION
