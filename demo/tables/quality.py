"""QUALITIES: how much of a world is drawn, in levels that are chosen by the renderer's name and steered from there.

Importing it needs the standard library only: the command line names the levels.
"""

from __future__ import annotations

from dataclasses import dataclass

# A software renderer draws large pictures with fewer pixels anyway, while triangles twice would cost it as much as it has.
ALL, MANY = float("inf"), 4e6


@dataclass(frozen=True)
class Quality:
    """One level.

    `patch`: cells along a patch's edge; `reach`: how far away a patch is drawn as finely as it is, in the distance that just
    does without cracks; triangles go with the square of both. `pixels_a_triangle`: the budget of a live picture; with more
    triangles patches are drawn with half their cells. `tiles`: along an edge of the picture that holds the ground's detail,
    of as many patches as may be near at a time. `at_once`: so many pixels have room where light is drawn while two worlds
    are there; larger pictures are drawn in bands then, with all triangles for each. `left_out`: so many of the finest
    octaves of the ground. `fine`: more samples in the air, more waves, broken clouds.
    """

    name: str
    patch: int
    reach: float
    pixels_a_triangle: float
    tiles: int
    at_once: float
    left_out: int
    fine: bool


QUALITIES: dict[str, Quality] = {
    quality.name: quality
    for quality in (
        # Small triangles are shaded in whole blocks of pixels there: a few pixels each cost thrice what they show.
        Quality("software", patch=8, reach=1.0, pixels_a_triangle=20.0, tiles=22, at_once=ALL, left_out=1, fine=False),
        Quality("low", patch=8, reach=1.3, pixels_a_triangle=5.0, tiles=26, at_once=MANY, left_out=1, fine=False),
        Quality("medium", patch=8, reach=1.7, pixels_a_triangle=3.0, tiles=30, at_once=MANY, left_out=0, fine=True),
        Quality("high", patch=16, reach=1.0, pixels_a_triangle=1.5, tiles=22, at_once=MANY, left_out=0, fine=True),
    )
}

# Part of a renderer's name in small letters, and the level to begin with; the first that is found counts.
_BY_RENDERER = (
    ("llvmpipe", "software"),
    ("softpipe", "software"),
    ("swrast", "software"),
    ("software rasterizer", "software"),
    ("swiftshader", "software"),
    ("microsoft basic render", "software"),
    ("gdi generic", "software"),
    ("svga3d", "low"),
    ("virgl", "low"),
    ("videocore", "low"),
    ("v3d", "low"),
    ("mali", "low"),
    ("panfrost", "low"),
    ("adreno (tm) 3", "low"),
    ("intel(r) hd", "low"),
    ("uhd graphics", "low"),
    ("intel(r) arc", "high"),
    ("intel", "medium"),
    ("adreno", "medium"),
    ("radeon graphics", "medium"),
    ("radeon(tm) graphics", "medium"),
    ("vega 8", "medium"),
)


def quality_for(renderer: str) -> Quality:
    """The level to begin with on the renderer of that name, as OpenGL gives it."""
    name = renderer.lower()
    return QUALITIES[next((level for part, level in _BY_RENDERER if part in name), "high")]
