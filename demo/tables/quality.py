"""The one table of qualities: how much of a world is drawn, in levels. The renderer's name says which level suits it.

A live show keeps its level, and its pace varies what is drawn within it.
"""

from __future__ import annotations

from dataclasses import dataclass

from .coarse_rules import SAMPLE


@dataclass(frozen=True)
class Quality:
    """One level.

    `patch`: cells along a patch's edge.
    `reach`: how far away a patch is drawn in full, as a multiple of the distance that just avoids cracks. The number of
    triangles grows with the square of `patch` and of `reach`.
    `pixels_a_triangle`: the budget of a live picture, by its full size. Beyond it, patches are drawn with half their cells.
    `tiles`: patches along an edge of the picture that holds the ground's detail; their square may be near at a time.
    `left_out`: how many of the finest octaves of the ground are not drawn.
    `measures`: tiles are read back to tell sea and land apart. Where the processor draws, that is cheap and saves much;
    a GPU would have to be waited for.
    `fine`: more samples in the air, more waves, broken clouds.
    `isosceles`: the mesh. Where cells are large, halves of squares would draw ridges that cross their diagonals as stairs.
    `deferred`: near ground is shaded once its mesh has been drawn. A software renderer shades eight pixels for each triangle
    that meets one of them, and triangles are small.
    `coarse`: the height of a group of vertices on coarser levels; no level's own, but what the option asks for.
    """

    name: str
    patch: int
    reach: float
    pixels_a_triangle: float
    tiles: int
    left_out: int
    fine: bool
    isosceles: bool = False
    measures: bool = False
    deferred: bool = False
    coarse: str = SAMPLE


QUALITIES: dict[str, Quality] = {
    quality.name: quality
    for quality in (
        # Half the cells blur and shift the ground more than half the pixels do: only windows under 640x360 have them.
        Quality(
            "software",
            patch=8,
            reach=1.0,
            pixels_a_triangle=4.0,
            tiles=22,
            left_out=1,
            fine=False,
            isosceles=True,
            measures=True,
            deferred=True,
        ),
        Quality("low", patch=8, reach=1.3, pixels_a_triangle=5.0, tiles=26, left_out=1, fine=False, isosceles=True),
        Quality("medium", patch=8, reach=1.7, pixels_a_triangle=3.0, tiles=30, left_out=0, fine=True),
        Quality("high", patch=16, reach=1.0, pixels_a_triangle=1.5, tiles=22, left_out=0, fine=True),
    )
}

# Part of a renderer's name in small letters, and its level; the first row that fits counts.
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
    """The level that suits the renderer of that name, as OpenGL gives it; the highest for unknown ones."""
    name = renderer.lower()
    return QUALITIES[next((level for part, level in _BY_RENDERER if part in name), "high")]
