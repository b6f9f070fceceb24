"""The coordinate reference system of a map."""

from __future__ import annotations


def crs_wkt(radius_m: float) -> str:
    """Longitude and latitude in degrees on a sphere of that radius, as WKT 1, which every version of GDAL reads."""
    return (
        f'GEOGCS["Landfall sphere, radius {radius_m:g} m",'
        f'DATUM["Landfall sphere",SPHEROID["Landfall sphere",{radius_m!r},0]],'
        'PRIMEM["Reference meridian",0],UNIT["degree",0.0174532925199433],'
        'AXIS["Longitude",EAST],AXIS["Latitude",NORTH]]'
    )
