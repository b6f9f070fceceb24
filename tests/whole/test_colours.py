"""How different colours look, against the pairs that the formula's authors give."""

import numpy as np
import pytest

from benchmarks.colours import difference, lab, mean_difference

# G. Sharma, W. Wu and E. Dalal, 2005, table 1: two colours in CIELAB, and their difference.
PAIRS = [
    ((50.0, 2.6772, -79.7751), (50.0, 0.0, -82.7485), 2.0425),
    ((50.0, 3.1571, -77.2803), (50.0, 0.0, -82.7485), 2.8615),
    ((50.0, -1.3802, -84.2814), (50.0, 0.0, -82.7485), 1.0000),
    ((50.0, 0.0, 0.0), (50.0, -1.0, 2.0), 2.3669),
    ((50.0, 2.5, 0.0), (50.0, 0.0, -2.5), 4.3065),
    ((50.0, 2.5, 0.0), (73.0, 25.0, -18.0), 27.1492),
    ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
]


@pytest.mark.parametrize(("a", "b", "wanted"), PAIRS)
def test_differences_are_those_of_the_authors(a, b, wanted):
    a, b = np.array(a), np.array(b)
    assert difference(a, b) == pytest.approx(wanted, abs=6e-5)
    assert difference(b, a) == pytest.approx(wanted, abs=6e-5)


def test_white_grey_and_black_have_no_hue():
    found = lab(np.array([[255] * 3, [119] * 3, [0] * 3], np.uint8))
    np.testing.assert_allclose(found[:, 0], [100.0, 50.0, 0.0], atol=0.1)
    np.testing.assert_allclose(found[:, 1:], 0.0, atol=1e-6)
    assert mean_difference(np.zeros((2, 2, 3), np.uint8), np.full((2, 2, 3), 255, np.uint8)) == pytest.approx(
        100.0, abs=0.01
    )
