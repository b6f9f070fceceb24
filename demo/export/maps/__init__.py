"""The planetary map as files: OpenStreetMap, GeoPackage, GeoTIFF, map sheets and a summary."""
