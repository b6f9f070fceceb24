"""Map sheets: projections, the choice of regions, names that do not collide, and the pictures."""

from __future__ import annotations

import dataclasses
from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("skia")
pytest.importorskip("shapely")

from hypothesis import given
from hypothesis import strategies as st
from PIL import Image
from support import map_cases

from demo.export.maps.sheets import book, climate_tints, mesh_sheets, painting, pen, placement, regions, window_heights
from demo.export.maps.sheets import map_window as windows
from demo.export.maps.sheets.content import SheetContent, tapering
from demo.export.maps.sheets.lettering import Lettering, PeakMark
from demo.export.maps.sheets.map_window import MapWindow
from demo.export.maps.sheets.pen import TextStyle
from demo.export.maps.sheets.placement import LabelGrid, PlacedText
from demo.export.maps.sheets.projection import Azimuthal, EqualEarth, wrapped
from demo.export.maps.sheets.window_heights import WindowHeights

PLANET = map_cases.planet()
DEGREES = st.floats(-179.9, 179.9), st.floats(-89.5, 89.5)
WORLD = book.world_window(PLANET, book.land_grid(PLANET))


def region_window(longitude: float, latitude: float, width_km: float = 9000.0) -> MapWindow:
    return book.region_window(PLANET, regions.Region(longitude, latitude, width_km))


def apart(a: float, b: float) -> float:
    return abs(float(wrapped(np.float64(a - b))))


@given(*DEGREES, st.floats(-180.0, 180.0))
def test_the_projection_of_the_world_comes_back(longitude, latitude, middle):
    projection = EqualEarth(middle)
    inside = middle + wrapped(np.float64(longitude - middle))
    back = projection.inverse(*projection.forward(inside, np.float64(latitude)))
    assert apart(back[0], longitude) < 1e-6 and back[1] == pytest.approx(latitude, abs=1e-6)


@given(*DEGREES, *DEGREES)
def test_the_projection_of_a_region_comes_back(longitude, latitude, middle, parallel):
    projection = Azimuthal(middle, parallel)
    x, y = projection.forward(np.float64(longitude), np.float64(latitude))
    back = projection.inverse(x, y)
    if np.hypot(x, y) < 1.99:
        assert apart(back[0], longitude) * np.cos(np.radians(latitude)) < 1e-4
        assert back[1] == pytest.approx(latitude, abs=1e-4)


@pytest.mark.parametrize("projection", [EqualEarth(30.0), Azimuthal(30.0, 50.0)])
def test_both_projections_keep_areas(projection):
    longitude, latitude = np.meshgrid(np.linspace(0.0, 60.0, 400), np.linspace(20.0, 80.0, 400))
    x, y = projection.forward(longitude, latitude)
    across, down = np.gradient(np.stack([x, y]), axis=2), np.gradient(np.stack([x, y]), axis=1)
    area = across[0] * down[1] - across[1] * down[0]
    ratio = area[1:-1, 1:-1] / np.cos(np.radians(latitude))[1:-1, 1:-1]
    assert ratio.max() / ratio.min() < 1.001


def test_the_world_is_cut_where_there_is_least_land():
    land = book.land_grid(PLANET)
    assert land[170:190, :36].mean() > 0.9 and land[170:190, 300:420].max() == 0.0
    edge = round(WORLD.projection.middle + 180.0) % 360
    assert 30 <= edge <= 150 or 210 <= edge <= 330


def test_land_in_a_window_is_land_of_the_relief():
    """Also around the pole, over the 180th meridian, and where the antipode of the window is land."""
    for window in (
        WORLD,
        region_window(175.0, 5.0),
        region_window(0.0, -88.0),
        region_window(1.3, 80.0),
        region_window(-3.0, 1.0, 3e4),
    ):
        land = pen.coverage(
            (int(window.width), int(window.height)), 1.0, [path for _, path in SheetContent(PLANET, window).landmasses]
        )
        x, y = np.meshgrid(np.arange(5.5, window.width, 23.0), np.arange(5.5, window.height, 23.0))
        longitude, latitude = window.degrees(x, y)
        heights = PLANET.relief.sample(longitude, latitude)
        # On the map itself, and off shore lines.
        back = window.place(np.stack([longitude, latitude], axis=-1))
        clear = (np.hypot(*(back - np.stack([x, y], axis=-1)).transpose(2, 0, 1)) < 0.5) & (np.abs(heights) > 120.0)
        assert clear.sum() > 500
        assert ((land[y.astype(int), x.astype(int)] > 0.5) == (heights > 0.0))[clear].all(), window


def test_heights_are_sampled_at_the_cells_of_all_windows():
    shown = [WORLD, region_window(175.0, 5.0)]
    tints = climate_tints.climate_tints_of(PLANET)
    grounds = window_heights.heights_in(shown, PLANET, tints, 0.5, lambda part: None)
    for window, ground in zip(shown, grounds, strict=True):
        rows, columns = ground.heights_m.shape
        margin = window_heights.MARGIN_CELLS
        x = (np.arange(columns) - margin + 0.5) * ground.cell
        y = (np.arange(rows) - margin + 0.5) * window.height / (rows - 2 * margin)
        expected = PLANET.relief.sample(*window.degrees(*np.meshgrid(x, y)))
        assert np.abs(ground.heights_m - expected).max() < 0.5


def test_tints_follow_height_and_climate():
    level = np.full((60, 60), 1.0, np.float32)
    flat = {"dry": 0.0 * level, "cold": 0.0 * level, "cell": 1.0}

    def colour(height: float, land: float, **changes: np.ndarray) -> np.ndarray:
        size = (48, 48)
        picture = painting.painted(
            WindowHeights(height * level, **(flat | changes)),
            np.full(size, land, np.float32),
            np.zeros(size, np.float32),
        )
        assert np.ptp(picture.reshape(-1, 3), axis=0).max() <= 1
        return picture[24, 24].astype(int)

    meadow, desert, ice, sea = colour(50, 1), colour(50, 1, dry=level), colour(50, 1, cold=level), colour(-4000, 0)
    assert meadow[1] > meadow[0] > meadow[2] and desert[0] > desert[1] > desert[2] and ice.min() > 230
    assert sea[2] > sea[1] > sea[0] and colour(-200, 0).sum() > sea.sum()


def test_slopes_to_the_north_west_are_lit():
    rows, columns = np.mgrid[:60, :60].astype(np.float32)
    zero, land = np.zeros((60, 60), np.float32), np.ones((48, 48), np.float32)

    def brightness(heights: np.ndarray) -> float:
        return float(painting.painted(WindowHeights(heights, zero, zero, 1.0), land, 0 * land)[20:28, 20:28].mean())

    height = 1500.0 - 20.0 * np.hypot(rows - 30, columns - 30)
    picture = painting.painted(WindowHeights(height, zero, zero, 1.0), land, 0 * land).mean(axis=2)
    assert picture[14, 14] > picture[34, 34] + 20.0
    assert brightness(rows + columns + 500.0) > brightness(500.0 - rows - columns)


def test_regions_lie_on_land_and_do_not_overlap():
    land = book.land_grid(PLANET)
    found = regions.regions_of(PLANET, land, book.REGION_WIDTH / book.REGION_HEIGHT)
    assert 1 <= len(found) <= regions.MOST_REGIONS
    shown = [book.region_window(PLANET, region) for region in found]
    for window, region in zip(shown, found, strict=True):
        assert window.km_per_point * window.width == pytest.approx(region.width_km)
        x, y = np.meshgrid(np.linspace(0.0, window.width, 60), np.linspace(0.0, window.height, 40))
        inside = np.stack(window.degrees(x, y), axis=-1).reshape(-1, 2)
        assert (PLANET.relief.sample(*inside.T) > 0.0).mean() > 0.05
        for other in shown:
            if other is not window:
                assert not other.inside(other.place(inside)).any()


def test_rivers_grow_wider_downstream():
    content = SheetContent(PLANET, region_window(-178.0, -5.0))
    drawn = content.rivers[0]
    assert drawn.river.name == "Ister"
    widths = [width for width, _ in tapering(drawn)]
    assert widths[0] < widths[-1] and max(widths) > 2 * min(widths)


def test_a_word_is_as_long_as_its_letters_and_kerned():
    style = TextStyle(20.0, "#000000")
    plain, spaced = pen.typeset("Tavo", style), pen.typeset("Tavo", replace(style, spacing=5.0))
    assert spaced.length == pytest.approx(plain.length + 15.0)
    alone = sum(pen.typeset(letter, style).length for letter in "Tavo")
    assert plain.length < alone


def label_grid(window: MapWindow) -> tuple[LabelGrid, list[tuple[float, ...]]]:
    """An empty grid, and the list of all boxes that will be taken in it."""
    size = int(window.height), int(window.width)
    taken: list[tuple[float, ...]] = []

    class Watched(LabelGrid):
        def take(self, *box: float) -> None:
            taken.append(box)
            super().take(*box)

    return Watched(window.width, window.height, np.zeros(size, np.float32)), taken


def test_names_do_not_collide():
    window = region_window(176.0, 3.0)
    content = SheetContent(PLANET, window)
    grid, taken = label_grid(window)
    size = int(window.width), int(window.height)
    land = pen.coverage(size, 1.0, [path for _, path in content.landmasses])
    placed = Lettering(content, grid, land).compose()
    written = [pen.coverage(size, 1.0, [item.path]) > 0.3 for item in placed if isinstance(item, PlacedText)]
    # The continent, the ocean, the lake, the peak, and the river that is long enough.
    assert len(written) >= 5 and len(taken) >= 5
    assert np.sum(written, axis=0).max() == 1
    rim = np.ones(size[::-1], bool)
    rim[4:-4, 4:-4] = False
    assert not np.any([letters & rim for letters in written])


def test_no_peak_is_marked_on_the_title():
    window = region_window(176.0, 3.0)
    content, land = SheetContent(PLANET, window), np.ones((int(window.height), int(window.width)), np.float32)
    x, y = content.peaks[0][1].tolist()
    marked = []
    for box in ((0.0, 0.0, 40.0, 40.0), (x - 50.0, y - 20.0, x + 50.0, y + 20.0)):
        grid, _ = label_grid(window)
        grid.take(*box)
        marked.append(sum(isinstance(item, PeakMark) for item in Lettering(content, grid, land).compose()))
    assert marked == [len(content.peaks), len(content.peaks) - 1]


def test_a_name_finds_no_place_where_all_is_taken():
    grid, _ = label_grid(WORLD)
    style = TextStyle(8.0, "#000000")
    assert placement.beside(grid, "Somewhere", style, np.array([300.0, 300.0]), 4.0) is not None
    grid.take(0.0, 0.0, WORLD.width, WORLD.height)
    assert placement.beside(grid, "Somewhere", style, np.array([500.0, 300.0]), 4.0) is None
    line = np.stack([np.linspace(400.0, 700.0, 50), np.full(50, 200.0)], axis=1)
    assert placement.following(grid, "Somewhere", style, [line]) is None


def test_a_rivers_name_follows_it():
    grid, taken = label_grid(WORLD)
    x = np.linspace(300.0, 700.0, 400)
    line = np.stack([x, 300.0 + 0.0004 * (x - 500.0) ** 2], axis=1)
    text = placement.following(grid, "Amazonas", TextStyle(10.0, "#000000", italic=True), [line[::-1]])
    assert text is not None and len(taken) == len("Amazonas")
    centres = np.array([[(a + c) / 2, (b + d) / 2] for a, b, c, d in taken])
    away = np.abs(centres[:, 1] - np.interp(centres[:, 0], *line.T))
    assert away.max() < 14.0 and (np.diff(centres[:, 0]) > 0.0).all()


def test_sheets_are_pictures_of_their_size(tmp_path):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(book, "PIXELS_PER_POINT", 0.5)
        book.write(tmp_path / "sheets", PLANET, lambda part: None)
    files = sorted(path.name for path in (tmp_path / "sheets").iterdir())
    assert files[0].startswith("00-") and files[1].startswith("01-") and len(files) >= 2
    for name in files:
        with Image.open(tmp_path / "sheets" / name) as picture:
            pixels = np.asarray(picture.convert("RGB")).astype(int)
        assert pixels.shape[:2] == ((450, 808) if name.startswith("00") else (430, 600))
        # Paper at the corners, sea, and land.
        assert (pixels[[0, 0, -1, -1], [0, -1, 0, -1]] > 240).all()
        assert (pixels[..., 2] > pixels[..., 0] + 30).mean() > 0.02
        assert not name.startswith("00") or (pixels[..., 0] > pixels[..., 2] + 20).mean() > 0.02


def test_the_mesh_is_shown_when_asked_for(tmp_path):
    """Dotted rhombi on an island of their size, and one of them with as many points as ln says."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(book, "PIXELS_PER_POINT", 0.5)
        patch.setattr(book, "regions_of", lambda *given: [])
        book.write(tmp_path / "sheets", PLANET, lambda part: None, rhombi=True)
    world, island, rhombus = sorted((tmp_path / "sheets").iterdir())
    assert world.name.startswith("00-") and island.name.startswith("island-") and rhombus.name.startswith("rhombus-")
    window = book.region_window(PLANET, mesh_sheets.island_region(PLANET, 1.4))
    lines = mesh_sheets.rhombi_in(window, PLANET)
    assert lines and not mesh_sheets.rhombi_in(window, dataclasses.replace(PLANET, gn=10))
    assert all(window.inside(line[1:-1], mesh_sheets.MARGIN).all() for line in lines)
    mesh = mesh_sheets.coastal_rhombus(PLANET, window)
    assert f"{mesh.number}" in rhombus.stem and mesh.heights_m.shape == (2**PLANET.ln + 1,) * 2
    assert mesh.heights_m.min() < 0.0 < mesh.heights_m.max()


@pytest.mark.parametrize(
    ("middle", "part"),
    [
        ((178.0, 19.0), "Northern"),
        ((178.0, -21.0), "Southern"),
        ((-160.0, 0.0), "Eastern"),
        ((162.0, 17.0), "North-Western"),
    ],
)
def test_a_sheet_is_called_after_its_part_of_a_landmass(middle, part):
    content = SheetContent(PLANET, region_window(*middle, 1800.0))
    assert book.region_title(content, "Lar").title == f"{part} Arvandia"
    assert book.region_title(SheetContent(PLANET, region_window(180.0, 0.0)), "Lar").title == "Arvandia"


@pytest.mark.parametrize("window", [WORLD, region_window(176.0, 3.0)], ids=["world", "region"])
def test_lines_are_placed_whatever_the_groups(window, monkeypatch):
    parts = [line for coast in PLANET.coastlines for line in coast.lines] + [river.lines[0] for river in PLANET.rivers]
    whole = window.lines(parts)
    monkeypatch.setattr(windows, "VERTICES_AT_ONCE", 8)
    grouped = window.lines(parts)
    assert len(whole) >= 4 and [line[:2] for line in whole] == [line[:2] for line in grouped]
    assert all((a.points == b.points).all() for a, b in zip(whole, grouped, strict=True))
    for line in whole:
        vertices = window.place(parts[line.number][line.first :][: len(line.points)])
        assert window.whole or (line.points == vertices).all()
    seen = {line.number for line in whole}
    for k, part in enumerate(parts):
        assert (k in seen) >= bool(window.inside(window.place(part)).any())
    assert window.lines([]) == []
