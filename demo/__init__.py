"""Landfall: worlds that grow on screen by five published algorithms."""

__version__ = "0.1.0"
