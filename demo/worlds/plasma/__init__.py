"""Plasma terrain."""
