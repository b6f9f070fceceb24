"""Particle-deposition terrain."""
