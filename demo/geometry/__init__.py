"""Geometry of a picture: patches, forms, ribbons, views and labels. Pure arithmetic, no OpenGL."""
