"""Planets of simplex noise."""
