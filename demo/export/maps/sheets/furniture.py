"""What frames a sheet and explains it: graticule, neat line with degrees, scale bar, key of heights, small globe."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import skia

from ....mapping.degrees import directions
from . import painting, pen
from .map_window import MapWindow
from .pen import TextStyle
from .projection import Azimuthal, EqualEarth, wrapped

PAPER, INK, GREY, LINE = "#fbf9f2", "#3a3a38", "#77746b", "#5d6f7c"
# Width of the band of degrees around a window, in points.
BAND = 5.0
# Steps of the graticule in degrees. The first one that leaves this many points between two lines is used.
STEPS, LEAST_GAP = (1, 2, 5, 10, 15, 30), 92.0
NUMBERS = TextStyle(7.6, INK, halo=0.0)
# Half the room between two numbers along a frame, in points.
NUMBER_GAP = 3.0
# Heights in metres that the key names, and those at its ends.
KEY_HEIGHTS_M, KEY_ENDS_M = (-6000, -4000, -2000, -200, 0, 500, 1000, 2000, 3000, 4000, 5000), (-8000, 6500)
GLOBE_RADIUS, GLOBE_SEA, GLOBE_LAND = 29.0, (168.0, 203.0, 223.0), (222.0, 212.0, 172.0)


def step_of(window: MapWindow) -> int:
    """Degrees between the parallels of a window's graticule."""
    per_degree = np.radians(1.0) * window.points_per_radius
    return 30 if window.whole else next((step for step in STEPS if step * per_degree >= LEAST_GAP), STEPS[-1])


def meridian_step(window: MapWindow) -> int:
    """Degrees between the meridians: more towards the poles, where they crowd."""
    if window.whole:
        return 30
    middle = abs(float(window.degrees(0.5 * window.width, 0.5 * window.height)[1]))
    per_degree = np.radians(1.0) * window.points_per_radius * max(np.cos(np.radians(min(middle, 85.0))), 0.1)
    return next((step for step in STEPS if step * per_degree >= LEAST_GAP), STEPS[-1])


def graticule(canvas: skia.Canvas, window: MapWindow) -> None:
    """Thin meridians and parallels."""
    paint = pen.stroke(LINE, 0.4, 0.42)
    middle = window.projection.middle if isinstance(window.projection, EqualEarth) else 0.0
    turn = np.linspace(-180.0, 180.0, 721) + middle
    for latitude in range(-90 + step_of(window), 90, step_of(window)):
        canvas.drawPath(pen.path_of([window.place(np.stack([turn, np.full(len(turn), latitude)], axis=1))]), paint)
    reach = 90.0 if window.whole else 90.0 - step_of(window)
    along = np.linspace(-reach, reach, 361)
    for longitude in range(-180, 180, meridian_step(window)):
        turned = wrapped(longitude - middle) + middle if window.whole else float(longitude)
        canvas.drawPath(pen.path_of([window.place(np.stack([np.full(len(along), turned), along], axis=1))]), paint)


def neat_line(canvas: skia.Canvas, window: MapWindow) -> None:
    """The frame of a rectangular window: a band whose fields are degrees, with their numbers outside."""
    w, h = window.width, window.height
    canvas.drawRect(skia.Rect(-BAND, -BAND, w + BAND, h + BAND), pen.stroke(PAPER, 2 * BAND))
    frame = pen.stroke(INK, 0.6)
    for gap, width in ((0.0, 0.6), (BAND, 0.6), (BAND + 3.0, 1.3)):
        frame.setStrokeWidth(width)
        frame.setStrokeJoin(skia.Paint.kMiter_Join)
        canvas.drawRect(skia.Rect(-gap, -gap, w + gap, h + gap), frame)
    for side in ("top", "bottom", "left", "right"):
        _side(canvas, window, side)


def _side(canvas: skia.Canvas, window: MapWindow, side: str) -> None:
    """The band and the numbers of one side: of meridians above and below, of parallels left and right."""
    flat = side in ("top", "bottom")
    length = window.width if flat else window.height
    along = np.linspace(0.0, length, 1500)
    edge = {"top": 0.0, "left": 0.0, "bottom": window.height, "right": window.width}[side]
    across = np.full(len(along), edge)
    longitude, latitude = window.degrees(*((along, across) if flat else (across, along)))
    values = np.degrees(np.unwrap(np.radians(longitude))) if flat else latitude
    step = meridian_step(window) if flat else step_of(window)
    fields = _crossings(values, along, step / 5.0 if step % 5 == 0 else step / 2.0)
    cuts = [0.0, *(place for _, place in fields), length]
    # Every second field is dark. Which ones does not depend on where the window begins.
    number = fields[0][0] if fields else 0
    for k, (a, b) in enumerate(pairwise(cuts)):
        if (number + k) % 2:
            low, high = (edge - BAND, edge) if side in ("top", "left") else (edge, edge + BAND)
            box = skia.Rect(a, low, b, high) if flat else skia.Rect(low, a, high, b)
            canvas.drawRect(box, pen.fill(INK, 0.85))
    for text, place in _apart(_crossings(values, along, step), step, "EW" if flat else "NS", length):
        _number(canvas, text, side, edge, place)


def _apart(crossings: list[tuple[int, float]], step: float, signs: str, length: float) -> list[tuple[str, float]]:
    """(text, place) of the numbers along a side of this length, no two of which touch; rounder ones come first."""
    rounder = (90, 30, 10, 5, 1)
    order = sorted(crossings, key=lambda one: next((k for k, by in enumerate(rounder) if one[0] * step % by == 0), 9))
    chosen: list[tuple[str, float, float]] = []
    for index, place in order:
        text = _degrees(index * step, signs)
        half = 0.5 * pen.typeset(text, NUMBERS).length + NUMBER_GAP
        if 10.0 < place < length - 10.0 and all(abs(place - other) >= half + room for _, other, room in chosen):
            chosen.append((text, place, half))
    return [(text, place) for text, place, _ in sorted(chosen, key=lambda one: one[1])]


def _crossings(values: np.ndarray, along: np.ndarray, step: float) -> list[tuple[int, float]]:
    """(k, place) wherever `values` crosses k * step, in the order of places; `along`: the places of the values."""
    found = []
    level = values / step
    for k in np.flatnonzero(np.floor(level[:-1]) != np.floor(level[1:])).tolist():
        a, b = level[k], level[k + 1]
        index = int(np.floor(max(a, b)))
        found.append((index, float(along[k] + (along[k + 1] - along[k]) * (index - a) / (b - a))))
    return found


def _degrees(value: float, signs: str) -> str:
    """'30° N'; `signs`: the letters of positive and negative values."""
    value = wrapped(value) if signs == "EW" else value
    plain = abs(round(value))
    return f"{plain}°" if plain in (0, 180) else f"{plain}° {signs[0] if value > 0 else signs[1]}"


def _number(canvas: skia.Canvas, text: str, side: str, edge: float, place: float) -> None:
    """A number beside the band, upright above and below, turned left and right."""
    word = pen.typeset(text, NUMBERS)
    gap, half = BAND + 7.0, 0.5 * word.length
    if side in ("top", "bottom"):
        y = edge - gap if side == "top" else edge + gap + 0.62 * NUMBERS.size
        pen.draw_text(canvas, pen.straight(word, place - half, y), NUMBERS)
        return
    canvas.save()
    canvas.translate(edge - gap if side == "left" else edge + gap, place)
    canvas.rotate(-90.0 if side == "left" else 90.0)
    pen.draw_text(canvas, pen.straight(word, -half, 0.0), NUMBERS)
    canvas.restore()


def parallels(canvas: skia.Canvas, window: MapWindow, projection: EqualEarth) -> None:
    """The degrees of parallels at both edges of a map of the whole planet."""
    middle = projection.middle
    for latitude in range(-90 + step_of(window), 90, step_of(window)):
        word = pen.typeset(_degrees(latitude, "NS"), NUMBERS)
        for side, left in ((-180.0, -word.length - 6.0), (180.0, 6.0)):
            x, y = window.place(np.array([middle + side, float(latitude)])).tolist()
            pen.draw_text(canvas, pen.straight(word, x + left, y + 2.6), NUMBERS)


def scale_bar(canvas: skia.Canvas, km_per_point: float, x: float, y: float, longest: float) -> None:
    """Four fields of a round number of kilometres, at most `longest` points long, with the upper left corner at x, y."""
    room_km = longest * km_per_point / 4.0
    power = 10.0 ** np.floor(np.log10(room_km))
    field_km = max(f * power for f in (1.0, 2.0, 2.5, 5.0) if f * power <= room_km)
    field = field_km / km_per_point
    for k in range(4):
        box = skia.Rect(x + k * field, y, x + (k + 1) * field, y + 3.2)
        canvas.drawRect(box, pen.fill(INK if k % 2 == 0 else PAPER))
    canvas.drawRect(skia.Rect(x, y, x + 4 * field, y + 3.2), pen.stroke(INK, 0.5))
    for k in (0, 2, 4):
        text = f"{k * field_km:,.0f}".replace(",", " ") + (" km" if k == 4 else "")
        word = pen.typeset(text, NUMBERS)
        middle = 0.5 * pen.typeset(text.removesuffix(" km"), NUMBERS).length
        pen.draw_text(canvas, pen.straight(word, x + k * field - middle, y + 12.0), NUMBERS)


def key_of_heights(canvas: skia.Canvas, x: float, y: float, width: float) -> None:
    """The tints from the deep sea to the high mountains with their metres, with the upper left corner at x, y."""
    field = width / (len(KEY_HEIGHTS_M) + 1)
    for k, (low, high) in enumerate(pairwise((KEY_ENDS_M[0], *KEY_HEIGHTS_M, KEY_ENDS_M[1]))):
        box = skia.Rect(x + k * field, y, x + (k + 1) * field, y + 7.0)
        canvas.drawRect(box, pen.fill(painting.tint_at(0.5 * (low + high))))
    canvas.drawRect(skia.Rect(x, y, x + width, y + 7.0), pen.stroke(INK, 0.4))
    small = TextStyle(6.2, INK, halo=0.0)
    for k, metres in enumerate(KEY_HEIGHTS_M, 1):
        word = pen.typeset(str(abs(metres)), small)
        pen.draw_text(canvas, pen.straight(word, x + k * field - 0.5 * word.length, y + 14.5), small)
    for text, left in (("depth in metres", x), ("height in metres", x + 6.0 * field)):
        italic = TextStyle(6.2, GREY, italic=True, halo=0.0)
        pen.draw_text(canvas, pen.straight(pen.typeset(text, italic), left, y + 22.5), italic)


def globe(
    canvas: skia.Canvas,
    land: np.ndarray,
    window: MapWindow,
    projection: Azimuthal,
    middle: tuple[float, float],
    pixels_per_point: float,
) -> None:
    """The planet from far above the sheet's middle, with the sheet's outline on it; `middle`: the globe's, in points.

    `land`: the share of land on a grid of longitude and latitude, as `regions.regions_of` takes it.
    """
    pixels = round(2.0 * GLOBE_RADIUS * pixels_per_point)
    (x, y), radius = middle, GLOBE_RADIUS
    image = skia.Image.fromarray(_globe_pixels(land, projection, pixels), skia.kRGBA_8888_ColorType)
    box = skia.Rect(x - radius, y - radius, x + radius, y + radius)
    canvas.drawImageRect(image, box, skia.SamplingOptions(skia.FilterMode.kLinear))
    canvas.drawCircle(x, y, radius, pen.stroke(INK, 0.5))
    rim = _rim(window)
    place = directions(np.stack(window.degrees(rim[:, 0], rim[:, 1]), axis=1))
    east = directions(np.array([projection.longitude + 90.0, 0.0]))
    north = directions(np.array([projection.longitude, projection.latitude + 90.0]))
    outline = np.stack([x + radius * (place @ east), y - radius * (place @ north)], axis=1)
    canvas.drawPath(pen.path_of([outline], closed=True), pen.stroke("#b03a2e", 0.9))


def _globe_pixels(land: np.ndarray, projection: Azimuthal, pixels: int) -> np.ndarray:
    """The hemisphere around the projection's middle, lit from the left: uint8 (pixels, pixels, 4)."""
    line = (np.arange(pixels) + 0.5) / pixels * 2.0 - 1.0
    u, v = np.meshgrid(line, -line)
    squared = u * u + v * v
    depth = np.sqrt(np.maximum(1.0 - squared, 0.0))
    s, c = np.sin(np.radians(projection.latitude)), np.cos(np.radians(projection.latitude))
    latitude = np.degrees(np.arcsin(np.clip(v * c + depth * s, -1.0, 1.0)))
    longitude = wrapped(np.degrees(np.arctan2(u, depth * c - v * s)) + projection.longitude)
    rows = np.clip((90.0 - latitude) / 180.0 * land.shape[0], 0, land.shape[0] - 1).astype(int)
    columns = np.clip((longitude + 180.0) / 360.0 * land.shape[1], 0, land.shape[1] - 1).astype(int)
    share = land[rows, columns][..., None]
    colour = np.array(GLOBE_SEA) * (1.0 - share) + np.array(GLOBE_LAND) * share
    lit = 0.72 + 0.42 * np.clip(0.62 * depth - 0.45 * u + 0.45 * v, 0.0, 1.0)
    rgba = np.empty((pixels, pixels, 4), np.uint8)
    rgba[..., :3] = np.clip(colour * lit[..., None], 0.0, 255.0)
    rgba[..., 3] = 255.0 * np.clip((1.0 - np.sqrt(squared)) * 0.5 * pixels, 0.0, 1.0)
    return rgba


def _rim(window: MapWindow) -> np.ndarray:
    """The frame of a window: points (k, 2), 40 an edge."""
    part = np.linspace(0.0, 1.0, 40)
    corners = window.outline()
    return np.concatenate([a + part[:, None] * (b - a) for a, b in pairwise(corners)])
