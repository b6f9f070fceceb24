"""Geometry of the map as shapely's, and points for its labels."""

from __future__ import annotations

import shapely

from ...mapping.objects.records import Lines, LonLat, Polygons


def multipolygon(polygons: Polygons) -> shapely.MultiPolygon:
    """An area with all its parts and holes."""
    return shapely.MultiPolygon([shapely.Polygon(rings[0], rings[1:]) for rings in polygons])


def multiline(lines: Lines) -> shapely.MultiLineString:
    """A line with all its parts."""
    return shapely.MultiLineString(list(lines))


def label_point(polygons: Polygons) -> LonLat:
    """A point well inside the largest part of an area."""
    largest = max((shapely.Polygon(rings[0], rings[1:]) for rings in polygons), key=lambda part: part.area)
    point = shapely.point_on_surface(largest)
    return (point.x, point.y)
