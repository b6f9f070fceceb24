"""The map's geometry as shapely's, and places in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...mapping.objects.records import Lines, LonLat, Polygons

if TYPE_CHECKING:
    from shapely import MultiLineString, MultiPolygon


def multipolygon(polygons: Polygons) -> MultiPolygon:
    """An area with all its parts and holes."""
    import shapely

    return shapely.MultiPolygon([shapely.Polygon(rings[0], rings[1:]) for rings in polygons])


def multiline(lines: Lines) -> MultiLineString:
    """A line with all its parts."""
    import shapely

    return shapely.MultiLineString(list(lines))


def label_point(polygons: Polygons) -> LonLat:
    """A place well inside the largest part."""
    import shapely

    largest = max((shapely.Polygon(rings[0], rings[1:]) for rings in polygons), key=lambda part: part.area)
    point = shapely.point_on_surface(largest)
    return (point.x, point.y)
