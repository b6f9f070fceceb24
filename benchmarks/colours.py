"""How different two colours look: CIEDE2000, after G. Sharma, W. Wu and E. Dalal, "The CIEDE2000 Color-Difference Formula:
Implementation Notes, Supplementary Test Data, and Mathematical Observations", 2005."""

from __future__ import annotations

import numpy as np

# From linear sRGB to CIE XYZ, by the white of D65.
_XYZ = np.array([[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]])
_WHITE = _XYZ.sum(axis=1)
_CHROMA = 25.0**7


def lab(picture: np.ndarray) -> np.ndarray:
    """CIELAB, float64 (..., 3), of a picture in sRGB, uint8 (..., 3)."""
    shown = picture / 255.0
    linear = np.where(shown <= 0.04045, shown / 12.92, ((shown + 0.055) / 1.055) ** 2.4)
    share = linear @ (_XYZ / _WHITE[:, None]).T
    f = np.where(share > (6 / 29) ** 3, np.cbrt(share), share * (29 / 6) ** 2 / 3 + 4 / 29)
    x, y, z = np.moveaxis(f, -1, 0)
    return np.stack([116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)], axis=-1)


def difference(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """CIEDE2000 of colours in CIELAB, float64 (..., 3) each: float64 (...)."""
    (light_a, red_a, yellow_a), (light_b, red_b, yellow_b) = np.moveaxis(a, -1, 0), np.moveaxis(b, -1, 0)
    mean = 0.5 * (np.hypot(red_a, yellow_a) + np.hypot(red_b, yellow_b))
    grey = 1.5 - 0.5 * np.sqrt(mean**7 / (mean**7 + _CHROMA))
    chroma_a, chroma_b = np.hypot(grey * red_a, yellow_a), np.hypot(grey * red_b, yellow_b)
    hue_a, hue_b = np.arctan2(yellow_a, grey * red_a), np.arctan2(yellow_b, grey * red_b)
    both = chroma_a * chroma_b > 0.0
    apart = np.where(both, (hue_b - hue_a + np.pi) % (2.0 * np.pi) - np.pi, 0.0)
    # The middle of the shorter way between two hues; that of a grey and a hue is the hue.
    hue = np.where(both, hue_a + 0.5 * apart, hue_a + hue_b)
    light, chroma = 0.5 * (light_a + light_b), 0.5 * (chroma_a + chroma_b)
    turn = np.radians(30.0) * np.exp(-((((np.degrees(hue) - 275.0 + 180.0) % 360.0 - 180.0) / 25.0) ** 2))
    weight = (
        1.0
        - 0.17 * np.cos(hue - np.radians(30.0))
        + 0.24 * np.cos(2.0 * hue)
        + 0.32 * np.cos(3.0 * hue + np.radians(6.0))
        - 0.20 * np.cos(4.0 * hue - np.radians(63.0))
    )
    by_light = 1.0 + 0.015 * (light - 50.0) ** 2 / np.sqrt(20.0 + (light - 50.0) ** 2)
    lightness = (light_b - light_a) / by_light
    saturation = (chroma_b - chroma_a) / (1.0 + 0.045 * chroma)
    tint = 2.0 * np.sqrt(chroma_a * chroma_b) * np.sin(0.5 * apart) / (1.0 + 0.015 * chroma * weight)
    bent = -np.sin(2.0 * turn) * 2.0 * np.sqrt(chroma**7 / (chroma**7 + _CHROMA))
    return np.sqrt(np.maximum(lightness**2 + saturation**2 + tint**2 + bent * saturation * tint, 0.0))


def mean_difference(a: np.ndarray, b: np.ndarray) -> float:
    """The mean CIEDE2000 of two pictures in sRGB, uint8 (height, width, 3), point by point."""
    return float(difference(lab(a), lab(b)).mean())
