"""What climate makes of the ground is seen: through the real renderer, wet land is green and dry land is not."""

import numpy as np
import pytest
from support.showing import SIZE, picture, showing

from demo.ground import cover as covers
from demo.hosts import offscreen

pytestmark = pytest.mark.usefixtures("plain_flights")


@pytest.fixture(scope="module", autouse=True)
def context():
    with offscreen.context(SIZE):
        yield


def seen(monkeypatch, moist, shares):
    """Pictures of a world that is as moist as that everywhere, 0..255, at shares of its carving."""

    def parts(growth):
        side = growth.n + 2 * covers.GUTTER
        yield
        return np.full((growth.atlas.faces, side, side, 4), (moist, 0, 85, 128), np.uint8)

    monkeypatch.setattr(covers, "cover_parts", parts)
    found = []
    with showing(scene="plasma", seed=4, hold=True, caption=False) as show:
        show.seek(0.5)
        scene = show.shot().current.scene
        for share in shares:
            show.seek(scene.grown_s + share * (scene.birth_s - scene.grown_s))
            found.append(picture(show))
    return found


def green(image):
    """How much greener than red the middle of a picture is."""
    middle = image[len(image) // 3 : -len(image) // 6].astype(float)
    return float((middle[..., 1] - middle[..., 0]).mean())


def test_wet_land_is_green_dry_land_is_not_and_both_begin_alike(monkeypatch):
    # Before the detail comes, under which the ground has patches of many colours.
    shares = (-0.05, 0.25, 0.5)
    wet, dry = seen(monkeypatch, 200, shares), seen(monkeypatch, 40, shares)
    assert np.array_equal(wet[0], dry[0]), "before it is carved no climate has covered the land"
    apart = [green(a) - green(b) for a, b in zip(wet, dry, strict=True)]
    assert apart[2] > 5.0 and 0.0 < apart[1] < apart[2]
