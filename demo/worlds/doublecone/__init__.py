"""Planets on a double cone."""
