"""What shows the mesh behind a map: dotted rhombi on a sheet, the window of an island, and one rhombus with its local mesh.

After the pictures of the article on the double cone: an island on which the rhombi are dotted, and a rhombus in which a
local mesh lies.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import skia

from ....mapping.degrees import degrees_of, directions
from ....mapping.objects.records import Landmass, PlanetMap
from ....worlds.doublecone import global_mesh as meshes
from ..rhombi import outlines_of, places_on
from . import furniture, painting, pen
from .furniture import GREY, INK, PAPER
from .map_window import MapWindow
from .pen import TextStyle
from .projection import Azimuthal
from .regions import Region

# Rhombi are drawn where their edges are at least this long, in points. Lines go on for MARGIN points around a window.
LEAST_EDGE, MARGIN = 7.0, 40.0
DOTS = (0.01, 3.4)
# The island has about as much area as this many rhombi, and a window this many times as high as it is.
ISLAND_RHOMBI, ROOM = 45.0, 1.35
# The picture of a rhombus in points: its size, and the box in which the rhombus stands.
WIDTH, HEIGHT, TOP, SIDE = 900.0, 720.0, 120.0, 60.0
TITLE, WORDS = TextStyle(26.0, INK, spacing=3.0, halo=0.0), TextStyle(12.0, GREY, True, halo=0.0)
NUMBERS = TextStyle(10.5, INK)


def rhombi_in(window: MapWindow, planet: PlanetMap) -> list[np.ndarray]:
    """The outlines of rhombi in a window as lines of points, float64 (k, 2) each; none where they are too small."""
    cells = 2**planet.gn
    if 0.5 * np.pi * window.radius_km / cells < LEAST_EDGE * window.km_per_point:
        return []
    found = []
    for _, _, points in window.lines(outlines_of(cells, planet.atlas)):
        near = window.inside(points, MARGIN)
        edges = np.flatnonzero(np.diff(np.concatenate([[False], near, [False]])))
        found += [points[max(a - 1, 0) : b + 1] for a, b in edges.reshape(-1, 2).tolist()]
    return found


def draw_rhombi(canvas: skia.Canvas, lines: list[np.ndarray]) -> None:
    """Dotted."""
    canvas.drawPath(pen.path_of(lines), pen.stroke(INK, 1.1, 0.8, DOTS))


def island_region(planet: PlanetMap, aspect: float) -> Region | None:
    """The part of the planet around a landmass of middle size, as wide as `aspect` times its height; None without land."""
    if not planet.landmasses:
        return None
    radius_km = planet.radius_m / 1000.0
    rhombus_km2 = np.pi * radius_km**2 / 4**planet.gn
    # By the ratio of areas: half as large is as far off as twice as large.
    island = min(planet.landmasses, key=lambda land: (abs(np.log(land.area_km2 / (ISLAND_RHOMBI * rhombus_km2))), land.id))
    middle, reach = _circle(island)
    longitude, latitude = degrees_of(middle).tolist()
    width_km = min(2.0 * ROOM * reach * radius_km * aspect, 2.0 * radius_km)
    return Region(longitude, latitude, width_km)


def _circle(land: Landmass) -> tuple[np.ndarray, float]:
    """(unit vector to the middle of a landmass, radians to its farthest vertex)."""
    places = directions(np.concatenate([polygon[0] for polygon in land.polygons]))
    middle = places.sum(axis=0)
    middle /= np.sqrt((middle * middle).sum())
    return middle, float(np.arccos(np.clip(places @ middle, -1.0, 1.0)).max())


@dataclass(frozen=True)
class LocalMesh:
    """One rhombus: its number, and its local mesh, `places` (s + 1, s + 1, 2) degrees and `heights_m` (s + 1, s + 1)."""

    number: int
    places: np.ndarray
    heights_m: np.ndarray


def coastal_rhombus(planet: PlanetMap, window: MapWindow) -> LocalMesh:
    """The rhombus in a window with the most relief among those on a coast, or among all where there is no coast."""
    cells = 2**planet.gn
    line = np.arange(cells + 1)
    best: tuple[bool, float, int, int, int] | None = None
    for face in range(4):
        places = places_on(cells, face, line[None, :], line[:, None], planet.atlas)
        near = window.inside(window.place(places), -MARGIN)
        inside = near[:-1, :-1] & near[:-1, 1:] & near[1:, :-1] & near[1:, 1:]
        for row, column in np.argwhere(inside).tolist():
            corners = places[row : row + 2, column : column + 2]
            heights = planet.relief.sample(corners[..., 0], corners[..., 1])
            found = bool(heights.min() < 0.0 < heights.max()), float(np.ptp(np.maximum(heights, -300.0)))
            if best is None or found > best[:2]:
                best = (*found, face, row, column)
    if best is None:
        raise ValueError("a window without a whole rhombus shows none")
    face, row, column = best[2:]
    part = np.arange(2**planet.ln + 1) / 2**planet.ln
    places = places_on(cells, face, column + part[None, :], row + part[:, None], planet.atlas)
    heights = planet.relief.sample(places[..., 0], places[..., 1])
    return LocalMesh(int(meshes.rhombus_of(cells, face, row, column)), places, heights)


def rhombus_picture(planet: PlanetMap, mesh: LocalMesh, pixels_per_point: float) -> np.ndarray:
    """One rhombus with its local mesh: uint8 (height, width, 3)."""
    size = [round(length * pixels_per_point) for length in (WIDTH, HEIGHT)]
    surface = skia.Surface.MakeRaster(skia.ImageInfo.MakeN32Premul(*size))
    with surface as canvas:
        canvas.clear(pen.colour(PAPER))
        canvas.scale(pixels_per_point, pixels_per_point)
        points = _on_paper(mesh)
        _triangles(canvas, points, mesh.heights_m)
        _corners(canvas, points, mesh.heights_m)
        _words(canvas, planet, mesh)
        furniture.key_of_heights(canvas, SIDE, HEIGHT - 46.0, 320.0)
    return np.ascontiguousarray(surface.makeImageSnapshot().toarray(colorType=skia.kRGBA_8888_ColorType)[..., :3])


def _on_paper(mesh: LocalMesh) -> np.ndarray:
    """Points of paper (s + 1, s + 1, 2), as large as there is room for."""
    longitude, latitude = degrees_of(directions(mesh.places).sum(axis=(0, 1))).tolist()
    x, y = Azimuthal(longitude, latitude).forward(mesh.places[..., 0], mesh.places[..., 1])
    flat = np.stack([x, -y], axis=-1)
    low, high = flat.min(axis=(0, 1)), flat.max(axis=(0, 1))
    room = np.array([WIDTH - 2.0 * SIDE, HEIGHT - TOP - 100.0])
    scale = float((room / (high - low)).min())
    return (flat - 0.5 * (low + high)) * scale + [0.5 * WIDTH, TOP + 0.5 * room[1]]


def _triangles(canvas: skia.Canvas, points: np.ndarray, heights_m: np.ndarray) -> None:
    """The tinted triangles of the mesh, split along parallels, with their edges and vertices."""
    steps = len(points) - 1
    edges = pen.stroke(INK, 0.5, 0.45)
    for j in range(steps):
        for i in range(steps):
            for corners in (((j, i), (j, i + 1), (j + 1, i)), ((j, i + 1), (j + 1, i), (j + 1, i + 1))):
                path = pen.path_of([np.array([points[corner] for corner in corners])], closed=True)
                height = float(np.mean([heights_m[corner] for corner in corners]))
                canvas.drawPath(path, pen.fill(painting.tint_at(height)))
                canvas.drawPath(path, edges)
    for x, y in points.reshape(-1, 2).tolist():
        canvas.drawCircle(x, y, 1.8, pen.fill(INK))
    rim = np.concatenate([points[0], points[1:, -1], points[-1, -2::-1], points[-2:0:-1, 0]])
    canvas.drawPath(pen.path_of([rim], closed=True), pen.stroke(INK, 2.4, 1.0, (0.01, 6.0)))


def _corners(canvas: skia.Canvas, points: np.ndarray, heights_m: np.ndarray) -> None:
    """The points of the global mesh: larger, and with their heights beside them."""
    middle = points.mean(axis=(0, 1))
    for j, i in ((0, 0), (0, -1), (-1, 0), (-1, -1)):
        x, y = points[j, i].tolist()
        canvas.drawCircle(x, y, 4.5, pen.fill(INK))
        word = pen.typeset(f"{heights_m[j, i]:,.0f} m", NUMBERS)
        right = x >= middle[0] - 1.0
        pen.draw_text(canvas, pen.straight(word, x + 9.0 if right else x - 9.0 - word.length, y + 4.0), NUMBERS)


def _words(canvas: skia.Canvas, planet: PlanetMap, mesh: LocalMesh) -> None:
    steps = 2**planet.ln
    lines = (
        f"gn = {planet.gn}: the four corners are points of the global mesh of {planet.code}.",
        f"ln = {planet.ln}: {steps + 1} points along the widest parallel, {2 * steps + 1} parallels,"
        f" {(steps + 1) ** 2} points in all.",
    )
    title = f"Rhombus {mesh.number:,} of {4 * 4**planet.gn:,}"
    pen.draw_text(canvas, pen.straight(pen.typeset(title, TITLE), SIDE, 54.0), TITLE)
    for k, text in enumerate(lines):
        pen.draw_text(canvas, pen.straight(pen.typeset(text, WORDS), SIDE, 78.0 + 17.0 * k), WORDS)
