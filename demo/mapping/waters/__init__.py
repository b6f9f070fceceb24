"""Landmasses, rivers and lakes on the global mesh."""
