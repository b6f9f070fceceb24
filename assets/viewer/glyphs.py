"""Makes glyphs/ for the map viewer from assets/fonts: signed distance fields in the protocol buffers that MapLibre reads.

    python assets/viewer/glyphs.py

A glyph is drawn 8 times as large as its field. The form is that of Mapbox's node-fontnik: 24 pixels an em, a margin of 3
pixels, distances of 8 pixels in a byte, of which 192 lies on the outline.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

HERE = Path(__file__).resolve().parent
FONTS = {"EB Garamond Regular": "EBGaramond12-Regular.ttf", "EB Garamond Italic": "EBGaramond12-Italic.ttf"}
RANGES = (0, 256, 8192)
EM, MARGIN, LARGER, RADIUS, CUTOFF = 24, 3, 8, 8.0, 0.25
# The line that the form measures heights from lies this far above the baseline, for all fonts.
ASCENT = 26


def varint(value: int) -> bytes:
    parts = bytearray()
    while value > 127:
        parts.append(value & 127 | 128)
        value >>= 7
    parts.append(value)
    return bytes(parts)


def number(tag: int, value: int) -> bytes:
    return varint(tag << 3) + varint(value)


def signed(tag: int, value: int) -> bytes:
    return number(tag, value * 2 if value >= 0 else -value * 2 - 1)


def block(tag: int, data: bytes) -> bytes:
    return varint(tag << 3 | 2) + varint(len(data)) + data


def distances(inside: np.ndarray) -> np.ndarray:
    """Distance in pixels of each pixel from the nearest one that is `inside`."""
    rows, columns = inside.shape
    line = np.arange(columns)
    far = 1e4
    along = np.where(inside, 0.0, far)
    for order in (slice(None), slice(None, None, -1)):
        last = np.full(rows, far)
        for k in line[order]:
            last = np.minimum(along[:, k], last + 1.0)
            along[:, k] = last
    squared = along**2
    offset = (np.arange(rows)[:, None] - np.arange(rows)[None, :]) ** 2.0
    return np.sqrt(np.stack([(squared + offset[row][:, None]).min(axis=0) for row in range(rows)]))


def glyph(font: ImageFont.FreeTypeFont, code: int) -> bytes:
    """One glyph as a message."""
    sign = chr(code)
    advance = round(font.getlength(sign) / LARGER)
    left, top, right, bottom = font.getbbox(sign, anchor="ls")
    head = number(1, code)
    if right <= left or bottom <= top:
        return head + number(3, 0) + number(4, 0) + signed(5, 0) + signed(6, -ASCENT) + number(7, advance)
    x, y = left // LARGER, top // LARGER
    width, height = -(-right // LARGER) - x, -(-bottom // LARGER) - y
    size = ((width + 2 * MARGIN) * LARGER, (height + 2 * MARGIN) * LARGER)
    picture = Image.new("L", size, 0)
    ImageDraw.Draw(picture).text(((MARGIN - x) * LARGER, (MARGIN - y) * LARGER), sign, fill=255, font=font, anchor="ls")
    inside = np.asarray(picture) >= 128
    field = (distances(~inside) - distances(inside)) / LARGER
    middle = slice(LARGER // 2, None, LARGER)
    field = 0.25 * sum(np.roll(field, shift, (0, 1))[middle, middle] for shift in ((0, 0), (1, 0), (0, 1), (1, 1)))
    value = np.clip(np.round(255.0 * (field / RADIUS + 1.0 - CUTOFF)), 0, 255).astype(np.uint8)
    place = signed(5, x) + signed(6, -y - ASCENT)
    return head + block(2, value.tobytes()) + number(3, width) + number(4, height) + place + number(7, advance)


def shown(font: ImageFont.FreeTypeFont, code: int) -> bool:
    """Whether the font has the sign: for what it lacks it draws the same box as for a code that no font has."""
    if code == ord(" ") or not chr(code).isprintable():
        return code == ord(" ")
    lacking = font.getmask(chr(0x10FFFD))
    mask = font.getmask(chr(code))
    return mask.size != (0, 0) and (mask.size, bytes(mask)) != (lacking.size, bytes(lacking))


def main() -> None:
    for name, file in FONTS.items():
        path = HERE.parent / "fonts" / file
        font = ImageFont.truetype(str(path), EM * LARGER, layout_engine=ImageFont.Layout.BASIC)
        folder = HERE / "glyphs" / name
        folder.mkdir(parents=True, exist_ok=True)
        for first in RANGES:
            codes = [code for code in range(first, first + 256) if shown(font, code)]
            glyphs = b"".join(block(3, glyph(font, code)) for code in codes)
            span = f"{first}-{first + 255}"
            stack = block(1, name.encode()) + block(2, span.encode()) + glyphs
            (folder / f"{span}.pbf").write_bytes(block(1, stack))


if __name__ == "__main__":
    main()
