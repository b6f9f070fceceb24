"""A map as tiles: vector and raster archives, and the tables that a viewer reads beside them."""
